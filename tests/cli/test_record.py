"""tacho record: runs a command, joins what its processes recorded, says where the time went; and tacho summary --follow, while it runs."""
import json
import os
import pathlib
import re
import signal
import socket
import struct
import subprocess
import time

import pytest

import recording_reference
import tool
import waiting
from following import BEGUN, TURNS, Following

BUILD = tool.BUILD
ZONES = BUILD / "tests" / "zones"


def record(*arguments, code=0, **options):
    result = tool.run("record", *arguments, **options)
    assert result.code == code, result.err
    return result


# ---- the command -----------------------------------------------------------------------------------------------------


def test_one_process(tmp_path):
    start = time.monotonic()
    result = record("-o", tmp_path / "run.tacho", "--", ZONES, "nest", "2", "1000")
    taken = time.monotonic() - start
    process, = recording_reference.read(tmp_path / "run.tacho")
    assert len(process.zones()[0]) == 2000 and process.state == 2
    assert "run.tacho: 1 process" in result.text and "nested" in result.text and "peak memory" in result.text
    assert 0 < float((tmp_path / "wall_time.txt").read_text()) < taken
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run.tacho", "wall_time.txt"]


def test_children_are_in_the_same_file(tmp_path):
    record("-o", tmp_path / "run.tacho", "--", "sh", "-c", f"{ZONES} fork 4; {ZONES} nest 1 10")
    processes = recording_reference.read(tmp_path / "run.tacho")
    assert len(processes) == 1 + 4 + 2 + 1 and len({process.pid for process in processes}) == 8
    assert {process.launch for process in processes} == {0}


def test_launches(tmp_path):
    result = record("--repeat", "10", "--warmup", "1", "-o", tmp_path / "run.tacho", "--", ZONES, "kinds")
    processes = recording_reference.read(tmp_path / "run.tacho")
    assert [process.launch for process in processes] == list(range(10)) and "10 launches: wall time" in result.text
    latency = json.loads(tool.good("latency", "--json", tmp_path / "run.tacho").text)
    assert "10 launches" in tool.good("latency", tmp_path / "run.tacho").text and latency
    for verb in ("operators", "summary", "advise", "report"):
        assert "inference" in tool.good(verb, "--by" if verb == "summary" else "--json", *(["operator"] if verb == "summary" else []),
                                        tmp_path / "run.tacho").text, verb
    tool.good("convert", tmp_path / "run.tacho", "-o", tmp_path / "run.pb")


def test_launches_without_runs_are_runs(tmp_path):
    record("--repeat", "6", "-o", tmp_path / "run.tacho", "--", ZONES, "hidden", "100")
    assert "6 launches, 6 runs" in tool.good("latency", tmp_path / "run.tacho").text
    assert "mean of" in tool.good("operators", tmp_path / "run.tacho").text


def test_another_format(tmp_path):
    result = record("-o", tmp_path / "run.csv", "--", ZONES, "nest", "1", "50")
    rows = (tmp_path / "run.csv").read_text().splitlines()
    assert len(rows) == 51 and "run.csv: 50 slices" in result.text and not list(tmp_path.glob("*.parts*"))


def test_the_usual_name(tmp_path):
    record("--", ZONES, "nest", "1", "5", cwd=tmp_path)
    names = [path.name for path in tmp_path.iterdir() if path.suffix == ".tacho"]
    assert len(names) == 1 and re.fullmatch(r"zones-\d{8}-\d{6}\.tacho", names[0])


def test_a_command_without_zones(tmp_path):
    result = record("-o", tmp_path / "run.tacho", "--", "true")
    assert "nothing was recorded: true marks no zones" in result.text and "TACHO_ZONE" in result.text


@pytest.mark.parametrize("script, code, words", [("exit 3", 3, "launch 1 failed: exit status 3"),
                                                 ("kill -9 $$", 137, "launch 1 failed: signal 9 (Killed) ended it")])
def test_the_exit_code_is_that_of_the_command(tmp_path, script, code, words):
    assert words in record("-o", tmp_path / "run.tacho", "--", "sh", "-c", script, code=code).text


def test_what_cannot_be_started(tmp_path):
    result = record("-o", tmp_path / "run.tacho", "--", "no-such-program", code=127)
    assert "no-such-program could not be started: No such file or directory" in result.err and not list(tmp_path.iterdir())


@pytest.mark.parametrize("arguments, words", [([], "wants a command"), (["-o", "x.foo", "--", "true"], "the suffix names no format"),
                                              (["--repeat", "0", "--", "true"], "--repeat")])
def test_wrong_usage(tmp_path, arguments, words):
    assert words in record(*arguments, code=2, cwd=tmp_path).err and not list(tmp_path.iterdir())


def test_a_place_that_is_not_there(tmp_path):
    result = record("-o", tmp_path / "none" / "run.tacho", "--", "touch", tmp_path / "ran", code=4)
    assert "No such file or directory" in result.err and not (tmp_path / "ran").exists()


def test_streams_are_the_commands_own(tmp_path):
    result = record("-q", "-o", tmp_path / "run.tacho", "--", "sh", "-c", "cat; echo told >&2", stdin=b"a line\n")
    assert result.text.startswith("a line\n") and result.err == "told\n"


@pytest.mark.waits
def test_signals_reach_the_command(tmp_path):
    script = "trap 'echo got it; exit 5' TERM; echo ready; while :; do sleep 0.05; done"
    started = subprocess.Popen([tool.TACHO, "record", "-o", tmp_path / "run.tacho", "--", "sh", "-c", script], stdout=subprocess.PIPE,
                               env=tool.environment())
    assert started.stdout.readline() == b"ready\n"
    started.send_signal(signal.SIGTERM)
    out, _ = started.communicate(timeout=waiting.LIMIT)
    assert started.returncode == 5 and b"got it" in out


def test_a_ring_of_the_last(tmp_path):
    record("--ring", "4", "-o", tmp_path / "run.tacho", "--", ZONES, "nest", "2", "300000")
    assert (tmp_path / "run.tacho").stat().st_size < 8 << 20
    assert "written over" in tool.good("summary", tmp_path / "run.tacho").text


@pytest.mark.once("the sanitizer ends the program in its own way")
def test_zones_that_were_open_in_a_crash_are_told(tmp_path):
    result = record("-o", tmp_path / "run.tacho", "--", ZONES, "crash", code=128 + signal.SIGSEGV)
    assert "outer > middle > the one that crashes" in " ".join((result.text + result.err).split())


def test_a_small_cap_and_a_number_that_is_none(tmp_path):
    record("--cap", "1", "-o", tmp_path / "run.tacho", "--", ZONES, "nest", "1", "100")
    assert len(recording_reference.read(tmp_path / "run.tacho")[0].zones()[0]) == 100
    done = subprocess.run([ZONES, "nest", "1", "10"], capture_output=True, text=True, cwd=tmp_path,
                          env=tool.environment(TACHO_RECORD="other.tacho", TACHO_RING="much"))
    assert done.returncode == 0 and done.stderr == 'tacho: TACHO_RING wants a number of MB, not "much": it is passed over\n'


@pytest.mark.parametrize("size, words", [(20, "cut off in its head"), (1500, "cut off in its head"), (100000, None)])
def test_a_recording_that_is_cut_off_says_so(tmp_path, size, words):
    record("-o", tmp_path / "run.tacho", "--", ZONES, "nest", "2", "5000")
    whole = (tmp_path / "run.tacho").read_bytes()
    (tmp_path / "cut.tacho").write_bytes(whole[:size])
    result = tool.run("summary", tmp_path / "cut.tacho")
    if words:
        assert result.code == 3 and words in result.err
        if size < 24:
            assert words in tool.run("summary", "--follow", tmp_path / "cut.tacho").err
        return
    missing = len(whole) // recording_reference.CHUNK - -(-size // recording_reference.CHUNK)
    assert result.code == 0 and f"{missing} x a chunk that the file ends before" in " ".join(result.text.split())
    strict = tool.run("summary", "--strict", tmp_path / "cut.tacho")
    assert strict.code == 3 and "the recording is cut off: 2 of" in strict.err


# ---- following -------------------------------------------------------------------------------------------------------


def start_program(folder, case, **variables):
    runtime = folder / "runtime"
    runtime.mkdir(exist_ok=True, mode=0o700)
    runtime.chmod(0o700)
    return subprocess.Popen([ZONES, *case], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env=tool.environment(**{"TACHO_RECORD": "run.tacho", "XDG_RUNTIME_DIR": str(runtime), **variables}))


def end(program):
    out, err = program.communicate("end\n", timeout=waiting.LIMIT)
    assert program.returncode == 0, err
    return out


def expected(path):
    process, = recording_reference.read(path)
    counts = {}
    for _, name, *_ in process.zones()[0]:
        counts[name] = counts.get(name, 0) + 1
    return counts


@pytest.mark.waits
@pytest.mark.parametrize("viewer_first", [True, False])
@pytest.mark.parametrize("live", [True, False])
def test_a_program_is_followed_to_its_end(tmp_path, viewer_first, live):
    port = tool.free_port()
    where = f"127.0.0.1:{port}" if live else tmp_path / "run.tacho"
    variables = {"TACHO_LIVE": str(port)} if live else {}
    token = {"XDG_RUNTIME_DIR": str(tmp_path / "runtime")}
    following = Following(tmp_path, where, **token) if viewer_first else None
    if following:
        following.finds_nobody(where)
    program = start_program(tmp_path, ["wait"], **variables)
    address = program.stdout.readline().split()
    assert not live or address[0] == f"127.0.0.1:{port}"
    following = following or Following(tmp_path, where, **token)
    following.shows(TURNS)
    end(program)
    zones, notes = following.zones()
    assert zones == expected(tmp_path / "run.tacho") and zones["turn"] > 10 and "killed" not in notes


@pytest.mark.waits
@pytest.mark.parametrize("live", [True, False])
def test_a_program_that_is_killed(tmp_path, live):
    port = tool.free_port()
    program = start_program(tmp_path, ["wait"], **({"TACHO_LIVE": str(port)} if live else {}))
    program.stdout.readline()
    following = Following(tmp_path, f"127.0.0.1:{port}" if live else tmp_path / "run.tacho", XDG_RUNTIME_DIR=str(tmp_path / "runtime"))
    following.shows(TURNS)
    program.kill()
    program.wait()
    zones, notes = following.zones()
    assert zones["turn"] > 10 and "it was killed, or crashed" in notes and "open when it ended: turn" in notes


@pytest.mark.waits
def test_many_zones_of_threads(tmp_path):
    port = tool.free_port()
    following = Following(tmp_path, f"127.0.0.1:{port}", XDG_RUNTIME_DIR=str(tmp_path / "runtime"))
    program = start_program(tmp_path, ["nest", "4", "200000"], TACHO_LIVE=str(port), ZONES_WAIT="")
    following.shows(BEGUN)
    end(program)
    zones, notes = following.zones()
    assert zones == {"nested": 800000} and "could not be used" not in notes


@pytest.mark.waits
def test_a_program_may_be_watched_without_a_file(tmp_path):
    port = tool.free_port()
    program = start_program(tmp_path, ["wait"], TACHO_LIVE=str(port), TACHO_RECORD=None, TMPDIR=str(tmp_path))
    program.stdout.readline()
    following = Following(tmp_path, f"127.0.0.1:{port}", XDG_RUNTIME_DIR=str(tmp_path / "runtime"))
    following.shows(TURNS)
    end(program)
    assert following.zones()[0]["turn"] > 0 and not list(tmp_path.glob("*.tacho"))


@pytest.mark.waits
def test_a_busy_port_is_passed_over(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        program = start_program(tmp_path, ["wait"], TACHO_LIVE=str(port))
        address = program.stdout.readline().split()[0]
        end(program)
    assert address.startswith("127.0.0.1:") and address != f"127.0.0.1:{port}"


@pytest.mark.waits
def test_the_token_is_wanted(tmp_path):
    port = tool.free_port()
    program = start_program(tmp_path, ["wait"], TACHO_LIVE=str(port))
    address, token = program.stdout.readline().split()
    wrong = tool.run("summary", "--follow", "--token", "0" * 32, address)
    none = tool.run("summary", "--follow", address, variables={"XDG_RUNTIME_DIR": str(tmp_path / "elsewhere")})
    kept = tmp_path / "runtime" / "tacho" / f"{port}.token"
    assert kept.read_text() == token and kept.stat().st_mode & 0o77 == 0
    following = Following(tmp_path, "--token", token, address, XDG_RUNTIME_DIR=str(tmp_path / "elsewhere"))
    following.shows(TURNS)
    end(program)
    assert wrong.code == 3 and "does not take the token" in wrong.err
    assert none.code == 3 and "--token" in none.err
    assert following.zones()[0]["turn"] > 0 and not kept.exists()


@pytest.mark.waits
@pytest.mark.parametrize("hello", [b"", b"GET / HTTP/1.1\r\n\r\n", b"tacholiv", struct.pack("<8sII32s", b"tacholiv", 99, 0, b"x" * 32),
                                   struct.pack("<8sII32s", b"tacholiv", 1, 0, b"x" * 32), bytes(range(256)) * 400],
                         ids=["nothing", "http", "cut", "version", "token", "noise"])
def test_bad_greetings_harm_nobody(tmp_path, hello):
    port = tool.free_port()
    program = start_program(tmp_path, ["wait"], TACHO_LIVE=str(port))
    address = program.stdout.readline().split()[0]
    with socket.create_connection(("127.0.0.1", int(address.split(":")[1]))) as made:
        made.settimeout(waiting.LIMIT)
        try:
            made.sendall(hello)
            answer = made.recv(100)
        except ConnectionError:
            answer = b""
        assert len(answer) in (0, 24)
        if len(answer) == 24:
            assert struct.unpack("<8sIIII", answer)[2] in (1, 2)
    following = Following(tmp_path, address, XDG_RUNTIME_DIR=str(tmp_path / "runtime"))
    following.shows(TURNS)
    end(program)
    assert following.zones()[0]["turn"] > 0


def test_a_file_of_another_kind(tmp_path):
    (tmp_path / "x.tacho").write_bytes(b"something else" * 10000)
    result = tool.run("summary", "--follow", tmp_path / "x.tacho")
    assert result.code == 3 and "is no recording" in result.err


@pytest.mark.parametrize("arguments, words", [(["--follow", "a", "b"], "takes one input"), (["--follow", "--by", "operator", "a"], "no --by"),
                                              (["--token", "x", "a"], "--token is for --follow")])
def test_wrong_usage_of_follow(arguments, words):
    result = tool.run("summary", *arguments)
    assert result.code == 2 and words in result.err
