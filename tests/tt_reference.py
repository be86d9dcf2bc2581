"""A second, slow reading of Tenstorrent's device logs: everything in lists, one obvious pass for each question.

It knows the analyses by what they mean, shares nothing with the tool, and gives what the tool must give: the statistics, the core map
and the rearranged times of a log with numbers; the ops of a log with zones, as they are and as tt-metal's newest script splits them.
Where markers were lost, it gives what can still be known, and with `lossless` what the originals make of the rest.
"""
import collections
import csv
import functools
import io
import statistics

KERNELS = ("BRISC-KERNEL", "NCRISC-KERNEL", "TRISC-KERNEL", "ERISC-KERNEL", "TENSIX_RISC_AGG-KERNEL", "DM-KERNEL")
FIRMWARES = tuple(name.replace("KERNEL", "FW") for name in KERNELS)
MOVERS = ("BRISC-KERNEL", "NCRISC-KERNEL", "ERISC-KERNEL")
SHOWN_NUMBERED = ("Count", "Average", "Max", "Median", "Min")
SHOWN_ZONED = ("Count", "Average", "Max", "Median", "Min", "Sum", "Range")


def fields_of(text):
    """Rows below the two lines of the header, fields without blanks."""
    return [[field.strip() for field in line.split(",")] for line in text.splitlines()[2:] if line.strip()]


def clock_of(text):
    """(architecture, MHz) of the first line."""
    line = text.splitlines()[0]
    if line.startswith("Chip clock"):
        return "grayskull", 1200
    parts = [part.rpartition(":")[2].strip() for part in line.split(",")]
    return parts[0], int(parts[1])


def statistics_of(samples):
    return {"Average": sum(samples) / len(samples), "Count": len(samples), "First": samples[0], "Max": max(samples),
            "Median": float(statistics.median(samples)), "Min": min(samples), "Range": max(samples) - min(samples), "Sum": sum(samples)}


def summary_of(series):
    """Of several series with samples: the median is that of their medians."""
    every = [sample for samples in series for sample in samples]
    return dict(statistics_of(every), Median=float(statistics.median([statistics.median(samples) for samples in series])))


def adjacent(markers, starts, ends):
    """From the last start before an end to that end."""
    made, pending = [], None
    for marker in markers:
        if pending is not None and ends(marker):
            made.append((pending, marker))
            pending = None
        elif starts(marker):
            pending = marker
    return made


def first_last(markers, starts, ends):
    """From the first start to the last end behind it: none or one."""
    for place, marker in enumerate(markers):
        if starts(marker):
            behind = [later for later in markers[place + 1:] if ends(later)]
            return [(marker, behind[-1])] if behind else []
    return []


# ---- Lost markers ----


def lost_of(markers, firmware):
    """What one RISC lacks, as (number, program, after, before), of its markers (time, number, program) by time: 1 to 4 follow each other,
    round and round, and each program begins anew. `firmware`: the RISC logs 1 and 4. A kernel of which nothing is left may never have been."""
    made, place, time, program = [], 4, float("-inf"), None  # round r has the places 4r + 1 to 4r + 4
    for now, number, own in [*(marker for marker in markers if firmware or marker[1] in (2, 3)), (float("inf"), 1, "end")]:
        turn, last = (place - 1) // 4, (place - 1) % 4 + 1
        again = number == last == 2 and own == program  # programs mark the start of their kernel as often as they like
        target = 4 * turn + number if own == program and (number > last or again) else 4 * (turn + 1) + number
        skipped = [place + 1] if again else range(place + 1, target)
        for gone in skipped:
            kernel = {4 * ((gone - 1) // 4) + 2, 4 * ((gone - 1) // 4) + 3}
            if gone not in kernel or not kernel <= set(skipped):
                made.append(((gone - 1) % 4 + 1, program if (gone - 1) // 4 == turn else own, time, now))
        place, time, program = target, now, own
    return [lost for lost in made if firmware or lost[0] in (2, 3)]


# ---- Logs with numbers ----


class Numbered:
    """A chip of a six-column log. A marker is (time, number, RISC)."""

    def __init__(self, rows, chip):
        self.cores, self.ordered = {}, {}
        for slot, x, y, risc, number, time in rows:
            if slot == chip:
                self.cores.setdefault((int(x), int(y)), {}).setdefault(risc, []).append((int(time), int(number), risc))
        for riscs in self.cores.values():
            for markers in riscs.values():
                markers.sort(key=lambda marker: marker[0])
        self.t0 = min(markers[0][0] for riscs in self.cores.values() for markers in riscs.values())
        # RISCs that log their firmware.
        self.logs = {risc for riscs in self.cores.values() for risc, markers in riscs.items() if {1, 4} & {number for _, number, _ in markers}}

    def series(self, core):
        """All markers of a core by time; T0 of every RISC stands first."""
        if core not in self.ordered:
            made = [marker for risc, markers in self.cores[core].items() for marker in [(self.t0, 0, risc), *markers]]
            self.ordered[core] = sorted(made, key=lambda marker: marker[0])
        return self.ordered[core]

    def device_series(self):
        return sorted((marker for core in self.cores for marker in self.series(core)), key=lambda marker: marker[0])

    def launches(self, core):
        made = []
        for marker in self.series(core):
            if marker[1:] == (1, "BRISC"):
                made.append([])
            if made:
                made[-1].append(marker)
        return made

    def lost(self, core):
        """(number, RISC, after, before) of what a core lacks."""
        return [(number, risc, after, before) for risc, markers in self.cores[core].items() for number, _, after, before in
                lost_of([(time, number, 0) for time, number, _ in markers if 1 <= number <= 4], risc in self.logs)]

    def analyses(self, lossless=False):
        """{name: ({core: pairs}, pairs of the chip)} in the order of the display. A pair is two markers."""
        lost = {core: [] if lossless else self.lost(core) for core in self.cores}
        t0_is_lost = any(after < self.t0 for some in lost.values() for _, _, after, _ in some)

        def of(number, risc=None):
            return lambda marker: marker[1] == number and risc in (None, marker[2])

        def missing(which, core):
            return [(after, before) for number, risc, after, before in lost[core] if which((None, number, risc))]

        def pairs(start, end):
            """Nothing may be missing between the two that could be one of them, and no launch begin on a kernel."""
            def begins(series, one, other):
                return any(marker[1:] == (1, "BRISC") for marker in series[series.index(one) + 1:series.index(other)])

            def known(core, gone, one, other):
                return not (any(after < other[0] and before > one[0] for after, before in gone) or
                            (one[1] == 2 and lost[core] and begins(self.series(core), one, other)) or (t0_is_lost and one[1] == 0))

            gone = {core: missing(start, core) + missing(end, core) for core in self.cores}
            return {core: [pair for pair in adjacent(self.series(core), start, end) if lossless or known(core, gone[core], *pair)]
                    for core in self.cores}, []

        def ends(markers, cores, start, end, begin=float("-inf"), limit=float("inf"), launches=False):
            """Nothing may be missing before the first, nothing behind the last, and no launch inside of one."""
            def known(one, other):
                return not (any(after < one[0] and before > begin and after < limit for core in cores for after, before in missing(start, core)) or
                            any(before > other[0] and before > begin and after < limit for core in cores for after, before in missing(end, core)) or
                            any(before > one[0] and before > begin and after < limit
                                for core in cores for after, before in missing(of(1, "BRISC"), core) if launches) or
                            (t0_is_lost and one[1] == 0))
            return [pair for pair in first_last(markers, start, end) if known(*pair)]

        made = {"T0 -> BRISC FW start": pairs(of(0, "BRISC"), of(1, "BRISC"))}
        for name, risc in (("TRISC0", "TRISC_0"), ("TRISC1", "TRISC_1"), ("TRISC2", "TRISC_2"), ("BRISC", "BRISC"), ("NCRISC", "NCRISC")):
            made[f"{name} kernel start -> {name} kernel end"] = pairs(of(2, risc), of(3, risc))
        launches = {core: [*self.launches(core), [(float("inf"),)]] for core in self.cores}
        made["ANY RISC FW start -> ANY RISC FW end"] = {
            core: [pair for launch, after in zip(some, some[1:]) for pair in ends(launch, [core], of(1), of(4), launch[0][0], after[0][0], True)]
            for core, some in launches.items()}, []
        made["ANY RISC FW end -> BRISC FW start"] = pairs(of(4), of(1, "BRISC"))
        for name, start in (("T0 -> ANY RISC FW end", of(0, "BRISC")), ("BRISC FW start -> ANY RISC FW end", of(1))):
            made[name] = {core: ends(self.series(core), [core], start, of(4)) for core in self.cores}, []
        made["T0 -> ANY CORE ANY RISC FW end"] = {}, ends(self.device_series(), list(self.cores), of(1), of(4))
        return made


def known_by_core(chip):
    """{(x, y, analysis): (count, sum, most, least)} of what is known of a chip's cores."""
    made = {}
    for name, (cores, _) in chip.analyses().items():
        for (x, y), pairs in cores.items():
            samples = [end[0] - start[0] for start, end in pairs]
            if samples:
                made[x, y, name] = len(samples), sum(samples), max(samples), min(samples)
    return made


def count_line(name, value, unit=" [cycles]"):
    return f"{name:>12}{unit:9} = {value:>10,.0f}\n"


def grid(cells):
    """The map of a Grayskull, whose columns of cores lie between rows of DRAM."""
    def line(label, mark, cells_of_line):
        return f"{label:<5}{mark:<3}" + "".join(f"{cell:>17}" for cell in cells_of_line) + "\n"

    def memory(first):
        return [f"DRAM{first + x // 3}" if x % 3 == 0 else "---" for x in range(12)]

    made = line("", "", range(12)) + line("", "", ["=" * 17] * 12) + line("", "", memory(0))
    for row in range(11):
        if row == 5:
            made += line("", "---", memory(4))
        else:
            y = row - (row > 5)
            made += line(f"{y:>2}|| ", {1: "ARC", 3: "PCI"}.get(row, "---"), [cells.get((x, y), "X") for x in range(12)])
    return made + "\n\n\n"


def numbered_stats(text, lossless=False):
    """device_stats.txt of a Grayskull's log of one chip."""
    rows = fields_of(text)
    made = ""
    for name, (cores, whole) in Numbered(rows, rows[0][0]).analyses(lossless).items():
        cores = {core: [end[0] - start[0] for start, end in pairs] for core, pairs in cores.items()}
        whole = [end[0] - start[0] for start, end in whole]
        series = [samples for samples in [*cores.values(), whole] if samples]
        if not series:
            continue
        found = summary_of(series)
        made += f"\n=================== {name} ===================\n"
        if found["Count"] == 1:
            made += count_line("Duration", found["Max"])
        else:
            made += "".join(count_line(key, found[key]) for key in SHOWN_NUMBERED)
        made += "\n"
        if cores:
            cells = {}
            for core, samples in cores.items():
                if samples:
                    spread = f"\N{PLUS-MINUS SIGN}{(max(samples) - min(samples)) // 2:,}" if len(samples) > 1 else ""
                    cells[core] = f"{statistics.median(samples):,.0f}{spread}"
            made += grid(cells)
    return made


def rearranged(text):
    """device_rearranged_timestamps.csv."""
    rows, out = fields_of(text), io.StringIO()
    writer = csv.writer(out)
    for chip in dict.fromkeys(row[0] for row in rows):
        cores = Numbered(rows, chip).cores
        writer.writerow(["Clock Frequency [MHz]", clock_of(text)[1]])
        writer.writerow(["PCIe slot", chip])
        writer.writerow(["core x", "core y"] + [f"{risc} {name}" for risc in ("BRISC", "NCRISC")
                                                for name in ("Firmware Start", "Kernel start", "Kernel End", "Firmware End")])
        for x, y in sorted(cores, key=lambda core: core[0] + 100 * core[1]):
            writer.writerow([x, y] + [" ".join(str(time) for time, found, _ in cores[x, y].get(risc, []) if found == number)
                                      for risc in ("BRISC", "NCRISC") for number in (1, 2, 3, 4)])
    return out.getvalue()


# ---- Logs with zones ----

NUMBERS = {("FW", "ZONE_START"): 1, ("KERNEL", "ZONE_START"): 2, ("KERNEL", "ZONE_END"): 3, ("FW", "ZONE_END"): 4}


class Zone:
    """A row of fifteen columns."""

    def __init__(self, fields):
        self.core = int(fields[1]), int(fields[2])
        self.risc, self.time, self.data = fields[3], int(fields[5]), int(fields[6] or 0)
        self.program = tuple(int(field or -1) for field in fields[7:10])
        self.host_id = self.program[0]
        self.name, self.kind = fields[10], fields[11]
        self.number = NUMBERS.get((self.name.rpartition("-")[2], self.kind), 0)


@functools.lru_cache(maxsize=4)
def zones_of(text):
    """Markers of a chip by time; at equal times as cores and RISCs were first seen."""
    rows = [Zone(fields) for fields in fields_of(text)]
    lanes = {}
    for row in rows:
        riscs = lanes.setdefault(row.core, {})
        riscs.setdefault(row.risc, len(riscs))
    cores = {core: place for place, core in enumerate(lanes)}
    return sorted(rows, key=lambda row: (row.time, cores[row.core], lanes[row.core][row.risc]))


def ops_of(zones):
    """An op is what one program logged; in the order in which they begin."""
    made = {}
    for zone in zones:
        if zone.host_id:
            made.setdefault(zone.program, []).append(zone)
    return list(made.values())


def ops_of_the_original(zones):
    """What tt-metal's script makes of it: an op is over when the BRISC of each of its cores has ended its firmware. What the other RISCs
    log later opens the next op; what no BRISC closes is dropped."""
    made, current, ended = [], [], set()
    for group in ops_of(zones):
        cores = {zone.core for zone in group}
        for zone in group:
            current.append(zone)
            if (zone.name, zone.kind) == ("BRISC-FW", "ZONE_END"):
                ended.add(zone.core)
                if ended == cores:
                    made.append((group[0].host_id, current))
                    current, ended = [], set()
    return [markers for _, markers in made], [host_id for host_id, _ in made]


def lanes_of(zones):
    made = {}
    for zone in zones:
        made.setdefault((zone.core, zone.risc), []).append(zone)
    return made


def logging(zones, numbers):
    """The RISCs that log one of these."""
    return {zone.risc for zone in zones if zone.number in numbers}


def lost_by_lane(zones):
    """{(core, RISC): [(number, program, after, before)]}: what the RISCs of the cores lack."""
    firmware = logging(zones, (1, 4))
    return {lane: lost_of([(zone.time, zone.number, zone.program) for zone in markers if zone.number], lane[1] in firmware)
            for lane, markers in lanes_of(zones).items()}


def lost_of_ops(zones):
    """{program: {(number, RISC)}}: what is not known of an op. Where one marker is missing others may be, of which no trace is left: on each
    core of the op each RISC should have what it has elsewhere."""
    made = {}
    for lane, lost in lost_by_lane(zones).items():
        for number, program, _, _ in lost:
            made.setdefault(program, set()).add((number, lane[1]))
    kernels, firmwares = logging(zones, (2, 3)), logging(zones, (1, 4))
    for markers in ops_of(zones):
        program = markers[0].program
        if program not in made:
            continue
        cores = {zone.core for zone in markers}
        there = collections.Counter((zone.number, zone.risc) for zone in markers)
        cut = {risc for number, risc in made[program] if number in (1, 4)}  # its kernel may have been lost with it
        for numbers, expected in (((2, 3), kernels | cut), ((1, 4), firmwares)):
            made[program] |= {(number, risc) for number in numbers for risc in expected if there[number, risc] < len(cores)}
    return made


def among(names, risc=None, kind=None):
    return lambda zone: zone.name in names and risc in (None, zone.risc) and kind in (None, zone.kind)


OP_ANALYSES = {
    "device_kernel_first_to_last_start": (among(KERNELS, kind="ZONE_START"), among(KERNELS, kind="ZONE_START")),
    "device_kernel_duration_per_core": (among(KERNELS), among(KERNELS)),
    "device_fw_duration": (among(FIRMWARES), among(FIRMWARES)),
    "device_kernel_duration": (among(KERNELS), among(KERNELS)),
    "device_kernel_duration_dm_start": (among(MOVERS), among(KERNELS)),
    "device_brisc_kernel_duration": (among(("BRISC-KERNEL",), "BRISC"),) * 2,
    "device_ncrisc_kernel_duration": (among(("NCRISC-KERNEL",), "NCRISC"),) * 2,
    "device_trisc0_kernel_duration": (among(("TRISC-KERNEL",), "TRISC_0"),) * 2,
    "device_trisc1_kernel_duration": (among(("TRISC-KERNEL",), "TRISC_1"),) * 2,
    "device_trisc2_kernel_duration": (among(("TRISC-KERNEL",), "TRISC_2"),) * 2,
}


def in_op(name, markers):
    """(start, end) of an analysis in an op: one, or one for each core."""
    starts, ends = OP_ANALYSES[name]
    if not name.endswith("per_core"):
        return first_last(markers, starts, ends)
    return [pair for core in dict.fromkeys(zone.core for zone in markers)
            for pair in first_last([zone for zone in markers if zone.core == core], starts, ends)]


def zone_name(number, risc):
    return ("TRISC" if risc.startswith("TRISC") else risc) + ("-FW" if number in (1, 4) else "-KERNEL")


def marker_like(number, risc):
    """A marker that is not there."""
    made = Zone.__new__(Zone)
    made.name, made.risc, made.kind = zone_name(number, risc), risc, "ZONE_START" if number in (1, 2) else "ZONE_END"
    return made


def is_known(name, lost):
    """Whether an op that lacks this can have the duration."""
    starts, ends = OP_ANALYSES[name]
    return not any(starts(marker) or ends(marker) for marker in (marker_like(*one) for one in lost))


def op2op(zones, lossless=False):
    """{core: [(start, end)]}: from a kernel's end to the next start of one that moves data, whatever op it is of."""
    ends, starts = among(KERNELS, kind="ZONE_END"), among(("BRISC-KERNEL", "NCRISC-KERNEL"), kind="ZONE_START")
    cores = {}
    for zone in zones:
        cores.setdefault(zone.core, []).append(zone)
    made = {core: adjacent(markers, ends, starts) for core, markers in cores.items()}
    for lane, lost in {} if lossless else lost_by_lane(zones).items():
        for number, _, after, before in lost:
            if ends(marker_like(number, lane[1])) or starts(marker_like(number, lane[1])):
                made[lane[0]] = [(one, other) for one, other in made[lane[0]] if not (after < other.time and before > one.time)]
    return made


def zoned_stats(zones, ops):
    """device_stats.txt."""
    found = {"op2op": list(op2op(zones).values())}
    lost = lost_of_ops(zones)
    unknown = {"op2op": sum(map(len, op2op(zones, lossless=True).values())) - sum(map(len, found["op2op"]))}
    for name in OP_ANALYSES:
        known = [is_known(name, lost.get(markers[0].program, ())) for markers in ops]
        found[name] = [in_op(name, markers) for markers, good in zip(ops, known) if good]
        unknown[name] = sum(max(1, len(in_op(name, markers))) for markers, good in zip(ops, known) if not good)
    made = ""
    for name, pairs in found.items():
        series = [[end.time - start.time for start, end in some] for some in pairs if some]
        if not series and not unknown[name]:
            continue
        made += f"\n=================== {name} ===================\n"
        values = summary_of(series) if series else {"Count": 0}
        if values["Count"] == 1:
            made += count_line("Duration", values["Max"])
        elif series:
            made += "".join(count_line(key, values[key], "" if key == "Count" else " [cycles]") for key in SHOWN_ZONED)
        if unknown[name]:
            made += count_line("Not known", unknown[name], "")
        made += "\n"
    return made


OP_COLUMNS = {"device_fw_duration": "DEVICE FW DURATION", "device_kernel_duration": "DEVICE KERNEL DURATION",
              "device_kernel_duration_dm_start": "DEVICE KERNEL DURATION DM START",
              "device_kernel_first_to_last_start": "DEVICE KERNEL FIRST TO LAST START",
              "device_brisc_kernel_duration": "DEVICE BRISC KERNEL DURATION", "device_ncrisc_kernel_duration": "DEVICE NCRISC KERNEL DURATION",
              "device_trisc0_kernel_duration": "DEVICE TRISC0 KERNEL DURATION", "device_trisc1_kernel_duration": "DEVICE TRISC1 KERNEL DURATION",
              "device_trisc2_kernel_duration": "DEVICE TRISC2 KERNEL DURATION"}


def op_report(ops, host_ids, mhz):
    """Rows of the report of a device alone, as {column: text}."""
    def ns(cycles):
        return str(round(cycles * 1000 / mhz))

    made, before = [], None
    for markers, host_id in zip(ops, host_ids):
        firmware = first_last(markers, *OP_ANALYSES["device_fw_duration"])[0]
        (kernel, kernel_end), = in_op("device_kernel_duration", markers)
        (mover, _), = in_op("device_kernel_duration_dm_start", markers)
        cores = [end.time - start.time for start, end in in_op("device_kernel_duration_per_core", markers)]
        row = {"GLOBAL CALL COUNT": str(host_id), "DEVICE FW START CYCLE": str(firmware[0].time), "DEVICE FW END CYCLE": str(firmware[1].time),
               "OP TO OP LATENCY [ns]": ns(kernel.time - before) if before else "0",
               "OP TO OP LATENCY BR/NRISC START [ns]": ns(mover.time - before) if before else "0",
               "DEVICE KERNEL DURATION PER CORE MIN [ns]": ns(min(cores)), "DEVICE KERNEL DURATION PER CORE MAX [ns]": ns(max(cores)),
               "DEVICE KERNEL DURATION PER CORE AVG [ns]": ns(sum(cores) / len(cores))}
        for name, column in OP_COLUMNS.items():
            row[column + " [ns]"] = "".join(ns(end.time - start.time) for start, end in in_op(name, markers))
        before = kernel_end.time
        made.append(row)
    return made


def steps_between_ops(zones):
    """{(from, to): {core: cycles}} of per_core_op_to_op_times.csv."""
    made = {}
    for core, pairs in op2op(zones).items():
        for start, end in pairs:
            if start.host_id != end.host_id:
                made.setdefault((start.host_id, end.host_id), {})[core] = end.time - start.time
    return made
