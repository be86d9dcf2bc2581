"""tacho timeline: the original's files byte for byte where it is right, and the truth where it is not."""
import csv
import gzip
import hashlib
import io
import json
import pathlib
import shutil
from collections import Counter

import pytest

import tool

DATA = pathlib.Path(tool.__file__).parent / "data"
DUMPS = DATA / "etdump"
GOLDEN = DATA / "timeline"
EQUAL = ["real", "etgen_small", "etgen_static_buffer", "etgen_alloc_intid_meta_noalloc", "py_small", "py_debug_noalloc", "py_version7"]
FILES = ["all_runs_timeline", "run0_timeline", "ops_stats"]
EXTRA = ["timestamp_ms", "parent_id", "op_type", "backend"]


def timeline(good, tmp_path, name, *options):
    good("timeline", DUMPS / f"{name}.etdp", "--out-dir", tmp_path, "--all-runs", *options)
    return lambda file: tmp_path / f"{name}_exec_{file}.csv"


def rows(path):
    return list(csv.DictReader(io.StringIO(path.read_bytes().decode(), newline="")))


@pytest.mark.parametrize("name", EQUAL)
@pytest.mark.parametrize("file", FILES)
def test_files_equal_the_original_s_byte_for_byte(good, tmp_path, name, file):
    made = timeline(good, tmp_path, name, "--no-extra")
    assert made(file).read_bytes() == (GOLDEN / name / f"{name}_exec_{file}.csv").read_bytes()


DIGESTS = json.loads((GOLDEN / "digests.json").read_text())


def place(case, folder):
    """The dump under its own name, and the record beside it as the pipeline leaves it."""
    dump = DATA / case["dump"]
    path = folder / (case["model"] + ".etdump" + (".gz" if dump.suffix == ".gz" else ""))
    shutil.copy(dump, path)
    if case["etrecord"]:
        shutil.copy(DATA / case["etrecord"], folder / (case["model"].split("_mac_")[0] + ".etrecord"))
    return path


@pytest.mark.parametrize("case", DIGESTS, ids=lambda case: case["model"])
def test_real_runs_equal_the_original_s_byte_for_byte(good, tmp_path, case):
    """Real models with their records, and the synthetic run directories: digests of what the original wrote."""
    good("timeline", place(case, tmp_path), "--out-dir", tmp_path / "out", "--all-runs", "--no-extra")
    made = {file: tmp_path / "out" / f"{case['model']}_exec_{file}.csv" for file in FILES}
    assert sorted(made.values()) == sorted((tmp_path / "out").iterdir())
    assert {file: hashlib.sha256(path.read_bytes()).hexdigest() for file, path in made.items()} == {file: case[file] for file in FILES}
    backends = {row["delegate_backend"] for row in rows(made["all_runs_timeline"])}
    expected = "delegated" if not case["etrecord"] else "XnnpackBackend" if "xnnpack" in case["model"] else "portable"
    assert backends == {"portable", expected}


def test_there_is_a_digest_of_every_real_run():
    assert len(DIGESTS) == 9 and len({case["model"] for case in DIGESTS}) == 9


@pytest.mark.parametrize("case", DIGESTS, ids=lambda case: case["model"])
def test_what_is_read_back_is_what_was_written(good, tmp_path, case):
    """The timeline of a dump, as an input: the same numbers, exactly."""
    dump = place(case, tmp_path)
    good("timeline", dump, "--out-dir", tmp_path, "--all-runs")
    sums = [json.loads(good("operators", path, "--json").text)
            for path in (dump, tmp_path / f"{case['model']}_exec_all_runs_timeline.csv")]
    assert sums[0]["e2e"] == sums[1]["e2e"] and sums[0]["accounting"] == sums[1]["accounting"]
    key = lambda operator: (operator["name"], operator["call"], operator["events"], operator["total_ms"], operator["self_ms"])
    assert [key(operator) for operator in sums[0]["operators"]] == [key(operator) for operator in sums[1]["operators"]]


def test_the_extra_columns_follow_the_original_s(good, tmp_path):
    made = timeline(good, tmp_path, "etgen_small")
    with_extra, without = rows(made("all_runs_timeline")), rows(GOLDEN / "etgen_small" / "etgen_small_exec_all_runs_timeline.csv")
    assert [{key: row[key] for key in row if key not in EXTRA} for row in with_extra] == without
    assert list(with_extra[0])[-4:] == EXTRA
    names = {row["node_id"]: row["name"] for row in with_extra}
    parents = {(row["name"], names.get(row["parent_id"])) for row in with_extra}
    assert ("Method::execute", None) in parents and ("DELEGATE_CALL", "Method::execute") in parents
    assert ("Method::init", "Program::load_method") in parents
    for row in with_extra:
        if row["name"].startswith("native_call"):
            assert names[row["parent_id"]] == "OPERATOR_CALL" and row["backend"] == "portable"
        if row["delegate_backend"] == "delegated":
            assert names[row["parent_id"]] == "DELEGATE_CALL" and row["backend"] == "delegated"
        if row["name"] in ("Method::execute", "DELEGATE_CALL", "OPERATOR_CALL"):
            assert row["backend"] == ""
    first = {row["run_index"]: float(row["timestamp_ms"]) for row in with_extra if row["name"] == "Method::execute"}
    assert set(first.values()) == {0.0}


def test_runs_with_other_control_flow_keep_their_own_index(good, tmp_path):
    made = rows(timeline(good, tmp_path, "py_branches", "--no-extra")("all_runs_timeline"))
    executes = [row for row in made if row["name"] == "Method::execute"]
    assert [row["run_index"] for row in executes] == list("012345")
    golden = rows(GOLDEN / "py_branches" / "py_branches_exec_all_runs_timeline.csv")
    assert sorted(row["start_us"] for row in made) == sorted(row["start_us"] for row in golden)
    assert sorted(row["run_index"] for row in golden if row["name"] == "Method::execute") == list("001122")  # the original's


def test_loops_keep_every_iteration(good, tmp_path):
    made = rows(timeline(good, tmp_path, "py_loop", "--no-extra")("all_runs_timeline"))
    golden = rows(GOLDEN / "py_loop" / "py_loop_exec_all_runs_timeline.csv")
    assert len(made) == 95 and len(golden) == 41
    key = lambda row: (row["name"], row["start_us"], row["duration_ms"], row["run_index"])
    assert Counter(map(key, golden)) <= Counter(map(key, made))
    most = Counter((row["node_id"], row["run_index"]) for row in made).most_common(1)[0][1]
    assert most > 1


def test_a_clock_of_32_bits_may_start_again(good, tmp_path):
    made = rows(timeline(good, tmp_path, "py_wrap32", "--no-extra")("all_runs_timeline"))
    golden = rows(GOLDEN / "py_wrap32" / "py_wrap32_exec_all_runs_timeline.csv")
    assert [row["start_us"] for row in made] == [row["start_us"] for row in golden]
    assert max(float(row["duration_ms"]) for row in golden) > 4e6  # the original's
    assert max(float(row["duration_ms"]) for row in made) < 100


@pytest.mark.parametrize("name, events, inferences", [("py_full", 318, 4), ("etgen_alloc_intid_meta", 83, 3), ("py_noprefix", 30, 2),
                                                      ("py_empty", 0, 0)])
def test_dumps_that_the_original_refuses(good, tmp_path, name, events, inferences):
    result = good("timeline", DUMPS / f"{name}.etdp", "--out-dir", tmp_path, "--all-runs")
    assert f"{events} events, {inferences} inference" in result.text
    assert len(rows(tmp_path / f"{name}_exec_all_runs_timeline.csv")) == events


@pytest.mark.parametrize("name", ["real", "py_loop", "py_full", "etgen_alloc_intid_meta"])
def test_self_times_add_up_to_the_inference(good, tmp_path, name):
    made = rows(timeline(good, tmp_path, name)("all_runs_timeline"))
    nanoseconds = lambda row: round(float(row["duration_ms"]) * 1e6)
    inferences = [row for row in made if row["name"] == "Method::execute"]
    assert inferences
    for inference in inferences:
        inside = [row for row in made if row["run_index"] == inference["run_index"] and row["block"] == inference["block"]]
        calls = [row for row in inside if row["parent_id"] == inference["node_id"]]
        assert sum(map(nanoseconds, calls)) <= nanoseconds(inference)
        for call in calls:
            children = [row for row in inside if row["parent_id"] == call["node_id"]]
            assert sum(map(nanoseconds, children)) <= sum(nanoseconds(row) for row in inside if row["node_id"] == call["node_id"])


def test_one_run_and_json(good, tmp_path):
    good("timeline", "--etdump", DUMPS / "etgen_small.etdp", "--out-dir", tmp_path, "--run-index", "1", "--json", "--model-id", "m,1")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        f"etgen_small_exec_{name}.{suffix}" for name in ("ops_stats", "run1_timeline") for suffix in ("csv", "json")]
    table = rows(tmp_path / "etgen_small_exec_run1_timeline.csv")
    listed = json.loads((tmp_path / "etgen_small_exec_run1_timeline.json").read_text())
    assert {row["run_index"] for row in table} == {"1"} and {row["model_id"] for row in table} == {"m,1"}
    assert [str(row["node_id"]) for row in listed] == [row["node_id"] for row in table]
    assert sorted({int(row["node_id"]) for row in table}) == list(range(len({row["node_id"] for row in table})))
    assert [row["duration_ms"] for row in listed] == [float(row["duration_ms"]) for row in table]
    assert list(listed[0])[:10] == ["node_id", "run_index", "block", "name", "type", "delegate_backend", "start_us", "end_us",
                                    "duration_ms", "pct_total"]
    assert json.loads((tmp_path / "etgen_small_exec_ops_stats.json").read_text())[0]["model_id"] == "m,1"


def test_names_of_files(good, tmp_path):
    shutil.copy(DUMPS / "etgen_small.etdp", tmp_path / "net_xtrace.etdump")
    (tmp_path / "z.etdump.gz").write_bytes(gzip.compress((DUMPS / "etgen_small.etdp").read_bytes()))
    good("timeline", tmp_path / "net_xtrace.etdump", "--all-runs")
    good("timeline", tmp_path / "z.etdump.gz")
    assert {path.name for path in tmp_path.iterdir()} >= {"net_xtrace_all_runs_timeline.csv", "z_exec_run0_timeline.csv"}


def test_ticks_of_other_clocks(good, tmp_path):
    for ticks, factor in (("ns", 1), ("us", 1000), ("cycles:500", 2)):
        good("timeline", DUMPS / "etgen_small.etdp", "--out-dir", tmp_path / "out", "--ticks", ticks)
        table = rows(tmp_path / "out" / "etgen_small_exec_run0_timeline.csv")
        inference = next(row for row in table if row["name"] == "Method::execute")
        golden = next(row for row in rows(GOLDEN / "etgen_small" / "etgen_small_exec_run0_timeline.csv") if row["name"] == "Method::execute")
        assert float(inference["duration_ms"]) == pytest.approx(float(golden["duration_ms"]) * factor)


def test_a_run_directory_at_once(good, tmp_path):
    for name in ("mac_sme2_on", "mac_sme2_off"):
        (tmp_path / name).mkdir()
        shutil.copy(DUMPS / "etgen_small.etdp", tmp_path / name / f"net_{name}_t1.etdump")
    result = good("timeline", "--run-dir", tmp_path)
    summary = json.loads((tmp_path / "analysis_summary.json").read_text())
    assert list(summary) == ["run_dir", "etrecord", "etdump_count", "category_totals_ms", "per_etdump", "csv_files"]
    assert summary["etdump_count"] == 2 and len(summary["csv_files"]) == 6 and "6 files of 2 dumps" in result.text
    assert all(pathlib.Path(path).exists() for path in summary["csv_files"])
    # Operators only: the original adds wrappers and loading, and calls everything Other.
    table = rows(tmp_path / "mac_sme2_on" / "net_mac_sme2_on_t1_exec_all_runs_timeline.csv")
    inferences = len({row["run_index"] for row in table if row["name"] == "Method::execute"})
    work = sum(float(row["duration_ms"]) for row in table if row["backend"])
    assert sum(summary["per_etdump"][0]["categories_ms"].values()) == pytest.approx(work / inferences)
    assert sum(summary["category_totals_ms"].values()) == pytest.approx(2 * work / inferences)


def test_a_broken_dump_does_not_hold_up_the_others(tacho, tmp_path):
    shutil.copy(DUMPS / "etgen_small.etdp", tmp_path / "a_t1.etdump")
    (tmp_path / "b_t1.etdump").write_text("placeholder")
    result = tacho("timeline", "--run-dir", tmp_path)
    summary = json.loads((tmp_path / "analysis_summary.json").read_text())
    assert result.code == 3 and "1 of the dumps cannot be read" in result.err
    assert summary["etdump_count"] == 2 and "problem" in summary["per_etdump"][1]
    assert (tmp_path / "a_t1_exec_ops_stats.csv").exists()


def test_what_cannot_be_done_is_said(tacho, tmp_path):
    assert tacho("timeline").code == 2
    assert tacho("timeline", DUMPS / "etgen_small.etdp", "--run-index", "x").code == 2
    result = tacho("timeline", DUMPS / "etgen_small.etdp", "--out-dir", tmp_path, "--run-index", "9")
    assert result.code == 2 and "no run 9" in result.err
    result = tacho("timeline", DUMPS / "etgen_small.etdp", "--out-dir", tmp_path, "--strict-etrecord")
    assert result.code == 3 and "ETRecord" in result.err
    result = tacho("timeline", tool.GOLDEN / "c1.csv", "--out-dir", tmp_path)
    assert result.code == 3 and "is wanted here" in result.err
    result = tacho("timeline", "--run-dir", tmp_path)
    assert result.code == 3 and "no *.etdump" in result.err
    assert list(tmp_path.iterdir()) == []
