#!/usr/bin/env python3
"""Holds what the original tools gave against what Tacho gives, file by file.

    tests/goldens.py                   all goldens of tests/data: one line per file, matched, documented difference, or FAILED
    tests/goldens.py --only tenstorrent    those whose line begins so
    tests/goldens.py --data DIR        those of Tenstorrent in DIR, laid out as tests/goldens_tenstorrent.py says

The last line counts them; exit code 1 where one failed or none was found. Where an original is wrong, the difference is computed from its
mistake and must come out exactly; doc/differences.md describes each. The environment variable TACHO names the tool.
"""
import argparse
import os
import subprocess
import sys
from pathlib import Path

import goldens_tenstorrent
import goldens_torq
import perfetto_decode
import tool
from goldens_shared import Mismatch

# What a wrong output can end in while it is compared.
PROBLEMS = (Mismatch, AssertionError, perfetto_decode.DecodeError, LookupError, ValueError, OSError, TypeError, subprocess.TimeoutExpired)


def all_goldens():
    return goldens_torq.goldens() + goldens_tenstorrent.in_tests()


def judge(golden):
    """("matched" | "documented difference" | "FAILED", why)."""
    try:
        differences = golden.check()
    except PROBLEMS as problem:
        return "FAILED", str(problem) or type(problem).__name__
    return ("documented difference", "; ".join(differences)) if differences else ("matched", "")


def main():
    parser = argparse.ArgumentParser(description="Compares Tacho's output with that of the original tools.")
    parser.add_argument("--data", type=Path, metavar="DIR", help="a folder of Tenstorrent's logs and outputs")
    parser.add_argument("--only", default="", metavar="NAME", help="goldens whose name begins so, such as torq or tenstorrent/six")
    options = parser.parse_args()
    if not os.access(tool.TACHO, os.X_OK):
        print(f"goldens.py: {tool.TACHO} is not there; `make` builds it, or TACHO names another", file=sys.stderr)
        return 2
    goldens = goldens_tenstorrent.in_folder(options.data) if options.data else all_goldens()
    count = {"matched": 0, "documented difference": 0, "FAILED": 0}
    for golden in goldens:
        if golden.name.startswith(options.only):
            verdict, why = judge(golden)
            count[verdict] += 1
            print(f"{golden.name}: {verdict}{': ' if why else ''}{why}", flush=True)
    print(f"{sum(count.values())} goldens: " + ", ".join(f"{number} {verdict}" for verdict, number in count.items()))
    return 1 if count["FAILED"] or not sum(count.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
