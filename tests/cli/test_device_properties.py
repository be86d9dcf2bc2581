"""Random device logs of every generation against the slow reading of tt_reference.py: the same statistics, whatever the order of rows,
and ops that lie in the time of their device."""
import csv
import io
import json
import random

import pytest

import goldens_tenstorrent as goldens
import tool
import tt_reference as reference

DATA = tool.DATA / "tt-device"
NUMBERED_HEAD = ["ARCH: grayskull, CHIP_FREQ[MHz]: 1202", "PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset]"]
START = ["PCIe slot", "core_x", "core_y", "RISC processor type", "timer_id", "time[cycles since reset]"]
# By number of columns: first line, and the columns behind the time.
ZONED = {
    12: ("Chip clock is at 1.2 GHz", ["stat value", "Run ID", "zone name", "zone phase", "source line", "source file"]),
    13: ("ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000", ["data", "run host ID", " zone name", "type", "source line", "source file", "meta data"]),
    15: ("ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000, Max Compute Cores: 64",
         ["data", "run host ID", "trace id", "trace id counter", "zone name", "type", "source line", "source file", "meta data"]),
}
RISCS = ("NCRISC", "BRISC", "TRISC_0", "TRISC_1", "TRISC_2")


def moments(luck, start, number, ties):
    """Times in order; without ties each is one of its own."""
    if ties:
        return sorted(start + luck.randrange(40) for _ in range(number))
    return sorted(start + 64 * tick for tick in luck.sample(range(60), number))


def numbered_log(seed, ties):
    """[(lane, row)]: launches on some cores, firmware, kernel and markers of the user's own, some of them missing."""
    luck, rows, now = random.Random(seed), [], 10**14
    cores = luck.sample([(x, y) for x in range(12) for y in range(10)], luck.randrange(1, 7))
    lanes = {core: luck.sample(RISCS, luck.randrange(1, 6)) for core in cores}
    for _ in range(luck.randrange(1, 6)):
        for x, y in luck.sample(cores, luck.randrange(1, len(cores) + 1)):
            for place, risc in enumerate(lanes[x, y]):
                numbers = [1, 2, *[luck.choice((5, 6, 17)) for _ in range(luck.randrange(3))], 3, 4]
                if risc.startswith("TRISC") and luck.random() < 0.5:
                    numbers = numbers[1:-1]
                for number, time in zip(numbers, moments(luck, now, len(numbers), ties)):
                    if luck.random() > 0.08:
                        rows.append(((x, y, risc), f"0, {x}, {y}, {risc}, {number}, {time if ties else time + 7 * place + x}"))
        now += 10_000
    return rows


def zoned_log(seed, columns, ties):
    """The same with zones: each program once, on some cores; the BRISC is not always the last to end. Twelve columns name no program: there
    an op begins where a BRISC starts again, so that each runs on all cores, and the BRISCs start before all others, as they do."""
    luck, rows, now = random.Random(seed), [], 10**13
    cores = luck.sample([(x, y) for x in range(1, 9) for y in range(1, 9)], luck.randrange(1, 6))
    for op in range(1, luck.randrange(2, 7)):
        for x, y in cores if columns == 12 else luck.sample(cores, luck.randrange(1, len(cores) + 1)):
            for place, risc in enumerate(RISCS):
                if risc != "BRISC" and luck.random() < 0.3:
                    continue
                zone = risc.partition("_")[0]
                for (name, begins), time in zip(((f"{zone}-FW", True), (f"{zone}-KERNEL", True), (f"{zone}-KERNEL", False), (f"{zone}-FW", False)),
                                                moments(luck, now, 4, ties)):
                    if columns == 12 and (name, begins) == ("BRISC-FW", True):
                        time = now - 200
                    elif luck.random() < 0.05:
                        continue
                    phase = ("begin" if begins else "end") if columns == 12 else "ZONE_START" if begins else "ZONE_END"
                    fields = [0, x, y, risc, 7, time if ties else time + 7 * place + x + y, 0, 1024 * op]
                    fields += ["", ""] * (columns == 15) + [name, phase, 12, "kernel.cc"] + [""] * (columns > 12)
                    rows.append(((x, y, risc), ",".join(str(field) for field in fields)))
        now += 10_000
    return rows


def zoned_head(columns):
    return [ZONED[columns][0], ", ".join(START + ZONED[columns][1])]


def widened(lines):
    """Rows of any generation with zones as the reference wants them: fifteen columns."""
    made = lines[:2]
    for line in lines[2:]:
        fields = line.split(",")
        if len(fields) < 15:
            fields[8:8] = ["", ""]
            fields += [""] * (15 - len(fields))
        fields[11] = {"begin": "ZONE_START", "end": "ZONE_END"}.get(fields[11], fields[11])
        made.append(",".join(fields))
    return "\n".join(made)


def interleaved(rows, luck, keep_first):
    """The rows of each lane in their order, lanes mixed at random; with `keep_first` lanes are first seen in the same order."""
    lanes = {}
    for lane, row in rows:
        lanes.setdefault(lane, []).append(row)
    left = list(lanes.values())
    made = [lane.pop(0) for lane in left] if keep_first else []
    while any(left):
        made.append(luck.choice([lane for lane in left if lane]).pop(0))
    return made


def run(lines, folder):
    folder.mkdir()
    path = folder / "log.csv"
    path.write_text("\n".join(lines) + "\n")
    tool.good("device", "-d", path, "-o", folder / "out", "--no-print-stats", "--no-plots", "--strict")
    return lambda name: (folder / "out" / name).read_bytes()


def known_by_core(path):
    """{(x, y, analysis): (count, sum, most, least)}: what the table of cores knows."""
    done = tool.good("device", path, "--table", "cores", "--json", "--columns", "x,y,duration,count,sum,max,min")
    return {(row["x"], row["y"], row["duration"]): (row["count"], row["sum"], row["max"], row["min"]) for row in json.loads(done.text)["rows"]
            if row["count"] and not row["duration"].startswith("Time in kernels")}


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_numbers(tmp_path, seed, ties):
    rows = numbered_log(seed, ties)
    lines = NUMBERED_HEAD + [row for _, row in rows]
    made = run(lines, tmp_path / "a")
    assert made(goldens.STATS).decode() == reference.numbered_stats("\n".join(lines), lossless=True)
    assert made(goldens.REARRANGED).decode() == reference.rearranged("\n".join(lines))
    chip = reference.Numbered(reference.fields_of("\n".join(lines)), "0")
    cores = json.loads(made(goldens.ANALYSIS))["data"]["devices"]["0"]["cores"]
    for name, (by_core, _) in chip.analyses(lossless=True).items():
        for core, pairs in by_core.items():
            samples = [end[0] - start[0] for start, end in pairs]
            found = cores[str(core)]["riscs"]["TENSIX"].get("analysis", {}).get(name, {}).get("stats")
            assert found == (reference.statistics_of(samples) if samples else None), (name, core)
    assert known_by_core(tmp_path / "a" / "log.csv") == reference.known_by_core(chip)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("columns", ZONED)
@pytest.mark.parametrize("seed", range(6))
def test_zones(tmp_path, seed, columns, ties):
    lines = zoned_head(columns) + [row for _, row in zoned_log(seed, columns, ties)]
    zones = reference.zones_of(widened(lines))
    assert run(lines, tmp_path / "a")(goldens.STATS).decode() == reference.zoned_stats(zones, reference.ops_of(zones))


@pytest.mark.parametrize("columns", [6, *ZONED])
@pytest.mark.parametrize("seed", range(6))
def test_any_interleaving_gives_the_same_statistics(tmp_path, seed, columns):
    """Equal times are told apart by which core and RISC came first in the log, so there the first rows keep their order."""
    luck = random.Random(seed)
    head = NUMBERED_HEAD if columns == 6 else zoned_head(columns)
    for ties in (False, True):
        rows = numbered_log(seed, ties) if columns == 6 else zoned_log(seed, columns, ties)
        one = run(head + [row for _, row in rows], tmp_path / f"one{ties}")
        for number in range(3):
            other = run(head + interleaved(rows, luck, ties), tmp_path / f"{ties}{number}")
            assert other(goldens.STATS) == one(goldens.STATS)
            if columns == 6:
                assert sorted(other(goldens.REARRANGED).splitlines()) == sorted(one(goldens.REARRANGED).splitlines())


def slices_of(path):
    text = tool.good("convert", path, "--to", "slices", "-o", "-").text
    return [(row["engine"], row["name"], row["run_host_id"], int(row["start_ticks"]), int(row["end_ticks"])) for row in csv.DictReader(io.StringIO(text))]


@pytest.mark.parametrize("seed", range(10))
def test_ops_nest_in_their_device(tmp_path, seed):
    lines = zoned_head(15) + [row for _, row in zoned_log(seed, 15, seed % 2)]
    made = json.loads(run(lines, tmp_path / "a")(goldens.ANALYSIS))["data"]["devices"]["0"]
    check_nesting(made, tmp_path / "a" / "log.csv", [int(line.split(",")[5]) for line in lines[2:]])


@pytest.mark.parametrize("name", ["add_two_ints.csv", "multi_core_multi_launch.csv", "grayskull_new_header.csv.gz"])
def test_ops_of_real_logs_nest_in_their_device(name):
    path = DATA / "fifteen" / name
    made = json.loads(goldens.device(path)[goldens.ANALYSIS])["data"]["devices"]["0"]
    check_nesting(made, path, [int(fields[5]) for fields in reference.fields_of(goldens.content(path).decode())])


def check_nesting(chip, path, times):
    """RISC in op, kernel in firmware, op in device; and the same intervals in the timeline."""
    ops = chip["cores"]["DEVICE"]["ops"]
    slices = slices_of(path)
    spans = {host_id: (start, end) for engine, _, host_id, start, end in slices if engine == "device_op"}
    for op in ops:
        durations = op["durations"]
        durations = {name: duration for name, duration in durations.items() if duration is not None and "Unknown" not in str(duration)}
        whole = durations["device_fw_duration"] if "device_fw_duration" in durations else durations.get("device_kernel_duration", 0)
        assert min(times) <= op["first"] and op["first"] + whole <= max(times)
        for name, duration in durations.items():
            duration = duration["Max"] if name.endswith("per_core") else duration
            assert 0 <= duration <= max(times) - op["first"]
            if "kernel" in name and "device_kernel_duration" in durations:
                assert duration <= durations["device_kernel_duration"]
        if str(op["run_host_id"]) in spans:
            start, end = spans[str(op["run_host_id"])]
            assert min(times) <= start <= end <= max(times)
    for engine, _, host_id, start, end in slices:
        if engine == "risc" and host_id in spans:
            assert spans[host_id][0] <= start and end <= spans[host_id][1]


def test_markers_after_the_last_brisc_end_are_in_their_own_op():
    """The weakness of the original: on this log it closes op 1024 before the NCRISCs have run, and drops those of op 2048."""
    path = DATA / "fifteen" / "multi_core_multi_launch.csv"
    zones = reference.zones_of(path.read_text())
    last = {op: max(zone.time for zone in zones if (zone.host_id, zone.name, zone.kind) == (op, "BRISC-FW", "ZONE_END")) for op in (1024, 2048)}
    late = [zone for zone in zones if zone.time > last[zone.host_id]]
    assert len(late) == 12 and {zone.risc for zone in late} == {"NCRISC"}
    ops = json.loads(goldens.device(path)[goldens.ANALYSIS])["data"]["devices"]["0"]["cores"]["DEVICE"]["ops"]
    for op, host_id, firmware, kernel, mover in zip(ops, (1024, 2048), (3931, 3921), (739, 729), (52, 42)):
        assert (op["run_host_id"], op["durations"]["device_fw_duration"], op["durations"]["device_kernel_duration"],
                op["durations"]["device_ncrisc_kernel_duration"]) == (host_id, firmware, kernel, mover)
        assert op["first"] + firmware == max(zone.time for zone in late if zone.host_id == host_id)
    wrong, _ = reference.ops_of_the_original(zones)
    assert {zone.host_id for zone in wrong[0]} == {1024} and {zone.host_id for zone in wrong[1]} == {1024, 2048}
    assert [round(row * 1000 / 1200) for row in (739, 729)] == [616, 608]  # ns, where the original has 71 and 461,254


def put_right(lines):
    """Twelve columns as they were meant: time and sum in their columns."""
    made = lines[:2]
    for line in lines[2:]:
        fields = line.split(",")
        fields[5], fields[6] = fields[6].strip(), fields[5]
        made.append(",".join(fields))
    return made


@pytest.mark.parametrize("name", ["add_two_ints.csv", "multi_core_multi_launch.csv", "compute.csv.gz", "grayskull_new_header.csv.gz", "large.csv.gz"])
def test_one_log_in_two_generations(tmp_path, name):
    """The vendor's twelve columns, times put where they belong, have the same durations as their six."""
    setup = tmp_path / "setup.json"
    pairs = {f"{risc} kernel": (risc, 2, 3) for risc in RISCS} | {f"{risc} firmware": (risc, 1, 4) for risc in RISCS}
    setup.write_text(json.dumps({"defaults": False, "displayStats": ["Count", "Average", "Max", "Median", "Min"], "timerAnalysis": {
        key: {"across": "core", "type": "adjacent", "start": {"risc": risc, "timerID": start}, "end": {"risc": risc, "timerID": end}}
        for key, (risc, start, end) in pairs.items()}}))
    found = []
    for generation in ("six", "twelve"):
        lines = goldens.content(DATA / generation / name).decode().splitlines()
        path = tmp_path / f"{generation}.csv"
        path.write_text("\n".join(put_right(lines) if generation == "twelve" else lines) + "\n")
        tool.good("device", "-d", path, "-o", tmp_path / generation, "--no-print-stats", "--no-plots", "--no-artifacts", "-s", setup)
        found.append(goldens.values_of((tmp_path / generation / goldens.STATS).read_text()))
    assert found[0] and found[0] == found[1]
    assert found[0]["BRISC kernel"]["Max"] > 0 if "Max" in found[0]["BRISC kernel"] else found[0]["BRISC kernel"]["Duration"] > 0
