"""tacho operators: the original's files, the report guide's command, operators kept apart, labels, kernels, and what goes wrong."""
import csv
import gzip
import io
import json
import math
import shutil

import pytest

import tool

DATA = tool.DATA / "operators"
GOLDEN = DATA / "golden"
SYNTH = "synth_encoder_xnnpack_fp32_mac_sme2_{}_t1"
BROKEN = "broken_graph_xnnpack_fp32_mac_sme2_{}_t1"
# The original calls these OTHER; doc/differences.md says why they are not.
ELEMENTWISE_NOT_OTHER = {"Sine (NC) #1", "native_call_atan2.out"}


def timeline(model, state):
    return DATA / f"{model}_mac_sme2_{state}_t1_exec_all_runs_timeline.csv.gz"


def rows(path):
    return list(csv.DictReader(io.StringIO(path.read_text())))


def same(one, other):
    try:
        return math.isclose(float(one), float(other), rel_tol=1e-12, abs_tol=1e-15)
    except ValueError:
        return one == other


def expect_rows(got, expected):
    """Rows by their first column: equal times have no order of their own in the original."""
    assert list(got[0]) == list(expected[0])
    key = list(expected[0])[0]
    assert sorted(row[key] for row in got) == sorted(row[key] for row in expected)
    by_key = {row[key]: row for row in got}
    for row in expected:
        for column, value in row.items():
            assert same(by_key[row[key]][column], value), (row[key], column)


def sides(model):
    return ["--timeline-csv", timeline(model, "on"), "--compare", timeline(model, "off")]


def compare(good, folder, model, name1="SME2-On", name2="SME2-Off"):
    return good("operators", *sides(model), "--name1", name1, "--name2", name2, "--output-dir", folder)


# ---- the original's files -----------------------------------------------------------------------------------------------


def test_files_of_the_original(good, tmp_path):
    compare(good, tmp_path, "synth")
    expected = sorted(path.name for path in (GOLDEN / "synth").iterdir())
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*expected, "operator_analysis.json"])
    for name in expected:
        expect_rows(rows(tmp_path / name), rows(GOLDEN / "synth" / name))
        assert b"\r" not in (tmp_path / name).read_bytes()


def test_files_of_the_original_for_a_real_model(good, tmp_path):
    """Microseconds of a delegate, as differences of decimals, are wrong from the 12th digit on in the original; ours are whole."""
    stem = "mobilenet_like_xnnpack_fp32_mac_sme2_{}_t1"
    for state, dump in (("on", DATA / "mobilenet_mac_sme2_on_t1.etdump.gz"),
                        ("off", tool.DATA / "timeline" / "dumps" / f"{stem.format('off')}.etdump.gz")):
        good("timeline", dump, "--etrecord", DATA / "mobilenet.etrecord", "--out-dir", tmp_path / state, "--all-runs", "--model-id",
             stem.format(state))
    on, off = (next((tmp_path / state).glob("*_all_runs_timeline.csv")) for state in ("on", "off"))
    good("operators", "--timeline-csv", on, "--compare", off, "--name1", "ON", "--name2", "OFF", "--output-dir", tmp_path / "out")
    expected = sorted((GOLDEN / "mobilenet").iterdir())
    assert [path.name for path in sorted((tmp_path / "out").iterdir())] == [*[path.name for path in expected], "operator_analysis.json"]
    for path in expected:
        golden, made = rows(path), rows(tmp_path / "out" / path.name)
        assert list(made[0]) == list(golden[0])
        key = list(golden[0])[0]
        by_key = {row[key]: row for row in made}
        assert sorted(by_key) == sorted(row[key] for row in golden)
        for row in golden:
            for column, value in row.items():
                ours = by_key[row[key]][column]
                assert same(ours, value) or math.isclose(float(ours), float(value), rel_tol=1e-10, abs_tol=1e-12), (row[key], column)


@pytest.mark.parametrize("name", ["category_summary", "operator_details"])
def test_longest_first(good, tmp_path, name):
    compare(good, tmp_path, "synth")
    times = [float(row["avg_ms"]) for row in rows(tmp_path / f"{SYNTH.format('on')}_{name}.csv")]
    assert times == sorted(times, reverse=True)


@pytest.mark.parametrize("state", ["on", "off"])
def test_documented_difference_of_categories(good, tmp_path, state):
    """Only the two names differ, and sums of categories by just their times."""
    compare(good, tmp_path, "broken_graph", "ON", "OFF")
    name = f"{BROKEN.format(state)}_operator_details.csv"
    expected = rows(GOLDEN / "broken_graph" / name)
    for row in expected:
        if row["operator"] in ELEMENTWISE_NOT_OTHER:
            assert row["category"] == "OTHER"
            row["category"] = "ELEMENTWISE"
    expect_rows(rows(tmp_path / name), expected)
    moved = sum(float(row["total_ms"]) for row in expected if row["operator"] in ELEMENTWISE_NOT_OTHER)
    name = f"{BROKEN.format(state)}_category_summary.csv"
    got, original = ({row["category"]: float(row["total_ms"]) for row in rows(folder / name)}
                     for folder in (tmp_path, GOLDEN / "broken_graph"))
    assert math.isclose(got["OTHER"], original["OTHER"] - moved, rel_tol=1e-12)
    assert math.isclose(got["ELEMENTWISE"], original["ELEMENTWISE"] + moved, rel_tol=1e-12)
    assert math.isclose(got["GEMM"], original["GEMM"], rel_tol=1e-12)
    other = [row["operator"] for row in rows(tmp_path / f"{BROKEN.format(state)}_other_top_ops.csv")]
    assert other == ["native_call_cumsum.out", "native_call_topk.values"]
    expect_rows(rows(tmp_path / f"{BROKEN.format(state)}_e2e_latency.csv"),
                rows(GOLDEN / "broken_graph" / f"{BROKEN.format(state)}_e2e_latency.csv"))
    if state == "on":
        comparison = {row["category"]: row for row in rows(tmp_path / f"{BROKEN.format('on')}_comparison.csv")}
        golden = {row["category"]: row for row in rows(GOLDEN / "broken_graph" / f"{BROKEN.format('on')}_comparison.csv")}
        assert list(comparison) == list(golden)
        for category in set(golden) - {"OTHER", "ELEMENTWISE"}:
            assert all(same(comparison[category][column], value) for column, value in golden[category].items()), category


def test_dump_and_timeline_agree(good):
    first, second = (json.loads(good("operators", path, "--json").out)
                     for path in (DATA / "broken_graph_mac_sme2_on_t1.etdump", timeline("broken_graph", "on")))
    assert first["e2e"] == second["e2e"]
    assert first["accounting"] == second["accounting"]
    assert [op["name"] for op in first["operators"]] == [op["name"] for op in second["operators"]]
    assert [op["total_ms"] for op in first["operators"]] == [op["total_ms"] for op in second["operators"]]


# ---- the report guide --------------------------------------------------------------------------------------------------------


@pytest.fixture
def run_directory(tmp_path):
    for state in ("on", "off"):
        folder = tmp_path / "runs" / "mac" / f"mac_sme2_{state}"
        folder.mkdir(parents=True)
        with gzip.open(timeline("synth", state)) as packed:
            (folder / "model_exec_all_runs_timeline.csv").write_bytes(packed.read())
    return tmp_path / "runs" / "mac"


def test_command_of_the_document(good, run_directory):
    """Its labels are the wrong way round; the files are right, and SME2 is reported as faster."""
    result = good("operators", "--timeline-csv", run_directory / "mac_sme2_on/model_exec_all_runs_timeline.csv", "--compare",
                  run_directory / "mac_sme2_off/model_exec_all_runs_timeline.csv", "--name1", "SME2-Off", "--name2", "SME2-On",
                  "--output-dir", run_directory, "--verbose")
    assert "warning: --name1 and --name2 contradict the files" in result.err
    assert "SME2-On is 2.59x as fast as SME2-Off" in result.text
    expect_rows(rows(run_directory / f"{SYNTH.format('on')}_comparison.csv"),
                rows(GOLDEN / "synth" / f"{SYNTH.format('on')}_comparison.csv"))
    analysis = json.loads((run_directory / "operator_analysis.json").read_text())
    assert analysis["comparison"]["baseline"] == "SME2-Off"
    assert analysis["comparison"]["e2e"]["speedup"] > 2.5


def test_one_wrong_label_gives_way(good):
    result = good("operators", *sides("synth"), "--name1", "sme2 off", "--name2", "before")
    assert "--name1 contradicts the file" in result.err
    assert f"{SYNTH.format('on')} is 2.59x as fast as before" in result.text


def test_right_labels_need_no_warning(good, tmp_path):
    assert compare(good, tmp_path, "synth").err == ""


def test_baseline_by_label_and_by_files(good, tmp_path):
    on, off = timeline("synth", "on"), timeline("synth", "off")
    command = ["operators", "--timeline-csv", on, "--compare", off, "--name1", "ON", "--name2", "OFF", "--json"]
    usual = json.loads(good(*command).out)["comparison"]
    assert json.loads(good(*command, "--baseline", "OFF").out)["comparison"] == usual
    assert json.loads(good(*command, "--baseline", off).out)["comparison"] == usual
    turned = json.loads(good(*command, "--baseline", "ON").out)["comparison"]
    assert turned["baseline"] == "ON"
    assert math.isclose(turned["e2e"]["speedup"], 1 / usual["e2e"]["speedup"])
    assert json.loads(good(*command, "--baseline", on).out)["comparison"] == turned
    alone = json.loads(good("operators", on, "--baseline", off, "--json").out)["comparison"]
    assert alone["e2e"] == usual["e2e"]


def test_baseline_must_be_one_of_them(tacho):
    result = tacho("operators", *sides("synth"), "--baseline", "what")
    assert result.code == 2
    assert "--baseline is neither" in result.err


def test_single_run_gets_a_warning(good, tmp_path):
    path = tmp_path / "model_exec_run0_timeline.csv"
    with gzip.open(timeline("broken_graph", "on"), "rt", newline="") as packed:
        header, *body = csv.reader(packed)
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([header, *[row for row in body if row[header.index("run_index")] == "0"]])
    result = good("operators", path)
    assert "this file holds one run" in result.err
    assert "mean of 1 run " in result.text
    assert good("operators", path, "--quiet").err == ""


# ---- what is kept apart, and adds up ------------------------------------------------------------------------------------


def test_operators_of_one_name_are_kept_apart(good, tmp_path):
    compare(good, tmp_path, "broken_graph")
    linear = "Fully Connected (NC, F32) GEMM #1"
    details = {row["operator"]: row for row in rows(tmp_path / f"{BROKEN.format('on')}_operator_details.csv")}
    assert details[linear]["event_count"] == "90"
    analysis = json.loads((tmp_path / "operator_analysis.json").read_text())
    three = [op for op in analysis["operators"] if op["name"] == linear]
    assert [op["delegate"] for op in three] == [0, 1, 2]
    assert [op["events"] for op in three] == [30, 30, 30]
    assert math.isclose(sum(op["total_ms"] for op in three), float(details[linear]["total_ms"]))
    matched = [pair for pair in analysis["comparison"]["matched"] if pair["baseline"] == linear]
    assert [pair["call"] for pair in matched] == [1, 3, 6]
    assert analysis["comparison"]["only_baseline"] == analysis["comparison"]["only_candidate"] == []


@pytest.mark.parametrize("path", [DATA / "broken_graph_mac_sme2_on_t1.etdump", DATA / "mobilenet_mac_sme2_on_t1.etdump.gz",
                                  timeline("synth", "off")], ids=lambda path: path.name[:12])
def test_everything_adds_up(good, path):
    analysis = json.loads(good("operators", path, "--json").out)
    account = analysis["accounting"]
    assert account["difference_ms"] == 0
    parts = account["operators_ms"] + account["call_overhead_ms"] + account["control_flow_ms"] + account["framework_ms"]
    assert math.isclose(parts, account["execute_ms"], rel_tol=1e-12)
    assert account["execute_ms"] == analysis["e2e"]["avg_ms"]
    assert math.isclose(sum(op["self_ms"] for op in analysis["operators"]), account["operators_ms"], rel_tol=1e-12)
    assert math.isclose(sum(group["avg_ms"] for group in analysis["categories"]),
                        analysis["delegated"]["avg_ms"] + analysis["portable"]["avg_ms"], rel_tol=1e-12)
    assert [op for op in analysis["operators"] if op["over_5_percent"]] == analysis["bottlenecks"]
    assert all(op["over_5_percent"] == (op["pct_of_e2e"] > 5) for op in analysis["operators"])


def test_launches_are_merged(good):
    dump = DATA / "broken_graph_mac_sme2_on_t1.etdump"
    one, two = (json.loads(good("operators", *[dump] * count, "--json").out) for count in (1, 2))
    assert (two["launches"], two["e2e"]["runs"]) == (2, 2 * one["e2e"]["runs"])
    assert two["e2e"]["avg_ms"] == one["e2e"]["avg_ms"]
    assert [(op["name"], 2 * op["events"]) for op in one["operators"]] == [(op["name"], op["events"]) for op in two["operators"]]


# ---- graph and kernels ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model, dump, log", [
    ("broken_graph", "broken_graph_mac_sme2_on_t1.etdump", "broken_graph_mac_sme2_on_trace_t1_xnntrace.log"),
    ("mobilenet", "mobilenet_mac_sme2_on_t1.etdump.gz", "mobilenet_mac_sme2_on_trace_t1_xnntrace.log.gz")])
def test_source_map(good, tmp_path, model, dump, log):
    """The record lies beside the dump and is found."""
    output = tmp_path / "map.csv"
    result = good("operators", DATA / dump, "--xnntrace-log", DATA / log, "-o", output)
    assert result.out == b""
    expected = rows(GOLDEN / f"{model}_source_map.csv")
    delegated = [row for row in rows(output) if row["delegate"] != ""]
    assert list(delegated[0])[:11] == list(expected[0])
    assert [{column: row[column] for column in expected[0]} for row in delegated] == expected
    tiled = [row for row in delegated if row["mr"]]
    assert all(f"_ukernel_{row['mr']}x{row['nr']}" in row["kernel"] for row in tiled if row["kernel"])
    assert all(row["joined"] == "inferred" for row in delegated if row["op"])
    for row in tiled:
        assert math.isclose(float(row["gflops"]), 2 * int(row["macs"]) / (float(row["avg_ms"]) * 1e6), rel_tol=1e-9)


def test_portable_operators_in_the_map(good, tmp_path):
    good("operators", DATA / "broken_graph_mac_sme2_on_t1.etdump", "-o", tmp_path / "map.csv")
    table = rows(tmp_path / "map.csv")
    assert [row["delegate"] for row in table] == ["", "0", "", "1", "1", "", "", "2", "2", "", ""]
    cumsum = table[2]
    assert (cumsum["op"], cumsum["source"]) == ("aten.cumsum.default", "models.py:56")
    assert (cumsum["backend"], cumsum["joined"]) == ("portable", "recorded")
    assert cumsum["m"] == ""


def test_record_by_option(good, tmp_path):
    dump = tmp_path / "elsewhere.etdump"
    shutil.copy(DATA / "broken_graph_mac_sme2_on_t1.etdump", dump)
    alone = json.loads(good("operators", dump, "--json").out)
    assert all(op["module"] is None for op in alone["operators"])
    given = json.loads(good("operators", dump, "--etrecord", DATA / "broken_graph.etrecord", "--json").out)
    assert [op["module"] for op in given["operators"] if op["kind"] == "matrix"] == ["a", "b", "c"]
    assert all(op["backend"] == "XnnpackBackend" for op in given["operators"] if op["delegate"] is not None)


def test_log_without_execution(good, tmp_path):
    log = tmp_path / "m_xnntrace.log"
    log.write_text("Note (XNNPACK): Using gemm microkernel 'xnn_f32_gemm_minmax_ukernel_4x8__neon'.\n")
    result = good("operators", DATA / "broken_graph_mac_sme2_on_t1.etdump", "--xnntrace-log", log)
    assert "it does not tell what ran" in result.err


# ---- terminal, rules, errors ---------------------------------------------------------------------------------------------


def test_terminal(good):
    text = good("operators", DATA / "broken_graph_mac_sme2_on_t1.etdump").text
    lines = text.splitlines()
    assert lines[0] == "broken_graph_mac_sme2_on_t1: Method::execute 0.229 ms, mean of 28 of 30 runs, the first of the 2 left out took 1.3x as long (0.222 to 0.254 ms)"
    assert "Operators over 5 % of Method::execute" in lines
    assert "native_call_where.self_out         35.044µs  15.30%  -       models.py:57" in lines
    assert "note: portable and over 5 %: native_call_cumsum.out, native_call_where.self_out," in lines
    assert "= Method::execute  229.053µs  100.00%" in lines


def test_verbose_shows_all(good):
    text = good("operators", DATA / "broken_graph_mac_sme2_on_t1.etdump", "-v").text
    assert "Sine (NC) #1" in text
    assert "Sine (NC) #1" not in good("operators", DATA / "broken_graph_mac_sme2_on_t1.etdump").text


def test_rules(good, tacho, tmp_path):
    rules = tmp_path / "rules.txt"
    rules.write_text("cumsum = reduction\n")
    analysis = json.loads(good("operators", timeline("broken_graph", "on"), "--rules", rules, "--json").out)
    assert [op["kind"] for op in analysis["operators"] if "cumsum" in op["name"]] == ["reduction"]
    rules.write_text("cumsum = sums\n")
    result = tacho("operators", timeline("broken_graph", "on"), "--rules", rules)
    assert result.code == 3
    assert f'{rules}:1:9: "sums" is no kind of operator' in result.err


def test_without_method_execute(tacho, tmp_path):
    path = tmp_path / "x_timeline.csv"
    path.write_text("model_id,name,type,delegate_backend,start_us,end_us,duration_ms,pct_total,node_id,run_index,block\r\n"
                    "m,native_call_add.out,native_call_add.out,portable,0.0,10.0,0.01,100.0,0,0,Execute\r\n")
    result = tacho("operators", path, "--output-dir", tmp_path / "out")
    assert result.code == 3
    assert f"{path}: there is no Method::execute in it" in result.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("words, code, message", [
    ([], 2, "wants a profile"),
    (["missing.csv"], 3, "missing.csv"),
    (["--timeline-csv", "a.csv", "--name1"], 2, "--name1 wants NAME"),
    (["--ticks", "furlongs", DATA / "broken_graph_mac_sme2_on_t1.etdump"], 2, "ticks are ns, us or cycles:MHZ"),
])
def test_wrong_usage(tacho, words, code, message):
    result = tacho("operators", *words)
    assert result.code == code
    assert message in result.err


def test_folder_that_cannot_be_written(tacho, tmp_path):
    (tmp_path / "file").write_text("")
    result = tacho("operators", timeline("broken_graph", "on"), "--output-dir", tmp_path / "file" / "out")
    assert result.code == 4


@pytest.mark.parametrize("by", ["name", "type", "location", "engine"])
def test_profiles_of_other_chains_are_broken_down(good, by):
    """As summary --by does it."""
    ours = json.loads(good("operators", tool.MOBILENET / "runtime.csv", "--by", by, "--json").text)
    same = json.loads(good("summary", tool.MOBILENET / "runtime.csv", "--by", "operator" if by == "name" else by, "--json").text)
    assert ours["rows"] == same["rows"] and ours["rows"]
    assert any("mean of 9 of 10 runs" in note for note in ours["notes"])


def test_options_of_one_chain_are_refused_for_another(tacho):
    result = tacho("operators", tool.GOLDEN / "runtime_r2.csv", "--xnntrace-log", "x.log")
    assert result.code == 2 and "--xnntrace-log is about inferences" in result.err


def test_a_view_shows_what_is_asked_for(good):
    dump = DATA / "broken_graph_mac_sme2_on_t1.etdump"
    whole = json.loads(good("operators", dump, "--columns", "operator,avg_ns,gflops", "--json").text)
    assert [column["name"] for column in whole["columns"]] == ["operator", "avg_ns", "gflops"] and len(whole["rows"]) == 11
    known = sorted((row["gflops"] for row in whole["rows"] if row["gflops"] is not None), reverse=True)
    top = json.loads(good("operators", dump, "--sort", "-gflops", "--limit", "3", "--json").text)
    assert [row["gflops"] for row in top["rows"]] == known[:3] and "3 of 11 rows shown (--limit)" in top["notes"]
    slow = json.loads(good("operators", dump, "--filter", "avg_ns>=20us", "--filter", "backend=portable", "--json").text)
    assert slow["rows"] and all(row["avg_ns"] >= 20000 and row["backend"] == "portable" for row in slow["rows"])
    other = DATA / "broken_graph_mac_sme2_off_t1.etdump"
    pairs = json.loads(good("operators", dump, "--compare", other, "--columns", "operator,speedup", "--json").text)
    assert pairs["name"] == "matched" and [column["name"] for column in pairs["columns"]] == ["operator", "speedup"]


def test_what_a_view_cannot_show(tacho):
    result = tacho("operators", DATA / "broken_graph_mac_sme2_on_t1.etdump", "--columns", "operater")
    assert result.code == 2 and "operator" in result.err


# ---- what became slower ---------------------------------------------------------------------------------------------------


SMALL = "native_call_gt.Scalar_out"


@pytest.fixture
def regression(tmp_path):
    """The same timeline twice; in the first a small operator takes a tenth of its time."""
    with gzip.open(timeline("broken_graph", "on"), "rt", newline="") as packed:
        header, *body = csv.reader(packed)
    name, start, end, duration = (header.index(key) for key in ("name", "start_us", "end_us", "duration_ms"))
    for label in ("before", "after"):
        made = [list(row) for row in body]
        for row in made:
            if label == "before" and row[name] == SMALL:
                row[duration] = repr(float(row[duration]) / 10)
                row[end] = repr(float(row[start]) + float(row[duration]) * 1000)
        with (tmp_path / f"{label}_exec_all_runs_timeline.csv").open("w", newline="") as file:
            csv.writer(file).writerows([header, *made])
    return tmp_path / "before_exec_all_runs_timeline.csv", tmp_path / "after_exec_all_runs_timeline.csv"


@pytest.mark.parametrize("output", [None, "x.html", "x.md", "x.csv"])
def test_what_became_slower_is_in_every_output(good, regression, tmp_path, output):
    """Ten times slower, and under 5 % of an inference: among what changed, with what it lost."""
    before, after = regression
    words = ["operators", after, "--compare", before, "-q"] + (["-o", tmp_path / output] if output else [])
    printed = good(*words).text
    text = (tmp_path / output).read_text() if output else printed
    assert SMALL in text and "0.10x" in text
