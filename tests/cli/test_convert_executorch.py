"""tacho convert and summary of ETDumps, timelines and the other files of ExecuTorch: every event once, with its times, in every format,
gaps that add up to the inference, and sums that agree with an independent reading."""
import csv
import gzip
import io
import json
import shutil
from collections import Counter, defaultdict

import pytest

import etdump_reference
import perfetto_decode
import test_convert as forms
import tool

DATA = tool.DATA
DUMPS = sorted((DATA / "etdump").glob("*.etdp"))
PACKED = [DATA / "operators" / "broken_graph_mac_sme2_on_t1.etdump", DATA / "operators" / "mobilenet_mac_sme2_on_t1.etdump.gz",
          DATA / "etrecord" / "mobilenet_portable.etdump.gz",
          DATA / "timeline" / "dumps" / "synth_encoder_xnnpack_fp32_mac_sme2_off_t1.etdump.gz"]
TIMELINES = [DATA / "et-timeline" / "broken_graph_all_runs_timeline.csv", DATA / "et-timeline" / "mobilenet_run0_timeline.csv",
             DATA / "operators" / "synth_mac_sme2_on_t1_exec_all_runs_timeline.csv.gz"]
TRACKS = {"execute": "Inferences", "load": "Loading", "call": "Calls", "control": "Calls", "portable": "Portable kernels"}
GAPS = {"runtime", "in the call, in no operator"}
OVERHEAD = {"Method::execute": "execute", "Method::init": "load", "Program::load_method": "load", "DELEGATE_CALL": "call",
            "OPERATOR_CALL": "call", "JF_CALL": "control", "MOVE_CALL": "control", "FREE_CALL": "control"}


def plain(path):
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix == ".gz" else data


class Event:
    def __init__(self, name, kind, start, duration, run):
        self.name, self.kind, self.start, self.duration, self.run = name, kind, start, duration, run


def events_of(path):
    """By a reading of their own: flatbuffers in Python, or the decimals of the CSV."""
    if path.suffix == ".csv" or ".csv" in path.suffixes:
        found = []
        for row in csv.DictReader(io.StringIO(plain(path).decode(), newline="")):
            delegated = row["delegate_backend"] not in ("portable", "")
            kind = "delegated" if delegated else OVERHEAD.get(row["name"], "portable")
            found.append(Event(row["name"], kind, round(float(row["start_us"]) * 1000), round(float(row["duration_ms"]) * 1e6),
                               (row["block"], row["run_index"])))
        return found
    return [Event(event.name.decode(), event.kind, event.start, event.duration, event.run)
            for event in etdump_reference.read(plain(path))[1]]


def slices(good, path, *options):
    text = good("convert", path, "--to", "slices", "-o", "-", *options).text
    return list(csv.DictReader(io.StringIO(text)))


def drawn(rows):
    return Counter((row["name"], int(row["start_ns"]), int(row["duration_ns"])) for row in rows if row["track"] != "Gaps")


def counted(events):
    return Counter((event.name, event.start, event.duration) for event in events)


def total(events, *kinds):
    return sum(event.duration for event in events if event.kind in kinds)


@pytest.fixture(scope="module", params=DUMPS + PACKED + TIMELINES, ids=lambda path: path.name.split(".")[0])
def path(request):
    return request.param


# ---- every event, once ------------------------------------------------------------------------------------------------------


def test_every_event_is_there_once(good, path):
    rows, events = slices(good, path), events_of(path)
    assert drawn(rows) == counted(events)
    for row in rows:
        assert (row["track"] == "Gaps") == (row["name"] in GAPS)
    tracks = Counter((TRACKS.get(event.kind, "delegated"), event.name) for event in events)
    engines = {"delegate": "delegated"}
    assert Counter((engines.get(row["engine"], row["track"]), row["name"]) for row in rows if row["track"] != "Gaps") == tracks


def test_every_format_holds_the_same(good, tmp_path, path):
    for suffix in ("pb", "json", "speedscope.json", "csv"):
        good("convert", path, "--no-overview", "-o", tmp_path / f"out.{suffix}")
    trace = perfetto_decode.decode_file(tmp_path / "out.pb")
    # What a dump logged of its tensors are instants, and no slices.
    rows = Counter((process, track.split("/")[0], start, duration, name)
                   for process, track, start, duration, name, _ in forms.rows_of(trace) if track != "Logged values")
    listed = list(csv.DictReader(io.StringIO((tmp_path / "out.csv").read_text())))
    assert rows == Counter((row["process"], row["track"], int(row["start_ns"]), int(row["duration_ns"]), row["name"]) for row in listed)
    without_track = lambda counts: Counter((process, start, duration, name) for process, _, start, duration, name in counts.elements())
    for reader, name in ((forms.chrome_rows, "out.json"), (forms.speedscope_rows, "out.speedscope.json")):
        assert without_track(reader(json.loads((tmp_path / name).read_text()))) == without_track(rows), name


@pytest.mark.parametrize("name", ["py_full", "py_debug_noalloc"])
def test_logged_values_are_instants(good, tmp_path, name):
    good("convert", DATA / "etdump" / f"{name}.etdp", "-o", tmp_path / "out.pb")
    trace = perfetto_decode.decode_file(tmp_path / "out.pb")
    found = [found for found in trace.slices if trace.path(found.track).endswith("/Logged values")]
    assert all(one.instant for one in found)
    values = etdump_reference.read((DATA / "etdump" / f"{name}.etdp").read_bytes())[3]
    assert sorted(one.args["note"] for one in found) == sorted(text for *_, text in values) and values


def test_runs_keep_their_number(good, path):
    rows = slices(good, path)
    inferences = [row for row in rows if row["name"] == "Method::execute"]
    assert [int(row["run"]) for row in inferences] == list(range(len(inferences)))
    assert len(inferences) == sum(event.kind == "execute" for event in events_of(path))
    starts = [int(row["start_ns"]) for row in inferences]
    assert starts == sorted(starts)


# ---- gaps ---------------------------------------------------------------------------------------------------------------------


def test_gaps_and_operators_add_up_to_the_inference(good, path):
    """In ns, exactly, for each inference: what is in an operator, in a call but in no operator, and in no call."""
    rows = slices(good, path)
    spans = [(int(row["start_ns"]), int(row["start_ns"]) + int(row["duration_ns"])) for row in rows if row["name"] == "Method::execute"]
    for start, end in spans:
        inside = [row for row in rows if start <= int(row["start_ns"]) and int(row["start_ns"]) + int(row["duration_ns"]) <= end
                  and row["name"] != "Method::execute" and row["engine"] != "load"]
        sums = defaultdict(int)
        for row in inside:
            sums[row["name"] if row["name"] in GAPS else row["engine"]] += int(row["duration_ns"])
        assert sums["runtime"] + sums["call"] == end - start
        control = sum(int(row["duration_ns"]) for row in inside if OVERHEAD.get(row["name"]) == "control")
        assert sums["in the call, in no operator"] + sums["delegate"] + sums["portable"] + control == sums["call"]


def test_gaps_overlap_nothing_that_works(good, path):
    rows = slices(good, path)
    work = sorted((int(row["start_ns"]), int(row["start_ns"]) + int(row["duration_ns"])) for row in rows
                  if row["engine"] in ("delegate", "portable") and int(row["duration_ns"]))
    gaps = sorted((int(row["start_ns"]), int(row["start_ns"]) + int(row["duration_ns"])) for row in rows if row["track"] == "Gaps")
    everything = sorted(work + gaps)
    assert all(one[1] <= other[0] for one, other in zip(everything, everything[1:]))
    assert all(start < end for start, end in gaps)


# ---- sums ----------------------------------------------------------------------------------------------------------------------


def test_summary_is_the_sum_of_the_events(good, path):
    ours, events = json.loads(good("summary", path, "--runs", "whole", "--json").text), events_of(path)
    if not events:
        assert ours["total_duration"] == ours["idle_time"] == 0
        return
    assert ours["total_duration"] == max(event.start + event.duration for event in events) - min(event.start for event in events)
    assert ours["inference_time"] == total(events, "execute")
    assert ours.get("delegated_time", 0) == total(events, "delegated")
    assert ours.get("portable_time", 0) == total(events, "portable")
    assert ours["framework_time"] == total(events, "execute") - total(events, "delegated", "portable")
    assert ours["load_time"] == sum(event.duration for event in events if event.name == "Program::load_method")
    assert ours["total_duration"] == ours["inference_time"] + ours["load_time"] + ours["idle_time"]
    for key, value in ours.items():
        if key.endswith("_percent"):
            assert value == pytest.approx(100 * ours[key[:-8] + "_time"] / ours["total_duration"], rel=1e-12)
    assert ours["rows"]["read"] == ours["rows"]["used"] + ours["rows"]["lost"] and not ours["rows"]["lost"]


def test_time_by_operator(good, path):
    """Each name of each instruction once; times as an independent sum has them."""
    document = json.loads(good("summary", path, "--runs", "whole", "--by", "type", "--json").text)
    expected = Counter()
    for event in events_of(path):
        if event.kind in ("delegated", "portable"):
            expected[event.kind] += event.duration
    assert sum(row["total_time"] for row in document["rows"] if row["slices"]) == sum(expected.values())
    by_operator = json.loads(good("summary", path, "--runs", "whole", "--by", "operator", "--json").text)
    operators = [row for row in by_operator["rows"] if row["slices"]]
    assert {row["operator"] for row in by_operator["rows"] if row not in operators} <= {"(idle)", "(in no operator)"}
    assert sum(row["total_time"] for row in operators) == sum(expected.values())
    assert sum(row["slices"] for row in operators) == sum(event.kind in ("delegated", "portable") for event in events_of(path))
    times = [row["total_time"] for row in operators]
    assert times == sorted(times, reverse=True)


def test_overview_of_the_trace_is_the_summary(good, tmp_path, path):
    good("convert", path, "-o", tmp_path / "out.pb")
    trace = perfetto_decode.decode_file(tmp_path / "out.pb")
    lines = {trace.path(found.track).rsplit("/", 1)[1]: found.duration for found in trace.slices
             if "Overview/" in trace.path(found.track)}
    ours = json.loads(good("summary", path, "--runs", "whole", "--json").text)
    wanted = {label: ours.get(key, 0) for label, key in (
        ("OVERALL", "total_duration"), ("Inference", "inference_time"), ("Delegated", "delegated_time"), ("Portable", "portable_time"),
        ("Framework", "framework_time"), ("Loading", "load_time"), ("Idle", "idle_time"))}
    assert lines == {label: time for label, time in wanted.items() if time}


# ---- the record ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dump, record", [("operators/broken_graph_mac_sme2_on_t1.etdump", "operators/broken_graph.etrecord"),
                                          ("operators/mobilenet_mac_sme2_on_t1.etdump.gz", "operators/mobilenet.etrecord"),
                                          ("etrecord/mobilenet_portable.etdump.gz", "etrecord/mobilenet_portable.etrecord")])
def test_arguments_from_the_record(good, tmp_path, dump, record):
    path = tmp_path / f"elsewhere.etdump{'.gz' if dump.endswith('.gz') else ''}"
    shutil.copy(DATA / dump, path)
    bare = [row for row in slices(good, path) if row["engine"] in ("delegate", "portable")]
    assert not any(row["module"] or row["op"] or row["macs"] or row["location"] for row in bare)
    assert {row["track"] for row in bare if row["engine"] == "delegate"} <= {"delegated"}
    rows = [row for row in slices(good, path, "--etrecord", DATA / record) if row["engine"] in ("delegate", "portable")]
    assert {row["track"] for row in rows if row["engine"] == "delegate"} <= {"XnnpackBackend"}
    analysis = json.loads(good("operators", path, "--etrecord", DATA / record, "--warmup", "none", "--json").text)
    known = Counter()
    for operator in analysis["operators"]:
        known[operator["name"], operator["module"] or "", operator["op"] or "", str(operator["macs"] or ""),
              operator["source"] or ""] += operator["events"]
    assert Counter((row["name"], row["module"], row["op"], row["macs"], row["location"]) for row in rows) == known
    good("convert", path, "--etrecord", DATA / record, "-o", tmp_path / "out.pb")
    trace = perfetto_decode.decode_file(tmp_path / "out.pb")
    modules = Counter(found.args["module"] for found in trace.slices if "module" in found.args)
    assert modules == Counter(row["module"] for row in rows if row["module"])


def test_a_record_beside_the_dump_is_found(good, tmp_path):
    shutil.copy(DATA / "operators" / "broken_graph_mac_sme2_on_t1.etdump", tmp_path / "net_mac_sme2_on_t1.etdump")
    shutil.copy(DATA / "operators" / "broken_graph.etrecord", tmp_path / "net.etrecord")
    command = ["summary", tmp_path / "net_mac_sme2_on_t1.etdump", "--by", "operator", "--json"]
    text = good(*command).text
    assert "a: Fully Connected (NC, F32) GEMM #1" in text and "models.py:56" in text
    (tmp_path / "net.etrecord").write_bytes((DATA / "operators" / "broken_graph.etrecord").read_bytes()[:5000])
    result = good(*command)
    assert "models.py" not in result.text and "the ETRecord beside the file cannot be read" in result.text + result.err


# ---- loops, branches, clocks -------------------------------------------------------------------------------------------------------


def test_loops_and_branches(good):
    loop = slices(good, DATA / "etdump" / "py_loop.etdp")
    times = Counter((row["name"], row["run"]) for row in loop if row["engine"] == "portable")
    assert max(times.values()) > 1 and sum(row["track"] != "Gaps" for row in loop) == 95
    branches = slices(good, DATA / "etdump" / "py_branches.etdp")
    starts = [int(row["start_ns"]) for row in branches if row["name"] == "Method::execute"]
    inside = []
    for start, row in zip(starts, [row for row in branches if row["name"] == "Method::execute"]):
        end = start + int(row["duration_ns"])
        inside.append(frozenset(other["name"] for other in branches if other["engine"] in ("delegate", "portable")
                                and start <= int(other["start_ns"]) < end))
    assert len(inside) == 6 and len(set(inside)) == 2


@pytest.mark.parametrize("ticks, numerator, denominator", [("ns", 1, 1), ("us", 1000, 1), ("cycles:800", 5, 4), ("cycles:3", 1000, 3)])
def test_ticks(good, ticks, numerator, denominator):
    path = DATA / "etdump" / "etgen_small.etdp"
    rows = slices(good, path, "--ticks", ticks)
    floor = lambda value: value * numerator // denominator
    assert drawn(rows) == Counter((event.name, floor(event.start), floor(event.start + event.duration) - floor(event.start))
                                  for event in events_of(path))
    ours = json.loads(good("summary", path, "--runs", "whole", "--ticks", ticks, "--json").text)
    assert ours["inference_time"] == floor(total(events_of(path), "execute"))


# ---- packed files, pipes, several inputs -----------------------------------------------------------------------------------------------


INPUTS = [DATA / "etdump" / "py_full.etdp", DATA / "operators" / "broken_graph_mac_sme2_on_t1.etdump",
          DATA / "et-timeline" / "broken_graph_run0_timeline.csv", DATA / "et-ops" / "broken_graph_ops_stats.csv",
          DATA / "et-runner-log" / "broken_graph_latency.log", DATA / "xnntrace" / "broken_graph_on.log"]


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: path.name)
def test_packed_and_piped(good, tmp_path, path):
    wanted = good("summary", path, "--json", "--model", "m").out
    if path.parent.name == "operators":  # its record is not beside the others
        shutil.copy(path, tmp_path / "plain.etdump")
        wanted = good("summary", tmp_path / "plain.etdump", "--json", "--model", "m").out
    (tmp_path / "packed.gz").write_bytes(gzip.compress(path.read_bytes()))
    assert good("summary", tmp_path / "packed.gz", "--json", "--model", "m").out == wanted
    assert good("summary", "-", "--json", "--model", "m", stdin=path.read_bytes()).out == wanted
    assert good("summary", "-", "--json", "--model", "m", stdin=gzip.compress(path.read_bytes())).out == wanted
    good("convert", "-", "-o", tmp_path / "out.pb", stdin=path.read_bytes())
    good("convert", tmp_path / "packed.gz", "-o", tmp_path / "packed.pb")
    first, second = (forms.rows_of(perfetto_decode.decode_file(tmp_path / name)) for name in ("out.pb", "packed.pb"))
    assert [row[1:] for row in first] == [row[1:] for row in second] and first


def test_several_inputs_stay_apart(good, tmp_path):
    paths = [DATA / "operators" / f"broken_graph_mac_sme2_{state}_t1.etdump" for state in ("on", "off")]
    good("convert", *paths, "-o", tmp_path / "out.pb", "--keep-clocks")
    trace = perfetto_decode.decode_file(tmp_path / "out.pb")
    for number, path in enumerate(paths, 1):
        own = forms.rows_of(trace, f"{number:02} {path.name}")
        assert Counter((name, start, duration) for _, track, start, duration, name, _ in own if track != "Gaps") == counted(events_of(path))
    together = json.loads(good("summary", *paths, "--runs", "whole", "--json").text)
    assert together == [json.loads(good("summary", path, "--runs", "whole", "--json").text) for path in paths]


# ---- what has no events of its own -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["broken_graph", "mobilenet"])
def test_operator_statistics(good, name):
    """Sums by type, laid end to end: the file's own totals come back."""
    path = DATA / "et-ops" / f"{name}_ops_stats.csv"
    with path.open(newline="") as file:
        table = list(csv.DictReader(file))
    total_ns = lambda keep: sum(round(float(row["total_ms"]) * 1e6) for row in table if keep(row))
    result = good("summary", path, "--runs", "whole", "--json")
    ours = json.loads(result.text)
    assert ours["inference_time"] == total_ns(lambda row: row["name"] == "Method::execute")
    assert ours["delegated_time"] == pytest.approx(total_ns(lambda row: row["delegate_backend"] != "portable"), abs=len(table))
    assert any("laid end to end" in note for note in ours["notes"])
    assert ours["rows"]["read"] == len(table) == ours["rows"]["used"]


def test_runner_log(good):
    """Inferences and loading alone: what was in an operator is not known, and not said."""
    path = DATA / "et-runner-log" / "broken_graph_latency.log"
    ours = json.loads(good("summary", path, "--runs", "whole", "--json").text)
    assert "framework_time" not in ours and "portable_time" not in ours
    assert ours["total_duration"] == ours["inference_time"] + ours["load_time"] + ours["idle_time"] and ours["idle_time"] == 0
    rows = slices(good, path)
    assert [row["name"] for row in rows].count("Method::execute") == 30
    assert sum(int(row["duration_ns"]) for row in rows if row["name"] == "Method::execute") == ours["inference_time"]


@pytest.mark.parametrize("path, says", [
    (DATA / "xnn-kernels" / "mobilenet_kernels.csv", "a table of XNNPACK kernels has no times; tacho kernels shows it"),
    (DATA / "etrecord" / "broken_graph.etrecord", "holds the graph of a model and no times")])
def test_files_without_times(tacho, tmp_path, path, says):
    for command in (["summary", path], ["convert", path, "-o", tmp_path / "out.pb"]):
        result = tacho(*command)
        assert result.code == 3 and f"{path}: " in result.err and says in result.err, result.err
    assert list(tmp_path.iterdir()) == []


def test_a_log_of_kernels_alone(tacho, tmp_path):
    lines = [line for line in (DATA / "xnntrace" / "registered.log").read_text().splitlines(True) if "microkernel" in line]
    (tmp_path / "net_xnntrace.log").write_text("".join(lines))
    for command in (["summary", tmp_path / "net_xnntrace.log"], ["convert", tmp_path / "net_xnntrace.log", "-o", tmp_path / "out.pb"]):
        result = tacho(*command)
        assert result.code == 3 and "has no times of inferences; tacho kernels shows what it has" in result.err
    assert [path.name for path in tmp_path.iterdir()] == ["net_xnntrace.log"]
