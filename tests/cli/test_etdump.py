"""The reader of ETDumps against a second reading in Python, and against what flatc says of a real dump."""
import gzip
import json
import pathlib
import re
import subprocess

import pytest

import etdump_reference
import tool

BUILD = pathlib.Path(tool.TACHO).resolve().parent.parent
FIXTURES = sorted((tool.DATA / "etdump").glob("*.etdp"))


def list_dump(path):
    """What the reader makes of a dump, one line for each thing."""
    done = subprocess.run([BUILD / "tests" / "etdump_listing", path], capture_output=True, env=tool.environment())
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_fixture(path):
    assert list_dump(path) == etdump_reference.listing(path.read_bytes())


def test_there_are_fixtures():
    assert len(FIXTURES) >= 14


def flatc_lines(document):
    """The lines that real.json should give."""
    for index, run in enumerate(document["run_data"]):
        for event in run["events"]:
            profile = event["profile_event"]
            assert profile["delegate_debug_id_int"] == -1 and "delegate_debug_id_str" not in profile
            yield (f'event {index} "{profile["name"]}"', profile["chain_index"], profile["instruction_id"],
                   profile["start_time"], profile["end_time"] - profile["start_time"])


def test_real_dump_as_flatc_shows_it():
    document = json.loads((tool.DATA / "etdump" / "real.json").read_text())
    pattern = re.compile(r'(event \d+ ".*?") \w+ chain (-?\d+) instruction (-?\d+) id -1 start (\d+) duration (\d+) ')
    found = [pattern.match(line).groups() for line in list_dump(tool.DATA / "etdump" / "real.etdp").splitlines()
             if line.startswith("event")]
    assert [(name, *map(int, numbers)) for name, *numbers in found] == list(flatc_lines(document))
    assert [run["name"] for run in document["run_data"]] == ["Default", "Execute"]


def test_generated_dump(tmp_path):
    """What the writer of the benchmarks writes is a dump by the layout rules: the references of the other reader hold."""
    path = tmp_path / "generated.etdump"
    with path.open("wb") as file:
        subprocess.run([BUILD / "bench" / "generate", "etdump", "3000"], stdout=file, stderr=subprocess.DEVNULL, check=True)
    listing = list_dump(path)
    assert listing == etdump_reference.listing(path.read_bytes())
    assert re.search(r"^rows (3\d\d\d) used \1 lost 0$", listing, re.MULTILINE)


def test_packed_dump(tmp_path):
    path = tmp_path / "small.etdump.gz"
    path.write_bytes(gzip.compress((tool.DATA / "etdump" / "py_small.etdp").read_bytes()))
    assert list_dump(path) == list_dump(tool.DATA / "etdump" / "py_small.etdp")


def test_summary_of_every_fixture(good):
    for path in FIXTURES:
        assert "Overview" in good("summary", path).text


def test_cut_dump(tacho, tmp_path):
    path = tmp_path / "cut.etdump"
    path.write_bytes((tool.DATA / "etdump" / "etgen_small.etdp").read_bytes()[:1500])
    run = tacho("summary", path)
    assert run.code == 3
    assert "cut.etdump: the dump is cut: it says that it has 2416 bytes, 1500 are there" in run.err
