"""python3 -m tacho: every call is there, where it belongs, whatever the program does to its stack."""
import json
import os
import random
import signal
import struct
import subprocess
import textwrap
import time

import pytest

import recorded
import recording_reference
import tool
import waiting
from following import Following

both = recorded.both


def program(text):
    return textwrap.dedent(text)


@both
def test_functions_and_c_calls(python, tmp_path):
    (process,), done = recorded.record(python, tmp_path, program("""
        import time
        class Model:
            def forward(self, x):
                return sorted(self.layer(i) for i in range(x))
            def layer(self, i):
                return len("x" * i)
        Model().forward(2)
        time.sleep(0)
    """))
    found = [call for call in recorded.calls(process) if not call[1].startswith(("_find", "_call", "time.time"))]
    assert (0, "<module> program.py") in found
    model = [call for call in found if "Model" in call[1] or call[1] in ("builtins.len", "builtins.sorted", "time.sleep")]
    assert model == [(2, "Model"), (1, "Model.forward"), (2, "builtins.sorted"), (3, "Model.forward.<locals>.<genexpr>"), (4, "Model.layer"),
                     (5, "builtins.len"), (3, "Model.forward.<locals>.<genexpr>"), (4, "Model.layer"), (5, "builtins.len"),
                     (3, "Model.forward.<locals>.<genexpr>"), (1, "time.sleep")]
    assert process.state == 2 and not any(process.dropped)
    assert "run.tacho: 1 process" in done.stderr and "tacho operators" in done.stderr and done.stdout == ""


@both
def test_a_function_has_its_place(python, tmp_path):
    (process,), _ = recorded.record(python, tmp_path, "def one():\n    pass\n\n\none()\n")
    site, = [entry for entry in process.names if entry.kind == "site" and entry.text.startswith(b"one\0")]
    assert site.text == f"one\0one\0{tmp_path}/program.py".encode() and site.word & 0xffffffff == 1


@both
def test_the_same_as_a_profile_function_hears(python, tmp_path):
    """Random programs, recorded and told by sys.setprofile: the same calls in the same order, in each other the same way."""
    chance = random.Random(3)
    for number in range(3):
        source = random_program(chance)
        told = recorded.run(python, "-c", LISTENING + source + "\nstop()", cwd=tmp_path).stdout.splitlines()
        (process,), _ = recorded.record(python, tmp_path, "import types\ndef stop(): pass\n" + source + "\nstop()", "--no-c-calls")
        found = [f"{depth - 1} {name}" for depth, name in recorded.calls(process) if depth and name != "stop"]
        assert found == told and len(told) > 50, source


LISTENING = """
import sys, types
told, depth = [], [0]
def hear(frame, event, argument):
    if event == "call":
        if frame.f_code.co_name != "stop":
            told.append(f"{depth[0]} {getattr(frame.f_code, 'co_qualname', frame.f_code.co_name)}")
        depth[0] += 1
    elif event == "return":
        depth[0] -= 1
def stop():
    sys.setprofile(None)
    print("\\n".join(told))
sys.setprofile(hear)
"""


HELPERS = """
class Away(Exception): pass
@types.coroutine
def pause(): yield
def drive(coroutine):
    try:
        while True: coroutine.send(None)
    except StopIteration: pass
def catch(function):
    try: function()
    except Away: pass
"""


def random_program(chance):
    """Functions, generators and coroutines that call each other, and leave each other by exceptions."""
    kinds = [chance.choice(("plain", "generator", "coroutine", "raises")) for _ in range(8)]
    kinds[-1] = "plain"
    lines = [HELPERS]
    for at, kind in enumerate(kinds):
        callees = [chance.randrange(at) for _ in range(chance.randint(1, 3))] if at else []
        lines.append(f"{'async ' if kind == 'coroutine' else ''}def f{at}():")
        for callee in callees:
            lines.append("    " + call_of(kinds[callee], callee, chance))
            if kind == "generator":
                lines.append("    yield")
            if kind == "coroutine" and chance.random() < 0.5:
                lines.append("    await pause()")
        if kind == "generator":
            lines.append("    yield 1")
        lines.append("    raise Away()" if kind == "raises" else "    pass")
    lines += [f"for _ in range({chance.randint(8, 12)}):"] + [f"    {call_of(kinds[at], at, chance)}" for at in range(3, 8)]
    return "\n".join(lines)


def call_of(kind, number, chance):
    if kind == "generator":
        return chance.choice((f"list(f{number}())", f"next(f{number}())", f"one = f{number}(); next(one); one.close()"))
    if kind == "coroutine":
        return f"drive(f{number}())"
    if kind == "raises":
        return f"catch(f{number})"
    return f"f{number}()"


@both
def test_exceptions_end_their_calls(python, tmp_path):
    (process,), _ = recorded.record(python, tmp_path, program("""
        def inner():
            raise ValueError("no")
        def outer():
            inner()
        try:
            outer()
        except ValueError:
            pass
        try:
            int("x")
        except ValueError:
            pass
        print()
    """))
    raised = [(zone, value) for zone, key, value in recorded.arguments(process) if key == "raised"]
    newer = python != recorded.DEBIAN
    assert raised == [("inner", "ValueError, line 3" if newer else "line 3"), ("outer", "ValueError, line 5" if newer else "line 5")]
    assert recorded.calls(process)[-1] == (1, "builtins.print")


@both
def test_threads_have_their_names(python, tmp_path):
    (process,), _ = recorded.record(python, tmp_path, program("""
        import threading
        def work(n):
            return n
        def all_work(n):
            for i in range(n):
                work(i)
        threads = [threading.Thread(target=all_work, args=(10,), name=f"worker {i}") for i in range(3)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
    """))
    for number in range(3):
        found = recorded.calls(process, f"worker {number}")
        own = [call for call in found if call[1] in ("all_work", "work")]
        depth = own[0][0]
        assert own == [(depth, "all_work")] + 10 * [(depth + 1, "work")]
        assert "Thread.run" in [name for _, name in found]


def test_what_is_left_out(tmp_path):
    source = program("""
        import json, time
        def short(): pass
        def long(): time.sleep(0); short()
        class Model:
            def forward(self): long(); return json.loads("[1]")
        Model().forward()
        short()
    """)

    def found(*options):
        (process,), _ = recorded.record(recorded.DEBIAN, tmp_path, source, *options)
        return recorded.calls(process)

    everything = found()
    assert {"json.loads", "loads"} & {name for _, name in everything} and (0, "<module> program.py") in everything
    inside = [name for _, name in found("--include", "*/program.py")]
    assert {"short", "long", "Model.forward", "time.sleep"} <= set(inside) and "loads" not in inside and "JSONDecoder.decode" not in inside
    assert {name for _, name in found("--include", "Model.*")} >= {"Model.forward"} and "short" not in {name for _, name in found("--include", "Model.*")}
    without = [name for _, name in found("--exclude", "short", "--exclude", "*json*", "--exclude", "time.*")]
    assert "Model.forward" in without and not {"short", "loads", "time.sleep"} & set(without)
    assert not any("." in name and name.split(".")[0] in ("builtins", "time", "str") for _, name in found("--no-c-calls"))
    assert max(depth for depth, _ in found("--max-depth", "2")) == 1
    assert found("--min-duration", "3600s") == []


def test_short_calls_are_left_out(tmp_path):
    """Whichever are short: on a busy machine a call may be stopped in the middle."""
    (process,), _ = recorded.record(recorded.DEBIAN, tmp_path, program("""
        import time
        def short(): pass
        def long(): time.sleep(0.02); short()
        def both(): long()
        both()
        for _ in range(100): short()
    """), "--min-duration", "15ms", variables={"TACHO_CLOCK": "monotonic"})
    lasted = {name: end - begin for _, name, begin, end, *_ in process.zones()[0] if name != recorded.WAITING}
    assert min(lasted.values()) >= 15_000_000 and {"<module> program.py", "both", "long", "time.sleep"} <= set(lasted)
    assert recorded.names(process).count("short") < 101


KILLED = """
import mmap, os, sys
page = mmap.mmap(os.open("counter", os.O_RDWR), 4096)
count = 0
def call():
    pass
while True:
    call()
    count += 1
    page[:8] = count.to_bytes(8, "little")
"""


def begun(folder, process):
    """Whether the program has made its first call."""
    assert process.poll() is None
    return any((folder / "counter").read_bytes()[:8])


@pytest.mark.waits
@both
@pytest.mark.slow
def test_no_call_that_ended_is_lost_when_the_program_is_killed(python, tmp_path):
    chance = random.Random(1)
    for _ in range(3):
        (tmp_path / "counter").write_bytes(bytes(4096))
        (tmp_path / "program.py").write_text(KILLED)
        started = subprocess.Popen([python, "-m", "tacho", "--no-c-calls", "-o", tmp_path / "run.tacho", tmp_path / "program.py"], cwd=tmp_path,
                                   env=recorded.environment(python))
        waiting.until(lambda: begun(tmp_path, started))
        time.sleep(chance.random() * 0.3)
        started.send_signal(signal.SIGKILL)
        started.wait()
        counted, = struct.unpack("<Q", (tmp_path / "counter").read_bytes()[:8])
        process, = recording_reference.read(tmp_path / "run.tacho")
        done, still_open, without = process.zones()
        ended = sum(zone[1] == "call" for zone in done)
        assert counted <= ended <= counted + 1 and not without
        assert (process.threads and still_open[0][1]) == "<module> program.py"
        assert "open when the recording ended: <module> program.py" in tool.good("summary", tmp_path / "run.tacho").text.replace("\n        ", " ")
        for left in tmp_path.glob("run.tacho.parts-*"):
            left.rmdir()


@pytest.mark.waits
@pytest.mark.slow
def test_it_is_followed_while_it_runs(tmp_path):
    (tmp_path / "counter").write_bytes(bytes(4096))
    (tmp_path / "program.py").write_text(KILLED)
    started = subprocess.Popen([recorded.DEBIAN, "-m", "tacho", "-o", tmp_path / "run.tacho", tmp_path / "program.py"], cwd=tmp_path,
                               env=recorded.environment(recorded.DEBIAN))
    waiting.until(lambda: begun(tmp_path, started))
    following = Following(tmp_path, tmp_path / "run.tacho")
    following.shows("call ")
    started.kill()
    started.wait()
    assert following.zones()[0]["call"] > 0


@both
def test_lines(python, tmp_path):
    source = program("""
        from tacho import Profiler
        def add(a, b):
            c = a
            return c + b
        def loop():
            total = 0
            for i in range(3):
                total = add(total, i)
            return total
        profiler = Profiler()
        profiler.enable()
        loop()
        profiler.disable()
    """)
    (process,), _ = recorded.record(python, tmp_path, source, "-p", "-l", "--no-c-calls")
    found = recorded.calls(process)
    start = found.index((1, "loop")) if (1, "loop") in found else found.index((0, "loop"))
    depth = found[start][0]
    inside = [(level - depth, name) for level, name in found[start:] if level > depth or name == "loop"]
    turn = [(1, "for i in range(3):"), (1, "total = add(total, i)"), (2, "add"), (3, "c = a"), (3, "return c + b")]
    assert inside == [(0, "loop"), (1, "total = 0")] + 3 * turn + [(1, "for i in range(3):"), (1, "return total")]
    site, = [entry for entry in process.names if entry.kind == "site" and entry.text.startswith(b"c = a\0")]
    assert site.text == f"c = a\0add\0{tmp_path}/program.py".encode() and site.word & 0xffffffff == 4


@both
def test_a_hundred_thousand_lines(python, tmp_path):
    body = "\n".join(f"    x = {number}" for number in range(1000))
    (process,), _ = recorded.record(python, tmp_path, f"import tacho\ndef many():\n{body}\nwith tacho.zone('all'):\n    for _ in range(100): many()\n",
                                    "-p", "-l")
    found = recorded.names(process)
    assert sum(name.startswith("x = ") for name in found) == 100_000 and found.count("many") == 100


def test_memory_does_not_grow_with_calls(tmp_path):
    source = program("""
        import gc, resource, sys
        def count():
            gc.collect()
            return [sys.getallocatedblocks(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, sys.getrefcount(len), sys.getrefcount(Thing.method)]
        class Thing:
            def method(self, x): return x
        def work(thing):
            for i in range(20000):
                thing.method(i)
                len("abc")
                [].append(i)
                try: int("x")
                except ValueError: pass
            for i in range(50):
                exec(compile("def made():\\n    return 1\\nmade()", "made.py", "exec"), {})
            list(x for x in range(100))
        thing = Thing()
        for _ in range(3): work(thing)
        before = count()
        for _ in range(20): work(thing)
        print(*(after - at_first for after, at_first in zip(count(), before)))
    """)
    (process,), done = recorded.record(recorded.DEBIAN, tmp_path, source, "--min-duration", "10s")
    blocks, kilobytes, *references = map(int, done.stdout.split())
    assert blocks < 20 and references == [0, 0] and (tool.SANITIZED or kilobytes < 2000)
    sites = [entry.text for entry in process.names if entry.kind == "site"]
    assert len(sites) == len(set(sites))


@both
def test_code_that_is_compiled_again_keeps_its_site(python, tmp_path):
    (process,), _ = recorded.record(python, tmp_path, program("""
        for _ in range(500):
            exec(compile("def made():\\n    return 1\\nmade()", "made.py", "exec"), {})
    """))
    sites = [entry.text for entry in process.names if entry.kind == "site" and b"made" in entry.text]
    assert len(sites) == 2 and recorded.names(process).count("made") == 500


@pytest.mark.waits
def test_waiting_for_a_cpu_is_not_the_functions_time(tmp_path):
    """A program beside one that uses the same CPU: its functions take what they take, and the rest is told."""
    cpu = str(min(os.sched_getaffinity(0)))
    (tmp_path / "program.py").write_text(program("""
        import time
        def work(rounds):
            for i in range(rounds): pass
        def sleep(): time.sleep(0.05)
        start, began, waited = time.thread_time(), time.perf_counter(), 0
        while waited < 0.06:
            work(30000)
            used = time.thread_time() - start
            waited = time.perf_counter() - began - used
        print(round(used * 1e9), round(waited * 1e9))
        sleep()
    """))
    beside = subprocess.Popen([tool.need("taskset"), "-c", cpu, recorded.DEBIAN, "-c", "while True: pass"])
    try:
        done = subprocess.run(["taskset", "-c", cpu, recorded.DEBIAN, "-m", "tacho", "-o", tmp_path / "run.tacho", tmp_path / "program.py"], capture_output=True,
                              text=True, env=recorded.environment(recorded.DEBIAN), timeout=waiting.LIMIT)
    finally:
        beside.kill()
    used, waited = map(int, done.stdout.split())
    rows = {row["operator"]: row for row in json.loads(tool.good("operators", "--json", tmp_path / "run.tacho").text)["rows"]}
    assert rows["work"]["self_time"] < used + 0.3 * waited
    assert rows[recorded.WAITING]["self_time"] > 0.7 * waited and rows["time.sleep"]["self_time"] > 40_000_000
