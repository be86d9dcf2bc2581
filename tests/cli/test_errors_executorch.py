"""Damaged files of ExecuTorch and XNNPACK, outputs that cannot be written, wrong usage: for every verb about inferences a message and an
exit code, and no output left behind."""
import gzip
import json
import random
import shutil
import stat
import subprocess
import zipfile

import pytest

import tool

DATA = tool.DATA
DUMP = DATA / "operators" / "broken_graph_mac_sme2_on_t1.etdump"
SMALL = DATA / "etdump" / "etgen_small.etdp"
RECORD = DATA / "operators" / "broken_graph.etrecord"
TIMELINE = DATA / "et-timeline" / "broken_graph_run0_timeline.csv"
LOG = DATA / "xnntrace" / "broken_graph_on.log"
KERNELS = DATA / "xnn-kernels" / "mobilenet_kernels.csv"
RUNNER = DATA / "et-runner-log" / "broken_graph_latency.log"
STATS = DATA / "et-ops" / "broken_graph_ops_stats.csv"

# How each verb reads a file, with all the files it would write in the folder "out".
READING = {
    "summary": lambda path: ["summary", path, "-o", "out/sum.csv", "--by", "operator"],
    "convert": lambda path: ["convert", path, "-o", "out/trace.pb"],
    "timeline": lambda path: ["timeline", path, "--out-dir", "out", "--all-runs", "--json"],
    "operators": lambda path: ["operators", path, "--output-dir", "out", "-o", "out/map.csv"],
    "latency": lambda path: ["latency", path, "--output-dir", "out", "-o", "out/latency.csv"],
    "kernels": lambda path: ["kernels", path, "-o", "out/kernels.csv"],
}
BAD = {
    "empty": (b"", "the file is empty"),
    "zeros": (bytes(4096), "of no known format"),
    "binary": (b"\x7fELF\x02\x01\x01\x00" + bytes(range(256)) * 8, "of no known format"),
    "text": (b"Dear diary,\nnothing happened.\n", "text of no known format"),
    "utf16_dump": (TIMELINE.read_text().encode("utf-16"), "of no known format"),
    "utf16_log": (LOG.read_text().encode("utf-16"), "of no known format"),
    "cut_gzip": (gzip.compress(SMALL.read_bytes())[:-9], "gzip"),
    "placeholder": (b"ETDUMP-PLACEH", "of no known format"),
}


def left(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def fails(tacho, tmp_path, code, command, *says, **options):
    """The command fails with this code and message, and leaves no new file."""
    before = left(tmp_path)
    result = tacho(*command, cwd=tmp_path, **options)
    assert result.code == code, f"{result.code}: {result.err}"
    assert result.err.startswith("tacho: ") and result.err.endswith("\n")
    for part in says:
        assert part in result.err, result.err
    assert left(tmp_path) == before
    return result


# ---- inputs ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", BAD)
@pytest.mark.parametrize("verb", READING)
def test_a_file_that_is_none_of_ours(tacho, tmp_path, verb, kind):
    (tmp_path / "x.bin").write_bytes(BAD[kind][0])
    # What can be unpacked of a dump that is cut off tells that it is a dump: those who want another format say that.
    wanted = "has the format etdump" if (verb, kind) == ("kernels", "cut_gzip") else BAD[kind][1]
    fails(tacho, tmp_path, 3, READING[verb]("x.bin"), "x.bin", wanted)


@pytest.mark.parametrize("verb", READING)
def test_a_folder_and_a_missing_file(tacho, tmp_path, verb):
    (tmp_path / "folder").mkdir()
    fails(tacho, tmp_path, 3, READING[verb]("folder"), "folder: is a directory")
    fails(tacho, tmp_path, 3, READING[verb]("none.etdump"), "none.etdump: No such file or directory")


@pytest.mark.parametrize("verb", [verb for verb in READING if verb != "kernels"])
def test_a_dump_cut_anywhere(tacho, tmp_path, verb):
    whole = SMALL.read_bytes()
    for size in range(9, len(whole), 151):
        (tmp_path / "cut.etdump").write_bytes(whole[:size])
        result = fails(tacho, tmp_path, 3, READING[verb]("cut.etdump"), "cut.etdump: ")
        assert size < 12 or f"it has {len(whole)} bytes, {size} are there" in result.err


@pytest.mark.parametrize("path, least", [(SMALL, 8), (DATA / "etdump" / "py_full.etdp", 8), (RECORD, 0)], ids=["small", "full", "record"])
def test_wrong_bytes_never_crash(tacho, tmp_path, path, least):
    """Sizes, offsets and counts of all kinds: an answer or an error."""
    chance = random.Random(7)
    whole = path.read_bytes()
    for _ in range(60):
        data = bytearray(whole)
        for _ in range(chance.choice((1, 4, 20))):
            data[chance.randrange(least, len(data))] = chance.choice((0, 1, 0x7F, 0x80, 0xFF, chance.randrange(256)))
        (tmp_path / path.name).write_bytes(data)
        if path == RECORD:
            result = tacho("operators", DUMP, "--etrecord", tmp_path / path.name, "--json")
        else:
            result = tacho("timeline", tmp_path / path.name, "--out-dir", tmp_path / "out", "--all-runs")
        assert result.code in (0, 3), result.err


@pytest.mark.parametrize("path", [TIMELINE, STATS, RUNNER, LOG, KERNELS], ids=lambda path: path.name)
def test_text_cut_anywhere(tacho, tmp_path, path):
    """A last line that is cut is lost or whole; the rest is used."""
    whole = path.read_bytes()
    verb = "kernels" if path in (LOG, KERNELS) else "summary"
    for size in range(20, len(whole), len(whole) // 20):
        (tmp_path / path.name).write_bytes(whole[:size])
        result = tacho(verb, tmp_path / path.name)
        assert result.code in (0, 3), result.err
        assert result.code == 0 or result.err.startswith(f"tacho: {tmp_path / path.name}")


def long_line(tmp_path, path, at, size=5 << 20):
    lines = path.read_bytes().splitlines(True)
    lines[at:at] = [b"m," + b"a" * size + b"\r\n"]
    (tmp_path / path.name).write_bytes(b"".join(lines))
    return tmp_path / path.name


@pytest.mark.parametrize("path", [TIMELINE, STATS], ids=lambda path: path.name)
def test_a_long_line_costs_itself(good, tmp_path, path):
    ours = json.loads(good("summary", long_line(tmp_path, path, 4), "--json").text)
    whole = json.loads(good("summary", path, "--json").text)
    assert ours["rows"]["reasons"] == {"a line over 4 MiB": 1} and ours["rows"]["used"] == whole["rows"]["used"]
    assert ours["inference_time"] == whole["inference_time"]
    result = good("operators", tmp_path / path.name)
    assert "rows lost" in result.err and "a line over 4 MiB (line 5)" in result.err


def test_a_long_line_in_a_log(good, tmp_path):
    """Runners print their outputs there: no line of ours is lost by it."""
    whole = json.loads(good("kernels", LOG, "--json").text)["rows"]
    assert json.loads(good("kernels", long_line(tmp_path, LOG, 30), "--json").text)["rows"] == whole
    stamps = json.loads(good("latency", RUNNER, "--json").text)["side"]
    assert json.loads(good("latency", long_line(tmp_path, RUNNER, 10), "--json").text)["side"]["median_ms"] == stamps["median_ms"]


def test_rows_of_a_kernel_table_that_cannot_be_read(tacho, good, tmp_path):
    lines = KERNELS.read_text().splitlines(True)
    (tmp_path / "k.csv").write_text("".join([*lines[:3], "m,,gemm,1,,,,,,,\n", "m,xnn_a__b,gemm,many,,,,,,,\n", *lines[3:]]))
    result = good("kernels", tmp_path / "k.csv", "-o", tmp_path / "again.csv")
    assert f"2 of {len(lines) + 1} rows lost" in result.err and "(line 4)" in result.err and "(line 5)" in result.err
    assert not good("kernels", tmp_path / "k.csv", "--quiet").err
    result = tacho("kernels", tmp_path / "k.csv", "--strict")
    assert result.code == 3 and "k.csv:" in result.err
    (tmp_path / "none.csv").write_text(lines[0] + "m,,gemm,1,,,,,,,\n")
    result = tacho("kernels", tmp_path / "none.csv")
    assert result.code == 3 and "its only row cannot be used as xnn-kernels" in result.err


@pytest.mark.parametrize("verb", ["timeline", "operators", "latency", "convert", "summary"])
def test_strict(tacho, tmp_path, verb):
    lines = TIMELINE.read_text().splitlines(True)
    (tmp_path / "x_timeline.csv").write_text("".join([*lines[:3], "m,x,x,portable,zero,1.0,0.1,0.1,2,0,Execute\r\n", *lines[3:]]))
    fails(tacho, tmp_path, 3, [*READING[verb]("x_timeline.csv"), "--strict"], "x_timeline.csv:4:", "a number that cannot be read")


def test_no_row_can_be_used(tacho, tmp_path):
    (tmp_path / "x_timeline.csv").write_text(TIMELINE.read_text().splitlines(True)[0] + "m,x,x,portable,zero,1.0,0.1,0.1,2,0,Execute\r\n")
    for verb in ("timeline", "operators", "latency", "convert", "summary"):
        fails(tacho, tmp_path, 3, READING[verb]("x_timeline.csv"), "its only row cannot be used as et-timeline")


def test_names_that_are_no_text(good, tmp_path):
    """What is written as JSON, HTML or a trace is UTF-8, whatever bytes a name has."""
    data = TIMELINE.read_bytes().replace(b"native_call_cumsum.out", b"native\xff\xfe_cumsum\x01.out")
    (tmp_path / "x_timeline.csv").write_bytes(data)
    for command in (["operators", "--json"], ["summary", "--by", "operator", "--json"], ["convert", "--to", "chrome", "-o", "-"],
                    ["convert", "--to", "speedscope", "-o", "-"]):
        document = json.loads(good(command[0], tmp_path / "x_timeline.csv", *command[1:]).out.decode("utf-8"))
        assert "_cumsum" in json.dumps(document)
    good("timeline", tmp_path / "x_timeline.csv", "--out-dir", tmp_path, "--all-runs", "--json")
    assert any("_cumsum" in row["name"] for row in json.loads((tmp_path / "x_timeline_exec_all_runs_timeline.json").read_text("utf-8")))
    for name in ("map.html", "map.md", "map.json"):
        good("operators", tmp_path / "x_timeline.csv", "-o", tmp_path / name)
        assert "_cumsum" in (tmp_path / name).read_text("utf-8")


# ---- companions -----------------------------------------------------------------------------------------------------------------


def test_a_record_that_was_named_must_be_one(tacho, tmp_path):
    (tmp_path / "cut.etrecord").write_bytes(RECORD.read_bytes()[:5000])
    (tmp_path / "empty.etrecord").write_bytes(b"")
    (tmp_path / "no.etrecord").write_bytes(b"PK\x05\x06" + bytes(18))
    for verb in ("timeline", "operators", "convert", "summary"):
        for name, says in (("cut", "is no complete zip archive"), ("empty", "is empty"), ("missing", "No such file"),
                           ("no", "no.etrecord: ")):
            fails(tacho, tmp_path, 3, [*READING[verb](DUMP), "--etrecord", f"{name}.etrecord"], f"{name}.etrecord: ", says)
        fails(tacho, tmp_path, 3, [*READING[verb](DUMP), "--etrecord", SMALL], "etgen_small.etdp: ")


def test_a_log_of_another_model(good, tacho, tmp_path):
    result = good("operators", SMALL, "--xnntrace-log", LOG)
    assert "5 of the dump's 6 delegated operators are not in it: is it the log of the same model?" in result.err
    assert not good("operators", SMALL, "--xnntrace-log", LOG, "--quiet").err
    assert "warning" not in good("operators", DUMP, "--xnntrace-log", LOG).err
    fails(tacho, tmp_path, 3, ["operators", DUMP, "--xnntrace-log", SMALL, "-o", "map.csv"],
          "a log of XNNPACK or a kernels.csv is wanted here")
    (tmp_path / "rules.txt").write_bytes(bytes(range(256)))
    fails(tacho, tmp_path, 3, ["operators", DUMP, "--rules", "rules.txt", "-o", "map.csv"], "rules.txt:1:")


def test_a_bad_second_side(tacho, tmp_path):
    (tmp_path / "cut.etdump").write_bytes(SMALL.read_bytes()[:900])
    for verb in ("operators", "latency"):
        fails(tacho, tmp_path, 3, [verb, "--timeline-csv", SMALL, "--compare", "cut.etdump", "--output-dir", "out"], "cut.etdump: ")


def test_run_directories(tacho, tmp_path):
    (tmp_path / "file").write_text("x")
    (tmp_path / "empty").mkdir()
    fails(tacho, tmp_path, 3, ["timeline", "--run-dir", "none"], "none: ")
    fails(tacho, tmp_path, 3, ["timeline", "--run-dir", "file"], "file: ")
    fails(tacho, tmp_path, 3, ["timeline", "--run-dir", "empty"], "no *.etdump")
    fails(tacho, tmp_path, 1, ["validate", "--results", "empty"], "checks failed")
    fails(tacho, tmp_path, 1, ["validate", "--results", "none"], "checks failed")


def test_reports(tacho, good, tmp_path):
    run = DATA / "rundir" / "broken_graph"
    (tmp_path / "file").write_text("x")
    (tmp_path / "empty").mkdir()
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "net_mac_sme2_on_t1.etdump").write_bytes(bytes(64))
    fails(tacho, tmp_path, 2, ["report"], "tacho report wants")
    fails(tacho, tmp_path, 3, ["report", "--run-dir", "none", "--out", "r.md"], "none: ")
    fails(tacho, tmp_path, 3, ["report", "--run-dir", "file", "--out", "r.md"], "file: ")
    fails(tacho, tmp_path, 3, ["report", "--run-dir", "empty", "--out", "r.md"], "nothing to report")
    fails(tacho, tmp_path, 3, ["report", "--run-dir", "bad", "--out", "r.md"], "nothing to report", "net_mac_sme2_on_t1.etdump")
    fails(tacho, tmp_path, 3, ["report", "--mac-dir", "empty", "--out", "r.md"])
    fails(tacho, tmp_path, 2, ["report", "--run-dir", run, "--out", "r.xyz"], "the suffix names no document format")
    fails(tacho, tmp_path, 4, ["report", "--run-dir", run, "--out", "file/r.md"], "file/r.md")
    for suffix in ("md", "html", "json"):
        assert tacho("report", "--run-dir", run, "--out", "/proc/tacho/r." + suffix).code == 4


def test_a_report_tells_of_lost_kernels(good, tmp_path):
    run = tmp_path / "run"
    shutil.copytree(DATA / "rundir" / "broken_graph", run)
    for log in run.glob("*_xnntrace.log"):
        log.unlink()
    table = next(run.glob("*_on_trace_t1_kernels.csv"))
    table.write_text(table.read_text() + "m,,gemm,1,,,,,,,\n")
    result = good("report", "--run-dir", run, "--out", tmp_path / "report.md")
    assert f"{table.name}: 1 of its 10 rows cannot be read" in result.err + (tmp_path / "report.md").read_text()


@pytest.mark.parametrize("content, says", [(b"", ":1:1: "), (b"{", "c.json:1:"), (b"[]", "c.json"), (b"{}", "model"),
                                           (bytes(64), "c.json:1:1"), (b'{"model": "' + b"\xff" * 9 + b'"}', "c.json"), (b"[" * 5000, "c.json")])
def test_configurations(tacho, tmp_path, content, says):
    (tmp_path / "c.json").write_bytes(content)
    result = tacho("pipeline", "--config", "c.json", cwd=tmp_path)
    assert result.code in (2, 3) and says in result.err, result.err
    assert left(tmp_path) == ["c.json"]


# ---- outputs ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [
    ["operators", DUMP], ["operators", DUMP, "--json"], ["latency", DUMP], ["latency", DUMP, "--json"], ["kernels", LOG],
    ["kernels", LOG, "--json"], ["kernels", LOG, "-o", "-"], ["kernels", "--sme2-on", LOG, "--sme2-off", LOG, "-o", "-"],
    ["kernels", "--sme2-on", LOG, "--sme2-off", LOG], ["summary", DUMP], ["convert", DUMP, "-o", "-"],
    ["report", "--run-dir", DATA / "rundir" / "broken_graph", "--out", "-"], ["validate", "--results", DATA / "rundir"],
    ["validate", "--results", DATA / "rundir", "--json"]], ids=lambda command: "-".join(str(word).rsplit("/", 1)[-1] for word in command))
def test_a_full_disk_behind_standard_output(command):
    with open("/dev/full", "wb") as full:
        done = subprocess.run([tool.TACHO, *command], stdout=full, stderr=subprocess.PIPE, env=tool.environment())
    assert done.returncode == 4, done.stderr
    assert b"No space left" in done.stderr or b"cannot be written" in done.stderr


def test_a_full_disk_behind_the_names_of_files(tmp_path):
    """The files are there; that their names could not be printed is still said."""
    with open("/dev/full", "wb") as full:
        done = subprocess.run([tool.TACHO, "timeline", SMALL, "--out-dir", tmp_path], stdout=full, stderr=subprocess.PIPE,
                              env=tool.environment())
    assert done.returncode == 4 and (b"No space left" in done.stderr or b"cannot be written" in done.stderr)


@pytest.mark.parametrize("verb", [verb for verb in READING if verb != "kernels"])
def test_an_output_below_a_file(tacho, tmp_path, verb):
    (tmp_path / "out").write_text("x")
    fails(tacho, tmp_path, 4, READING[verb](DUMP), "out")
    assert (tmp_path / "out").read_text() == "x"


def test_kernels_below_a_file(tacho, tmp_path):
    (tmp_path / "out").write_text("x")
    fails(tacho, tmp_path, 4, READING["kernels"](LOG), "out")


@pytest.mark.parametrize("verb", READING)
def test_a_folder_that_cannot_be_written(tacho, tmp_path, verb):
    command = READING[verb](LOG if verb == "kernels" else DUMP)
    folder = tmp_path / "out"
    folder.mkdir()
    folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    fails(tacho, tmp_path, 4, command, "Permission denied", bound=True)
    folder.chmod(stat.S_IRWXU)


@pytest.mark.parametrize("verb", ["timeline", "operators", "convert"])
def test_a_file_that_may_not_grow(tmp_path, verb):
    """A limit on sizes is like a full disk: no half of a file stays, and what was whole before it may."""
    packed = DATA / "operators" / "mobilenet_mac_sme2_on_t1.etdump.gz"
    command = [str(word) for word in READING[verb](packed)]
    done = subprocess.run(["sh", "-c", 'ulimit -f 2; exec "$0" "$@"', tool.TACHO, *command], capture_output=True, cwd=tmp_path,
                          env=tool.environment())
    assert done.returncode == 4 and b"too large" in done.stderr, done.stderr
    for name in left(tmp_path):
        assert not name.endswith((".pb", ".tmp")) and (tmp_path / name).stat().st_size <= 1024
        assert (tmp_path / name).read_bytes().endswith(b"\n")


@pytest.mark.parametrize("verb, option", [("operators", "-o"), ("latency", "-o"), ("summary", "-o"), ("kernels", "-o")])
def test_an_input_is_never_the_output(tacho, tmp_path, verb, option):
    source = KERNELS if verb == "kernels" else TIMELINE
    (tmp_path / "x_timeline.csv").write_bytes(source.read_bytes())
    (tmp_path / "link.csv").symlink_to("x_timeline.csv")
    for name in ("x_timeline.csv", "link.csv"):
        result = tacho(verb, "x_timeline.csv", option, name, cwd=tmp_path)
        assert result.code == 2 and "is an input" in result.err
    assert (tmp_path / "x_timeline.csv").read_bytes() == source.read_bytes()


# ---- usage -------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("verb", ["timeline", "operators", "latency", "kernels", "report", "validate", "pipeline"])
def test_help_fits_the_terminal(good, verb):
    result = good(verb, "--help")
    assert result.text.startswith(f"tacho {verb} ") and not result.err
    assert all(len(line) <= 80 for line in result.text.splitlines())


@pytest.mark.parametrize("command, says", [
    (["timeline", DUMP, DUMP], "wants one ETDump"),
    (["timeline", DUMP, "--etdump", DUMP], "wants one ETDump"),
    (["timeline", DUMP, "--run-dir", "x"], "--run-dir takes every ETDump"),
    (["timeline", DUMP, "--run-index", "-1"], "--run-index wants a number from 0 up"),
    (["timeline", DUMP, "--run-index", "99999999999"], "--run-index wants a number from 0 up"),
    (["timeline", DUMP, "--run-index", "30", "--out-dir", "out"], "there is no run 30"),
    (["timeline", DUMP, "--ticks", "cycles:0"], "ticks are ns, us or cycles:MHZ"),
    (["timeline", DUMP, "--nope"], "has no option --nope"),
    (["operators", DUMP, "-o", "map.xyz"], "the suffix names no table format"),
    (["latency"], "tacho latency"),
    (["validate"], "tacho validate"),
    (["pipeline"], "tacho pipeline"),
])
def test_wrong_usage(tacho, tmp_path, command, says):
    fails(tacho, tmp_path, 2, command, says)


def test_a_record_that_unpacks_to_far_too_much_is_refused(tmp_path):
    dump, record = tmp_path / "net.etdump", tmp_path / "net.etrecord"
    shutil.copy(DUMP, dump)
    with zipfile.ZipFile(record, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("ETRECORD_V0", "")
        with archive.open("edge_dialect_exported_program/forward", "w") as member:
            for _ in range(200):
                member.write(b" " * (1 << 20))
    given = tool.run("operators", dump, "--etrecord", record)
    assert given.code == 3 and "is too large to be read" in given.err
    beside = tool.run("operators", dump)
    assert beside.code == 0 and "the ETRecord beside the file cannot be read" in beside.err
