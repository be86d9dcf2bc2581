"""tacho validate: complete and broken run directories of both generations, numbers that agree and that do not."""
import json
import shutil

import pytest

import tool

RUN = tool.DATA / "rundir" / "broken_graph"
STEM = "broken_graph_xnnpack_fp32_mac_sme2"
GOLDEN = tool.DATA / "rundir" / "broken_graph.validate.txt"


@pytest.fixture
def run_dir(tmp_path):
    """A copy that may be damaged."""
    folder = tmp_path / "run"
    shutil.copytree(RUN, folder)
    return folder


def change(folder, name, edit):
    path = folder / name
    content = json.loads(path.read_text())
    edit(content)
    path.write_text(json.dumps(content))


def checks(tacho, folder, *options, code=0):
    """The rows by check; of several with the same name, a list in order."""
    result = tacho("validate", "--results", folder, "--json", *options)
    assert result.code == code, result.err
    return json.loads(result.text)["rows"]


def failed(rows):
    return [row["check"] for row in rows if row["passed"] is False]


def new_form(folder):
    """The same run as a manifest of the second generation describes it."""
    artifacts = {}
    for side in ("on", "off"):
        (folder / f"{STEM}_{side}_t1_exec_all_runs_timeline_robust_stats.json").write_text("{}")
        shutil.copy(folder / f"{STEM}_{side}_t1_exec_ops_stats.csv", folder / f"{side}.csv")
        artifacts[side] = {
            "etdump": {"path": f"gone/{STEM}_{side}_t1.etdump", "exists": True, "relative_path": f"{STEM}_{side}_t1.etdump"},
            "timeline_all": {"path": str(folder / f"{side}.csv"), "exists": True},
            "robust_stats": f"{STEM}_{side}_t1_exec_all_runs_timeline_robust_stats.json"}

    def edit_manifest(manifest):
        manifest.update(schema_version=1, output_root="out", executorch={
            "present": True, "expected_sha": "aaa", "actual_sha": "aaa", "compatible": True, "patches_required": False})
        for result in manifest["results"]:
            result.update(mode="timing", threads=1, artifacts=artifacts[result["experiment"].split("_")[-1]])
        manifest["results"].append({"experiment": "mac_sme2_on_trace", "mode": "xnntrace", "threads": 1, "artifacts": {
            "xnntrace_log": {"relative_path": f"{STEM}_on_trace_t1_xnntrace.log"},
            "kernel_csv": {"relative_path": f"{STEM}_on_trace_t1_kernels.csv"}}})

    def edit_metrics(metrics):
        metrics["results"].append({"experiment": "mac_sme2_on_trace", "mode": "xnntrace", "metrics": {"kernel_rows": 7}})

    change(folder, "manifest.json", edit_manifest)
    change(folder, "metrics.json", edit_metrics)
    return folder


def test_lines_begin_as_the_original_has_them(good):
    lines = good("validate", "--results", RUN).text.splitlines()
    wanted = GOLDEN.read_text().replace("out/runs/broken_graph_fp32", str(RUN)).splitlines()
    assert lines[:len(wanted)] == wanted
    assert all(line.startswith(("✅ ", "⚠️  ")) for line in lines)


def test_latencies_are_held_against_both_files(good):
    text = good("validate", RUN).text
    assert "mac_sme2_on: median latency 0.223 ms agrees with the pipeline summary (0.223 ms)" in text
    assert "mac_sme2_off: median latency 0.226 ms agrees with metrics.json (0.226 ms)" in text
    assert text.count("is over the sum of the top categories") == 2
    assert text.count("is under three times the sum of all operators") == 2


def test_runs_that_differ_are_a_warning(tacho):
    rows = checks(tacho, RUN)
    steady = {row["experiment"]: row for row in rows if row["check"] == "latency_steady"}
    assert steady["mac_sme2_off"]["result"] == "warning" and steady["mac_sme2_off"]["passed"] is True
    assert steady["mac_sme2_on"]["result"] == "passed"


@pytest.mark.parametrize("name, wanted", [
    ("manifest.json", ["manifest_exists"]), ("metrics.json", ["metrics_exists"])])
def test_a_missing_document(tacho, run_dir, name, wanted):
    (run_dir / name).unlink()
    assert failed(checks(tacho, run_dir, code=1)) == wanted
    result = tacho("validate", "--results", run_dir)
    assert f"❌ {name} is missing\n" in result.text
    assert result.err == f"tacho: 1 of {len(result.text.splitlines())} checks failed\n"


def test_a_document_that_is_no_json(tacho, run_dir):
    (run_dir / "manifest.json").write_text('{"model": ')
    rows = checks(tacho, run_dir, code=1)
    assert failed(rows) == ["manifest_exists"]
    assert "manifest.json:1:" in [row for row in rows if row["passed"] is False][0]["detail"]


@pytest.mark.parametrize("key, check", [("model", "manifest_model"), ("results", "manifest_results")])
def test_a_manifest_without(tacho, run_dir, key, check):
    change(run_dir, "manifest.json", lambda manifest: manifest.pop(key))
    assert failed(checks(tacho, run_dir, code=1)) == [check]


def test_no_dumps(tacho, run_dir):
    for dump in run_dir.glob("*.etdump"):
        dump.unlink()
    rows = checks(tacho, run_dir, code=1)
    assert failed(rows) == ["etdumps_found"]
    # Latencies are then those of the runner's log; operators have no runs.
    assert [row["passed"] for row in rows if row["check"] == "latency_over_categories"] == [None, None]


def test_a_file_that_only_has_the_name_of_a_dump(tacho, run_dir):
    (run_dir / f"{STEM}_on_t1.etdump").write_text("dummy")
    found = [row for row in checks(tacho, run_dir) if row["check"] == "etdumps_found"][0]
    assert found["result"] == "warning" and "1 are no ETDumps" in found["detail"]


def test_a_dump_that_is_cut(tacho, run_dir):
    dump = run_dir / f"{STEM}_on_t1.etdump"
    dump.write_bytes(dump.read_bytes()[:1000])
    rows = checks(tacho, run_dir, code=1)
    assert failed(rows) == ["files_readable"]
    assert f"{STEM}_on_t1.etdump" in [row for row in rows if row["passed"] is False][0]["detail"]


@pytest.mark.parametrize("factor, passes", [(1.049, True), (1.06, False), (0.953, True), (0.94, False)])
def test_five_percent(tacho, run_dir, factor, passes):
    def edit(metrics):
        metrics["results"][0]["metrics"]["median_ms"] *= factor
    change(run_dir, "metrics.json", edit)
    assert failed(checks(tacho, run_dir, code=0 if passes else 1)) == ([] if passes else ["latency_metrics"])


def test_five_percent_of_the_summary(tacho, run_dir):
    def edit(summary):
        for run in summary["runs"]:
            if run["metrics"].get("median_ms"):
                run["metrics"]["median_ms"] *= 3
    change(run_dir, "broken_graph_xnnpack_fp32_pipeline_summary.json", edit)
    rows = checks(tacho, run_dir, code=1)
    assert failed(rows) == ["latency_summary", "latency_summary"]
    assert "differs from the pipeline summary" in [row for row in rows if row["passed"] is False][0]["detail"]


# ---- the second generation --------------------------------------------------------------------------------------------


def test_new_form_complete(tacho, run_dir):
    rows = checks(tacho, new_form(run_dir))
    assert failed(rows) == []
    assert {"manifest_output_root", "manifest_executorch", "executorch_compatible", "executorch_patches", "artifacts",
            "metrics"} <= {row["check"] for row in rows}
    assert len([row for row in rows if row["check"] == "artifacts"]) == 3


@pytest.mark.parametrize("edit, check", [
    (lambda manifest: manifest.pop("output_root"), "manifest_output_root"),
    (lambda manifest: manifest.pop("executorch"), "manifest_executorch"),
    (lambda manifest: manifest["executorch"].update(compatible=False), "executorch_compatible"),
    (lambda manifest: manifest["executorch"].update(patches_required=True), "executorch_patches"),
    (lambda manifest: manifest["results"][0].pop("artifacts"), "artifacts"),
    (lambda manifest: manifest["results"][0]["artifacts"].pop("timeline_all"), "artifacts"),
    (lambda manifest: manifest["results"][0]["artifacts"]["etdump"].update(relative_path="no"), "artifacts"),
    (lambda manifest: manifest["results"][-1]["artifacts"].pop("kernel_csv"), "artifacts"),
    (lambda manifest: manifest.update(results=[]), "manifest_results")])
def test_new_form_wants_more(tacho, run_dir, edit, check):
    change(new_form(run_dir), "manifest.json", edit)
    assert failed(checks(tacho, run_dir, code=1)) == [check]


@pytest.mark.parametrize("index, key", [(0, "latency_ms"), (0, "median_ms"), (-1, "kernel_rows")])
def test_new_form_wants_metrics(tacho, run_dir, index, key):
    change(new_form(run_dir), "metrics.json", lambda metrics: metrics["results"][index]["metrics"].pop(key))
    assert failed(checks(tacho, run_dir, code=1)) == ["metrics"]


def test_a_mismatch_can_be_allowed(tacho, run_dir):
    change(new_form(run_dir), "manifest.json", lambda manifest: manifest["executorch"].update(compatible=False, actual_sha="bbb"))
    row = [row for row in checks(tacho, run_dir, "--allow-executorch-mismatch") if row["check"] == "executorch_compatible"][0]
    assert row["result"] == "warning" and row["detail"] == "ExecuTorch is bbb, not the expected aaa"


def test_traces_need_no_dumps(tacho, run_dir):
    new_form(run_dir)
    for path in run_dir.glob("*.etdump"):
        path.unlink()
    change(run_dir, "manifest.json", lambda manifest: manifest.update(results=manifest["results"][-1:]))
    rows = checks(tacho, run_dir)
    assert [row["result"] for row in rows if row["check"] == "etdumps_found"] == ["skipped"]


# ---- kernels -----------------------------------------------------------------------------------------------------------


def with_kernel(run_dir, side):
    with open(run_dir / f"{STEM}_{side}_trace_t1_kernels.csv", "a") as file:
        file.write("m,xnn_pf32_gemm_minmax_ukernel_1x32__neonsme2,gemm,1,pf32,gemm,minmax,1x32,neonsme2,1,1\r\n")


def test_sme2_kernels(tacho, run_dir):
    assert failed(checks(tacho, run_dir, "--require-sme2-kernels", code=1)) == ["sme2_kernels"]  # an x86-64 machine
    with_kernel(run_dir, "on")
    assert failed(checks(tacho, run_dir, "--require-sme2-kernels")) == []
    with_kernel(run_dir, "off")
    rows = checks(tacho, run_dir, "--require-sme2-kernels", code=1)
    assert [row["experiment"] for row in rows if row["passed"] is False] == ["mac_sme2_off_trace"]


def test_sme2_kernels_without_tables(tacho, run_dir):
    for path in [*run_dir.glob("*_kernels.csv"), *run_dir.glob("*_xnntrace.log")]:
        path.unlink()
    rows = checks(tacho, run_dir, "--require-sme2-kernels", code=1)
    assert failed(rows) == ["sme2_kernels"] and "no kernel table" in rows[-1]["detail"]


# ---- usage -------------------------------------------------------------------------------------------------------------


def test_a_folder_that_is_not_there(tacho, tmp_path):
    result = tacho("validate", "--results", tmp_path / "none")
    assert result.code == 1
    assert result.text.startswith("❌ run dir cannot be read")


def test_an_empty_folder(tacho, tmp_path):
    assert failed(checks(tacho, tmp_path, code=1)) == ["manifest_exists", "metrics_exists", "etdumps_found"]


@pytest.mark.parametrize("arguments", [[], ["a", "b"], ["--results", "a", "b"], ["--results"]])
def test_wrong_usage(tacho, arguments):
    assert tacho("validate", *arguments).code == 2


def test_columns_and_rows_can_be_chosen(good, tacho):
    lines = good("validate", "--results", RUN, "--columns", "check,result", "--filter", "check~exists").text.splitlines()
    assert [line.split() for line in lines if "exists" in line] == [
        ["run_dir_exists", "passed"], ["manifest_exists", "passed"], ["metrics_exists", "passed"]]
    assert "detail" in good("validate", "--results", RUN, "--columns", "help").text
    assert tacho("validate", "--results", RUN, "--columns", "nothing").code == 2


def test_a_table_as_a_file(good, tmp_path):
    good("validate", "--results", RUN, "-o", tmp_path / "checks.csv")
    assert (tmp_path / "checks.csv").read_text().startswith("check,experiment,passed,result,detail\n")
