"""tools/coverage.py: which lines are not reached any more, and counters of programs that leave early."""
import importlib.util
import re
import resource
import signal
import subprocess

import pytest

import tool

specification = importlib.util.spec_from_file_location("line_coverage", tool.ROOT / "tools" / "coverage.py")
coverage = importlib.util.module_from_spec(specification)
specification.loader.exec_module(coverage)

ADD = """static int add(int a, int b)
{
    if (a < 0)
        return -1;
    return a + b;
}
"""
SUB = """static int sub(int a, int b)
{
    if (a < 0)
        return -2;
    return a - b;
}
"""


def run_of(files, reached):
    """What a run leaves that reached the lines with one of these texts; lines that end with a semicolon count."""
    return {name: {"text": text.splitlines(), "counts": {str(number): int(line.strip() in reached) for number, line in enumerate(text.splitlines(), 1)
                                                         if line.endswith(";")}} for name, text in files.items()}


def lost(now, *earlier):
    return [(name, now[name]["text"][index].strip()) for name, index in coverage.compare(now, earlier)[0]]


def test_a_line_that_is_not_reached_any_more_is_told():
    files = {"src/base/sum.c": ADD + SUB}
    before = run_of(files, {"return -1;", "return a + b;", "return a - b;"})
    assert lost(before, before, before) == []
    assert lost(run_of(files, {"return a + b;", "return a - b;", "return -2;"}), before) == [("src/base/sum.c", "return -1;")]


def test_a_line_that_only_one_of_the_earlier_runs_reached_may_be_missed():
    files = {"src/base/sum.c": ADD + SUB}
    always, once = run_of(files, {"return a + b;"}), run_of(files, {"return a + b;", "return -2;"})
    missing, at_times, gone = coverage.compare(run_of(files, set()), [always, once])
    assert (missing, at_times, gone) == ([("src/base/sum.c", 4)], [("src/base/sum.c", 9)], 0)


@pytest.mark.parametrize("after", [
    {"src/base/sum.c": "/* More. */\n\n" + SUB + "\n" + ADD},
    {"src/base/sum.c": SUB, "src/trace/other.c": "int other;\n\n" + ADD},
    {"src/base/renamed.c": ADD.replace("a < 0", "a <= 0") + SUB},
], ids=["in its file", "with its function", "with its file"])
def test_a_line_that_moved_is_found_again(after):
    before = run_of({"src/base/sum.c": ADD + SUB}, {"return -1;", "return a + b;", "return a - b;"})
    assert lost(run_of(after, {"return -1;", "return a + b;", "return a - b;"}), before) == []
    assert [text for _, text in lost(run_of(after, {"return a + b;", "return -2;"}), before)] in (["return -1;", "return a - b;"], ["return a - b;", "return -1;"])


def test_a_line_that_is_gone_need_not_be_reached():
    before = run_of({"src/base/sum.c": ADD, "src/base/gone.c": SUB}, {"return a + b;", "return a - b;"})
    now = run_of({"src/base/sum.c": ADD.replace("a + b", "b + a")}, set())
    assert coverage.compare(now, [before]) == ([], [], 2)


def test_the_same_text_of_another_function_is_another_line():
    files = {"src/base/sum.c": ADD + SUB.replace("-2", "-1")}
    before, now = run_of(files, {"return -1;"}), run_of(files, {"return -1;"})
    now["src/base/sum.c"]["counts"]["10"] = 0
    assert coverage.compare(now, [before])[0] == [("src/base/sum.c", 9)]


def test_exceptions_are_named_with_a_reason(capsys):
    files = {"src/base/sum.c": ADD}
    before, now = run_of(files, {"return -1;", "return a + b;"}), run_of(files, set())
    named = coverage.exceptions(["# Why.", "", "src/base/sum.c: return -1;: no test gives one"], now)
    assert coverage.judge(now, [before], named) == 1
    told = capsys.readouterr().out
    assert told.startswith("src/base/sum.c:5: return a + b;\n1 lines are not reached any more, 1 others are exceptions;")
    for wrong, why in (("src/base/sum.c: return -1;", "is not FILE: TEXT"), ("src/base/sum.c: return 7;: why", "has no line"), ("src/none.c: return -1;: why", "has no line")):
        with pytest.raises(SystemExit, match=why):
            coverage.exceptions([wrong], now)


def test_the_exceptions_are_of_lines_that_are_there():
    lines = coverage.EXCEPTIONS.read_text().splitlines()
    names = {line.split(": ")[0] for line in lines if line and not line.startswith("#")}
    coverage.exceptions(lines, {name: {"text": (tool.ROOT / name).read_text().splitlines()} for name in names})


def test_rooms_are_listed(capsys):
    now = run_of({"src/base/sum.c": ADD, "src/trace/other.c": SUB, "src/chains.c": "int chain;"}, {"return -1;", "return a + b;", "return -2;"})
    coverage.print_rooms({"before": run_of({"src/base/sum.c": ADD}, set()), "now": now})
    rows = {re.split(r"\s{2,}", row)[0]: re.split(r"\s{2,}", row)[1:] for row in capsys.readouterr().out.splitlines()}
    assert rows["base"] == ["0 of 2", "0.0 %", "2 of 2 100.0 %"]
    assert rows["trace"] == ["0 of 0", "0.0 %", "1 of 2", "50.0 %"]
    assert rows["all"] == ["0 of 2", "0.0 %", "3 of 5", "60.0 %"]


# ---- Counters ----------------------------------------------------------------------------------------------------------

PROGRAM = """#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int inside(int a);

static void on_signal(int number)
{
    signal(number, SIG_DFL);
    raise(number);
}

int main(int count, char **words)
{
    if (count == 1)
        _exit(inside(3));
    if (atoi(words[1]) == 0)
        return inside(7) - 7;
    if (atoi(words[1]) == 2) {
        const unsigned long long writing[2] = { (1 << 13) - 1, 0 };
        long rules = syscall(444, writing, 8, 0);
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        return rules >= 0 && syscall(446, (int)rules, 0);
    }
    signal(SIGTERM, on_signal);
    kill(getpid(), SIGTERM);
    return 1;
}
"""
LIBRARY = """int inside(int a)
{
    return a;
}
"""


@pytest.fixture(scope="module")
def counted(tmp_path_factory):
    """A program and its library, both with counters."""
    folder = tmp_path_factory.mktemp("counted")
    room = folder / "src" / "room"
    room.mkdir(parents=True)
    (room / "main.c").write_text(PROGRAM)
    (room / "library.c").write_text(LIBRARY)
    made = folder / "build" / "src"
    made.mkdir(parents=True)
    compiler = ["gcc", "-D_GNU_SOURCE", "-std=c17", "-fPIC", "-c"]
    for words in ([*compiler, f'-DCOUNTERS="{made}"', tool.ROOT / "tools" / "coverage.c", "-o", "coverage.o"],
                  [*compiler, "--coverage", room / "main.c", "-o", "main.o"],
                  [*compiler, "--coverage", room / "library.c", "-o", "library.o"],
                  ["gcc", "--coverage", "-shared", "library.o", "coverage.o", coverage.WRAPPED, "-o", "liblibrary.so"],
                  ["gcc", "--coverage", "main.o", "coverage.o", coverage.WRAPPED, "-L.", "-llibrary", f"-Wl,-rpath,{made}", "-o", "main"]):
        subprocess.run(words, cwd=made, check=True)
    yield made
    for counters in made.glob("*.gcda"):
        counters.unlink()


def reached(counted):
    """The texts of the lines that were reached, and how often, by gcov alone."""
    told = subprocess.run(["gcov", "-t", *sorted(counted.glob("*.gcno"))], cwd=counted, capture_output=True, text=True, check=True).stdout
    return {text.strip(): int(times) for times, text in re.findall(r"^ *(\d+)\*?: *\d+:(.*)$", told, re.MULTILINE)}


@pytest.fixture
def fresh(counted):
    for counters in counted.glob("*.gcda"):
        counters.unlink()
    return counted


def test_counters_of_a_program_that_leaves_at_once_are_written(fresh):
    assert subprocess.run([fresh / "main"]).returncode == 3
    assert reached(fresh).items() >= {"_exit(inside(3));": 1, "return a;": 1}.items()


def test_counters_of_a_program_that_ends_itself_by_a_signal_are_written(fresh):
    assert subprocess.run([fresh / "main", "1"]).returncode == -signal.SIGTERM
    assert reached(fresh).items() >= {"raise(number);": 1, "kill(getpid(), SIGTERM);": 1}.items()


def test_counters_of_a_program_that_lets_itself_open_no_file_are_written(fresh):
    done = subprocess.run([fresh / "main", "2"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert reached(fresh)["return rules >= 0 && syscall(446, (int)rules, 0);"] == 1


@pytest.mark.parametrize("hard, times", [(64, 1), (1 << 20, 2)], ids=["stays", "is lifted"])
def test_a_limit_of_files_leaves_no_half_of_the_counters(fresh, hard, times):
    assert subprocess.run([fresh / "main", "0"]).returncode == 0
    assert subprocess.run([fresh / "main", "0"], preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (64, hard))).returncode == 0
    assert reached(fresh).items() >= {"return inside(7) - 7;": times, "return a;": times}.items()


def test_lines_are_counted_by_file(fresh, monkeypatch):
    tool.need("gcovr")
    assert subprocess.run([fresh / "main", "0"]).returncode == 0
    monkeypatch.setattr(coverage, "ROOT", fresh.parent.parent)
    found = coverage.count(fresh.parent)
    assert set(found) == {"src/room/main.c", "src/room/library.c"}
    assert found["src/room/library.c"] == {"text": LIBRARY.splitlines(), "counts": {"1": 1, "3": 1}}
    assert found["src/room/main.c"]["counts"].items() >= {"18": 0, "20": 1, "23": 0}.items()
