#!/usr/bin/python3
"""Runs every test over the plain and the sanitized build and ends with one line: N passed, N failed.

    tests/run.py BUILD SANITIZED_BUILD

Unit tests are meson's; the command line, the goldens, the manual pages and the house rules are pytest's. One more than there are cores
run at a time, since a third of their time is waiting; files of them in one piece, because what a file of tests shares is made once. Tests that are marked `alone` change
what the others use, or measure how fast something is: they come last, one by one.
"""
import os
import pathlib
import signal
import subprocess
import sys
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent


def count(report):
    """Passed, failed and skipped cases of a JUnit report."""
    passed = failed = skipped = 0
    for case in xml.etree.ElementTree.parse(report).iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            failed += 1
        elif case.find("skipped") is not None:
            skipped += 1
        else:
            passed += 1
    return passed, failed, skipped


def run(command, report, environment=None):
    if report.exists():
        report.unlink()
    print("+", " ".join(str(part) for part in command), flush=True)
    code = subprocess.run(command, cwd=ROOT, env={**os.environ, **(environment or {})}).returncode
    if not report.exists():
        return 0, 1, 0
    passed, failed, skipped = count(report)
    return passed, failed if failed or code == 0 else 1, skipped


def command_line(folder, chosen, name, *options):
    """The tests of pytest with or without a mark, over one build."""
    report = folder / name
    sanitized = "asan" in folder.name
    return run(["/usr/bin/python3", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", chosen, *options, "tests", f"--junitxml={report}"], report,
               {"TACHO": str(folder / "tacho"), "TACHO_BUILD": str(folder), "TACHO_SANITIZED": "1" if sanitized else "",
                "ASAN_OPTIONS": "detect_leaks=1:exitcode=99:handle_sigill=1"})


def take_signals():
    """What started this may ignore signals (a shell in the background, nohup). Programs inherit that, and tests of signals would wait for ever."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)


def main():
    take_signals()
    totals = [0, 0, 0]
    workers = str(len(os.sched_getaffinity(0)) + 1)
    for build in sys.argv[1:]:
        folder = ROOT / build
        unit = run(["meson", "test", "-C", build, "--no-rebuild", "--print-errorlogs"],
                   folder / "meson-logs" / "testlog.junit.xml")
        together = command_line(folder, "not alone", "pytest.xml", "-n", workers, "--dist", "loadfile", "--durations", "15")
        alone = command_line(folder, "alone", "pytest-alone.xml")
        totals = [sum(values) for values in zip(totals, unit, together, alone)]
    if totals[2]:
        print(f"{totals[2]} skipped")
    print(f"{totals[0]} passed, {totals[1]} failed")
    return 1 if totals[1] or not totals[0] else 0


if __name__ == "__main__":
    sys.exit(main())
