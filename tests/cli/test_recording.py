"""Tacho's own recordings through every verb: sums that add up, what was open after a crash, failed launches, rings, damage, folders."""
import csv
import gzip
import io
import json
import re
import shutil
import subprocess

import pytest

import tool

DATA = tool.DATA / "tacho-recording"
BUILD = tool.BUILD


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    """One recording of each kind."""
    folder = tmp_path_factory.mktemp("recordings")
    subprocess.run([str(BUILD / "tests" / "recordings"), str(folder)], check=True)
    return folder


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_fixtures_are_what_the_writer_writes(samples):
    for name in ("plain", "killed"):
        assert gzip.decompress((DATA / f"{name}.tacho.gz").read_bytes()) == (samples / f"{name}.tacho").read_bytes(), name


def test_summary(good):
    text = good("summary", DATA / "plain.tacho.gz").text
    assert re.search(r"OVERALL +10\.000µs", text)
    assert re.search(r"Host +10\.000µs +\(100\.00%\)", text)
    assert "mean of 10 runs" in text
    assert "recording took about 0.8 % of this time: 24 ns a zone" in text


def test_self_times_are_of_the_innermost_zone_and_add_up(good):
    table = json.loads(good("operators", "--json", DATA / "plain.tacho.gz").text)["rows"]
    own = {row["operator"]: row["self_time"] for row in table}
    assert own == {"inference": 3000, "matmul": 6000, "load": 1000}
    assert sum(own.values()) == 10000
    total = {row["operator"]: row["total_time"] for row in table}
    assert total == {"inference": 10000, "matmul": 6000, "load": 1000}
    assert {row["operator"]: row["bytes"] for row in table} == {"inference": 0, "matmul": 0, "load": 4096}


def test_operators_tell_where_they_are(good):
    text = good("operators", DATA / "plain.tacho.gz", "--columns", "operator,location").text
    assert re.search(r"matmul +matmul \(src/net\.c:30\)", text)


def test_latency_of_launches_and_of_none_that_failed(good, samples):
    done = good("latency", samples / "launches.tacho")
    assert "2 launches, 10 runs" in done.text
    assert "launch 3 failed: killed by signal 9; nothing in it counts as a run" in done.err


def test_a_launch_that_failed_has_no_time(samples, tmp_path):
    # The third launch alone: a file of its own.
    whole = (samples / "launches.tacho").read_bytes()
    last = whole.rindex(b"tachorec")
    alone = tmp_path / "failed.tacho"
    alone.write_bytes(whole[last:])
    done = tool.run("latency", alone)
    assert done.code == 3 and "killed by signal 9" in done.err and "has no time" in done.err
    done = tool.run("summary", alone)
    assert done.code == 0 and "launch 3 failed: killed by signal 9" in done.text


def test_what_was_open_after_a_crash_is_the_first_note(good, tmp_path):
    done = good("summary", DATA / "killed.tacho.gz", "--json")
    answer = json.dumps(json.loads(done.text), ensure_ascii=False)
    assert "3 zones were open when the recording ended: inference > matmul; load" in answer
    text = re.sub(r"\s+", " ", good("summary", DATA / "killed.tacho.gz").text)
    assert text.index("note: 3 zones were open") < text.index("note: thread 'worker' of process 4711 dropped 5 records")
    assert "5 x a record that was dropped while recording" in text
    good("convert", DATA / "killed.tacho.gz", "-o", tmp_path / "slices.csv")
    slices = rows((tmp_path / "slices.csv").read_text())
    assert sorted(row["name"] for row in slices if "unfinished" in row["arguments"]) == ["inference", "load", "matmul"]


def test_a_crash_is_told_by_every_verb(good, tmp_path):
    for words in (["summary"], ["operators"], ["latency"], ["advise"], ["report"], ["convert", "-o", tmp_path / "x.pb"]):
        done = good(words[0], DATA / "killed.tacho.gz", *words[1:])
        said = re.sub(r"\s+", " ", done.text + done.err)
        assert "3 zones were open when the recording ended" in said, words
        assert "5 x a record that was dropped while recording" in said, words


def test_a_ring_and_damage_are_counted(good, samples):
    text = good("summary", samples / "ring.tacho").text
    assert "1 x an end whose begin the ring had written over" in text
    text = good("summary", samples / "damaged.tacho").text
    assert "1 x a damaged chunk: its checksum or its head is wrong" in text and "1 x an end without a begin" in text
    assert "rows: 17 read, 15 used, 2 lost" in text
    done = tool.run("summary", "--strict", samples / "damaged.tacho")
    assert done.code == 3 and "a damaged chunk" in done.err


def test_counters_of_traces(good, samples, tmp_path):
    good("convert", samples / "lines.tacho", "-o", tmp_path / "trace.pb")
    printed = subprocess.run(["/usr/bin/python3", str(tool.TESTS / "perfetto_decode.py"), "--counters", str(tmp_path / "trace.pb")],
                             capture_output=True, text=True, check=True).stdout
    assert sorted(row["value"] for row in rows(printed)) == ["0.5", "5"]


def test_lines_of_all_kinds(good, samples, tmp_path):
    good("convert", samples / "lines.tacho", "-o", tmp_path / "trace.json")
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    counters = {event["name"]: event["args"]["value"] for event in events if event["ph"] == "C"}
    assert counters == {"program [4711] / load": 5, "program [4711] / matmul": 0.5}, "processes may have counters of one name"
    names = {event["args"]["name"] for event in events if event.get("name") == "thread_name"}
    assert {"program [4711] / main", "program [4711] / main: sums", "program [4711] / frames load",
            "program [4711] / chip 0 / core 3"} <= names
    assert any(event["ph"] == "i" and event["name"] == "a message" for event in events)
    text = re.sub(r"\s+", " ", good("summary", samples / "lines.tacho").text)
    assert "device clock 'chip 0' is tied to the host's to within 1.200µs" in text


@pytest.mark.parametrize("suffix", ["pb", "json", "speedscope.json", "csv"])
def test_every_trace_has_all_zones(good, samples, tmp_path, suffix):
    done = good("convert", samples / "plain.tacho", "-o", tmp_path / f"x.{suffix}")
    assert "40 slices" in done.text + done.err


def test_advice_says_what_dominates_and_invents_nothing(good):
    answer = json.loads(good("advise", "--json", DATA / "plain.tacho.gz").text)
    assert answer["healthy"] is False and "no rule is about such a profile" in answer["headline"]
    assert answer["items"][0]["title"] == "matmul (net.c:30) takes 60.0 % of a run, more than anything else"
    assert {part["part"]: part["time_ns"] for part in answer["parts"]} == {"matmul": 6000, "inference": 3000, "load": 1000}
    assert "matmul" in good("report", DATA / "plain.tacho.gz").text


def test_joined_files_and_folders_are_the_same(good, samples, tmp_path):
    folder = tmp_path / "all"
    folder.mkdir()
    for name in ("plain", "killed"):
        shutil.copy(samples / f"{name}.tacho", folder)
    (folder / "notes.txt").write_text("not a recording\n")
    joined = tmp_path / "joined.tacho"
    joined.write_bytes(b"".join((samples / f"{name}.tacho").read_bytes() for name in ("killed", "plain")))
    tables = [re.sub(r"(?m)^.*Model:.*$", "", good("summary", source).text) for source in (folder, joined)]
    assert tables[0] == tables[1] and "mean of 11 runs" in tables[0]


def test_packed_and_piped(good, samples):
    plain = good("operators", samples / "plain.tacho").text
    assert good("operators", DATA / "plain.tacho.gz").text == plain
    piped = tool.run("summary", "-", stdin=(samples / "plain.tacho").read_bytes())
    assert piped.code == 0 and "10.000µs" in piped.text
    cut = (DATA / "plain.tacho.gz").read_bytes()[:-30]
    half = tool.run("summary", "-", stdin=cut)
    assert half.code in (0, 3)


def test_what_is_no_recording(samples, tmp_path):
    data = bytearray((samples / "plain.tacho").read_bytes())
    data[8] = 9
    newer = tmp_path / "newer.tacho"
    newer.write_bytes(data)
    done = tool.run("summary", newer)
    assert done.code == 3 and "a later version" in done.err
    (tmp_path / "empty").mkdir()
    done = tool.run("summary", "--format", "tacho-recording", tmp_path / "empty")
    assert done.code == 3 and "there is no recording in it" in done.err


def test_the_page_about_the_format_is_right(tmp_path):
    page = (tool.ROOT / "doc" / "formats" / "recording.md").read_text()
    head, chunk = page.split("## A chunk")
    program = ['#include <stddef.h>', '#include <stdio.h>', '#include "record/format.h"', "int main(void) {"]
    for struct, text in (("recording_head", head), ("recording_chunk", chunk)):
        fields = re.findall(r"^\| (\d+) \| [^|]+ \| `(\w+)` \|", text, re.MULTILINE)
        assert len(fields) > 8
        program += [f'if (offsetof(struct {struct}, {field}) != {offset}) puts("{struct} {field}");'
                    for offset, field in fields]
    kinds = re.findall(r"^\| ([\d, ]+) \| ([A-Z_, ]+) \|", page, re.MULTILINE)
    for numbers, names in kinds:
        names = [("ARGUMENT" + name if name.startswith("_") else name) for name in names.split(", ")]
        for number, name in zip(numbers.split(", "), names, strict=True):
            program.append(f'if (RECORD_{name} != {number}) puts("{name}");')
    assert len(kinds) > 20
    (tmp_path / "check.c").write_text("\n".join(program + ["return 0; }", ""]))
    compiler = shutil.which("cc") or tool.need("gcc")
    subprocess.run([compiler, "-I", str(tool.ROOT / "src"), "-o", str(tmp_path / "check"), str(tmp_path / "check.c")], check=True)
    assert subprocess.run([str(tmp_path / "check")], capture_output=True, text=True, check=True).stdout == ""
