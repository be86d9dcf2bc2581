"""A second, slow reading of Tenstorrent's device logs: everything in lists, one obvious pass for each question.

It knows the analyses by what they mean, shares nothing with the tool, and gives what the tool must give: the statistics, the core map
and the rearranged times of a log with numbers; the ops of a log with zones, as they are and as tt-metal's newest script splits them.
"""
import csv
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


# ---- Logs with numbers ----


class Numbered:
    """A chip of a six-column log. A marker is (time, number, RISC)."""

    def __init__(self, rows, chip):
        self.cores = {}
        for slot, x, y, risc, number, time in rows:
            if slot == chip:
                self.cores.setdefault((int(x), int(y)), {}).setdefault(risc, []).append((int(time), int(number), risc))
        for riscs in self.cores.values():
            for markers in riscs.values():
                markers.sort(key=lambda marker: marker[0])
        self.t0 = min(markers[0][0] for riscs in self.cores.values() for markers in riscs.values())

    def series(self, core):
        """All markers of a core by time; T0 of every RISC stands first."""
        riscs = self.cores[core]
        made = [marker for risc, markers in riscs.items() for marker in [(self.t0, 0, risc), *markers]]
        return sorted(made, key=lambda marker: marker[0])

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

    def analyses(self):
        """{name: ({core: samples}, samples of the chip)} in the order of the display."""
        def of(number, risc=None):
            return lambda marker: marker[1] == number and risc in (None, marker[2])

        def by_core(find):
            return {core: [end[0] - start[0] for start, end in find(core)] for core in self.cores}, []

        def pairs(start, end):
            return by_core(lambda core: adjacent(self.series(core), start, end))

        made = {"T0 -> BRISC FW start": pairs(of(0, "BRISC"), of(1, "BRISC"))}
        for name, risc in (("TRISC0", "TRISC_0"), ("TRISC1", "TRISC_1"), ("TRISC2", "TRISC_2"), ("BRISC", "BRISC"), ("NCRISC", "NCRISC")):
            made[f"{name} kernel start -> {name} kernel end"] = pairs(of(2, risc), of(3, risc))
        made["ANY RISC FW start -> ANY RISC FW end"] = by_core(
            lambda core: [pair for launch in self.launches(core) for pair in first_last(launch, of(1), of(4))])
        made["ANY RISC FW end -> BRISC FW start"] = pairs(of(4), of(1, "BRISC"))
        made["T0 -> ANY RISC FW end"] = by_core(lambda core: first_last(self.series(core), of(0, "BRISC"), of(4)))
        made["BRISC FW start -> ANY RISC FW end"] = by_core(lambda core: first_last(self.series(core), of(1), of(4)))
        whole = [end[0] - start[0] for start, end in first_last(self.device_series(), of(1), of(4))]
        made["T0 -> ANY CORE ANY RISC FW end"] = ({}, whole)
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


def numbered_stats(text):
    """device_stats.txt of a Grayskull's log of one chip."""
    rows = fields_of(text)
    made = ""
    for name, (cores, whole) in Numbered(rows, rows[0][0]).analyses().items():
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


class Zone:
    """A row of fifteen columns."""

    def __init__(self, fields):
        self.core = int(fields[1]), int(fields[2])
        self.risc, self.time, self.data = fields[3], int(fields[5]), int(fields[6] or 0)
        self.program = tuple(int(field or -1) for field in fields[7:10])
        self.host_id = self.program[0]
        self.name, self.kind = fields[10], fields[11]


def zones_of(text):
    """Markers of a chip by time; at equal times as cores and RISCs were first seen."""
    rows = [Zone(fields) for fields in fields_of(text)]
    cores = list(dict.fromkeys(row.core for row in rows))
    lanes = {core: list(dict.fromkeys(row.risc for row in rows if row.core == core)) for core in cores}
    return sorted(rows, key=lambda row: (row.time, cores.index(row.core), lanes[row.core].index(row.risc)))


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


def op2op(zones):
    """{core: [(start, end)]}: from a kernel's end to the next start of one that moves data, whatever op it is of."""
    ends, starts = among(KERNELS, kind="ZONE_END"), among(("BRISC-KERNEL", "NCRISC-KERNEL"), kind="ZONE_START")
    return {core: adjacent([zone for zone in zones if zone.core == core], ends, starts)
            for core in dict.fromkeys(zone.core for zone in zones)}


def zoned_stats(zones, ops):
    """device_stats.txt."""
    found = {"op2op": list(op2op(zones).values())}
    for name in OP_ANALYSES:
        found[name] = [in_op(name, markers) for markers in ops]
    made = ""
    for name, pairs in found.items():
        series = [[end.time - start.time for start, end in some] for some in pairs if some]
        if not series:
            continue
        values = summary_of(series)
        made += f"\n=================== {name} ===================\n"
        if values["Count"] == 1:
            made += count_line("Duration", values["Max"])
        else:
            made += "".join(count_line(key, values[key], "" if key == "Count" else " [cycles]") for key in SHOWN_ZONED)
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
