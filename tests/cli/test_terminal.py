"""Where the tool runs: terminals, names of standard output, signals that whoever started it wants to be ignored."""
import json
import os
import pty
import re
import select
import signal
import subprocess
import threading
import time

import pytest

import fixtures
import tool
import waiting

C1 = tool.GOLDEN / "c1.csv"
LOGS = tool.DATA / "xnntrace"
ESCAPE = b"\x1b["


# ---- terminals -------------------------------------------------------------------------------------------------------------


class Terminal:
    """A terminal for one stream of a process."""

    def __init__(self):
        self.ours, self.theirs = pty.openpty()
        self.read = b""

    def says(self, word):
        """Whether that was written to it by now; what was is kept for shown()."""
        while select.select([self.ours], [], [], 0)[0]:
            self.read += os.read(self.ours, 65536)
        return word in self.read

    def shown(self):
        """All that was written to it; whoever wrote has ended."""
        os.close(self.theirs)
        try:
            while piece := os.read(self.ours, 65536):
                self.read += piece
        except OSError:  # no one has it open any more
            pass
        os.close(self.ours)
        return self.read


def table_on_terminal(**variables):
    terminal = Terminal()
    done = subprocess.run([tool.TACHO, "summary", C1, "--by", "engine"], stdout=terminal.theirs, stderr=subprocess.PIPE,
                          env=tool.environment(**{"NO_COLOR": None, "TERM": "xterm", **variables}))
    assert done.returncode == 0, done.stderr
    return terminal.shown()


def test_bold_on_a_terminal_that_knows_it():
    assert ESCAPE in table_on_terminal()
    plain = table_on_terminal(NO_COLOR="1")
    assert plain and ESCAPE not in plain
    assert table_on_terminal(TERM="dumb") == table_on_terminal(TERM=None) == table_on_terminal(TERM="") == plain


@pytest.mark.waits
@pytest.mark.parametrize("kind", ["xterm", "dumb"])
def test_progress_on_a_terminal_that_can_wipe_it(tmp_path, kind):
    terminal = Terminal()
    process = subprocess.Popen([tool.TACHO, "convert", "-", "-o", tmp_path / "out.pb"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                               stderr=terminal.theirs, env=tool.environment(TERM=kind))
    rows = b"DI0,0,512,loc(unknown),DMA_IN\n" * 10_000
    start = time.monotonic()

    def shows():
        """Nothing is shown in the first second; after more than that nothing ever is."""
        process.stdin.write(rows)
        process.stdin.flush()
        return terminal.says(b"reading") if kind == "xterm" else time.monotonic() - start > 1.4

    waiting.until(shows)
    process.stdin.close()
    assert process.wait(waiting.LIMIT) == 0
    shown = terminal.shown()
    assert (b"reading" in shown) == (ESCAPE in shown) == (kind == "xterm"), shown


# ---- standard output by any name -------------------------------------------------------------------------------------------


def bytes_of(command, path):
    """What a command leaves in a file that is its standard output."""
    with open(path, "wb") as file:
        done = subprocess.run([tool.TACHO, *command], stdout=file, stderr=subprocess.PIPE, env=tool.environment())
    assert done.returncode == 0, done.stderr
    return path.read_bytes()


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link.pb"])
def test_a_trace_on_standard_output_is_nothing_but_the_trace(tmp_path, name):
    expected = bytes_of(["convert", C1, "-o", "-"], tmp_path / "expected")
    (tmp_path / "link.pb").symlink_to("/dev/stdout")
    name = str(tmp_path / name)  # as it is where it begins with a slash
    command = ["convert", C1, "--to", "perfetto", "-o", name]
    piped = subprocess.run([tool.TACHO, *command], stdout=subprocess.PIPE, check=True, env=tool.environment())
    assert piped.stdout == expected
    assert bytes_of(command, tmp_path / "given") == expected


def test_other_files_on_standard_output(tmp_path):
    logs = ["--sme2-on", LOGS / "broken_graph_on.log", "--sme2-off", LOGS / "broken_graph_off.log"]
    for suffix, command in ((".csv", ["kernels", "--xnntrace", LOGS / "broken_graph_on.log"]), (".md", ["kernels", *logs]),
                            (".md", ["report", "--run-dir", tool.DATA / "rundir" / "broken_graph"])):
        expected = bytes_of([*command, "-o", "-"], tmp_path / "expected")
        link = tmp_path / f"link{suffix}"
        if not link.is_symlink():
            link.symlink_to("/dev/stdout")
        piped = subprocess.run([tool.TACHO, *command, "-o", link], capture_output=True, env=tool.environment())
        assert piped.returncode == 0, piped.stderr
        clock = re.compile(rb"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")  # a report says when it was made
        assert clock.sub(b"", piped.stdout) == clock.sub(b"", expected), command


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_a_name_of_standard_output_without_a_format_is_standard_output(good, name):
    command = ["summary", C1, "--by", "engine"]
    assert good(*command, "-o", name).out == good(*command, "-o", "-").out == good(*command).out


def test_other_outputs_are_named(good, tmp_path):
    assert good("convert", C1, "-o", tmp_path / "out.pb").text.startswith(str(tmp_path / "out.pb"))
    assert good("convert", C1, "-o", "/dev/null").text.startswith("/dev/null: ")


# ---- signals ---------------------------------------------------------------------------------------------------------------


def ignoring(number, command, **options):
    """A command that was started with a signal ignored, as nohup(1) does."""
    return subprocess.Popen([tool.TACHO, *command], preexec_fn=lambda: signal.signal(number, signal.SIG_IGN), **options)


@pytest.mark.waits
@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGINT, signal.SIGTERM])
def test_a_signal_that_is_ignored_stays_ignored(tmp_path, number):
    process = ignoring(number, ["convert", "-", "-o", tmp_path / "out.pb"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                       env=tool.environment())
    process.stdin.write(C1.read_bytes() + b"\n" * 70_000)  # more than it reads before it begins to write
    process.stdin.flush()
    waiting.until(lambda: any(tmp_path.iterdir()))
    process.send_signal(number)
    process.stdin.close()
    assert process.wait(waiting.LIMIT) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["out.pb"]


@pytest.mark.waits
def test_what_a_command_runs_ignores_it_too(tmp_path):
    """The signal reaches the tool and what it runs, as when a terminal is closed."""
    process = ignoring(signal.SIGHUP, ["profile-this", "-q", "-c", "echo $$ > id; until [ -e sent ]; do sleep 0.01; done; kill -HUP $$; echo on > went"], cwd=tmp_path,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=tool.environment(TT_METAL_HOME=None))
    waiting.until((tmp_path / "id").exists)
    process.send_signal(signal.SIGHUP)
    (tmp_path / "sent").touch()
    assert process.wait(waiting.LIMIT) >= 0
    assert (tmp_path / "went").exists()


@pytest.mark.parametrize("verb, path, words", [
    ("summary", tool.GOLDEN / "c1.csv", []), ("convert", tool.GOLDEN / "c1.csv", ["-o", "x.pb"]),
    ("latency", tool.DATA / "operators" / "broken_graph_mac_sme2_on_t1.etdump", []),
    ("operators", tool.DATA / "operators" / "broken_graph_mac_sme2_on_t1.etdump", ["--format", "etdump"]),
    ("advise", tool.DATA / "operators" / "broken_graph_mac_sme2_on_t1.etdump", ["--format", "etdump"]),
    ("advise", tool.GOLDEN / "c1.csv", ["--format", "torq-compile"]),
    ("device", tool.DATA / "tt-device" / "fifteen" / "multi_core_multi_launch.csv", ["-o", "out", "-d"])])
def test_named_pipes_are_read(tmp_path, verb, path, words):
    """Once: whoever looks at the beginning of a pipe must not open it again."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(path.read_bytes()), daemon=True)
    writer.start()
    result = tool.run(verb, *words, pipe, cwd=tmp_path, timeout=waiting.LIMIT)
    assert result.code == 0, result.err


@pytest.mark.parametrize("form", [form for form in fixtures.FILES if form not in ("etrecord", "xnn-kernels", "tt-ops-folder", "tt-tracy-ops")])
@pytest.mark.parametrize("verb", ["summary", "operators", "latency", "advise", "convert"])
def test_standard_input_is_any_format(tmp_path, form, verb):
    """Where the format is known before; else it is taken, or told."""
    data = fixtures.copied(form, tmp_path).read_bytes()
    words = [verb, "-", *(["-o", tmp_path / "out.pb"] if verb == "convert" else [])]
    result = tool.run(*words, "--format", form, stdin=data, timeout=waiting.LIMIT)
    assert result.code == 0, result.err
    result = tool.run(*words, stdin=data, timeout=waiting.LIMIT)
    assert result.code == 0 or (result.code == 2 and f"can be read once only: say --format {form}" in result.err), result.err


def test_a_pipe_that_would_be_read_twice_is_refused(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    data = (tool.GOLDEN / "c1.csv").read_bytes()
    threading.Thread(target=lambda: pipe.write_bytes(data), daemon=True).start()
    result = tool.run("advise", pipe, timeout=waiting.LIMIT)
    assert result.code == 2 and "can be read once only: say --format torq-compile" in result.err


# ---- names that would play with a terminal ------------------------------------------------------------------------------------

HOSTILE = "a\x1b]0;title\x07\x1b[31mb\u009b2Jc\u202e\x7f\x08"
PLAYS = ["\x1b", "\x07", "\u009b", "\u202e", "\x7f", "\x08", "\r"]


def plays_with(text):
    return [mark for mark in PLAYS if mark in text]


@pytest.mark.parametrize("form", fixtures.FILES)
def test_names_of_inputs_never_reach_a_terminal_as_they_are(tmp_path, form):
    """In tables, sentences, notes, reports and errors alike, whichever verb says them."""
    path = fixtures.copied(form, tmp_path, HOSTILE)
    verbs = [["summary", path], ["summary", path, path], ["summary", path, "--by", "operator"], ["operators", path], ["advise", path],
             ["latency", path], ["report", path], ["report", path, "-o", tmp_path / f"{HOSTILE}.md"], ["validate", path],
             ["convert", path, "-o", tmp_path / f"{HOSTILE}.pb"], ["kernels", path], ["timeline", path, "--out-dir", tmp_path / HOSTILE],
             ["device", "-d", path, "-o", tmp_path / HOSTILE], ["ops", "-i", path, "-o", tmp_path / HOSTILE], ["annotate", path, path],
             ["pipeline", "--config", path], [HOSTILE], ["summary", path, f"--{HOSTILE}"], ["summary", path, "--by", HOSTILE]]
    for words in verbs:
        result = tool.run(*words)
        assert not plays_with(result.text), (words, result.text)
        assert not plays_with(result.err), (words, result.err)


def test_names_never_reach_a_coloured_terminal_either(tmp_path):
    """Colours of our own are all that it is told."""
    terminal = Terminal()
    process = subprocess.Popen([tool.TACHO, "advise", fixtures.copied("tt-ops-csv", tmp_path, HOSTILE)], stdout=terminal.theirs,
                               stderr=terminal.theirs, env=tool.environment(NO_COLOR=None, TERM="xterm"))
    shown = terminal.shown().decode().replace("\r\n", "\n")  # more than a terminal holds: read while it is written
    assert process.wait(waiting.LIMIT) == 0
    assert "\x1b[1m" in shown and "\x1b[31m" not in shown
    assert not plays_with(re.sub("\x1b\\[[0-9;]*m", "", shown)), shown


# ---- widths -----------------------------------------------------------------------------------------------------------------


def shown_at(columns, *words):
    return tool.good(*words, variables={"COLUMNS": columns}).text.splitlines()


@pytest.mark.parametrize("path", [C1, tool.MOBILENET / "timeline.csv", tool.ROOT / "examples" / "encoder_wormhole" / "ops_perf_results.csv"])
@pytest.mark.parametrize("by", ["operator", "location", "type", "engine"])
def test_shares_have_bars_at_80_columns(path, by):
    lines = shown_at("80", "summary", path, "--by", by)
    assert max(map(len, lines)) <= 80
    assert any(block in line for line in lines for block in "▏▎▍▌▋▊▉█"), lines


@pytest.mark.parametrize("columns", ["20", "40", "80", "132", "200"])
def test_no_line_is_wider_than_the_terminal_where_that_can_be(columns):
    for words in (["formats"], ["formats", "--matrix"], ["summary", C1, "--by", "operator"], ["operators", C1], ["advise", C1]):
        lines = shown_at(columns, *words)
        assert max(map(len, lines)) <= max(int(columns), 64), words


def test_in_a_pipe_columns_that_nobody_could_read_are_left_out():
    """Locations as the compiler printed them have hundreds of characters: whoever names the column has it."""
    lines = shown_at(None, "summary", C1, "--by", "operator")
    assert max(map(len, lines[:5])) < 140 and not any("loc(" in line for line in lines)
    assert lines[-1] == "note: left out as too wide (--columns has them): Location"
    lines = shown_at(None, "summary", C1, "--by", "operator", "--columns", "operator,location")
    assert 'loc(callsite("/w/m/net.mlir":4:10 at "/w/m/net.mlir":2:3))' in lines[3]


def test_no_two_columns_have_one_title():
    for by in ("operator", "location", "type", "module", "kernel", "category", "engine"):
        titles = shown_at("300", "summary", C1, "--by", by)[1].split("  ")
        titles = [title.strip() for title in titles if title.strip()]
        assert len(titles) == len(set(titles)), titles


def test_calls_on_the_host_have_the_operator_that_they_start():
    path = tool.ROOT / "examples" / "encoder_wormhole" / "ops_perf_results.csv"
    rows = json.loads(tool.good("summary", path, "--by", "operator", "--json", "--columns", "breakdown,gflops").text)["rows"]
    rows = {row["operator"]: row for row in rows}
    assert "(no operator)" not in rows and rows["(torch) index_select"]["compute_time"] == 0 < rows["(torch) index_select"]["host_time"]
    matmul = rows["Matmul"]
    assert 0 < matmul["host_time"] < matmul["compute_time"] <= matmul["total_time"]
    assert abs(matmul["gflops"] - matmul["flops"] / matmul["compute_time"]) < 0.01 * matmul["gflops"], "rates are those of the device"
