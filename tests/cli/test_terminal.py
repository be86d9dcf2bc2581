"""Where the tool runs: terminals."""
import os
import pty
import subprocess
import time

import pytest

import tool

C1 = tool.GOLDEN / "c1.csv"
ESCAPE = b"\x1b["


# ---- terminals -------------------------------------------------------------------------------------------------------------


class Terminal:
    """A terminal for one stream of a process."""

    def __init__(self):
        self.ours, self.theirs = pty.openpty()

    def shown(self):
        """All that was written to it; whoever wrote has ended."""
        os.close(self.theirs)
        text = b""
        try:
            while piece := os.read(self.ours, 65536):
                text += piece
        except OSError:  # no one has it open any more
            pass
        os.close(self.ours)
        return text


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


@pytest.mark.parametrize("kind", ["xterm", "dumb"])
def test_progress_on_a_terminal_that_can_wipe_it(tmp_path, kind):
    terminal = Terminal()
    process = subprocess.Popen([tool.TACHO, "convert", "-", "-o", tmp_path / "out.pb"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                               stderr=terminal.theirs, env=tool.environment(TERM=kind))
    rows = b"DI0,0,512,loc(unknown),DMA_IN\n" * 10_000
    for _ in range(14):  # nothing is shown in the first second
        process.stdin.write(rows)
        process.stdin.flush()
        time.sleep(0.1)
    process.stdin.close()
    assert process.wait(60) == 0
    shown = terminal.shown()
    assert (b"reading" in shown) == (ESCAPE in shown) == (kind == "xterm"), shown
