"""Every golden file is matched, or differs exactly where the original is known to be wrong. The work is in tests/goldens.py."""
import re
import shutil
import subprocess
import sys

import pytest

import goldens
import goldens_tenstorrent
import goldens_torq
import tool
from goldens_shared import Mismatch

ALL = goldens.all_goldens()
# Goldens that must be matched; all others have differences that are written down.
MATCHED = re.compile(r"torq/annotated_A[12]\.csv|tenstorrent/(\S+\.csv, every row read|six/\w+/(device_stats\.txt|device_rearranged_timestamps\.csv|"
                     r"device_analysis_data\.json)|ops/\S+|fifteen/grayskull_new_header/(device_stats\.txt|ops_perf_results\.csv)|"
                     r"tt-perf-report/\w+/report\w*_stacked\.csv)")
PEOPLE = tool.TESTS / "goldens.py"


@pytest.mark.parametrize("golden", ALL, ids=lambda golden: golden.name)
def test_golden(golden):
    differences = golden.check()
    assert not (differences and MATCHED.fullmatch(golden.name)), differences


def test_every_golden_file_is_checked():
    folders = [goldens_torq.GOLDEN, *[tool.DATA / "tt-device" / name for name in goldens_tenstorrent.GENERATIONS], tool.DATA / "tt-ops-csv"]
    files = {path for folder in folders for path in folder.rglob("*") if path.is_file() and path.name != "README"}
    reports = {path for path in files if path.parent.name == "tt-ops-csv" and path.name.count(".") == 2}
    assert files - reports == {golden.path for golden in ALL} - {tool.DATA / "tt-ops-folder" / "expected_profile_log_ops.csv"}
    assert len(reports) == 5


def people(*options):
    done = subprocess.run([sys.executable, PEOPLE, *map(str, options)], capture_output=True, text=True, env=tool.environment())
    return done.returncode, done.stdout.splitlines()


def test_the_command_for_people():
    """It judges as test_golden does, which has them all."""
    for part, one in (("torq", "torq/annotated_A1.csv"), ("tenstorrent/six", "tenstorrent/six/add_two_ints/device_stats.txt")):
        code, lines = people("--only", part)
        assert code == 0, lines
        count = sum(golden.name.startswith(part) for golden in ALL)
        assert len(lines) == count + 1 and f"{one}: matched" in lines and not any("FAILED:" in line for line in lines)
        assert lines[-1].startswith(f"{count} goldens: ") and lines[-1].endswith(" 0 FAILED")
    assert people("--only", "nothing")[0] == 1


def test_a_mismatch_is_found(monkeypatch, tmp_path):
    """The comparison can fail: a golden whose number was changed is not matched."""
    changed = (goldens_torq.GOLDEN / "annotated_A1.csv").read_text().replace(";2250;", ";2251;")
    (tmp_path / "annotated_A1.csv").write_text(changed)
    monkeypatch.setattr(goldens_torq, "GOLDEN", tmp_path)
    with pytest.raises(Mismatch):
        goldens_torq.check_annotated_a1()


def lay_out(folder):
    """A few goldens of tests/data, laid out as the vendors' data are."""
    data = tool.DATA / "tt-device"
    for generation, name, logs, output in (("six", "add_two_ints", "lfs_seedgen/logs", "lfs_seedgen/outputs/test_"),
                                           ("twelve", "missing_BRISC", "lfs_tracygen/logs", "lfs_tracygen/outputs/test_"),
                                           ("fifteen", "multi_core_multi_launch", "derived_15col", "derived_15col/expected_")):
        (folder / logs).mkdir(parents=True)
        shutil.copy(data / generation / f"{name}.csv", folder / logs / f"profile_log_device_{name}.csv")
        shutil.copytree(data / generation / name, folder / (output + name.lower()))
    (folder / "visualizer_13col").mkdir()
    shutil.copy(data / "thirteen" / "noc_excerpt.csv", folder / "visualizer_13col")
    shutil.copytree(tool.DATA / "tt-ops-folder", folder / "constructed_ops")
    name = "bh20_oft_integral_image_trace"
    expected = folder / "tt_perf_report" / f"{name}_expected"
    expected.mkdir(parents=True)
    for path in (tool.DATA / "tt-ops-csv").glob(f"{name}.*.gz"):
        target = expected / path.name.removeprefix(name + ".").removesuffix(".gz")
        if target.name == "csv":
            target = expected.parent / f"{name}.csv"
        target.write_bytes(goldens_tenstorrent.content(path))


# What is changed in a golden, and how the line of the verdict begins.
CHANGES = [("lfs_seedgen/outputs/test_add_two_ints/device_stats.txt", "465,811", "465,812", "six/add_two_ints/device_stats.txt"),
           ("lfs_seedgen/outputs/test_add_two_ints/device_rearranged_timestamps.csv", "1", "2", "six/add_two_ints/device_rearranged_timestamps.csv"),
           ("lfs_seedgen/outputs/test_add_two_ints/device_analysis_data.json", "BRISC", "CRISC", "six/add_two_ints/device_analysis_data.json"),
           ("lfs_seedgen/outputs/test_add_two_ints/device_chrome_tracing.json", "61983147", "61983148", "six/add_two_ints/device_chrome_tracing.json"),
           ("derived_15col/expected_multi_core_multi_launch/device_stats.txt", "553,500", "553,501", "fifteen/multi_core_multi_launch/device_stats.txt"),
           ("derived_15col/expected_multi_core_multi_launch/ops_perf_results.csv", "461254", "461255", "fifteen/multi_core_multi_launch/ops_perf_results.csv"),
           ("derived_15col/expected_multi_core_multi_launch/per_core_op_to_op_times.csv", "551879", "551878",
            "fifteen/multi_core_multi_launch/per_core_op_to_op_times.csv"),
           ("derived_15col/profile_log_device_multi_core_multi_launch.csv", "154926164037954", "x", "fifteen/multi_core_multi_launch.csv, every row read"),
           ("constructed_ops/expected_profile_log_ops.csv", "Matmul", "Natmul", "ops/expected_profile_log_ops.csv"),
           ("tt_perf_report/bh20_oft_integral_image_trace_expected/report.csv", "0", "9", "tt-perf-report/bh20_oft_integral_image_trace/report.csv"),
           ("tt_perf_report/bh20_oft_integral_image_trace_expected/report_stacked.csv", "0", "9",
            "tt-perf-report/bh20_oft_integral_image_trace/report_stacked.csv"),
           ("tt_perf_report/bh20_oft_integral_image_trace_expected/report_category.txt", "%", "#",
            "tt-perf-report/bh20_oft_integral_image_trace/report_category.txt")]


def test_a_folder_of_the_vendors(tmp_path):
    lay_out(tmp_path)
    code, lines = people("--data", tmp_path)
    assert code == 0, lines
    assert len(lines) == 5 + 3 + 4 + 1 + 1 + 6 + 1 and lines[-1].endswith(" 0 FAILED")


@pytest.mark.parametrize("path,old,new,name", CHANGES, ids=[change[3] for change in CHANGES])
def test_a_folder_that_does_not_match(tmp_path, path, old, new, name):
    lay_out(tmp_path)
    data = (tmp_path / path).read_bytes()
    assert old.encode() in data
    (tmp_path / path).write_bytes(data.replace(old.encode(), new.encode(), 1))
    verdicts = {golden.name.removeprefix("tenstorrent/"): goldens.judge(golden)[0] for golden in goldens_tenstorrent.in_folder(tmp_path)}
    assert verdicts[name] == "FAILED"


def test_a_folder_without_goldens(tmp_path):
    assert people("--data", tmp_path)[0] == 1
