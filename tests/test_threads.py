"""Jobs of the library in several threads at once, under the thread sanitizer."""
import os
import subprocess

import pytest
import tool

DATA = tool.ROOT / "tests" / "data"
PROGRAM = tool.ROOT / "build-tsan" / "tests" / "two_jobs"


@pytest.mark.skipif(tool.SANITIZED, reason="once is enough: the program is the same")
def test_no_race_between_jobs():
    assert PROGRAM.exists(), "make test builds it: ninja -C build-tsan tests/two_jobs"
    files = [DATA / "torq-golden" / "c1.csv", DATA / "torq-golden" / "runtime_r2.csv",
             DATA / "operators" / "broken_graph_mac_sme2_on_t1.etdump", DATA / "tt-ops-csv" / "bh20_oft.csv.gz"]
    # Without the randomised layout of newer kernels, which this sanitizer does not know.
    done = subprocess.run(["setarch", os.uname().machine, "-R", PROGRAM, *files], capture_output=True, text=True,
                          env={**os.environ, "TSAN_OPTIONS": "halt_on_error=0:exitcode=66"})
    assert done.returncode == 0 and done.stdout.startswith("same"), done.stdout + done.stderr[-4000:]
