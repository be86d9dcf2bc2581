"""python3 -m tacho runs a program as Python itself does, with all the processes that it starts."""
import json
import os
import signal
import subprocess
import textwrap

import pytest

import recorded
import recording_reference
import tool

both = recorded.both


def program(text):
    return textwrap.dedent(text)


def without_note(text):
    return "".join(line for line in text.splitlines(True) if not line.startswith("tacho: "))


@pytest.fixture
def compared(tmp_path):
    """Runs a program with Python and with us; output, errors and exit status must be the same."""
    def compare(python, *command, **options):
        alone = subprocess.run([python, *map(str, command)], capture_output=True, text=True, cwd=tmp_path, env=recorded.environment(python), **options)
        ours = subprocess.run([python, "-m", "tacho", "-o", tmp_path / "run.tacho", *map(str, command)], capture_output=True, text=True, cwd=tmp_path,
                              env=recorded.environment(python), **options)
        assert (ours.returncode, ours.stdout, without_note(ours.stderr)) == (alone.returncode, alone.stdout, alone.stderr)
        return alone
    return compare


@both
@pytest.mark.parametrize("end", ["raise ValueError('no')", "import sys; sys.exit(3)", "import sys; sys.exit('gone')", "raise SystemExit", "1 +", "f()", "pass",
                                 "import signal, os; os.kill(os.getpid(), signal.SIGINT)", "import sys; sys.excepthook = lambda *a: print(a[1]); f()",
                                 "try:\n    f()\nexcept ZeroDivisionError as error:\n    raise KeyError('x') from error"])
def test_how_it_ends(python, tmp_path, compared, end):
    (tmp_path / "program.py").write_text(f"def f():\n    return 1 / 0\n{end}\n")
    compared(python, "program.py", "a", "-b")
    if end != "1 +":
        process, = recording_reference.read(tmp_path / "run.tacho")
        assert process.state == 2 and not process.zones()[1] and "<module> program.py" in recorded.names(process)


SHOWN = """
import sys, os
print(__name__, sys.argv, __file__, __package__, __spec__ and __spec__.name, sys.modules["__main__"].__dict__ is globals())
print([entry for entry in sys.path if "tacho" not in entry and "python" not in entry.lower().replace("pytest", "")], sorted(set(globals()) - {"__annotations__"}))
"""


def test_what_it_finds_around_it(tmp_path, compared):
    """Names, arguments and paths; but for those of this package."""
    package = tmp_path / "package"
    package.mkdir()
    (tmp_path / "elsewhere").mkdir()
    for path in (tmp_path / "program.py", package / "__init__.py", package / "__main__.py", package / "inner.py", tmp_path / "elsewhere" / "other.py"):
        path.write_text(SHOWN if path.name != "__init__.py" else "")
    for command in (["program.py", "x"], ["-m", "package", "y"], ["-m", "package.inner", "-m", "z"], ["elsewhere/other.py"], ["-c", SHOWN, "w"], ["package"]):
        compared(recorded.DEBIAN, *command)


def test_what_cannot_be_run(tmp_path, compared):
    compared(recorded.DEBIAN, "missing.py")
    alone = subprocess.run([recorded.DEBIAN, "-m", "tacho", "-m", "missing_module"], capture_output=True, text=True, cwd=tmp_path,
                           env=recorded.environment(recorded.DEBIAN))
    assert alone.returncode == 1 and alone.stderr == f"{recorded.DEBIAN}: No module named missing_module\n"
    assert not list(tmp_path.glob("*.tacho*"))


@pytest.mark.parametrize("options, why", [((), "what shall be run"), (("-l", "x.py"), "-l is only for parts"), (("-m", "-c", "x"), "exclude each other"),
                                          (("--max-depth", "0", "x.py"), "no depth"), (("--min-duration", "soon", "x.py"), "no duration"),
                                          (("-o", "x.doc", "x.py"), "names no format")])
def test_wrong_usage(tmp_path, options, why):
    (tmp_path / "x.py").write_text("")
    done = recorded.run(recorded.DEBIAN, "-m", "tacho", *options, code=2, cwd=tmp_path)
    assert why in done.stderr and sorted(path.name for path in tmp_path.iterdir()) == ["x.py"]


def test_where_it_goes(tmp_path):
    (tmp_path / "model.py").write_text("print('runs')")
    (tmp_path / "folder").mkdir()
    recorded.run(recorded.DEBIAN, "-m", "tacho", "model.py", cwd=tmp_path)
    recorded.run(recorded.DEBIAN, "-m", "tacho", "-o", "folder", "model.py", cwd=tmp_path)
    made, = tmp_path.glob("model-*-*.tacho")
    inside, = (tmp_path / "folder").glob("model-*-*.tacho")
    assert "<module> model.py" in tool.good("operators", made).text and inside.stat().st_size
    (tmp_path / "goes.py").write_text("import os\nos.chdir('/')\nif not os.fork(): raise SystemExit\nos.wait()")
    done = recorded.run(recorded.DEBIAN, "-m", "tacho", "-o", "gone.tacho", "goes.py", cwd=tmp_path)
    assert done.stderr.startswith("tacho: gone.tacho: 2 processes") and len(recording_reference.read(tmp_path / "gone.tacho")) == 2
    done = recorded.run(recorded.DEBIAN, "-m", "tacho", "-o", "missing/x.tacho", "model.py", cwd=tmp_path, code=4)
    assert "missing/x.tacho" in done.stderr and done.stdout == ""


# ---- other processes ----


PROCESSES = """
import multiprocessing, os, subprocess, sys

def job(number):
    return number * number

def many(count):
    for number in range(count):
        job(number)

def run(kind):
    processes = [multiprocessing.get_context(kind).Process(target=many, args=(10,)) for _ in range(2)]
    for process in processes: process.start()
    for process in processes: process.join()
    return [process.exitcode for process in processes]

if __name__ == "__main__":
    print(run("fork"), run("spawn"))
    subprocess.run([sys.executable, "-c", "def below(): pass\\nbelow()"], check=True)
    child = os.fork()
    if not child:
        job(5)
        os._exit(0)
    os.waitpid(child, 0)
"""


@both
def test_processes_that_it_starts(python, tmp_path):
    processes, done = recorded.record(python, tmp_path, PROCESSES)
    assert done.stdout == "[0, 0] [0, 0]\n" and sorted(path.name for path in tmp_path.iterdir()) == ["program.py", "run.tacho"]
    assert len(processes) == 1 + 2 + 2 + 1 + 1 and len({process.pid for process in processes}) == 7
    assert "7 processes" in done.stderr
    calls = recorded.all_names(processes)
    assert calls.count("job") == 41 and calls.count("below") == 1
    tool.good("operators", "--strict", tmp_path / "run.tacho")


def test_a_process_that_goes_on(tmp_path):
    """It keeps its own file, and the user is told."""
    _, done = recorded.record(recorded.DEBIAN, tmp_path, program("""
        import subprocess, sys
        child = subprocess.Popen([sys.executable, "-c", "print(flush=True); import time; time.sleep(60)"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        child.stdout.readline()
        print(child.pid)
    """))
    folder, = tmp_path.glob("run.tacho.parts-*")
    assert f"1 process still recording to {folder}" in done.stderr and len(list(folder.iterdir())) == 1
    os.kill(int(done.stdout), signal.SIGKILL)
    assert "time.sleep" in tool.good("operators", folder).text


def test_a_sitecustomize_of_its_own_stays(tmp_path):
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "sitecustomize.py").write_text("import builtins\nbuiltins.customized = __name__, __file__\n")
    variables = recorded.environment(recorded.DEBIAN)
    variables["PYTHONPATH"] += f":{tmp_path}/own"
    (tmp_path / "program.py").write_text(program("""
        import subprocess, sys
        shown = "import sys, sitecustomize; print(customized, sitecustomize.__file__, [entry for entry in sys.path if 'children' in entry])"
        print(customized, flush=True)
        subprocess.run([sys.executable, "-c", shown], check=True)
    """))
    done = subprocess.run([recorded.DEBIAN, "-m", "tacho", "-o", tmp_path / "run.tacho", "program.py"], capture_output=True, text=True, cwd=tmp_path, env=variables)
    own = str(tmp_path / "own" / "sitecustomize.py")
    assert done.stdout == f"('sitecustomize', '{own}')\n('sitecustomize', '{own}') {own} []\n", done.stderr
    assert len(recording_reference.read(tmp_path / "run.tacho")) == 2


@pytest.mark.slow
@pytest.mark.skipif(len(recorded.PYTHONS) < 2, reason="one interpreter is here")
def test_a_child_of_another_python_runs_all_the_same(tmp_path):
    """Nothing is said by one that the package was not built for, either."""
    recorded.build(recorded.PYTHONS[1])
    old = [path for path in recorded.glob.glob(os.path.expanduser("~/.pyenv/versions/3.[89].*/bin/python3"))]
    command = [[path, "-c", "print(1)"] for path in [recorded.PYTHONS[1], *old]]
    processes, done = recorded.record(recorded.DEBIAN, tmp_path, f"import subprocess\nfor command in {command}: subprocess.run(command, check=True)")
    assert done.stdout == "1\n" * len(command) and without_note(done.stderr) == "" and len(processes) == 2


# ---- together with the rest of Tacho ----


@pytest.mark.slow
def test_under_tacho_record(tmp_path):
    (tmp_path / "program.py").write_text(PROCESSES)
    result = tool.run("record", "--repeat", "2", "-o", tmp_path / "run.tacho", "--", recorded.DEBIAN, "-m", "tacho", tmp_path / "program.py",
                      variables=recorded.environment(recorded.DEBIAN), cwd=tmp_path)
    assert result.code == 0 and "2 launches" in result.text and "tacho:" not in result.err
    processes = recording_reference.read(tmp_path / "run.tacho")
    assert len(processes) == 2 * 7 and sorted({process.launch for process in processes}) == [0, 1]
    calls = recorded.all_names(processes)
    assert calls.count("job") == 2 * 41
    assert "2 launches, 2 runs" in tool.good("latency", tmp_path / "run.tacho").text


def test_with_the_environment(tmp_path):
    (tmp_path / "program.py").write_text("def f(): pass\nf()\n")
    done = recorded.run(recorded.DEBIAN, "-m", "tacho", tmp_path / "program.py", cwd=tmp_path, variables={"TACHO_RECORD": str(tmp_path / "env.tacho")})
    process, = recording_reference.read(tmp_path / "env.tacho")
    assert "f" in recorded.names(process) and done.stderr == ""


LIBRARY = """
#include <tacho/zone.h>
void compute(void) { TACHO_ZONE("of the library"); TACHO_INTEGER("bytes", 7); }
"""


def test_zones_of_libraries_are_in_the_same_file(tmp_path):
    (tmp_path / "library.c").write_text(LIBRARY)
    subprocess.run(["cc", "-shared", "-fPIC", "-I", tool.ROOT / "include", tmp_path / "library.c", "-o", tmp_path / "library.so",
                    f"-L{recorded.BUILD}/src", f"-Wl,-rpath,{recorded.BUILD}/src", "-ltacho-record"], check=True)
    (process,), _ = recorded.record(recorded.DEBIAN, tmp_path, program("""
        import ctypes
        library = ctypes.CDLL("./library.so")
        def infer():
            library.compute()
        infer()
    """))
    found = recorded.calls(process)
    at = found.index((1, "infer"))
    assert (2, "of the library") in found[at:] and ("of the library", "bytes", 7) in recorded.arguments(process)


def test_asyncio(tmp_path):
    """Tasks that take turns: each turn is a slice of its function, in the loop."""
    (process,), _ = recorded.record(recorded.DEBIAN, tmp_path, program("""
        import asyncio
        async def step(n):
            for _ in range(n):
                await asyncio.sleep(0)
        async def main():
            await asyncio.gather(step(3), step(5))
        asyncio.run(main())
    """))
    found = recorded.calls(process)
    assert [name for _, name in found].count("step") == 4 + 6
    assert len({depth for depth, name in found if name == "step"}) == 1
    process.zones()


@pytest.mark.skipif(not (tool.ROOT / "python" / "tacho" / "answers.py").exists(), reason="the package cannot convert")
def test_a_recording_becomes_a_trace(tmp_path):
    (tmp_path / "program.py").write_text("def f(): pass\nf()\n")
    for name in ("trace.json", "trace.pb"):
        recorded.run(recorded.DEBIAN, "-m", "tacho", "-o", name, "program.py", cwd=tmp_path)
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    assert any(event.get("name") == "f" for event in events)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["program.py", "trace.json", "trace.pb"]
