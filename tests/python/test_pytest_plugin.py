"""The pytest plugin: suites that record their tests and run Torq's programs, here and over a real ssh, as document 003 shows them."""
import os
import re
import shutil
import subprocess
import xml.etree.ElementTree

import package
import perfetto_packets
import pytest
import tool
import waiting
from board import Board

DEBIAN = "/usr/bin/python3"
SUITE = '''
import pathlib
import pytest

HERE = pathlib.Path(__file__).parent


@pytest.mark.parametrize("layer", ["example-matmul_layer", "example-add_layer"])
def test_onnx_model(torq_run, layer):
    done = torq_run([f"--module={HERE / layer}.vmfb", "--input=1x56x56x24xi8=1"])
    assert "EXEC @main" in done.output and done.wall_time > 0
    print("cached" if done.cached else "run", done.directory.name)
'''
OPTIONS = ["--torq-runtime-hw-type=astra_machina", "--torq-runtime-profiling-output-dir=./profile"]
DOCUMENT = ["tests/test_onnx_model.py", "-k", "example-matmul_layer", *OPTIONS]


@pytest.fixture(scope="module")
def board(tmp_path_factory):
    made = Board(tmp_path_factory.mktemp("board"))
    yield made
    made.close()


class Suite:
    """A folder with tests, two models, and a stand-in for torq-run-module that writes the log of a real run and counts its calls."""

    def __init__(self, folder, board):
        self.folder = folder
        self.variables = {"PYTHONPATH": str(package.FOLDER), "TACHO": tool.TACHO, "TORQ_RUN_MODULE": str(folder / "build" / "torq-run-module"),
                          "CALLS": str(folder / "calls"), **board.variables(folder / "there")}
        (folder / "tests").mkdir()
        (folder / "build").mkdir()
        (folder / "tests" / "test_onnx_model.py").write_text(SUITE)
        for name in ("example-matmul_layer", "example-add_layer"):
            (folder / "tests" / f"{name}.vmfb").write_bytes(name.encode() * 1000)
        self.write_runner((tool.GOLDEN / "runtime_r4.csv").read_text())

    def write_runner(self, log, last="exit 0"):
        runner = self.folder / "build" / "torq-run-module"
        runner.write_text(f"#!/bin/sh\necho \"$@\" >>{self.folder}/calls\n" + '''for word; do
    case $word in
    --module=*) [ -r "${word#*=}" ] || { echo "no module: $word" >&2; exit 1; } ;;
    --torq_profile_host=*) profile=${word#*=} ;;
    esac
done
echo "EXEC @main"
''' + f"[ -z \"$profile\" ] || cat >\"$profile\" <<'END'\n{log}END\n{last}\n")
        runner.chmod(0o755)

    def calls(self):
        path = self.folder / "calls"
        return path.read_text().splitlines() if path.exists() else []

    def pytest(self, *arguments, code=0, program=("-m", "pytest"), plugin=("-p", "tacho.pytest"), **variables):
        command = [DEBIAN, *program, *plugin, *map(str, arguments)]
        done = subprocess.run(command, cwd=self.folder, env=tool.environment(**{**self.variables, **variables}), capture_output=True, text=True, timeout=waiting.LIMIT)
        assert done.returncode == code, f"{done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout + done.stderr


@pytest.fixture
def suite(tmp_path, board):
    return Suite(tmp_path, board)


def properties(path):
    return {item.get("name"): item.get("value") for item in xml.etree.ElementTree.parse(path).iter("property")}


def overview(text):
    """The times of the section at the end, by their labels."""
    rows = re.findall(r"^  (\w[\w ]*?) {2,}(\d[\d.]*[nµm]?s)(?:  \(.*\))?$", text[text.index(" Host Profile Overview "):], re.MULTILINE)
    return dict(rows)


# ---- document 003 ----------------------------------------------------------------------------------------------------


def test_the_line_of_the_document(suite):
    line = [*DOCUMENT, "--torq-addr", "127.0.0.1", "--update-astra-runtime", "--junitxml=report.xml", "-s", "--log-cli-level=INFO"]
    text = suite.pytest(*line, "--recompute-cache")
    assert text.count(" Host Profile Overview ") == 1 and "Model: example-matmul_layer" in text and "1 passed" in text
    told = overview(text)
    assert told["OVERALL"] == "1.072ms" and told["WALL_TIME"] and told["CONNECTION"] and "Host Copy" in told
    folder, = (suite.folder / "profile").iterdir()
    assert (folder / "example-matmul_layer.csv").read_bytes() == (tool.GOLDEN / "runtime_r4.csv").read_bytes()
    wall = float((folder / "wall_time.txt").read_text().rstrip("s\n"))
    assert float(properties(suite.folder / "report.xml")["wall_time"]) == pytest.approx(wall, abs=1e-5)
    assert f"Wall time: {wall:.3f}s" in text
    assert (suite.folder / "there" / "torq-run-module").exists()  # it was synchronised, and ran from there
    assert len(suite.calls()) == 1 and "--torq_hw_type=astra_machina" in suite.calls()[0]
    # The second time it comes from the cache, with the same answers; --recompute-cache runs it again.
    again = suite.pytest(*line)
    assert len(suite.calls()) == 1 and "cached" in again and overview(again) == told
    assert float(properties(suite.folder / "report.xml")["wall_time"]) == pytest.approx(wall, abs=1e-5)
    suite.pytest(*line, "--recompute-cache")
    assert len(suite.calls()) == 2


@pytest.mark.slow
def test_what_decides_a_run(suite):
    """Another binary, model, option or place is another run."""
    for count, change in enumerate([
            lambda: None,
            lambda: suite.write_runner((tool.GOLDEN / "runtime_r4.csv").read_text(), "sleep 0"),
            lambda: (suite.folder / "tests" / "example-matmul_layer.vmfb").write_bytes(b"another"),
            lambda: DOCUMENT.append("--torq-addr=127.0.0.1")], 1):
        change()
        suite.pytest(*DOCUMENT, "--update-astra-runtime")
        suite.pytest(*DOCUMENT, "--update-astra-runtime")
        assert len(suite.calls()) == count
    DOCUMENT.pop()


def test_here(suite):
    text = suite.pytest(*DOCUMENT)
    told = overview(text)
    assert told["OVERALL"] == "1.072ms" and told["WALL_TIME"] and "CONNECTION" not in told


def test_without_a_profile(suite):
    text = suite.pytest("tests")
    assert "2 passed" in text and "Host Profile Overview" not in text and not (suite.folder / "profile").exists()
    assert not any("torq_profile_host" in call for call in suite.calls())


def test_every_test_that_left_a_profile(suite):
    """Also one that wrote it by itself, as a log or as a trace; what is no profile is passed over."""
    (suite.folder / "tests" / "test_own.py").write_text(f'''
import pathlib, shutil
def test_own(request):
    folder = pathlib.Path(request.config.getoption("--torq-runtime-profiling-output-dir"))
    folder.mkdir(exist_ok=True)
    shutil.copyfile({str(tool.GOLDEN / "runtime_r4.csv")!r}, folder / "own.csv")
    shutil.copyfile({str(tool.GOLDEN / "golden" / "annotated_A2.pb")!r}, folder / "trace.pb")
    (folder / "notes.csv").write_text("a,b\\n1,2\\n")
''')
    (suite.folder / "profile").mkdir()
    old = suite.folder / "profile" / "old.csv"
    shutil.copyfile(tool.GOLDEN / "runtime_r4.csv", old)
    os.utime(old, (0, 0))
    text = suite.pytest("tests", *OPTIONS)
    for model in ("own", "trace", "example-matmul_layer", "example-add_layer"):
        assert f"Model: {model}\n" in text
    assert "Model: old" not in text and "notes" not in text[text.index("Host Profile Overview"):]


def test_overview_tracks_that_nobody_knows(suite):
    """A trace of the original scripts, of a version that adds up more than any so far."""
    trace = suite.folder / "later.pb"
    trace.write_bytes(perfetto_packets.with_overview_track((tool.GOLDEN / "golden" / "annotated_A2.pb").read_bytes(), "07 OVERVIEW WARP DRIVE", (0, 250_000)))
    (suite.folder / "tests" / "test_own.py").write_text(f'''
import pathlib, shutil
def test_own(request):
    folder = pathlib.Path(request.config.getoption("--torq-runtime-profiling-output-dir"))
    folder.mkdir(exist_ok=True)
    shutil.copyfile({str(trace)!r}, folder / "net.pb")
''')
    text = suite.pytest("tests/test_own.py", *OPTIONS)
    assert overview(text)["Warp Drive"] == "250.000µs" and overview(text)["OVERALL"] == "900.000µs", text


def test_a_run_that_fails(suite):
    suite.write_runner("", "echo 'no device' >&2; exit 7")
    text = suite.pytest(*DOCUMENT, code=1)
    assert "exit status 7" in text and "no device" in text and "Host Profile Overview" not in text
    text = suite.pytest(*DOCUMENT, "--torq-addr=127.0.0.1", "--update-astra-runtime", code=1)
    assert "exit status 7" in text and "no device" in text
    suite.write_runner((tool.GOLDEN / "runtime_r4.csv").read_text())
    suite.pytest(*DOCUMENT)
    assert len(suite.calls()) == 3
    text = suite.pytest("tests", code=1, TORQ_RUN_MODULE=None, PATH="/usr/bin:/bin")
    assert "torq-run-module is not on the PATH" in text
    text = suite.pytest("tests", "--torq-addr=127.0.0.1", code=1, TACHO_SSH="ssh -p 1 -o BatchMode=yes")
    assert "127.0.0.1" in text and "2 failed" in text


# ---- together with what is there already ----------------------------------------------------------------------------


def test_options_of_the_suite_stay_the_suite_s(suite):
    (suite.folder / "tests" / "conftest.py").write_text('''
def pytest_addoption(parser):
    parser.addoption("--torq-addr", default="127.0.0.1", help="the suite's own")
    parser.addoption("--recompute-cache", action="store_true", help="the suite's own")
''')
    text = suite.pytest("tests", *OPTIONS, "--update-astra-runtime")
    assert "CONNECTION" in overview(text) and "2 passed" in text
    text = suite.pytest("tests", "--help")
    assert text.count("the suite's own") == 2 and text.count("--torq-addr") == 1 and "--torq-runtime-hw-type" in text


def test_by_its_entry_point(suite):
    """An installed package brings the plugin; naming it as well does no harm."""
    site = suite.folder / "site"
    (site / "tacho-0.1.0.dist-info").mkdir(parents=True)
    (site / "tacho-0.1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: tacho\nVersion: 0.1.0\n")
    project = (tool.ROOT / "python" / "pyproject.toml").read_text()
    name, = [line for line in project.splitlines() if line.endswith('= "tacho.pytest"')]
    (site / "tacho-0.1.0.dist-info" / "entry_points.txt").write_text("[pytest11]\n" + name.replace('"', "") + "\n")
    path = f"{package.FOLDER}{os.pathsep}{site}"
    for plugin in ((), ("-p", "tacho.pytest")):
        text = suite.pytest(*DOCUMENT, plugin=plugin, PYTHONPATH=path)
        assert "Host Profile Overview" in text and "1 passed" in text


def test_workers(suite):
    text = suite.pytest("tests", *OPTIONS, "-n", "2", "--tacho-output-dir=recordings")
    for model in ("example-matmul_layer", "example-add_layer"):
        assert text.count(f"Model: {model}\n") == 1
    assert len(list((suite.folder / "recordings").glob("*.tacho"))) == 2


# ---- recording -------------------------------------------------------------------------------------------------------


PROFILED = '''
def child(n):
    return sum(i * i for i in range(n))

def test_with(FIXTURE):
    assert child(1000)

def test_without():
    assert child(1000)
'''


def test_a_recording_per_test(suite):
    (suite.folder / "tests" / "test_own.py").write_text(PROFILED.replace("FIXTURE", ""))
    suite.pytest("tests/test_own.py", "--tacho-output-dir", "recordings")
    made = sorted((suite.folder / "recordings").iterdir())
    assert [path.name for path in made] == ["tests-test_own.py-test_with.tacho", "tests-test_own.py-test_without.tacho"]
    for path in made:
        text = tool.good("operators", path).text
        assert "child" in text and "call" in text


@pytest.mark.parametrize("fixture", ["tacho_profile", "tracy_profile"])
def test_fixtures(suite, fixture):
    (suite.folder / "tests" / "test_own.py").write_text(PROFILED.replace("FIXTURE", fixture))
    suite.pytest("tests/test_own.py", program=("-m", "tacho", "-p", "-o", "run.tacho", "-m", "pytest"))
    rows = tool.good("operators", suite.folder / "run.tacho", "--json").text
    assert '"test_with"' in rows and '"child"' in rows and "test_without" not in rows
    # Without a recording they do nothing.
    assert "2 passed" in suite.pytest("tests/test_own.py")


def test_one_recording_at_a_time(suite):
    text = suite.pytest("tests", "--tacho-output-dir", "recordings", code=4, program=("-m", "tacho", "-o", "run.tacho", "-m", "pytest"))
    assert "one recording at a time" in text
