"""tacho pipeline: runners are started as the configuration says, on this machine and over adb; what they leave is put in order."""
import gzip
import json
import os
import pathlib
import shutil
import signal
import subprocess

import pytest

import tool
import waiting

BUILD = tool.BUILD
RUNNER = BUILD / "tests" / "runner"
PROGRAMS = tool.TESTS / "programs"
STEM = "net_xnnpack_fp32"


# ---- a workplace ----------------------------------------------------------------------------------------------------


class Place:
    """A folder with a model, runners and a configuration."""

    def __init__(self, folder, platform="mac"):
        self.folder = folder
        self.platform = platform
        self.root = folder / "out_net" / "runs" / platform
        self.variables = {}
        (folder / "out_net" / "artifacts").mkdir(parents=True)
        (folder / "out_net" / "artifacts" / f"{STEM}.pte").write_bytes(b"model")
        (folder / "bin").mkdir()
        (folder / "configs").mkdir()
        for name in ("on", "off", "log_on", "log_off"):
            shutil.copy(RUNNER, folder / "bin" / f"runner_{name}")
        self.config = {
            "model": f"out_net/artifacts/{STEM}.pte",
            "output_root": f"out_net/runs/{platform}",
            "launches": 2,
            "experiments": [self.timing("on"), self.timing("off"), self.trace("on"), self.trace("off")],
        }

    def timing(self, side, **more):
        return {"name": f"{self.platform}_sme2_{side}", "runner_path": f"bin/runner_{side}", "mode": "timing", "runs": 4, "warmup": 2,
                "threads": [1], **more}

    def trace(self, side, **more):
        return {"name": f"{self.platform}_sme2_{side}_trace", "runner_path": f"bin/runner_log_{side}", "mode": "xnntrace",
                "threads": [1], **more}

    def write(self, config=None):
        path = self.folder / "configs" / "my_run.json"
        path.write_text(json.dumps(config if config is not None else self.config, indent=1))
        return "configs/my_run.json"

    def run(self, *options, config=None):
        return tool.run("pipeline", "--config", self.write(config), *options, cwd=self.folder, variables=self.variables)

    def good(self, *options, config=None):
        result = self.run(*options, config=config)
        assert result.code == 0, result.err
        return result

    def json(self, name):
        return json.loads((self.root / name).read_text())

    def manifest(self):
        return self.json("manifest.json")

    def result(self, experiment, threads=1):
        found = [one for one in self.manifest()["results"] if one["experiment"] == experiment and one["threads"] == threads]
        assert len(found) == 1
        return found[0]

    def files(self, suffix=""):
        return sorted(path.relative_to(self.root).as_posix() for path in self.root.rglob(f"*{suffix}") if path.is_file())


@pytest.fixture
def place(tmp_path, tacho):
    return Place(tmp_path)


@pytest.fixture
def android(tmp_path, tacho):
    made = Place(tmp_path, "android")
    tools = tmp_path / "tools"
    tools.mkdir()
    shutil.copy(PROGRAMS / "adb", tools / "adb")
    made.device = tmp_path / "device"
    made.variables = {"PATH": f"{tools}:{os.environ['PATH']}", "FAKE_ADB_ROOT": str(made.device), "ANDROID_SERIAL": None}
    return made


def median(values):
    values = sorted(values)
    middle = len(values) // 2
    return values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2


# ---- this machine ---------------------------------------------------------------------------------------------------


def test_the_run_directory(place):
    place.good()
    for side in ("on", "off"):
        folder = f"mac_sme2_{side}"
        for launch in (1, 2):
            stem = f"{folder}/{STEM}_{folder}_t1_l{launch}"
            for suffix in (".etdump", "_latency.log"):
                assert (place.root / (stem + suffix)).stat().st_size > 0
        assert (place.root / f"{folder}_trace" / f"{STEM}_{folder}_trace_t1_xnntrace.log").stat().st_size > 0
    for name in ("manifest.json", "metrics.json", f"{STEM}_pipeline_summary.json", f"{STEM}_pipeline_summary.md"):
        assert name in place.files()
    assert not place.files(".part")
    assert not list(place.folder.rglob("model.etdump")), "the dump of a trace is not left where the runner would put it"


def test_one_launch_has_the_documented_names(place):
    place.config["launches"] = 1
    place.good()
    assert f"mac_sme2_on/{STEM}_mac_sme2_on_t1.etdump" in place.files()
    assert f"mac_sme2_on/{STEM}_mac_sme2_on_t1_latency.log" in place.files()


def test_five_launches_unless_told_otherwise(place):
    del place.config["launches"]
    place.config["experiments"] = [place.timing("on"), place.timing("off", launches=3)]
    place.good()
    assert place.files("mac_sme2_on_t1_l5.etdump") and not place.files("mac_sme2_on_t1_l6.etdump")
    assert place.files("mac_sme2_off_t1_l3.etdump") and not place.files("mac_sme2_off_t1_l4.etdump")


def test_launches_take_turns_and_traces_come_last(place):
    place.config["experiments"] = [place.trace("on"), place.timing("on", threads=[1, 2]), place.timing("off", threads=[1, 2])]
    lines = [line for line in place.good("--verbose").err.splitlines() if line.startswith("[")]
    assert [line.split("] ")[1].rsplit(" of", 1)[0] for line in lines] == [
        "mac_sme2_on, 1 thread, launch 1", "mac_sme2_off, 1 thread, launch 1",
        "mac_sme2_on, 2 threads, launch 1", "mac_sme2_off, 2 threads, launch 1",
        "mac_sme2_on, 1 thread, launch 2", "mac_sme2_off, 1 thread, launch 2",
        "mac_sme2_on, 2 threads, launch 2", "mac_sme2_off, 2 threads, launch 2",
        "mac_sme2_on_trace, 1 thread, launch 1"]


def test_silent_without_verbose(place):
    assert place.good().err == ""


def test_warm_up_is_in_the_process_and_in_no_number(place):
    place.good()
    for document in (place.manifest(), place.json("metrics.json")):
        result = document["results"][0]
        assert (result["runs"], result["warmup"], result["warmup_in_process"], result["launches"]) == (4, 2, 2, 2)
        assert len(result["metrics"]["latency_ms"]) == 8
        assert result["metrics"]["runs"] == 8
        # The stand-in's first inference takes 1.7 times as long as the others.
        assert result["metrics"]["max_ms"] < 1.2 * result["metrics"]["min_ms"]
    launch = place.json("metrics.json")["results"][0]["launch_results"][0]
    assert len(launch["metrics"]["warmup_latency_ms"]) == 2
    assert launch["metrics"]["warmup_latency_ms"][0] > 1.5 * launch["metrics"]["median_ms"]
    log = (place.root / "mac_sme2_on" / f"{STEM}_mac_sme2_on_t1_l1_latency.log").read_text()
    assert "Iteration 6 of 6" in log
    assert "Model executed successfully 6 time(s)" in log
    assert "PERFORMANCE SUMMARY" in log


def test_warm_up_in_a_process_of_its_own(place):
    place.config["experiments"] = [place.timing("on", warmup_in_process=False)]
    place.good()
    result = place.result("mac_sme2_on")
    assert (result["warmup"], result["warmup_in_process"]) == (2, 0)
    assert len(result["metrics"]["latency_ms"]) == 8
    log = (place.root / "mac_sme2_on" / f"{STEM}_mac_sme2_on_t1_l1_latency.log").read_text()
    assert "Iteration 4 of 4" in log


def test_numbers_are_those_of_the_dump(place):
    place.good()
    metrics = place.json("metrics.json")["results"][0]
    for launch in metrics["launch_results"]:
        numbers = launch["metrics"]
        log = (place.root / "mac_sme2_on" / f"{STEM}_mac_sme2_on_t1_l{launch['launch']}_latency.log").read_text()
        printed = [float(line.split(": ")[1].split()[0]) for line in log.splitlines() if "] Iteration" in line]
        assert numbers["source"] == "etdump"
        assert numbers["warmup_latency_ms"] + numbers["latency_ms"] == pytest.approx(printed, abs=1e-6)
        assert numbers["median_ms"] == pytest.approx(median(numbers["latency_ms"]))
        assert numbers["mean_ms"] == pytest.approx(sum(numbers["latency_ms"]) / 4)
        assert numbers["min_ms"] == min(numbers["latency_ms"]) and numbers["max_ms"] == max(numbers["latency_ms"])
    medians = [launch["metrics"]["median_ms"] for launch in metrics["launch_results"]]
    assert metrics["metrics"]["median_ms"] == pytest.approx(median(medians))
    assert metrics["metrics"]["latency_ms"] == sum((launch["metrics"]["latency_ms"] for launch in metrics["launch_results"]), [])
    off = place.json("metrics.json")["results"][1]["metrics"]["median_ms"]
    assert off > 2 * metrics["metrics"]["median_ms"]


def test_all_documents_agree(place):
    place.good()
    summary = place.json(f"{STEM}_pipeline_summary.json")
    manifest, metrics = place.manifest(), place.json("metrics.json")
    assert len(summary["runs"]) == len(manifest["results"]) == len(metrics["results"]) == 4
    for one, other, third in zip(summary["runs"], manifest["results"], metrics["results"]):
        assert one["experiment"] == other["experiment"] == third["experiment"]
        assert one["status"] == other["status"] == "ok"
        if one["mode"] == "timing":
            assert one["metrics"]["median_ms"] == other["metrics"]["median_ms"] == third["metrics"]["median_ms"]
    text = (place.root / f"{STEM}_pipeline_summary.md").read_text()
    assert "## Timing Results" in text and "## XNNTrace Results" in text
    assert f"| mac_sme2_on | 1 | 2 of 2 | 8 | 2 | {manifest['results'][0]['metrics']['median_ms']:.2f} |" in text


def test_the_manifest(place):
    place.config["executorch_sha"] = "0123abc"
    place.good()
    manifest = place.manifest()
    assert manifest["schema_version"] == 1
    assert manifest["model"].endswith(f"{STEM}.pte")
    assert pathlib.Path(manifest["config"]) == (place.folder / "configs" / "my_run.json").resolve()
    assert manifest["platform"] == "mac"
    assert manifest["executorch"]["present"] is False
    assert manifest["executorch"]["expected_sha"] == "0123abc" and manifest["executorch"]["patches_required"] is False
    device = manifest["device"]
    assert device["architecture"] == os.uname().machine
    assert device["os"] in ("Linux", "macOS") and device["version"]
    assert device["cores"] >= 1 and isinstance(device["cpu_features"], list)
    for key in ("etdump", "log"):
        artifact = place.result("mac_sme2_on")["artifacts"][key]
        assert artifact["exists"] and (place.root / artifact["relative_path"]).exists()
        assert (place.folder / artifact["path"]).exists()
    for launch, other in zip(place.result("mac_sme2_off")["launch_results"], place.json("metrics.json")["results"][1]["launch_results"]):
        assert launch["status"] == "ok" and launch["artifacts"]["etdump"]["exists"]
        assert launch["started_at"].endswith("Z") and launch["wall_s"] > 0
        assert launch["metrics"] == other["metrics"] and len(launch["metrics"]["latency_ms"]) == 4


def test_how_a_launch_ended_is_remembered(place):
    place.config["experiments"] = [place.timing("on", extra_args=["--test_exit", "3"]), place.timing("off")]
    assert place.run().code == 1
    before = place.result("mac_sme2_on")["launch_results"]
    assert before[0]["exit_status"] == 3 and before[0]["last_lines"]
    place.good("--only", "mac_sme2_off")
    assert place.result("mac_sme2_on")["launch_results"] == before


def test_where_executorch_comes_from(place):
    tree = place.folder / "executorch"
    (tree / "cmake-out").mkdir(parents=True)
    shutil.copy(RUNNER, tree / "cmake-out" / "runner_on")
    git = [tool.need("git"), "-C", str(tree), "-c", "user.name=a", "-c", "user.email=a@b.c"]
    subprocess.run([*git, "init", "-q"], check=True)
    (tree / "file").write_text("one")
    subprocess.run([*git, "add", "file"], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "one"], check=True)
    sha = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
    # The original looks for a relative runner in executorch/ first.
    place.config["experiments"] = [place.timing("on", runner_path="cmake-out/runner_on", launches=1)]
    place.config["executorch_sha"] = sha
    place.good()
    assert place.manifest()["executorch"] == {"present": True, "sha": sha, "expected_sha": sha, "actual_sha": sha, "compatible": True,
                                              "dirty": False, "patches_required": False}
    (tree / "file").write_text("two")
    place.config["executorch_sha"] = "f" * 40
    place.good()
    assert place.manifest()["executorch"]["dirty"] is True and place.manifest()["executorch"]["compatible"] is False


def test_traces(place):
    place.good()
    result = place.result("mac_sme2_on_trace")
    assert result["metrics"] == {"kernel_rows": 4, "sme_kernel_rows": 3, "sme2_kernel_rows": 3, "sme2_kernel_calls": 3}
    assert place.result("mac_sme2_off_trace")["metrics"]["sme2_kernel_rows"] == 0
    assert "latency_ms" not in result["metrics"], "a trace tells no times"
    log = (place.root / "mac_sme2_on_trace" / f"{STEM}_mac_sme2_on_trace_t1_xnntrace.log").read_text()
    assert "Using gemm microkernel 'xnn_f32_gemm_minmax_ukernel_32x32__neonsme2'" in log
    assert "Iteration 1 of 1" in log
    assert "PERFORMANCE SUMMARY" not in log


def test_a_trace_without_kernels_is_remarked(place):
    place.config["experiments"] = [dict(place.trace("on"), runner_path="bin/runner_on")]
    place.good()
    assert "XNN_LOG_LEVEL" in place.result("mac_sme2_on_trace")["launch_results"][0]["note"]


def test_arguments_of_the_runner(place):
    script = place.folder / "bin" / "show"
    script.write_text(f"#!/bin/sh\nprintf '<%s>\\n' \"$@\"\nexec {RUNNER} \"$@\"\n")
    script.chmod(0o755)
    place.config["experiments"] = [place.timing("on", runner_path="bin/show", extra_args=["--a b", "$HOME", "--n", 7], threads=[3], launches=1)]
    place.good()
    log = (place.root / "mac_sme2_on" / f"{STEM}_mac_sme2_on_t3_latency.log").read_text()
    given = [line[1:-1] for line in log.splitlines() if line.startswith("<")]
    assert given[:6] == ["--model_path", f"out_net/artifacts/{STEM}.pte", "--num_executions", "6", "--cpu_threads", "3"]
    assert given[6] == "--etdump_path" and given[8:] == ["--a b", "$HOME", "--n", "7"]


def test_affinity(place):
    tool.need("taskset")
    script = place.folder / "bin" / "show"
    script.write_text(f"#!/bin/sh\ntaskset -p $$\nexec {RUNNER} \"$@\"\n")
    script.chmod(0o755)
    place.config["experiments"] = [place.timing("on", runner_path="bin/show", cpu_affinity="0x1", launches=1)]
    place.good()
    assert "affinity mask: 1" in (place.root / "mac_sme2_on" / f"{STEM}_mac_sme2_on_t1_latency.log").read_text()


# ---- where things are -----------------------------------------------------------------------------------------------


def test_paths_count_from_the_folder_above_the_configuration(place, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    place.write()
    result = tool.run("pipeline", "--config", place.folder / "configs" / "my_run.json", cwd=elsewhere)
    assert result.code == 0, result.err
    assert place.manifest()["results"][0]["status"] == "ok"
    assert not list(elsewhere.iterdir())


@pytest.mark.parametrize("model, expected", [
    ("x/artifacts/net.pte", "x/results"),
    ("out_this/deep/er/net.pte", "out_this/results"),
    ("plain/net.pte", "plain/results"),
    ("net.pte", "results"),
])
def test_output_root_by_default(place, model, expected):
    path = place.folder / model
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"model")
    del place.config["output_root"]
    place.config["model"] = model
    place.config["experiments"] = [place.timing("on", launches=1)]
    place.good()
    assert (place.folder / expected / "manifest.json").exists()
    assert (place.folder / expected / "mac_sme2_on" / "net_mac_sme2_on_t1.etdump").exists()


# ---- only, analysis only, again -------------------------------------------------------------------------------------


def test_only(place):
    place.good("--only", "mac_sme2_on")
    assert place.result("mac_sme2_on")["status"] == "ok"
    assert place.result("mac_sme2_off")["status"] == "pending"
    assert not (place.root / "mac_sme2_off").exists()
    place.good("--only", "mac_sme2_off", "mac_sme2_off_trace")
    assert place.result("mac_sme2_off")["status"] == "ok"
    on = place.result("mac_sme2_on")
    assert on["status"] == "analysis-only", "what an earlier call measured stays"
    assert len(on["metrics"]["latency_ms"]) == 8


def test_only_an_unknown_one(place):
    result = place.run("--only", "nobody")
    assert result.code == 2
    assert "--only nobody" in result.err and "mac_sme2_on" in result.err


def test_analysis_only_runs_nothing(place):
    place.good()
    before = place.json("metrics.json")["results"][0]["metrics"]
    device = place.manifest()["device"]
    for name in ("metrics.json", f"{STEM}_pipeline_summary.json"):
        (place.root / name).unlink()
    shutil.rmtree(place.folder / "bin")
    place.good("--analysis-only")
    assert place.json("metrics.json")["results"][0]["metrics"] == before
    assert place.result("mac_sme2_on")["status"] == "analysis-only"
    assert place.manifest()["device"] == device


def test_analysis_only_without_a_manifest(place):
    place.good()
    before = place.json("metrics.json")["results"][0]["metrics"]
    (place.root / "manifest.json").unlink()
    place.good("--analysis-only")
    assert place.json("metrics.json")["results"][0]["metrics"] == before
    assert place.manifest()["device"] is None, "the device that it ran on is not this one's business"


@pytest.mark.parametrize("text", ["", "{", "[]", "{\"results\": 7, \"device\": 3}", "{\"results\": [{\"experiment\": 4}, 5]}"])
def test_an_earlier_manifest_that_is_none(place, text):
    place.good()
    before = place.json("metrics.json")["results"][0]["metrics"]
    (place.root / "manifest.json").write_text(text)
    place.good("--analysis-only")
    assert place.json("metrics.json")["results"][0]["metrics"] == before


def test_analysis_only_of_nothing(place):
    result = place.run("--analysis-only")
    assert result.code == 3
    assert "no dump or log" in result.err
    assert not place.root.exists()


def test_a_second_run_replaces_the_first(place):
    place.config["experiments"] = [place.timing("on")]
    place.good()
    first = place.result("mac_sme2_on")["metrics"]["median_ms"]
    place.config["experiments"] = [place.timing("on", extra_args=["--test_slow", "3"])]
    place.good()
    assert place.result("mac_sme2_on")["metrics"]["median_ms"] > 2 * first


def test_dumps_that_do_not_belong_are_named(place):
    place.config["experiments"] = [place.timing("on", launches=3)]
    place.good()
    place.config["experiments"] = [place.timing("on", launches=2)]
    err = place.good().err
    assert f"{STEM}_mac_sme2_on_t1_l3.etdump is not of this configuration" in err


# ---- what goes wrong ------------------------------------------------------------------------------------------------


def failing(place, **more):
    place.config["experiments"] = [place.timing("on", **more), place.timing("off")]
    result = place.run()
    assert result.code == 1, result.err
    assert place.result("mac_sme2_off")["status"] == "ok", "the rest goes on"
    assert len(place.result("mac_sme2_off")["metrics"]["latency_ms"]) == 8
    return result, place.result("mac_sme2_on")


def test_exit_status(place):
    result, on = failing(place, extra_args=["--test_exit", "3"])
    assert on["status"] == "failed" and on["reason"] == "exit status 3"
    assert "2 of 4 launches failed" in result.err and "exit status 3" in result.err
    assert "mac_sme2_on" in result.text and "failed" in result.text


def test_crash_before_the_dump(place):
    _, on = failing(place, extra_args=["--test_crash", "start"])
    assert on["reason"] == "ended by signal 11 (Segmentation fault)"
    assert not on["artifacts"]["etdump"]["exists"] and on["artifacts"]["log"]["exists"]
    assert not place.files("mac_sme2_on_t1_l1.etdump")
    assert "is loaded" in (place.root / "mac_sme2_on" / f"{STEM}_mac_sme2_on_t1_l1_latency.log").read_text()


def test_crash_after_the_dump_keeps_it(place):
    _, on = failing(place, extra_args=["--test_crash", "end"])
    assert on["status"] == "failed" and on["artifacts"]["etdump"]["exists"]
    assert on["metrics"] == {}, "a launch that failed has no time"
    assert place.json("metrics.json")["results"][0]["metrics"] == {}
    launch = on["launch_results"][0]
    assert launch["signal"] == 11 and "exit_status" not in launch and launch["metrics"] == {}
    assert any("Iteration" in line for line in launch["last_lines"]) and len(launch["last_lines"]) <= 6


def test_crash_with_half_a_dump(place):
    _, on = failing(place, extra_args=["--test_crash", "half"])
    assert not on["artifacts"]["etdump"]["exists"]
    assert "incomplete" in on["launch_results"][0]["note"]
    assert not place.files(".part")


def test_a_side_that_crashed_gets_no_factor(place):
    """It dies after its dump is whole: the dump is kept, and nothing rests on it."""
    failing(place, extra_args=["--test_crash", "end"])
    report = (place.root / "report.md").read_text()
    first = report.index("2 of 2 launches of** `mac_sme2_on` **failed**")
    assert first < report.index("## Metadata") and "ended by signal 11 (Segmentation fault)" in report
    assert "It printed last: `" in report
    assert "x speedup" not in report and "x faster" not in report and "nothing is compared with it" in report
    result = tool.good("report", "--run-dir", place.root)
    assert result.text.splitlines()[1].startswith("mac_sme2_on: all 2 launches failed (ended by signal 11")
    assert "mac_sme2_off: " in result.text
    result = tool.run("validate", "--results", place.root)
    assert result.code == 1
    assert "❌ mac_sme2_on: 2 of 2 launches failed, the first because: ended by signal 11" in result.text
    assert "✅ mac_sme2_off: no launch failed" in result.text
    assert not [line for line in result.text.splitlines() if line.startswith("✅ mac_sme2_on: ")]


def test_all_sides_crashed(place):
    place.config["experiments"] = [place.timing(side, extra_args=["--test_crash", "end"]) for side in ("on", "off")]
    assert place.run().code == 1
    result = tool.good("report", "--run-dir", place.root)
    assert "all 2 launches failed" in result.text and "there is no time to report" in result.text


def test_json_is_the_manifest(place):
    place.config["experiments"] = [place.timing("on", launches=1)]
    printed = json.loads(place.good("--json").text)
    manifest = place.manifest()
    assert printed.pop("generated_at") and manifest.pop("generated_at")
    assert printed == manifest


def test_files_that_the_manifest_does_not_list_are_left_out(place):
    place.config["experiments"] = [place.timing("on"), place.timing("off")]
    place.good()
    before = len(place.json("metrics.json")["results"][0]["metrics"]["latency_ms"])
    dump = place.root / "mac_sme2_on" / f"{STEM}_mac_sme2_on_t1_l1.etdump"
    shutil.copy(dump, dump.with_name(f"{STEM}_mac_sme2_on_t1_l7.etdump"))
    result = tool.good("report", "--run-dir", place.root, "--json")
    assert "1 file with times that manifest.json does not list is left out" in result.err
    assert f"{before} runs in 2 launches of mac_sme2_on" in result.text, "warm-up is in the dumps, and counts nowhere"
    # Without a manifest the names of the files tell.
    (place.root / "manifest.json").unlink()
    assert "3 launches of mac_sme2_on" in tool.good("report", "--run-dir", place.root, "--json").text


def test_a_dump_that_was_compressed_later_is_found(place):
    place.config["experiments"] = [place.timing("on"), place.timing("off")]
    place.good()
    dump = place.root / "mac_sme2_on" / f"{STEM}_mac_sme2_on_t1_l1.etdump"
    dump.with_name(dump.name + ".gz").write_bytes(gzip.compress(dump.read_bytes()))
    dump.unlink()
    result = tool.good("report", "--run-dir", place.root, "--json")
    assert "left out" not in result.err and "2 launches of mac_sme2_on" in result.text


def test_names_do_not_play_with_the_terminal(place):
    (place.folder / "bin" / "evil").write_text("#!/bin/sh\nprintf '\\033[31mred\\n'; exit 3\n")
    (place.folder / "bin" / "evil").chmod(0o755)
    place.config["output_root"] = "out_net/runs/\x1b[31mmac"
    place.config["experiments"] = [place.timing("on", runner_path="bin/evil", launches=1), place.timing("off", launches=1)]
    place.root = place.folder / "out_net" / "runs" / "\x1b[31mmac"
    result = place.run("--verbose")
    assert result.code == 1 and "\x1b" not in result.text + result.err
    for arguments in (["report", "--run-dir", place.root], ["validate", "--results", place.root], ["validate", place.root / "no\x1b[2J"]):
        result = tool.run(*arguments)
        assert result.text and "\x1b" not in result.text + result.err


def test_time_out(place):
    _, on = failing(place, extra_args=["--test_hang", "1"], timeout_s=0.4)
    assert on["reason"] == "no end after 0.4 s, killed"


def test_missing_runner(place):
    _, on = failing(place, runner_path="bin/nobody")
    assert on["reason"] == "the runner bin/nobody is not there"


def test_runner_that_is_no_program(place):
    (place.folder / "bin" / "text").write_text("text")
    _, on = failing(place, runner_path="bin/text")
    assert on["reason"].startswith("could not be started: ")


def test_failures_of_some_launches(place):
    script = place.folder / "bin" / "some"
    script.write_text(f"#!/bin/sh\ncase \"$*\" in *_l2.etdump*) exit 9;; esac\nexec {RUNNER} \"$@\"\n")
    script.chmod(0o755)
    _, on = failing(place, runner_path="bin/some")
    assert on["status"] == "partial" and on["reason"] == "exit status 9"
    assert [launch["status"] for launch in on["launch_results"]] == ["ok", "failed"]
    assert len(on["metrics"]["latency_ms"]) == 4


def test_a_run_that_fails_does_not_show_the_numbers_of_an_earlier_one(place):
    place.config["experiments"] = [place.timing("on")]
    place.good()
    place.config["experiments"] = [place.timing("on", extra_args=["--test_crash", "start"])]
    assert place.run().code == 1
    assert place.result("mac_sme2_on")["metrics"] == {}


def test_a_run_that_could_not_start_leaves_the_files_alone(place):
    place.config["experiments"] = [place.timing("on")]
    place.good()
    place.config["experiments"] = [place.timing("on", runner_path="bin/nobody")]
    assert place.run().code == 1
    on = place.result("mac_sme2_on")
    assert on["status"] == "failed" and on["artifacts"]["etdump"]["exists"]
    assert "earlier call" in on["launch_results"][0]["note"]


def test_without_a_dump_the_log_tells_the_times(place):
    place.config["experiments"] = [place.timing("on", extra_args=["--test_no_dump", "1"])]
    place.good()
    on = place.result("mac_sme2_on")
    assert on["status"] == "ok" and on["metrics"]["source"] == "log" and len(on["metrics"]["latency_ms"]) == 8
    assert "event tracer" in on["launch_results"][0]["note"]


def test_a_program_that_is_no_runner(place):
    script = place.folder / "bin" / "nothing"
    script.write_text("#!/bin/sh\necho hello\n")
    script.chmod(0o755)
    _, on = failing(place, runner_path="bin/nothing")
    assert on["reason"] == "neither an ETDump nor the log shows an inference"


def test_nan_in_the_output(place):
    place.config["experiments"] = [place.timing("on", extra_args=["--test_nan", "1"], launches=1), place.timing("off", launches=1)]
    place.good()
    assert place.result("mac_sme2_on")["launch_results"][0]["nan_in_output"] is True
    assert "nan_in_output" not in place.result("mac_sme2_off")["launch_results"][0]


def test_the_output_cannot_be_written(place):
    (place.folder / "out_net" / "runs").write_text("a file")
    result = place.run()
    assert result.code == 4
    assert "out_net/runs" in result.err


def processes_of(folder):
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if str(folder).encode() in path.read_bytes():
                found.append(path.parent.name)
        except OSError:
            pass
    return found


@pytest.mark.waits
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted(place, number):
    place.config["experiments"] = [place.timing("off", launches=1),
                                   place.timing("on", launches=1, runner_path=str(place.folder / "bin" / "runner_on"),
                                                extra_args=["--test_hang", "1"])]
    # Not ignored, as shells have it for what they start in the background.
    process = subprocess.Popen([tool.TACHO, "pipeline", "--config", place.write()], cwd=place.folder, stderr=subprocess.PIPE,
                               stdout=subprocess.PIPE, env=tool.environment(), preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
    waiting.until(lambda: processes_of(place.folder / "bin" / "runner_on"))
    process.send_signal(number)
    assert process.wait(waiting.LIMIT) == -number
    process.communicate()
    waiting.until(lambda: not processes_of(place.folder / "bin" / "runner_on"))
    assert not [name for name in place.files() if name.endswith(".part") or ".tmp" in name]
    manifest = place.manifest()
    assert [result["status"] for result in manifest["results"]] == ["ok", "pending"], "what was done until then is recorded"
    # The second call redoes nothing that is not asked for.
    place.config["experiments"][1].pop("extra_args")
    place.good("--only", "mac_sme2_on")
    assert [result["status"] for result in place.manifest()["results"]] == ["analysis-only", "ok"]


# ---- the configuration ----------------------------------------------------------------------------------------------


def changed(place, **changes):
    config = json.loads(json.dumps(place.config))
    config.update(changes)
    return {key: value for key, value in config.items() if value is not None}


@pytest.mark.parametrize("changes, words", [
    ({"model": None}, ["model", "path is wanted"]),
    ({"model": 7}, ["model: a text is wanted"]),
    ({"model": "nowhere.pte"}, ["nowhere.pte is not there"]),
    ({"experiments": None}, ["experiments", "at least one"]),
    ({"experiments": []}, ["experiments", "at least one"]),
    ({"experiments": [3]}, ["experiments[0]: an object is wanted"]),
    ({"experiments": [{"runner_path": "x"}]}, ["experiments[0].name"]),
    ({"experiments": [{"name": "a"}]}, ["experiments[0].runner_path"]),
    ({"experiments": [{"name": "a/b", "runner_path": "x"}]}, ["experiments[0].name", "folder"]),
    ({"experiments": [{"name": "..", "runner_path": "x"}]}, ["experiments[0].name"]),
    ({"experiments": [{"name": "a", "runner_path": "x"}, {"name": "a", "runner_path": "y"}]}, ["experiments[1].name", "same name"]),
    ({"experiments": [{"name": "a", "runner_path": "x", "mode": "quick"}]}, ["experiments[0].mode", "timing or xnntrace"]),
    ({"experiments": [{"name": "a", "runner_path": "x", "runs": 0}]}, ["experiments[0].runs", "1 to 1000000"]),
    ({"experiments": [{"name": "a", "runner_path": "x", "runs": 1.5}]}, ["experiments[0].runs"]),
    ({"experiments": [{"name": "a", "runner_path": "x", "warmup": -1}]}, ["experiments[0].warmup"]),
    ({"experiments": [{"name": "a", "runner_path": "x", "threads": []}]}, ["experiments[0].threads"]),
    ({"experiments": [{"name": "a", "runner_path": "x", "threads": [1, "two"]}]}, ["experiments[0].threads"]),
    ({"experiments": [{"name": "a", "runner_path": "x", "extra_args": "x"}]}, ["experiments[0].extra_args"]),
    ({"experiments": [{"name": "a", "runner_path": "x", "cpu_affinity": "all; rm"}]}, ["experiments[0].cpu_affinity"]),
    ({"experiments": [{"name": "a", "runner_path": "x", "timeout_s": 0}]}, ["experiments[0].timeout_s"]),
    ({"experiments": [{"name": "a", "runner_path": "x", "warmup_in_process": 1}]}, ["experiments[0].warmup_in_process"]),
    ({"launches": 0}, ["launches", "1 to 1000"]),
    ({"platform": "windows"}, ["platform", "windows"]),
    ({"analysis": {"compare_pairs": [{"baseline": {"experiment": "x", "threads": 1}}]}},
     ["analysis.compare_pairs[0].baseline.experiment", "no experiment"]),
    ({"analysis": {"compare_pairs": [{"baseline": {"experiment": "mac_sme2_off", "threads": 1}}]}},
     ["analysis.compare_pairs[0].candidate"]),
])
def test_wrong_configurations(place, changes, words):
    result = place.run(config=changed(place, **changes))
    assert result.code == 3
    assert "configs/my_run.json: " in result.err
    for word in words:
        assert word in result.err
    assert not place.root.exists(), "nothing was begun"


@pytest.mark.parametrize("text, words", [
    ("", ["my_run.json"]),
    ("{\n  \"model\": \"a\",\n  \"experiments\": [,]\n}", ["my_run.json:3:19"]),
    ("[]", ["my_run.json", "object"]),
    ("\0\1\2", ["my_run.json:1:1"]),
    ("{\"model\": \"a\"", ["my_run.json:1:"]),
])
def test_no_configuration_at_all(place, text, words):
    path = place.folder / "configs" / "my_run.json"
    path.write_text(text)
    result = tool.run("pipeline", "--config", path, cwd=place.folder)
    assert result.code == 3
    for word in words:
        assert word in result.err, result.err


def test_missing_configuration(place):
    result = tool.run("pipeline", "--config", "nowhere.json", cwd=place.folder)
    assert result.code == 3 and "nowhere.json" in result.err


def test_unknown_keys_are_named(place):
    place.config["experiments"] = [place.timing("on", launches=1, thread=[2]), place.timing("off", launches=1)]
    config = changed(place, colour="red", _remark="is fine", analysis={"compare_pairs": [], "mode": 1})
    err = place.good(config=config).err
    assert "configs/my_run.json: colour is not known" in err
    assert "experiments[0].thread is not known" in err
    assert "analysis.mode is not known" in err
    assert "_remark" not in err


def test_usage(tacho):
    assert tacho("pipeline").code == 2
    assert "--config" in tacho("pipeline").err
    assert tacho("pipeline", "--config", "a.json", "more").code == 2


def test_wrong_platform(place):
    result = place.run("--platform", "windows")
    assert result.code == 2 and "mac or android" in result.err


# ---- Android --------------------------------------------------------------------------------------------------------


def test_android(android):
    android.good()
    manifest = android.manifest()
    assert manifest["platform"] == "android"
    assert manifest["device"] == {
        "architecture": "arm64-v8a", "os": "Android", "version": "15 (API 35)", "model": "Example Phone 9",
        "cpu": "SiliconWorks SW9400", "cores": 4, "cpu_features": ["fp", "asimd", "sve2", "sme", "sme2", "i8mm", "bf16"]}
    assert [result["status"] for result in manifest["results"]] == ["ok"] * 4
    assert len(android.result("android_sme2_on")["metrics"]["latency_ms"]) == 8
    assert f"android_sme2_on/{STEM}_android_sme2_on_t1_l2.etdump" in android.files()
    off = android.result("android_sme2_off")["metrics"]["median_ms"]
    assert off > 2 * android.result("android_sme2_on")["metrics"]["median_ms"]
    assert not (android.device / "data/local/tmp/tacho").exists(), "the device is left as it was"
    log = (android.root / "android_sme2_on" / f"{STEM}_android_sme2_on_t1_l1_latency.log").read_text()
    assert "Iteration 6 of 6" in log and "tacho: exit status" not in log


def test_android_trace(android):
    android.good()
    log = (android.root / "android_sme2_on_trace" / f"{STEM}_android_sme2_on_trace_t1_xnntrace.log").read_text()
    logcat, stdout = log.split("=== Runner stdout ===\n")
    assert logcat.startswith("=== XNNPACK Logcat Output ===\n")
    assert "I XNNPACK : Using gemm microkernel" in logcat
    assert "Iteration 1 of 1" in stdout and "microkernel" not in stdout
    assert android.result("android_sme2_on_trace")["metrics"]["sme2_kernel_rows"] == 3
    off = (android.root / "android_sme2_off_trace" / f"{STEM}_android_sme2_off_trace_t1_xnntrace.log").read_text()
    assert "neonsme2" not in off, "the device's log of the run before is not in it"


def test_android_by_name_or_option(android):
    """A configuration that says android is for a device; --platform says otherwise."""
    android.config["experiments"] = [android.timing("on", launches=1)]
    android.good("--platform", "mac")
    assert android.manifest()["device"]["os"] != "Android"
    assert not android.device.exists()


def test_android_remote_device(android):
    android.config["experiments"] = [android.timing("on", launches=1)]
    android.good("--remote-device", "192.168.1.7:5555")
    assert android.manifest()["results"][0]["status"] == "ok"
    assert (android.device / "connected").read_text() == "192.168.1.7:5555"


def test_android_affinity_and_quotes(android):
    tool.need("taskset")
    android.config["experiments"] = [android.timing("on", launches=1, cpu_affinity="0x1", extra_args=["it's", "$HOME"])]
    android.good()
    commands = (android.device / "commands").read_text()
    assert "taskset 0x1 './executor_runner_android_sme2_on' '--model_path'" in commands
    assert "'it'\\''s' '$HOME'" in commands


@pytest.mark.parametrize("mode, reason", [
    ("none", "no device is there"),
    ("two", "several devices"),
    ("unauthorized", "no device is there"),
    ("nopush", "No space left on device"),
])
def test_android_device_faults(android, mode, reason):
    android.variables["FAKE_ADB_MODE"] = mode
    result = android.run()
    assert result.code == 1
    assert reason in result.err
    manifest = android.manifest()
    assert {one["status"] for one in manifest["results"]} == {"failed"}
    assert reason in manifest["results"][0]["reason"]


def test_android_without_adb(android):
    android.variables["PATH"] = "/nonexistent"
    result = android.run()
    assert result.code == 1
    assert "could not be started" in android.manifest()["results"][0]["reason"]


def test_android_remote_device_that_is_not_there(android):
    android.variables["FAKE_ADB_MODE"] = "none"
    assert android.run("--remote-device", "10.0.0.1:5555").code == 1
    assert "failed to connect" in android.manifest()["results"][0]["reason"]


def test_android_crash_and_time_out(android):
    android.config["experiments"] = [android.timing("on", extra_args=["--test_crash", "end"], launches=1),
                                     android.timing("off", launches=1, extra_args=["--test_hang", "1"], timeout_s=1.5),
                                     dict(android.timing("off", launches=1), name="android_third")]
    assert android.run().code == 1
    on = android.result("android_sme2_on")
    assert on["reason"] == "ended by signal 11 (Segmentation fault)"
    assert on["artifacts"]["etdump"]["exists"], "the dump is fetched after a crash too"
    assert android.result("android_sme2_off")["reason"] == "no end after 1.5 s, killed"
    assert android.result("android_third")["status"] == "ok"


def test_android_old_devices_do_not_tell_exit_statuses(android):
    android.variables["FAKE_ADB_MODE"] = "old"
    android.config["experiments"] = [android.timing("on", extra_args=["--test_exit", "3"], launches=1)]
    assert android.run().code == 1
    assert android.result("android_sme2_on")["reason"] == "exit status 3"


def test_android_broken_connection(android):
    android.variables["FAKE_ADB_MODE"] = "break"
    android.config["experiments"] = [android.timing("on", launches=1)]
    assert android.run().code == 1
    assert "connection" in android.result("android_sme2_on")["reason"]


# ---- the stand-in ---------------------------------------------------------------------------------------------------


def test_the_stand_in_writes_dumps_that_are_read(place):
    dump = place.folder / "a.etdump"
    subprocess.run([place.folder / "bin" / "runner_on", f"--model_path={place.folder}/out_net/artifacts/{STEM}.pte", "--num_executions", "3",
                    "--etdump_path", dump, "--unknown", "x"], check=True, capture_output=True)
    result = tool.good("summary", dump)
    assert "Inference" in result.text
