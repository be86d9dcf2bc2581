"""tacho convert: what goes in comes out, in every format, with the options that the documents show and our own."""
import csv
import gzip
import io
import json
import shutil
import subprocess
from collections import Counter

import pytest

import perfetto_decode
import tool
import torq_reference as reference

GOLDEN = tool.GOLDEN
DUMP = GOLDEN / "executable_targets.mlir"
TRACKS = {"dma_in": "DMA In", "dma_out": "DMA Out", "cdma_dtcm": "CDMA", "cdma_itcm": "CDMA", "css": "CSS", "nss": "NSS Programs",
          "host": "Host", "host_copy": "Host Copy", "hal": "HAL", "runtime": "Runtime", "action": "Runtime"}
INPUTS = ["c1.csv", "c2.csv", "c3.csv", "c4.csv", "r1.csv", "runtime_r1.csv", "runtime_r2.csv", "runtime_r4.csv"]
DRAWN = ("Operators", "Bytes in flight", "Engines busy", "Losses")


def decode(path):
    return perfetto_decode.decode_file(path)


# Titles of the engines whose tracks are drawn on the line of another.
GUESTS = {"call": "Calls", "gap": "Gaps", "portable": "Portable kernels", "delegate": "Delegate"}


def track_told(track, category):
    """The track that a slice is of: that of its line, or the one that its categories tell."""
    engine, _, name = category.partition(",")
    return name or GUESTS.get(engine, track)


def rows_of(trace, process=None):
    """(process, track, start, duration, name) of what came from the inputs: nothing that we drew."""
    rows = []
    for found in trace.slices:
        name, _, track = trace.path(found.track).partition("/")
        if name.endswith(" Overview") or track.startswith(DRAWN) or track.endswith("(estimate)"):
            continue
        if process in (None, name):
            rows.append((name, track_told(track, found.category), found.start, found.duration, found.name, found.args))
    return rows


def track_of(unit):
    return f"Slice {unit.index}" if unit.engine == "slice" else TRACKS[unit.engine]


def expected_rows(profile):
    return Counter((track_of(unit), profile.ns(unit.start), profile.ns(unit.end) - profile.ns(unit.start)) for unit in profile.units)


# ---- document 000 -----------------------------------------------------------------------------------------------------

COMPILE, RUNTIME = "./compile_profile.csv", "./runtime_profile.csv"
DOCUMENT_COMMANDS = [
    ([COMPILE], [RUNTIME]),
    ([COMPILE, COMPILE], []),
    ([], [RUNTIME, RUNTIME]),
    ([COMPILE, COMPILE], [RUNTIME, RUNTIME]),
]


@pytest.fixture
def folder(tmp_path):
    shutil.copy(GOLDEN / "c1.csv", tmp_path / "compile_profile.csv")
    shutil.copy(GOLDEN / "r1.csv", tmp_path / "runtime_profile.csv")
    return tmp_path


@pytest.mark.parametrize("compiles, runtimes", DOCUMENT_COMMANDS)
def test_commands_of_document_000(good, folder, compiles, runtimes):
    """Only the program's name is changed. The same file twice gives two groups, numbered. All begin together."""
    options = (["--compile_profile", *compiles] if compiles else []) + (["--runtime_profile", *runtimes] if runtimes else [])
    result = good("convert", *options, "--pb", "./perfetto_log.pb", cwd=folder)
    trace = decode(folder / "perfetto_log.pb")
    names = [f"{number:02d} {path[2:]}" for number, path in enumerate(compiles + runtimes, 1)]
    assert trace.inputs() == [name + suffix for name in names for suffix in ("", " Overview")]
    for name in names:
        source = GOLDEN / ("c1.csv" if "compile" in name else "r1.csv")
        expected = expected_rows(reference.read(source))
        first = min(start for _, start, _ in expected)
        rows = Counter(row[1:4] for row in rows_of(trace, name))
        assert rows == Counter({(track, start - first, length): count for (track, start, length), count in expected.items()})
    assert "perfetto_log.pb" in result.text and "slices" in result.text


def test_positional_inputs_give_the_same_bytes(good, folder):
    good("convert", "--compile_profile", COMPILE, COMPILE, "--runtime_profile", RUNTIME, "--pb", "a.pb", cwd=folder)
    good("convert", COMPILE, COMPILE, RUNTIME, "-o", "b.pb", cwd=folder)
    good("convert", "--runtime-profile", RUNTIME, "--output=c.pb", "--compile-profile", COMPILE, COMPILE, cwd=folder)
    assert (folder / "a.pb").read_bytes() == (folder / "b.pb").read_bytes() == (folder / "c.pb").read_bytes()


def test_one_input_has_no_number(good, folder):
    good("convert", COMPILE, "-o", "one.pb", cwd=folder)
    assert decode(folder / "one.pb").inputs() == ["compile_profile.csv", "compile_profile.csv Overview"]


def test_the_same_name_in_two_folders(good, tmp_path):
    """The original keeps only the last of them."""
    for name, source in (("a", "c1.csv"), ("b", "c2.csv")):
        (tmp_path / name).mkdir()
        shutil.copy(GOLDEN / source, tmp_path / name / "timeline.csv")
    good("convert", "a/timeline.csv", "b/timeline.csv", "-o", "both.pb", cwd=tmp_path)
    trace = decode(tmp_path / "both.pb")
    assert Counter(row[1:4] for row in rows_of(trace, "01 timeline.csv")) == expected_rows(reference.read(GOLDEN / "c1.csv"))
    assert Counter(row[1:4] for row in rows_of(trace, "02 timeline.csv")) == expected_rows(reference.read(GOLDEN / "c2.csv"))


# ---- what went in is what a viewer shows -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", INPUTS)
def test_slices_are_exactly_those_that_went_in(good, tmp_path, name):
    good("convert", GOLDEN / name, "-o", tmp_path / "out.pb")
    profile = reference.read(GOLDEN / name)
    rows = rows_of(decode(tmp_path / "out.pb"))
    assert Counter(row[1:4] for row in rows) == expected_rows(profile)


@pytest.mark.parametrize("name", ["runtime_r1.csv", "runtime_r2.csv", "runtime_r4.csv"])
def test_engines_of_measured_jobs(good, tmp_path, name):
    good("convert", GOLDEN / name, "--mlir", DUMP, "-o", tmp_path / "out.pb")
    profile = reference.read(GOLDEN / name, reference.Dump(DUMP.read_text()))
    assert Counter(row[1:4] for row in rows_of(decode(tmp_path / "out.pb"))) == expected_rows(profile)


@pytest.mark.parametrize("name", ["c1.csv", "c2.csv", "c3.csv", "c4.csv"])
def test_arguments_of_a_compile_timeline(good, tmp_path, name):
    good("convert", GOLDEN / name, "-o", tmp_path / "out.pb")
    profile = reference.read(GOLDEN / name)
    expected = Counter((track_of(unit), profile.ns(unit.start), unit.args) for unit in profile.units)
    wanted = ("id", "task", "action", "bytes", "location")
    given = Counter((row[1], row[2], tuple(sorted((key, value) for key, value in row[5].items() if key in wanted)))
                    for row in rows_of(decode(tmp_path / "out.pb")))
    assert given == expected


def test_the_example(good, tmp_path):
    """A few thousand slices with lanes, nesting and interleaved scopes."""
    dump = tool.MOBILENET / "mobilenet.executable-targets.mlir"
    good("convert", tool.MOBILENET / "timeline.csv", tool.MOBILENET / "runtime.csv", "--mlir", dump, "-o", tmp_path / "out.pb", "--keep-clocks")
    trace = decode(tmp_path / "out.pb")
    program = reference.Dump(dump.read_text())
    for name, source in (("01 timeline.csv", "timeline.csv"), ("02 runtime.csv", "runtime.csv")):
        profile = reference.read(tool.MOBILENET / source, program)
        assert Counter(row[1:4] for row in rows_of(trace, name)) == expected_rows(profile)


# ---- other formats ----------------------------------------------------------------------------------------------------


def chrome_rows(document):
    """(process, thread, start, duration, name) from a Chrome trace: B and E nest per thread, X stands alone."""
    names, threads, stacks, rows = {}, {}, {}, []
    for event in document["traceEvents"]:
        key = (event["pid"], event.get("tid"))
        if event["ph"] == "M" and event["name"] == "process_name":
            names[event["pid"]] = event["args"]["name"]
        elif event["ph"] == "M" and event["name"] == "thread_name":
            threads[key] = event["args"]["name"]
    timed = sorted((event for event in document["traceEvents"] if event["ph"] in "BEX"), key=lambda event: event["ts"])
    ns = lambda microseconds: round(microseconds * 1000)
    for event in timed:
        key = (event["pid"], event["tid"])
        if event["ph"] == "B":
            stacks.setdefault(key, []).append(event)
        elif event["ph"] == "E":
            begun = stacks[key].pop()
            rows.append((names[key[0]], threads[key], ns(begun["ts"]), ns(event["ts"]) - ns(begun["ts"]), begun["name"]))
        else:
            rows.append((names[key[0]], threads[key], ns(event["ts"]), ns(event["dur"]), event["name"]))
    assert not any(stacks.values())
    return Counter(rows)


def speedscope_rows(document):
    rows = []
    frames = [frame["name"] for frame in document["shared"]["frames"]]
    for profile in document["profiles"]:
        process, _, track = profile["name"].partition(" / ")
        track = track.split(" (")[0] if track.endswith(")") and track.rpartition("(")[2][:-1].isdigit() else track
        stack = []
        last = profile["startValue"]
        for event in profile["events"]:
            assert last <= event["at"] <= profile["endValue"]
            last = event["at"]
            if event["type"] == "O":
                stack.append(event)
                continue
            begun = stack.pop()
            assert begun["frame"] == event["frame"]
            rows.append((process, track, begun["at"], event["at"] - begun["at"], frames[event["frame"]]))
        assert not stack
    return Counter(rows)


@pytest.mark.parametrize("name", INPUTS)
def test_every_format_holds_the_same_slices(good, tmp_path, name):
    for suffix in ("pb", "pftrace", "json", "speedscope.json", "csv"):
        good("convert", GOLDEN / name, "--no-overview", "-o", tmp_path / f"out.{suffix}")
    rows = Counter(row[:5] for row in rows_of(decode(tmp_path / "out.pb")))
    assert (tmp_path / "out.pb").read_bytes() == (tmp_path / "out.pftrace").read_bytes()
    assert chrome_rows(json.loads((tmp_path / "out.json").read_text())) == rows
    assert speedscope_rows(json.loads((tmp_path / "out.speedscope.json").read_text())) == rows
    slices = list(csv.DictReader(io.StringIO((tmp_path / "out.csv").read_text())))
    assert Counter((row["process"], row["track"], int(row["start_ns"]), int(row["duration_ns"]), row["name"]) for row in slices) == rows


def test_chrome_has_the_overview_and_the_arguments(good, tmp_path):
    good("convert", GOLDEN / "c3.csv", "-o", tmp_path / "out.json")
    good("convert", GOLDEN / "c3.csv", "-o", tmp_path / "out.pb")
    document = json.loads((tmp_path / "out.json").read_text())
    trace = decode(tmp_path / "out.pb")
    everything = Counter((trace.path(found.track).split("/")[0], trace.path(found.track).rsplit("/", 1)[1], found.start, found.duration,
                          found.name) for found in trace.slices)
    assert sum(chrome_rows(document).values()) == sum(everything.values())
    assert {row for row in chrome_rows(document) if "Overview" in row[0]} == {row for row in everything if "Overview" in row[0]}
    arguments = [event["args"] for event in document["traceEvents"] if event["ph"] == "B" and event["pid"] == 1 and "args" in event]
    assert {"action": 2, "bytes": 4096, "location": 'loc(callsite("/w/m/net.mlir":4:10 at "/w/m/net.mlir":2:3))'} in arguments


def test_csv_of_slices_keeps_ticks(good):
    rows = list(csv.DictReader(io.StringIO(good("convert", GOLDEN / "c2.csv", "--to", "slices", "-o", "-").text)))
    profile = reference.read(GOLDEN / "c2.csv")
    assert Counter((row["engine"], int(row["index"]), int(row["start_ticks"]), int(row["end_ticks"])) for row in rows) == Counter(
        (unit.engine, unit.index, unit.start, unit.end) for unit in profile.units)
    assert [row["bytes"] for row in rows if row["engine"] == "cdma_dtcm"] == ["1280"]


@pytest.mark.parametrize("form, suffix", [("perfetto", "pb"), ("chrome", "json"), ("speedscope", "speedscope.json"), ("slices", "csv")])
def test_standard_output_and_to(good, tmp_path, form, suffix):
    good("convert", GOLDEN / "c1.csv", "-o", tmp_path / f"out.{suffix}")
    piped = good("convert", GOLDEN / "c1.csv", "--to", form, "-o", "-")
    assert piped.out == (tmp_path / f"out.{suffix}").read_bytes()


# ---- compression, standard input ----------------------------------------------------------------------------------------


def zstd(data, *options):
    return subprocess.run([tool.need("zstd"), "-q", "-c", *options], input=data, stdout=subprocess.PIPE, check=True).stdout


def test_gzip_output(good, tmp_path):
    good("convert", GOLDEN / "c1.csv", "-o", tmp_path / "out.pb")
    for name in ("out.pb.gz", "out.pftrace.gz"):
        good("convert", GOLDEN / "c1.csv", "-o", tmp_path / name)
        assert gzip.decompress((tmp_path / name).read_bytes()) == (tmp_path / "out.pb").read_bytes()
    good("convert", GOLDEN / "c1.csv", "-o", tmp_path / "out.json")
    good("convert", GOLDEN / "c1.csv", "-o", tmp_path / "out.json.gz")
    assert gzip.decompress((tmp_path / "out.json.gz").read_bytes()) == (tmp_path / "out.json").read_bytes()


def test_zstd_output(good, tmp_path):
    good("convert", GOLDEN / "c1.csv", "-o", tmp_path / "out.pb")
    good("convert", GOLDEN / "c1.csv", "-o", tmp_path / "out.pb.zst")
    assert zstd((tmp_path / "out.pb.zst").read_bytes(), "-d") == (tmp_path / "out.pb").read_bytes()


@pytest.mark.parametrize("name", ["c1.csv", "runtime_r4.csv", "executable_targets.mlir"])
def test_compressed_inputs(good, tmp_path, name):
    data = (GOLDEN / name).read_bytes()
    plain = good("summary", GOLDEN / name, "--json", "--model", "m").out
    for suffix, packed in (("gz", gzip.compress(data)), ("zst", zstd(data)), ("bin", gzip.compress(data[:50]) + gzip.compress(data[50:]))):
        (tmp_path / f"{name}.{suffix}").write_bytes(packed)
        assert good("summary", tmp_path / f"{name}.{suffix}", "--json", "--model", "m").out == plain
    (tmp_path / "dump.gz").write_bytes(gzip.compress(DUMP.read_bytes()))
    if name == "runtime_r4.csv":
        assert (good("summary", GOLDEN / name, "--mlir", tmp_path / "dump.gz", "--json").out
                == good("summary", GOLDEN / name, "--mlir", DUMP, "--json").out)


@pytest.mark.parametrize("name", INPUTS)
def test_standard_input(good, tmp_path, name):
    good("convert", "-", "-o", tmp_path / "out.pb", stdin=(GOLDEN / name).read_bytes())
    trace = decode(tmp_path / "out.pb")
    assert trace.inputs() == ["stdin", "stdin Overview"]
    assert Counter(row[1:4] for row in rows_of(trace)) == expected_rows(reference.read(GOLDEN / name))


# ---- options ---------------------------------------------------------------------------------------------------------------


def test_no_args(good, tmp_path):
    good("convert", GOLDEN / "c3.csv", "-o", tmp_path / "with.pb")
    good("convert", GOLDEN / "c3.csv", "-o", tmp_path / "without.pb", "--no-args")
    bare = decode(tmp_path / "without.pb")
    assert not any(found.args for found in bare.slices)
    assert any(found.args for found in decode(tmp_path / "with.pb").slices)
    assert [row[:5] for row in rows_of(bare)] == [row[:5] for row in rows_of(decode(tmp_path / "with.pb"))]
    assert (tmp_path / "without.pb").stat().st_size < (tmp_path / "with.pb").stat().st_size


def test_no_overview(good, tmp_path):
    good("convert", GOLDEN / "c1.csv", "-o", tmp_path / "out.pb", "--no-overview")
    trace = decode(tmp_path / "out.pb")
    assert trace.inputs() == ["c1.csv"]
    assert len(trace.slices) == 6


def operators(trace):
    """Lines of the group Operators: (name with its total, rank): slices."""
    lines = {}
    for found in trace.slices:
        path = trace.path(found.track)
        if "/Operators/" in path:
            lines.setdefault((trace.tracks[found.track].rank, path.split("/Operators/")[1]), []).append(found)
    return lines


def test_operator_totals_are_sorted(good, tmp_path):
    good("convert", GOLDEN / "c3.csv", "-o", tmp_path / "out.pb", "--original-mlir", GOLDEN / "net.mlir")
    lines = sorted(operators(decode(tmp_path / "out.pb")).items())
    assert [name for (_, name), _ in lines] == ["onnx.Softmax@L7 - 10.000µs", "tosa.conv2d@L4 - 2.250µs", "tosa.rescale@L6 - 1.220µs",
                                               "tosa.add@L5 - 250ns"]
    lengths = [slices[0].duration for _, slices in lines]
    assert all(len(slices) == 1 for _, slices in lines) and lengths == sorted(lengths, reverse=True)


@pytest.mark.parametrize("name", ["c1.csv", "c3.csv", "runtime_r2.csv"])
def test_by_operator_repeats_the_slices(good, tmp_path, name):
    good("convert", GOLDEN / name, "-o", tmp_path / "out.pb", "--by-operator", "--original-mlir", GOLDEN / "net.mlir")
    trace = decode(tmp_path / "out.pb")
    repeated = Counter()
    for (_, line), slices in operators(trace).items():
        for found in slices:
            repeated[(line.rsplit(" - ", 1)[0], found.start, found.duration)] += 1
    once = Counter()
    for _, track, start, duration, label, args in rows_of(trace):
        if "location" in args:
            once[(args.get("operator", label), start, duration)] += 1
    assert repeated == once and once


def counters(trace, suffix):
    return [(time, value) for track, time, value in trace.counters if trace.path(track).endswith(suffix)]


def value_at(values, time):
    return next((value for at, value in reversed(values) if at <= time), 0)


def test_counters(good, tmp_path):
    good("convert", GOLDEN / "c3.csv", "-o", tmp_path / "out.pb", "--counters")
    trace = decode(tmp_path / "out.pb")
    profile = reference.read(GOLDEN / "c3.csv")
    flying, busy = counters(trace, "/Bytes in flight"), counters(trace, "/Engines busy")
    times = {profile.ns(unit.start) for unit in profile.units} | {profile.ns(unit.end) for unit in profile.units}
    for time in times:
        active = [unit for unit in profile.units if profile.ns(unit.start) <= time < profile.ns(unit.end)]
        assert value_at(flying, time) == sum(dict(unit.args).get("bytes", 0) for unit in active), time
        assert value_at(busy, time) == len(active), time
    assert value_at(busy, max(times)) == 0 and value_at(flying, max(times)) == 0
    assert {track.unit for track in trace.tracks.values() if track.kind == "counter"} >= {"B"}


def test_number_of_slices(good, tmp_path):
    log = tmp_path / "many.csv"
    log.write_text("".join(f"S{i},{i * 100},{i * 100 + 50},loc(unknown),conv\n" for i in range(7)))
    for given, expected in ((None, {"Slice 0", "Slice 1"}), (3, {"Slice 0", "Slice 1", "Slice 2"}), (1, {"Slice 0"})):
        good("convert", log, "-o", tmp_path / "out.pb", *(["--slices", given] if given else []))
        rows = rows_of(decode(tmp_path / "out.pb"))
        assert {row[1] for row in rows} == expected
        assert all(row[1] == f"Slice {row[5]['id'] % (given or 2)}" for row in rows)


@pytest.mark.parametrize("clock, tick", [("800", (5, 4)), ("400", (5, 2)), ("1000", (1, 1)), ("1202.5", (400, 481)), ("0.5", (2000, 1))])
def test_clock(good, tmp_path, clock, tick):
    good("convert", GOLDEN / "c1.csv", "-o", tmp_path / "out.pb", "--clock-mhz", clock)
    profile = reference.read(GOLDEN / "c1.csv")
    profile.tick = reference.Fraction(*tick)
    assert Counter(row[1:4] for row in rows_of(decode(tmp_path / "out.pb"))) == expected_rows(profile)


def test_the_clock_does_not_touch_microseconds(good, tmp_path):
    good("convert", GOLDEN / "runtime_r2.csv", "-o", tmp_path / "a.pb")
    good("convert", GOLDEN / "runtime_r2.csv", "-o", tmp_path / "b.pb", "--clock-mhz", "123")
    assert (tmp_path / "a.pb").read_bytes() == (tmp_path / "b.pb").read_bytes()


# ---- estimates beside measurements ---------------------------------------------------------------------------------------


def estimates(path, process):
    trace = decode(path)
    return Counter((track[: -len(" (estimate)")], found.start, found.duration) for found in trace.slices
                   for name, _, track in [trace.path(found.track).partition("/")] if name == process and track.endswith(" (estimate)"))


def estimate_of(jobs):
    """What is drawn for `jobs` (measured start, units that belong to it): the job as a whole and its units, 800 MHz."""
    drawn = Counter()
    for start, units in jobs:
        base = min(unit.start for unit in units)
        last = max(unit.end for unit in units)
        ns = lambda ticks: (ticks - base) * 5 // 4
        drawn[("NSS Programs", start, ns(last))] += 1
        for unit in units:
            drawn[(track_of(unit), start + ns(unit.start), ns(unit.end) - ns(unit.start))] += 1
    return drawn


def test_estimate_by_action(good, tmp_path):
    """C3 beside R2: by the action of the wait, no program needed."""
    result = good("convert", GOLDEN / "c3.csv", GOLDEN / "runtime_r2.csv", "-o", tmp_path / "out.pb", "--keep-clocks")
    units = reference.read(GOLDEN / "c3.csv").units
    by_action = lambda action: [unit for unit in units if dict(unit.args)["action"] == action]
    expected = estimate_of([(5000021000, by_action(2)), (5000608000, by_action(6))])
    assert estimates(tmp_path / "out.pb", "02 runtime_r2.csv") == expected
    assert "not drawn" not in result.err


@pytest.mark.parametrize("name, start", [("runtime_r1.csv", 500000), ("runtime_r2.csv", 5000021000), ("runtime_r4.csv", 5000013000)])
def test_estimate_by_task(good, tmp_path, name, start):
    """C4 beside R1, R2 and R3: the program says which job a task belongs to. All tasks of c4.csv are those of job 0."""
    good("convert", GOLDEN / "c4.csv", GOLDEN / name, "--mlir", DUMP, "-o", tmp_path / "out.pb", "--keep-clocks")
    units = reference.read(GOLDEN / "c4.csv").units
    assert estimates(tmp_path / "out.pb", f"02 {name}") == estimate_of([(start, units)])


def test_one_clock_for_estimate_and_timeline(good, tmp_path):
    good("convert", GOLDEN / "c4.csv", GOLDEN / "runtime_r2.csv", "--mlir", DUMP, "-o", tmp_path / "out.pb", "--clock-mhz", "100")
    lengths = Counter(length for (track, _, length), count in estimates(tmp_path / "out.pb", "02 runtime_r2.csv").items()
                      if track != "NSS Programs" for _ in range(count))
    assert lengths == Counter(row[3] for row in rows_of(decode(tmp_path / "out.pb"), "01 c4.csv"))


def test_estimate_from_the_program_alone(good, tmp_path):
    good("convert", GOLDEN / "runtime_r2.csv", "--mlir", DUMP, "-o", tmp_path / "out.pb")
    found = estimates(tmp_path / "out.pb", "runtime_r2.csv")
    assert found[("CSS", 5000608000 + 25, 10000)] == 1 and found[("NSS Programs", 5000608000, 10665)] == 1


@pytest.mark.parametrize("compiles, log, note", [
    (["c1.csv"], "runtime_r2.csv", "names neither actions nor tasks"),
    (["c2.csv"], "r1.csv", "names neither actions nor tasks"),
    (["c4.csv"], "runtime_r2.csv", "give --mlir"),
    (["c4.csv"], "runtime_r4.csv", "give --mlir"),
    (["c3.csv"], "runtime_r1.csv", "no measured job has a key"),
    (["c3.csv"], "runtime_r4.csv", "no measured job has a key"),
    (["c3.csv", "c4.csv"], "runtime_r2.csv", "several compile timelines"),
])
def test_a_note_where_no_key_ties_them(good, tmp_path, compiles, log, note):
    result = good("convert", *[GOLDEN / name for name in compiles], GOLDEN / log, "-o", tmp_path / "out.pb")
    assert not estimates(tmp_path / "out.pb", f"{len(compiles) + 1:02d} {log}")
    assert [line for line in result.err.splitlines() if note in line and log in line], result.err


# ---- order and arrows -----------------------------------------------------------------------------------------------------

ORDER = ["Runtime", "HAL", "Host", "Host Copy", "NSS Programs", "NSS Programs (estimate)", "DMA In", "DMA In (estimate)", "DMA Out",
         "DMA Out (estimate)", "CDMA", "CDMA (estimate)", "Slice 0", "Slice 0 (estimate)", "Slice 1", "Slice 1 (estimate)", "CSS",
         "CSS (estimate)", "Operators", "Engines busy"]


def test_order_of_tracks(good, tmp_path):
    good("convert", GOLDEN / "runtime_r4.csv", "--mlir", DUMP, "-o", tmp_path / "out.pb", "--counters")
    trace = decode(tmp_path / "out.pb")
    assert trace.children("runtime_r4.csv") == ORDER


def test_overview_lines(good, tmp_path):
    """As the originals draw them: 16 lines for every input, in the order of their numbers."""
    good("convert", GOLDEN / "c1.csv", GOLDEN / "runtime_r4.csv", "-o", tmp_path / "out.pb", "--as-original")
    trace = decode(tmp_path / "out.pb")
    for process in ("01 c1.csv Overview", "02 runtime_r4.csv Overview"):
        lines = [track for track in trace.tracks.values() if trace.path(track.uuid).startswith(process + "/")]
        lines.sort(key=lambda track: track.rank)
        assert [track.name[:2] for track in lines] == [f"{number:02d}" for number in range(16)]
        labels = {trace.tracks[found.track].name: found.name for found in trace.slices}
        assert labels["15 OVERALL"].startswith("OVERALL: ") and "DMA+CDMA union: " in labels["00 OVERVIEW DMA COMBINED"]
    assert {found.category for found in trace.slices if "Overview" in trace.path(found.track)} == {"overview"}


@pytest.mark.parametrize("name", ["runtime_r2.csv", "runtime_r4.csv"])
def test_an_arrow_from_start_to_wait(good, tmp_path, name):
    """By way of the job, where that is drawn."""
    good("convert", GOLDEN / name, "-o", tmp_path / "out.pb")
    trace = decode(tmp_path / "out.pb")
    flows = {}
    for found in sorted(trace.slices, key=lambda found: found.start):
        for flow in found.flows:
            flows.setdefault(flow, []).append((trace.path(found.track).split("/")[1], found.name, found.args.get("action")))
    ends = [[step[1:] for step in steps if step[0] == "Runtime"] for steps in flows.values()]
    assert sorted(ends) == [[("NSS_START", 1), ("NSS_WAIT", 2)], [("NSS_START", 5), ("NSS_WAIT", 6)]]
    assert {step[0] for steps in flows.values() for step in steps} <= {"Runtime", "NSS Programs"}


def test_overlapping_slices_are_all_there(good, tmp_path):
    """Partly overlapping ones take lanes of the same name; contained ones nest; a row that comes late is kept and said."""
    log = tmp_path / "overlap.csv"
    log.write_text("DI0,0,400,loc(unknown),DMA_IN\nDI1,200,600,loc(unknown),DMA_IN\nDI2,240,280,loc(unknown),DMA_IN\n"
                   "DI3,600,640,loc(unknown),DMA_IN\nDI4,0,400,loc(unknown),DMA_IN\nDI5,640,640,loc(unknown),DMA_IN\n")
    good("convert", log, "-o", tmp_path / "out.pb")
    rows = rows_of(decode(tmp_path / "out.pb"))
    assert sorted((row[5]["id"], row[2], row[3]) for row in rows) == [(0, 0, 500), (1, 250, 500), (2, 300, 50), (3, 750, 50), (4, 0, 500),
                                                                    (5, 800, 0)]
    assert {row[1] for row in rows} == {"DMA In"}
    assert [found.name for found in decode(tmp_path / "out.pb").slices if found.instant] == ["1 row: time running backwards (kept)"]


def test_a_dump_alone(good, tmp_path):
    """The estimated timeline per task, slice, DMA, CDMA and CSS."""
    good("convert", DUMP, "-o", tmp_path / "out.pb")
    rows = rows_of(decode(tmp_path / "out.pb"))
    dump = reference.Dump(DUMP.read_text())
    engines = Counter(row[1:4] for row in rows if row[1] not in ("NSS Programs", "NSS Tasks") and row[4] != "WAITING")
    assert engines == Counter((track_of(unit), unit.start * 5 // 4, unit.end * 5 // 4 - unit.start * 5 // 4) for unit in dump.units)
    tasks = {row[5]["task"]: row[2:4] for row in rows if row[1] == "NSS Tasks"}
    assert tasks == {task.id: (task.start * 5 // 4, task.end * 5 // 4 - task.start * 5 // 4) for job in dump.jobs for task in job.tasks}
    assert [(row[4], row[5]["job"]) for row in rows if row[1] == "NSS Programs"] == [("nss_program_0", 0), ("nss_program_1", 1)]
