"""Runs torq-run-module for a test, on this machine or on a board, and keeps what it gave.

A run is named by what decides its outcome: the binary, the files that its arguments name, the arguments, where it runs.
What such a run left (its output, its wall time, its profile) is kept under that name and given again, so that a test is
repeated without waiting for a board. Failed runs are not kept.

Nothing is measured or summed here but the time around the call on this machine; runs on a board are `tacho record --host`.
"""
from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import tempfile
import time

PROGRAM = "torq-run-module"
WALL_TIME = "wall_time.txt"
RESULT = "run.json"


class RunFailed(Exception):
    """torq-run-module ended with an error, or the board could not be used."""


@dataclasses.dataclass
class Run:
    """What a run gave."""
    directory: pathlib.Path   #: with everything that it left
    wall_time: float          #: seconds around the call; on a board with the connection
    connection: float | None  #: seconds that a connection alone takes; None: there was none
    profile: pathlib.Path | None  #: its runtime log; None: none was asked for
    output: str               #: what it printed
    cached: bool              #: it was not run again


def tool():
    """The tacho command: $TACHO, or the one on the PATH."""
    found = os.environ.get("TACHO") or shutil.which("tacho")
    if not found:
        raise RunFailed("the tacho command is not on the PATH (and $TACHO does not name it)")
    return found


def program():
    """torq-run-module: $TORQ_RUN_MODULE, or the one on the PATH. None: there is none here."""
    return os.environ.get("TORQ_RUN_MODULE") or shutil.which(PROGRAM)


def named_file(argument):
    """The file here that an argument names, as PATH, --option=PATH or --option=TYPE=@PATH; None: it names none."""
    for path in (argument, argument.partition("=")[2], argument.rpartition("@")[2]):
        if path and os.path.isfile(path):
            return pathlib.Path(path)
    return None


def model_of(arguments, otherwise):
    """The name of the model that is run: that of its file."""
    for argument in arguments:
        option, _, path = argument.partition("=")
        if option == "--module" and path:
            return pathlib.Path(path).stem
    return otherwise


def digest(path):
    total = hashlib.sha256()
    with open(path, "rb") as file:
        while piece := file.read(1 << 20):
            total.update(piece)
    return total.hexdigest()


def failure(what, status, output):
    """A program that failed, with the last lines of what it printed."""
    how = f"signal {-status}" if status < 0 else f"exit status {status}"
    return "\n".join([f"{what}: {how}", *output.splitlines()[-20:]])


class Runner:
    """Runs with the options of a session."""

    def __init__(self, hardware=None, address=None, update=False, recompute=False, profiled=False, cache=None):
        self.hardware = hardware    # what it runs on; None: what torq-run-module takes by itself
        self.address = address      # USER@BOARD; None: this machine
        self.update = update        # the board gets the torq-run-module of this machine
        self.recompute = recompute  # what is kept is not used
        self.profiled = profiled    # a runtime log is written
        self.cache = cache          # folder of runs that are kept; None: none are

    def run(self, arguments, directory, name):
        """Runs it, or gives what an equal run gave before. What it leaves goes to `directory`; its profile is called by the model."""
        arguments = [os.fspath(argument) for argument in arguments]
        directory = pathlib.Path(directory)
        profile = model_of(arguments, name) + ".csv" if self.profiled else None
        kept = self.cache / self.key(arguments, profile) if self.cache else None
        if kept and kept.is_dir() and not self.recompute:
            shutil.copytree(kept, directory, dirs_exist_ok=True)
            return self.read(directory, cached=True)
        directory.mkdir(parents=True, exist_ok=True)
        for old in (profile, WALL_TIME, RESULT):  # what an earlier run left is not to be taken for this one's
            if old:
                (directory / old).unlink(missing_ok=True)
        done = (self.run_there if self.address else self.run_here)(arguments, directory, profile)
        if profile and not (directory / profile).is_file():
            raise RunFailed(f"{PROGRAM} left no profile ({profile})")
        (directory / RESULT).write_text(json.dumps({**done, "profile": profile}))
        if kept:
            keep(directory, kept, [profile, WALL_TIME, RESULT])
        return self.read(directory, cached=False)

    def key(self, arguments, profile):
        """Names a run by what decides its outcome."""
        files = {argument: digest(found) for argument in arguments if (found := named_file(argument))}
        binary = program() if self.update or not self.address else None
        parts = [arguments, files, digest(binary) if binary else PROGRAM, self.hardware, self.address, profile]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    def options(self, profile):
        return [*([f"--torq_hw_type={self.hardware}"] if self.hardware else []),
                *([f"--torq_profile_host={profile}"] if profile else [])]

    def run_here(self, arguments, directory, profile):
        binary = program()
        if not binary:
            raise RunFailed(f"{PROGRAM} is not on the PATH, and $TORQ_RUN_MODULE does not name it")
        command = [binary, *self.options(profile and (directory / profile).resolve()), *arguments]
        before = time.monotonic()
        try:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        except OSError as error:
            raise RunFailed(f"{binary}: {error.strerror}") from error
        wall_time = time.monotonic() - before
        if done.returncode:
            raise RunFailed(failure(shlex.join(command), done.returncode, done.stdout))
        (directory / WALL_TIME).write_text(f"{wall_time:.9f}s\n")
        return {"wall_time": wall_time, "connection": None, "output": done.stdout}

    def run_there(self, arguments, directory, profile):
        binary = program() if self.update else PROGRAM
        if not binary:
            raise RunFailed(f"{PROGRAM} is not on the PATH, and $TORQ_RUN_MODULE does not name it: there is nothing to copy to the board")
        files = [found for argument in arguments if (found := named_file(argument))]
        command = [tool(), "record", "--json", "-q", "--host", self.address, "-o", os.fspath(directory)]
        for file in dict.fromkeys(files):
            command += ["--push", os.fspath(file)]
        if profile:
            command += ["--fetch", profile]
        command += ["--", binary, *self.options(profile), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace")
        result = json.loads(done.stdout) if done.stdout else None
        if result and result["exit_status"]:
            raise RunFailed(failure(f"{PROGRAM} on {self.address}", result["exit_status"], result["stdout"] + result["stderr"]))
        if done.returncode or not result:
            raise RunFailed(done.stderr.strip())
        return {"wall_time": result["wall_time"] / 1e9, "connection": result["connection_time"] / 1e9,
                "output": result["stdout"] + result["stderr"]}

    @staticmethod
    def read(directory, cached):
        result = json.loads((directory / RESULT).read_text())
        profile = result["profile"]
        return Run(directory=directory, wall_time=result["wall_time"], connection=result["connection"],
                   profile=directory / profile if profile else None, output=result["output"], cached=cached)


def keep(directory, kept, names):
    """Keeps a run under its key: whole, or not at all, whoever else keeps the same."""
    with tempfile.TemporaryDirectory(dir=kept.parent) as scratch:
        whole = pathlib.Path(scratch) / "run"
        whole.mkdir()
        for name in names:
            if name and (directory / name).is_file():
                shutil.copy2(directory / name, whole)
        shutil.rmtree(kept, ignore_errors=True)
        with contextlib.suppress(OSError):  # another worker was first
            whole.rename(kept)
