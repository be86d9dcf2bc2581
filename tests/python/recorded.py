"""Runs Python programs under `python3 -m tacho`, for all tests of what it records, with every interpreter that is here.

The package is built against the build that is tested (tools/python.sh). Debian's Python is always there; from 3.12 on the interpreter tells calls in another
way, so newer ones are tested where they are found.
"""
import functools
import glob
import os
import shutil
import subprocess

import pytest

import recording_reference
import tool
import waiting

BUILD = tool.BUILD
DEBIAN = "/usr/bin/python3"
WAITING = "(waiting for a CPU)"  # where the system did something else: wherever it likes


def find_newer():
    """By version: of each the first that is found, with its headers. None is started: this is done whenever tests are collected."""
    found = {}
    for minor in range(12, 20):
        here = glob.glob(os.path.expanduser(f"~/.pyenv/versions/3.{minor}.*/bin/python3"))
        for path in [*filter(None, [shutil.which(f"python3.{minor}")]), *sorted(here)]:
            headers = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(path))), "include", f"python3.{minor}")
            if os.path.exists(os.path.join(headers, "Python.h")):
                found.setdefault(minor, path)
    return list(found.values())


# Under sanitizers one is enough: the C code that they look at is the same but for monitoring.c.
PYTHONS = [DEBIAN] + ([] if tool.SANITIZED else find_newer())
# A test for each of them; the package is built for the newer ones by the first that wants it.
both = pytest.mark.parametrize("python", [pytest.param(path, marks=[] if path == DEBIAN else pytest.mark.slow) for path in PYTHONS],
                               ids=lambda path: path.strip("/").replace("/", "-")[-24:])


@functools.lru_cache(None)
def build(python):
    """Where the package can be imported from."""
    flags = {"CFLAGS": "-fsanitize=address,undefined"} if tool.SANITIZED else {}
    done = subprocess.run([tool.ROOT / "tools" / "python.sh", BUILD, python], capture_output=True, text=True, env={**os.environ, **flags})
    assert done.returncode == 0 and "warning" not in done.stderr, done.stderr
    return str(BUILD / "python")


def environment(python, **changes):
    variables = tool.environment(**{"TACHO_RECORD": None, "TACHO_PYTHON": None, "PYTHONPATH": build(python), "PYTHONDONTWRITEBYTECODE": "1", **changes})
    if tool.SANITIZED:
        libraries = [subprocess.run(["cc", f"-print-file-name={name}"], capture_output=True, text=True, check=True).stdout.strip()
                     for name in ("libasan.so", "libubsan.so")]
        variables.update(LD_PRELOAD=" ".join(libraries), ASAN_OPTIONS="detect_leaks=0:exitcode=99")
    return variables


def run(python, *arguments, code=0, variables=None, **options):
    """python3 ARGUMENTS; what it printed is checked for its exit status only."""
    done = subprocess.run([python, *[str(argument) for argument in arguments]], capture_output=True, text=True, timeout=waiting.LIMIT,
                          env=environment(python, **(variables or {})), **options)
    assert done.returncode == code, f"{done.returncode}\n{done.stdout}{done.stderr}"
    return done


def record(python, folder, source, *options, arguments=(), **more):
    """Runs a program of this source; gives its processes, and what it said."""
    script = folder / "program.py"
    script.write_text(source)
    done = run(python, "-m", "tacho", "-o", folder / "run.tacho", *options, script, *arguments, cwd=folder, **more)
    return recording_reference.read(folder / "run.tacho"), done


def calls(process, thread="MainThread"):
    """Of a thread: (depth, name) of every zone in the order in which they began, and nothing that does not nest. But for waiting."""
    number, = [number for number, name in process.thread_names.items() if name == thread]
    stack, found = [], []
    for entry in process.threads.get(number, []):
        if entry.kind == "begin":
            if process.sites[entry.id] != WAITING:
                found.append((len(stack), process.sites[entry.id]))
            stack.append(entry.id)
        elif entry.kind == "end":
            assert stack and stack[-1] == entry.id, f"{process.sites[entry.id]} ends inside of {process.sites[stack[-1]] if stack else 'nothing'}"
            stack.pop()
    return found


def all_names(processes):
    """Of all zones of all threads."""
    return [process.sites[entry.id] for process in processes for records in process.threads.values() for entry in records if entry.kind == "begin"]


def names(process, thread="MainThread"):
    return [name for _, name in calls(process, thread)]


def arguments(process):
    """(zone, key, value) of all arguments, as texts."""
    found = []
    for records in process.threads.values():
        stack = []
        for entry in records:
            if entry.kind == "begin":
                stack.append(process.sites[entry.id])
            elif entry.kind == "end":
                stack.pop()
            elif entry.kind.startswith("argument"):
                found.append((stack[-1], entry))
    return [(zone, *value_of(process, entry)) for zone, entry in found]


def value_of(process, entry):
    text = entry.text.decode()
    if entry.kind == "argument_text":
        return (process.sites[entry.id], text) if entry.id else (text[:entry.word], text[entry.word:])
    key = process.sites[entry.id] if entry.id else text
    return key, {"argument_integer": lambda: entry.word, "argument_decimal": lambda: __import__("struct").unpack("<d", entry.word.to_bytes(8, "little"))[0],
                 "argument_unsigned": lambda: entry.word}[entry.kind]()
