"""What a viewer shows of a trace: which tracks, in which order, with which words.

tests/perfetto_decode.py refuses a trace whose ranks a viewer would ignore: below a process or a thread, or below a track that does not
order its children explicitly. So every trace that any test decodes is held to that.
"""
import json
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
