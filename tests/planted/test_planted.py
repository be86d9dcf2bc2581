"""The profiles with planted causes: that they are what the index says, and that the judge sees right and wrong answers."""
import json
import pathlib
import subprocess
import sys

import pytest

import tool

HERE = pathlib.Path(__file__).resolve().parent
COUNT = 60

# Says what lies under the name of the profile in the folder of answers; a refusal is an error.
ORACLE = """#!/bin/sh
name=$3
[ "$1" = report ] && name=$4
[ ! -e "{answers}/$name.refused" ] || {{ cat "{answers}/$name.refused" >&2; exit 1; }}
exec cat "{answers}/$name"
"""


def right_answer(profile, left_out):
    """From the index, less what is left out."""
    if profile["expected"] == "failed":
        return "mac_sme2_on: 2.0x faster" if left_out == "refusal" else json.dumps("mac_sme2_on: all launches failed")
    items = [{"rule": "dominant" if profile["expected"] == "dominates" else one["cause"], "where": one["where"][:1] if left_out != "place" else [],
              "saves_ns": one["saves_ns"] * (2 if left_out == "saving" else 1)} for one in profile["planted"]]
    healthy = profile["expected"] == "healthy"
    if healthy or left_out == "all":
        items = []
    if left_out == "order":
        items.insert(0, {"rule": "something", "saves_ns": 1})
    return json.dumps({"healthy": (healthy or left_out == "all") and left_out != "order", "run_ns": profile["run_ns"], "items": items})


def write_oracle(folder, planted, left_out):
    """A stand-in for the tool, whose answers to these profiles are right but for what is left out."""
    for profile in json.loads((planted / "index.json").read_text())["profiles"]:
        refused = profile["expected"] == "refused" and left_out != "refusal"
        path = folder / "answers" / (profile["main"] + (".refused" if refused else ""))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(profile["planted"][0]["where"][0]["file"] + ": is of another model" if refused else right_answer(profile, left_out))
    oracle = folder / "oracle"
    oracle.write_text(ORACLE.format(answers=folder / "answers"))
    oracle.chmod(0o755)
    return oracle


def script(name, *arguments):
    run = subprocess.run([sys.executable, HERE / name, *arguments], capture_output=True, text=True)
    return run.returncode, run.stdout + run.stderr


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    folder = tmp_path_factory.mktemp("planted") / "profiles"
    assert script("generate.py", "--count", str(COUNT), "--seed", "7", "--out", folder) == (0, f"{COUNT} profiles in {folder}\n")
    return folder


def test_all_are_read_whole(planted, tacho):
    code, text = script("generate.py", "--out", planted, "--check", tool.TACHO)
    assert code == 0, text
    assert text == f"{COUNT} profiles read, {COUNT} whole and of the model's length, 0 not\n"


def test_the_check_can_fail(tmp_path, tacho):
    folder = tmp_path / "profiles"
    script("generate.py", "--count", "3", "--seed", "7", "--out", folder)
    index = json.loads((folder / "index.json").read_text())
    index["profiles"][0]["whole_ns"] += 5
    (folder / "index.json").write_text(json.dumps(index))
    with open(folder / index["profiles"][2]["main"], "a") as file:
        file.write("0,1,nonsense\n")
    code, text = script("generate.py", "--out", folder, "--check", tool.TACHO)
    assert code == 1 and "3 profiles read, 1 whole" in text and "by the model" in text and "'lost': 1" in text


def test_a_seed_gives_the_same_bytes(planted, tmp_path):
    script("generate.py", "--count", str(COUNT), "--seed", "7", "--out", tmp_path / "again")
    files = sorted(path.relative_to(planted) for path in planted.rglob("*") if path.is_file())
    assert len(files) > COUNT
    for file in files:
        assert (tmp_path / "again" / file).read_bytes() == (planted / file).read_bytes(), file


def judged(planted, tmp_path, left_out):
    """The last line of the table, all causes together, as numbers by column; and the line below it."""
    code, text = script("judge.py", "--tacho", write_oracle(tmp_path, planted, left_out), planted)
    assert code == 0, text
    table, below = text.splitlines()[1:-1], text.splitlines()[-1]
    cells = [cell for cell in table[-1].split("  ") if cell.strip()]
    names = ("cause", "planted", "first", "named", "place", "saving", "healthy", "refused")
    return {name: cell.strip().split(" of ") for name, cell in zip(names, cells)}, below


def test_right_answers_are_right(planted, tmp_path):
    table, below = judged(planted, tmp_path, "nothing")
    assert all(cell[0] == cell[-1] != "0" for cell in table.values()), table
    assert below.endswith("0 answers of another form")


@pytest.mark.parametrize("left_out, column", [("order", "first"), ("order", "healthy"), ("all", "named"), ("place", "place"),
                                              ("saving", "saving"), ("refusal", "refused")])
def test_wrong_answers_are_wrong(planted, tmp_path, left_out, column):
    table, _ = judged(planted, tmp_path, left_out)
    assert table[column][0] == "0" and table[column][1] != "0", table


def test_a_crash_is_no_answer(planted, tmp_path):
    oracle = tmp_path / "oracle"
    oracle.write_text("#!/bin/sh\nexit 3\n")
    oracle.chmod(0o755)
    _, text = script("judge.py", "--tacho", oracle, planted)
    assert " 0 answers of another form" not in text and "0 of" in text


@pytest.mark.parametrize("verb", ["advise", "report"])
def test_the_cause_is_named_first(planted, tacho, verb):
    """In 95 of 100, and nothing healthy is accused; `make test-truth` asks about 300."""
    code, text = script("judge.py", "--tacho", tool.TACHO, "--verbs", verb, "--require", "--misses", planted)
    assert code == 0, text


@pytest.mark.slow
def test_causes_of_each_framework_are_named_first(tmp_path, tacho):
    """What PyTorch, ONNX Runtime (with kernels and without) and XLA record of the same causes."""
    folder = tmp_path / "profiles"
    script("generate.py", "--count", "65", "--seed", "12", "--chain", "gpu", "--out", folder)
    forms = {profile["form"] for profile in json.loads((folder / "index.json").read_text())["profiles"]}
    assert forms == {"kineto", "onnxruntime", "nodes", "xla"}
    code, text = script("generate.py", "--out", folder, "--check", tool.TACHO)
    assert code == 0, text
    code, text = script("judge.py", "--tacho", tool.TACHO, "--require", "--misses", folder)
    assert code == 0, text


def test_the_requirement_can_fail(planted, tmp_path):
    assert script("judge.py", "--tacho", write_oracle(tmp_path, planted, "order"), "--require", planted)[0] == 1


def test_a_launch_that_failed_has_no_latency(planted, tacho):
    """However whole its dump is: the manifest beside it says how it ended. That stands first, in the JSON too."""
    index = json.loads((planted / "index.json").read_text())["profiles"]
    folder = planted / next(profile["name"] for profile in index if profile["expected"] == "failed")
    good = sorted(folder.glob("*off*.etdump"))
    failed = [path for path in sorted(folder.glob("*on*.etdump")) if path.stat().st_size]
    assert good and failed
    refused = tool.run("latency", *good, "--compare", *failed)
    assert refused.code == 3 and failed[-1].name in refused.err and "a launch that failed, and has no time" in refused.err
    alone, mixed = (json.loads(tool.good("latency", "-q", *paths, "--json").text) for paths in (good, [*good, *failed]))
    assert [text.split(": ")[1].split(" is of")[0] for text in mixed["failures"]] == [str(path) for path in failed]
    assert not alone["failures"] and {**mixed["side"], "name": ""} == {**alone["side"], "name": ""}
    first = tool.good("latency", "-q", *good, *failed, variables={"COLUMNS": "1000"}).text.splitlines()[0]
    assert "is of a launch that failed" in first and ("exit status" in first or "signal" in first)
