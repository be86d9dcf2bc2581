#!/usr/bin/python3
"""Builds what the tests want, runs them, says where the time went, and ends with one line: N passed, N failed.

    tests/run.py check      unit tests and the fast part of the others, over a plain build
    tests/run.py test       everything, over a plain build, a sanitized one, one for threads, and the release that ships
    tests/run.py long       what takes minutes

Unit tests are meson's; the command line, the goldens, the manual pages and the house rules are pytest's. `test` gives each command line to
the plain build and to the sanitized one (tests/tool.py): tests whose command lines are answered alike by both are not run a second time.
Files of tests go to one worker in one piece, because what a file of tests shares is made once. Tests that are marked `alone` change what the
others use, or measure how fast something is: they come last, one by one.
"""
import collections
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree

import chromium

ROOT = pathlib.Path(__file__).resolve().parent.parent
CHECK, SANITIZED, RELEASE = (ROOT / name for name in ("build-check", "build-asan", "build-release"))
CORES = len(os.sched_getaffinity(0))
FAST = "not alone and not long and not slow"
DEAREST = 10
RACES = ["tests/cli/test_serve_live.py", "tests/python/test_python_calls.py", "tests/python/test_python_zones.py"]
# What ships is another build than the one that most tests run on: these see it.
SHIPPED = ["tests/cli/test_goldens.py", "tests/cli/test_examples.py", "tests/test_bench.py"]


class Totals:
    """What all steps came to."""

    def __init__(self):
        self.passed = self.failed = 0
        self.skipped = []                      # name and reason of each
        self.steps = []                        # name, seconds of CPU and of the wall
        self.files = collections.Counter()     # seconds of CPU
        self.tested = []                       # name of a step, tool, how many cases
        self.lock = threading.Lock()
        self.began, self.load = time.monotonic(), os.getloadavg()[0]


TOTALS = Totals()


def wait(process):
    """The return code of a process, and the seconds of CPU that it and all that it waited for took."""
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, used.ru_utime + used.ru_stime


def run(name, command, variables=None, quiet=False, nice=0):
    """One step; its return code. What a quiet one prints is shown where it fails."""
    began, log = time.monotonic(), CHECK / f"{name.replace(' ', '-')}.log"
    print(f"{name}: {' '.join(str(part) for part in command)}", flush=True)
    CHECK.mkdir(exist_ok=True)
    with open(log, "wb") as file:
        out = {"stdout": file, "stderr": file} if quiet else {}
        process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, **(variables or {})}, preexec_fn=lambda: os.nice(nice), **out)
        code, seconds = wait(process)
    with TOTALS.lock:
        TOTALS.steps.append((name, seconds, time.monotonic() - began))
        if quiet and code:
            TOTALS.failed += 1
            print(f"{name} failed:\n{log.read_text(errors='replace')[-20000:]}", flush=True)
    return code


def cases(report):
    """What a JUnit report says of each case: file, name, passed or failed or skipped, why it was skipped, seconds of CPU."""
    for case in xml.etree.ElementTree.parse(report).iter("testcase") if report.exists() else []:
        seconds = case.find("properties/property[@name='cpu']")
        skipped = case.find("skipped")
        failed = case.find("failure") is not None or case.find("error") is not None
        yield (case.get("classname", ""), case.get("name"), "failed" if failed else "passed" if skipped is None else "skipped",
               skipped.get("message") if skipped is not None else None, float(seconds.get("value")) if seconds is not None else 0)


def count(report):
    """How many passed, failed and were skipped."""
    ended = collections.Counter(case[2] for case in cases(report))
    return ended["passed"], ended["failed"], ended["skipped"]


def take_report(report, code, name, tested):
    """Adds up what a step of tests came to."""
    passed, failed, skipped = count(report)
    TOTALS.tested.append((name, tested, passed + failed + skipped))
    for place, name, ended, reason, seconds in cases(report):
        TOTALS.files[place.replace(".", "/") + ".py"] += seconds
        if ended == "skipped":
            TOTALS.skipped.append((f"{place}.{name}", reason))
    TOTALS.passed += passed
    TOTALS.failed += failed or code != 0  # also where no test was chosen


def variables_of(build):
    sanitized = build == SANITIZED
    return {"TACHO": str(build / "tacho"), "TACHO_BUILD": str(build), "TACHO_SANITIZED": "1" if sanitized else "",
            "ASAN_OPTIONS": "detect_leaks=1:exitcode=99:handle_sigill=1",
            # Each worker would compile all tests again.
            "PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(CHECK / "compiled")}


def pytest(name, build, chosen, *options, files=("tests",), **variables):
    """Tests of pytest that have, or do not have, these marks."""
    report = CHECK / f"{name.replace(' ', '-')}.xml"
    report.unlink(missing_ok=True)
    command = ["/usr/bin/python3", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", chosen, *options, *files, f"--junitxml={report}"]
    variables = {**variables_of(build), **variables}
    tested = " and ".join(str(pathlib.Path(tool).relative_to(ROOT)) for tool in (variables["TACHO"], variables.get("TACHO_BESIDE")) if tool)
    take_report(report, run(name, command, variables), name, tested)


def together():
    """Several workers, who wait for a third of their time; the longest files first come first served."""
    return ["-n", str(CORES + 1), "--dist", "loadfile"]


def unit_tests(build):
    name = f"unit tests, {build.name}"
    code = run(name, ["meson", "test", "-C", build, "--no-rebuild", "--print-errorlogs"], quiet=True)
    TOTALS.failed -= bool(code)  # the report says which
    take_report(build / "meson-logs" / "testlog.junit.xml", code, name, f"{build.name}/tests")


def judge(name, command, variables=None):
    """A script that says with its exit code whether all is well."""
    code = run(name, ["/usr/bin/python3", *command], variables)
    TOTALS.passed += code == 0
    TOTALS.failed += code != 0


def build(target, nice=0):
    return run(f"build {target}", ["make", "--no-print-directory", target], quiet=True, nice=nice) == 0


def again(folder):
    """The file that names the tests which are to be run over the sanitized build."""
    names = sorted(each.read_text() for each in folder.iterdir())
    listed = CHECK / "again.txt"
    listed.write_text("".join(f"{name}\n" for name in names))
    return listed


def check():
    if build("build-check"):
        unit_tests(CHECK)
        pytest("fast tests", CHECK, FAST, *together())


def test():
    if not build("build-check") or not build("build-asan"):
        return
    # Beside tests, which leave a third of the time to others.
    beside = [threading.Thread(target=build, args=(target, 5)) for target in ("build-tsan", "build-release")]
    beside[0].start()
    unit_tests(CHECK)
    unit_tests(SANITIZED)
    beside[0].join()
    beside[1].start()
    folder = CHECK / "again"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    pytest("both builds", CHECK, "not alone and not long", *together(), TACHO_BESIDE=str(SANITIZED / "tacho"), TACHO_AGAIN=str(folder))
    beside[1].join()
    pytest("sanitized", SANITIZED, "not alone and not long", *together(), TACHO_ONLY=str(again(folder)))
    # Their programs, such as what generates rows, are those of the plain build.
    pytest("release", CHECK, "not alone and not long", *together(), files=SHIPPED, TACHO=str(RELEASE / "tacho"))
    pytest("alone", CHECK, "alone and not long")


def long():
    if not build("build-check") or not build("build-release") or not build("build-tsan"):
        return
    release = {"TACHO": str(RELEASE / "tacho"), "TACHO_BUILD": str(CHECK)}
    pytest("long tests", CHECK, "long", TACHO_WEB="all", **release)
    pytest("pages", CHECK, "not long", files=["tests/test_trace_page.py", "tests/test_browser.py"], TACHO_WEB="all", **release)
    pytest("races", CHECK, "not long", "-k", "change_together or after_it_is_disabled", files=RACES, TACHO_REPLACEMENTS="200", TACHO_DISABLE_ROUNDS="20000")
    judge("tests that wait", ["tests/shaken.py", CHECK.name, "--waits", "50"])
    judge("equal launches", ["tests/aa_launches.py", "400"], release)
    judge("equal comparisons", ["tests/aa_compare.py", "1000"], release)
    TOTALS.failed += run("fuzz targets", ["make", "--no-print-directory", "fuzz"]) != 0


def print_costs():
    wall = time.monotonic() - TOTALS.began
    spent = sum(seconds for _, seconds, _ in TOTALS.steps)
    print(f"\n{'what ran':40} {'cases':>8} of")
    for name, tested, cases_of_it in TOTALS.tested:
        print(f"{name:40} {cases_of_it:8} {tested}")
    print(f"\n{'step':40} {'CPU s':>8} {'wall s':>8}")
    for name, seconds, took in sorted(TOTALS.steps, key=lambda step: -step[1])[:DEAREST]:
        print(f"{name:40} {seconds:8.1f} {took:8.1f}")
    print(f"\n{'file':40} {'CPU s':>8}")
    for name, seconds in TOTALS.files.most_common(DEAREST):
        print(f"{name:40} {seconds:8.1f}")
    print(f"\n{spent:.0f} s of CPU in {wall:.0f} s, {100 * spent / wall / CORES:.0f} % of {CORES} cores; the load average before was {TOTALS.load:.2f}")


def print_skipped():
    reasons = collections.Counter(reason for _, reason in TOTALS.skipped)
    for reason, count in reasons.most_common():
        print(f"skipped {count}: {reason}")
        for name, of in TOTALS.skipped:
            if of == reason:
                print(f"  {name}")


def take_signals():
    """What started this may ignore signals (a shell in the background, nohup). Programs inherit that, and tests of signals would wait for ever."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)


def main():
    tiers = {"check": check, "test": test, "long": long}
    if len(sys.argv) != 2 or sys.argv[1] not in tiers:
        sys.exit(f"run.py: which tests? {', '.join(tiers)}")
    take_signals()
    os.environ["TACHO_SUITE"] = str(os.getpid())  # all steps are one run, which has one browser
    tiers[sys.argv[1]]()
    TOTALS.steps.append(("the browser", chromium.end(), 0))
    print_skipped()
    print_costs()
    print(f"{TOTALS.passed} passed, {TOTALS.failed} failed")
    return 1 if TOTALS.failed or not TOTALS.passed else 0


if __name__ == "__main__":
    sys.exit(main())
