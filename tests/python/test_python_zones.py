"""What a program marks: zones, runs, steps, signposts, and the parts of it that a Profiler records."""
import json
import os
import textwrap

import pytest

import recorded
import recording_reference
import tool

both = recorded.both

# Document 002, but for the name of the module and a slip of its pen.
SNIPPET = """
def child_function_1():
    pass

def child_function_2():
    pass

def function_under_test():
    child_function_1()
    child_function_2()


from {module} import Profiler
profiler = Profiler()

profiler.enable()
function_under_test()
profiler.disable()
child_function_1()
"""


def program(text):
    return textwrap.dedent(text)


def own(process):
    """Calls but for those of Profiler and zone themselves, from the depth of the first."""
    found = recorded.calls(process)
    return [(depth - found[0][0], name) for depth, name in found]


@both
def test_partial_profiling(python, tmp_path):
    (process,), _ = recorded.record(python, tmp_path, SNIPPET.format(module="tacho"), "-p")
    assert own(process) == [(0, "function_under_test"), (1, "child_function_1"), (1, "child_function_2")]


def test_without_partial_everything_is_recorded(tmp_path):
    (process,), _ = recorded.record(recorded.DEBIAN, tmp_path, SNIPPET.format(module="tacho"))
    assert recorded.names(process).count("child_function_1") == 2 and recorded.names(process)[0] == "<module> program.py"


@both
def test_parts_by_zones(python, tmp_path):
    (process,), _ = recorded.record(python, tmp_path, program("""
        import tacho
        def work(): return inner()
        def inner(): return 1
        work()
        with tacho.zone("load", bytes=7, name="weights", ratio=0.5, many=2**70, yes=True):
            work()
        work()
        @tacho.zone
        def decorated(): return work()
        @tacho.zone("other name")
        def renamed(): return work()
        decorated(); renamed()
        work()
        profiler = tacho.Profiler()
        with profiler:
            with tacho.zone("inside"):
                work()
    """), "-p")
    assert recorded.calls(process) == [
        (0, "load"), (1, "work"), (2, "inner"), (0, "decorated"), (1, "decorated"), (2, "work"), (3, "inner"), (0, "other name"), (1, "renamed"), (2, "work"),
        (3, "inner"), (0, "inside"), (1, "work"), (2, "inner")]
    assert recorded.arguments(process) == [("load", "bytes", 7), ("load", "name", "weights"), ("load", "ratio", 0.5), ("load", "many", str(2**70)),
                                           ("load", "yes", "True")]
    places = {text.split(b"\0")[0].decode(): (text.split(b"\0")[1].decode(), entry.word & 0xffffffff)
              for entry in process.names if entry.kind == "site" for text in [entry.text]}
    assert places["load"] == ("<module>", 6) and places["other name"] == ("renamed", 11)


@both
def test_zones_nest_whatever_happens(python, tmp_path):
    (process,), _ = recorded.record(python, tmp_path, program("""
        import tacho
        def leave():
            profiler.disable()
        profiler = tacho.Profiler()
        again = tacho.zone("again")
        with again:
            with again:
                pass
        try:
            with tacho.zone("fails"):
                raise KeyError("x")
        except KeyError:
            pass
        profiler.enable()
        profiler.enable()
        leave()
        profiler.disable()
        @tacho.zone("turn")
        def turns():
            yield 1
            yield 2
        @tacho.zone("task")
        async def task():
            await asyncio.sleep(0)
            return 3
        import asyncio
        async def main():
            return await asyncio.gather(task(), asyncio.create_task(task()))
        assert list(turns()) == [1, 2] and asyncio.run(main()) == [3, 3]
    """), "--include", "*/program.py", "--no-c-calls")
    marked = [name for name in recorded.names(process) if name in ("again", "fails", "turn", "task", "leave")]
    assert marked.count("again") == 2 and marked.count("turn") == 3 and marked.count("task") == 8
    assert ("fails", "raised", "KeyError") in recorded.arguments(process)
    assert not [found for found in recorded.arguments(process) if "Stop" in str(found[2])]


def test_what_is_not_a_zone(tmp_path):
    done = recorded.run(recorded.DEBIAN, "-c", program("""
        import tacho
        for wrong in (lambda: tacho.zone(), lambda: tacho.zone(3), lambda: tacho.zone("a", "b"), lambda: tacho.zone("a")(3), lambda: tacho.run(1),
                      lambda: tacho.step(1)):
            try: wrong()
            except TypeError as error: print(error)
        async def generator(): yield 1
        try: tacho.zone(generator)
        except TypeError as error: print(error)
        print(repr(tacho.zone("name")), tacho.recording())
    """))
    assert done.stdout.count("\n") == 8 and "<tacho.zone 'name'> False" in done.stdout


def test_runs_and_steps(tmp_path):
    source = program("""
        import tacho
        def infer():
            return sum(i * i for i in range(2000))
        for _ in range(10):
            {mark}
    """)
    for mark, runs in (('with tacho.run(): infer()', 10), ('tacho.step(); infer()', 9)):
        recorded.record(recorded.DEBIAN, tmp_path, source.format(mark=mark), "--no-c-calls")
        for verb in ("latency", "summary", "operators"):
            text = tool.good(verb, "--warmup", "0", tmp_path / "run.tacho").text if verb != "latency" else tool.good(verb, "--warmup", "0", tmp_path / "run.tacho").text
            assert f"{runs} runs" in text or f" of {runs} runs" in text, (mark, verb, text)
        rows = json.loads(tool.good("operators", "--json", "--warmup", "0", tmp_path / "run.tacho").text)
        assert "infer" in json.dumps(rows)


@pytest.mark.slow
def test_names_that_never_end(tmp_path):
    """The program's memory and the recording do not grow with them for ever."""
    (process,), _ = recorded.record(recorded.DEBIAN, tmp_path, program("""
        import tacho
        for number in range(110_000):
            with tacho.zone(f"zone {number}"): pass
    """), "-p", "--no-c-calls")
    found = recorded.names(process)
    assert len(found) == 110_000 and 9_000 < found.count("(others)") < 11_000 and found[500] == "zone 500"


def test_signposts(tmp_path):
    (process,), _ = recorded.record(recorded.DEBIAN, tmp_path, "import tacho\ntacho.signpost('layer', 'first')\ntacho.signpost('alone')\n")
    assert [entry.text.decode() for records in process.threads.values() for entry in records if entry.kind == "instant"] == ["layer: first", "alone"]


@both
def test_marks_without_python_m_tacho(python, tmp_path):
    """TACHO_RECORD alone: zones, and calls where a Profiler is enabled."""
    (tmp_path / "program.py").write_text(SNIPPET.format(module="tacho") + "import tacho\nwith tacho.zone('marked'): child_function_2()\n")
    recorded.run(python, tmp_path / "program.py", variables={"TACHO_RECORD": str(tmp_path / "run.tacho")})
    process, = recording_reference.read(tmp_path / "run.tacho")
    assert own(process) == [(0, "function_under_test"), (1, "child_function_1"), (1, "child_function_2"), (0, "marked")]
    recorded.run(python, tmp_path / "program.py", cwd=tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["program.py", "run.tacho"]


@both
def test_threads_that_begin_while_it_is_enabled(python, tmp_path):
    (process,), _ = recorded.record(python, tmp_path, program("""
        import tacho, threading
        def work(): pass
        def start(name):
            thread = threading.Thread(target=work, name=name)
            thread.start()
            thread.join()
        start("before")
        with tacho.Profiler():
            start("meanwhile")
        start("after")
    """), "-p")
    assert "work" in recorded.names(process, "meanwhile") and not {"before", "after"} & set(process.thread_names.values())


ROUNDS = int(os.environ.get("TACHO_DISABLE_ROUNDS", "40"))  # 20,000 in `make test-long`

# A thread that the last part has recorded is there when the next one begins, in two ways. "ends": join() comes back when the thread has given the
# interpreter back for good, but the rest of its end still lies ahead of it. On one processor, and where it is nice to the others (a thread of Linux
# has its own nice value), that rest runs only when they wait: what depended on it was late in 95 of 100 rounds, so that 40 rounds cannot miss it.
# "goes on": the thread waits until the round is over, so that each round tells.
AFTER = """
import os, sys, threading
import tacho
way, rounds = sys.argv[1], int(sys.argv[2])
def ends(): os.nice(10)
def goes_on(): began.set(); over.wait()
def late(): pass
os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
profiler = tacho.Profiler()
for _ in range(rounds):
    began, over = threading.Event(), threading.Event()
    meanwhile = threading.Thread(target=ends if way == "ends" else goes_on, name="meanwhile")
    after = threading.Thread(target=late, name="after")
    profiler.enable()
    meanwhile.start()
    meanwhile.join() if way == "ends" else began.wait()
    profiler.disable()
    after.start()
    after.join()
    over.set()
    meanwhile.join()
"""


@both
@pytest.mark.parametrize("way", ["ends", "goes on"])
def test_threads_that_begin_after_it_is_disabled(python, tmp_path, way):
    (process,), _ = recorded.record(python, tmp_path, AFTER, "-p", arguments=(way, ROUNDS))
    names = list(process.thread_names.values())
    assert (names.count("after"), recorded.all_names([process]).count("late")) == (0, 0)
    assert names.count("meanwhile") == ROUNDS


# A thread from a part of the program, which is over when it goes on.
GOES_ON = """
import sys, threading, time
import tacho
def early(): pass
def late(): pass
def own(): pass
def work():
    early()
    with tacho.zone("around"):
        inner()
        late()
    late()
    with tacho.zone("alone"):
        late()
    with tacho.Profiler():
        own()
    late()
def inner():
    began.set()
    over.wait()
    late()
began, over = threading.Event(), threading.Event()
thread = threading.Thread(target=work, name="goes on")
profiler = tacho.Profiler()
profiler.enable()
thread.start()
began.wait()
profiler.disable()
{again}
over.set()
thread.join()
late()
while hasattr(sys, "monitoring") and [sys.monitoring.get_events(tool) for tool in range(6) if sys.monitoring.get_tool(tool) == "tacho"] != [0]:
    time.sleep(0.001)  # until every thread has ended, events that nobody wants may be told
"""


@both
@pytest.mark.parametrize("again", ["", "with tacho.Profiler(): pass", "again = threading.Thread(target=early)\nwith tacho.Profiler(): again.start(); again.join()"],
                         ids=["one part", "two", "two with threads"])
def test_threads_that_go_on_when_it_is_disabled(python, tmp_path, again):
    """Their calls end there, but for zones and what is around them; calls that come later are not recorded, also where another part follows.
    Once they are gone, sys.monitoring tells no events any more, which would slow the program down."""
    (tmp_path / "program.py").write_text(GOES_ON.format(again=again))
    recorded.run(python, tmp_path / "program.py", variables={"TACHO_RECORD": str(tmp_path / "run.tacho")})
    process, = recording_reference.read(tmp_path / "run.tacho")
    found = recorded.calls(process, "goes on")
    assert [name for _, name in found if name in ("early", "late", "own", "around", "alone", "inner", "work")] == [
        "work", "early", "around", "inner", "alone", "own"]
    depths = {name: depth for depth, name in found}
    assert depths["around"] == depths["early"] == depths["work"] + 1 and depths["alone"] == depths["own"] == 0
    assert "late" not in recorded.all_names([process])


@both
def test_lines_of_threads_that_go_on_when_it_is_disabled(python, tmp_path):
    (process,), _ = recorded.record(python, tmp_path, program("""
        import threading, tacho
        def work():
            early = 1
            began.set()
            over.wait()
            late = 2
        began, over = threading.Event(), threading.Event()
        thread = threading.Thread(target=work, name="goes on")
        with tacho.Profiler():
            thread.start()
            began.wait()
        over.set()
        thread.join()
    """), "-p", "-l", "--no-c-calls", "--include", "*/program.py")
    assert recorded.names(process, "goes on")[:3] == ["work", "early = 1", "began.set()"]
    assert not {"late = 2", "work"} & set(recorded.names(process, "goes on")[3:])


@both
def test_parts_by_zones_of_tasks_that_take_turns(python, tmp_path):
    """The zone of the one ends inside of that of the other. Where both have been left, the part is over."""
    (process,), _ = recorded.record(python, tmp_path, program("""
        import asyncio, threading, tacho
        def early(): pass
        def late(): pass
        async def task(name, turns):
            with tacho.zone(name):
                early()
                for _ in range(turns):
                    await asyncio.sleep(0)
        async def main():
            await asyncio.gather(task("first", 2), task("second", 4))
        asyncio.run(main())
        late()
        thread = threading.Thread(target=late, name="after")
        thread.start()
        thread.join()
    """), "-p")
    names = recorded.all_names([process])
    assert [name for name in names if name in ("first", "second", "early", "late")] == ["first", "early", "second", "early"]
    assert "after" not in process.thread_names.values()


@both
def test_a_child_of_fork_leaves_the_zone_that_it_was_born_in(python, tmp_path):
    processes, _ = recorded.record(python, tmp_path, program("""
        import os, tacho
        def early(): pass
        def late(): pass
        with tacho.zone("around"):
            number = os.fork()
            early()
        late()
        if number:
            os.waitpid(number, 0)
    """), "-p")
    assert [[name for name in recorded.all_names([process]) if name in ("early", "late")] for process in processes] == [["early"], ["early"]]


@both
def test_a_child_of_a_thread_that_was_started_meanwhile(python, tmp_path):
    """Nobody can disable the profiler there."""
    processes, _ = recorded.record(python, tmp_path, program("""
        import os, threading, tacho
        def child(): pass
        def work():
            number = os.fork()
            if not number:
                child()
                os._exit(0)
            os.waitpid(number, 0)
        with tacho.Profiler():
            thread = threading.Thread(target=work)
            thread.start()
            thread.join()
    """), "-p")
    assert len(processes) == 2 and recorded.all_names(processes[1:]).count("child") == 1


def test_what_is_off_costs_little():
    """A zone that nobody records, against an empty context manager written in Python."""
    done = recorded.run(recorded.DEBIAN, "-c", program("""
        import tacho, time
        class Empty:
            def __enter__(self): return self
            def __exit__(self, *raised): return False
        def best(make):
            times = []
            for _ in range(15):
                start = time.perf_counter()
                for _ in range(5000):
                    with make("x"): pass
                times.append(time.perf_counter() - start)
            return min(times)
        print(best(tacho.zone) / best(lambda name: Empty()))
    """))
    assert float(done.stdout) < 1 or tool.SANITIZED


# ---- the name of another ----


@both
def test_the_name_tracy(python, tmp_path):
    (process,), _ = recorded.record(python, tmp_path, SNIPPET.format(module="tracy"), "-p", "--tracy-name")
    assert own(process) == [(0, "function_under_test"), (1, "child_function_1"), (1, "child_function_2")]
    recorded.run(python, tmp_path / "program.py", code=1)  # nothing of that name without being asked


def test_a_real_tracy_is_never_hidden(tmp_path):
    (tmp_path / "tracy.py").write_text("Profiler = signpost = 'the real one'\n")
    _, done = recorded.record(recorded.DEBIAN, tmp_path, "import tracy; print(tracy.Profiler)", "-p", "--tracy-name")
    assert done.stdout == "the real one\n"


@both
def test_document_002_line_by_line(python, tmp_path):
    (process,), _ = recorded.record(python, tmp_path, SNIPPET.format(module="tacho"), "-p", "-l")
    assert [name for _, name in own(process) if "profiler" not in name] == [
        "function_under_test()", "function_under_test", "child_function_1()", "child_function_1", "pass", "child_function_2()", "child_function_2", "pass"]


def test_document_002_of_pytest(tmp_path):
    """python -m tacho -m pytest FILE::TEST"""
    (tmp_path / "test_model.py").write_text("def helper():\n    return 1\n\ndef test_heads():\n    assert helper() == 1\n")
    done = recorded.run(recorded.DEBIAN, "-m", "tacho", "-o", tmp_path / "run.tacho", "-m", "pytest", "-q", "-p", "no:cacheprovider",
                        "test_model.py::test_heads", cwd=tmp_path)
    process, = recording_reference.read(tmp_path / "run.tacho")
    found = recorded.names(process)
    assert "1 passed" in done.stdout and found.index("test_heads") + 1 == found.index("helper")
