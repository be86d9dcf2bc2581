#!/usr/bin/python3
"""Runs the fast tests of a build again and again, each time under other circumstances that are no business of theirs: no answer may change.

    tests/shaken.py BUILD [--seed SEED] [--passes 1,2,3] [--workers N] [FILE...]
    tests/shaken.py BUILD --waits ROUNDS [FILE...]

Every pass has an order of its own, by chance; the seed that is printed gives all of them again. 1: the path of the temporary folder has 8 characters.
2: it has 180, and two processes keep the machine busy; tests that wait run five times more, which are those with the mark `waits`
(`pytest -m waits --collect-only -q tests` lists them) and the test programs of WAITING. 3: one core, and eight workers.

With --waits only those that wait run, so often, beside two busy processes. With FILEs of tests only these, and no test programs.
It ends with one line: N passed, N failed.
"""
import argparse
import concurrent.futures
import contextlib
import json
import os
import pathlib
import random
import shlex
import shutil
import signal
import string
import subprocess
import sys
import tempfile

import run

TESTS = pathlib.Path(__file__).resolve().parent
WAITING = {"folders", "foreground", "live", "pool", "process", "recording_tail", "relay"}
ROUNDS = 5
BUSY = [sys.executable, "-c", "while True: pass"]


def make_folder(length):
    """A new folder, whose path has so many characters."""
    while True:
        top = pathlib.Path("/tmp", "".join(random.choices(string.ascii_lowercase, k=3)))
        with contextlib.suppress(FileExistsError):
            top.mkdir(0o700)
            break
    made = top / ("x" * (length - len(str(top)) - 1))
    made.mkdir(exist_ok=True)
    return made


@contextlib.contextmanager
def temporary(length):
    made = make_folder(length) if length else pathlib.Path(tempfile.mkdtemp(prefix="tacho-shaken-", dir="/tmp"))
    try:
        yield made
    finally:
        shutil.rmtree(pathlib.Path(*made.parts[:3]), ignore_errors=True)


@contextlib.contextmanager
def busy(count):
    """Processes that take all the time that they get."""
    beside = [subprocess.Popen(BUSY) for _ in range(count)]
    try:
        yield
    finally:
        for one in beside:
            one.kill()
            one.wait()


class Shaken:
    """Passes over one build; what they found is added up."""

    def __init__(self, asked):
        self.build, self.files, self.workers = run.ROOT / asked.build, asked.files, asked.workers
        self.totals = [0, 0, 0]

    def variables(self, seed, folder):
        return {**os.environ, "TACHO": str(self.build / "tacho"), "TACHO_BUILD": str(self.build), "TACHO_SANITIZED": "1" if "asan" in self.build.name else "",
                "ASAN_OPTIONS": "detect_leaks=1:exitcode=99:handle_sigill=1", "TMPDIR": str(folder), "TACHO_SHUFFLE": seed, "PYTHONPATH": str(TESTS)}

    def waiting_files(self):
        """Files in which tests wait: all others need not be read for them."""
        files = [path for name in self.files or [TESTS] for path in ([pathlib.Path(name)] if pathlib.Path(name).is_file() else pathlib.Path(name).rglob("test_*.py"))]
        return [str(path) for path in files if "mark.waits" in path.read_text()]

    def pytest(self, seed, folder, workers, prefix, waits):
        report = folder / "report.xml"
        marks = "waits and not alone and not long" if waits else run.FAST
        files = self.waiting_files() if waits else self.files or [str(TESTS)]
        if not files:
            return 0, 0, 0
        command = [*prefix, "/usr/bin/python3", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "shuffled", "-n", str(workers), "--dist", "loadfile",
                   "-m", marks, f"--basetemp={folder}/t", f"--junitxml={report}", *files]
        print("+", shlex.join(command), flush=True)
        code = subprocess.run(command, cwd=run.ROOT, env=self.variables(seed, folder)).returncode
        if code == 5:  # no test of these files is among them
            return 0, 0, 0
        passed, failed, skipped = run.count(report) if report.exists() else (0, 0, 0)
        return passed, failed if failed or code == 0 else 1, skipped

    def programs(self, seed, folder, workers, prefix, waits):
        """The test programs of meson, in random order, which meson itself does not have."""
        if self.files:
            return 0, 0, 0
        told = subprocess.run(["meson", "introspect", str(self.build), "--tests"], check=True, capture_output=True, text=True).stdout
        tests = sorted((test for test in json.loads(told) if not waits or test["name"] in WAITING), key=lambda test: test["name"])
        random.Random(seed).shuffle(tests)

        def ask(test):
            done = subprocess.run([*prefix, *test["cmd"]], cwd=test["workdir"], env={**self.variables(seed, folder), **test["env"]}, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
            if done.returncode not in (0, 77):
                print(f"FAILED {test['name']}: {done.returncode}\n{done.stdout[-4000:]}", flush=True)
            return done.returncode

        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            codes = list(pool.map(ask, tests))
        return codes.count(0), sum(code not in (0, 77) for code in codes), codes.count(77)

    def go(self, seed, name, length=0, beside=0, workers=None, prefix=(), waits=False):
        """One time over all of it."""
        found = [0, 0, 0]
        with temporary(length) as folder, busy(beside):
            for part in (self.programs, self.pytest):
                found = [sum(pair) for pair in zip(found, part(seed, folder, workers or self.workers, list(prefix), waits))]
        self.totals = [sum(pair) for pair in zip(self.totals, found)]
        print(f"{name}: {found[0]} passed, {found[1]} failed, {found[2]} skipped", flush=True)


def shake(shaken, seed, passes):
    if 1 in passes:
        shaken.go(f"{seed}-1", "pass 1, a temporary path of 8 characters", length=8)
    if 2 in passes:
        shaken.go(f"{seed}-2", "pass 2, a temporary path of 180 characters and two busy processes", length=180, beside=2)
        for number in range(1, ROUNDS + 1):
            shaken.go(f"{seed}-2-{number}", f"pass 2, those that wait, time {number} of {ROUNDS}", length=180, beside=2, waits=True)
    if 3 in passes:
        core = str(min(os.sched_getaffinity(0)))
        shaken.go(f"{seed}-3", "pass 3, one core and eight workers", workers=8, prefix=["taskset", "-c", core])


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("build")
    words.add_argument("files", nargs="*")
    words.add_argument("--seed", default=str(random.randrange(1_000_000)))
    words.add_argument("--passes", default="1,2,3", type=lambda text: [int(one) for one in text.split(",")])
    words.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)) + 1)
    words.add_argument("--waits", type=int, metavar="ROUNDS")
    asked = words.parse_intermixed_args()
    if not (run.ROOT / asked.build / "build.ninja").exists():
        words.error(f"{asked.build} is no build folder: make test-shaken makes it")
    print(f"the order of this run: --seed {asked.seed}", flush=True)
    run.take_signals()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that busy processes end, too
    shaken = Shaken(asked)
    if asked.waits:
        for number in range(1, asked.waits + 1):
            shaken.go(f"{asked.seed}-{number}", f"those that wait, time {number} of {asked.waits}", beside=2, waits=True)
    else:
        shake(shaken, asked.seed, asked.passes)
    if shaken.totals[2]:
        print(f"{shaken.totals[2]} skipped")
    print(f"{shaken.totals[0]} passed, {shaken.totals[1]} failed")
    return 1 if shaken.totals[1] or not shaken.totals[0] else 0


if __name__ == "__main__":
    sys.exit(main())
