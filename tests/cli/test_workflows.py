"""The nine commands of the report guide's workflows, with only the program's name changed, on directories that the pipeline made."""
import json
import os
import pathlib
import shutil
import subprocess

import pytest

import tool

BUILD = tool.BUILD
PROGRAMS = tool.TESTS / "programs"
RUNS = "model_profiling/out_net/runs"

PIPELINE = "tacho pipeline --config model_profiling/configs/{config}.json"
REPORT = f"tacho report --run-dir {RUNS}/{{platform}}"
OPERATORS = f"""tacho operators \\
  --timeline-csv {RUNS}/{{platform}}/{{platform}}_sme2_on/*_all_runs_timeline.csv \\
  --compare {RUNS}/{{platform}}/{{platform}}_sme2_off/*_all_runs_timeline.csv \\
  --name1 "SME2-Off" \\
  --name2 "SME2-On" \\
  --output-dir {RUNS}/{{platform}}/ \\
  --verbose"""
KERNELS = f"""tacho kernels \\
  --sme2-on-kernels {RUNS}/{{platform}}/{{platform}}_sme2_on/kernels.csv \\
  --sme2-off-kernels {RUNS}/{{platform}}/{{platform}}_sme2_off/kernels.csv \\
  --out {RUNS}/{{platform}}/kernel_view.md"""
LATENCY = f"""tacho latency \\
  --timeline-csv {RUNS}/{{platform}}/{{platform}}_sme2_off/*_all_runs_timeline.csv \\
  --compare {RUNS}/{{platform}}/{{platform}}_sme2_on/*_all_runs_timeline.csv \\
  --name1 "SME2-Off" \\
  --name2 "SME2-On" \\
  --output-dir {RUNS}/{{platform}}/ \\
  --verbose"""
COMBINED = f"tacho report --mac-dir {RUNS}/mac --android-dir {RUNS}/android --out {RUNS}/combined_report.md"
CHECKS = f"""test -f {RUNS}/mac/report.md && echo "Report exists"
test -s {RUNS}/mac/report.md && echo "Report is non-empty"
grep -q "Latency Comparison" {RUNS}/mac/report.md && echo "Contains latency comparison"
grep -q "Operator Category Breakdown" {RUNS}/mac/report.md && echo "Contains category breakdown"
grep -q "Config File" {RUNS}/mac/report.md && echo "Contains config path"
test -f {RUNS}/mac/operator_analysis.json && echo "Operator-specific analysis available"
test -f {RUNS}/mac/kernel_view.md && echo "Kernel view available"
"""


def configuration(platform):
    def experiment(side, **more):
        return {"name": f"{platform}_sme2_{side}", "runner_path": f"runners/runner_{side}", "runs": 4, "warmup": 1, "threads": [1], **more}

    return {"model": "model_profiling/out_net/artifacts/net_xnnpack_fp32.pte", "output_root": f"{RUNS}/{platform}", "platform": platform,
            "experiments": [experiment("on", mode="timing"), experiment("off", mode="timing"),
                            {**experiment("on", mode="xnntrace"), "name": f"{platform}_sme2_on_trace", "runner_path": "runners/runner_log_on"},
                            {**experiment("off", mode="xnntrace"), "name": f"{platform}_sme2_off_trace", "runner_path": "runners/runner_log_off"}]}


class Shell:
    """A shell in a folder in which the tool is called tacho and a device can be reached."""

    def __init__(self, folder):
        self.folder = folder
        self.variables = tool.environment(PATH=f"{folder / 'tools'}:{os.environ['PATH']}", FAKE_ADB_ROOT=str(folder / "device"))

    def run(self, command):
        return subprocess.run(["sh", "-c", command], cwd=self.folder, env=self.variables, capture_output=True, text=True, check=False)

    def good(self, command):
        result = self.run(command)
        assert result.returncode == 0, f"{command}\n{result.stdout}{result.stderr}"
        return result


@pytest.fixture(scope="module")
def shell(tmp_path_factory):
    """Both pipelines have run."""
    folder = tmp_path_factory.mktemp("workflows")
    for name in ("tools", "device", "runners", "model_profiling/configs", "model_profiling/out_net/artifacts"):
        (folder / name).mkdir(parents=True)
    (folder / "tools" / "tacho").symlink_to(pathlib.Path(tool.TACHO).resolve())
    shutil.copy(PROGRAMS / "adb", folder / "tools" / "adb")
    for side in ("on", "off", "log_on", "log_off"):
        shutil.copy(BUILD / "tests" / "runner", folder / "runners" / f"runner_{side}")
    (folder / "model_profiling/out_net/artifacts/net_xnnpack_fp32.pte").write_bytes(b"model")
    made = Shell(folder)
    for platform, config in (("mac", "my_run"), ("android", "android_config")):
        (folder / f"model_profiling/configs/{config}.json").write_text(json.dumps(configuration(platform)))
        made.good(PIPELINE.format(config=config))
    return made


@pytest.mark.parametrize("platform", ["mac", "android"])
def test_the_report(shell, platform):
    shell.good(REPORT.format(platform=platform))
    report = (shell.folder / RUNS / platform / "report.md").read_text()
    assert "faster, 95 % CI" in report and "5 launches" in report
    for heading in ("## Metadata", "## Latency Comparison (SME2-On vs SME2-Off)", "## Operator Category Breakdown", "## Acceleration Analysis",
                    "## Bottleneck Identification", "## Portable vs Delegated Operator Analysis", "## Kernel-Level Insights",
                    "## Actionable Recommendations"):
        assert heading in report


@pytest.mark.parametrize("platform", ["mac", "android"])
def test_operators_report_sme2_as_faster(shell, platform):
    """The document's own command gives the names the wrong way round: a warning, and the truth."""
    result = shell.good(OPERATORS.format(platform=platform))
    assert "SME2" in result.stderr and "warning" in result.stderr.lower()
    analysis = json.loads((shell.folder / RUNS / platform / "operator_analysis.json").read_text())
    comparison = analysis["comparison"]
    assert comparison["baseline"] == "SME2-Off" and comparison["candidate"] == "SME2-On" and comparison["e2e"]["speedup"] > 1


@pytest.mark.parametrize("platform", ["mac", "android"])
def test_latency_reports_sme2_as_faster(shell, platform):
    assert "faster" in shell.good(LATENCY.format(platform=platform)).stdout.splitlines()[0]


@pytest.mark.parametrize("platform", ["mac", "android"])
def test_the_kernel_view(shell, platform):
    shell.good(KERNELS.format(platform=platform))
    view = (shell.folder / RUNS / platform / "kernel_view.md").read_text()
    assert "neonsme2" in view and "**Absent**" in view


def test_the_combined_report(shell):
    shell.good(COMBINED)
    combined = (shell.folder / RUNS / "combined_report.md").read_text()
    assert "## Cross-Platform Latency Comparison" in combined and "android_sme2_on" in combined


def test_the_checks_of_the_document(shell):
    shell.good(REPORT.format(platform="mac"))
    shell.good(OPERATORS.format(platform="mac"))
    shell.good(KERNELS.format(platform="mac"))
    assert len(shell.good(CHECKS).stdout.splitlines()) == 7


def test_the_directories_are_valid(shell):
    for platform in ("mac", "android"):
        shell.good(f"tacho validate --results {RUNS}/{platform} --require-sme2-kernels")
