"""Device logs that lack something: there is a report, every row is used or lost, and standard error says what it means."""
import itertools
import json
import random
import re

import pytest

import goldens_tenstorrent as goldens
import tool
import tt_reference as reference

DATA = tool.DATA / "tt-device"
LOGS = ["six/grayskull_new_header.csv.gz", "six/multi_core_multi_launch.csv", "six/wormhole_multi_core.csv.gz", "fifteen/grayskull_new_header.csv.gz",
        "fifteen/multi_core_multi_launch.csv", "twelve/compute.csv.gz"]
STATS = goldens.STATS


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


def unpaired(rows):
    """(starts without an end, ends without a start, pairs) of firmware and kernels, RISC by RISC."""
    lanes = {}
    for fields in rows:
        if len(fields) == 6:
            kind = {"1": ("FW", True), "2": ("KERNEL", True), "3": ("KERNEL", False), "4": ("FW", False)}.get(fields[4])
        else:
            zone = re.fullmatch(r"\w+-(FW|KERNEL)", fields[-5])
            kind = (zone[1], fields[-4] in ("begin", "ZONE_START")) if zone else None
        if kind:
            lanes.setdefault(tuple(fields[:4]), []).append((int(fields[5]), *kind))
    starts = ends = pairs = 0
    for markers in lanes.values():
        for zone in ("FW", "KERNEL"):
            opened = False
            for _, name, begins in sorted(markers, key=lambda marker: marker[0]):
                if name == zone:
                    starts += opened and begins
                    pairs += opened and not begins
                    ends += not opened and not begins
                    opened = begins
            starts += opened
    return starts, ends, pairs


@pytest.mark.parametrize("name", [name for name in LOGS if "twelve" not in name])
@pytest.mark.parametrize("seed", range(3))
def test_a_fifth_of_the_rows_is_missing(report, name, seed):
    lines = lines_of(name)
    luck = random.Random(seed)
    kept = [line for line in lines[2:] if luck.random() > 0.2]
    found = report(lines[:2] + kept)
    assert found.rows["used"] == len(kept) and found.rows["lost"] == 0
    told = re.search(r"markers are missing: of firmware and kernels, (\d+) starts have no end and (\d+) ends no start, (\d+) have both; first at "
                     r"cycle (\d+) on chip 0, core \((\d+), (\d+)\), (\w+)", found.err)
    rows = [[field.strip() for field in line.split(",")] for line in kept]
    assert tuple(int(number) for number in told.groups()[:3]) == unpaired(rows)
    # The place that is named is a row of the log.
    assert any((row[1], row[2], row[3], row[5]) == (told[5], told[6], told[7], told[4]) for row in rows)
    if "six" in name:
        assert found.stats == reference.numbered_stats("\n".join(lines[:2] + kept)) or "wormhole" in name
    else:
        zones = reference.zones_of("\n".join(lines[:2] + kept))
        assert found.stats == reference.zoned_stats(zones, reference.ops_of(zones))
        assert "seems shorter" in found.err and "reach from one launch" not in found.err


def test_durations_that_reach_over_a_launch_are_told(report):
    """The end of one kernel and the start of the next are missing: the duration between the others is no kernel's."""
    lines = lines_of("six/multi_core_multi_launch.csv")
    gone = {"0, 0, 0, BRISC, 3, 154926163483152", "0, 0, 0, BRISC, 2, 154926164037193"}
    assert gone < set(lines)
    found = report([line for line in lines if line not in gone])
    assert "1 kernel durations or more reach from one launch into another" in found.err and "averages and maxima are too large" in found.err
    assert found.values["BRISC kernel start -> BRISC kernel end"]["Max"] == 154926164037268 - 154926163483077
    assert "reach from" not in report(lines).err


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
