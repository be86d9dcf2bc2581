"""What Torq's own tools gave: annotated tables byte for byte, traces by meaning (engines, starts and durations).

Each check returns the differences that are documented; tests/goldens.py runs them all.
"""
import json
import re
import tempfile
from collections import Counter
from pathlib import Path

import perfetto_decode
import tool
from goldens_shared import Golden, same

GOLDEN = tool.GOLDEN / "golden"
INPUT = tool.GOLDEN
DUMP = INPUT / "executable_targets.mlir"


# ---- reading traces ------------------------------------------------------------------------------------------------------


def read_original(path):
    """The slices of an original's trace: (process, track, start, end, label), in the order of the file.

    The originals write no interned data and no sequence state, name tracks in thread descriptors up to P7, and close every
    slice before they open the next on its track.
    """
    names, parents, opened, slices = {}, {}, {}, []
    for _, packet in perfetto_decode.fields(path.read_bytes()):
        message = perfetto_decode.last_fields(packet)
        if 60 in message:
            descriptor = perfetto_decode.last_fields(message[60])
            uuid = descriptor[1]
            names[uuid] = perfetto_decode.text(descriptor.get(2, b""))
            if 3 in descriptor:
                names[uuid] = perfetto_decode.text(perfetto_decode.last_fields(descriptor[3])[6])
            if 4 in descriptor:
                thread = perfetto_decode.last_fields(descriptor[4])
                names[uuid], parents[uuid] = perfetto_decode.text(thread[5]), thread[1]
            if 5 in descriptor:
                parents[uuid] = descriptor[5]
        elif 11 in message:
            event = perfetto_decode.last_fields(message[11])
            if event[9] == perfetto_decode.BEGIN:
                opened.setdefault(event[11], []).append((message[8], perfetto_decode.text(event[23])))
            else:
                start, label = opened[event[11]].pop()
                slices.append((names[parents[event[11]]], names[event[11]], start, message[8], label))
    assert not any(opened.values())
    return slices


def read_ours(path):
    """The slices of our own trace: (process, track, start, end, name, args); lanes of a track have its name."""
    trace = perfetto_decode.decode_file(path)
    slices = []
    for found in trace.slices:
        process, _, track = trace.path(found.track).partition("/")
        slices.append((process, track, found.start, found.start + found.duration, found.name, found.args))
    return slices


def convert(*arguments):
    """Labels and clocks are those of the originals, so that both can be held side by side."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "ours.pb"
        tool.good(*[output if argument == "OUT" else argument for argument in arguments], "--as-original")
        return read_ours(output)


def times(slices, process, tracks):
    """How often each (engine, start, end) occurs. `tracks` maps names of tracks to engines."""
    return Counter((tracks[row[1]], row[2], row[3]) for row in slices if row[0] == process and row[1] in tracks)


def overview(slices, process):
    """Length of each overview line by its name without the number."""
    return {re.sub(r"^\d\d (OVERVIEW )?", "", row[1]): row[3] - row[2] for row in slices if row[0] == process + " Overview"}


OUR_ENGINES = {name: name for name in ("DMA In", "DMA Out", "CDMA", "Slice 0", "Slice 1", "CSS")}


def cycles(ticks):
    """Nanoseconds at 800 MHz."""
    return ticks * 5 // 4


# ---- annotated tables ----------------------------------------------------------------------------------------------------


def annotated(log, *options, dump=DUMP):
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "ours.csv"
        tool.good("annotate", dump, INPUT / log, output, *options)
        return output.read_text()


def check_annotated_a1():
    """annotated_A1.csv"""
    ours = annotated("runtime_r1.csv", "--columns", "a1", dump=INPUT / "executable_targets_a1.mlir")
    same("table", ours, (GOLDEN / "annotated_A1.csv").read_text())


def check_annotated_a2():
    """annotated_A2.csv"""
    ours = annotated("runtime_r2.csv", "--columns", "a2", "--original-mlir", INPUT / "net.mlir")
    same("table", ours, (GOLDEN / "annotated_A2.csv").read_text())


def check_annotated_a4():
    """annotated_A4.csv"""
    ours = annotated("runtime_r4.csv", "--columns", "a3", "--source-dir", INPUT).splitlines()
    theirs = (GOLDEN / "annotated_A4.csv").read_text().splitlines()
    same("number of rows", len(ours), len(theirs))
    differing = [number for number, pair in enumerate(zip(ours, theirs)) if pair[0] != pair[1]]
    for number in differing:
        left, right = ours[number].split(";"), theirs[number].split(";")
        same(f"kernels of row {number}", left[3], "conv2d_0,add_1")
        same(f"kernels of row {number} as a set", sorted(left[3].split(",")), sorted(right[3].split(",")))
        same(f"row {number} but for its kernels", left[:3] + left[4:], right[:3] + right[4:])
    same("rows with kernels in another order", differing, [10, 11])
    return ["the original lists kernels from a Python set, in an order that changes; ours is the order of first start"]


# ---- traces of compile timelines and R1 logs --------------------------------------------------------------------------


def r1_jobs(slices):
    return {(row[5]["job"], row[2], row[3]) for row in slices if row[0] == "02 r1.csv" and row[1] == "NSS Programs"}


def logged_jobs():
    """(id, open, start) of the rows of r1.csv."""
    return [tuple(int(value) for value in line.split(";")[:3]) for line in (INPUT / "r1.csv").read_text().splitlines()[1:]]


def check_r1_part(ours, theirs, tick):
    """The originals draw [open, open + start] with `tick` as if microseconds were that clock; the job was [open - start, open]."""
    golden = {(int(row[1]), row[2], row[3]) for row in theirs if row[0] == "02 r1.csv"}
    same("their jobs", golden, {(job, tick(opened), tick(opened + started)) for job, opened, started in logged_jobs()})
    same("our jobs", r1_jobs(ours), {(job, (opened - started) * 1000, opened * 1000) for job, opened, started in logged_jobs()})
    same("their idle time", overview(theirs, "02 r1.csv")["IDLE"], tick(2300) - tick(1200 + 900))
    same("our idle time", overview(ours, "02 r1.csv")["IDLE"], (2300 - 1000 - 1200) * 1000)
    same("our whole", overview(ours, "02 r1.csv")["OVERALL"], (2300 - 300) * 1000)


P1_TRACKS = {"DMA IN": "DMA In", "DMA OUT": "DMA Out", "SLICE 0": "Slice 0", "SLICE 1": "Slice 1"}
FUSED_ROW = ("DMA Out", 2000, 2400)  # DO2, whose location holds a comma


def check_c1_part(ours, theirs, process):
    golden = times(theirs, process, P1_TRACKS)
    golden[FUSED_ROW] += 1
    same("engines", times(ours, process, OUR_ENGINES), Counter({(engine, cycles(start), cycles(end)): count
                                                                for (engine, start, end), count in golden.items()}))
    length = FUSED_ROW[2] - FUSED_ROW[1]
    left, right = overview(ours, process), overview(theirs, process)
    same("DMA", left["DMA"], cycles(right["DMA"] + length))
    same("DMA ONLY", left["DMA ONLY"], cycles(right["DMA ONLY"] + length))
    same("IDLE", left["IDLE"], cycles(right["IDLE"] - length))
    same("SLICE", left["SLICE"], cycles(right["SLICE"]))
    same("overlap", left["DMA COMPUTE OVERLAP"], cycles(right["DMA+SLICE OVERLAP"]))
    same("OVERALL", left["OVERALL"], cycles(right["OVERALL"]))


def check_v1():
    """v1.pb"""
    ours = convert("convert", "--compile_profile", INPUT / "c1.csv", "--runtime_profile", INPUT / "r1.csv", "--pb", "OUT")
    theirs = read_original(GOLDEN / "v1.pb")
    check_c1_part(ours, theirs, "01 c1.csv")
    check_r1_part(ours, theirs, lambda ticks: ticks)
    return ["the original writes ticks as if they were nanoseconds; ours are nanoseconds at 800 MHz",
            "the original drops the row with a fused location (DO2); ours has it",
            "the original draws an R1 job at [open, open + start]; ours is [open - start, open]"]


def check_v1dup():
    """v1dup.pb"""
    ours = convert("convert", "--compile_profile", INPUT / "c1.csv", INPUT / "c1.csv", "--pb", "OUT")
    theirs = read_original(GOLDEN / "v1dup.pb")
    same("their processes", {row[0] for row in theirs}, {"01 c1.csv", "01 c1.csv Overview"})
    same("our processes", {row[0] for row in ours}, {"01 c1.csv", "01 c1.csv Overview", "02 c1.csv", "02 c1.csv Overview"})
    check_c1_part(ours, theirs, "01 c1.csv")
    check_c1_part([(row[0].replace("02", "01"), *row[1:]) for row in ours if row[0].startswith("02")], theirs, "01 c1.csv")
    return ["the original merges two inputs of the same name; ours draws both, numbered", "and what v1.pb shows for C1"]


P2_TRACKS = {"0_DMA_IN": "DMA In", "1_DMA_OUT": "DMA Out", "2_SLICE_0": "Slice 0", "3_SLICE_1": "Slice 1", "4_CDMA": "CDMA",
             "5_CSS": "CSS"}


def check_v2():
    """v2.pb"""
    ours = convert("convert", "--compile_profile", INPUT / "c2.csv", "--runtime_profile", INPUT / "r1.csv", "--pb", "OUT")
    theirs = read_original(GOLDEN / "v2.pb")
    same("engines", times(ours, "01 c2.csv", OUR_ENGINES), times(theirs, "01 c2.csv", P2_TRACKS))
    bytes_of = lambda slices, find: Counter((row[2], find(row)) for row in slices if row[0] == "01 c2.csv" and find(row))
    same("bytes", bytes_of(ours, lambda row: row[5].get("bytes")),
         bytes_of(theirs, lambda row: int(row[4].rpartition("bytes=")[2]) if "bytes=" in row[4] else None))
    left = overview(ours, "01 c2.csv")
    for name, value in overview(theirs, "01 c2.csv").items():
        same(name, left[name], value)
    check_r1_part(ours, theirs, cycles)
    return ["the original treats the microseconds of R1 as cycles and draws [open, open + start]; ours is [open - start, open]"]


P7_TRACKS = {"03_DMA_In": "DMA In", "04_DMA_Out": "DMA Out", "05_CDMA": "CDMA", "06_Slice_0": "Slice 0", "07_Slice_1": "Slice 1",
             "08_CSS": "CSS"}


def check_v7():
    """v7.pb"""
    ours = convert("convert", INPUT / "c3.csv", "-o", "OUT")
    theirs = read_original(GOLDEN / "v7.pb")
    golden = times(theirs, "Compile Profile", P7_TRACKS)
    same("engines", Counter({(engine, start * 1000, end * 1000): count
                             for (engine, start, end), count in times(ours, "c3.csv", OUR_ENGINES).items()}), golden)
    left, right = overview(ours, "c3.csv"), overview(theirs, "Compile Profile")
    same("their slices", (right.pop("SLICE 0"), right.pop("SLICE 1")), (0, 0))
    same("our slices", (left["SLICE 0"], left["SLICE 1"]), (cycles(1288), cycles(976)))
    for name, value in right.items():
        same(name, left[name], value)
    return ["the original's slices are 1000 times too long; ours agree with its own overview",
            "the original shows 0ns for each slice of a compile timeline; ours has their times"]


# ---- annotated traces ------------------------------------------------------------------------------------------------


def check_annotated_a2_trace():
    """annotated_A2.pb"""
    ours = convert("annotate", DUMP, INPUT / "runtime_r2.csv", "OUT", "--original-mlir", INPUT / "net.mlir")
    theirs = read_original(GOLDEN / "annotated_A2.pb")
    process = "runtime_r2.csv"
    same("engines and host copies", times(ours, process, {**OUR_ENGINES, "Host Copy": "Host Copy"}),
         times(theirs, "Host Profile", {**P7_TRACKS, "02_Host": "Host Copy"}))
    operations = [row[2:4] for row in theirs if row[1] == "01_Torq_Operations"]
    jobs = [(row[2:4]) for row in ours if row[1] == "NSS Programs"]
    same("jobs with kernels", [job for job in jobs if job in operations], operations)
    check_input_layer(ours, theirs)
    left, right = overview(ours, process), overview(theirs, "Host Profile")
    host_program = 5000600000 - 5000421000
    same("IDLE", left.pop("IDLE"), right.pop("IDLE") - host_program)
    same("HOST", left["HOST"], host_program)
    for name, value in right.items():
        same(name, left[name], value)
    return ["the original counts the host program as idle: 199us; ours is Host 179us and Idle 20us",
            "the original names only the last kernel of a job and merges actions of one operator on Input_Layer; ours names the "
            "operator on every slice"]


def check_input_layer(ours, theirs):
    """Input_Layer merges consecutive actions of one operator: done here with our own slices it gives the same."""
    merged = []
    for row in sorted((row for row in ours if row[1] in ("Host Copy", "Host", "Runtime") and "operator" in row[5]),
                      key=lambda row: row[2]):
        if merged and merged[-1][2] == row[5]["operator"]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], row[3]), merged[-1][2])
        else:
            merged.append((row[2], row[3], row[5]["operator"]))
    same("operators", merged, [(row[2], row[3], row[4].split(" | ")[0]) for row in theirs if row[1] == "00_Input_Layer"])


USED_TRACKS = {name + " Used": name for name in OUR_ENGINES}
HOST_TRACKS = {"HAL": "HAL", "NSS Programs": "NSS Programs", "Host Programs": "Host", "Host Copy": "Host Copy"}
OUR_HOST_TRACKS = {name: name for name in HOST_TRACKS.values()}
UNIT_TRACKS = {"NDMA In": "DMA In", "NDMA Out": "DMA Out", "CDMA": "CDMA", "Slice 0": "Slice 0", "Slice 1": "Slice 1", "CSS": "CSS"}


def check_annotated_a4_trace():
    """annotated_A4.pb"""
    ours = convert("annotate", DUMP, INPUT / "runtime_r4.csv", "OUT", "--source-dir", INPUT)
    theirs = read_original(GOLDEN / "annotated_A4.pb")
    process = "runtime_r4.csv"
    # The original leaves out the call that holds the other events of its scope.
    same("host", times(ours, process, OUR_HOST_TRACKS),
         times(theirs, "Host", HOST_TRACKS) + Counter({("HAL", 4999900000, 5000975000): 1}))
    same("engines", times(ours, process, OUR_ENGINES), times(theirs, "NPU Task Measurements", USED_TRACKS))
    check_overlay(ours, theirs)
    left, right = overview(ours, process), overview(theirs, "Host Profile")
    same("IDLE", (left.pop("IDLE"), right.pop("IDLE")), (175000, 2000))
    same("overview", left, right)
    # Operators: the original counts host work only, and the line of the caller as well.
    totals = {row[4]: row[3] - row[2] for row in ours if row[1].startswith("Operators/")}
    same("operators", totals, {"tosa.conv2d@L4 + tosa.add@L5": 407000, "tosa.rescale@L6": 299000, "onnx.Softmax@L7": 179000,
                               "tosa.conv2d@L4": 12000})
    locations = {re.search(r'":(\d+):\d+ - ([\d.]+)', row[1]).groups() for row in theirs if row[0] == "Compiler Input Locations"}
    same("their locations", locations, {("2", "191.000"), ("4", "12.000"), ("7", "179.000")})
    return ["the original counts HAL calls as busy: Idle 2us; ours is 175us",
            "the original leaves out a HAL call that holds others; ours draws it and does not count it",
            "the original's estimate runs at 100 MHz; ours at the cycle clock, 800 MHz",
            "the original draws work that crosses jobs before its parent; ours begins with the job that started it",
            "tasks and waiting are not drawn beside measured jobs", "locations: the original counts host work and callers only"]


def check_overlay(ours, theirs):
    """Estimates lie beside the measured job: 10 ns per cycle in the original, 1.25 in ours."""
    starts = {0: 5000013000, 1: 5000601000}
    suffix = " (Compile)"
    golden = set()
    for row in theirs:
        if row[1].endswith(suffix) and row[1][: -len(suffix)] in UNIT_TRACKS and row[4] != "WAITING":
            golden.add((UNIT_TRACKS[row[1][: -len(suffix)]], row[2], row[3]))
    # The DMA that job 0 starts (cycle 256) and job 1 waits for (from cycle 1408) hangs on job 1 in the original.
    crossing = ("DMA In", starts[1] + (256 - 1408) * 10, starts[1] + (256 + 512 - 1408) * 10)
    same("the crossing DMA", crossing in golden, True)
    golden.remove(crossing)
    expected = {("DMA In", starts[0] + cycles(256), starts[0] + cycles(256 + 512))}
    for engine, start, end in golden:
        base = max(value for value in starts.values() if value <= start)
        expected.add((engine, base + cycles((start - base) // 10), base + cycles((end - base) // 10)))
    suffix = " (estimate)"
    same("estimates", {(row[1][: -len(suffix)], row[2], row[3]) for row in ours
                       if row[1].endswith(suffix) and row[1] != "NSS Programs" + suffix}, expected)
    jobs = {(row[2], (row[3] - row[2]) // 10) for row in theirs if row[1] == "NSS Programs (Compile)"}
    same("estimated jobs", {(row[2], row[3] - row[2]) for row in ours if row[1] == "NSS Programs" + suffix},
         {(start, cycles(length)) for start, length in jobs})


# ---- the newest compile trace ------------------------------------------------------------------------------------------


def check_compile_head():
    """compile_head/main_dispatch_0_conv.pb"""
    ours = convert("convert", DUMP, "-o", "OUT", "--source-dir", INPUT)
    theirs = read_original(GOLDEN / "compile_head" / "main_dispatch_0_conv.pb")
    process = DUMP.name
    real = [row for row in theirs if not (row[4] == "WAITING" and row[2] == row[3])]
    same("engines and waiting", times(ours, process, OUR_ENGINES), times(real, "NPU Task Breakdown", UNIT_TRACKS))
    waits = lambda slices: Counter(row[2:4] for row in slices if row[4] == "WAITING")
    same("waiting", waits(ours), waits(real))
    tasks = lambda slices, track, find: {(find(row), row[2], row[3]) for row in slices if row[1] == track}
    same("tasks", tasks(ours, "NSS Tasks", lambda row: row[5]["task"]),
         tasks(theirs, "NSS CFG Tasks", lambda row: int(re.search(r"Task: (\d+)", row[4]).group(1))))
    same("jobs", times(ours, process, {"NSS Programs": "NSS Programs"}), times(theirs, "Host", {"NSS Programs": "NSS Programs"}))
    check_head_overview(ours, theirs, process)
    totals = {row[4].partition("@")[0]: row[3] - row[2] for row in ours if row[1].startswith("Operators/")}
    golden = {row[4].partition(":")[0]: row[3] - row[2] for row in theirs if row[0] == "Operator Type Totals"}
    same("operators", totals, {**golden, "tosa.add": cycles(257 + 640) - cycles(256)})
    return ["the original counts the wait after a transfer as transfer: Dma 2425, Overlap 1440, Compute Only 10000; ours counts "
            "the transfer: 1625, 640, 10800", "the original draws waits of no length, and a job over every engine it uses; ours "
            "does not", "the original shows 0ns for each slice; ours has their times",
            "the total of tosa.add has its transfer (801ns), not the wait after it (1440ns)"]


def check_head_overview(ours, theirs, process):
    left, right = overview(ours, process), overview(theirs, "Compile Profile")
    waiting = sum(row[3] - row[2] for row in theirs if row[1] == "NDMA In" and row[4] == "WAITING")
    same("DMA that waits", waiting, 800)
    for name, sign in (("DMA COMBINED", -1), ("DMA", -1), ("DMA COMPUTE OVERLAP", -1), ("COMPUTE ONLY", 1)):
        same(name, left.pop(name), right.pop(name) + sign * waiting)
    same("our slices", (left.pop("SLICE 0"), left.pop("SLICE 1")), (cycles(1152), cycles(640)))
    same("their slices", (right.pop("SLICE 0"), right.pop("SLICE 1")), (0, 0))
    same("overview", left, right)


# ---- measurements and text ---------------------------------------------------------------------------------------------


def read_measurements():
    text = (GOLDEN / "head_measurements.txt").read_text()
    decoder = json.JSONDecoder()
    runtime, end = decoder.raw_decode(text)
    return runtime, decoder.raw_decode(text[end:].lstrip())[0]


def check_measurements(ours, theirs, differing):
    """All equal but those in `differing`, which map names to (ours, theirs); percentages follow their times."""
    for name, value in theirs.items():
        # What the originals call dma is DMA alone and dma_total the union with CDMA: against their own words.
        mine = {"dma": "dma_total", "dma_total": "dma"}.get(name.rpartition("_")[0], None)
        key = mine + "_" + name.rpartition("_")[2] if mine else name
        base, _, kind = key.rpartition("_")
        if key in differing:
            same(key, (ours[key], value), differing[key])
        elif kind == "percent" and base + "_time" in differing:
            expected = 100 * differing[base + "_time"][0] / ours["total_duration"]
            same(key, round(ours[key], 9), round(expected, 9))
        else:
            same(key, round(ours[key], 9), round(value, 9))


def check_head_measurements():
    """head_measurements.txt"""
    runtime, estimate = read_measurements()
    ours = json.loads(tool.good("summary", INPUT / "runtime_r4.csv", "--mlir", DUMP, "--json").text)
    check_measurements(ours, runtime, {"idle_time": (175000, 2000), "total_npu_operations": (709000, 900000)})
    ours = json.loads(tool.good("summary", DUMP, "--json").text)
    check_measurements(ours, estimate, {"dma_time": (1625, 2425), "dma_total_time": (1600, 2400), "dma_in_time": (960, 1760),
                                        "overlap_time": (640, 1440), "compute_only_time": (10800, 10000)})
    return ["dma and dma_total are swapped in the original; ours follow their description",
            "idle_time: HAL calls are no work; total_npu_operations: time in which only the host works is taken off",
            "compile: the wait after a transfer is no transfer"]


def check_overview():
    """host_profile_overview_A2.txt"""
    theirs = (GOLDEN / "host_profile_overview_A2.txt").read_text().splitlines()
    ours = tool.good("summary", INPUT / "runtime_r2.csv", "--mlir", DUMP, "--wall-time", "0.207", "--model", "frag").text.splitlines()
    missing = [line for line in theirs if line not in ours]
    same("lines that ours lacks", missing, ["  Idle                            199.000µs  (22.06%)"])
    more = ["  TOTAL NPU OPERATIONS            709.000µs", "  Dma In                          691.000µs  (76.61%)",
            "  Dma Out                         292.000µs  (32.37%)", "  Idle                             20.000µs  (2.22%)",
            "  Host                            179.000µs  (19.84%)", "  Host Copy                        12.000µs  (1.33%)"]
    block = ours[ours.index(theirs[0]) : ours.index("")]
    same("lines that ours has besides", [line for line in block if line not in theirs], more)
    same("order of the lines", [line for line in block if line in theirs], [line for line in theirs if line in block])
    return ["the original counts the host program as idle: 199us; ours is Host 179us and Idle 20us",
            "ours adds the lines that the original leaves out"]


CHECKS = (check_annotated_a1, check_annotated_a2, check_annotated_a4, check_v1, check_v1dup, check_v2, check_v7,
          check_annotated_a2_trace, check_annotated_a4_trace, check_compile_head, check_head_measurements, check_overview)


def goldens():
    """All of them; the first line of a check names its file."""
    return [Golden(GOLDEN / check.__doc__.splitlines()[0].strip(), "torq", check) for check in CHECKS]
