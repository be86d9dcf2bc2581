"""Waiting in tests: for a condition, and never for a time.

How long something takes says how busy a machine is, and is no failure. So what a test waits for has a limit that nothing reaches that goes on at
all, on a machine ten times slower: it ends a run that would hang. Tests that wait have the mark `waits`: tests/shaken.py runs them more often.
"""
import pathlib
import time

LIMIT = 600


def until(condition):
    """What the condition gives, as soon as that is something."""
    end = time.monotonic() + LIMIT
    while not (found := condition()):
        assert time.monotonic() < end, f"still waiting after {LIMIT} s"
        time.sleep(0.02)
    return found


def runs(process):
    """Whether a process of this number runs. One that ended and that nobody has asked for yet does not."""
    try:
        stat = pathlib.Path(f"/proc/{process}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rsplit(")", 1)[1].split()[0] not in "ZX"
