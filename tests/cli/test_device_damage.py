"""Device logs that lack something: there is a report, every row is used or lost, what is shown is true, and standard error says what is not."""
import csv
import functools
import itertools
import json
import random
import re

import pytest

import goldens_tenstorrent as goldens
import tool
import tt_reference as reference
from test_device_properties import known_by_core

DATA = tool.DATA / "tt-device"
LOGS = ["six/grayskull_new_header.csv.gz", "six/multi_core_multi_launch.csv", "six/wormhole_multi_core.csv.gz", "fifteen/grayskull_new_header.csv.gz",
        "fifteen/multi_core_multi_launch.csv", "twelve/compute.csv.gz"]
STATS = goldens.STATS


@functools.cache
def lines_of(name):
    return goldens.content(DATA / name).decode().splitlines()


def write(path, lines, end="\n", last=True):
    path.write_bytes((end.join(lines) + (end if last else "")).encode())
    return path


class Report:
    """What `tacho device` makes of a log that may be damaged: it always makes something of it."""

    def __init__(self, path, folder):
        done = tool.good("device", "-d", path, "-o", folder, "--no-plots")
        self.err = done.err
        self.stats = (folder / STATS).read_text()
        self.values = goldens.values_of(self.stats)
        self.data = json.loads((folder / goldens.ANALYSIS).read_bytes())["data"]["devices"]
        self.rows = json.loads(tool.good("summary", "--json", path).text)["rows"]
        assert self.rows["read"] == self.rows["used"] + self.rows["lost"]
        found = re.search(r"(\d+) of (\d+) rows lost", self.err)
        assert (int(found[1]) if found else 0) == self.rows["lost"]
        # Every row that was used is a marker in the report.
        markers = sum(len(risc["timeseries"]) - 1 for chip in self.data.values() for core, found in chip["cores"].items() if core != "DEVICE"
                      for name, risc in found["riscs"].items() if name != "TENSIX")
        assert markers == self.rows["used"]


@pytest.fixture
def report(tmp_path):
    made = itertools.count()
    return lambda lines, **how: Report(write(tmp_path / f"{next(made)}.csv", lines, **how), tmp_path / f"out{next(made)}")


def text_of(lines):
    return "\n".join(lines)


def lost_numbers(lines):
    """1 to 4 as often as they are missing."""
    if lines[2].count(",") == 5:
        chip = numbered(lines)
        return [lost[0] for core in chip.cores for lost in chip.lost(core)]
    zones = reference.zones_of(text_of(lines))
    return [lost[0] for some in reference.lost_by_lane(zones).values() for lost in some]


@pytest.mark.parametrize("name", [name for name in LOGS if "twelve" not in name])
@pytest.mark.parametrize("seed", range(3))
def test_a_fifth_of_the_rows_is_missing(report, name, seed):
    lines = lines_of(name)
    luck = random.Random(seed)
    kept = [line for line in lines[2:] if luck.random() > 0.2]
    found = report(lines[:2] + kept)
    assert found.rows["used"] == len(kept) and found.rows["lost"] == 0
    told = re.search(r"markers are missing: of firmware and kernels, (\d+) starts and (\d+) ends are not there, (\d+) have both; the first is told by "
                     r"cycle (\d+) on chip 0, core \((\d+), (\d+)\), (\w+)", found.err)
    rows = [[field.strip() for field in line.split(",")] for line in kept]
    gone = lost_numbers(lines[:2] + kept)
    assert (int(told[1]), int(told[2])) == (sum(number < 3 for number in gone), sum(number > 2 for number in gone))
    # The place that is named is a row of the log.
    assert any((row[1], row[2], row[3], row[5]) == (told[5], told[6], told[7], told[4]) for row in rows)
    if "six" in name:
        assert found.stats == reference.numbered_stats(text_of(lines[:2] + kept), lossless=True) or "wormhole" in name
        assert "the files of a log with numbers have them nevertheless, as the original does; tables do not" in found.err
    else:
        zones = reference.zones_of(text_of(lines[:2] + kept))
        assert found.stats == reference.zoned_stats(zones, reference.ops_of(zones))


# ---- What is shown is true ----

RULES = {
    "kernel ends": lambda lines, luck: [line for line in lines if not re.search(r"KERNEL,ZONE_END|, 3, \d+$", line)],
    "kernel starts": lambda lines, luck: [line for line in lines if not re.search(r"KERNEL,ZONE_START|, 2, \d+$", line)],
    "firmware ends": lambda lines, luck: [line for line in lines if not re.search(r"FW,ZONE_END|, 4, \d+$", line)],
    "firmware starts": lambda lines, luck: [line for line in lines if not re.search(r"FW,ZONE_START|, 1, \d+$", line)],
    "every fourth": lambda lines, luck: [line for number, line in enumerate(lines) if number % 4 != 3],
    "every seventh": lambda lines, luck: [line for number, line in enumerate(lines) if number % 7],
    "every fifth and its neighbour": lambda lines, luck: [line for number, line in enumerate(lines) if number % 5 > 1],
    "one": lambda lines, luck: [line for number, line in enumerate(lines) if number != luck],
    "some": lambda lines, luck: [line for line in lines if random.Random(f"{luck}{line}").random() > 0.02],
    "a fifth": lambda lines, luck: [line for line in lines if random.Random(f"{luck}{line}").random() > 0.2],
    "half": lambda lines, luck: [line for line in lines if random.Random(f"{luck}{line}").random() > 0.5],
    "the end": lambda lines, luck: lines[:len(lines) * (luck + 1) // 12],
}
CASES = [(rule, luck) for rule in RULES for luck in (range(10) if rule in ("one", "some", "a fifth", "half", "the end") else [0])]


def place_of(line):
    """Which lane and program a row is of."""
    fields = [field.strip() for field in line.split(",")]
    return tuple(fields[:4]) + tuple(fields[7:8])


def traceless(lines, kept):
    """Lanes that have lost all that one program logged there, or of a log with numbers so much at once that launches run together."""
    there = {}
    for line in lines:
        there.setdefault(place_of(line), []).append(line)
    made = set()
    for place, rows in there.items():
        marks = [line in kept for line in rows if len(place) > 4 or line.split(", ")[4] in "1234"]
        least = len(marks) if len(place) > 4 else 4 if any(line.split(", ")[4] == "1" for line in rows) else 2
        if any(not any(marks[first:first + least]) for first in range(len(marks) - least + 1)):
            made.add(place)
    return made


def ops_rows(tmp_path, name, lines):
    """{run host ID: row} of `tacho ops` for a device log alone, and what standard error says."""
    folder = tmp_path / name
    folder.mkdir()
    write(folder / "profile_log_device.csv", lines)
    done = tool.good("ops", "-i", folder, "-o", folder / "out", variables={"TT_METAL_HOME": None, "TT_METAL_PROFILER_DIR": None})
    table, = (folder / "out").glob("*.csv") if not (folder / "out" / goldens.OP_RESULTS).exists() else [folder / "out" / goldens.OP_RESULTS]
    return {row["GLOBAL CALL COUNT"]: row for row in csv.DictReader(table.open(newline=""))}, done.err


@pytest.fixture(scope="module")
def whole_ops(tmp_path_factory):
    """The rows of a log that lacks nothing."""
    return functools.cache(lambda name: ops_rows(tmp_path_factory.mktemp("whole"), "log", lines_of(name))[0])


@pytest.mark.parametrize("rule,luck", CASES)
@pytest.mark.parametrize("name", ["fifteen/multi_core_multi_launch.csv", "fifteen/grayskull_new_header.csv.gz"])
def test_every_duration_of_an_op_is_true_or_not_known(tmp_path, whole_ops, name, rule, luck):
    lines = lines_of(name)
    kept = RULES[rule](lines[2:], luck)
    whole = whole_ops(name)
    rows, said = ops_rows(tmp_path, "damaged", lines[:2] + kept)
    lost = reference.lost_of_ops(reference.zones_of(text_of(lines[:2] + kept)))
    gone = {place[4] for place in traceless(lines[2:], set(kept))}
    whole_cores = {(place[1], place[2], place[4]) for place in map(place_of, lines[2:])} - {(place[1], place[2], place[4]) for place in map(place_of, kept)}
    damaged = 0
    for call, row in rows.items():
        durations = {column: value for column, value in row.items() if column.startswith(("DEVICE", "OP TO OP")) and "[ns]" in column and value}
        # Of a core, or of an op, that lost nothing but whole RISCs, no marker tells that there was more.
        if call not in {core[2] for core in whole_cores} and (call not in gone or any(program[0] == int(call) for program in lost)):
            wrong = {column: (value, whole[call].get(column)) for column, value in durations.items()
                     if value != whole[call].get(column) and not (column.startswith("OP TO OP") and (gone or rows.keys() != whole.keys()))}
            assert not wrong, (call, wrong)
        names = [name for name, column in reference.OP_COLUMNS.items()
                 if any(program[0] == int(call) and not reference.is_known(name, some) for program, some in lost.items())]
        assert not any(durations.get(reference.OP_COLUMNS[name] + " [ns]") for name in names)
        damaged += bool(names)
    assert (f"{damaged} x op that has lost starts or ends" in said) == bool(damaged)


def numbered(lines):
    return reference.Numbered(reference.fields_of(text_of(lines)), "0")


@functools.cache
def whole_analyses(name):
    return numbered(lines_of(name)).analyses()


@pytest.mark.parametrize("rule,luck", CASES)
@pytest.mark.parametrize("name", ["six/multi_core_multi_launch.csv", "six/grayskull_new_header.csv.gz"])
def test_every_duration_between_numbers_is_true_or_not_known(tmp_path, name, rule, luck):
    """The slow reading knows no pair that the whole log does not have; the tool has the statistics of these pairs."""
    lines = lines_of(name)
    kept = RULES[rule](lines[2:], luck)
    left, truth = numbered(lines[:2] + kept), whole_analyses(name)
    gone = {(int(place[1]), int(place[2])) for place in traceless(lines[2:], set(kept))}
    for analysis, (cores, pairs) in left.analyses().items():
        for core, found in cores.items():
            assert core in gone or (gone and analysis.startswith("T0")) or set(found) <= set(truth[analysis][0][core]), (analysis, core)
        assert gone or {(one[0], other[0]) for one, other in pairs} <= {(one[0], other[0]) for one, other in truth[analysis][1]}
    assert known_by_core(write(tmp_path / "x.csv", lines[:2] + kept)) == reference.known_by_core(left)


def test_what_rests_on_a_lost_marker_is_not_known(good, tmp_path):
    """All kernel ends are lost: no kernel has a duration, in no table, and nothing is made of one."""
    lines = lines_of("fifteen/multi_core_multi_launch.csv")
    path = write(tmp_path / "x.csv", lines[:2] + RULES["kernel ends"](lines[2:], 0))
    rows = {row["duration"]: row for row in json.loads(good("device", path, "--table", "analyses", "--json").text)["rows"]}
    assert rows["device_kernel_duration"]["count"] == 0 and rows["device_kernel_duration"]["unknown"] == 2
    assert rows["device_kernel_duration"]["average"] is None
    assert rows["device_kernel_first_to_last_start"]["count"] == 2 and rows["device_fw_duration"]["sum"] == 7852
    said = good("device", path, "--table", "analyses").err
    assert "0 starts and 8 ends are not there, 8 have both" in said and "not known: 12 of 16" in said
    cores = json.loads(good("device", path, "--table", "cores", "--json").text)["rows"]
    assert [row["unknown"] for row in cores if row["duration"].startswith("Time in kernels")] == [4, 4]
    report, _ = ops_rows(tmp_path, "ops", lines[:2] + RULES["kernel ends"](lines[2:], 0))
    for row in report.values():
        assert not any(value for column, value in row.items() if "KERNEL DURATION" in column) and row["DEVICE FW DURATION [ns]"]
    assert report["1024"]["OP TO OP LATENCY [ns]"] == "0" and report["2048"]["OP TO OP LATENCY [ns]"] == ""
    ends = write(tmp_path / "y.csv", lines[:2] + RULES["firmware ends"](lines[2:], 0))
    ops = json.loads(good("device", ends, "--table", "ops", "--json").text)["rows"]
    assert [row["time"] for row in ops] == [None, None]


def test_durations_that_reach_over_a_launch_are_none(tmp_path):
    """The end of one kernel and the start of the next are missing: the duration between the others is no kernel's."""
    lines = lines_of("six/multi_core_multi_launch.csv")
    gone = {"0, 0, 0, BRISC, 3, 154926163483152", "0, 0, 0, BRISC, 2, 154926164037193"}
    assert gone < set(lines)
    path = write(tmp_path / "x.csv", [line for line in lines if line not in gone])
    kernel = 0, 0, "BRISC kernel start -> BRISC kernel end"
    assert known_by_core(DATA / "six" / "multi_core_multi_launch.csv")[kernel][0] == 2 and kernel not in known_by_core(path)
    said = tool.good("device", path, "-o", tmp_path, "--no-plots").err
    assert "1 starts and 1 ends are not there" in said and "not known: 2 of" in said


def test_zones_stay_in_their_program(good, tmp_path):
    """Busy times of a log that names programs do not grow when markers are missing."""
    lines = lines_of("fifteen/grayskull_new_header.csv.gz")
    whole = json.loads(good("summary", "--json", DATA / "fifteen" / "grayskull_new_header.csv.gz").text)
    for seed in range(3):
        luck = random.Random(seed)
        path = write(tmp_path / "x.csv", lines[:2] + [line for line in lines[2:] if luck.random() > 0.2])
        found = json.loads(good("summary", "--json", path).text)
        assert found["cores_time"] <= whole["cores_time"] and found["cores_time"] > 0.9 * whole["cores_time"]
    six = lines_of("six/grayskull_new_header.csv.gz")
    path = write(tmp_path / "x.csv", six[:2] + [line for line in six[2:] if luck.random() > 0.2])
    assert "busy times are too large" in good("convert", path, "-o", tmp_path / "x.pb").err


@pytest.mark.parametrize("name", LOGS)
def test_two_chips(report, name):
    lines = lines_of(name)
    whole = report(lines)
    found = report(lines + [re.sub(r"^0", "3", line) for line in lines[2:]])
    assert found.rows["used"] == 2 * whole.rows["used"] and list(found.data) == ["0", "3"]
    assert found.stats.count("\nchip 3\n") == 1
    one, other = found.stats.removeprefix("chip 0\n").split("\nchip 3\n")
    assert one.strip() == other.strip() == whole.stats.strip()


@pytest.mark.parametrize("name", LOGS)
def test_notices_of_dropped_markers(report, name):
    lines = lines_of(name)
    notices = ["14 device markers on device 0 worker core 1,2 risc BRISC were dropped",
               "Profiler DRAM buffers were full, markers were dropped! device 0, worker core 3, 4, Risc BRISC"]
    found = report(lines[:9] + notices + lines[9:])
    assert "the device dropped markers because its buffers were full: 2 notices, the first in line 10, of 15 markers or more" in found.err
    assert found.rows["lost"] == 0 and found.stats == report(lines).stats
    assert "1 notice, the first in line 3, of 14 markers" in report(lines[:2] + notices[:1] + lines[2:]).err


CHANGES = [("six", "fifteen", 6, 15), ("fifteen", "six", 15, 6), ("twelve", "fifteen", 12, 15), ("six", "twelve", 6, 12)]


@pytest.mark.parametrize("first,second,few,many", CHANGES)
@pytest.mark.parametrize("headed", [True, False])
def test_a_log_that_changes_its_generation(report, first, second, few, many, headed):
    one, other = lines_of(f"{first}/multi_core_multi_launch.csv"), lines_of(f"{second}/multi_core_multi_launch.csv")
    found = report(one + other[0 if headed else 2:])
    assert found.rows["lost"] == 0 and found.rows["used"] == len(one) + len(other) - 4
    assert f"the log changes its generation: from line {len(one) + (2 if headed else 1)} on rows have {many} columns, not {few}" in found.err
    assert ("under two numbers" in found.err) == ("six" in (first, second))
    assert found.values


@pytest.mark.parametrize("first,second,few,many", CHANGES)
def test_a_header_of_another_generation(report, first, second, few, many):
    one, other = lines_of(f"{first}/multi_core_multi_launch.csv"), lines_of(f"{second}/multi_core_multi_launch.csv")
    found = report(one[:2] + other[2:])
    assert f"from line 3 on rows have {many} columns, not {few}" in found.err and found.rows["lost"] == 0
    assert found.stats == report(other).stats


@pytest.mark.parametrize("name", ["six/multi_core_multi_launch.csv", "fifteen/multi_core_multi_launch.csv"])
def test_a_file_that_ends_anywhere(report, name):
    """Cut at every byte of its last two lines: whole rows are used, what is left of a row never passes for one."""
    text = "\n".join(lines_of(name))
    rows = text.count("\n") - 1
    before = text.rindex("\n", 0, text.rindex("\n"))
    for end in range(before + 1, len(text) + 1):
        cut = text[:end]
        found = report([cut], last=False)
        last = cut[cut.rindex("\n") + 1:]
        whole = last in text.splitlines() or not last
        if name.startswith("fifteen") and last.count(",") == 14:
            whole = True  # nothing but the end of the last, empty field is missing
        lines = cut.count("\n") - 2 + (1 if last else 0)
        assert found.rows["read"] == lines, end
        assert found.rows["lost"] == (0 if whole else 1), last
        assert ("a last line that is cut off" in found.err) == (not whole)
        assert ("(kept)" in found.err) == (whole and bool(last))
    assert rows == found.rows["read"]


@pytest.mark.parametrize("name", LOGS)
def test_line_ends(report, name):
    lines = lines_of(name)
    whole = report(lines)
    for found in (report(lines, end="\r\n"), report(lines, last=False), report(lines, end="\r\n", last=False), report(lines + ["", ""])):
        assert found.stats == whole.stats and found.rows["lost"] == 0


@pytest.mark.parametrize("name", [name for name in LOGS if "twelve" not in name])
@pytest.mark.parametrize("seed", range(2))
def test_shuffled_rows(report, name, seed):
    """Rows of one time on one RISC keep their order in no log; all others may come in any order."""
    lines = lines_of(name)
    rows = lines[2:]
    random.Random(seed).shuffle(rows)
    whole, found = report(lines), report(lines[:2] + rows)
    assert found.stats == whole.stats and found.rows == whole.rows
    assert ("missing" in found.err) == ("missing" in whole.err)


def test_a_zone_may_be_called_like_a_notice(report):
    lines = lines_of("fifteen/multi_core_multi_launch.csv")
    rows = [line.replace("BRISC-KERNEL", "markers-dropped") for line in lines[2:]]
    made = report(lines[:2] + rows)
    assert made.rows == {"read": len(rows), "used": len(rows), "lost": 0, "reasons": {}} and "dropped markers" not in made.err


def test_a_notice_with_a_prefix_is_one_of_its_buffer(report):
    lines = lines_of("six/add_two_ints.csv")
    notice = "2026-01-02 03:04:05.678 | WARNING | Profiler DRAM buffers were full, markers were dropped! device 0 , worker core 7 , 1, Risc NCRISC"
    assert "1 notice, the first in line 6, of 1 markers or more" in report(lines[:5] + [notice] + lines[5:]).err


@pytest.mark.parametrize("first,mhz,note", [
    ("Chip clock is at 1.2 GHz", 1200, None), ("Chip clock is at 0.9 GHz", 900, None), ("Chip clock is at fast", 1202, "does not tell the chip's clock"),
    ("ARCH: grayskull", 1202, "does not tell the chip's clock"), ("", 1202, "tells no clock"), (None, 1202, "tells no clock"),
    ("a line of something else", 1202, "1 x a number that cannot be read (line 1)")])
def test_first_lines(tmp_path, first, mhz, note):
    lines = lines_of("six/add_two_ints.csv")
    path = write(tmp_path / "x.csv", ([] if first is None else [first]) + lines[1:])
    done = tool.good("device", "-d", path, "-o", tmp_path, "--no-plots", "--no-artifacts")
    assert (tmp_path / "device_rearranged_timestamps.csv").read_text().startswith(f"Clock Frequency [MHz],{mhz}\n")
    assert note in done.err if note else not done.err
    assert ("DRAM0" in done.text) == bool(first and first[:4] in ("Chip", "ARCH"))  # the map of the chip that was named


def test_why_no_row_can_be_used(tmp_path):
    lines = lines_of("six/add_two_ints.csv")
    path = write(tmp_path / "x.csv", lines[:2] + ["9999" + line for line in lines[2:]])
    done = tool.run("device", "-d", path, "-o", tmp_path)
    assert done.code == 3 and "none of its 16 rows can be used as tt-device: 16 x a number that cannot be read (lines 3, 4, 5, 6, ...)" in done.err


def test_six_columns_are_in_no_op(report):
    made = report(lines_of("six/add_two_ints.csv") + lines_of("fifteen/multi_core_multi_launch.csv"))
    assert "rows of six columns name no program: they are in no analysis of ops" in made.err


def test_carriage_returns_alone_are_no_line_ends(tmp_path):
    path = write(tmp_path / "x.csv", lines_of("six/add_two_ints.csv"), end="\r")
    done = tool.run("device", "-d", path, "-o", tmp_path)
    assert done.code == 3 and f"{path}:1:1: its lines end with carriage returns alone" in done.err


def test_nothing_of_a_hostile_name_reaches_the_terminal(report):
    lines = lines_of("six/add_two_ints.csv")
    made = report(lines + ["0, 0, 0, BR\x1b[2JISC, 1, 619831471167107"])
    assert "\x1b" not in made.err and "1 x bytes that are no text (line 19)" in made.err
