"""Trace events in Chrome's form: against an independent reading of the same files, in every packing, in pieces, and what Tacho wrote read again."""
import collections
import csv
import decimal
import gzip
import io
import json
import random
import subprocess

import pytest

import tool

DATA = tool.DATA
FILES = ["gpu/kineto_mobilenet_v2_infer.json.gz", "gpu/kineto_rich_train.json.gz", "gpu/onnxruntime_mobilenet_v2_cpu.json.gz",
         "xla/jax_transformer_cpu.trace.json.gz", "gpu/launches/launch_A_00.json.gz", "gpu/launches/launch_B_00.json.gz"]


def ns(text):
    """Nearest nanosecond of decimal microseconds, halves up as the digits say."""
    return int((decimal.Decimal(text) * 1000).quantize(decimal.Decimal(1), decimal.ROUND_HALF_UP))


def events_of(path):
    with gzip.open(path) as file:
        loaded = json.load(file, parse_float=str, parse_int=str)
    return loaded["traceEvents"] if isinstance(loaded, dict) else loaded


def slices_of(path, tmp_path, *options, name="out.csv"):
    """(name, start, duration, arguments, operator, location) of all slices that were not drawn."""
    out = tmp_path / name
    done = tool.run("convert", str(path), "-o", str(out), *options)
    assert done.code == 0, done.err
    with open(out, newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["engine"] not in ("overview", "operator")]
    return sorted((row["name"], int(row["start_ns"]), int(row["duration_ns"]), row["arguments"], row["operator"], row["location"]) for row in rows)


@pytest.mark.parametrize("name", FILES)
def test_every_slice_is_there_with_its_times(name, tmp_path):
    expected = sorted((event["name"], ns(event["ts"]), ns(event["dur"])) for event in events_of(DATA / name) if event.get("ph") == "X")
    assert [row[:3] for row in slices_of(DATA / name, tmp_path, "--format", "chrome-json")] == expected


@pytest.mark.parametrize("name", [name for name in FILES if (DATA / name.replace(".json.gz", ".categories.csv")).exists()])
def test_sums_by_category_are_those_of_another_importer(name):
    done = tool.good("summary", DATA / name, "--format", "chrome-json", "--by", "category", "--json")
    found = {row["category"]: (row["slices"], row["total_time"]) for row in json.loads(done.text)["rows"] if row["slices"]}
    with open(DATA / name.replace(".json.gz", ".categories.csv"), newline="", encoding="utf-8") as file:
        expected = {row["category"]: (int(row["n"]), int(row["total_ns"])) for row in csv.DictReader(file) if row["category"]}  # without one are instants
    assert found == expected


@pytest.mark.parametrize("name", FILES)
def test_no_row_is_lost(name):
    done = tool.good("summary", DATA / name, "--format", "chrome-json", "--strict")
    assert "lost" not in done.text + done.err


def test_every_packing_and_a_pipe_give_the_same(tmp_path):
    source = DATA / FILES[1]
    plain = tmp_path / "plain.json"
    plain.write_bytes(gzip.open(source).read())
    packed = tmp_path / "packed.json.zst"
    assert subprocess.run([tool.need("zstd"), "-q", plain, "-o", packed], check=False).returncode == 0
    expected = slices_of(source, tmp_path, "--format", "chrome-json")
    assert slices_of(plain, tmp_path, "--format", "chrome-json") == expected
    assert slices_of(packed, tmp_path, "--format", "chrome-json") == expected
    tool.good("convert", "-", "--format", "chrome-json", "-o", tmp_path / "pipe.csv", stdin=plain.read_bytes())
    tool.good("convert", "-", "--format", "chrome-json", "-o", tmp_path / "gzip.csv", stdin=source.read_bytes())
    assert (tmp_path / "pipe.csv").read_bytes() == (tmp_path / "gzip.csv").read_bytes()


def test_any_order_of_the_events_gives_the_same(tmp_path):
    """Writers sort as they like; only events of one time on one thread keep their order where that tells something."""
    events = [event for event in json.load(gzip.open(DATA / FILES[1]))["traceEvents"] if event.get("ph") in ("X", "M")]
    (tmp_path / "a.json").write_text(json.dumps(events))
    random.Random(1).shuffle(events)
    (tmp_path / "b.json").write_text(json.dumps({"traceEvents": events}, indent=1))
    assert slices_of(tmp_path / "a.json", tmp_path) == slices_of(tmp_path / "b.json", tmp_path, name="b.csv")



def fixtures():
    """One input of each chain, and a recording."""
    found = []
    for folder, pattern in (("torq-compile", "*.csv"), ("torq-runtime", "*.csv"), ("etdump", "*.etdump"), ("tt-ops-csv", "*.csv"), ("tacho-recording", "*.tacho")):
        found += sorted((DATA / folder).glob(pattern))[:3]
    return found + [DATA / name for name in FILES[:4]]


@pytest.mark.parametrize("path", fixtures(), ids=lambda path: path.name)
def test_what_tacho_wrote_is_read_again_as_it_was(path, tmp_path):
    once = tmp_path / "once.json"
    done = tool.run("convert", str(path), "-o", str(once))
    if done.code != 0:
        pytest.skip("a file of this fixture that is there to fail")
    twice = tmp_path / "twice.json"
    assert tool.run("convert", str(once), "-o", str(twice)).code == 0

    def list_slices(file):
        """Names, times and arguments of all slices of a trace, by thread name; begins and ends put together."""
        found, open_slices, names = [], collections.defaultdict(list), {}
        for event in json.loads(file.read_text())["traceEvents"]:
            thread = event["pid"], event["tid"]
            if event["ph"] == "M" and event["name"] == "thread_name":
                names[thread] = event["args"].get("engine")
            elif event["ph"] == "B":
                open_slices[thread].append(event)
            elif event["ph"] == "X":
                found.append((names[thread], event["name"], ns(str(event["ts"])), 0, json.dumps(event.get("args"))))
            elif event["ph"] == "E":
                begun = open_slices[thread].pop()
                found.append((names[thread], begun["name"], ns(str(begun["ts"])), ns(str(event["ts"])) - ns(str(begun["ts"])), json.dumps(begun.get("args"))))
        return sorted(row for row in found if row[0] not in ("overview", "operator"))

    first, second = list_slices(once), list_slices(twice)
    assert first == second


def test_a_cut_off_file_is_used_as_far_as_it_goes(tmp_path):
    cut = tmp_path / "cut.json"
    cut.write_bytes(gzip.open(DATA / FILES[1]).read()[:300_000])
    done = tool.run("summary", str(cut), "--format", "chrome-json")
    assert done.code == 0 and "1 x an event that the file ends in (line" in done.text and "cut off at line" in done.text
    strict = tool.run("summary", str(cut), "--format", "chrome-json", "--strict")
    assert strict.code == 3 and "cut.json:" in strict.err


def test_reasons_for_losses_are_read_again_as_they_were(tmp_path):
    path = tmp_path / "samples.json"
    path.write_text('[{"ph":"X","name":"a","ts":1,"dur":1},{"ph":"X","name":"b","ts":3},{"ph":"P","name":"sample","ts":2},{"ph":"C","name":"c","ts":2}]')
    tool.good("convert", path, "-o", tmp_path / "out.pb")
    first, again = (json.loads(tool.good("summary", file, "--json").text)["rows"] for file in (path, tmp_path / "out.pb"))
    assert first == again and first["lost"] == 3 and len(first["reasons"]) == 3
    assert all(len(line) <= 80 for line in tool.good("summary", path).text.splitlines())


@pytest.mark.parametrize("text, wanted", [
    ('[{"ph":"X","name":"a","ts":1,"dur":1},]', 0), ('[', 0), ('{"traceEvents":[]}', 0), ('{"traceEvents":5}', 0), ('[{"ph":"X"}]', 3), ('{"traceEvents":[}', 3),
])
def test_odd_files_do_not_end_badly(text, wanted, tmp_path):
    odd = tmp_path / "odd.json"
    odd.write_text(text)
    done = tool.run("convert", str(odd), "--format", "chrome-json", "-o", str(tmp_path / "out.pb"))
    assert done.code == wanted, done.err


@pytest.mark.parametrize("text, words", [("[]", "has no events"), (" [ ]\n", "has no events"), ('{"traceEvents":[]}', "has no events"),
                                         ('{"traceEvents":[{}]}', "none of the trace's events has a time")])
def test_a_trace_without_events_says_so(text, words, tmp_path):
    path = tmp_path / "empty.json"
    path.write_text(text)
    done = tool.good("summary", path)
    assert words in " ".join(done.text.split())
    assert words in " ".join(tool.good("operators", path).text.split())


def test_no_room_for_what_is_unpacked_is_told(tmp_path):
    big = io.BytesIO()
    with gzip.GzipFile(fileobj=big, mode="wb", compresslevel=1) as file:
        file.write(b"[" + b'{"ph":"X","name":"a","ts":1,"dur":1},' * 500_000 + b"{}]")
    path = tmp_path / "big.json.gz"
    path.write_bytes(big.getvalue())
    done = tool.run("summary", path, variables={"TMPDIR": "/nowhere"})
    assert done.code == 4 and "/nowhere" in done.err and "TMPDIR" in done.err
    tool.good("summary", path, variables={"TMPDIR": str(tmp_path)})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["big.json.gz"]


@pytest.mark.parametrize("name", [{}, {"name": ""}])
def test_what_dominates_may_have_no_name(name, tmp_path):
    path = tmp_path / "nameless.json"
    path.write_text(json.dumps([{"ph": "X", "ts": 1, "dur": 50} | name, {"ph": "X", "name": "a", "ts": 60, "dur": 5}]))
    assert json.loads(tool.good("advise", "--json", path).text)["dominates"]["where"][0]["name"] == "(no name)"
    tool.good("report", path)


def test_a_name_of_megabytes_takes_no_longer_than_its_length(tmp_path):
    """Rules are drawn as wide as it: each piece of one was looked for up to the end of it."""
    path = tmp_path / "long.json"
    path.write_text(json.dumps([{"ph": "X", "name": "x" * 2_000_000, "ts": 1, "dur": 5}]))
    assert tool.run("advise", path, variables={"COLUMNS": ""}).code == 0


def test_operators_and_advice_work_on_any_trace(tmp_path):
    for verb in ("operators", "advise", "latency", "summary"):
        done = tool.run(verb, str(DATA / FILES[3]), "--format", "chrome-json")
        assert done.code == 0 and done.text, (verb, done.err)


def test_losses_of_a_file_without_line_ends_name_its_line_once(good, tmp_path):
    path = tmp_path / "one_line.json"
    path.write_text('[{"ph": "X", "pid": 1, "tid": 1, "ts": 0, "dur": 5, "name": "kept"}' + ', {"ph": "X", "pid": 1, "tid": 1, "dur": 5, "name": "lost"}' * 3 + "]")
    text = good("summary", path).text
    assert "3 x " in text and "(line 1)" in text and "1, 1" not in text


# ---- Runs of what Tacho wrote ----


def runs_of(path):
    """Which runs there are, how long one takes, and the median."""
    summary, latency = (json.loads(tool.good(verb, "-q", "--json", path).text) for verb in ("summary", "latency"))
    return summary["runs"], summary["total_duration"], latency["side"]["launches"], latency["side"]["runs"], latency["side"]["median_ms"]


def check_runs(path, tmp_path):
    """Those of the trace events are those of the .pb; times are ns, where that has ticks."""
    found = []
    for suffix in ("pb", "json"):
        tool.good("convert", "-q", path, "-o", tmp_path / f"again.{suffix}")
        found.append(runs_of(tmp_path / f"again.{suffix}"))
    (runs, length, *counts, median), (runs_again, length_again, *counts_again, median_again) = found
    assert (runs_again, counts_again) == (runs, counts)
    assert abs(length_again - length) <= 1 and median_again == pytest.approx(median, abs=2e-6)
    return runs["total"]


@pytest.mark.parametrize("name, total", [("gpu/kineto_rich_train.json.gz", 5), ("gpu/onnxruntime_mobilenet_v2_cpu.json.gz", 10),
                                         ("xla/jax_transformer_cpu.trace.json.gz", 10), ("et-timeline/broken_graph_all_runs_timeline.csv", 30)])
def test_runs_that_are_told_are_told_again(name, total, tmp_path):
    assert check_runs(DATA / name, tmp_path) == total
    once = (tmp_path / "again.json").rename(tmp_path / "once.json")
    assert check_runs(once, tmp_path) == total


def test_runs_by_what_repeats_are_found_again(tmp_path):
    """From steps: more of them than one event holds."""
    rows, time = ["dispatch_name,invocation_id,action_id,timestamp_us,event"], 0
    for run in range(1500):
        for name, us in (("first", 40), ("second", 25), ("first", 31), ("last", 12)):
            rows += [f"{name},{len(rows)},-1,{time},DISPATCH_BEGIN", f"{name},{len(rows)},-1,{time + us},DISPATCH_END"]
            time += us + 7
    path = tmp_path / "runtime.csv"
    path.write_text("\n".join(rows) + "\n")
    assert check_runs(path, tmp_path) == 1500


def test_runs_that_make_no_sense_do_no_harm(tmp_path):
    head = '{"displayTimeUnit":"ns","traceEvents":[\n{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"t","engine":"thread"}},\n'
    slices = ',{"ph":"X","pid":1,"tid":1,"ts":1,"dur":5,"name":"a"}]}'
    for rows in ('[[0,0,5,1]]', '[[0,0,99999999999999999999,1]]', '[[-1,0,0,9]]', '[[0,0,0]]', '[[0,0,0,9,9]]', '[0,1]', '{}', '7', '[[0,0,0,9],', '"x"',
                 '[[99999999999,99999999999,0,9]]', '[[0,0,0,6000],[0,0,6000,9000],[0,0,0,6000]]'):
        for kind in ("tacho_runs", "tacho_steps", "tacho_step_ends", "tacho_step_lost"):
            path = tmp_path / "odd.json"
            path.write_text(head + f'{{"ph":"M","pid":1,"tid":0,"name":"{kind}","args":{{"first":0,"rows":{rows}}}}}' + slices)
            for verb in ("summary", "latency"):
                assert tool.run(verb, "-q", path).code in (0, 3)


@pytest.mark.parametrize("kind, rows", [("tacho_runs", "[0,0,0,{far}],[0,1,{far},{far}]"), ("tacho_steps", "[1,{far},{far}],[1,{far},{far}]"), ("tacho_steps", "[1,0,{far}],[1,5,{far}]")])
def test_runs_are_as_far_away_as_events_can_be(tmp_path, kind, rows):
    """All times are told from the first one, which is negative: no way from there to a run may pass the range."""
    for far in (2**63 - 1, 2**62, 2**62 - 1):
        events = [{"ph": "X", "pid": 1, "tid": 1, "ts": ts, "dur": 10, "name": "a"} for ts in (-1000000, 1)]
        own = {"ph": "M", "pid": 1, "tid": 0, "name": kind, "args": {"first": 0, "rows": json.loads(f"[{rows.format(far=far)}]")}}
        path = tmp_path / "far.json"
        path.write_text(json.dumps({"traceEvents": [*events, own]}))
        for verb in ("summary", "latency"):
            assert tool.run(verb, "-q", path).code in (0, 3), (verb, far)


def test_runs_of_several_inputs_are_not_mixed(tmp_path):
    """Steps of one input are no steps of another, and where runs of both are at the same time, the time that they cover is no sum of theirs."""
    dump = DATA / "rundir" / "broken_graph" / "broken_graph_xnnpack_fp32_mac_sme2_off_t1.etdump"
    log = tool.ROOT / "examples" / "mobilenet" / "runtime.csv"
    for path in (dump, log):
        other = tmp_path / f"other{path.suffix}"
        other.write_bytes(path.read_bytes())
        tool.good("convert", "-q", path, other, "-o", tmp_path / "both.json")
        found = json.loads(tool.good("summary", "-q", "--json", tmp_path / "both.json").text)
        assert found["runs"] == {"total": 1, "counted": 1, "warmup": 0, "partial": 0}
        assert any("runs of several inputs in this file lie over each other" in note for note in found["notes"])


def test_runs_of_several_inputs_one_behind_the_other_are_launches(tmp_path):
    def rows(pid, at):
        return [{"ph": "M", "pid": pid, "tid": 0, "name": "tacho_runs", "args": {"first": 0, "rows": [[0, i, at + i * 2000, at + i * 2000 + 1500] for i in range(5)]}},
                {"ph": "X", "pid": pid, "tid": 1, "ts": at / 1000, "dur": 10, "name": "a"}]

    for at, total in ((20000, 10), (9000, 1)):
        path = tmp_path / f"{at}.json"
        path.write_text(json.dumps({"traceEvents": rows(1, 1000) + rows(2, at)}))
        found = json.loads(tool.good("latency", "-q", "--json", "--warmup", "none", path).text)["side"]
        assert (found["launches"], found["runs"]) == ((2, 10) if total == 10 else (1, 1))
