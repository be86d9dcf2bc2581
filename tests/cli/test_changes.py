"""How often a history is called changed, or a candidate slower, that is not: bench/changes and bench/gate with few series."""
import subprocess

import pytest

import tool

LAUNCHES = [tool.DATA / "latency" / "launches.csv", tool.DATA / "latency" / "gpu_launches.csv"]
PROGRAMS = tool.BUILD / "bench"


@pytest.mark.parametrize("program, count", [("changes", 12), ("gate", 100)])
def test_bounds_hold(program, count):
    run = subprocess.run([PROGRAMS / program, *LAUNCHES, str(count // 4 if tool.SANITIZED else count)], capture_output=True, text=True)
    assert run.returncode == 0 and "MISSED" not in run.stdout, run.stdout + run.stderr
    assert run.stdout.count("CPU, ") >= 3 and run.stdout.count("GPU, ") >= 2


@pytest.mark.parametrize("program", ["changes", "gate"])
def test_a_file_that_is_not_there_is_an_error(program):
    run = subprocess.run([PROGRAMS / program, "nothing.csv", "nothing.csv"], capture_output=True, text=True)
    assert run.returncode == 2 and "nothing.csv" in run.stderr
