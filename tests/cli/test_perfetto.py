"""Perfetto traces as inputs: what Tacho wrote comes back as it was, what others write is read by the importer's rules."""
import collections
import csv
import gzip
import json
import os
import re
import subprocess
import sys
import zlib

import pytest

import tool

sys.path.insert(0, str(tool.TESTS))
import perfetto_decode  # noqa: E402
import perfetto_packets as p  # noqa: E402

BEGIN, END, INSTANT, COUNTER = 1, 2, 3, 4
LARGEST = 3_000_000
LARGE = 80_000  # packed


def decoded(path):
    return perfetto_decode.decode(path.read_bytes())


def content_of(path):
    """All slices with all that they have, and all values, as multisets."""
    trace, written = decoded(path), json.JSONEncoder(sort_keys=True).encode
    paths = {track: trace.path(track) for track in trace.tracks}
    slices = collections.Counter((paths[found.track], found.start, found.duration, found.depth, found.name, found.category,
                                  found.instant, written(found.args)) for found in trace.slices)
    return slices, collections.Counter((paths[track], time, value) for track, time, value in trace.counters)


def slices_of(path):
    return content_of(path)[0]


def values_of(path):
    return content_of(path)[1]


def write(folder, *packets, name="t.pb"):
    path = folder / name
    path.write_bytes(b"".join(packets))
    return path


def summary(path, *words):
    return json.loads(tool.run("summary", "--json", *words, path).text)


def table(path, *words):
    return json.loads(tool.run("operators", "--json", *words, path).text)


# ---- What Tacho wrote --------------------------------------------------------------------------------------------------


def fixtures():
    for folder in (tool.DATA, tool.ROOT / "examples"):
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.suffix not in (".md", ".py", ".c", ".h", ".sh") and path.stat().st_size < LARGEST:
                yield path


def parted():
    """Eight parts of the fixtures, and those that are large and lie beside another large one: traces of the same program."""
    large, parts, alike = set(), [[] for _ in range(8)], []
    for number, path in enumerate(fixtures()):
        is_large = path.suffix == ".gz" and path.stat().st_size > LARGE
        (alike if is_large and path.parent in large else parts[number % 8]).append(path)
        large |= {path.parent} if is_large else set()
    return [*parts, alike]


def numbers(verb, path):
    """What a verb says of a file, without the file's name."""
    done = tool.run(*verb, path)
    assert done.code == 0, done.err
    made = json.loads(done.text)
    if isinstance(made, dict):
        made.pop("model", None)
        for key in [key for key, value in made.items() if isinstance(value, dict) and "columns" in value]:
            made.pop(key)  # tables of a reader that knows more of its files
    return made


@pytest.mark.parametrize("part", [pytest.param(part, marks=pytest.mark.slow if part in (2, 3, 4, 8) else ()) for part in range(9)])
def test_every_fixture_comes_back(part, tmp_path):
    """The same slices with all arguments, the same values, the same numbers."""
    found = 0
    for path in parted()[part]:
        first, second = tmp_path / "first.pb", tmp_path / "second.pb"
        if tool.run("convert", "-q", path, "-o", first).code:
            continue
        found += 1
        done = tool.run("convert", "-q", first, "-o", second)
        assert done.code == 0, (path, done.err)
        assert content_of(first) == content_of(second), path
        for verb in (["summary", "--json"], ["operators", "--by", "name", "--json"]):
            if tool.run(*verb, path).code == 0:
                assert numbers(verb, path) == numbers(verb, first), (verb, path)
    assert found


def test_all_that_is_drawn_comes_back(tmp_path):
    source = tool.MOBILENET / "timeline.csv"
    first, second, third = (tmp_path / name for name in ("1.pb", "2.pb", "3.pb"))
    options = ["-q", "--by-operator", "--counters"]
    for path, made in ((source, first), (first, second), (second, third)):
        assert tool.run("convert", *options, path, "-o", made).code == 0
    assert content_of(first) == content_of(second)
    assert slices_of(first) == slices_of(third)
    assert len(decoded(first).counters) > 10


def test_losses_are_those_of_the_original(tmp_path):
    source = tool.DATA / "torq-compile" / "odd.csv"
    made = tmp_path / "odd.pb"
    assert tool.run("convert", "-q", source, "-o", made).code == 0
    assert summary(made)["rows"] == summary(source)["rows"]
    assert summary(made)["rows"]["lost"] > 0


def test_a_trace_that_is_cut_off_is_used_as_far_as_it_goes(tmp_path):
    whole, part = tmp_path / "whole.pb", tmp_path / "part.pb"
    assert tool.run("convert", "-q", tool.MOBILENET / "runtime.csv", "-o", whole).code == 0
    data = whole.read_bytes()
    for size in (len(data) - 1, len(data) // 2, len(data) // 3, 1500):
        part.write_bytes(data[:size])
        done = tool.run("summary", part)
        assert done.code == 0, (size, done.err)
    part.write_bytes(data[:len(data) // 2])
    assert "cut off" in tool.run("summary", part).text


def test_slices_that_a_cut_left_open_are_counted_once(tmp_path):
    """Rows that were used are begins and ends: what ends are missing of is open."""
    whole, part = tmp_path / "whole.pb", tmp_path / "part.pb"
    assert tool.run("convert", "-q", tool.MOBILENET / "timeline.csv", "-o", whole).code == 0
    data = whole.read_bytes()
    found = 0
    for size in range(len(data) // 8, len(data) // 2, len(data) // 64):
        part.write_bytes(data[:size])
        rows = summary(part)["rows"]
        slices = json.loads(tool.run("query", "-q", "--json", part, "SELECT count(*) AS n FROM slices").out)["rows"][0]["n"]
        open_ones = rows["reasons"].get("a begin without its end (kept, until the last time seen)", 0)
        assert open_ones == 2 * slices - rows["used"], size
        found += open_ones
    assert found


@pytest.mark.parametrize("pack", [gzip.compress, lambda data: subprocess.run(["zstd", "-c"], input=data, stdout=subprocess.PIPE, check=True).stdout])
def test_packed_files(pack, tmp_path):
    whole, packed = tmp_path / "whole.pb", tmp_path / "packed.pb"
    assert tool.run("convert", "-q", tool.MOBILENET / "timeline.csv", "-o", whole).code == 0
    packed.write_bytes(pack(whole.read_bytes()))
    one, other = summary(whole), summary(packed)
    one.pop("model"), other.pop("model")
    assert one == other


# ---- What others write -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(60))
def test_any_writer(seed, tmp_path):
    """Slices of a random trace, in one of many encodings, are those that went in."""
    trace = p.RandomTrace(seed)
    source, made = write(tmp_path, trace.encode()), tmp_path / "made.pb"
    done = tool.run("convert", "-q", "--no-overview", source, "-o", made)
    if not trace.slices:
        return
    assert done.code == 0, done.err
    wanted = collections.Counter((name, start, duration, depth, json.dumps(arguments, sort_keys=True))
                                 for name, start, duration, depth, arguments in trace.slices)
    found = collections.Counter()
    for entry in decoded(made).slices:
        found[entry.name, entry.start, entry.duration, entry.depth, json.dumps(entry.args, sort_keys=True)] += 1
    assert wanted == found
    assert summary(source)["rows"]["lost"] == 0


def renumbered(data, number_of):
    """The trace with other numbers for its sequences."""
    def number(at):
        value = shift = 0
        while True:
            value |= (data[at] & 127) << shift
            shift, at = shift + 7, at + 1
            if data[at - 1] < 128:
                return value, at

    made, at, seen = [], 0, set()
    while at < len(data):
        _, at = number(at)
        length, at = number(at)
        end = at + length
        tag, behind = number(at)
        if tag == 10 << 3:
            sequence, behind = number(behind)
            seen.add(sequence)
            made.append(p.block(1, p.number(10, number_of(sequence)) + data[behind:end]))
        else:
            made.append(p.block(1, data[at:end]))
        at = end
    return b"".join(made), seen


def test_sequences_of_any_number(tmp_path):
    for name in ("ours", "other"):
        (tmp_path / name).mkdir()
    tool.good("convert", "-q", tool.ROOT / "examples/encoder_wormhole/profile_log_device.csv.gz", "-o", tmp_path / "ours/t.pb")
    # Numbers of one, two and three bytes, which end with the same bits.
    other, sequences = renumbered((tmp_path / "ours/t.pb").read_bytes(), lambda sequence: 1 + (sequence - 1) * 1024)
    assert len(sequences) > 20
    (tmp_path / "other/t.pb").write_bytes(other)
    for name in ("ours", "other"):
        tool.good("convert", "-q", tmp_path / name / "t.pb", "-o", tmp_path / name / "slices.csv")
    assert (tmp_path / "ours/slices.csv").read_bytes() == (tmp_path / "other/slices.csv").read_bytes()


def test_threads_are_lines_and_names_are_operators(tmp_path):
    path = write(tmp_path, p.descriptor(1, "net", pid=7), p.descriptor(2, "worker", pid=7, tid=8),
                 p.event(1000, 1, BEGIN, p.block(23, "outer"), track=2, flags=1), p.event(2000, 1, BEGIN, p.block(23, "inner"), track=2),
                 p.event(5000, 1, END, track=2), p.event(11000, 1, END, track=2))
    rows = {row["operator"]: row for row in table(path, "--by", "name")["rows"]}
    assert rows["outer"]["total_time"] == 10000 and rows["outer"]["self_time"] == 7000
    assert rows["inner"]["total_time"] == 3000
    assert tool.run("latency", path).code == 0
    assert tool.run("advise", path).code == 0
    made = tmp_path / "made.pb"
    assert tool.run("convert", "-q", "--no-overview", path, "-o", made).code == 0
    assert {decoded(made).path(entry.track) for entry in decoded(made).slices} == {"t.pb/net/worker"}


def test_nested_arguments_are_json(tmp_path):
    value = {"a": [1, 2.5, "x", {"deep": True}], "b": {"c": -1}}
    path = write(tmp_path, p.descriptor(1, "line"), p.event(5, 1, BEGIN, p.block(23, "s"), p.annotation("arg", value), track=1, flags=1),
                 p.event(9, 1, END, track=1))
    csv = tmp_path / "out.csv"
    assert tool.run("convert", "-q", path, "-o", csv).code == 0
    assert '""a"":[1,2.5,""x"",{""deep"":true}]' in csv.read_text() or '"a":[1,2.5' in csv.read_text().replace('""', '"')


def test_counters(tmp_path):
    path = write(tmp_path, p.descriptor(1, "plain", counter=b""), p.descriptor(2, "times", counter=p.number(4, 10) + p.number(5, 1)),
                 p.descriptor(3, "real", counter=p.block(6, "W")), p.descriptor(4, "line"),
                 p.event(10, 1, COUNTER, p.number(30, 7), track=1, flags=1), p.event(20, 1, COUNTER, p.number(30, 3), track=2),
                 p.event(30, 1, COUNTER, p.number(30, 2), track=2), p.event(30, 1, COUNTER, p.decimal(44, 1.5), track=3),
                 p.event(40, 1, INSTANT, p.block(23, "now"), p.number(31, 1), p.number(12, 9), track=4))
    made = tmp_path / "made.pb"
    assert tool.run("convert", "-q", "--no-overview", path, "-o", made).code == 0
    trace = decoded(made)
    values = {(trace.tracks[track].name, time): value for track, time, value in trace.counters}
    assert values == {("plain", 10): 7, ("times", 20): 30, ("times", 30): 50, ("real", 30): 1.5, ("plain", 40): 9}


def lose(tmp_path, *packets):
    """The one reason for which a row was lost beside a slice that is fine."""
    fine = [p.descriptor(1, "line"), p.event(1, 1, BEGIN, p.block(23, "s"), track=1, flags=1), p.event(2, 1, END, track=1)]
    rows = summary(write(tmp_path, *fine, *packets))["rows"]
    assert rows["read"] == rows["used"] + rows["lost"]
    assert rows["lost"] == 1, rows
    return list(rows["reasons"])[0]


def test_what_the_importer_drops_is_counted(tmp_path):
    assert "sequence" in lose(tmp_path, p.event(5, 0, INSTANT, p.block(23, "x"), track=1))
    assert "dropped" in lose(tmp_path, p.event(5, 9, INSTANT, p.block(23, "x"), track=1, flags=2))
    assert "without a time" in lose(tmp_path, p.event(None, 1, INSTANT, track=1))
    assert "before 0" in lose(tmp_path, p.event(-5, 1, INSTANT, track=1))
    assert "snapshot" in lose(tmp_path, p.event(5, 1, INSTANT, track=1, clock=3))
    assert "unknown type" in lose(tmp_path, p.event(5, 1, 77, track=1))
    assert "no counter" in lose(tmp_path, p.event(5, 1, COUNTER, p.number(30, 1), track=1))
    assert "without a value" in lose(tmp_path, p.descriptor(5, "c", counter=b""), p.event(5, 1, COUNTER, track=5))
    assert "extra counters" in lose(tmp_path, p.event(5, 1, INSTANT, p.number(12, 1), track=1))
    assert "without its begin" in lose(tmp_path, p.event(5, 1, END, track=1))
    assert "parent" in lose(tmp_path, p.descriptor(5, "orphan", parent=99), p.event(5, 1, INSTANT, track=5))
    assert "decoded" in lose(tmp_path, p.block(1, b"\x5a\x7f\x01"))
    assert "unpacked" in lose(tmp_path, p.packet(p.block(50, b"no zlib")))
    assert "cut off" in lose(tmp_path, b"\x0a\x7fabc")
    assert "no packet" in lose(tmp_path, b"\x0b\x0b\x0b")


def test_a_loss_says_its_byte_and_strict_stops_there(tmp_path):
    fine = p.descriptor(1, "line") + p.event(1, 1, BEGIN, p.block(23, "s"), track=1, flags=1) + p.event(2, 1, END, track=1)
    path = write(tmp_path, fine, p.event(5, 1, END, track=1))
    assert f"(byte {len(fine)})" in tool.run("summary", path).text
    done = tool.run("summary", "--strict", path)
    assert done.code == 3 and f"byte {len(fine)}: an end without its begin" in done.err


def test_a_slice_that_does_not_end_lasts_until_the_last_time(tmp_path):
    path = write(tmp_path, p.descriptor(1, "line"), p.event(1000, 1, BEGIN, p.block(23, "s"), track=1, flags=1),
                 p.event(9000, 1, INSTANT, p.block(23, "i"), track=1))
    made = summary(path)
    assert made["total_duration"] == 8000
    assert "a begin without its end (kept, until the last time seen)" in made["rows"]["reasons"]


def test_descriptors_count_wherever_they_stand(tmp_path):
    path = write(tmp_path, p.event(5, 1, COUNTER, p.number(30, 7), track=5, flags=1), p.event(8, 1, COUNTER, p.number(30, 9), track=5),
                 p.descriptor(5, "c", counter=b""))
    assert summary(path)["rows"]["lost"] == 0
    assert tool.run("convert", "-q", "--no-overview", path, "-o", tmp_path / "made.json").code == 0
    values = [event["args"] for event in json.loads((tmp_path / "made.json").read_text())["traceEvents"] if event["ph"] == "C"]
    assert [list(value.values()) for value in values] == [[7], [9]]


def test_extra_values_behind_a_zero_are_what_they_are(tmp_path):
    path = write(tmp_path, p.descriptor(1, "line"), *[p.descriptor(uuid, f"c{uuid}", counter=b"") for uuid in (5, 6, 7)],
                 p.event(5, 1, INSTANT, p.block(23, "i") + b"".join(p.number(31, uuid) for uuid in (5, 6, 7)) + b"".join(p.number(12, value) for value in (3, 0, 4)),
                         track=1, flags=1))
    assert tool.run("convert", "-q", "--no-overview", path, "-o", tmp_path / "made.json").code == 0
    values = [event["args"] for event in json.loads((tmp_path / "made.json").read_text())["traceEvents"] if event["ph"] == "C"]
    assert sorted(list(value.values())[0] for value in values) == [0, 3, 4]


def test_tracks_of_one_name_stay_apart(tmp_path):
    path = write(tmp_path, p.descriptor(1, "group"), p.descriptor(2, "lane", parent=1), p.descriptor(3, "lane", parent=1),
                 p.event(10, 1, BEGIN, p.block(23, "a"), track=2, flags=1), p.event(20, 1, BEGIN, p.block(23, "b"), track=3),
                 p.event(30, 1, END, track=2), p.event(40, 1, END, track=3))
    rows = json.loads(tool.run("summary", "-q", "--json", "--by", "engine", path).text)["rows"]
    assert summary(path)["rows"]["lost"] == 0 and summary(path)["total_duration"] == 30
    assert len([row for row in rows if "lane" in json.dumps(row)]) == 2, rows


def test_other_packets_are_named(tmp_path):
    path = write(tmp_path, p.descriptor(1, "line"), p.event(1, 1, BEGIN, p.block(23, "s"), track=1, flags=1), p.event(2, 1, END, track=1),
                 p.packet(p.block(1, b"")), p.packet(p.block(1, b"")), p.packet(p.block(9, b"")))
    notes = summary(path)["notes"]
    assert notes == ["3 packets of other kinds were not read: 2 x ftrace events, 1 x process statistics"]


def test_legacy_events(tmp_path):
    def legacy(time, phase, *parts):
        body = p.block(6, p.number(2, ord(phase)) + b"".join(parts)) + p.number(11, 2)
        return p.packet(p.number(8, time), p.number(10, 1), p.number(13, 1), p.block(11, body + (p.block(23, f"phase {phase}") if phase != "E" else b"")))

    path = write(tmp_path, p.descriptor(2, "worker", pid=7, tid=8), legacy(1000, "X", p.number(3, 5)), legacy(2000, "B"), legacy(3000, "E"),
                 legacy(4000, "i"), legacy(9000, "Q"))
    made = tmp_path / "made.pb"
    assert tool.run("convert", "-q", "--no-overview", path, "-o", made).code == 0
    found = {(entry.name, entry.start, entry.duration) for entry in decoded(made).slices if "row" not in entry.name}
    assert found == {("phase X", 1000, 5000), ("phase B", 2000, 1000), ("phase i", 4000, 0)}


def span(time, phase, sequence, track, *parts, name=None, category="cat"):
    body = p.block(6, p.number(2, ord(phase)) + b"".join(parts)) + p.number(11, track) + p.block(22, category)
    return p.packet(p.number(8, time), p.number(10, sequence), p.number(13, 1), p.block(11, body + (p.block(23, name) if name else b"")))


def lines_of(path, tmp_path):
    """(track, engine, name, start, duration) of all slices."""
    made = tmp_path / "made.csv"
    assert tool.run("convert", "-q", "--no-overview", path, "-o", made).code == 0
    with open(made, encoding="utf-8", newline="") as file:
        return sorted((row["track"], row["engine"], row["name"], int(row["start_ns"]), int(row["duration_ns"])) for row in csv.DictReader(file))


THREADS = (p.descriptor(2, "worker", pid=7, tid=8), p.descriptor(3, "other", pid=7, tid=9), p.descriptor(4, "elsewhere", pid=10, tid=11))


def test_legacy_spans_are_lines_by_name(tmp_path):
    unscoped, scoped, everywhere = lambda n: p.number(6, n), lambda n: p.number(10, n), lambda n: p.number(11, n)
    path = write(tmp_path, *THREADS,
                 # Begun on one thread, ended on another, and in no order: a step stands behind the end.
                 span(100, "b", 1, 2, unscoped(1), name="load"), span(120, "b", 1, 2, unscoped(2), name="load"),
                 span(300, "e", 2, 3, unscoped(1), name="load"), span(200, "n", 2, 3, unscoped(1), name="load"),
                 span(350, "e", 1, 2, unscoped(2)),
                 # The letters of before, and ids that are of one process.
                 span(400, "S", 1, 2, scoped(5), name="old"), span(410, "T", 1, 2, scoped(5), name="old"),
                 span(405, "S", 3, 4, scoped(5), name="old"), span(450, "F", 3, 4, scoped(5), name="old"), span(420, "F", 1, 2, scoped(5), name="old"),
                 # An id that is the same in all of them; another category is another span, and so is a scope.
                 span(500, "b", 1, 2, everywhere(5), name="sent"), span(505, "b", 1, 2, everywhere(5), name="kept", category="dog"),
                 span(507, "b", 1, 2, everywhere(5), p.block(7, "scope"), name="apart"), span(520, "e", 3, 4, everywhere(5)),
                 span(530, "e", 1, 2, everywhere(5), category="dog"), span(540, "e", 1, 2, everywhere(5), p.block(7, "scope")))
    assert lines_of(path, tmp_path) == [
        ("apart", "span", "apart", 507, 33), ("kept", "span", "kept", 505, 25), ("load", "span", "load", 100, 200), ("load", "span", "load", 120, 230),
        ("old", "span", "old", 400, 20), ("old", "span", "old", 405, 45), ("sent", "span", "sent", 500, 20)]
    assert summary(path)["rows"]["lost"] == 0


def test_legacy_spans_that_do_not_fit(tmp_path):
    path = write(tmp_path, *THREADS, span(100, "e", 1, 2, p.number(6, 9)), span(110, "b", 1, 2, name="no id"),
                 span(120, "b", 1, 2, p.number(6, 4), name="open"), span(200, "n", 1, 2, p.number(6, 4), name="step"))
    rows = summary(path)["rows"]
    assert rows["reasons"] == {"a legacy event that has no place on its track": 1, "an end without its begin": 1,
                               "a begin without its end (kept, until the last time seen)": 1}
    assert lines_of(path, tmp_path) == [("open", "span", "open", 120, 80)]


def test_slices_of_tracks_that_are_groups(tmp_path):
    def pair(time, track, name):
        return p.event(time, 1, BEGIN, p.block(23, name), track=track, flags=1) + p.event(time + 5, 1, END, track=track)

    path = write(tmp_path, p.descriptor(1, "A"), p.descriptor(2, "B", parent=1), p.descriptor(3, "C", parent=2), p.descriptor(5, "P", pid=5),
                 p.descriptor(6, "T", pid=5, tid=6), p.descriptor(7, "below", parent=6), p.descriptor(8, "value", parent=1, counter=b""),
                 pair(10, 1, "a"), pair(20, 3, "c"), pair(30, 5, "p"), pair(40, 6, "t"), pair(50, 7, "u"), p.event(60, 1, COUNTER, p.number(30, 7), track=8))
    assert [(line[0], line[2]) for line in lines_of(path, tmp_path)] == [("A", "a"), ("C", "c"), ("P", "p"), ("T", "t"), ("below", "u")]
    assert summary(path)["rows"]["lost"] == 0


# Chains of all kinds: estimates, a dump with runs, steps that repeat, a GPU with an overview of its own.
SEVERAL = [tool.DATA / "torq-compile" / "c4.csv", tool.DATA / "etdump" / "real.etdp", tool.DATA / "torq-compile" / "c1.csv",
           tool.DATA / "gpu" / "kineto_mobilenet_v2_infer.json.gz"]


@pytest.fixture(scope="module")
def several(tmp_path_factory):
    made = tmp_path_factory.mktemp("several") / "several.pb"
    assert tool.run("convert", "-q", *SEVERAL, "-o", made).code == 0
    return made


@pytest.mark.parametrize("words", [["summary"], ["summary", "--json"], ["summary", "--by", "name"], ["operators"]])
def test_a_trace_of_several_inputs_answers_as_they_do(several, words):
    one, other = tool.run(*words, *SEVERAL), tool.run(*words, several)
    assert (one.code, other.code) == (0, 0), other.err
    expected, found = ("".join(done.out.decode().split()) for done in (one, other))  # notes break where they fit, and inside of long paths
    for path in SEVERAL:
        expected = expected.replace(f"input:{path}", f"input:{several}:{path.name}")
    assert found == expected


def test_a_trace_of_several_inputs_is_written_again(several, tmp_path):
    again = tmp_path / "again.pb"
    assert tool.run("convert", "-q", several, "-o", again).code == 0
    assert content_of(again) == content_of(several)
    assert tool.run("summary", again).out == tool.run("summary", several).out


def test_a_verb_that_takes_one_input_says_which(several):
    done = tool.run("latency", several)
    assert done.code == 0 and "the trace holds 4 inputs: this is about 01 c4.csv, the first" in done.err + done.out.decode()
    done = subprocess.run([tool.TACHO, "summary", "-"], stdin=open(several, "rb"), capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "sums are those of the first" in done.stdout.replace("\n        ", " ")


def test_a_trace_of_several_inputs_that_is_cut(several, tmp_path):
    """Each prefix is read; what the first input lost is not lost of another one."""
    whole = several.read_bytes()
    cut = tmp_path / "cut.pb"
    for part in (100, 2000, 20000, len(whole) // 2, len(whole) - 3):
        cut.write_bytes(whole[:part])
        done = tool.run("summary", "--json", cut)
        assert done.code in (0, 3), done.err
        for made in json.loads(done.out) if done.code == 0 else []:
            assert made["rows"]["read"] == made["rows"]["used"] + made["rows"]["lost"]


def test_one_table_a_file_of_several_inputs(several, tmp_path):
    assert tool.run("operators", "--json", several).code == 2
    assert tool.run("summary", "--by", "name", "-o", tmp_path / "x.csv", several).code == 2


def test_overlapping_ends_by_name(tmp_path):
    path = write(tmp_path, p.descriptor(1, "line"), p.event(10, 1, BEGIN, p.block(23, "a"), track=1, flags=1),
                 p.event(20, 1, BEGIN, p.block(23, "b"), track=1), p.event(30, 1, END, p.block(23, "a"), track=1),
                 p.event(40, 1, END, p.block(23, "b"), track=1))
    rows = summary(path)["rows"]
    assert rows["reasons"]["a slice cut at the end of the one around it (kept)"] == 1
    assert rows["lost"] == 1  # the end of b, which was cut before


def test_a_zip_bomb_is_no_trace(tmp_path):
    packer, size = zlib.compressobj(), 200 << 20
    whole = [packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)]
    again = packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    # Zeros compress to the same again and again; the sum at the end is theirs.
    bomb = b"".join([*whole, again * (size // (1 << 20) - 1), b"\x03\0", (size % 65521 << 16 | 1).to_bytes(4, "big")])
    assert zlib.decompressobj().decompress(bomb, 1) == b"\0"
    fine = [p.descriptor(1, "line"), p.event(1, 1, BEGIN, p.block(23, "s"), track=1, flags=1), p.event(2, 1, END, track=1)]
    assert "compressed packets that cannot be unpacked" in summary(write(tmp_path, *fine, p.packet(p.block(50, bomb))))["rows"]["reasons"]


def test_what_is_no_trace_is_not_taken_for_one(tmp_path):
    plane = p.block(1, p.number(1, 3) + p.block(2, "/host:CPU") + p.block(3, p.number(1, 1)))
    done = tool.run("summary", write(tmp_path, plane))
    assert done.code == 3 and "no known format" in done.err


# ---- Traces of Torq's original scripts ---------------------------------------------------------------------------------


def test_overview_of_an_original_trace():
    """What its own overview says, computed from its slices."""
    for name in ("v1", "v2", "compile_head/main_dispatch_0_conv"):
        path = tool.GOLDEN / "golden" / f"{name}.pb"
        if not path.exists():
            path = tool.GOLDEN / f"{name}.pb"
        if not path.exists():
            continue
        text = tool.run("summary", path).text
        assert "Host Profile Overview" in text and "Dma Only" in text and "lost" not in text, (name, text)


ORIGINALS = ["annotated_A2", "annotated_A4", "v1", "v2", "v7", "v1dup", "compile_head/main_dispatch_0_conv"]


def original(name):
    return (tool.GOLDEN / "golden" / f"{name}.pb").read_bytes()


def with_tracks(folder, name, *tracks, to=None):
    """One of the traces with more overview tracks: (name, time, ...)."""
    trace = original(name)
    for track, *times in tracks:
        trace = p.with_overview_track(trace, track, *times)
    return write(folder, trace, name=to or f"{name.replace('/', '-')}.pb")


@pytest.mark.parametrize("name", ORIGINALS)
def test_overview_tracks_that_are_not_known(name, tmp_path):
    """A later version of the scripts may add up more: that is shown as it stands there, behind what is computed."""
    before = summary(write(tmp_path, original(name), name="before.pb"))
    assert "told by the trace" not in json.dumps(before)
    path = with_tracks(tmp_path, name, ("07 OVERVIEW WARP DRIVE", (100, 350)), ("16 THERMAL_LIMIT", (0, 0)))
    after = summary(path)
    whole = before["total_duration"]
    assert after.pop("warp_drive_time") == 250 and after.pop("warp_drive_percent") == pytest.approx(100 * 250 / whole)
    assert after.pop("thermal_limit_time") == 0 and after.pop("thermal_limit_percent") == 0
    note = "told by the trace, not computed: Warp Drive, Thermal Limit"
    assert after["notes"] == before["notes"] + [note]
    for made in (before, after):  # nothing else changes but the count of rows
        made.pop("notes"), made.pop("rows"), made.pop("model")
    assert after == before
    text = tool.run("summary", path).text
    assert f"%)\n  {'Warp Drive':26} {'250ns':>14}  ({100 * 250 / whole:.2f}%)\n  {'Thermal Limit':26} {'0ns':>14}  (0.00%)\n\n" in text, text
    assert note in " ".join(text.split())
    rows = json.loads(tool.run("summary", "--json", "--columns", "metric,label,time,percent,description", path).text)["rows"]
    assert [row["metric"] for row in rows[-2:]] == ["warp_drive", "thermal_limit"] and rows[-2]["time"] == 250
    assert rows[-2]["label"] == "Warp Drive" and rows[-2]["percent"] == pytest.approx(100 * 250 / whole, abs=0.01)
    assert rows[-2]["description"] == "told by the trace, not computed"


def test_told_metrics_side_by_side(tmp_path):
    first = with_tracks(tmp_path, "annotated_A4", ("07 OVERVIEW WARP DRIVE", (0, 250)), to="first.pb")
    second = with_tracks(tmp_path, "annotated_A2", ("3 OVERVIEW FLUX", (0, 7)), ("9 OVERVIEW WARP DRIVE", (0, 1250)), to="second.pb")
    out = tmp_path / "both.csv"
    tool.good("summary", first, second, "-o", out)
    rows = list(csv.reader(out.read_text().splitlines()))
    rows = {row[0]: row[1:] for row in rows if row}
    rows = {key: [round(float(cell), 2) if cell else None for cell in row] for key, row in rows.items() if key != "metric"}
    assert rows["Warp Drive"] == [250, 0.02, 1250, 0.14, 1000] and rows["Flux"] == [None, None, 7, 0, None], rows
    assert list(rows)[-2:] == ["Warp Drive", "Flux"]
    text = tool.good("summary", first, second).text
    assert re.search(r"^ *Warp Drive +250ns +0\.02% +1\.250µs +0\.14% +1\.000µs", text, re.M), text
    assert "first: told by the trace, not computed: Warp Drive" in text
    made = json.loads(tool.good("summary", "--json", first, second).text)
    assert [one.get("warp_drive_time") for one in made] == [250, 1250] and "flux_time" not in made[0]


def test_told_metrics_of_several_slices(tmp_path):
    """Slices of one track, and tracks with the same words, are added up, and that is said; what lies in a slice is a part of it."""
    path = with_tracks(tmp_path, "annotated_A4", ("07 OVERVIEW WARP DRIVE", (0, 100), (200, 250)), ("08 OVERVIEW WARP-DRIVE", (0, 9)))
    made = summary(path)
    assert made["warp_drive_time"] == 159 and "Warp Drive (the sum of 3 slices)" in made["notes"][-1]
    path = with_tracks(tmp_path, "annotated_A4", ("07 OVERVIEW WARP DRIVE", (0, 100, (10, 20), (30, 90, (40, 50))), (200, 201)))
    assert summary(path)["warp_drive_time"] == 101


def test_told_metrics_that_are_computed_as_well(tmp_path):
    """There is one answer to a question: the computed one, where there is one."""
    before, path = summary(write(tmp_path, original("v2"), name="before.pb")), with_tracks(
        tmp_path, "v2", ("10 OVERVIEW DMA IN", (0, 1)), ("11 OVERVIEW TOTAL NPU OPERATIONS", (0, 2)), ("12 OVERVIEW WALL", (0, 3)))
    made = summary(path, "--wall-time", "1")
    assert made["dma_in_time"] == before["dma_in_time"] != 1
    assert made["total_npu_operations_time"] == 2  # an estimate has none that could be computed
    assert made["wall_time"] == 1_000_000_000 and made["told_wall_time"] == 3
    assert made["notes"][-1] == "told by the trace, not computed: Total Npu Operations, Wall"


def test_told_metrics_beside_runs(tmp_path):
    """Other metrics are of one run then, this one is of the trace: a share would be of something else."""
    path = with_tracks(tmp_path, "annotated_A4", ("07 OVERVIEW WARP DRIVE", (0, 250_000)))
    made = summary(path, "--runs", "/^Nss Program/")
    assert made["runs"]["total"] > 1 and made["total_duration"] < summary(path)["total_duration"]
    assert made["warp_drive_time"] == 250_000 and made["warp_drive_percent"] is None
    assert made["notes"][-1] == "told by the trace, not computed: Warp Drive; of all of the trace, not of one run"
    text = tool.run("summary", "--runs", "/^Nss Program/", path).text
    assert re.search(r"^  Warp Drive +250\.000µs$", text, re.M), text


def test_told_metrics_have_a_limit(tmp_path):
    tracks = [(f"{i} OVERVIEW THING {i}", (0, i)) for i in range(40)]
    made = summary(with_tracks(tmp_path, "annotated_A4", *tracks))
    assert [made.get(f"thing_{i}_time") for i in range(40)] == [*range(32), *[None] * 8]
    assert made["notes"][-1].endswith("Thing 31, and 8 more that are not shown")


def test_told_metrics_of_a_hostile_trace(tmp_path):
    """No name reaches the terminal as it stands there."""
    path = with_tracks(tmp_path, "annotated_A4", ("07 OVERVIEW A\x1b[2JB\n\x9b\u202eC", (0, 5)), ("8 OVERVIEW " + "LONG " * 100, (0, 6)), ("99", (0, 7)))
    text = tool.run("summary", path).text
    assert "\x1b" not in text and "\u202e" not in text and "\x9b" not in text and re.search(r"^  A \[2jb C +5ns", text, re.M), text
    assert max(len(line) for line in text.splitlines()) <= 100
    assert summary(path)["99_time"] == 7


def test_a_trace_of_our_own_tells_nothing(tmp_path):
    """All of it is computed; the track is still there."""
    path = with_tracks(tmp_path, "annotated_A4", ("07 OVERVIEW WARP DRIVE", (0, 250)))
    tool.good("convert", path, "-o", tmp_path / "own.pb")
    assert "Warp Drive" not in tool.good("summary", tmp_path / "own.pb").text
    assert any(found.name == "07 OVERVIEW WARP DRIVE" for found in decoded(tmp_path / "own.pb").slices)


def test_formats_lists_it():
    assert re.search(r"^perfetto\b", tool.run("formats").text, re.M) or "perfetto" in tool.run("formats").text


def test_planes_of_xprof_are_no_packets(tmp_path):
    """They are protobuf with a first field of bytes, too: a name where packets have processes, and so long that no second one is looked at."""
    plane = b"\x12\x0e/host:metadata" + b"\x22\xff\xff\x0f" + bytes(0x3FFFF)
    size = len(plane)
    path = tmp_path / "net.xplane.pb"
    path.write_bytes(b"\x0a" + bytes([size & 0x7F | 0x80, size >> 7 & 0x7F | 0x80, size >> 14]) + plane)
    done = tool.run("summary", path)
    assert done.code == 3 and "no known format" in done.err
