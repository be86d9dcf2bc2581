"""The Python package as it was built beside the tool that is tested: `import package` before `import tacho`.

A package on sanitized libraries needs their runtime in the interpreter from its start: such tests run in an interpreter of their own
(test_sanitized.py), and are left out here.
"""
import os
import subprocess
import sys

import pytest
import tool

BUILD = tool.BUILD
FOLDER = BUILD / "python"

if tool.SANITIZED and "libasan" not in os.environ.get("LD_PRELOAD", ""):
    pytest.skip("these run in an interpreter with the sanitizers' runtime: see test_sanitized.py", allow_module_level=True)
if sys.executable == "/usr/bin/python3":  # others are built by whoever runs them
    subprocess.run([tool.ROOT / "tools" / "python.sh", BUILD], check=True, capture_output=True)
if str(FOLDER) not in sys.path:
    sys.path.insert(0, str(FOLDER))


def environment(**changes):
    """For a program of its own that imports the package."""
    return tool.environment(PYTHONPATH=str(FOLDER), **changes)
