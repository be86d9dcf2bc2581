#!/usr/bin/env python3
"""What recording a Python program costs: python.py --build BUILD [--python PYTHON].

    fib(25)       every call recorded, against cProfile and nothing at all, in the same process and in turns
    lines         100,000 lines, recorded one by one (-p -l)
    a zone        recorded, and where nothing is

CPU time of the thread, the best of some rounds, since these machines are shared. Every call must be in the recording. Limits that are missed are named,
and make it fail."""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
CALLS = 242785  # of fib(25)
ROUNDS = 7

PROGRAM = """
import cProfile, json, sys, time
from tacho import _record, zone
from tacho.recorder import Settings

def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)

def lines(turns):
    a = 0
    for _ in range(turns):
        a = a + 1
        a = a - 1
        a = a * 1

def zones():
    for _ in range(10000):
        with zone("x"):
            pass

def timed(function, *arguments, around=(lambda: None, lambda: None)):
    around[0]()
    start = time.thread_time()
    function(*arguments)
    taken = time.thread_time() - start
    around[1]()
    return taken

off = min(timed(zones) for _ in range(rounds)) / 10000
_record.start(recording, "")
attached = _record.attach, _record.detach
plain, profiled, recorded = [], [], []
for _ in range(rounds):
    profile = cProfile.Profile()
    plain.append(timed(fib, 25))
    profiled.append(timed(fib, 25, around=(profile.enable, profile.disable)))
    recorded.append(timed(fib, 25, around=attached))
on = min(timed(zones) for _ in range(rounds)) / 10000
Settings(lines=True).apply()
by_line = min(timed(lines, 25000, around=attached) for _ in range(3)) / 100000
without = min(timed(lines, 25000) for _ in range(3)) / 100000
_record.stop()
print(json.dumps(dict(plain=min(plain), profiled=min(profiled), recorded=min(recorded), off=off, on=on, by_line=by_line, without=without)))
"""


def measure(python, build, folder):
    recording = folder / "fib.tacho"
    source = f"rounds, recording = {ROUNDS}, {str(recording)!r}\n{PROGRAM}"
    done = subprocess.run([python, "-c", source], capture_output=True, text=True, check=True,
                          env={**os.environ, "PYTHONPATH": str(build / "python"), "TACHO_RECORD": ""})
    table = subprocess.run([build / "tacho", "operators", "--json", "-q", recording], capture_output=True, text=True, check=True)
    rows = {row["operator"]: row for row in json.loads(table.stdout)["rows"]}
    return json.loads(done.stdout), rows["fib"]["slices"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, type=pathlib.Path, help="folder of the build, with the package in python/")
    parser.add_argument("--python", default="/usr/bin/python3", help="an interpreter that the package is built for")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found, kept = measure(options.python, options.build.resolve(), pathlib.Path(folder))
    ours, theirs = found["recorded"] / found["plain"], found["profiled"] / found["plain"]
    missed = []
    print(f"Recording Python ({options.python}), CPU time")
    print(f"  {'fib(25), ' + format(CALLS, ',') + ' calls':<44}{found['plain'] * 1e3:10.2f} ms")
    print(f"  {'  with cProfile':<44}{theirs:10.2f} x")
    print(f"  {'  recorded':<44}{ours:10.2f} x       (limit {theirs:.2f})")
    print(f"  {'  calls in the recording':<44}{kept / ROUNDS:10.0f}")
    print(f"  {'a line':<44}{found['by_line'] * 1e9:10.1f} ns      ({found['without'] * 1e9:.1f} ns without)")
    print(f"  {'a zone':<44}{found['on'] * 1e9:10.1f} ns")
    print(f"  {'a zone where nothing is recorded':<44}{found['off'] * 1e9:10.1f} ns")
    if ours >= theirs:
        missed.append("fib(25) against cProfile")
    if kept != CALLS * ROUNDS:
        missed.append("calls are missing")
    if missed:
        print("missed: " + "; ".join(missed))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
