"""tacho record --host: a command on another machine, over a real ssh to a daemon on this one."""
import contextlib
import json
import os
import pathlib
import shlex
import shutil
import signal
import stat
import subprocess

import pytest

import tool
import waiting
from board import Board, make_key

RUNNER = tool.TESTS / "programs" / "torq-run-module"

pytestmark = pytest.mark.waits
SHORT = "5"  # seconds that a command has, and that nobody needs for connecting
MINE = os.getpid()  # makes a command that nobody else runs, whatever else is being tested


@pytest.fixture(scope="module")
def board(tmp_path_factory):
    made = Board(tmp_path_factory.mktemp("board"))
    yield made
    made.close()


@pytest.fixture
def record(board, tmp_path):
    """Runs `tacho record --host` with results in tmp_path/out and tmp_path/there as the folder of the board."""

    def run(*arguments, code=0, on=board, **options):
        variables = {**on.variables(tmp_path / "there"), **options.pop("variables", {})}
        result = tool.run("record", "--host", "127.0.0.1", "-o", tmp_path / "out", *arguments, variables=variables, cwd=tmp_path, **options)
        assert result.code == code, f"{result.code}\n{result.err}\n{result.text}"
        return result

    return run


def answer(result):
    return json.loads(result.text)


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def runs_there(words):
    """Processes whose command line has these words, as the board would list them."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = entry.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
        except OSError:
            continue
        if words in line and "tacho" not in line:
            found.append(line)
    return found


TORQ = ["--push", "model/net.vmfb", "--push", "model/log.csv", "--", "./torq-run-module", "--module=model/net.vmfb", "--torq_profile_host=./runtime.csv"]


@pytest.fixture
def torq(tmp_path):
    """What is built here: the runner, a model, and the log that the stand-in writes."""
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "net.vmfb").write_bytes(bytes(range(256)) * 300)
    shutil.copy(tool.GOLDEN / "runtime_r4.csv", tmp_path / "model" / "log.csv")
    shutil.copy(RUNNER, tmp_path)
    return tmp_path


# ---- from the build to the overview ----------------------------------------------------------------------------------


def test_a_profile_comes_back_and_is_summarised(record, torq):
    result = record("--mlir", tool.GOLDEN / "executable_targets.mlir", *TORQ)
    out = torq / "out"
    assert names(out) == ["annotated_runtime.csv", "connection_time.txt", "runtime.csv", "wall_time.txt"]
    assert (out / "runtime.csv").read_bytes() == (torq / "model" / "log.csv").read_bytes()
    assert "Host Profile Overview" in result.text and "OVERALL" in result.text and "Dma In" in result.text
    assert "result[0]: hal.buffer_view" in result.err.splitlines()
    wall, connection = (float((out / name).read_text()) for name in ("wall_time.txt", "connection_time.txt"))
    assert f"Wall time: {wall:.3f}s" in result.err.splitlines() and wall > 0 and connection > 0
    # The same answers as of the files, asked here.
    again = tool.good("summary", out / "runtime.csv", "--mlir", tool.GOLDEN / "executable_targets.mlir").text
    assert again in result.text and "WALL_TIME" in again and "CONNECTION" in again
    tool.good("annotate", tool.GOLDEN / "executable_targets.mlir", out / "runtime.csv", torq / "here.csv")
    assert (out / "annotated_runtime.csv").read_bytes() == (torq / "here.csv").read_bytes()
    # Nothing of the run is left there, and what was sent there is.
    assert names(torq / "there") == ["log.csv", "net.vmfb", "torq-run-module"]


def test_what_programs_get(record, torq):
    told = answer(record("--json", *TORQ))
    assert told["exit_status"] == 0 and told["host"] == "127.0.0.1" and told["folder"] == str(torq / "there")
    assert told["command"] == [f"{torq}/there/torq-run-module", "--module=net.vmfb", "--torq_profile_host=./runtime.csv"]
    assert told["pushed"] == ["./torq-run-module", "model/net.vmfb", "model/log.csv"] and told["kept"] == []
    assert told["fetched"] == [{"path": f"{torq}/out/runtime.csv", "from": "./runtime.csv", "bytes": (torq / "model" / "log.csv").stat().st_size,
                                "older_than_the_run": False, "made": None}]
    assert told["stdout"] == "EXEC @main\nresult[0]: hal.buffer_view\n" and told["stderr"] == ""
    assert told["output"] == str(torq / "out")
    overview, = told["overviews"]
    assert overview["wall_time"] == told["wall_time"] and overview["connection_time"] == told["connection_time"]
    assert overview == json.loads(tool.good("summary", "--json", torq / "out" / "runtime.csv").text)
    assert round(told["wall_time"] / 1e9, 9) == float((torq / "out" / "wall_time.txt").read_text())
    assert record("--json", "-q", *TORQ).err == ""


def test_files_go_once(record, torq):
    record(*TORQ)
    before = {path.name: (path.stat().st_ino, path.stat().st_mtime_ns) for path in (torq / "there").iterdir()}
    told = answer(record("--json", *TORQ))
    assert told["pushed"] == [] and told["kept"] == ["./torq-run-module", "model/net.vmfb", "model/log.csv"]
    assert before == {path.name: (path.stat().st_ino, path.stat().st_mtime_ns) for path in (torq / "there").iterdir()}
    # One byte more here, and another byte there: both are seen.
    with open(torq / "torq-run-module", "a") as runner:
        runner.write("#\n")
    (torq / "there" / "net.vmfb").write_bytes(b"x" + bytes(range(1, 256)) + bytes(range(256)) * 299)
    told = answer(record("--json", *TORQ))
    assert told["pushed"] == ["./torq-run-module", "model/net.vmfb"] and told["kept"] == ["model/log.csv"]
    for name, here in (("torq-run-module", torq), ("net.vmfb", torq / "model")):
        assert (torq / "there" / name).read_bytes() == (here / name).read_bytes()
    # A file that lost its right to run gets it back without a copy.
    os.chmod(torq / "there" / "torq-run-module", 0o644)
    assert "./torq-run-module" in answer(record("--json", *TORQ))["kept"]
    assert (torq / "there" / "torq-run-module").stat().st_mode & stat.S_IXUSR


def test_the_usual_folder(board, torq):
    """Torq's folder is the one that its document shows; other commands have one in the home of the board's user."""
    log = torq / "asked"
    ssh = torq / "ssh"
    ssh.write_text(f'#!/bin/sh\nfor last; do :; done\nprintf "%s\\n" "$last" >> {log}\nexit 1\n')
    ssh.chmod(0o755)
    for command, folder in (("./torq-run-module", "/home/root/iree-build-soc/ada"), ("true", "tacho/ada")):
        log.write_text("")
        tool.run("record", "--host", "root@board", "--ssh", ssh, "-o", torq / "out", "--", command, cwd=torq,
                 variables={"LOGNAME": "ada", "TACHO_REMOTE_DIR": None, "TACHO_SSH": None})
        assert f"mkdir -p '\\''{folder}'\\''" in log.read_text()


# ---- words and files -------------------------------------------------------------------------------------------------

ODD = ["", " ", "a b", "it's", '"', "$HOME", "`id`", "\\", "\\n", "a\nb", "*", "~", ";exit 9", "--", "-n", "é", "!x", "a'\"b\n\n", "\t", "#x", "{a,b}"]


def test_arguments_arrive_as_they_are(record, tmp_path):
    script = 'for word; do printf "%s\\0" "$word"; done > words'
    record("--fetch", "words", "--", "sh", "-c", script, "sh", *ODD)
    assert (tmp_path / "out" / "words").read_bytes().decode().split("\0") == ODD + [""]


def test_paths_of_files_become_their_names(record, tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.npy").write_text("a")
    told = answer(record("--json", "--push", "in/a.npy", "--", "echo", "in/a.npy", "--input=in/a.npy", "--input=2xf32=@in/a.npy", "xin/a.npy", "in/a.npy.txt"))
    assert told["stdout"].split() == ["a.npy", "--input=a.npy", "--input=2xf32=@a.npy", "xin/a.npy", "in/a.npy.txt"]


def test_times_of_an_earlier_run_do_not_stay(record, tmp_path):
    record("--fetch", "x", "--", "touch", "x")
    assert names(tmp_path / "out") == ["connection_time.txt", "wall_time.txt", "x"]
    record("--fetch", "x", "--", "sh", "-c", "echo half > x; exit 1", code=1)
    assert names(tmp_path / "out") == ["x"]


def test_odd_names_go_and_come(record, tmp_path):
    name = "a 'b' $c\n*.txt"
    (tmp_path / name).write_text("odd\n")
    record("--push", name, "--fetch", "b *", "--", "sh", "-c", 'cp "$1" "b $1"; cp "$1" other', "sh", name)
    assert (tmp_path / "out" / f"b {name}").read_text() == "odd\n" and (tmp_path / "there" / name).read_text() == "odd\n"


def test_patterns_are_filled_in_there(record, tmp_path):
    (tmp_path / "given.csv").write_text("x\n")
    told = answer(record("--json", "--push", "given.csv", "--fetch", "*.csv", "--fetch", "sub/?.bin", "--fetch", "one.csv", "--", "sh", "-c",
                         "echo 1 > one.csv; echo 2 > 'two 2.csv'; echo 3 > three.txt; mkdir sub; printf '\\0\\377' > sub/a.bin; gzip -c one.csv > x.csv; gzip -c one.csv > z.gz"))
    assert {entry["from"] for entry in told["fetched"]} == {"one.csv", "two 2.csv", "x.csv", "sub/a.bin"}
    assert (tmp_path / "out" / "a.bin").read_bytes() == b"\0\xff"
    # A file that was compressed there is not compressed once more here.
    record("--fetch", "z.gz", "--", "sh", "-c", "echo 1 | gzip -c > z.gz")
    assert subprocess.run(["gzip", "-dc", tmp_path / "out" / "z.gz"], check=True, capture_output=True).stdout == b"1\n"


def test_a_file_that_is_not_there(record, tmp_path):
    result = record("--fetch", "here", "--fetch", "no/where*", "--", "touch", "here", code=3)
    assert "the command left no file no/where*" in result.err and names(tmp_path / "there") == []
    assert names(tmp_path / "out") == ["connection_time.txt", "here", "wall_time.txt"]


def test_an_older_file_is_told(record, tmp_path):
    old = tmp_path / "old.txt"
    old.write_text("old\n")
    os.utime(old, (1, 1))
    result = record("--json", "--fetch", old, "--", "true")
    assert answer(result)["fetched"][0]["older_than_the_run"] and "was on 127.0.0.1 before the command started" in result.err


def test_names_that_would_meet(record, tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x").write_text(folder)
    assert "would have one name" in record("--push", "a/x", "--push", "b/x", "--", "true", code=2).err
    result = record("--fetch", "a/y", "--fetch", "b/y", "--", "sh", "-c", "mkdir a b; echo > a/y; echo > b/y", code=3)
    assert "would have one name" in result.err
    kept, = (tmp_path / "there").iterdir()
    assert f"what the command wrote stays on 127.0.0.1, in {kept}" in result.err and (kept / "a" / "y").exists()


def test_a_login_that_talks(record, tmp_path_factory, tmp_path):
    folder = tmp_path_factory.mktemp("talks")
    talking = Board(folder, first="echo Welcome; echo and more >&2")
    try:
        told = answer(record("--json", "--fetch", "x", "--", "sh", "-c", "echo out; echo err >&2; printf x > x", on=talking))
    finally:
        talking.close()
    assert told["stdout"] == "out\n" and told["stderr"].endswith("err\n") and (tmp_path / "out" / "x").read_text() == "x"


def test_a_small_system(record, tmp_path, tmp_path_factory):
    """BusyBox's shell and programs, and no others, are enough."""
    busybox, programs = tool.need("busybox"), tmp_path / "bin"
    programs.mkdir()
    for name in ("sh", "cat", "mkdir", "rm", "mv", "ln", "chmod", "sha256sum", "wc", "sleep", "setsid", "cp", "dirname"):
        (programs / name).symlink_to(busybox)
    small = Board(tmp_path_factory.mktemp("small"), first=f"PATH={programs}")
    (tmp_path / "x.txt").write_text("x")
    command = ["--push", "x.txt", "--fetch", "y*", "--", "sh", "-c", "cp x.txt 'y y'; exit $1", "sh"]
    try:
        for pushed in (["x.txt"], []):
            told = answer(record("--json", *command, "0", on=small))
            assert told["pushed"] == pushed and (tmp_path / "out" / "y y").read_text() == "x"
        assert answer(record("--json", *command, "7", code=7, on=small))["exit_status"] == 7
        result = record("--timeout", SHORT, "--", "sh", "-c", f"sleep {MINE}4711 & sleep {MINE}4711", code=3, on=small)
    finally:
        small.close()
    assert "the command was stopped there" in result.err and not runs_there(f"sleep {MINE}4711") and names(tmp_path / "there") == ["x.txt"]


# ---- times -----------------------------------------------------------------------------------------------------------


def test_the_wall_time_has_the_connection_and_not_the_copy(record, board, tmp_path):
    (tmp_path / "large").write_bytes(os.urandom(1 << 20))
    told = answer(record("--json", "--push", "large", "--", "sleep", "1"))
    assert told["wall_time"] > 1e9 and told["connection_time"] > 0
    # A wrapper that takes half a second to connect: the run and the measure of connecting both have it.
    slow = tmp_path / "slow-ssh"
    slow.write_text('#!/bin/sh\nsleep 0.5\nexec ssh "$@"\n')
    slow.chmod(0o755)
    told = answer(record("--json", "--ssh", f"{slow} {shlex.join(shlex.split(board.ssh())[1:])}", "--", "true"))
    assert told["wall_time"] > 5e8 and told["connection_time"] > 5e8


# ---- what goes wrong -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("script, code, words", [("echo one; echo two >&2; exit 3", 3, ["exit status 3", "  one", "  two"]),
                                                 ("exit 255", 255, ["exit status 255"]),
                                                 ("kill -SEGV $$", 139, ["exit status 139 (signal 11, Segmentation fault"])])
def test_a_command_that_fails(record, tmp_path, script, code, words):
    result = record("--fetch", "part", "--fetch", "none", "--", "sh", "-c", f"echo half > part; {script}", code=code)
    assert "the command failed on 127.0.0.1" in result.text and all(word in result.text for word in words)
    # What it left comes back, but it has no time.
    assert names(tmp_path / "out") == ["part"] and "Wall time" not in result.err and names(tmp_path / "there") == []


def test_a_program_that_is_nowhere(record, tmp_path):
    result = record("--", "no-such-program", code=127)
    assert "no-such-program is neither a file here nor a program on 127.0.0.1" in result.err
    assert "./nor-this is neither" in record("--", "./nor-this", code=127).err
    assert not (tmp_path / "out").exists() and names(tmp_path / "there") == []


def test_nobody_is_there(record, board, tmp_path):
    result = record("--ssh", board.ssh(port=tool.free_port()), "--", "true", code=3)
    assert "127.0.0.1 could not be reached: " in result.err and "Connection refused" in result.err and not (tmp_path / "out").exists()


def test_another_host_key(record, board, tmp_path):
    make_key(tmp_path / "other")
    (tmp_path / "known").write_text(f"[127.0.0.1]:{board.port} {(tmp_path / 'other.pub').read_text()}")
    for known in (tmp_path / "known", "/dev/null"):
        assert "its host key was refused (Host key verification failed.)" in record("--ssh", board.ssh(known=known), "--", "true", code=3).err


def test_a_key_that_is_not_known_there(record, board, tmp_path):
    make_key(tmp_path / "mine")
    ssh = board.ssh().replace(f"{board.folder}/user", f"{tmp_path}/mine")
    assert "the login was refused" in record("--ssh", ssh, "--", "true", code=3).err


def test_no_ssh(record):
    assert "no-such-ssh could not be started: No such file" in record("--ssh", "no-such-ssh -p 1", "--", "true", code=3).err


def check_no_room(record, tmp_path, folder, first, words):
    full = Board(folder, first=first)
    try:
        (tmp_path / "small").write_text("before")
        record("--push", "small", "--", "true", on=full)
        (tmp_path / "small").write_bytes(os.urandom(200 << 10))
        result = record("--push", "small", "--", "true", on=full, code=4)
    finally:
        full.close()
    assert words in result.err and "small could not be copied to" in result.err and "nothing of it is left there" in result.err
    # The older one is whole, and there is no half of the new one.
    assert (tmp_path / "there" / "small").read_text() == "before" and names(tmp_path / "there") == ["small"]


def test_no_room_there(record, tmp_path, tmp_path_factory):
    """By a limit on files, and on a disk that is full where one can be mounted."""
    there = tmp_path / "there"
    check_no_room(record, tmp_path, tmp_path_factory.mktemp("limited"), "trap '' XFSZ; ulimit -f 64", "File too large")
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", there], capture_output=True).returncode == 0:
        try:
            check_no_room(record, tmp_path, tmp_path_factory.mktemp("full"), ":", "No space left on device")
        finally:
            subprocess.run(["umount", there], check=True)


def test_no_room_here(board, tmp_path):
    limited = subprocess.run(["sh", "-c", 'ulimit -f 64; exec "$@"', "sh", tool.TACHO, "record", "--host", "127.0.0.1", "-o", tmp_path / "out", "--fetch",
                              "large", "--", "sh", "-c", "head -c 200000 /dev/zero > large"], capture_output=True,
                             env=tool.environment(**board.variables(tmp_path / "there")))
    text = limited.stderr.decode()
    kept, = (tmp_path / "there").iterdir()
    assert limited.returncode == 4 and "large" in text and f"stays on 127.0.0.1, in {kept}" in text
    assert not (tmp_path / "out").exists() and (kept / "large").stat().st_size == 200000


def test_too_long(record, tmp_path):
    result = record("--timeout", SHORT, "--fetch", "half", "--", "sh", "-c", f"echo half > half; sleep {MINE}4712 & sleep {MINE}4712", code=3)
    assert f"no end after {SHORT} s" in result.err
    assert "the command was stopped there, and what it wrote is removed" in result.err
    assert not runs_there(f"sleep {MINE}4712") and names(tmp_path / "there") == [] and not (tmp_path / "out").exists()


def test_a_command_that_will_not_end(record):
    record("--timeout", SHORT, "--", "sh", "-c", f"trap '' TERM; sleep {MINE}4713; sleep {MINE}4713", code=3)
    waiting.until(lambda: not runs_there(f"sleep {MINE}4713"))


def start(board, tmp_path, *arguments):
    return subprocess.Popen([tool.TACHO, "record", "--host", "127.0.0.1", "-o", tmp_path / "out", *arguments], cwd=tmp_path, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, env=tool.environment(**board.variables(tmp_path / "there")))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_ending_it_ends_the_command(board, tmp_path, number):
    """Also where nobody can clean up here: the other side sees that the connection is gone."""
    tacho = start(board, tmp_path, "--", "sh", "-c", f"sleep {MINE}4714")
    waiting.until(lambda: runs_there(f"sleep {MINE}4714"))
    tacho.send_signal(number)
    tacho.communicate()
    assert tacho.returncode == -number
    waiting.until(lambda: not runs_there(f"sleep {MINE}4714"))
    waiting.until(lambda: names(tmp_path / "there") == [])
    assert not (tmp_path / "out").exists() or names(tmp_path / "out") == []


def session_of(words):
    """The daemon's process that a command's shell belongs to."""
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            line = (entry / "cmdline").read_bytes().decode("utf-8", "replace")
            if words not in line or "@tacho-" not in line:
                continue
            parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            if b"sshd" in pathlib.Path(f"/proc/{parent}/cmdline").read_bytes():
                return parent
        except (OSError, ValueError):
            continue
    return None


def test_the_connection_goes(board, tmp_path):
    tacho = start(board, tmp_path, "--fetch", "half", "--", "sh", "-c", f"echo half > half; sleep {MINE}4715")
    waiting.until(lambda: runs_there(f"sleep {MINE}4715") and session_of(f"sleep {MINE}4715"))
    os.kill(session_of(f"sleep {MINE}4715"), signal.SIGKILL)
    _, err = tacho.communicate(timeout=waiting.LIMIT)
    assert tacho.returncode == 3 and b"127.0.0.1: the connection was lost" in err, err
    assert b"the command was stopped there, and what it wrote is removed" in err
    assert not runs_there(f"sleep {MINE}4715") and names(tmp_path / "there") == [] and not (tmp_path / "out").exists()


def test_the_connection_goes_in_the_middle_of_a_copy(board, tmp_path):
    """The copy has no name yet, and goes; the file that was there before is whole."""
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "large").write_text("before")
    os.mkfifo(tmp_path / "pause")
    (tmp_path / "large").write_bytes(os.urandom(32 << 20))
    slow = tmp_path / "slow-ssh"  # feeds the first part of what it is given, and then nothing
    slow.write_text('#!/bin/sh\nfor last; do :; done\ncase $last in *wc*-ne*) { head -c 1000000; cat pause; } | ssh "$@";; *) exec ssh "$@";; esac\n')
    slow.chmod(0o755)
    ssh = f"{slow} " + shlex.join(shlex.split(board.ssh())[1:])
    tacho = start(board, tmp_path, "--ssh", ssh, "--push", "large", "--", "true")

    def part():
        return [path for path in (tmp_path / "there").iterdir() if path.name.endswith(".part") and path.stat().st_size == 1000000]

    waiting.until(part)
    waiting.until(lambda: session_of("came incomplete"))
    os.kill(session_of("came incomplete"), signal.SIGKILL)
    waiting.until(lambda: not part())
    tacho.kill()
    tacho.communicate()
    waiting.until(lambda: (tmp_path / "there" / "large").read_text() == "before")
    with contextlib.suppress(OSError):  # what feeds it ends, too, if it still waits
        os.close(os.open(tmp_path / "pause", os.O_WRONLY | os.O_NONBLOCK))


# ---- usage -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments, words", [
    (["--host", "b"], "wants a command"), (["--host", "b", "--", ""], "wants a command"), (["--host", "-oProxyCommand=x", "--", "true"], "--host wants USER@BOARD"),
    (["--host=-oProxyCommand=x", "--", "true"], "--host wants USER@MACHINE"), (["--host=", "--", "true"], "--host wants USER@MACHINE"),
    (["--push", "x", "--", "true"], "want --host"), (["--json", "--", "true"], "want --host"), (["--mlir", "x", "--", "true"], "want --host"),
    (["--host", "b", "--repeat", "2", "--", "true"], "are for commands that run here"), (["--host", "b", "--fetch=", "--", "true"], "--fetch wants the name of a file"),
    (["--host", "b", "--timeout", "0", "--", "true"], "--timeout"), (["--host", "b", "--ssh", "ssh 'x", "--", "true"], "a quote is not closed: ssh 'x"),
    (["--host", "b", "--ssh", " ", "--", "true"], "is empty"), (["--host", "b", "-o", "file", "--", "true"], "file is no folder")])
def test_wrong_usage(tmp_path, arguments, words):
    (tmp_path / "file").write_text("")
    result = tool.run("record", *arguments, cwd=tmp_path)
    assert result.code == 2 and words in result.err and names(tmp_path) == ["file"]


@pytest.mark.parametrize("given, words", [("none", "none: no such file"), (".", ".: is no file")])
def test_what_cannot_be_sent(tmp_path, given, words):
    result = tool.run("record", "--host", "b", "--push", given, "--", "true", cwd=tmp_path)
    assert result.code == 3 and words in result.err and names(tmp_path) == []
