"""tacho advise on inferences of ExecuTorch with their record, and what does not go together."""
import csv
import gzip
import io
import json
import re
import shlex
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
]
NAMES = [str(profile[0].name) for profile in PROFILES]


def rank(good, *words):
    return json.loads(good("advise", "-q", *words, "--rank", "--json").text)


def answer(good, *words):
    return json.loads(good("advise", "-q", *words, "--json").text)


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
    for heading in ("What to do first", "Operations", "What adds up to a run"):
        assert heading in text
    assert "What to do first" not in good("advise", "-q", *profile, "--no-advice").text


@pytest.mark.parametrize("profile", PROFILES, ids=NAMES)
def test_the_rank_goes_by_savings_that_are_bounds(good, profile):
    told = answer(good, *profile)
    ranked = [item for item in told["items"] + told["smaller"] if item["rule"] != "dominant"]
    saves = [item["saves_ns"] for item in ranked]
    assert saves == sorted(saves, reverse=True) and sum(saves) <= told["run_ns"] + len(saves)
    assert told["healthy"] == (not saves or saves[0] < told["run_ns"] / 10)
    for item in ranked:
        assert item["saves_ns"] > 0 and item["title"] and item["evidence"] and item["if"] and item["where"]
        assert item["share_percent"] == pytest.approx(item["saves_ns"] / told["run_ns"] * 100, abs=0.01)


@pytest.mark.parametrize("profile", PROFILES, ids=NAMES)
def test_the_parts_add_up(good, profile):
    told = answer(good, *profile)
    assert sum(part["time_ns"] for part in told["parts"]) == pytest.approx(told["run_ns"], abs=len(told["parts"]))


@pytest.mark.parametrize("profile", PROFILES, ids=NAMES)
def test_every_output_can_be_written(good, tmp_path, profile):
    rows = items(good, tmp_path, *profile)
    assert rows and all(float(row["time"]) >= 0 for row in rows)
    for suffix in ("html", "md", "json"):
        good("advise", "-q", *profile, "-o", tmp_path / f"page.{suffix}")
    page = (tmp_path / "page.html").read_text()
    assert "<script" not in page and "http" not in page.replace("http://www.w3.org", "").replace("<meta http-equiv=", "")
    circles = sum(1 for row in rows if row["gb_s"] and (row.get("gflops") or "gflops" not in row))
    assert page.count("<circle") == circles and page.count("<svg") - page.count('<svg class="bar"') == (circles > 0)
    assert "## Operations" in (tmp_path / "page.md").read_text()
    assert len(json.loads((tmp_path / "page.json").read_text())["operations"]) == len(rows)


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
    told = answer(good, RECORD / "mobilenet.etdump.gz")
    assert {roof["of"] for roof in told["roofs"]} == {"memory", "fp32"} and all(roof["observed"] for roof in told["roofs"])
    assert any("at least what work reached here" in note for note in told["notes"])


def test_given_peaks_are_the_roof(good, tmp_path):
    told = machine(tmp_path, gb_s=1000, gflops={"fp32": 1000})
    rows = items(good, tmp_path, RECORD / "mobilenet.etdump.gz", "--arch", told)
    for row in rows:
        reach = 0.5 if "DWConv" in row["operation"] or row["place"].endswith(", head") else 1  # of a product's rate
        if row["gflops"]:
            assert float(row["compute_percent"]) == pytest.approx(float(row["gflops"]) / 10 / reach)
        if row["gb_s"] and row["memory_percent"]:
            assert float(row["memory_percent"]) == pytest.approx(float(row["gb_s"]) / 10)
            ideal = max(int(row["bytes"]) / 1000, int(row["flops"] or 0) / 1000 / reach)
            assert int(row["could_save"]) == pytest.approx(max(0, int(row["time"]) - ideal), abs=2)
    text = " ".join(good("advise", "-q", RECORD / "mobilenet.etdump.gz", "--arch", told.name, cwd=tmp_path).text.split())
    assert re.search(r"GB/s, where 1000 GFLOP/s or 1000 GB/s are possible by machine.json", text)
    low = " ".join(good("advise", "-q", RECORD / "mobilenet.etdump.gz", "--arch", machine(tmp_path, gb_s=1, gflops=10)).text.split())
    assert "are too low" in low


def test_one_peak_alone_leaves_the_other_observed(good, tmp_path):
    told = machine(tmp_path, gflops=1000)
    roofs = answer(good, RECORD / "mobilenet.etdump.gz", "--arch", told)["roofs"]
    assert {roof["of"]: roof["observed"] for roof in roofs} == {"memory": True, "fp32": False}


def test_portable_operators_are_advised_to_be_delegated(good):
    first = answer(good, RECORD / "broken_graph.etdump.gz")["items"][0]
    assert first["title"] == "Replace cumsum, or give it a faster kernel" and first["where"][0]["location"] == "models.py:56"
    first = answer(good, RECORD / "mobilenet_portable.etdump.gz")["items"][0]
    assert first["title"] == "Export with the XNNPACK partitioner: nothing is delegated" and first["rule"] == "portable"


@pytest.mark.parametrize("backend, said, unsaid", [
    ("XnnpackBackend", ["has a rule for _to_dim_order_copy (8.753µs): find out at export what kept it out"], ["The model is delegated to", "Nothing of the model"]),
    ("delegated", ["has a rule for _to_dim_order_copy (8.753µs): find out at export what kept it out"], ["The model is delegated to"]),
    ("VulkanBackend", ["The model is delegated to VulkanBackend, which did not take it. XNNPACK's partitioner has no rule for cumsum",
                       "VulkanBackend, which did not take them. XNNPACK's partitioner has a rule for _to_dim_order_copy (8.753µs): at export it may come behind that of VulkanBackend"],
     ["what kept"]),
    (None, ["has a rule for _to_dim_order_copy (8.753µs): export with it, or where that was done find out what kept it out"], ["The model is delegated to", "Nothing of the model"])],
    ids=["xnnpack", "by its names", "another", "not told"])
def test_what_is_said_of_portable_kernels_is_true_of_the_backend(good, tmp_path, backend, said, unsaid):
    """With the delegates' operators as they are, of another backend, of one that only its names tell, and without any: delegates that log nothing."""
    lines = (tool.DATA / "et-timeline" / "broken_graph_run0_timeline.csv").read_text().splitlines(keepends=True)
    kept = [line.replace(",XnnpackBackend,", f",{backend},") for line in lines if backend or ",XnnpackBackend," not in line]
    if backend == "VulkanBackend":  # which calls operators otherwise
        kept = [re.sub(r" \((NC|ND|NHWC)[^)]*\)", "", line) for line in kept]
    (tmp_path / "x_timeline.csv").write_text("".join(kept))
    text = " ".join(good("advise", "-q", tmp_path / "x_timeline.csv").text.split())
    assert all(sentence in text for sentence in said) and not any(sentence in text for sentence in unsaid), text


def test_where_nothing_is_delegated_that_is_said(good, tmp_path):
    lines = (tool.DATA / "et-timeline" / "broken_graph_run0_timeline.csv").read_text().splitlines(keepends=True)
    (tmp_path / "x_timeline.csv").write_text("".join(line for line in lines if "XnnpackBackend" not in line and "DELEGATE_CALL" not in line))
    text = " ".join(good("advise", "-q", tmp_path / "x_timeline.csv").text.split())
    assert "Export with the XNNPACK partitioner: nothing is delegated" in text and "what kept" not in text
    assert "Nothing of the model is delegated. XNNPACK's partitioner has no rule for cumsum" in text


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
    assert "mean of 28 of 30 runs" in one and "mean of 56 of 60 runs" in two and "2 launches." in two
    assert one[one.index("What to do first"):].replace("28 of 30", "56 of 60") == two[two.index("What to do first"):]


def test_a_runner_log_has_no_operators(good):
    """Then there is nothing to advise but to look inside, and nothing is called healthy."""
    for log in [*sorted((tool.DATA / "et-runner-log").glob("*.log")), tool.DATA / "xnntrace" / "broken_graph_on.log"]:
        advice = json.loads(good("advise", log, "--json").text)
        assert advice["items"] == [] and advice["healthy"] is False and advice["run_ns"] > 0, log
        text = " ".join(good("advise", log).text.split())
        assert "nothing of what ran in them" in text, text
        good("report", log)


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
    ([GOLDEN / "c2.csv", "--format", "nothing"], "no format to read is called"),
    ([], "tacho advise wants a profile"),
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
    assert result.code == 3 and "no times" in result.err and str(path) in result.err


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


@pytest.mark.parametrize("path", [tool.MOBILENET / "runtime.csv", RECORD / "mobilenet.etdump.gz", tool.ROOT / "examples/encoder_wormhole/ops_perf_results.csv",
                                  tool.ROOT / "examples/encoder_wormhole/profile_log_device.csv.gz", tool.DATA / "gpu/kineto_rich_train.json.gz",
                                  tool.DATA / "tacho-recording/plain.tacho.gz"], ids=lambda path: path.name)
def test_commands_can_be_copied_whatever_a_file_is_called(good, tacho, tmp_path, path):
    """A blank, a quote and a dollar sign are part of the name, for a shell too."""
    folder = tmp_path / "it's $HOME now"
    folder.mkdir()
    shutil.copy(path, folder)
    advised = answer(good, folder / path.name)
    commands = {item["command"].split(" (")[0] for item in [*advised["items"], advised["dominates"]] if item}
    assert commands
    for command in commands:
        words = shlex.split(command)
        assert words[0] == "tacho" and str(folder / path.name) in words, command
