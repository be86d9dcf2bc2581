"""Runs the tool as a person at a terminal of 80 columns would, for all tests of the command line.

The tool is build/tacho, or what the environment variable TACHO names. TACHO_SANITIZED is "1" when it was built with
sanitizers; a finding of theirs ends it with code 99, which is never an answer that a test may expect.
"""
import os
import pathlib
import random
import shutil
import socket
import subprocess
from dataclasses import dataclass

TESTS = pathlib.Path(__file__).resolve().parent
ROOT = TESTS.parent
DATA = TESTS / "data"
GOLDEN = DATA / "torq-golden"
MOBILENET = ROOT / "examples" / "mobilenet"
TACHO = os.environ.get("TACHO") or str(ROOT / "build" / "tacho")
SANITIZED = os.environ.get("TACHO_SANITIZED") == "1"
SANITIZER_CODE = 99
# Root whom permissions bind like everyone else.
BOUND = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search", "--"] if os.geteuid() == 0 else []


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


def need(program):
    """Where a program that a test runs lies. A test that cannot run fails: one that is left out proves nothing."""
    found = shutil.which(program)
    assert found, f"{program} is not installed: tools/setup.sh test installs it"
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


def run(*arguments, stdin=b"", cwd=None, timeout=120, variables=None, bound=False):
    """Runs tacho; `stdin` is bytes or a file object; `bound` by permissions, also as root. A sanitizer's finding fails at once, with
    its report."""
    command = [*(BOUND if bound else []), TACHO, *[str(argument) for argument in arguments]]
    given = {"input": stdin} if isinstance(stdin, bytes) else {"stdin": stdin}
    done = subprocess.run(command, capture_output=True, cwd=cwd, timeout=timeout, env=environment(**(variables or {})),
                          **given)
    result = Run(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace"), command)
    assert result.code != SANITIZER_CODE, f"{' '.join(command)}\n{result.err}"
    assert result.code >= 0, f"{' '.join(command)} was ended by signal {-result.code}\n{result.err}"
    return result


def good(*arguments, **options):
    """The same for a command that must succeed."""
    result = run(*arguments, **options)
    assert result.code == 0, f"{' '.join(result.command)} gave {result.code}\n{result.err}"
    return result
