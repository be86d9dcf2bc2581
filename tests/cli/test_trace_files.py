"""Trace files as importers take them: limits, ties, names, and what each option leaves out."""
import json
from collections import Counter

import pytest

import perfetto_decode
import tool
from test_tracks import convert, device_log

DATA = tool.DATA


def events(good, tmp_path, *arguments):
    good("convert", *arguments, "-o", tmp_path / "out.json")
    return json.loads((tmp_path / "out.json").read_text())["traceEvents"]


@pytest.mark.parametrize("path", ["etdump/py_full.etdp", "etdump/mobilenet_portable.etdump.gz", "operators/mobilenet_mac_sme2_on_t1.etdump.gz"])
def test_the_operator_is_on_every_slice(good, tmp_path, path):
    """Also where it has no location, and behind the first slice of a name; Chrome's JSON says the same."""
    path = next(iter(DATA.rglob(path.partition("/")[2])))
    trace = convert(good, tmp_path, path, "--no-overview")
    told = Counter((each.start, each.name, each.args["operator"]) for each in trace.slices if "operator" in each.args)
    ns = lambda time: round(time * 1000)
    json_told = Counter((ns(event["ts"]), event["name"], event["args"]["operator"]) for event in events(good, tmp_path, path, "--no-overview")
                        if "operator" in event.get("args", {}))
    assert told == json_told and len({name for _, name, _ in told}) < sum(told.values())


def test_without_arguments_there_are_no_flows(good, tmp_path):
    with_flows = events(good, tmp_path, tool.GOLDEN / "runtime_r4.csv")
    assert any(event["ph"] in "sf" for event in with_flows)
    assert not any(event["ph"] in "stf" or event.get("args") and event["ph"] in "BXi" for event in
                   events(good, tmp_path, tool.GOLDEN / "runtime_r4.csv", "--no-args"))


def test_ends_have_the_names_of_their_begins(good, tmp_path):
    """Some viewers close the slice of that name, and leave it open where the end has none."""
    stacks = {}
    for event in events(good, tmp_path, tool.MOBILENET / "runtime.csv"):
        stack = stacks.setdefault((event["pid"], event.get("tid")), [])
        if event["ph"] == "B":
            stack.append(event["name"])
        elif event["ph"] == "E":
            assert event["name"] == stack.pop()
    assert not any(stacks.values())


# ---- instants ----------------------------------------------------------------------------------------------------------------


def test_many_markers_at_one_cycle(good, tmp_path):
    """An importer nests instants of one time in each other, 512 deep at most; tests/perfetto_decode.py refuses more."""
    log = device_log(tmp_path / "profile_log_device.csv", 1)
    with log.open("a") as file:
        for place in range(2000):
            file.write(f"0,1,1,BRISC,{100 + place},1010,{place},0,0,mark {place},TS_DATA,1,kernel.cpp,x\n")
    trace = convert(good, tmp_path, log)
    marks = [each for each in trace.slices if each.instant]
    assert len(marks) == 2000 and len({each.start for each in marks}) == 1
    assert max(Counter(each.track for each in marks).values()) <= 512
    assert len({trace.path(each.track) for each in marks}) == 1
    threads = Counter(event["tid"] for event in events(good, tmp_path, log) if event["ph"] == "i")
    assert sum(threads.values()) == 2000 and max(threads.values()) <= 512


def test_logged_values_stand_at_their_instruction(good, tmp_path):
    trace = convert(good, tmp_path, DATA / "etdump" / "py_full.etdp")
    executions = {each.start + each.duration for each in trace.slices if each.name == "Method::execute"}
    outputs = [each for each in trace.slices if each.instant and each.name == "output"]
    assert outputs and all(each.start in executions for each in outputs), "outputs are those of the whole"
    values = [each for each in trace.slices if each.instant and "instruction" in each.args and each.name != "output"]
    ends = {}
    for each in trace.slices:
        if each.args.get("instruction") is not None and not each.instant:
            ends.setdefault(each.args["instruction"], set()).add(each.start + each.duration)
    assert values and len({each.start for each in values}) > 4
    known = [each for each in values if each.args["instruction"] in ends]
    assert known and all(each.start in ends[each.args["instruction"]] for each in known)


# ---- speedscope --------------------------------------------------------------------------------------------------------------


def profiles(good, tmp_path, *arguments):
    good("convert", *arguments, "-o", tmp_path / "out.speedscope.json")
    document = json.loads((tmp_path / "out.speedscope.json").read_text())
    return [profile["name"] for profile in document["profiles"]], document["activeProfileIndex"]


def test_speedscope_shows_the_inferences_first(good, tmp_path):
    names, first = profiles(good, tmp_path, DATA / "etdump" / "py_full.etdp")
    assert names[0] == "py_full.etdp / Loading" and names[first] == "py_full.etdp / Inferences"


def test_speedscope_tells_lines_apart(good, tmp_path):
    names, first = profiles(good, tmp_path, tool.ROOT / "examples" / "encoder_wormhole" / "profile_log_device.csv.gz")
    assert len(set(names)) == len(names) > 64 and "profile_log_device.csv.gz / chip 0 / core 1, 1 / NCRISC" in names
    assert 0 <= first < len(names)


def test_speedscope_without_content(good, tmp_path):
    (tmp_path / "empty.csv").write_text("actionIndex, elapsed_time(us), timestamp(us), event, location\n")
    assert profiles(good, tmp_path, tmp_path / "empty.csv") == ([], 0)


# ---- what is drawn -----------------------------------------------------------------------------------------------------------


def values(trace, name):
    return [(time, value) for track, time, value in trace.counters if trace.tracks[track].name == name]


def nested_log(path):
    """Two RISCs at work, each with a zone inside its kernel."""
    rows = []
    for risc, first in (("BRISC", 1000), ("NCRISC", 1020)):
        for marker, name, start, end in ((10, "KERNEL", first, first + 100), (11, "INNER", first + 10, first + 50)):
            rows += [(start, risc, marker, name, "ZONE_START"), (end, risc, marker, name, "ZONE_END")]
    device_log(path, 0)
    with path.open("a") as file:
        for time, risc, marker, name, kind in sorted(rows):
            file.write(f"0,1,1,{risc},{marker},{time},0,0,0,{risc}-{name},{kind},1,kernel.cpp,x\n")
    return path


def test_an_engine_is_busy_once(good, tmp_path):
    """Zones inside each other are one engine at work; without bytes there is no line for them."""
    trace = convert(good, tmp_path, nested_log(tmp_path / "profile_log_device.csv"), "--counters")
    shown = values(trace, "Engines busy")
    assert [value for _, value in shown] == [1, 2, 1, 0]
    assert [time - shown[0][0] for time, _ in shown] == [0, 20, 100, 120]
    assert "Bytes in flight" not in {track.name for track in trace.tracks.values()}


def test_operators_of_one_name_and_total_are_two_lines(good, tmp_path):
    (tmp_path / "ops.csv").write_text("model_id,name,type,delegate_backend,start_us,duration_ms,node_id,run_index\n"
                                      "m,Method::execute,,portable,0,0.004,0,0\n"
                                      "m,aten::add,,portable,0,0.001,1,0\nm,aten::add,,portable,2,0.001,2,0\n")
    trace = convert(good, tmp_path, tmp_path / "ops.csv")
    lines = trace.children("ops.csv/Operators")
    assert len(lines) == 2 and len({name.split(" (")[0] for name in lines}) == 1


def test_tasks_of_no_length_are_not_inside_the_next(good, tmp_path):
    trace = convert(good, tmp_path, tool.GOLDEN / "executable_targets.mlir")
    tasks = [each for each in trace.slices if trace.path(each.track).endswith("/NSS Tasks")]
    assert [each.args["task"] for each in tasks] == list(range(8)) and {each.depth for each in tasks} == {0}
    assert sum(not each.duration for each in tasks) == 2
