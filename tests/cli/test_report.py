"""tacho report: eight sections about run directories of every kind, with the originals' numbers where the originals are right."""
import csv
import gzip
import json
import os
import re
import shutil

import pytest

import tool

RUN = tool.DATA / "rundir" / "broken_graph"
PARTS = tool.DATA / "operators"
FRONT = ["Where the time goes", "What to do first", "What became slower", "What failed or was lost", "Operators that matter", "How long runs took"]
SECTIONS = ["Latency Comparison", "Operator Category Breakdown", "Acceleration Analysis (What Was Accelerated)",
            "Bottleneck Identification", "Portable vs Delegated Operator Analysis", "Kernel-Level Insights",
            "Actionable Recommendations"]


# ---- run directories ------------------------------------------------------------------------------------------------


def unpack(name, to):
    to.parent.mkdir(parents=True, exist_ok=True)
    if name.endswith(".gz"):
        to.write_bytes(gzip.decompress((PARTS / name).read_bytes()))
    else:
        shutil.copy(PARTS / name, to)
    return to


@pytest.fixture
def synth(tmp_path):
    """Two timelines, nested; the manifest names a configuration that is not there."""
    folder = tmp_path / "runs" / "mac"
    for side in ("on", "off"):
        unpack(f"synth_mac_sme2_{side}_t1_exec_all_runs_timeline.csv.gz",
               folder / f"mac_sme2_{side}" / f"synth_mac_sme2_{side}_t1_exec_all_runs_timeline.csv")
    (folder / "manifest.json").write_text(json.dumps({
        "model": "/kit/out/artifacts/synth.pte", "config": "/kit/configs/synth.json",
        "executorch": {"present": True, "sha": "cff6f4dd", "dirty": False}, "results": []}))
    return folder


@pytest.fixture
def broken_graph(tmp_path):
    """The real run directory with its ETRecord."""
    folder = tmp_path / "broken"
    shutil.copytree(RUN, folder)
    shutil.copy(PARTS / "broken_graph.etrecord", folder / "broken_graph_xnnpack_fp32.etrecord")
    return folder


@pytest.fixture
def mobilenet(tmp_path):
    """One experiment with dump, record and log."""
    folder = tmp_path / "mobilenet"
    unpack("mobilenet_mac_sme2_on_t1.etdump.gz", folder / "mobilenet_mac_sme2_on_t1.etdump")
    unpack("mobilenet.etrecord", folder / "mobilenet.etrecord")
    unpack("mobilenet_mac_sme2_on_trace_t1_xnntrace.log.gz", folder / "mobilenet_mac_sme2_on_trace_t1_xnntrace.log")
    return folder


def change(path, **changes):
    content = json.loads(path.read_text())
    content.update(changes)
    path.write_text(json.dumps(content))


def report(tool_run, folder, *options):
    """The markdown of a report."""
    result = tool_run("report", "--run-dir", folder, *options)
    assert result.text.splitlines()[0] == str(folder / "report.md")
    return (folder / "report.md").read_text()


def section(text, title, level=2):
    """What stands under a heading, up to the next one of its level."""
    found = re.search(rf"^{'#' * level} {re.escape(title)}[^\n]*\n(.*?)(?=^#{{2,{level}}} |\Z)", text, re.S | re.M)
    assert found, f"no section {title}"
    return found[1]


def tables(text):
    """All tables of a text: lists of rows, the title row first."""
    found, now = [], []
    for line in text.splitlines() + [""]:
        if line.startswith("|"):
            now.append([cell.strip() for cell in line.strip("|").split(" | ")])
        elif now:
            found.append([now[0], *now[2:]])
            now = []
    return found


def plain(cell):
    return cell.replace("*", "").replace("`", "")


# ---- the originals' numbers -----------------------------------------------------------------------------------------


def test_nested_directory_has_the_original_numbers(good, synth):
    text = report(good, synth, "--title", "Nested layout")
    assert text.startswith("# Nested layout\n")
    for row in ["| Metric | SME2-On | SME2-Off | Speedup |",
                "| **Median Latency** | 11.626 ms | 30.186 ms | 2.60x |",
                "| **Mean Latency** | 11.628 ms | 30.161 ms | 2.59x |",
                "| **Min Latency** | 11.598 ms | 30.039 ms | 2.59x |",
                "| **Max Latency** | 11.673 ms | 30.241 ms | 2.59x |",
                "| **Std Dev** | 0.025 ms | 0.071 ms | - |"]:
        assert row in text.splitlines()
    rows = tables(section(text, "Operator Category Breakdown (SME2-On vs SME2-Off)", 3))[0]
    assert [row[:3] for row in rows] == [["Category", "SME2-On (ms)", "SME2-Off (ms)"],
                                         ["**Convolution**", "5.717", "18.449"], ["**GEMM**", "1.625", "7.427"],
                                         ["**Data Movement**", "2.336", "2.336"], ["**Elementwise**", "1.902", "1.902"]]
    assert "**SME2 acceleration shows 2.60x speedup** in median latency." in section(text, "Summary")


def test_labels_that_scripts_look_for(good, synth):
    text = report(good, synth)
    assert "# Profiling Report: synth\n" in text
    assert "- **Model**: `synth.pte`" in text
    assert "- **Model Path**: `/kit/out/artifacts/synth.pte`" in text
    assert f"- **Run Directory**: `{os.path.realpath(synth)}`" in text
    assert "- **Config File**: `/kit/configs/synth.json`" in text
    assert "- **ExecuTorch SHA**: `cff6f4dd`" in text
    assert "- **ExecuTorch Status**: ✓ Clean" in text
    assert "- **CSV Files Analyzed**: 2" in text
    assert "## Latency Comparison (SME2-On vs SME2-Off)" in text
    assert "_exec_all_runs_timeline.csv` | Timeline CSV (per-run operator timing) |" in text


def test_all_sections_in_order(good, synth, broken_graph):
    for folder in (synth, broken_graph):
        headings = [line[3:] for line in report(good, folder).splitlines() if line.startswith("## ")]
        assert headings[:len(FRONT)] == FRONT
        details = headings[len(FRONT):]
        assert [heading.startswith(title) for heading, title in zip(details, SECTIONS)] == [True] * len(SECTIONS)
        assert details[len(SECTIONS):] == ["All Operators of SME2-On", "Accounting", "Sanity Checks", "Summary", "Generated Artifacts",
                                           "Metadata"]


def test_a_missing_configuration_is_a_warning(good, synth):
    text = section(report(good, synth), "Metadata")
    assert "⚠️ The config file is not at this path" in text
    assert text.count("/kit/configs/synth.json") == 1


def test_real_directory_has_the_numbers_of_latency(good, broken_graph):
    """Without the runs that warm up: the original counts them."""
    text = report(good, broken_graph)
    sides = [json.loads(good("latency", path, "--json", "--warmup", "2").text)["side"] for path in
             (broken_graph / f"broken_graph_xnnpack_fp32_mac_sme2_{side}_t1.etdump" for side in ("on", "off"))]
    for title, key in (("Mean Latency", "mean_ms"), ("Min Latency", "min_ms"), ("Max Latency", "max_ms")):
        one, other = (side[key] for side in sides)
        assert f"| **{title}** | {one:.3f} ms | {other:.3f} ms | {other / one:.2f}x |" in text.splitlines()
    assert "| **Max Latency** | 0.254 ms | 0.270 ms | 1.06x |" in text.splitlines()
    rows = {plain(row[0]): row[1:3] for row in tables(section(text, "Operator Category Breakdown (SME2-On vs SME2-Off)", 3))[0]}
    assert rows["GEMM"] == ["0.085", "0.089"]


# ---- metadata -------------------------------------------------------------------------------------------------------


def test_the_device_is_never_the_machine_that_reports(good, synth):
    assert "- **Device**: not recorded" in section(report(good, synth), "Device Information", 3)
    change(synth / "manifest.json", device={"architecture": "arm64-v8a", "os": "Android", "version": "15 (API 35)", "cores": 8,
                                            "features": ["sme", "sme2"]})
    text = section(report(good, synth), "Device Information", 3)
    assert text.strip().splitlines() == ["- **Architecture**: arm64-v8a", "- **Platform**: Android",
                                         "- **Platform Version**: 15 (API 35)", "- **CPU Cores**: 8",
                                         "- **CPU Features**: sme sme2"]


def test_runners_are_found_beside_the_run_directory(good, synth, tmp_path):
    runner = tmp_path / "executorch" / "cmake-out" / "runner"
    config = tmp_path / "config.json"
    runner.parent.mkdir(parents=True)
    runner.write_bytes(b"x" * 1024 * 1024)
    runner.chmod(0o755)
    deep = tmp_path / "out" / "runs" / "mac"
    shutil.copytree(synth, deep)
    config.write_text(json.dumps({"experiments": [{"name": "mac_sme2_on", "runner_path": "cmake-out/runner"},
                                                  {"name": "mac_sme2_off", "runner_path": "/nowhere/runner"}]}))
    change(deep / "manifest.json", config=str(config))
    lines = section(report(good, deep), "Runner Paths", 3).split("\n")
    assert lines[1:10] == ["- **mac_sme2_on**:", "  - Relative path: `cmake-out/runner`",
                           f"  - Full path: `{os.path.realpath(runner)}`", "  - Status: ✓ Executable", "  - Size: 1.00 MB",
                           "- **mac_sme2_off**:", "  - Path: `/nowhere/runner`",
                           "  - Status: ⚠️ Not found on this machine", ""]


def test_the_second_form_of_the_manifest(good, synth):
    change(synth / "manifest.json", executorch={"actual_sha": "aaa", "expected_sha": "bbb", "dirty": True, "compatible": False,
                                                "patches_required": True})
    text = section(report(good, synth), "ExecuTorch Information", 3)
    for line in ["- **ExecuTorch SHA**: `aaa`", "- **Expected SHA**: `bbb`", "- **ExecuTorch Status**: ⚠️ Dirty",
                 "- **Pin Compatible**: No", "- **Patches Required**: Yes"]:
        assert line in text


def test_times_say_which_file_they_come_from(good, broken_graph):
    rows = tables(section(report(good, broken_graph), "Analysis Information", 3))[0]
    assert plain(rows[2][0]) == "mac_sme2_on"
    assert plain(rows[2][1]) == "broken_graph_xnnpack_fp32_mac_sme2_on_t1.etdump"
    assert plain(rows[2][3]) == "broken_graph_xnnpack_fp32_mac_sme2_on_trace_t1_xnntrace.log"


def test_a_damaged_dump_is_named_and_the_next_best_taken(good, broken_graph):
    dump = broken_graph / "broken_graph_xnnpack_fp32_mac_sme2_on_t1.etdump"
    dump.write_bytes(dump.read_bytes()[:3000])
    result = good("report", "--run-dir", broken_graph)
    text = (broken_graph / "report.md").read_text()
    assert dump.name in result.err
    assert f"⚠️ Note: {dump}: the dump is cut" in text
    assert "| **Median Latency** | 0.22" in text
    assert "one side has only sums over their types" in text


# ---- latency --------------------------------------------------------------------------------------------------------


def test_one_launch_gives_no_verdict(good, synth):
    result = good("report", "--run-dir", synth)
    sentence = "30.2 against 11.6 ms, but one launch a side cannot tell a change from luck: run 5 or more"
    assert result.text.splitlines()[1] == f"From mac_sme2_off to mac_sme2_on: {sentence}"
    text = (synth / "report.md").read_text()
    assert section(text, "Latency Comparison").lstrip().startswith(f"ℹ️ From `mac_sme2_off` to `mac_sme2_on`: {sentence}.")
    assert "⚠️ This is an estimate, not a verdict" in section(text, "Summary")


def test_five_launches_give_one(good, tmp_path):
    folder = tmp_path / "launches"
    header = "name,duration_ms,run_index,backend"
    for side, base in (("off", 7.4), ("on", 6.6)):
        for launch in range(1, 6):
            rows = "".join(f"Method::execute,{base + 0.01 * launch + 0.001 * run},{run},\n" for run in range(8))
            path = folder / f"net_fast_{side}_t1_l{launch}_exec_all_runs_timeline.csv"
            path.parent.mkdir(exist_ok=True)
            path.write_text(header + "\n" + rows)
    text = report(good, folder)
    assert "## Latency Comparison (fast_on vs fast_off)" in text
    assert re.search(r"^✅ From `fast_off` to `fast_on`: 1\.12x faster, 95 % CI 1\.1\d to 1\.1\d, 5 launches a side\.$",
                     text, re.M)
    assert "✅ `fast_on` is **1.12x faster** than `fast_off` in median latency." in text
    assert "40 runs in 5 launches of `fast_on`" in text
    assert "SME2" not in section(text, "Latency Comparison")


def test_warm_up_counts_nowhere_and_is_told(good, broken_graph):
    text = section(report(good, broken_graph), "Latency Comparison")
    assert "- Counted: 28 runs in one launch of `mac_sme2_on`, 28 runs" in text
    assert re.search(r"- Warm-up: the first 2 runs of each launch did not count for any number here\. The table is over runs, the verdict "
                     r"over the medians of launches: 0\.223 and 0\.22\d ms", text)


def test_warm_up_is_what_the_user_says(good, broken_graph):
    for warmup, counted in (("none", 30), ("7", 23)):
        text = report(good, broken_graph, "--warmup", warmup)
        assert f"- Counted: {counted} runs in one launch of `mac_sme2_on`" in text
    assert "| **Max Latency** | 0.302 ms | 0.296 ms | 0.98x |" in report(good, broken_graph, "--warmup", "none")


def test_trace_runs_never_enter_latency(good, broken_graph):
    shutil.copy(broken_graph / "broken_graph_xnnpack_fp32_mac_sme2_off_t1.etdump",
                broken_graph / "broken_graph_xnnpack_fp32_mac_sme2_on_trace_t1.etdump")
    text = report(good, broken_graph)
    assert "| **Median Latency** | 0.223 ms | 0.225 ms | 1.01x |" in text
    assert "All Experiments" not in text


def test_thread_sweep_and_all_experiments(good, broken_graph):
    for side in ("on", "off"):
        shutil.copy(broken_graph / f"broken_graph_xnnpack_fp32_mac_sme2_{side}_t1.etdump",
                    broken_graph / f"broken_graph_xnnpack_fp32_mac_sme2_{side}_t10.etdump")
    text = report(good, broken_graph)
    sweep = tables(section(text, "Thread Sweep", 3))[0]
    assert [row[1] for row in sweep[1:]] == ["1", "10"]
    assert [row[4] for row in sweep[1:]] == ["1.01x", "1.01x"]
    assert [plain(row[0]) for row in tables(section(text, "All Experiments", 3))[0][1:]] == [
        "mac_sme2_off_t1", "mac_sme2_off_t10", "mac_sme2_on_t1", "mac_sme2_on_t10"]
    assert "### Operator Category Breakdown (mac_sme2_on_t10 vs mac_sme2_off_t10)" in text


def test_any_two_experiments(good, tacho, tmp_path):
    for name in "abc":
        shutil.copy(RUN / "broken_graph_xnnpack_fp32_mac_sme2_on_t1.etdump", tmp_path / f"net_{name}_t1.etdump")
    assert "Name two of them with --baseline and --candidate" in report(good, tmp_path)
    text = report(good, tmp_path, "--baseline", "b", "--candidate", "a")
    assert "## Latency Comparison (a vs b)" in text and "| Metric | a | b | Speedup |" in text
    assert "| **Median Latency** | 0.223 ms | 0.223 ms | 1.00x |" in text
    bad = tacho("report", "--run-dir", tmp_path, "--baseline", "b", "--candidate", "nobody")
    assert bad.code == 2 and "there are: a, b, c" in bad.err


# ---- operators ------------------------------------------------------------------------------------------------------


def test_operators_have_module_and_source(good, broken_graph):
    text = report(good, broken_graph)
    rows = tables(section(text, "All Operators of SME2-On"))[0]
    linears = [row for row in rows[1:] if "Fully Connected" in row[0]]
    assert [[plain(cell) for cell in row[1:4]] for row in linears] == [["0", "a", "models.py:56"], ["1", "b", "models.py:56"],
                                                                       ["2", "c", "models.py:57"]]
    assert all(float(row[8]) > 50 and row[9] == "by order" for row in linears)
    cumsum = next(row for row in rows if "cumsum" in row[0])
    assert cumsum[1] == "portable" and cumsum[3] == "models.py:56"
    assert "y = self.b(torch.cumsum(F.relu(self.a(x)), 1))" in section(text, "Portable Operators of SME2-On", 3)


def test_every_joined_row_of_the_source_map(good, mobilenet):
    text = report(good, mobilenet)
    rows = tables(section(text, "All Operators of mac_sme2_on"))[0]
    module, source = rows[0].index("Module"), rows[0].index("Source")
    shown = {plain(row[0]): (plain(row[module]), row[source]) for row in rows[1:]}
    kernels = {plain(row[0]): row for row in tables(section(text, "Kernels by Operator (mac_sme2_on)", 3))[0][1:]}
    with open(PARTS / "golden" / "mobilenet_source_map.csv", newline="", encoding="utf-8") as golden:
        joined = [row for row in csv.DictReader(golden) if row["module"]]
    assert len(joined) > 50
    for row in joined:
        assert shown[row["event"]] == (row["module"], row["source"])
        if row["m"]:
            assert kernels[row["event"]][3:5] == [row["m"], row["n"]]
            assert int(kernels[row["event"]][5]) * int(row["m"]) * int(row["n"]) * int(row["groups"]) == int(row["macs"])


def test_operators_by_module(good, mobilenet, synth):
    text = report(good, mobilenet, "--by-module")
    rows = tables(section(text, "By Module", 3))[0]
    names = [plain(row[0]) for row in rows[1:]]
    assert names[:4] == ["(model)", "features.0", "features.1", "features.2"] and "features.10" in names
    assert names.index("features.9") < names.index("features.10")
    ran = tables(section(text, "Portable vs Delegated Operator Analysis"))[0]
    assert sum(float(row[2]) for row in rows[1:]) == pytest.approx(sum(float(row[2]) for row in ran[1:]), abs=0.02)
    assert "cannot be grouped by module: there is no ETRecord" in report(good, synth, "--by-module")


def test_sums_add_up_to_the_inference(good, broken_graph, synth, mobilenet):
    for folder in (broken_graph, synth, mobilenet):
        rows = tables(section(report(good, folder), "Accounting"))[0]
        assert len(rows) > 1
        for row in rows[1:]:
            parts = [round(float(cell) * 1000000) for cell in row[2:]]
            assert sum(parts[:4]) == parts[4] == parts[5]
    assert "± 1 µs each" in section(report(good, broken_graph), "Accounting")


def test_rules_of_the_user(good, broken_graph, tmp_path):
    rules = tmp_path / "rules.txt"
    rules.write_text("cumsum = layout\n")
    before = {row[0]: row[1] for row in tables(section(report(good, broken_graph), "Operator Category Breakdown (SME2-On", 3))[0]}
    after = {row[0]: row[1] for row in tables(section(report(good, broken_graph, "--rules", rules),
                                                      "Operator Category Breakdown (SME2-On", 3))[0]}
    assert before["**Data Movement**"] == "0.000" and float(after["**Data Movement**"]) > 0.05


# ---- kernels and findings -------------------------------------------------------------------------------------------


def test_no_sme2_kernel_is_said_with_three_checks(good, broken_graph):
    text = report(good, broken_graph)
    kernels = section(text, "Kernel-Level Insights")
    assert "⚠️ **No SME2 kernel** is in the log of `mac_sme2_on`. Check:" in kernels
    assert kernels.count("?** ") == 3
    assert "xnn_f32_gemm_minmax_ukernel_7x32__avx512f_broadcast` | ran | absent | AVX-512 |" in kernels
    assert "no SME2 kernel: the difference has another cause" in section(text, "Summary")


def test_kernel_tables_serve_without_logs(good, broken_graph):
    for log in broken_graph.glob("*_xnntrace.log"):
        log.unlink()
    text = section(report(good, broken_graph), "Kernel-Level Insights")
    assert "Only an XNNPACK log of level 5 shows what ran" in text
    assert "Kernels by Operator" not in text


def test_no_kernel_log(good, synth):
    assert "No kernel log is there" in section(report(good, synth), "Kernel-Level Insights")


def test_recommendations_cite_source_and_numbers(good, broken_graph):
    text = section(report(good, broken_graph), "Actionable Recommendations")
    titles = re.findall(r"^### (.*)$", text, re.M)
    assert len(titles) == 4
    assert re.search(r"cumsum runs in a portable kernel, .* takes 55\.9\d\dµs of 229\.\d+µs \(24\.4 %\)", text)
    assert "`native_call_cumsum.out` at `models.py:56`: 55.9" in text
    assert "Ruled out: " in text and "At most, if " in text and "\n```\ntacho " in text
    assert tables(text)[0][1] == ["0.041", "17.9", "Replace cumsum, or give it a faster kernel", "`models.py:56`", "kernel", "portable"]


def test_four_checks_under_the_expected_speedup(good, broken_graph):
    text = section(report(good, broken_graph), "Below What SME2 Would Give", 3)
    assert [plain(row[0]) for row in tables(text)[0][1:]][0] == "GEMM"
    assert text.count("?** ") == 4


def test_sanity_and_agreement(good, broken_graph):
    text = section(report(good, broken_graph), "Sanity Checks")
    assert text.count("is over the sum of the top categories") == 2
    assert text.count("is under three times the sum of all operators") == 2
    assert "✅ `mac_sme2_on`: the median of all runs, 0.223 ms, agrees with the pipeline summary (0.223 ms) within 5 %" in text
    summary = next(broken_graph.glob("*_pipeline_summary.json"))
    content = json.loads(summary.read_text())
    for run in content["runs"]:
        run.get("metrics", {})["median_ms"] = 1.0
    summary.write_text(json.dumps(content))
    assert "❌ `mac_sme2_on`: the median of all runs, 0.223 ms, differs from the pipeline summary (1.000 ms)" in report(good, broken_graph)


# ---- directories that lack something --------------------------------------------------------------------------------


def test_an_empty_folder(tacho, tmp_path):
    result = tacho("report", "--run-dir", tmp_path)
    assert result.code == 3 and "nothing to report" in result.err
    assert list(tmp_path.iterdir()) == []
    assert tacho("report", "--run-dir", tmp_path / "gone").code == 3


def test_only_operator_statistics(good, tmp_path):
    for path in RUN.glob("*_ops_stats.csv"):
        shutil.copy(path, tmp_path)
    text = report(good, tmp_path)
    assert "no latency was recorded" in text
    rows = {plain(row[0]): row[1:3] for row in tables(section(text, "Operator Category Breakdown (SME2-On vs SME2-Off)", 3))[0]}
    assert rows["GEMM"] == ["0.085", "0.089"]
    assert "Sums by type" in text


def test_only_metrics(good, tmp_path):
    shutil.copy(RUN / "metrics.json", tmp_path)
    text = report(good, tmp_path)
    assert "| **Median Latency** | 0.223 ms | 0.225 ms | 1.01x |" in text
    assert "Latencies are those that `metrics.json` states" in text
    assert "No file tells about operators" in section(text, "Operator Category Breakdown")


def test_only_logs_of_the_runner(good, tmp_path):
    for path in RUN.glob("*_latency.log"):
        shutil.copy(path, tmp_path)
    assert "Latencies are those that the runner printed" in report(good, tmp_path)


def test_only_kernel_logs(tacho, tmp_path):
    for path in RUN.glob("*_xnntrace.log"):
        shutil.copy(path, tmp_path)
    result = tacho("report", "--run-dir", tmp_path)
    assert result.code == 3 and "tacho kernels" in result.err


def test_one_experiment(good, mobilenet):
    text = report(good, mobilenet)
    assert "There is one experiment, so nothing is compared." in text
    assert "\n## Latency Comparison\n" in text


# ---- forms and failures ---------------------------------------------------------------------------------------------


def test_json_has_exact_numbers(good, synth, tmp_path):
    out = tmp_path / "report.json"
    good("report", "--run-dir", synth, "--out", out)
    content = json.loads(out.read_text())
    median = content["sections"]["latency"]["latency"][0]
    assert median["candidate"] == pytest.approx(11.6261975, rel=1e-12)
    assert median["baseline"] == pytest.approx(30.1858445, rel=1e-12)


def test_html_is_a_page(good, broken_graph, tmp_path):
    out = tmp_path / "report.html"
    good("report", "--run-dir", broken_graph, "--out", out, "--title", "A <b> & c")
    page = out.read_text()
    assert page.lstrip().lower().startswith("<!doctype html")
    assert "A &lt;b&gt; &amp; c" in page and "<script" not in page
    for title in FRONT + SECTIONS + ["Metadata"]:
        assert title.split(" (")[0] in page


def test_standard_output(good, synth):
    assert good("report", "--run-dir", synth, "--out", "-").text.startswith("# Profiling Report: synth\n")


def test_wrong_usage(tacho, synth, tmp_path):
    for arguments in ([], ["--run-dir", synth, "--mac-dir", synth], ["--run-dir", synth, "--out", tmp_path / "report.docx"],
                      ["--platform", "nothing"], ["--run-dir", synth, "--ticks", "days"]):
        assert tacho("report", *arguments).code == 2
    assert not (synth / "report.md").exists()


def test_a_report_that_cannot_be_written(tacho, synth, tmp_path):
    (tmp_path / "file").write_text("")
    result = tacho("report", "--run-dir", synth, "--out", tmp_path / "file" / "report.md")
    assert result.code == 4


# ---- several platforms ----------------------------------------------------------------------------------------------


def test_combined_report_has_the_original_numbers(good, synth):
    phone = synth.parent / "android"
    shutil.copytree(synth, phone)
    result = good("report", "--mac-dir", synth, "--android-dir", phone)
    out = synth.parent / "combined_report.md"
    assert result.text.splitlines()[0] == str(out)
    text = out.read_text()
    assert text.startswith("# Profiling Report: synth (macOS + Android)\n")
    assert "- **Model**: `synth.pte`" in text and "- **Platforms**: macOS, Android" in text
    rows = tables(section(text, "Cross-Platform Latency Comparison"))[0]
    assert [row[:7] for row in rows] == [
        ["Platform", "Experiment", "Median (ms)", "Mean (ms)", "Min (ms)", "Max (ms)", "Std Dev (ms)"],
        ["macOS", "mac_sme2_off", "30.19", "30.16", "30.04", "30.24", "0.07"],
        ["macOS", "mac_sme2_on", "11.63", "11.63", "11.60", "11.67", "0.02"],
        ["Android", "mac_sme2_off", "30.19", "30.16", "30.04", "30.24", "0.07"],
        ["Android", "mac_sme2_on", "11.63", "11.63", "11.60", "11.67", "0.02"]]
    speedups = tables(section(text, "SME2 Speedup Comparison (SME2-On vs SME2-Off)"))[0]
    assert [row[:2] for row in speedups[1:]] == [["macOS", "2.60x"], ["Android", "2.60x"]]
    for platform in ("macOS", "Android"):
        assert [row[:3] for row in tables(section(text, platform, 3))[0][1:]] == [
            ["**Convolution**", "5.717", "18.449"], ["**Data Movement**", "2.336", "2.336"],
            ["**Elementwise**", "1.902", "1.902"], ["**GEMM**", "1.625", "7.427"]]


def test_any_number_of_platforms(good, tacho, synth, broken_graph, tmp_path):
    out = tmp_path / "all.json"
    empty = tmp_path / "empty"
    empty.mkdir()
    result = good("report", "--platform", f"Board A={synth}", f"Board B={broken_graph}", f"Board C={empty}", "--out", out,
                  "--model-name", "mine")
    assert "Board C is left out" in result.err
    content = json.loads(out.read_text())
    assert content["title"] == "Profiling Report: mine (Board A + Board B)"
    assert tacho("report", "--mac-dir", empty, "--android-dir", empty).code == 3


def test_warm_up_that_the_manifest_states_does_not_count(good, broken_graph):
    """Of 30 runs the first 5 are warm-up, whatever the times say."""
    path = broken_graph / "manifest.json"
    manifest = json.loads(path.read_text())
    for result in manifest["results"]:
        result["warmup_in_process"] = 5
    path.write_text(json.dumps(manifest))
    assert "Warm-up: the first 5 runs of each launch did not count" in report(good, broken_graph)


def test_a_result_that_failed_has_no_time_also_without_a_list_of_launches(good, tacho, tmp_path):
    """Its dump and the latencies that the manifest states are of a program that died."""
    folder = tmp_path / "run"
    shutil.copytree(tool.ROOT / "examples" / "mobilenet_xnnpack", folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["results"][1] |= {"status": "failed", "reason": "killed by signal 4 (SIGILL)"}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    text = good("report", "--run-dir", folder).text
    assert "mac_sme2_on: its launch failed (killed by signal 4 (SIGILL)); there is no time to report" in text and " against " not in text
    assert "❌ mac_sme2_on: 1 of 1 launches failed" in tacho("validate", folder).text
    (dump,) = folder.glob("*_on_t1.etdump")
    assert tacho("latency", dump).code == 3
