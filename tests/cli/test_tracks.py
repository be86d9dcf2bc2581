"""What a viewer shows of a trace: which tracks, in which order, with which words.

tests/perfetto_decode.py refuses a trace whose ranks a viewer would ignore: below a process or a thread, or below a track that does not
order its children explicitly. So every trace that any test decodes is held to that.
"""
import json
import re
import shutil
from collections import Counter

import perfetto_decode
import tool

DUMP = tool.MOBILENET / "mobilenet.executable-targets.mlir"


def convert(good, tmp_path, *arguments):
    good("convert", *arguments, "-o", tmp_path / "out.pb")
    return perfetto_decode.decode_file(tmp_path / "out.pb")


def test_causes_stand_above_effects(good, tmp_path):
    """The runtime, the host, the programs, the engines that they use; below a process a viewer would show them by name."""
    trace = convert(good, tmp_path, tool.MOBILENET / "runtime.csv", "--mlir", DUMP)
    assert trace.inputs()[0] == "runtime.csv"
    lines = [name for name in trace.children("runtime.csv") if "(estimate)" not in name]
    assert lines == ["Runtime", "HAL", "Host", "Host Copy", "NSS Programs", "DMA In", "DMA Out", "CDMA", "Slice 0", "Slice 1", "CSS", "Operators"]


def device_log(path, chips):
    """A device log with one kernel on each of so many chips."""
    rows = [f"{chip},1,1,BRISC,{marker},{1000 + 100 * chip + 50 * place},0,0,0,BRISC-KERNEL,{kind},1,kernel.cpp,x\n"
            for chip in range(chips) for place, (marker, kind) in enumerate([(10, "ZONE_START"), (10, "ZONE_END")])]
    path.write_text("ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000, Max Compute Cores: 64\n"
                    "PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset], data, run host ID, trace id, zone name, type, "
                    "source line, source file, meta data\n" + "".join(rows))
    return path


def test_chips_are_counted(good, tmp_path):
    trace = convert(good, tmp_path, device_log(tmp_path / "profile_log_device.csv", 12))
    name = trace.inputs()[0]
    assert [child for child in trace.children(name) if child.startswith("chip")] == [f"chip {chip}" for chip in range(12)]


def test_many_inputs_are_shown_in_their_order(good, tmp_path):
    """Top-level tracks are shown by name: numbers have as many digits each."""
    inputs = [tool.GOLDEN / "c1.csv"] * 101
    trace = convert(good, tmp_path, *inputs, "--no-overview")
    assert trace.inputs() == [f"{number:03d} c1.csv" for number in range(1, 102)]


def test_operators_nest_in_their_calls(good, tmp_path):
    """One line for inferences: executions, on these calls, on these operators; what is on it by the categories; nothing beside it."""
    dump = tool.ROOT / "examples" / "mobilenet_xnnpack" / "mobilenet_like_xnnpack_fp32_mac_sme2_on_t1.etdump"
    trace = convert(good, tmp_path, dump)
    assert trace.children(dump.name) == ["Loading", "Inferences", "Operators"]
    line = [found for found in trace.slices if trace.path(found.track) == f"{dump.name}/Inferences"]
    depths = {}
    for found in line:
        depths.setdefault(found.category, set()).add(found.depth)
    assert depths == {"": {0}, "call": {1}, "gap": {1, 2}, "delegate,XnnpackBackend": {2}}
    assert {found.name for found in line if not found.category} == {"Method::execute"}
    good("convert", dump, "-o", tmp_path / "out.json")
    events = json.loads((tmp_path / "out.json").read_text())["traceEvents"]
    cats = Counter(event.get("cat", "") for event in events if event["ph"] in "BX")
    assert all(cats[category] == sum(found.category == category for found in trace.slices) for category in depths)


# ---- a common origin -------------------------------------------------------------------------------------------------------


def span(trace, name):
    """When an input begins and ends, by the slices that came from it."""
    found = [each for each in trace.slices if trace.path(each.track).startswith(name + "/") and "/Operators/" not in trace.path(each.track)]
    return min(each.start for each in found), max(each.start + each.duration for each in found)


RECIPE = [tool.MOBILENET / "timeline.csv", tool.MOBILENET / "runtime.csv", "--mlir", DUMP]


def test_inputs_begin_together(good, tmp_path):
    """The recipe of the README: the log counts from the start of its machine, the timeline from the start of the program."""
    result = good("convert", *RECIPE, "-o", tmp_path / "out.pb")
    trace = perfetto_decode.decode_file(tmp_path / "out.pb")
    apart = convert(good, tmp_path, *RECIPE, "--keep-clocks")
    assert span(trace, "01 timeline.csv") == span(apart, "01 timeline.csv") == (0, 4118107)
    first, last = span(apart, "02 runtime.csv")
    assert first > 80 * 10**9 and span(trace, "02 runtime.csv") == (0, last - first)
    assert "runtime.csv: note: begins with the other inputs, 81.235s earlier than its own clock says" in result.err
    assert "timeline.csv: note: begins" not in result.err
    # Everything of an input moves by the same: slices, what is drawn from them, and the estimate beside the jobs.
    def rows(one, moved):
        return Counter((one.path(each.track), each.start - (moved if one.path(each.track).startswith("02") else 0), each.duration, each.name)
                       for each in one.slices)
    assert rows(trace, 0) == rows(apart, first)


def test_one_input_keeps_its_clock(good, tmp_path):
    assert span(convert(good, tmp_path, tool.MOBILENET / "runtime.csv"), "runtime.csv")[0] > 80 * 10**9


def test_counters_and_instants_move_too(good, tmp_path):
    dump = tool.DATA / "etdump" / "py_full.etdp"
    both = [dump, tool.GOLDEN / "c1.csv"]
    trace, apart = convert(good, tmp_path, *both), convert(good, tmp_path, *both, "--keep-clocks")
    assert span(apart, "01 py_full.etdp")[0] > 0 == span(trace, "01 py_full.etdp")[0]
    moved = span(apart, "01 py_full.etdp")[0]
    assert trace.counters and [(track, time + moved, value) for track, time, value in trace.counters] == apart.counters
    instants = lambda one, by: sorted((each.start - by, each.name) for each in one.slices if each.instant)
    assert instants(trace, 0) == instants(apart, moved) != []


def test_a_pipe_keeps_its_times(good, tmp_path):
    log = (tool.MOBILENET / "runtime.csv").read_bytes()
    result = good("convert", "-", tool.GOLDEN / "c1.csv", "-o", tmp_path / "out.pb", stdin=log)
    assert "keeps its times" in result.err
    assert span(perfetto_decode.decode_file(tmp_path / "out.pb"), "01 stdin")[0] > 80 * 10**9


# ---- words -----------------------------------------------------------------------------------------------------------------


def overview(trace, name):
    return [trace.tracks[each.track].name for each in trace.slices if trace.path(each.track).startswith(f"{name} Overview/")]


def test_the_overview_has_the_words_of_the_summary(good, tmp_path):
    trace = convert(good, tmp_path, tool.MOBILENET / "timeline.csv")
    told = good("summary", tool.MOBILENET / "timeline.csv").text.splitlines()
    rows = [re.match(r"  (\S.*?\S)  +(\d.*)", line).groups() for line in told if re.match(r"  \S.*?  +\d", line)]
    shown = [(label, value.split()) for label, value in rows if value.split()[0] != "0ns"]
    assert len(rows) > len(shown) and overview(trace, "timeline.csv") == [label for label, _ in shown]
    for each in trace.slices:
        for label, value in shown:
            if trace.path(each.track) == f"timeline.csv Overview/{label}":
                assert each.name == f"{label}: {' '.join(value)}"


def test_nothing_has_no_overview(good, tmp_path):
    """A dump without estimates has nothing to add up."""
    (tmp_path / "empty.csv").write_text("actionIndex, elapsed_time(us), timestamp(us), event, location\n")
    trace = convert(good, tmp_path, tmp_path / "empty.csv")
    assert trace.inputs() == ["empty.csv"] and not trace.slices


def test_tracks_say_what_they_show(good, tmp_path):
    trace = convert(good, tmp_path, *RECIPE)
    said = {trace.path(track.uuid): track.description for track in trace.tracks.values() if track.description}
    for path in ("02 runtime.csv/Runtime", "02 runtime.csv/HAL", "02 runtime.csv/NSS Programs", "02 runtime.csv/NSS Programs (estimate)",
                 "02 runtime.csv/DMA In (estimate)", "02 runtime.csv/Operators", "02 runtime.csv Overview", "01 timeline.csv Overview/Dma Only"):
        assert len(said[path]) > 20, path
    assert said["01 timeline.csv Overview/Dma Only"] == "DMA or CDMA moving data while nothing computes"
    assert not any(path.startswith("02 runtime.csv/Operators/") for path in said)


# ---- names of jobs ---------------------------------------------------------------------------------------------------------


def jobs(trace, name):
    return [each for each in trace.slices if trace.path(each.track) == f"{name}/NSS Programs"]


def test_jobs_are_called_after_their_operators(good, tmp_path):
    """20 programs had 4 names: a program's name counts from 0 in each dispatch. So one operator has one name, and one colour."""
    found = jobs(convert(good, tmp_path, tool.MOBILENET / "runtime.csv", "--mlir", DUMP, "--source-dir", tool.MOBILENET), "runtime.csv")
    names = {(each.args["dispatch"], each.args["job"]): each.name for each in found}
    assert len(names) == 20 == len(set(names.values())) and all(name.startswith("tosa.") for name in names.values())
    assert {each.args["nss_program"] for each in found} == {f"nss_program_{number}" for number in range(4)}
    assert all("operator" not in each.args for each in found), "the name says it"


def test_jobs_without_a_dump(good, tmp_path):
    """R1 has the location in its row; R3 has the dispatch; the oldest R1 has nothing but a number."""
    r1 = jobs(convert(good, tmp_path, tool.GOLDEN / "runtime_r1.csv"), "runtime_r1.csv")
    assert [(each.name, each.args["job"]) for each in r1] == [("net.mlir:4:10", 0), ("net.mlir:6:10", 1)]
    r3 = jobs(convert(good, tmp_path, tool.MOBILENET / "runtime.csv"), "runtime.csv")
    assert {each.name for each in r3} == {each.args["dispatch"] for each in r3} and len({each.name for each in r3}) == 6


# ---- devices and folders ---------------------------------------------------------------------------------------------------


def test_counters_of_a_device_are_below_it(good, tmp_path):
    trace = convert(good, tmp_path, tool.ROOT / "examples" / "encoder_wormhole" / "ops_perf_results.csv")
    counters = {trace.path(track) for track, _, _ in trace.counters}
    assert counters == {"ops_perf_results.csv/Device 0/Active cores"}
    above = {trace.tracks[trace.tracks[track].parent].uuid for track, _, _ in trace.counters}
    assert above <= {each.track for each in trace.slices}, "the line that has the operations"
    good("convert", tool.ROOT / "examples" / "encoder_wormhole" / "ops_perf_results.csv", "-o", tmp_path / "out.json")
    assert {event["name"] for event in json.loads((tmp_path / "out.json").read_text())["traceEvents"] if event["ph"] == "C"} == {"Device 0 / Active cores"}


def test_a_folder_has_the_name_of_the_one_around_it(good, tmp_path):
    log = tmp_path / "my_model" / ".logs"
    shutil.copytree(tool.DATA / "tt-ops-folder", log)
    for path in (log, f"{log}/", log / ".." / ".logs"):
        assert convert(good, tmp_path, path).inputs()[0] == "my_model: .logs"
