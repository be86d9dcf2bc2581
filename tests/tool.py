"""Runs the tool as a person at a terminal of 80 columns would, for all tests of the command line.

The tool is build-check/tacho, or what the environment variable TACHO names. TACHO_SANITIZED is "1" when it was built with
sanitizers; a finding of theirs ends it with code 99, which is never an answer that a test may expect.

TACHO_BESIDE names a sanitized build: each command line is then given to it as well, and where code, output and files are equal to the last
byte, there is nothing that a test could say of the one and not of the other. TACHO_AGAIN names a folder that gets the tests of which that
does not hold: tests/run.py has them run over the sanitized build.
"""
import hashlib
import os
import pathlib
import random
import shutil
import socket
import stat
import subprocess
import sys
import time
from dataclasses import dataclass

import driver

TESTS = pathlib.Path(__file__).resolve().parent
ROOT = TESTS.parent
DATA = TESTS / "data"
GOLDEN = DATA / "torq-golden"
MOBILENET = ROOT / "examples" / "mobilenet"
SANITIZED = os.environ.get("TACHO_SANITIZED") == "1"
SANITIZER_CODE = 99
# Root whom permissions bind like everyone else.
BOUND = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search", "--"] if os.geteuid() == 0 else []
# Verbs that change what they find, serve, or run programs: a second run of the same command line would be another one.
ONCE = {"history", "pipeline", "profile-this", "record", "serve"}

_TACHO = os.environ.get("TACHO") or str(ROOT / "build-check" / "tacho")
_BUILD = pathlib.Path(os.environ.get("TACHO_BUILD") or ROOT / "build-check")
_BESIDE = os.environ.get("TACHO_BESIDE")
_AGAIN = os.environ.get("TACHO_AGAIN")


def __getattr__(name):
    """Who takes the tool or its build folder into the own hands cannot be compared beside: such a test runs over both builds."""
    if name in ("TACHO", "BUILD"):
        run_again()
        return _TACHO if name == "TACHO" else _BUILD
    raise AttributeError(name)


def calling_file():
    """The file of tests that is being imported."""
    frame = sys._getframe()
    while frame and not os.path.basename(frame.f_code.co_filename).startswith("test_"):
        frame = frame.f_back
    return os.path.relpath(frame.f_code.co_filename, ROOT) if frame else ""


def run_again():
    """The test that runs now, or the file where what runs is no single test, is to be run over the sanitized build, too."""
    if not _AGAIN:
        return
    test, _, phase = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")
    # What is made before a test may be made for all of the file.
    name = test if phase == "(call)" else test.partition("::")[0] or calling_file()
    if name:
        (pathlib.Path(_AGAIN) / hashlib.sha1(name.encode()).hexdigest()).write_text(name)


@dataclass
class Run:
    """What one run left behind. `out` is bytes, since some commands write traces there."""

    code: int
    out: bytes
    err: str
    command: list

    @property
    def text(self):
        return self.out.decode("utf-8")


def lacking(sentence):
    """A test cannot run: it fails, since one that is left out proves nothing. A person may allow that it is left out; CI may not."""
    if os.environ.get("TACHO_ALLOW_MISSING") == "1" and os.environ.get("CI") != "true":
        import pytest  # tools that use this file may lie where there is none

        pytest.skip(f"{sentence} (TACHO_ALLOW_MISSING=1)", allow_module_level=True)
    raise AssertionError(f"{sentence} (TACHO_ALLOW_MISSING=1 leaves such tests out)")


def need(program):
    """Where a program that a test runs lies."""
    found = shutil.which(program)
    if not found:
        lacking(f"{program} is not installed: tools/setup.sh test installs it")
    return found


def free_port():
    """A port that nobody listens on, below those that the system gives to whoever asks for any."""
    while True:
        port = random.randrange(10_000, 30_000)
        with socket.socket() as made:
            try:
                made.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port


def environment(**changes):
    made = dict(os.environ, COLUMNS="80", NO_COLOR="1", LC_ALL="C.UTF-8")
    made.setdefault("ASAN_OPTIONS", "detect_leaks=1:exitcode=99:handle_sigill=1")
    for name, value in changes.items():
        if value is None:
            made.pop(name, None)
        else:
            made[name] = value
    return made


def drivers_of(program):
    """Who runs command lines of this build; None where it has no driver, as a release has none."""
    place = pathlib.Path(program).resolve().parent.parent / "tests" / "driver"
    if not place.exists():
        # Without it nothing would run over the other build, and nobody would know.
        assert program != _BESIDE, f"{program} has no driver beside it: make build-asan"
        return None
    return driver.Drivers(place, environment())


DRIVERS = drivers_of(_TACHO)
DRIVERS_BESIDE = drivers_of(_BESIDE) if _BESIDE else None


def checked(code, out, err, command):
    """What one run left behind, unless a sanitizer or a signal ended it."""
    result = Run(code, out, err.decode("utf-8", "replace"), command)
    assert result.code != SANITIZER_CODE, f"{' '.join(command)}\n{result.err}"
    assert result.code >= 0, f"{' '.join(command)} was ended by signal {-result.code}\n{result.err}"
    return result


def start(command, stdin, cwd, timeout, variables):
    """Starts the program itself."""
    given = {"input": stdin} if isinstance(stdin, bytes) else {"stdin": stdin}
    done = subprocess.run(command, capture_output=True, cwd=cwd, timeout=timeout, env=variables, **given)
    return checked(done.returncode, done.stdout, done.stderr, command)


def files_of(words, folder, since):
    """What a command line may have written: files that are younger, in the folders that it names and in its own, with their bytes' hash."""
    places = {folder}
    for word in words:
        place = os.path.join(folder, word.partition("=")[2] if word.startswith("--") and "=" in word else word)
        places.add(place if os.path.isdir(place) else os.path.dirname(place))
    root, found = os.environ.get("TACHO_TEMPORARY", "/nowhere"), {}
    for place in places:
        if not os.path.realpath(place).startswith(root + "/"):
            continue
        for above, _, names in os.walk(place):
            for name in names:
                path = os.path.join(above, name)
                if os.path.isfile(path) and os.stat(path).st_mtime_ns >= since:
                    with open(path, "rb") as file:
                        found[os.path.realpath(path)] = hashlib.blake2b(file.read()).digest()
    return found


def built():
    """Whether there is a tool."""
    return pathlib.Path(_TACHO).exists()


def seconds_of_cpu():
    """What this process and all that it started have taken."""
    return sum(os.times()[:4]) + sum(each.seconds for each in (DRIVERS, DRIVERS_BESIDE) if each)


TICK = 20_000_000  # times of files may lag so many nanoseconds behind the clock


def once(words, stdin, folder):
    """Whether the same command line would find something else if it ran a second time."""
    if words and words[0] in ONCE and "--help" not in words or not isinstance(stdin, bytes):
        return True
    # What came through a pipe is gone.
    places = [os.path.join(folder, word) for word in words]
    return any(os.path.exists(place) and stat.S_ISFIFO(os.stat(place).st_mode) for place in places)


def run(*arguments, stdin=b"", cwd=None, timeout=600, variables=None, bound=False):
    """Runs tacho; `stdin` is bytes or a file object; `bound` by permissions, also as root. A sanitizer's finding fails at once, with
    its report."""
    words = [str(argument) for argument in arguments]
    command, given = [_TACHO, *words], environment(**(variables or {}))
    if bound or DRIVERS is None or "ASAN_OPTIONS" in (variables or {}):
        run_again()
        return start([*(BOUND if bound else []), *command], stdin, cwd, timeout, given)
    folder, since = os.fspath(cwd or os.getcwd()), time.time_ns() - TICK
    result = checked(*DRIVERS.run(["tacho", *words], stdin, folder, given, timeout), command)
    if DRIVERS_BESIDE is None:
        return result
    if once(words, stdin, folder):
        run_again()
        return result
    files = files_of(words, folder, since)
    beside = checked(*DRIVERS_BESIDE.run(["tacho", *words], stdin, folder, given, timeout), [_BESIDE, *words])
    if (beside.code, beside.out, beside.err, files_of(words, folder, since)) != (result.code, result.out, result.err, files):
        run_again()
    return result


def good(*arguments, **options):
    """The same for a command that must succeed."""
    result = run(*arguments, **options)
    assert result.code == 0, f"{' '.join(result.command)} gave {result.code}\n{result.err}"
    return result
