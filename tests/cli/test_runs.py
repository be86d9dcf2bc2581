"""Runs: which there are, which count, and that every number is of those: an independent, slow computation gives the same."""
import functools
import json
import statistics

import pytest

import etdump_reference
import tool
from test_accounting import TIMED, executorch_ids, is_dump, unpacked

MOBILENET = tool.MOBILENET
PROGRAM = MOBILENET / "mobilenet.executable-targets.mlir"


def summary(path, *options):
    return json.loads(tool.good("summary", path, "--json", "-q", *options).text)


def executes(path):
    return [event.duration for event in etdump_reference.read(unpacked(path))[1] if event.kind == "execute"]


@pytest.fixture(scope="module")
def example():
    """Dispatches of the example's log and the calls that start them: name, start and end in microseconds, in the order of their begin."""
    dispatches, opens = [], {}
    for line in (MOBILENET / "runtime.csv").read_text().splitlines()[1:]:
        name, invocation, _, time, event = line.split(",")
        starts = name == "__HAL_QUEUE_EXECUTE__" and event.startswith("HAL_CALL_")
        if event == "DISPATCH_BEGIN" or (starts and event == "HAL_CALL_BEGIN"):
            opens[name, invocation] = [name, int(time), None]
            dispatches.append(opens[name, invocation])
        elif event == "DISPATCH_END" or starts:
            opens[name, invocation][2] = int(time)
    return dispatches


@pytest.mark.parametrize("path", [path for path in TIMED if is_dump(path)], ids=executorch_ids)
def test_the_runs_of_a_dump_are_its_inferences(path):
    times, ours = executes(path), summary(path)
    runs = ours["runs"]
    assert runs["total"] == len(times) and runs["counted"] == len(times) - runs["warmup"]
    counted = times[runs["warmup"]:]
    assert ours["total_duration"] == sum(counted) // len(counted)
    assert ours["inference_time"] == ours["total_duration"]


@pytest.mark.parametrize("warmup", [0, 1, 7])
def test_as_many_are_left_out_as_one_says(warmup):
    path = tool.DATA / "rundir" / "broken_graph" / "broken_graph_xnnpack_fp32_mac_sme2_off_t1.etdump"
    times = executes(path)[warmup:]
    ours = summary(path, "--warmup", warmup or "none")
    assert ours["runs"] == {"total": 30, "counted": 30 - warmup, "warmup": warmup, "partial": 0}
    assert ours["total_duration"] == sum(times) // len(times)


def test_what_repeats_in_a_log_are_its_runs(example):
    names = [name for name, _, _ in example]
    length = names.index(names[0], 1)
    assert names == names[:length] * 10
    spans = [(group[0][1], max(end for _, _, end in group))
             for group in (example[i:i + length] for i in range(0, len(example), length))]
    ours = summary(MOBILENET / "runtime.csv", "--mlir", PROGRAM)
    runs = ours["runs"]
    assert runs["total"] == 10 and runs["counted"] == 10 - runs["warmup"] and runs["partial"] == 0
    lengths = [end - start for start, end in spans]
    assert ours["total_duration"] == sum(lengths[runs["warmup"]:]) * 1000 // runs["counted"]
    # The first is left out because it is slower than the others, and said to be.
    assert runs["warmup"] == 1 and lengths[0] > 1.05 * statistics.median(lengths[5:])
    text = tool.good("summary", "-q", MOBILENET / "runtime.csv").text
    assert f"mean of 9 of 10 runs; the first took {lengths[0] / statistics.median(lengths[1:]):.1f}x as long" in text


def test_counts_are_of_one_run():
    whole = summary(MOBILENET / "runtime.csv", "--mlir", PROGRAM, "--by", "engine", "--runs", "whole")
    one = summary(MOBILENET / "runtime.csv", "--mlir", PROGRAM, "--by", "engine")
    slices = lambda document: {row["engine"]: row["slices"] for row in document["rows"]}
    assert slices(one)["NSS Programs"] * 10 == slices(whole)["NSS Programs"] > 0


def test_an_input_without_runs_is_one(good):
    ours = summary(tool.GOLDEN / "c1.csv")
    assert ours["runs"] == {"total": 1, "counted": 1, "warmup": 0, "partial": 0}
    assert "Runs:" not in good("summary", tool.GOLDEN / "c1.csv").text


def test_slices_that_are_named_are_runs(good):
    path = tool.DATA / "rundir" / "broken_graph" / "broken_graph_xnnpack_fp32_mac_sme2_off_t1.etdump"
    times = executes(path)
    for name in ("Method::execute", "/^Method::exec/"):
        ours = summary(path, "--runs", name, "--warmup", "none")
        assert ours["runs"]["total"] == 30 and ours["total_duration"] == sum(times) // 30


def test_a_log_that_is_cut_off_ends_with_a_run_that_does_not_count(tmp_path, example):
    lines = (MOBILENET / "runtime.csv").read_text().splitlines()
    begins = [i for i, line in enumerate(lines) if line.endswith("DISPATCH_BEGIN")]
    cut = tmp_path / "cut.csv"
    cut.write_text("\n".join(lines[:begins[-3] + 1]) + "\n")
    runs = summary(cut)["runs"]
    assert runs["total"] == 9 and runs["partial"] == 1 and runs["counted"] == 8
    assert "1 more is cut off or unlike the others" in tool.good("summary", "-q", cut).text


def test_a_log_that_is_cut_off_in_the_last_step_of_a_run_too(tmp_path):
    """The last dispatch had begun: its run counted, and ended where the file does."""
    lines = (MOBILENET / "runtime.csv").read_text().splitlines()
    begins = [i for i, line in enumerate(lines) if line.endswith("DISPATCH_BEGIN")]
    cut = tmp_path / "cut.csv"
    cut.write_text("\n".join(lines[:begins[-1] + 8]) + "\n")
    ours, whole = summary(cut), summary(MOBILENET / "runtime.csv")
    for source, name in ((cut, "cut.pb"), (cut, "cut.json"), (tmp_path / "cut.json", "again.json")):
        tool.good("convert", source, "-o", tmp_path / name)
        assert summary(tmp_path / name)["runs"] == ours["runs"], f"{name}: the trace of it says the same"
    assert ours["runs"] == {"total": 9, "counted": 8, "warmup": 1, "partial": 1}
    assert ours["total_duration"] == pytest.approx(whole["total_duration"], rel=0.005)
    # Ends that are lost in the middle are no end of the file.
    cut.write_text("\n".join(line for line in lines if not ("dispatch_2" in line and line.endswith("DISPATCH_END"))) + "\n")
    assert summary(cut)["runs"] == whole["runs"] and summary(cut)["total_duration"] == whole["total_duration"]


def test_how_many_are_left_out_is_said():
    path = tool.DATA / "rundir" / "broken_graph" / "broken_graph_xnnpack_fp32_mac_sme2_off_t1.etdump"
    assert "mean of 27 of 30 runs; the first of the 3 left out took" in tool.good("summary", "-q", path, "--warmup", 3).text
    assert "mean of 27 of 30 runs, the first of the 3 left out took" in tool.good("advise", "-q", path, "--warmup", 3).text.replace("\n", " ")
    assert "mean of 29 of 30 runs; the first took" in tool.good("summary", "-q", path, "--warmup", 1).text


@pytest.mark.parametrize("options, wanted", [
    (["--runs", "no such slice"], "_t1.etdump: no slice is called no such slice"), (["--runs", "/(/"], "--runs /(/"),
    (["--warmup", "some"], "--warmup wants"), (["--warmup", "30"], "_t1.etdump: no run is left")])
def test_wrong_choices_are_told(options, wanted):
    path = tool.DATA / "rundir" / "broken_graph" / "broken_graph_xnnpack_fp32_mac_sme2_off_t1.etdump"
    result = tool.run("summary", path, *options)
    assert result.code in (2, 3) and wanted in result.err


# ---- one time per run, whoever is asked ------------------------------------------------------------------------------------


EVERY = 4 if tool.SANITIZED else 1  # sanitizers take ten times as long over the same code


def profiles():
    """Every file of the examples and fixtures that summary reads; of those one in EVERY."""
    roots = (tool.DATA, tool.ROOT / "examples")
    names = ("*.csv", "*.csv.gz", "*.etdump", "*.etdump.gz", "*.etdp", "*.log", "*.log.gz")
    return sorted({path for root in roots for name in names for path in root.rglob(name) if path.stat().st_size < 4_000_000})[::EVERY]


@functools.cache
def asked(path):
    """What summary says of it."""
    return tool.run("summary", path, "--json", "-q")


def test_every_verb_gives_one_time_per_run():
    compared = 0
    for path in profiles():
        answer = asked(path)
        latency = tool.run("latency", path, "--json", "-q")
        if answer.code or latency.code:
            continue
        ours, theirs = json.loads(answer.text), next(value for value in json.loads(latency.text).values() if isinstance(value, dict) and "mean_ms" in value)
        counted = ours["runs"]["counted"]
        assert theirs["runs"] == counted, path
        assert theirs["mean_ms"] * 1e6 == pytest.approx(ours["total_duration"], abs=2, rel=1e-9), path
        operators = tool.run("operators", path, "--json", "-q")
        assert operators.code == 0, f"{path}: {operators.err}"
        document = json.loads(operators.text)
        if "e2e" in document:
            assert document["e2e"]["runs"] == counted, path
            assert document["e2e"]["avg_ms"] * 1e6 == pytest.approx(ours["total_duration"], abs=2, rel=1e-9), path
        compared += 1
    assert compared > 60 // EVERY


def test_a_run_that_lasts_nothing_counts_nowhere(tmp_path):
    """A trace that ends where a run begins: the runs before that are those that count, whoever is asked."""
    path = tmp_path / "cut.json"
    frames = [{"ph": "X", "name": "Frame", "ts": 100 * i, "dur": 80 + i % 2, "pid": 1, "tid": 1} for i in range(6)]
    path.write_text(json.dumps([*frames, {"ph": "B", "name": "Frame", "ts": 600, "pid": 1, "tid": 1}]))
    summary = json.loads(tool.good("summary", "--runs", "Frame", "--json", "-q", path).text)
    latency = json.loads(tool.good("latency", "--runs", "Frame", "--json", "-q", path).text)["side"]
    assert summary["runs"]["counted"] == latency["runs"] == 6 and summary["runs"]["partial"] == 1
    assert summary["total_duration"] == latency["mean_ms"] * 1e6 == 80_500


def test_runs_that_lie_on_each_other_are_told(tmp_path):
    """Steps of two processes at once: what a run has of the time is half of what it takes, and both are told."""
    path = tmp_path / "two.json"
    steps = [{"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{i}", "pid": pid, "tid": pid, "ts": 100 * i, "dur": 100} for pid in (1, 2) for i in range(5)]
    path.write_text(json.dumps({"schemaVersion": 1, "deviceProperties": [], "traceEvents": steps}))
    said = "they lie on each other, and one by itself takes 2.0x as long"
    for verb in ("summary", "operators", "advise"):
        assert said in " ".join(tool.good(verb, path).text.split()), verb
    assert json.loads(tool.good("latency", "--json", "-q", path).text)["side"]["mean_ms"] == 0.1


@pytest.mark.slow
def test_self_times_add_up_to_the_run_exactly():
    """With what is idle and what no operator is known for, in whole nanoseconds."""
    compared = 0
    for path in profiles():
        answer = asked(path)
        whole = json.loads(answer.text)["total_duration"] if answer.code == 0 else 0
        for by in ("name", "type", "module", "kernel", "category", "location") if whole else ():
            rows = json.loads(tool.good("operators", path, "--by", by, "--json", "-q").text)["rows"]
            assert sum(row["self_time"] for row in rows) == whole, f"{path} by {by}"
            assert all(row["self_time"] >= 0 for row in rows), f"{path} by {by}"
            compared += 1
    assert compared > 400 // EVERY


def test_advice_and_report_are_about_the_same_run():
    compared = {"advise": 0, "report": 0}
    for path in profiles():
        answer = asked(path)
        whole = json.loads(answer.text)["total_duration"] if answer.code == 0 else 0
        for verb in compared if whole else ():
            other = tool.run(verb, path, "--json", "-q")
            if other.code == 0:
                assert json.loads(other.text)["run_ns"] == pytest.approx(whole, abs=2, rel=1e-9), f"{verb} {path}"
                compared[verb] += 1
    assert min(compared.values()) > 60 // EVERY, compared


# ---- hiccups ---------------------------------------------------------------------------------------------------------------


def timeline(path, times):
    """Inferences of one operator each."""
    rows = "".join(f"Method::execute,{ms},{run},\nnative_call_add.out,{ms * 0.9},{run},\n" for run, ms in enumerate(times))
    path.write_text("name,duration_ms,run_index,backend\n" + rows)
    return path


def test_one_slow_run_is_not_what_all_are_like(tmp_path):
    """It is told, it is in the percentiles, and in no mean: not in one verb and not in another."""
    path = timeline(tmp_path / "net_all_runs_timeline.csv", [2, 2, 2.1, 2, 40, 2, 1.9, 2, 2, 2])
    side = json.loads(tool.good("latency", "-q", path, "--json").text)["side"]
    assert side["slow_runs"] == 1 and side["mean_ms"] == pytest.approx(2) and side["max_ms"] == 40 and side["runs"] == 10
    assert any("1 run took 20.0x as long" in remark for remark in side["remarks"])
    assert summary(path)["total_duration"] == 2_000_000 and "1 took 20.0x as long and does not count" in tool.good("summary", "-q", path).text
    assert json.loads(tool.good("operators", "-q", path, "--json").text)["e2e"]["avg_ms"] == pytest.approx(2)
    assert json.loads(tool.good("advise", "-q", path, "--json").text)["run_ns"] == 2_000_000
    steady = timeline(tmp_path / "before_all_runs_timeline.csv", [2, 2, 2.1, 2, 1.9, 2, 1.9, 2, 2, 2])
    told = "after: 1 of 10 runs took 20.0x as long as the others: it is in no time here"
    assert told in " ".join(tool.good("compare", steady, path).err.split())
    assert "no time here" not in tool.good("compare", steady, steady).err


@pytest.mark.parametrize("times, options", [([2, 9, 2, 9, 2, 9, 2, 9, 2, 9], []), ([2, 2, 2, 40], []), ([2] * 9 + [40], ["--warmup", "none"])])
def test_modes_few_runs_and_what_the_user_says_are_no_hiccups(tmp_path, times, options):
    path = timeline(tmp_path / "net_all_runs_timeline.csv", times)
    assert summary(path, *options)["total_duration"] == pytest.approx(sum(times) / len(times) * 1e6, abs=1)


def test_operations_have_the_categories_of_their_chain():
    rows = json.loads(tool.good("operators", "-q", "--by", "category", "--json", tool.ROOT / "examples/encoder_wormhole/ops_perf_results.csv").text)["rows"]
    assert {"Compute", "TM", "(idle)"} <= {row["category"] for row in rows}
