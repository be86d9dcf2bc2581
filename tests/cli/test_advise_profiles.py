"""tacho advise on profiles that are no reports of operations: inferences of ExecuTorch with their record, engines of Torq."""
import csv
import gzip
import io
import json
import re
import shutil

import pytest

import tool

RECORD = tool.DATA / "etrecord"
GOLDEN = tool.DATA / "torq-golden"
PROGRAM = GOLDEN / "executable_targets.mlir"
PROFILES = [
    [RECORD / "mobilenet.etdump.gz"],
    [RECORD / "broken_graph.etdump.gz"],
    [RECORD / "mobilenet_portable.etdump.gz"],
    [tool.DATA / "operators" / "broken_graph_mac_sme2_on_t1_exec_all_runs_timeline.csv.gz"],
    [GOLDEN / "c1.csv"],
    [GOLDEN / "c2.csv"],
    [GOLDEN / "c3.csv"],
    [PROGRAM],
    [GOLDEN / "runtime_r1.csv"],
    [GOLDEN / "runtime_r2.csv", "--mlir", PROGRAM],
    [GOLDEN / "runtime_r4.csv", "--mlir", PROGRAM],
    [tool.DATA / "torq-annotated" / "annotated_A4.csv"],
]
NAMES = [str(profile[0].name) for profile in PROFILES]


def rank(good, *words):
    return json.loads(good("advise", "-q", *words, "--rank", "--json").text)


def document(good, *words):
    return json.loads(good("advise", "-q", *words, "--json").text)["sections"]


def items(good, tmp_path, *words):
    good("advise", "-q", *words, "--csv", tmp_path / "items.csv")
    return list(csv.DictReader(io.StringIO((tmp_path / "items.csv").read_text())))


def machine(tmp_path, **rates):
    path = tmp_path / "machine.json"
    path.write_text(json.dumps({"name": "mine", **rates}))
    return path


# ---- every profile -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("profile", PROFILES, ids=NAMES)
def test_the_text_fits_a_terminal_and_names_what_adds_up(good, profile):
    text = good("advise", "-q", *profile).text
    assert max(len(line) for line in text.splitlines()) <= 80
    for heading in ("What to do first", "Operations", "What adds up to the whole", "note: "):
        assert heading in text
    assert "What to do first" not in good("advise", "-q", *profile, "--no-advice").text


@pytest.mark.parametrize("profile", PROFILES, ids=NAMES)
def test_the_rank_goes_by_savings_that_are_bounds(good, profile):
    ranked = rank(good, *profile)
    saves = [row["could_save"] for row in ranked["rows"]]
    assert saves == sorted(saves, reverse=True)
    whole = document(good, *profile)["overview"]["whole_ns"]
    for row in ranked["rows"]:
        assert 0 <= row["could_save"] <= whole + 1 and row["bound"] and row["evidence"] and row["advice"]
        assert row["share"] == pytest.approx(row["could_save"] / whole * 100, abs=0.5)


@pytest.mark.parametrize("profile", PROFILES, ids=NAMES)
def test_the_parts_add_up(good, profile):
    rows = document(good, *profile)["time"]["parts"]
    assert rows[-1]["part"].startswith("= ")
    assert sum(row["time"] for row in rows[:-1]) == pytest.approx(rows[-1]["time"], abs=len(rows))
    assert sum(row["share"] for row in rows[:-1]) == pytest.approx(100, abs=1e-6)


@pytest.mark.parametrize("profile", PROFILES, ids=NAMES)
def test_every_output_can_be_written(good, tmp_path, profile):
    rows = items(good, tmp_path, *profile)
    assert rows and all(float(row["time"]) >= 0 for row in rows)
    for suffix in ("html", "md", "json"):
        good("advise", "-q", *profile, "-o", tmp_path / f"page.{suffix}")
    page = (tmp_path / "page.html").read_text()
    assert "<script" not in page and "http" not in page.replace("http://www.w3.org", "")
    circles = sum(1 for row in rows if row["gb_s"] and (row.get("gflops") or "gflops" not in row))
    assert page.count("<circle") == circles and page.count("<svg") == (circles > 0)
    assert "## Operations" in (tmp_path / "page.md").read_text()
    assert len(json.loads((tmp_path / "page.json").read_text())["sections"]["ops"]["operations"]) == len(rows)


# ---- ExecuTorch ----------------------------------------------------------------------------------------------------------------


def test_operators_add_up_and_agree_with_tacho_operators(good, tmp_path):
    rows = items(good, tmp_path, RECORD / "mobilenet.etdump.gz")
    good("operators", "-q", RECORD / "mobilenet.etdump.gz", "-o", tmp_path / "operators.csv")
    known = list(csv.DictReader((tmp_path / "operators.csv").open()))
    assert len(rows) == len(known)
    assert sum(int(row["time"]) for row in rows) == pytest.approx(sum(float(row["self_ms"]) for row in known) * 1e6, abs=len(rows))
    rates = {row["event"]: row for row in known}
    for row in rows:
        other = rates[row["operation"]]
        if other["macs"]:
            assert int(row["flops"]) == 2 * int(other["macs"])
        if row["gflops"]:
            assert float(row["gflops"]) == pytest.approx(float(other["gflops"]), rel=1e-9)


def test_a_roof_that_was_observed_is_reached_by_somebody_and_said_so(good, tmp_path):
    rows = items(good, tmp_path, RECORD / "mobilenet.etdump.gz")
    for column in ("memory_percent", "compute_percent"):
        assert max(float(row[column]) for row in rows if row[column]) == pytest.approx(100)
    assert all(0 <= float(row["roof_percent"]) <= 100 + 1e-9 for row in rows if row["roof_percent"])
    sections = document(good, RECORD / "mobilenet.etdump.gz")
    roofs = sections["rooflines"]["roofs"]
    assert {roof["of"] for roof in roofs} == {"memory", "fp32"} and all(roof["observed"] for roof in roofs)
    assert any("best rates of this profile" in note for note in sections["limits"]["items"])


def test_given_peaks_are_the_roof(good, tmp_path):
    told = machine(tmp_path, gb_s=1000, gflops={"fp32": 1000})
    rows = items(good, tmp_path, RECORD / "mobilenet.etdump.gz", "--arch", told)
    for row in rows:
        if row["gflops"]:
            assert float(row["compute_percent"]) == pytest.approx(float(row["gflops"]) / 10)
        if row["gb_s"]:
            assert float(row["memory_percent"]) == pytest.approx(float(row["gb_s"]) / 10)
            ideal = max(int(row["bytes"]) / 1000, int(row["flops"] or 0) / 1000)
            assert int(row["could_save"]) == pytest.approx(max(0, int(row["time"]) - ideal), abs=2)
    text = good("advise", "-q", RECORD / "mobilenet.etdump.gz", "--arch", told).text
    assert "if each ran at 1000 GFLOP/s (fp32) and 1000 GB/s\n" in text and "machine.json" in text
    low = good("advise", "-q", RECORD / "mobilenet.etdump.gz", "--arch", machine(tmp_path, gb_s=1, gflops=10)).text
    assert "are too low" in low


def test_one_peak_alone_leaves_the_other_observed(good, tmp_path):
    told = machine(tmp_path, gflops=1000)
    roofs = document(good, RECORD / "mobilenet.etdump.gz", "--arch", told)["rooflines"]["roofs"]
    assert {roof["of"]: roof["observed"] for roof in roofs} == {"memory": True, "fp32": False}


def test_portable_operators_are_advised_to_be_delegated(good):
    ranked = rank(good, RECORD / "broken_graph.etdump.gz")
    assert ranked["rows"][0]["advice"] == "Replace cumsum, or give it a faster kernel"
    assert rank(good, RECORD / "mobilenet_portable.etdump.gz")["rows"][0]["advice"] == "Export with the XNNPACK partitioner"


def test_without_a_record_it_says_what_is_missing(good, tmp_path):
    shutil.copy(RECORD / "broken_graph.etdump.gz", tmp_path / "alone.etdump.gz")
    text = " ".join(good("advise", "-q", tmp_path / "alone.etdump.gz").text.split())
    assert "Without the ETRecord of the export neither bytes nor operations of the 11 operators are known" in text
    assert "Get " in text or "Replace " in text
    assert "Roofs" not in text
    given = good("advise", "-q", tmp_path / "alone.etdump.gz", "--etrecord", RECORD / "broken_graph.etrecord").text
    assert "Roofs" in given


def test_the_record_of_another_model_is_told(good):
    text = " ".join(good("advise", "-q", RECORD / "broken_graph.etdump.gz", "--etrecord", RECORD / "mobilenet_portable.etrecord",
                         "--force-companion").text.split())
    assert "could be tied to" in text or "have no shape in the record" in text


def test_launches_are_merged(good):
    dump = tool.DATA / "operators" / "broken_graph_mac_sme2_on_t1.etdump"
    one, two = good("advise", "-q", dump).text, good("advise", "-q", dump, dump).text
    assert "28 inferences in 1 launch;" in one and "56 inferences in 2 launches;" in two
    assert one.splitlines()[4:] == two.splitlines()[4:]


def test_a_runner_log_has_no_operators(tacho):
    logs = sorted((tool.DATA / "et-runner-log").glob("*.log"))
    result = tacho("advise", logs[0])
    assert result.code == 3 and str(logs[0]) in result.err


# ---- Torq ----------------------------------------------------------------------------------------------------------------------


def test_transfers_have_rates_and_others_only_times(good, tmp_path):
    rows = {(row["engine"], row["operation"]): row for row in items(good, tmp_path, PROGRAM)}
    fast = rows["DMA In", "net.mlir:4:10"]
    assert (int(fast["bytes"]), int(fast["time"]), float(fast["gb_s"])) == (256, 320, 0.8)
    assert float(rows["DMA In", "net.mlir:5:10"]["roof_percent"]) == pytest.approx(50)
    assert not rows["CSS", "net.mlir:6:10"]["gb_s"] and "gflops" not in fast


def test_what_is_not_hidden_is_what_summary_calls_dma_only(good):
    row, = [row for row in rank(good, PROGRAM)["rows"] if row["operation"] == "transfers"]
    metrics = json.loads(good("summary", PROGRAM, "--json").text)
    assert str(row["could_save"]) in json.dumps(metrics) and row["could_save"] == 985


def test_small_transfers_are_advised_to_be_larger(good, tmp_path):
    path = tmp_path / "small.csv"
    rows, now = ["taskId, elapsed_time(us), timestamp(us), event, location, bytes"], 0
    for i in range(40):
        size, time = (65536, 8192) if i % 10 == 0 else (256, 400)
        rows.append(f"{i},{time},{now},DMA In,loc(\"net.mlir\":{i + 1}:1),{size}")
        now += time
    rows.append(f"40,100000,{now},Slice 0,loc(\"net.mlir\":50:1),")
    path.write_text("\n".join(rows) + "\n")
    row, = [row for row in rank(good, path)["rows"] if row["operation"] == "DMA In"]
    assert row["advice"] == "Make the transfers of DMA In larger: 36 of 40 are below 512 B"
    assert "Those below 512 B reach 0.51 GB/s, those of 64.00 KiB to 128.00 KiB 6.40" in row["evidence"]
    assert row["could_save"] == pytest.approx(36 * (500 - 40), abs=2)
    given = [row for row in rank(good, path, "--arch", machine(tmp_path, gb_s={"dma_in": 12.8}))["rows"] if row["operation"] == "DMA In"]
    assert given[0]["could_save"] == pytest.approx(4 * (10240 - 5120) + 36 * (500 - 20), abs=2)


def test_hidden_transfers_save_nothing(good, tmp_path):
    path = tmp_path / "hidden.csv"
    path.write_text("taskId, elapsed_time(us), timestamp(us), event, location, bytes\n"
                    "0,800,0,DMA In,loc(unknown),65536\n1,800,800,DMA In,loc(unknown),64\n2,1600,0,Slice 0,loc(unknown),\n")
    assert not [row for row in rank(good, path)["rows"] if row["operation"] in ("DMA In", "transfers")]


def test_measured_jobs_need_their_program(good):
    text = " ".join(good("advise", "-q", GOLDEN / "runtime_r4.csv").text.split())
    assert "Without the program (--mlir FILE)" in text
    row = rank(good, GOLDEN / "runtime_r4.csv", "--mlir", PROGRAM)["rows"][0]
    assert row["advice"] == "Find out why jobs take longer than the compiler estimated" and row["could_save"] == 706000 - 12425


def test_jobs_of_dispatches_that_number_their_actions_alike(good, tmp_path):
    """The log names the dispatch: which job ran is known, though both dispatches call it action 1 and 2."""
    dump, log = ((tool.DATA / "annotate" / name).read_text() for name in ("two_dispatches.mlir", "two_dispatches_r3.csv"))
    first, second = dump.split("hal.executable private @main_dispatch_1")
    second = re.sub(r'"torq-action-id" = ([01])', lambda match: f'"torq-action-id" = {int(match[1]) + 1}', second)
    (tmp_path / "net.mlir").write_text(f"{first}hal.executable private @main_dispatch_1{second}")
    (tmp_path / "log.csv").write_text(re.sub(r"(_1_add,\d+),([01]),", lambda match: f"{match[1]},{int(match[2]) + 1},", log))
    row, = [row for row in rank(good, tmp_path / "log.csv", "--mlir", tmp_path / "net.mlir")["rows"] if "estimated" in row["advice"]]
    assert row["count"] == 2 and row["time"] == 148000 and row["could_save"] == 145750


# ---- what does not go together -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words,told", [
    ([RECORD / "mobilenet.etdump.gz", "--id-range", "2-5"], "--id-range is about reports of operations"),
    ([RECORD / "mobilenet.etdump.gz", "--as-original"], "--as-original is about reports of operations"),
    ([RECORD / "mobilenet.etdump.gz", "--mlir", PROGRAM], "--mlir is about engines of an accelerator"),
    ([GOLDEN / "c2.csv", "--etrecord", RECORD / "mobilenet.etrecord"], "--etrecord is about inferences"),
    ([GOLDEN / "c2.csv", "--group-by", "op"], "--group-by is about reports of operations"),
    ([GOLDEN / "c2.csv", GOLDEN / "c3.csv"], "one profile at a time"),
    ([GOLDEN / "c2.csv", "--arch", "wormhole"], "the built-in architectures are Tenstorrent's"),
    ([RECORD / "mobilenet.etdump.gz", "--arch", "blackhole"], "the built-in architectures are Tenstorrent's"),
    ([GOLDEN / "c2.csv", "-o", "x.pdf"], "x.pdf"),
    ([GOLDEN / "c2.csv", "--format", "nothing"], "no format is called"),
    ([], "give at least one"),
])
def test_wrong_usage_is_told(tacho, words, told):
    result = tacho("advise", *words)
    assert result.code == 2 and told in result.err and not result.out


def test_an_output_is_not_an_input(tacho, tmp_path):
    path = tmp_path / "c2.csv"
    shutil.copy(GOLDEN / "c2.csv", path)
    result = tacho("advise", path, "--csv", path)
    assert result.code == 2 and "is an input too" in result.err and path.read_bytes() == (GOLDEN / "c2.csv").read_bytes()


@pytest.mark.parametrize("name", ["xnn-kernels", "etrecord"])
def test_other_files_are_refused_by_name(tacho, name):
    path = {"xnn-kernels": next((tool.DATA / "xnn-kernels").glob("*.csv*")),
            "etrecord": RECORD / "mobilenet.etrecord"}[name]
    result = tacho("advise", path)
    assert result.code == 3 and "advice needs a report of operations or a device log, an ETDump or timeline, or a profile of Torq" in result.err


@pytest.mark.parametrize("text", ['{"name": "x", "gb_s": "fast"}', '{"name": "x", "gflops": {"fp32": -1}}', '{"name": "x", "gflops": {}}',
                                  '{"name": "x", "gb_s": {"a name that is too long": 3}}', '{"name": "x", "gflops": [1]}', "{"])
def test_machines_that_cannot_be_read(tacho, tmp_path, text):
    path = tmp_path / "m.json"
    path.write_text(text)
    result = tacho("advise", RECORD / "mobilenet.etdump.gz", "--arch", path)
    assert result.code == 3 and "m.json" in result.err


def test_damaged_files(tacho, tmp_path):
    whole = gzip.decompress((RECORD / "mobilenet.etdump.gz").read_bytes())
    for name, data in (("empty.etdump", b""), ("cut.etdump", whole[:len(whole) // 2]), ("none.csv", b"\0\1\2")):
        (tmp_path / name).write_bytes(data)
        result = tacho("advise", tmp_path / name)
        assert result.code == 3 and name in result.err


def test_standard_input_with_a_format(good, tacho):
    data = (GOLDEN / "c2.csv").read_bytes()
    assert "What to do first" in good("advise", "-q", "--format", "torq-compile", "-", stdin=data).text
    result = tacho("advise", "-", stdin=data)
    assert result.code == 2 and "say --format torq-compile" in result.err


def test_nothing_of_a_hostile_name_reaches_the_terminal(good, tmp_path):
    path = tmp_path / "x\x1b[2J.csv"
    path.write_text("taskId, elapsed_time(us), timestamp(us), event, location, bytes\n0,512,0,DMA In,loc(\"a\u009b2J.mlir\":4:10),4096\n")
    text = good("advise", "-q", path).text
    assert "\x1b" not in text and "\u009b" not in text
