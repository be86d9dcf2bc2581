"""Every verb once through the library: the JSON is what the command prints with --json."""
import json
import re
import subprocess

import pytest
import tool

BUILD = tool.BUILD
VERB = BUILD / "tests" / "verb"
DATA = tool.ROOT / "tests" / "data"
TORQ = DATA / "torq-golden"
MLIR = TORQ / "executable_targets.mlir"
ETDUMP = DATA / "operators" / "broken_graph_mac_sme2_on_t1.etdump"
OPS = DATA / "tt-ops-csv" / "bh20_oft.csv.gz"
XNNTRACE = next((DATA / "xnntrace").glob("*.log*"))


def through_the_library(verb, options, inputs):
    words = [name if value is None else f"{name}={value}" for name, value in [*options, ("json", None)]]
    done = subprocess.run([VERB, verb, *words, "--", *map(str, inputs)], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def as_the_command(tacho, verb, options, inputs):
    words = [word for name, value in options for word in ([f"--{name}"] if value is None else [f"--{name}", str(value)])]
    return tacho(verb, *words, "--json", *inputs)


QUESTIONS = [
    ("summary", [], [TORQ / "c1.csv"]),
    ("summary", [], [TORQ / "c1.csv", TORQ / "runtime_r2.csv"]),
    ("summary", [("by", "operator")], [ETDUMP]),
    ("summary", [("by", "engine"), ("sort", "-total_time"), ("limit", 3)], [TORQ / "runtime_r2.csv"]),
    ("summary", [("mlir", MLIR)], [TORQ / "runtime_r2.csv"]),
    ("summary", [("columns", "label,time"), ("filter", "time>0")], [TORQ / "c1.csv"]),
    ("formats", [], []),
    ("formats", [("filter", "direction=read")], []),
    ("annotate", [], [MLIR, TORQ / "runtime_r2.csv"]),
    ("advise", [], [TORQ / "c1.csv"]),
    ("advise", [("rank", None)], [TORQ / "c1.csv"]),
    ("advise", [], [ETDUMP]),
    ("advise", [("rank", None)], [OPS]),
    ("operators", [], [ETDUMP]),
    ("latency", [], [ETDUMP]),
    ("kernels", [("xnntrace-log", XNNTRACE)], []),
]


@pytest.mark.parametrize("verb, options, inputs", QUESTIONS, ids=[f"{i}-{question[0]}" for i, question in enumerate(QUESTIONS)])
def test_the_library_answers_as_the_command(tacho, verb, options, inputs):
    code, out, err = through_the_library(verb, options, inputs)
    command = as_the_command(tacho, verb, options, inputs)
    assert (code, err) == (command.code, ""), err + command.err
    assert out == command.text
    json.loads(out)


def test_device(tacho, tmp_path):
    log = next(path for path in sorted((DATA / "tt-device").rglob("*.csv*")))
    options = [("device-log", log), ("output-folder", tmp_path / "a"), ("no-artifacts", None)]
    known = tacho("device", "--help").text
    options = [(name, value) for name, value in options if f"--{name}" in known]
    assert options, known
    for table in ("analyses", "cores", "ops"):
        code, out, err = through_the_library("device", [*options, ("table", table)], [])
        command = as_the_command(tacho, "device", [*options, ("table", table)], [])
        assert code == command.code, err + command.err
        assert out == command.text


def test_every_verb_is_in_the_library(tacho):
    names = subprocess.run([VERB], capture_output=True, text=True, check=True).stdout.split()
    shown = re.findall(r"^  ([a-z-]+)  +\S", tacho("--help").text, re.MULTILINE)
    assert sorted(names + ["completion"]) == sorted(shown)


def test_a_wrong_question_is_refused_with_what_is_meant():
    code, _, err = through_the_library("sumary", [], [])
    assert code == 2 and 'did you mean summary?' in err
    code, _, err = through_the_library("summary", [("columms", "x")], [TORQ / "c1.csv"])
    assert code == 2 and "--columns" in err
    code, _, err = through_the_library("summary", [("columns", "tme")], [TORQ / "c1.csv"])
    assert code == 2 and 'did you mean "time"?' in err


def test_jobs_at_once_answer_as_each_alone():
    files = [TORQ / "c1.csv", TORQ / "runtime_r2.csv", ETDUMP, OPS]
    done = subprocess.run([BUILD / "tests" / "two_jobs", *files], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.startswith("same"), done.stdout + done.stderr
