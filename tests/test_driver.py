"""How tests run the tool: what a forked child answers is what a started tool answers, and nothing that differs over two builds goes unseen."""
import os
import pathlib
import signal
import subprocess
import time

import pytest

import driver
import tool

C1 = tool.GOLDEN / "c1.csv"


def started(*words, stdin=b"", **options):
    done = subprocess.run([tool.TACHO, *map(str, words)], input=stdin, capture_output=True, env=tool.environment(), **options)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def drivers():
    made = driver.Drivers(tool.BUILD / "tests" / "driver", tool.environment())
    yield made
    made.stop()


def driven(drivers, *words, stdin=b"", folder=tool.ROOT, **variables):
    return drivers.run(["tacho", *map(str, words)], stdin, folder, tool.environment(**variables), 600)


@pytest.mark.parametrize("words", [["--help"], ["--version"], [], ["nonsense"], ["summary", C1], ["summary", "not there"], ["convert", C1, "-o", "-"], ["summary", C1, "--json"]])
def test_a_child_answers_as_the_tool_does(drivers, words):
    assert driven(drivers, *words) == started(*words)


def test_input_output_folder_and_variables_are_its_own(drivers, tmp_path):
    large = C1.read_bytes() * 50  # more than a pipe takes
    assert driven(drivers, "summary", "-", "--json", stdin=large) == started("summary", "-", "--json", stdin=large)
    assert driven(drivers, "convert", C1, "-o", "here.pb", folder=tmp_path)[0] == 0 and [path.name for path in tmp_path.iterdir()] == ["here.pb"]
    narrow, wide = (driven(drivers, "summary", C1, COLUMNS=columns)[1] for columns in ("60", "200"))
    assert narrow != wide
    with open(C1, "rb") as file:
        assert driven(drivers, "summary", "-", "--json", stdin=file) == started("summary", "-", "--json", stdin=C1.read_bytes())


def test_one_after_the_other_knows_nothing_of_the_one_before(drivers):
    answers = [driven(drivers, "summary", "--json", C1) for _ in range(3)]
    assert answers[0] == answers[1] == answers[2] and drivers.seconds > 0 and len(drivers.free) == 1


def test_a_signal_and_a_limit_are_told(drivers, tmp_path):
    os.mkfifo(tmp_path / "nobody writes")
    with pytest.raises(subprocess.TimeoutExpired):
        drivers.run(["tacho", "summary", str(tmp_path / "nobody writes")], b"", tool.ROOT, tool.environment(), 0.1)
    assert driven(drivers, "--version")[0] == 0
    made = driver.Driver(tool.BUILD / "tests" / "driver", tool.environment())
    out, into = os.pipe()
    child = made.start(["tacho", "summary", str(tmp_path / "nobody writes")], tool.ROOT, tool.environment(), [out, into, into])
    os.kill(child, signal.SIGTERM)
    assert made.end()[0] in (-signal.SIGTERM, 143)
    made.stop()
    os.close(out)
    os.close(into)


class Stub:
    """A build that answers this, and writes that into its folder."""

    def __init__(self, code=0, out=b"", err=b"", written=None):
        self.answer, self.written, self.asked = (code, out, err), written, 0

    def run(self, words, stdin, folder, variables, timeout):
        self.asked += 1
        if self.written is not None:
            pathlib.Path(folder, "written").write_bytes(self.written)
        return self.answer


@pytest.fixture
def two_builds(monkeypatch, tmp_path):
    """Runs a command over two stubs: whether the test would run again, and how often the second was asked."""
    again = []
    monkeypatch.setattr(tool, "run_again", lambda: again.append(1))
    monkeypatch.setattr(tool, "_BESIDE", "the other build")
    monkeypatch.setenv("TACHO_TEMPORARY", os.path.realpath(tmp_path.parent))

    def run(plain, beside, *words, **options):
        again.clear()
        monkeypatch.setattr(tool, "DRIVERS", plain)
        monkeypatch.setattr(tool, "DRIVERS_BESIDE", beside)
        result = tool.run(*words, cwd=tmp_path, **options)
        assert (result.code, result.out, result.err.encode()) == plain.answer
        return bool(again), beside.asked

    return run


@pytest.mark.parametrize("beside, differs", [
    (Stub(0, b"out", b"err", b"bytes"), False), (Stub(1, b"out", b"err", b"bytes"), True), (Stub(0, b"OUT", b"err", b"bytes"), True),
    (Stub(0, b"out", b"ERR", b"bytes"), True), (Stub(0, b"out", b"err", b"BYTES"), True)])
def test_a_difference_makes_the_test_run_again(two_builds, beside, differs):
    assert two_builds(Stub(0, b"out", b"err", b"bytes"), beside, "convert", "x", "-o", "written") == (differs, 1)


def test_a_file_that_only_one_writes_is_a_difference(two_builds, tmp_path):
    assert two_builds(Stub(), Stub(written=b"more"), "convert", "x", "-o", tmp_path / "written") == (True, 1)
    old = time.time() - 1000
    os.utime(tmp_path / "written", (old, old))
    assert two_builds(Stub(), Stub(), "convert", "x", "-o", tmp_path / "written") == (False, 1)


@pytest.mark.parametrize("words", [["history", "add", "x"], ["record", "--", "x"], ["serve", "x"], ["summary", "pipe"]])
def test_what_cannot_run_twice_runs_over_the_other_build_apart(two_builds, tmp_path, words):
    os.mkfifo(tmp_path / "pipe")
    assert two_builds(Stub(), Stub(), *words) == (True, 0)


def test_help_runs_twice(two_builds):
    assert two_builds(Stub(), Stub(), "history", "--help") == (False, 1)


@pytest.mark.parametrize("code", [tool.SANITIZER_CODE, -signal.SIGSEGV])
def test_a_finding_in_the_second_build_fails_at_once(two_builds, code):
    with pytest.raises(AssertionError, match="the finding"):
        two_builds(Stub(), Stub(code, err=b"the finding"), "summary", "x")


def test_a_second_build_without_a_driver_is_refused(monkeypatch, tmp_path):
    monkeypatch.setattr(tool, "_BESIDE", str(tmp_path / "tacho"))
    with pytest.raises(AssertionError, match="has no driver"):
        tool.drivers_of(str(tmp_path / "tacho"))
    assert tool.drivers_of(str(tmp_path / "another")) is None


def test_who_takes_the_tool_runs_again(monkeypatch, tmp_path):
    monkeypatch.setattr(tool, "_AGAIN", str(tmp_path))
    assert tool.TACHO and tool.BUILD
    named, = tmp_path.iterdir()
    assert named.read_text() == "tests/test_driver.py::test_who_takes_the_tool_runs_again"


def test_what_is_missing_fails_unless_a_person_allows_it(monkeypatch):
    monkeypatch.delenv("TACHO_ALLOW_MISSING", raising=False)
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(AssertionError, match="no-such-program is not installed: tools/setup.sh test installs it"):
        tool.need("no-such-program")
    monkeypatch.setenv("TACHO_ALLOW_MISSING", "1")
    with pytest.raises(pytest.skip.Exception, match="no-such-program"):
        tool.need("no-such-program")
    monkeypatch.setenv("CI", "true")
    with pytest.raises(AssertionError, match="no-such-program"):
        tool.need("no-such-program")
