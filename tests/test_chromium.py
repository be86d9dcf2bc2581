"""The one browser of a run of the tests (chromium.py), with a program in its place that only says an address and waits."""
import os
import pathlib
import select
import signal
import subprocess
import sys

import pytest

import chromium
import tool

ASK = "import sys; sys.path.insert(0, sys.argv[1]); import chromium; print(chromium.address(*sys.argv[2:]))"


@pytest.fixture
def stub(tmp_path):
    """What the keeper runs instead of node: its address ends with its process id."""
    made = tmp_path / "stub"
    made.write_text("#!/bin/sh\necho ws://127.0.0.1/$$\nexec cat\n")
    made.chmod(0o755)
    return made


@pytest.fixture
def run(tmp_path, monkeypatch):
    """A run of the tests: a process that waits."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as made:
        monkeypatch.setenv("TACHO_SUITE", str(made.pid))
        monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
        yield made
        made.kill()


def asking(stub):
    return subprocess.Popen([sys.executable, "-c", ASK, tool.TESTS, stub, "chromium", "modules"], stdout=subprocess.PIPE, text=True)


def ask(*asked):
    return {one.communicate()[0].strip() for one in asked}


def process(address):
    return os.pidfd_open(int(address.rsplit("/", 1)[1]))


def ended(watched):
    """Waits until this process is gone."""
    select.select([watched], [], [])
    os.close(watched)


def test_all_who_ask_get_the_same_and_it_ends_with_the_run(stub, run):
    found, = ask(*[asking(stub) for _ in range(4)])
    assert ask(asking(stub)) == {found}, "who started it has ended, and it is still there"
    watched, place = process(found), chromium.folder()
    with open(place / "address", encoding="utf-8") as file:
        keeper = os.pidfd_open(int(file.read().split()[1]))
    run.send_signal(signal.SIGKILL)
    ended(watched)
    ended(keeper)
    assert not place.exists()


def test_one_that_broke_down_is_started_again(stub, run):
    found, = ask(asking(stub))
    with open(chromium.folder() / "address", encoding="utf-8") as file:
        keeper = os.pidfd_open(int(file.read().split()[1]))
    os.kill(int(found.rsplit("/", 1)[1]), signal.SIGKILL)
    ended(keeper)
    again, = ask(asking(stub))
    assert again != found
    watched = process(again)
    assert chromium.end() >= 0
    ended(watched)
    assert chromium.end() == 0, "there is none"


def test_one_whose_keeper_is_killed_ends_too(stub, run):
    found, = ask(asking(stub))
    watched = process(found)
    with open(chromium.folder() / "address", encoding="utf-8") as file:
        os.kill(int(file.read().split()[1]), signal.SIGKILL)
    ended(watched)


def test_one_that_does_not_start_is_told(stub, run):
    stub.write_text("#!/bin/sh\necho no such thing >&2\n")
    with pytest.raises(AssertionError, match="chromium does not start:\nno such thing"):
        chromium.address(stub, "chromium", "modules")
