"""tacho device: the vendor's goldens byte for byte, and the truth where the original is wrong."""
import gzip
import json
import pathlib
import random
import re
import statistics
import tarfile

import pytest

import perfetto_decode
import tool

DATA = pathlib.Path(tool.__file__).parent / "data" / "tt-device"
SIX = sorted(path.name.removesuffix(".gz").removesuffix(".csv") for path in (DATA / "six").iterdir() if path.is_file())
OTHERS = sorted(path for folder in ("twelve", "thirteen", "fifteen") for path in (DATA / folder).iterdir() if path.is_file())
STATS, REARRANGED = "device_stats.txt", "device_rearranged_timestamps.csv"
ANALYSIS, CHROME = "device_analysis_data.json", "device_chrome_tracing.json"
HEAD = ["ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000, Max Compute Cores: 64",
        "PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset], data, run host ID, trace id, trace id counter, "
        "zone name, type, source line, source file, meta data"]


def found(path):
    """A fixture, compressed or not; None where there is none."""
    packed = path.with_name(path.name + ".gz")
    return gzip.decompress(packed.read_bytes()) if packed.exists() else path.read_bytes() if path.exists() else None


def log_of(name):
    path = DATA / "six" / f"{name}.csv"
    return path if path.exists() else path.with_name(path.name + ".gz")


def device(good, log, folder, *options):
    good("device", "-d", log, "-o", folder, "--no-print-stats", *options)
    return lambda file: (folder / file).read_bytes()


def stats_of(text):
    """{analysis: {statistic: number}} of device_stats.txt, without its maps."""
    made, name = {}, None
    for line in text.splitlines():
        if line.startswith("=================== "):
            name = line.strip("= ")
            made[name] = {}
        elif " = " in line and name:
            key, value = line.split(" = ")
            made[name][key.split()[0]] = int(value.replace(",", ""))
    return made


def zone(risc, time, name, kind, op=1024, core=(1, 1), chip=0, data=0, trace="", replay="", meta=""):
    return f"{chip},{core[0]},{core[1]},{risc},{sum(name.encode()) % 60000},{time},{data},{op},{trace},{replay},{name},{kind},12,kernel.cc,{meta}"


def write_log(path, rows, head=None):
    path.write_text("\n".join((HEAD if head is None else head) + list(rows)) + "\n")
    return path


# ---- The goldens ----


@pytest.mark.parametrize("name", SIX)
def test_files_equal_the_vendor_s(good, tmp_path, name):
    made = device(good, log_of(name), tmp_path)
    golden = DATA / "six" / name
    if found(golden / STATS) is not None:
        assert made(STATS) == found(golden / STATS)
    assert made(REARRANGED) == found(golden / REARRANGED)
    if found(golden / ANALYSIS) is not None:
        ours, theirs = json.loads(made(ANALYSIS)), json.loads(found(golden / ANALYSIS))
        theirs["setup"]["outputFolder"] = str(tmp_path)
        assert ours == theirs
        assert made(ANALYSIS).decode() == json.dumps(theirs, indent=2, sort_keys=True)


@pytest.mark.parametrize("name", [name for name in SIX if found(DATA / "six" / name / CHROME) is not None])
def test_the_chrome_trace_has_the_right_begins(good, tmp_path, name):
    made = device(good, log_of(name), tmp_path)
    ours, theirs = json.loads(made(CHROME)), json.loads(found(DATA / "six" / name / CHROME))
    first = json.loads(made(ANALYSIS))["data"]["devices"]["0"]["metadata"]["global_min"]["ts"]
    logged = [line.split(", ") for line in found(DATA / "six" / f"{name}.csv").decode().splitlines()[2:]]
    starts = sorted(int(fields[5]) for fields in logged if fields[4] == "1")
    assert sorted(event["ts"] for event in ours if event["ph"] == "B") == starts
    for event in ours:
        if event["ph"] == "B":
            event["ts"] = first  # what the original says of every begin
    assert ours == theirs


def test_another_architecture_gets_a_map_of_its_own_grid(good, tmp_path):
    text = device(good, log_of("wormhole_multi_core"), tmp_path)(STATS).decode()
    rows = [line for line in text.split("=================== ANY")[0].splitlines() if "|| " in line]
    assert len(rows) == 10 and "DRAM" not in text and "ARC" not in text
    assert rows[0].split() == ["0||", "0", "26,799", "54,074", "80,833", "X", "107,591", "134,268", "160,952", "183,875"]


@pytest.mark.parametrize("path", OTHERS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_other_generations_are_read_without_loss(tacho, good, tmp_path, path):
    done = tacho("device", "-d", path, "-o", tmp_path, "--no-print-stats", "--strict")
    assert done.code == 0 and "lost" not in done.err
    for verb in ("convert", "summary"):
        made = tacho(verb, path, *(["-o", tmp_path / "x.pb"] if verb == "convert" else []))
        assert made.code == 0 and "lost" not in made.err.replace("0 lost", "")
    json.loads((tmp_path / ANALYSIS).read_bytes())


def test_ops_keep_the_markers_behind_the_last_brisc_end(good, tmp_path):
    for name in ("add_two_ints", "multi_core_multi_launch"):
        ours = stats_of(device(good, DATA / "fifteen" / f"{name}.csv", tmp_path / name)(STATS).decode())
        theirs = stats_of((DATA / "fifteen" / name / STATS).read_text())
        wrong = {key for key in theirs if ours[key] != theirs[key]}
        assert list(ours) == list(theirs)
        assert wrong == {"device_kernel_first_to_last_start", "device_kernel_duration_per_core", "device_fw_duration", "device_kernel_duration",
                         "device_kernel_duration_dm_start", "device_ncrisc_kernel_duration"}
        assert ours["device_fw_duration"]["Max"] < 4000 < 400_000 < theirs["device_fw_duration"]["Max"]
    # Two cores, two launches: every op ends with its own NCRISC.
    assert ours["device_fw_duration"] == {"Count": 2, "Average": 3926, "Max": 3931, "Median": 3926, "Min": 3921, "Sum": 7852, "Range": 10}
    full = DATA / "fifteen" / "grayskull_new_header.csv.gz"
    assert device(good, full, tmp_path / "g")(STATS) == found(DATA / "fifteen" / "grayskull_new_header" / STATS)


# ---- Properties ----


def launch_log(seed):
    """A random log of six columns: launches on some cores, sometimes without a marker."""
    made, rows, now = random.Random(seed), [], 10**12
    cores = [(x, y) for x in range(3) for y in range(2)]
    for _ in range(made.randrange(1, 6)):
        for x, y in made.sample(cores, made.randrange(1, len(cores) + 1)):
            start = now + made.randrange(50)
            for risc in ("NCRISC", "BRISC", "TRISC_0"):
                times = sorted(start + made.randrange(2000) for _ in range(4))
                rows += [((x, y, risc), f"0, {x}, {y}, {risc}, {i + 1}, {times[i]}") for i in range(4) if made.random() > 0.1]
        now += 10_000
    return rows


@pytest.mark.parametrize("seed", range(12))
def test_rows_of_different_lanes_may_come_in_any_order(good, tmp_path, seed):
    rows = launch_log(seed)
    lanes = list(dict.fromkeys(lane for lane, _ in rows))
    mixed = [[row for key, row in rows if key == lane] for lane in lanes]
    made, order = random.Random(seed), [mixed[i][0] for i in range(len(mixed))]
    left = [lane[1:] for lane in mixed]
    while any(left):
        order.append(made.choice([lane for lane in left if lane]).pop(0))
    head = ["ARCH: grayskull, CHIP_FREQ[MHz]: 1202", "PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset]"]
    one = device(good, write_log(tmp_path / "a.csv", [row for _, row in rows], head), tmp_path / "a")
    other = device(good, write_log(tmp_path / "b.csv", order, head), tmp_path / "b")
    for file in (STATS, REARRANGED):
        assert one(file) == other(file)
    assert json.loads(one(ANALYSIS))["data"] == json.loads(other(ANALYSIS))["data"]


def adjacent(series, start, end):
    made, pending = [], None
    for number, time, risc in series:
        if pending is not None and (number, risc) == end:
            made.append(time - pending)
            pending = None
        elif (number, risc) == start:
            pending = time
    return made


@pytest.mark.parametrize("seed", range(12))
def test_statistics_equal_a_naive_version(good, tmp_path, seed):
    rows = launch_log(seed)
    head = ["ARCH: grayskull, CHIP_FREQ[MHz]: 1202", "PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset]"]
    made = json.loads(device(good, write_log(tmp_path / "a.csv", [row for _, row in rows], head), tmp_path)(ANALYSIS))
    cores = made["data"]["devices"]["0"]["cores"]
    for core in {lane[:2] for lane, _ in rows}:
        series = []
        for lane in dict.fromkeys(lane for lane, _ in rows if lane[:2] == core):
            markers = [(int(row.split(", ")[4]), int(row.split(", ")[5]), lane[2]) for key, row in rows if key == lane]
            series += sorted(markers, key=lambda marker: marker[1])
        series.sort(key=lambda marker: marker[1])
        found_here = cores[str(core)]["riscs"]["TENSIX"].get("analysis", {})
        for name, risc in (("BRISC kernel start -> BRISC kernel end", "BRISC"), ("TRISC0 kernel start -> TRISC0 kernel end", "TRISC_0")):
            samples = adjacent(series, (2, risc), (3, risc))
            if not samples:
                assert name not in found_here
                continue
            assert found_here[name]["stats"] == {
                "Average": sum(samples) / len(samples), "Count": len(samples), "First": samples[0], "Max": max(samples),
                "Median": float(statistics.median(samples)), "Min": min(samples), "Range": max(samples) - min(samples), "Sum": sum(samples)}


@pytest.mark.parametrize("name", ["add_two_ints", "multi_core_multi_launch"])
def test_ops_lie_inside_the_time_of_the_device(good, tmp_path, name):
    made = json.loads(device(good, DATA / "fifteen" / f"{name}.csv", tmp_path)(ANALYSIS))
    chip = made["data"]["devices"]["0"]
    times = [int(text.split(", ")[1].rstrip(")")) for core in chip["cores"].values() for text in core["riscs"]["TENSIX"]["timeseries"]]
    ops = chip["cores"]["DEVICE"]["ops"]
    assert [op["run_host_id"] for op in ops] == [1024, 2048]
    for op, after in zip(ops, ops[1:] + [None]):
        end = op["first"] + op["durations"]["device_fw_duration"]
        assert min(times) <= op["first"] and end <= max(times)
        assert after is None or end <= after["first"]
        assert op["durations"]["device_kernel_duration"] <= op["durations"]["device_fw_duration"]
        assert op["durations"]["device_brisc_kernel_duration"] <= op["durations"]["device_kernel_duration"]


# ---- Inputs that lack something ----


def test_rows_that_are_missing_are_explained(tacho, tmp_path):
    lines = found(DATA / "six" / "grayskull_new_header.csv").decode().splitlines()
    made = random.Random(1)
    log = write_log(tmp_path / "x.csv", [line for line in lines[2:] if made.random() > 0.2], lines[:2])
    done = tacho("device", log, "-o", tmp_path / "out")
    assert done.code == 0 and "markers are missing" in done.err and "durations that may rest on one of them are not known" in done.err
    assert stats_of(done.text)["BRISC kernel start -> BRISC kernel end"]["Count"] > 100


def test_each_chip_has_its_own_t0(tacho, tmp_path):
    lines = (DATA / "six" / "add_two_ints.csv").read_text().splitlines()
    second = ["3" + line[1:].rsplit(", ", 1)[0] + ", " + str(int(line.rsplit(", ", 1)[1]) + 10**9) for line in lines[2:]]
    done = tacho("device", write_log(tmp_path / "x.csv", lines[2:] + second, lines[:2]), "-o", tmp_path / "out")
    assert done.code == 0 and done.text.startswith("chip 0\n") and "\nchip 3\n" in done.text
    one, other = done.text.split("\nchip 3\n")
    assert one.removeprefix("chip 0\n").strip() == other.split(str(tmp_path))[0].strip()
    chips = json.loads((tmp_path / "out" / ANALYSIS).read_bytes())["data"]["devices"]
    assert chips["3"]["metadata"]["global_min"]["ts"] - chips["0"]["metadata"]["global_min"]["ts"] == 10**9
    assert (tmp_path / "out" / REARRANGED).read_bytes().count(b"PCIe slot,") == 2


def chips_at_work(runs, lengths, shift=lambda chip: 0, number=lambda op, chip: op):
    """Rows of chips that run the ops 1024, 2048 and 3072 again and again: an op takes `lengths[chip]` cycles, the next begins 1000 later, the next run 5000."""
    rows, at = [], 1000
    for _ in range(runs):
        for op in (1024, 2048, 3072):
            for chip, length in enumerate(lengths):
                start = at + shift(chip)
                for kind, time in (("ZONE_START", start), ("ZONE_END", start + length)):
                    rows += [zone(risc, time, f"{risc}-FW", kind, op=number(op, chip), chip=chip) for risc in ("BRISC", "NCRISC")]
            at += 1000
        at += 4000
    return rows


@pytest.mark.parametrize("number", [lambda op, chip: op, lambda op, chip: op + chip], ids=["one number", "the chip in it"])
@pytest.mark.parametrize("lengths, expected", [([600], 2600), ([600, 900], 2900), ([900, 600], 2900), ([600, 800, 700], 2800)])
def test_a_run_ends_when_the_last_chip_is_done(good, tmp_path, lengths, expected, number):
    """Each chip begins at its own first marker, wherever its clock is."""
    log = write_log(tmp_path / "x.csv", chips_at_work(6, lengths, lambda chip: chip * 10**7, number))
    good("convert", log, "-o", tmp_path / "x.pb")
    for path in (log, tmp_path / "x.pb"):
        runs = [row["time"] for row in json.loads(good("latency", path, "--each-run", "--warmup", "none", "--json").text)["rows"]]
        assert runs == [expected] * 6, path


def runs_and_notes(good, log):
    runs = json.loads(good("latency", "-q", log, "--each-run", "--warmup", "none", "--json").text)["rows"]
    return [row["time"] for row in runs], json.loads(good("summary", "-q", log, "--json").text)["notes"]


def chip_at_its_pace(chip, length, pause, calls, shift=0):
    """An op again and again on one chip."""
    return [zone("BRISC", 1000 + shift + call * (length + pause) + place, "BRISC-FW", kind, chip=chip) for call in range(calls) for kind, place in (("ZONE_START", 0), ("ZONE_END", length))]


@pytest.mark.parametrize("lengths", [(100, 1000), (1000, 100), (100, 150), (150, 100), (300, 100, 200), (100, 200, 300)])
def test_a_chip_that_falls_behind_sets_the_pace(good, tmp_path, lengths):
    """Its time was in the last run alone, which counts as an outlier."""
    rows = [row for chip, length in enumerate(lengths) for row in chip_at_its_pace(chip, length, 10, 50, chip * 10**7)]
    log = write_log(tmp_path / "x.csv", rows)
    for name in ("x.csv", "x.pb", "x.json"):
        if name != "x.csv":
            good("convert", log, "-o", tmp_path / name)
        runs, notes = runs_and_notes(good, tmp_path / name)
        assert runs == [max(lengths)] * 50, name
        assert not any("not done on every chip" in note for note in notes)


def test_a_chip_that_falls_behind_in_runs_of_several_ops(good, tmp_path):
    rows = [row for row in chips_at_work(6, [600, 600]) if not row.startswith("1,")]
    rows += [zone("BRISC", 1000 + 20000 * run + place, "BRISC-FW", kind, op=op, chip=1) for run in range(6) for op, start in ((1024, 0), (2048, 6000), (3072, 12000))
             for kind, place in (("ZONE_START", start), ("ZONE_END", start + 5000))]
    assert runs_and_notes(good, write_log(tmp_path / "x.csv", rows))[0] == [17000] * 6


def test_ops_that_are_cut_off_by_the_next_are_told(good, tmp_path):
    """The chip that falls behind did one op less: it can not lead."""
    rows = chip_at_its_pace(0, 100, 10, 50) + chip_at_its_pace(1, 150, 10, 49)
    runs, notes = runs_and_notes(good, write_log(tmp_path / "x.csv", rows))
    assert runs[1:-2] == [110] * 47
    assert any(note.startswith("49 of the ops were not done on every chip when chip 0 began its next one") for note in notes)


def test_notices_of_dropped_markers_are_no_rows(tacho, tmp_path):
    lines = (DATA / "six" / "add_two_ints.csv").read_text().splitlines()
    notices = ["14 device markers on device 0 worker core 1,2 risc BRISC were dropped",
               "Profiler DRAM buffers were full, markers were dropped! device 0, worker core 3, 4, Risc BRISC"]
    done = tacho("device", write_log(tmp_path / "x.csv", lines[2:6] + notices + lines[6:], lines[:2]), "-o", tmp_path / "out", "--strict")
    assert done.code == 0 and "2 notices, the first in line 7, of 15 markers or more" in done.err and "lost" not in done.err
    assert (tmp_path / "out" / STATS).read_bytes() == found(DATA / "six" / "add_two_ints" / STATS)


@pytest.mark.parametrize("with_header", [True, False])
def test_a_file_may_change_its_generation(tacho, tmp_path, with_header):
    six = (DATA / "six" / "add_two_ints.csv").read_text().splitlines()
    fifteen = (DATA / "fifteen" / "multi_core_multi_launch.csv").read_text().splitlines()
    done = tacho("device", write_log(tmp_path / "x.csv", six[2:] + fifteen[0 if with_header else 2:] + six[2:4], six[:2]), "-o", tmp_path / "out")
    assert done.code == 0 and "lost" not in done.err and "changes its generation" in done.err
    made = stats_of(done.text)
    assert made["device_fw_duration"]["Count"] == 2 and made["device_fw_duration"]["Max"] == 3931
    chip = json.loads((tmp_path / "out" / ANALYSIS).read_bytes())["data"]["devices"]["0"]["cores"]
    assert {"(0, 0)", "(1, 1)", "(2, 1)"} < set(chip)


def test_the_sample_of_the_document_needs_no_header(tacho, tmp_path):
    log = DATA / "document.csv"
    done = tacho("device", "-d", log, "-o", tmp_path)
    assert done.code == 0 and "1202 MHz" in done.err
    assert stats_of(done.text)["BRISC kernel start -> BRISC kernel end"] == {"Duration": 69}
    assert (tmp_path / REARRANGED).read_bytes().startswith(b"Clock Frequency [MHz],1202\r\n")
    done = tacho("device", "-d", log, "-o", tmp_path, "--clock-mhz", "1000.5", "--no-print-stats", "--no-plots")
    assert done.code == 0 and "note" not in done.err
    assert (tmp_path / REARRANGED).read_bytes().startswith(b"Clock Frequency [MHz],1000.5\r\n")
    assert "OVERALL                           3.919µs" in tacho("summary", log, "--clock-mhz", "1000").text


def test_a_file_of_another_format_is_named(tacho, tmp_path):
    done = tacho("device", "-d", tool.DATA / "tt-ops-csv" / "bh20_oft.csv.gz", "-o", tmp_path / "out")
    assert done.code == 3 and not (tmp_path / "out").exists()
    assert "has the format tt-ops-csv (Tenstorrent ops report); a device log (profile_log_device.csv) is wanted here" in done.err


def test_rows_that_cannot_be_read_are_counted(tacho, tmp_path):
    bad = ["garbage", "0, 0", "0, 0, 0, BRISC, x, 5", "0, 0, 0, BRISC, 1", "0, 0, 999, BRISC, 1, 5", "0, 0, 0, BRISC, 1, 99999999999999999999",
           "0, 0, 0, BRISC, 1, 5, 6", "0, 0, 0, , 1, 5"]
    lines = (DATA / "six" / "add_two_ints.csv").read_text().splitlines()
    log = write_log(tmp_path / "x.csv", lines[2:5] + bad + lines[5:], lines[:2])
    done = tacho("device", log, "-o", tmp_path / "out", "--no-print-stats")
    assert done.code == 0 and f"{len(bad)} of {len(bad) + len(lines) - 2} rows lost" in done.err
    assert (tmp_path / "out" / STATS).read_bytes() == found(DATA / "six" / "add_two_ints" / STATS)
    done = tacho("device", log, "-o", tmp_path / "none", "--strict")
    assert done.code == 3 and "x.csv:6:1: " in done.err and not (tmp_path / "none").exists()


def test_wrong_inputs_and_usage(tacho, tmp_path):
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "binary.csv").write_bytes(b"ARCH: grayskull, CHIP_FREQ[MHz]: 1202\n" + bytes(range(256)) * 8)
    (tmp_path / "mhz.csv").write_text("ARCH: grayskull, CHIP_FREQ[MHz]: fast\n")
    write_log(tmp_path / "head.csv", [])
    for name, code in (("empty", 3), ("binary.csv", 3), ("mhz.csv", 0), ("missing.csv", 3), ("head.csv", 0)):
        assert tacho("device", "-d", tmp_path / name, "-o", tmp_path / "out").code == code, name
    assert "a device log" in tacho("device", "-d", DATA.parent / "etdump" / "etgen_small.etdp", "-o", tmp_path).err
    assert tacho("device", "a", "b").code == 2
    assert tacho("device", "-d", DATA / "document.csv", "-p", "70000").code == 2
    done = tacho("device", "-d", DATA / "document.csv", "-o", tmp_path, "-s", "test_nothing")
    assert done.code == 2 and "test_noc" in done.err


def test_a_folder_that_cannot_be_written(tacho, tmp_path):
    (tmp_path / "file").write_text("")
    assert tacho("device", "-d", DATA / "document.csv", "-o", tmp_path / "file" / "out", "--no-print-stats").code == 4


# ---- Options ----


def test_artifacts_and_their_tar(good, tmp_path):
    made = device(good, DATA / "six" / "add_two_ints.csv", tmp_path, "--no-plots", "--no-webapp", "-p", "8051")
    with tarfile.open(tmp_path / "device_perf_results.tar") as archive:
        assert set(archive.getnames()) >= {STATS, REARRANGED, ANALYSIS, CHROME, "add_two_ints.csv"}
        for name in (STATS, ANALYSIS):
            assert archive.extractfile(name).read() == made(name)
    assert json.loads(made(ANALYSIS))["setup"]["webappPort"] == 8051
    device(good, DATA / "six" / "add_two_ints.csv", tmp_path / "few", "--no-plots", "--no-artifacts")
    assert sorted(path.name for path in (tmp_path / "few").iterdir()) == [REARRANGED, STATS]


def test_large_artifacts_are_written_when_they_are_asked_for(good, tmp_path):
    """Ten times the size of a large log is more than anyone expects: what is left out is said, with its size."""
    lines = (DATA / "six" / "multi_core_multi_launch.csv").read_text().splitlines()
    head = [line for line in lines[:3] if "," not in line or not line.split(",")[0].strip().isdigit()]
    rows = [line.split(",") for line in lines[len(head):]]
    span = max(int(row[5]) for row in rows) - min(int(row[5]) for row in rows) + 1
    log = tmp_path / "large.csv"
    with log.open("w") as file:
        file.write("\n".join(head) + "\n")
        for launch in range(230_000 // len(rows)):
            file.writelines(",".join([*row[:5], f" {int(row[5]) + launch * span}", *row[6:]]) + "\n" for row in rows)
    result = good("device", "-d", log, "-o", tmp_path / "few", "--no-print-stats", "--no-plots")
    said = " ".join(result.err.split())
    assert f"left out: {ANALYSIS} and {CHROME}, which would take about 131." in said and "--artifacts writes them" in said
    assert sorted(path.name for path in (tmp_path / "few").iterdir()) == [REARRANGED, STATS]
    result = good("device", "-d", log, "-o", tmp_path / "all", "--no-print-stats", "--no-plots", "--artifacts")
    assert f"writing {ANALYSIS} and {CHROME}, about 131." in result.err
    made = {path.name: path.stat().st_size for path in (tmp_path / "all").iterdir()}
    assert sorted(made) == sorted([ANALYSIS, CHROME, "device_perf_results.tar", REARRANGED, STATS])
    assert 0.4 < (made[ANALYSIS] + made[CHROME]) / (131 << 20) < 2.5, "what was said is about right"


def test_folders_of_the_document(tacho, tmp_path):
    logs = tmp_path / "tt_metal" / "tools" / "profiler" / "logs"
    logs.mkdir(parents=True)
    (logs / "profile_log_device.csv").write_bytes((DATA / "six" / "add_two_ints.csv").read_bytes())
    for variables, folder in (({"TT_METAL_HOME": None}, tmp_path), ({"TT_METAL_HOME": str(tmp_path)}, pathlib.Path("/"))):
        done = tacho("device", "--no-print-stats", "--no-artifacts", "--no-plots", cwd=folder, variables=variables)
        assert done.code == 0, done.err
        made = tmp_path / "tt_metal" / "tools" / "profiler" / "output" / "device"
        assert (made / STATS).read_bytes() == found(DATA / "six" / "add_two_ints" / STATS)
        (made / STATS).unlink()


def test_folders_of_newer_tool_chains(tacho, tmp_path):
    def run(folder, **variables):
        return tacho("device", "--no-print-stats", "--no-artifacts", "--no-plots", cwd=folder,
                     variables={"TT_METAL_HOME": None, "TT_METAL_PROFILER_DIR": None, **variables})

    nothing = run(tmp_path)
    older, newer = "tt_metal/tools/profiler/logs/profile_log_device.csv", "generated/profiler/.logs/profile_log_device.csv"
    assert nothing.code == 3 and f"{older}: no such log, nor {newer}; -d names another" in nothing.err
    logs = tmp_path / "generated" / "profiler" / ".logs"
    logs.mkdir(parents=True)
    (logs / "profile_log_device.csv").write_bytes((DATA / "fifteen" / "multi_core_multi_launch.csv").read_bytes())
    assert run(tmp_path).text.splitlines()[0] == f"generated/profiler/output/device/{STATS}"
    assert run("/", TT_METAL_HOME=str(tmp_path)).text.splitlines()[0] == f"{tmp_path}/generated/profiler/output/device/{STATS}"
    # Both are there: the document's, unless somebody names the folder of the other; either way it is told.
    (tmp_path / older).parent.mkdir(parents=True)
    (tmp_path / older).write_bytes((DATA / "six" / "add_two_ints.csv").read_bytes())
    done = run(tmp_path)
    assert f"reading {older}; there is also {newer}" in done.err and done.text.startswith("tt_metal/tools/profiler/output/device/")
    done = run("/", TT_METAL_HOME=str(tmp_path), TT_METAL_PROFILER_DIR=str(tmp_path / "generated" / "profiler"))
    assert f"reading {tmp_path}/{newer}; there is also {tmp_path}/{older}" in done.err
    assert "device_fw_duration" in (tmp_path / "generated" / "profiler" / "output" / "device" / STATS).read_text()


def test_a_setup_of_one_s_own(good, tacho, tmp_path):
    setup = {"timerAnalysis": {"BRISC to NCRISC": {"across": "core", "type": "adjacent", "start": {"risc": "BRISC", "timerID": 2},
                                                   "end": {"risc": "NCRISC", "timerID": 2}},
                               "first core": {"across": "device", "type": "session_first_last", "start": {"core": [0, 0], "risc": "ANY", "timerID": 1},
                                              "end": {"core": "(0, 0)", "risc": "ANY", "timerID": 4}},
                               "starts on the chip": {"across": "device", "type": "adjacent", "start": {"core": [0, 0], "risc": "BRISC", "timerID": 1},
                                                      "end": {"core": [1, 0], "risc": "BRISC", "timerID": 1}}},
             "displayStats": ["Max", "Count"], "defaults": False}
    path = tmp_path / "own.json"
    path.write_text(json.dumps(setup))
    log = DATA / "six" / "multi_core_multi_launch.csv"
    text = device(good, log, tmp_path, "-s", path)(STATS).decode()
    assert stats_of(text) == {"BRISC to NCRISC": {"Max": 707, "Count": 4}, "first core": {"Duration": 558037},
                              "starts on the chip": {"Max": 10, "Count": 2}}
    del setup["defaults"]
    path.write_text(json.dumps(setup))
    assert list(stats_of(device(good, log, tmp_path, "-s", path)(STATS).decode()))[3] == "T0 -> BRISC FW start"
    for broken, words in (({"across": "chip"}, "across"), ({"type": "op_first_last"}, "does not go across"), ({"start": {"timerID": -3}}, "timerID"),
                          ({"end": None}, "there is no end")):
        path.write_text(json.dumps({"timerAnalysis": {"x": {**setup["timerAnalysis"]["BRISC to NCRISC"], **broken}}}))
        done = tacho("device", "-d", log, "-o", tmp_path, "-s", path)
        assert done.code == 3 and words in done.err and 'analysis "x"' in done.err


def test_an_analysis_of_one_s_own_that_finds_nothing_is_told(tacho, tmp_path):
    path = tmp_path / "own.json"
    path.write_text(json.dumps({"timerAnalysis": {name: {"across": "core", "type": "adjacent", "start": {"risc": "BRISC", "timerID": 2},
                                                         "end": {"risc": risc, "timerID": 2}} for name, risc in (("there", "NCRISC"), ("not there", "NCRISK"))}}))
    log = DATA / "six" / "multi_core_multi_launch.csv"
    done = tacho("device", "-d", log, "-o", tmp_path, "-s", path, "--no-plots")
    assert done.code == 0 and 'analysis "not there" found nothing' in done.err and '"there"' not in done.err
    done = tacho("device", "-d", log, "-o", tmp_path, "-s", "test_noc", "--no-plots")
    assert 'analysis "NoC For Loop" found nothing' in done.err
    assert "found nothing" not in tacho("device", "-d", log, "-o", tmp_path, "--no-plots").err


def test_a_clock_that_the_log_tells_itself(tacho, tmp_path):
    log = DATA / "six" / "multi_core_multi_launch.csv"
    done = tacho("device", "-d", log, "-o", tmp_path, "--no-plots", "--clock-mhz", "500")
    assert done.code == 0 and "the log tells its clock, 1200 MHz: --clock-mhz is not used" in done.err
    assert (tmp_path / REARRANGED).read_text().startswith("Clock Frequency [MHz],1200\n")


def test_the_log_is_not_written_over(tacho, tmp_path):
    log = tmp_path / STATS
    log.write_bytes((DATA / "six" / "multi_core_multi_launch.csv").read_bytes())
    before = log.read_bytes()
    done = tacho("device", "-d", log, "-o", tmp_path, "--no-plots")
    assert done.code == 2 and "is an input too" in done.err and log.read_bytes() == before


def test_named_setups_come_before_the_defaults(good, tmp_path):
    log = tmp_path / "x.csv"
    log.write_text((DATA / "six" / "full_buffer_nc_risc.csv").read_text().replace("NCRISC, 6,", "NCRISC, 5,"))
    made = device(good, log, tmp_path, "-s", "test_full_buffer")
    assert stats_of(made(STATS).decode())["Marker Repeat"]["Count"] == 33
    assert list(stats_of(made(STATS).decode()))[0] == "Marker Repeat"
    assert list(json.loads(made(ANALYSIS))["setup"]["timerAnalysis"])[3:5] == ["BRISC kernel start -> BRISC kernel end", "Marker Repeat"]


# ---- Newer logs ----


def op_rows(op, start, cores=((1, 1), (2, 1)), **more):
    rows = []
    for core in cores:
        for risc, late in (("BRISC", 0), ("NCRISC", 500)):
            for name, kind, time in ((f"{risc}-FW", "ZONE_START", 0), (f"{risc}-KERNEL", "ZONE_START", 100), (f"{risc}-KERNEL", "ZONE_END", 900),
                                     (f"{risc}-FW", "ZONE_END", 1000)):
                rows.append(zone(risc, start + late + time, name, kind, op, core, **more))
    return rows


def test_replays_of_a_trace_are_ops_of_their_own(good, tmp_path):
    rows = []
    for replay in (1, 2, 3):
        for op in (1024, 2048):
            rows += op_rows(op, 10_000 * (2 * replay + (op > 1024)), trace="7", replay=str(replay))
    made = device(good, write_log(tmp_path / "x.csv", rows), tmp_path)
    assert stats_of(made(STATS).decode())["device_fw_duration"] == {"Count": 6, "Average": 1500, "Max": 1500, "Median": 1500, "Min": 1500, "Sum": 9000,
                                                                    "Range": 0}
    ops = json.loads(made(ANALYSIS))["data"]["devices"]["0"]["cores"]["DEVICE"]["ops"]
    assert [(op["run_host_id"], op["trace_id"], op["trace_id_counter"]) for op in ops] == [(1024, 7, 1), (2048, 7, 1), (1024, 7, 2), (2048, 7, 2),
                                                                                          (1024, 7, 3), (2048, 7, 3)]


def test_repetitions_without_a_counter_are_split_at_the_master(good, tmp_path):
    rows = op_rows(1024, 10_000) + op_rows(1024, 30_000) + op_rows(1024, 50_000)
    made = device(good, write_log(tmp_path / "x.csv", rows), tmp_path)
    assert stats_of(made(STATS).decode())["device_fw_duration"]["Count"] == 3
    assert stats_of(made(STATS).decode())["device_fw_duration"]["Max"] == 1500
    none = stats_of(device(good, tmp_path / "x.csv", tmp_path, "--no-op-detection")(STATS).decode())
    assert list(none) == ["op2op"]


def test_sums_events_and_metadata(good, tmp_path):
    rows = op_rows(1024, 10_000)
    rows += [zone("TRISC_0", 10_300 + i, "CB-COMPUTE-WAIT-FRONT", "ZONE_TOTAL", data=40 + i) for i in range(2)]
    rows += [zone("BRISC", 10_400, "", "TS_DATA", data=2**64 - 1, meta='{"counter type":"FPU_COUNTER";"ref cnt":1000;"value":600}')]
    made = device(good, write_log(tmp_path / "x.csv", rows), tmp_path, "--strict")
    assert stats_of(made(STATS).decode())["device_compute_cb_wait_front"] == {"Duration": 81}
    assert json.loads(made(ANALYSIS))["data"]["devices"]["0"]["cores"]["DEVICE"]["events"] == {"perf_counter_data": 1}
    good("convert", tmp_path / "x.csv", "-o", tmp_path / "x.json")
    assert "FPU_COUNTER" in (tmp_path / "x.json").read_text()


def test_sums_of_six_columns_are_no_times(good, tmp_path):
    lines = (DATA / "six" / "add_two_ints.csv").read_text().splitlines()
    rows = lines[2:] + ["0, 0, 0, TRISC_0, 3000, 812", "0, 0, 0, TRISC_0, 3000, 88", "0, 0, 0, TRISC_2, 3001, 12"]
    made = device(good, write_log(tmp_path / "x.csv", rows, lines[:2]), tmp_path)
    text = made(STATS).decode()
    assert text.startswith(found(DATA / "six" / "add_two_ints" / STATS).decode())
    assert stats_of(text)["TRISC0 waiting for input (cb_wait_front)"]["Max"] == 812
    assert json.loads(made(ANALYSIS))["data"]["devices"]["0"]["cores"]["(0, 0)"]["riscs"]["TRISC_0"]["sums"] == ["(3000, 812)", "(3000, 88)"]


def test_commands_of_the_queue_belong_to_the_program_that_they_name(good, tmp_path):
    rows = op_rows(1024, 10_000)
    for i, program in enumerate((7, 9)):
        start = 20_000 + 1000 * i
        rows += [zone("BRISC", start, "CQ-DISPATCH", "ZONE_START", 0, (9, 9)), zone("BRISC", start + 10, "CQ_DISPATCH_CMD_WAIT", "ZONE_START", 0, (9, 9)),
                 zone("BRISC", start + 11, "process_cmd", "TS_DATA", 0, (9, 9), data=3, meta="{'workers_runtime_id': %d}" % program),
                 zone("BRISC", start + 60 + i, "CQ_DISPATCH_CMD_WAIT", "ZONE_END", 0, (9, 9)), zone("BRISC", start + 70, "CQ-DISPATCH", "ZONE_END", 0, (9, 9))]
    made = stats_of(device(good, write_log(tmp_path / "x.csv", rows), tmp_path)(STATS).decode())
    assert made["dispatch_total_cq_cmd_op_time"] == {"Count": 2, "Average": 50, "Max": 51, "Median": 50, "Min": 50, "Sum": 101, "Range": 1}
    assert made["device_fw_duration"] == {"Duration": 1500}


def test_nested_zones_in_a_trace(good, tmp_path):
    rows = [zone("BRISC", time, name, kind) for name, kind, time in (
        ("BRISC-FW", "ZONE_START", 100), ("A", "ZONE_START", 110), ("B", "ZONE_START", 120), ("A", "ZONE_START", 130), ("A", "ZONE_END", 140),
        ("B", "ZONE_END", 150), ("A", "ZONE_END", 160), ("BRISC-FW", "ZONE_END", 170))]
    random.Random(3).shuffle(rows)
    done = good("convert", write_log(tmp_path / "x.csv", rows), "-o", tmp_path / "x.csv.out.csv")
    assert "kept" not in done.err
    made = (tmp_path / "x.csv.out.csv").read_text().splitlines()
    ticks = {(line.split(",")[4], line.split(",")[7], line.split(",")[8]) for line in made[1:] if ",risc," in line}
    assert ticks == {("BRISC-FW", "100", "170"), ("A", "110", "160"), ("B", "120", "150"), ("A", "130", "140")}


# ---- Traces ----


def trace_of(good, tmp_path, rows, head=None):
    good("convert", "-q", write_log(tmp_path / "x.csv", rows, head), "-o", tmp_path / "x.pb")
    return perfetto_decode.decode_file(tmp_path / "x.pb")


def test_data_of_a_marker_is_whole_in_a_trace(good, tmp_path):
    values = (0, 7, 2**63 - 1, 2**63, 2**64 - 1)
    rows = op_rows(1024, 10_000) + [zone("BRISC", 10_400 + i, f"value{i}", "TS_DATA", data=value) for i, value in enumerate(values)]
    found_data = {each.name: each.args["data"] for each in trace_of(good, tmp_path, rows).slices if each.name.startswith("value")}
    assert [int(found_data[f"value{i}"]) for i in range(len(values))] == list(values)


def test_a_zone_without_a_name_has_its_number(good, tmp_path):
    rows = op_rows(1024, 10_000) + [zone("BRISC", 10_300, "", "ZONE_START"), zone("BRISC", 10_400, "", "ZONE_END")]
    assert "zone 0" in {each.name for each in trace_of(good, tmp_path, rows).slices}


def test_names_that_are_no_utf8_become_text(good, tmp_path):
    log = write_log(tmp_path / "x.csv", op_rows(1024, 10_000) + [zone("BRISC", 10_300, "NAME", "ZONE_START"), zone("BRISC", 10_400, "NAME", "ZONE_END")])
    log.write_bytes(log.read_bytes().replace(b"NAME", b"a\xff\xfe\xc3\xbc\xe2\x82"))
    good("convert", "-q", log, "-o", tmp_path / "x.pb")
    data = (tmp_path / "x.pb").read_bytes()
    assert b"a??\xc3\xbc??" in data and b"\xff\xfe" not in data


def test_the_overview_tells_of_cores(good, tmp_path):
    trace = trace_of(good, tmp_path, op_rows(1024, 10_000) + op_rows(2048, 20_000))
    lines = {trace.path(each.track).rsplit("/", 1)[1]: each.name for each in trace.slices if "Overview" in trace.path(each.track)}
    assert lines == {"OVERALL": "OVERALL: 11.500µs", "Cores": "Cores: 3.000µs (26.09%)", "Idle": "Idle: 8.500µs (73.91%)"}


# ---- tables ----------------------------------------------------------------------------------------------------------------------


def test_tables_of_a_log(good, tacho, tmp_path):
    log = tool.DATA / "tt-device" / "fifteen" / "add_two_ints.csv"
    analyses = json.loads(good("device", "-q", log, "--table", "analyses", "--json", cwd=tmp_path).text)
    assert analyses["name"] == "analyses" and analyses["rows"][0]["duration"] == "op2op" and analyses["rows"][0]["count"] == 3
    cores = json.loads(good("device", "-q", log, "--table", "cores", "--filter", "duration~kernels", "--json", cwd=tmp_path).text)["rows"]
    assert [(row["x"], row["y"], row["median"]) for row in cores] == [(1, 1, 188)]
    ops = json.loads(good("device", "-q", log, "--table", "ops", "--sort", "-start", "--columns", "op,start,cycles,time", "--json", cwd=tmp_path).text)
    assert ops["rows"] == [{"op": "op 2048", "start": 461940, "cycles": 3871, "time": 3226}, {"op": "op 1024", "start": 0, "cycles": 3871, "time": 3226}]
    assert not list(tmp_path.iterdir())
    assert good("device", "-q", log, "--sort", "-count", "--limit", "1", cwd=tmp_path).text.count("op2op") == 1
    assert "median" in good("device", "-q", log, "--columns", "help", cwd=tmp_path).text
    assert tacho("device", log, "--table", "chips", cwd=tmp_path).code == 2


def test_json_names_the_files(good, tmp_path):
    log = tool.DATA / "tt-device" / "fifteen" / "add_two_ints.csv"
    made = json.loads(good("device", "-q", log, "-o", tmp_path / "out", "--json").text)
    assert made["name"] == "analyses"
    assert {note.rsplit("/", 1)[1] for note in made["notes"]} == {path.name for path in (tmp_path / "out").iterdir()}


def test_a_compressed_log_that_is_cut_off_is_used_as_far_as_it_goes(tacho, tmp_path):
    """C8: as a plain one that is cut off."""
    head, *rows = (tool.DATA / "tt-device" / "fifteen" / "add_two_ints.csv").read_text().splitlines(True)[1:]
    arch = (tool.DATA / "tt-device" / "fifteen" / "add_two_ints.csv").read_text().splitlines(True)[0]
    random.seed(1)
    text = arch + head + "".join(re.sub(r",(\d{8,}),", lambda found: f",{int(found[1]) + random.randrange(10**9)},", row, count=1) for row in rows * 500)
    path = tmp_path / "cut.csv.gz"
    path.write_bytes(gzip.compress(text.encode())[:-500])
    result = tacho("device", path, "--table", "analyses", cwd=tmp_path)
    assert result.code == 0 and "cut off or damaged" in result.err
    assert tacho("device", "--strict", path, "--table", "analyses", cwd=tmp_path).code == 3
