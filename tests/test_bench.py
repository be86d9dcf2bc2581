"""What bench.py says of two builds. Its figures are of no interest here: one of the two is slow by far, or fails."""
import subprocess

import pytest

import tool

pytestmark = [pytest.mark.slow, pytest.mark.once("it is about the script, which runs over the release, too")]

TOOLS = tool.BUILD / "bench"
SLOW = """#!/bin/sh
i=0
while [ $i -lt 200000 ]; do i=$((i + 1)); done
"""


def script(path, lines):
    path.write_text(lines)
    path.chmod(0o755)
    return path


def bench(new, old):
    done = subprocess.run(["/usr/bin/python3", tool.ROOT / "bench" / "bench.py", "--tacho", new, "--tools", TOOLS, "--rows", "1000", "--only",
                           "convert c1 --no-args", "--against", old], capture_output=True, text=True, env=tool.environment())
    assert done.stderr == ""
    rows = [line for line in done.stdout.splitlines() if line.startswith("convert c1 --no-args")]
    assert len(rows) == 1
    return done.returncode, rows[0], done.stdout.partition("CPU time, new/old")[2].splitlines()[1:]


def test_a_slower_build_is_called_worse_the_third_time(tmp_path):
    slow = script(tmp_path / "slow", SLOW + f'exec "{tool.TACHO}" "$@"\n')
    code, row, said = bench(slow, tool.TACHO)
    assert code == 1
    assert float(row.split()[-1]) > 1.05
    assert said[0].endswith("  WORSE") and len(said[0].partition("measured again: ")[2].split(",")) == 3
    assert "x the CPU time of the older tool" in said[-1]


def test_a_faster_build_is_measured_once(tmp_path):
    slow = script(tmp_path / "slow", SLOW + f'exec "{tool.TACHO}" "$@"\n')
    code, row, said = bench(tool.TACHO, slow)
    assert code == 0 and float(row.split()[-1]) < 0.95
    assert len(said) == 1 and said[0].endswith("convert c1 --no-args, 1,000 rows")


def test_an_older_build_that_fails_is_named(tmp_path):
    old = script(tmp_path / "old", "#!/bin/sh\necho no such option >&2\nexit 2\n")
    code, row, said = bench(tool.TACHO, old)
    assert code == 0 and row.endswith("old: failed")
    assert said[0].startswith("  old: failed") and "exit code 2" in said[0] and said[1] == "no such option"


def test_a_new_build_that_fails(tmp_path):
    new = script(tmp_path / "new", "#!/bin/sh\nexit 3\n")
    code, row, said = bench(new, tool.TACHO)
    assert code == 1 and "failed" in row and said[-1] == "not kept: convert c1 --no-args"
