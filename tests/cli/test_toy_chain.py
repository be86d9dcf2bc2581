"""A fourth tool chain, linked with the core alone (tests/programs/toy_chain.c): everything it registers comes out everywhere."""
import csv
import io
import json
import subprocess

import perfetto_decode
import pytest
import tool

TOY = tool.BUILD / "tests" / "toy"
LOG = """# toy
spinner,0,100,whirl,0.5
shovel,50,150,heap,2.25
spinner,120,200,whirl,1
spinner,210,220,dull,not a number
shovel,x,230,heap,1
"""


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "day.toy"
    path.write_text(LOG)
    return path


def toy(*words, code=0):
    done = subprocess.run([TOY, *map(str, words)], capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    return done


def test_it_is_the_only_chain():
    rows = json.loads(toy("formats", "--json").stdout)["rows"]
    assert [row["id"] for row in rows if row["direction"] == "read"] == ["tacho-recording", "chrome-json", "perfetto", "toy"]  # the first three belong to no chain
    assert "greet" in toy("--help").stdout and "annotate" not in toy("--help").stdout


def test_metrics_and_losses(log):
    overview = json.loads(toy("summary", "--json", log).stdout)
    assert overview["total_duration"] == 200_000
    assert overview["spinning_time"] == 180_000 and overview["spinning_alone_time"] == 100_000
    assert overview["idle_time"] == 0
    assert overview["rows"] == {"read": 5, "used": 3, "lost": 2,
                                "reasons": {"a number that cannot be read": 1, "a row that does not glitter": 1}}
    assert toy("summary", "--strict", log, code=3).stderr.startswith(f"tacho: {log}:5:1: a row that does not glitter")


def test_by_and_columns_with_its_own_field(log):
    table = json.loads(toy("summary", "--by", "operator", "--columns", "operator,shout,total_time", "--sort", "shout", "--json", log).stdout)
    assert table["rows"] == [{"operator": "heap", "shout": 4, "total_time": 100_000}, {"operator": "whirl", "shout": 5, "total_time": 180_000}]
    engines = json.loads(toy("summary", "--by", "engine", "--filter", "engine~shov", "--json", log).stdout)
    assert [row["engine"] for row in engines["rows"]] == ["Shovel"]
    fields = json.loads(toy("summary", "--by", "operator", "--columns", "help", "--json", log).stdout)["rows"]
    assert {"how long its name is"} <= {row["description"] for row in fields}


def test_its_option_and_companion(log, tmp_path):
    banner = tmp_path / "banner.txt"
    banner.write_text("big ")
    rows = json.loads(toy("summary", "--by", "operator", "--banner", banner, "--json", log).stdout)["rows"]
    assert {row["operator"] for row in rows} == {"big whirl", "big heap"}
    assert "--banner FILE" in toy("summary", "--help").stdout
    assert "No such file" in toy("summary", "--banner", tmp_path / "none", log, code=3).stderr


def test_slices_and_arguments_in_every_format(log, tmp_path):
    toy("convert", log, "-o", tmp_path / "day.pb")
    slices = [event for event in perfetto_decode.decode_file(tmp_path / "day.pb").slices if event.name in ("whirl", "heap")
              and "sparkle" in event.args]
    assert sorted((event.name, event.start, event.start + event.duration, event.args["sparkle"]) for event in slices) == [
        ("heap", 50_000, 150_000, 2.25), ("whirl", 0, 100_000, 0.5), ("whirl", 120_000, 200_000, 1.0)]
    toy("convert", log, "-o", tmp_path / "day.json")
    events = json.loads((tmp_path / "day.json").read_text())["traceEvents"]
    assert sorted(event["args"]["sparkle"] for event in events if "sparkle" in event.get("args", {})) == [0.5, 1, 2.25]
    toy("convert", log, "-o", tmp_path / "day.csv")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "day.csv").read_text())))
    assert [row["engine"] for row in rows] == ["spinner", "shovel", "spinner"]
    assert [json.loads(row["arguments"]) for row in rows] == [{"sparkle": 0.5}, {"sparkle": 2.25}, {"sparkle": 1.0}]


def test_its_verb():
    done = toy("greet", "--name", "Ada", "--json")
    assert json.loads(done.stdout)["rows"] == [{"words": "Ada"}]
    assert done.stderr == "tacho: greeted\n"
    assert "did you mean --name?" in toy("greet", "--nam", "Ada", code=2).stderr
    assert "did you mean greet?" in toy("great", code=2).stderr


def test_times_before_0_are_told(tmp_path):
    path = tmp_path / "early.toy"
    path.write_text("# toy\nspinner,-30,100,whirl,0.5\nshovel,50,150,heap,2.25\n")
    for name in ("out.pb", "out.json"):
        assert "begins 30.000µs before 0" in toy("convert", path, "-o", tmp_path / name).stderr
    assert "before 0" not in toy("convert", path, "-o", tmp_path / "out.csv").stderr  # which has them
