"""The tests of the package with sanitizers: the interpreter has their runtime from the start, and its own leaks are none of ours."""
import os
import pathlib
import subprocess
import sys

import pytest
import tool

FILES = ["test_answers.py", "test_chart.py", "test_ops_api.py", "test_python_document.py", "test_python_query.py"]
HERE = pathlib.Path(__file__).parent


@pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="this is that interpreter")
def test_the_package_with_sanitizers():
    if not tool.SANITIZED:
        tool.run_again()
        pytest.skip("it is about the sanitized build")
    runtime = subprocess.run(["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True).stdout.strip()
    variables = dict(os.environ, LD_PRELOAD=runtime, ASAN_OPTIONS="detect_leaks=0:exitcode=99:handle_sigill=1")
    variables.pop("TACHO_ONLY", None)  # what runs again says nothing of what runs in there
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *[HERE / name for name in FILES]],
                          capture_output=True, text=True, env=variables)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
