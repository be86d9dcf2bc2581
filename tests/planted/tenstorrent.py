"""Tenstorrent's profiles: reports of operations as the newest tool chain writes them, and device logs of 15 columns.

A chip has cores, an arithmetic peak for each core and fidelity, and a peak of its DRAM. A product takes what the nearer of them
allows; other operations take what they take. A pass is the operations one after the other with gaps between them; causes make
operations longer than their work, or gaps longer than a launch takes.
"""
import dataclasses
import math

import model

CHIPS = {  # arch: MHz, grid, GB/s of DRAM, TFLOPs of a core
    "wormhole_b0": (1000, (8, 8), 288, {"HiFi4": 74 / 72, "HiFi2": 148 / 72, "LoFi": 262 / 72}),
    "blackhole": (1350, (11, 10), 512, {"HiFi4": 1.3824, "HiFi2": 2.7648, "LoFi": 5.5296}),
}
BYTES = {"BFLOAT16": 2, "BFLOAT8_B": 1, "BFLOAT4_B": 0.5, "UINT32": 4}
SHARDED, DRAM = "DEV_0_L1_BLOCK_SHARDED", "DEV_0_DRAM_INTERLEAVED"
OTHERS = ("LayerNormDeviceOperation", "SoftmaxDeviceOperation", "BinaryNgDeviceOperation", "NlpCreateHeadsDeviceOperation",
          "NLPConcatHeadsDeviceOperation", "UnaryDeviceOperation")
AFFLICTED = ("SoftmaxDeviceOperation", "LayerNormDeviceOperation", "BinaryNgDeviceOperation", "ReduceDeviceOperation",
             "EmbeddingsDeviceOperation", "TypecastDeviceOperation")
FALLBACKS = ("softmax", "argmax", "topk", "nonzero", "gather")
LAUNCH = (900, 1900)  # ns between two operations of a trace
BEFORE, BEHIND = 220, 240  # ns of firmware around the kernels


@dataclasses.dataclass
class Tensor:
    """What an operation reads or writes."""

    sizes: tuple  # W, Z, Y, X
    type: str
    memory: str

    def bytes(self):
        return math.prod(self.sizes) * BYTES[self.type]


@dataclasses.dataclass
class Operation:
    """One operation of a pass."""

    code: str
    nanoseconds: float  # of its kernels, on average
    cores: int
    fidelity: str = ""
    attributes: str = "{}"
    inputs: list = dataclasses.field(default_factory=list)
    output: Tensor = None
    gap: float = 0  # ns before it, beyond what a launch takes
    host: float = 0  # ns on the host, of one that runs there
    busy: float = 0.99  # of the longest core that the mean core works
    late: float = 0  # ns by which the last core starts after the first
    waits: float = 0.05  # of its time that compute waits for data
    cause: str = ""
    without: float = 0  # ns that kernel, gap and host would take without the cause
    number: int = 0  # of its program, as the host counts
    slow_cores: tuple = ()  # which cores are slow or late, in device logs


class Chip:
    """The chip and the sizes of products that take a given time on it."""

    def __init__(self, chance, arch):
        self.chance = chance
        self.arch = arch
        self.mhz, self.grid, self.bandwidth, self.flops = CHIPS[arch]
        self.cores = self.grid[0] * self.grid[1]
        self.efficiency = chance.between(0.72, 0.84)

    def product_time(self, operation):
        """Nanoseconds of a product: arithmetic on its cores or the traffic of DRAM, whichever takes longer."""
        first, second = operation.inputs
        work = 2 * math.prod(first.sizes[:3]) * first.sizes[3] * second.sizes[3]
        arithmetic = work / (self.flops[operation.fidelity] * operation.cores * 1000)
        traffic = sum(one.bytes() for one in (first, second, operation.output) if "DRAM" in one.memory) / self.bandwidth
        return max(arithmetic, traffic) / self.efficiency

    def product(self, rows, inner, columns, kind="BFLOAT8_B", fidelity="HiFi2", cores=None):
        cores = cores or self.cores
        config = (f"{{'compute_kernel_config': 'WormholeComputeKernelConfig(math_fidelity={fidelity};math_approx_mode=0;"
                  "fp32_dest_acc_en=0;packer_l1_acc=1)'; 'program_config': 'MatmulMultiCoreReuseMultiCastProgramConfig("
                  f"compute_with_storage_grid_size=(x={self.grid[0]};y={self.grid[1]});in0_block_w=4;out_subblock_h=2;"
                  "out_subblock_w=4;per_core_M=4;per_core_N=4)'; 'transpose_b': 'false'}")
        operation = Operation("Matmul", 0, cores, fidelity, config,
                              [Tensor((1, 1, rows, inner), kind, SHARDED), Tensor((1, 1, inner, columns), kind, DRAM)],
                              Tensor((1, 1, rows, columns), kind, SHARDED))
        operation.nanoseconds = operation.without = self.product_time(operation) * self.chance.between(0.98, 1.03)
        return operation

    def product_of_time(self, wanted, rows=None, **more):
        """A product that takes about so long: rows and depth are given, columns follow."""
        rows, inner = rows or 32 * self.chance.randint(32, 96), 32 * self.chance.randint(24, 64)
        first = self.product(rows, inner, 1024, **more)
        columns = max(1, round(1024 * wanted / first.nanoseconds / 32))
        if columns > 1024:  # a deeper product rather than an absurdly wide one
            factor = math.ceil(columns / 1024)
            inner, columns = inner * factor, max(1, round(columns / factor))
        return self.product(rows, inner, 32 * columns, **more)

    def other(self, code, wanted, memory=SHARDED, traffic=0):
        """An operation that is no product; one that reads DRAM reads `traffic` bytes there."""
        elements = traffic / 2 if traffic else 1024 * self.chance.randint(256, 2048)
        shape = (1, 1, 32 * max(1, round(elements / 32 / 1024)), 1024)
        kind = "BFLOAT16" if traffic else "BFLOAT8_B"
        operation = Operation(code, wanted, self.cores, "HiFi4" if "Heads" not in code else "", "{}",
                              [Tensor(shape, kind, memory)], Tensor(shape, kind, SHARDED))
        operation.without = wanted
        return operation


def draw_pass(chance, chip):
    """Layers of products with shorter operations between them."""
    operations = []
    for _ in range(chance.randint(3, 5)):
        rows = 32 * chance.randint(32, 96)
        for _ in range(chance.randint(3, 4)):
            operations.append(chip.product(rows, 32 * chance.randint(24, 48), 32 * chance.randint(32, 80)))
            for _ in range(chance.randint(0, 2)):
                operations.append(chip.other(chance.choice(OTHERS), chance.between(8000, 40000)))
    return operations


def pass_time(operations):
    return sum(operation.nanoseconds + 1400 for operation in operations)


# ---- Causes ----


def plant_fidelity(chance, chip, wasted, _):
    """Twice the arithmetic that its types need."""
    kind = chance.choice(("BFLOAT16", "BFLOAT8_B"))
    operation = chip.product_of_time(2 * wasted, kind=kind, fidelity="HiFi4")
    cured = dataclasses.replace(operation, fidelity="HiFi2")
    operation.without = operation.nanoseconds * chip.product_time(cured) / chip.product_time(operation)
    return [operation]


def plant_few_cores(chance, chip, wasted, remains):
    """Cores that have nothing to do; what remains is what all of them would take."""
    cores = max(2, round(chip.cores * remains / (1 + remains)))
    operation = chip.product_of_time(wasted * (1 + remains), cores=cores)
    cured = dataclasses.replace(operation, cores=chip.cores)
    operation.without = operation.nanoseconds * chip.product_time(cured) / chip.product_time(operation)
    return [operation]


def plant_memory(chance, chip, wasted, _):
    """A few rows against weights of 16 bits: DRAM has to give all of them, for next to no work."""
    operation = chip.product_of_time(2 * wasted, rows=32, kind="BFLOAT16")
    weights = dataclasses.replace(operation.inputs[1], type="BFLOAT8_B")
    cured = dataclasses.replace(operation, inputs=[operation.inputs[0], weights])
    operation.without = operation.nanoseconds * chip.product_time(cured) / chip.product_time(operation)
    return [operation]


def plant_straggler(chance, chip, wasted, remains):
    """One core with more work than the others; shared out evenly it would take the mean."""
    operation = chip.other(chance.choice(AFFLICTED), wasted * (1 + remains))
    operation.busy, operation.without = remains / (1 + remains), wasted * remains
    return [operation]


def plant_late(chance, chip, wasted, remains):
    """Cores that start when others have long been running."""
    operation = chip.other(chance.choice(AFFLICTED), wasted * (1 + remains))
    operation.late, operation.without = wasted, wasted * remains
    return [operation]


def plant_starved(chance, chip, wasted, remains):
    """Compute waits for a reader that does not come near what the memory could give."""
    time = wasted * (1 + remains)
    traffic = time * chip.bandwidth * chance.between(0.05, 0.2)
    operation = chip.other(chance.choice(AFFLICTED), time, DRAM, traffic)
    operation.waits, operation.without = 1 / (1 + remains), wasted * remains
    return [operation]


def plant_gap(chance, chip, wasted, _):
    """The device waits for the host before one operation or several."""
    found = []
    for part in model.split(chance, wasted, chance.randint(1, 4)):
        operation = chip.other(chance.choice(OTHERS), chance.between(8000, 40000))
        operation.gap, operation.without = part, operation.nanoseconds
        found.append(operation)
    return found


def plant_fallback(chance, chip, wasted, remains):
    """An operation that the host does, while the device waits."""
    operation = Operation(f"(torch) {chance.choice(FALLBACKS)}", 0, 0, host=wasted * (1 + remains))
    operation.without = wasted * remains
    return [operation]


PLANTS = {"fidelity": plant_fidelity, "few-cores": plant_few_cores, "memory-bound": plant_memory,
          "straggler": plant_straggler, "late-start": plant_late, "starved": plant_starved, "op-gap": plant_gap,
          "host-fallback": plant_fallback}
REMAINDERS = {  # what remains of what a cause afflicts, in parts of what it wastes: from, to
    "fidelity": (1, 1), "memory-bound": (1, 1), "few-cores": (0.05, 0.35), "straggler": (0.4, 1.4),
    "late-start": (0.4, 1.4), "starved": (0.5, 1.4), "op-gap": (0, 0), "host-fallback": (0.02, 0.06),
}


def plant(chance, chip, operations, causes):
    """Puts what the causes afflict between the operations of a pass, never first or last."""
    remains = [chance.between(*REMAINDERS[cause]) for cause in causes]
    wasted = model.excesses(chance, pass_time(operations), remains) if causes else []
    for cause, time, left in zip(causes, wasted, remains):
        for operation in PLANTS[cause](chance, chip, time, left):
            operation.cause = cause
            operations.insert(chance.randint(1, len(operations) - 1), operation)


class Ledger:
    """What each cause took and wasted in each run."""

    def __init__(self):
        self.spent = []
        self.runs = []

    def begin(self):
        self.spent.append({})

    def note(self, cause, taken, wasted):
        before = self.spent[-1].get(cause, (0, 0))
        self.spent[-1][cause] = (before[0] + taken, before[1] + wasted)

    def planted(self, causes, where):
        found = [model.Planted(cause, where(cause), model.typical([one[cause][0] for one in self.spent]),
                               model.typical([one[cause][1] for one in self.spent])) for cause in causes]
        return sorted(found, key=lambda one: -one.saves_ns)


# ---- Reports of operations ----

TENSOR = ("W_PAD[LOGICAL]", "Z_PAD[LOGICAL]", "Y_PAD[LOGICAL]", "X_PAD[LOGICAL]", "LAYOUT", "DATATYPE", "MEMORY")
COLUMNS = [
    "OP CODE", "OP TYPE", "GLOBAL CALL COUNT", "DEVICE ID", "DEVICE ARCH", "ATTRIBUTES", "MATH FIDELITY", "CORE COUNT",
    "AVAILABLE WORKER CORE COUNT", "PARALLELIZATION STRATEGY", "HOST START TS", "HOST END TS", "HOST DURATION [ns]",
    "DEVICE FW START CYCLE", "DEVICE FW END CYCLE", "OP TO OP LATENCY [ns]", "OP TO OP LATENCY BR/NRISC START [ns]",
    "DEVICE FW DURATION [ns]", "DEVICE KERNEL DURATION [ns]", "DEVICE KERNEL DURATION DM START [ns]",
    "DEVICE KERNEL DURATION PER CORE MIN [ns]", "DEVICE KERNEL DURATION PER CORE MAX [ns]",
    "DEVICE KERNEL DURATION PER CORE AVG [ns]", "DEVICE KERNEL FIRST TO LAST START [ns]",
    "DEVICE BRISC KERNEL DURATION [ns]", "DEVICE NCRISC KERNEL DURATION [ns]", "DEVICE TRISC0 KERNEL DURATION [ns]",
    "DEVICE TRISC1 KERNEL DURATION [ns]", "DEVICE TRISC2 KERNEL DURATION [ns]", "DEVICE ERISC KERNEL DURATION [ns]",
    "DEVICE COMPUTE CB WAIT FRONT [ns]", "DEVICE COMPUTE CB RESERVE BACK [ns]",
    *(f"INPUT_{at}_{part}" for at in range(2) for part in TENSOR), *(f"OUTPUT_0_{part}" for part in TENSOR),
    "METAL TRACE ID", "METAL TRACE REPLAY SESSION ID",
]


def tensor_cells(role, tensor):
    if tensor is None:
        return {}
    cells = {f"{role}_{part}": f"{size}[{size}]" for part, size in zip(TENSOR, tensor.sizes)}
    return {**cells, f"{role}_LAYOUT": "TILE", f"{role}_DATATYPE": tensor.type, f"{role}_MEMORY": tensor.memory}


class Report:
    """Rows of passes, with the clocks of host and device, which begin together."""

    def __init__(self, chance, chip):
        self.chance = chance
        self.chip = chip
        self.rows = []
        self.now = 0.0  # ns of the device: the end of the last kernel
        self.host = 0.0  # ns at which the host is free
        self.base = chance.randint(10**9, 10**10)  # what the host's clock shows at the beginning
        self.cycles = chance.randint(10**12, 10**13)
        self.call = 0
        self.ledger = Ledger()
        self.first = self.last = None  # ns of the device, with its firmware

    def put(self, cells):
        self.rows.append(",".join(str(cells.get(column, "")) for column in COLUMNS))

    def signpost(self, name):
        self.put({"OP CODE": name, "OP TYPE": "signpost", "HOST START TS": self.base + round(self.host)})

    def run(self, operations, slower):
        """One pass: operations on the device, and those of the host between them."""
        self.ledger.begin()
        start, held = None, 0
        for operation in operations:
            if operation.host:
                held += self.run_on_host(operation)
                continue
            begin = self.run_on_device(operation, slower, held, start is None)
            start = begin if start is None else start
            held = 0
        self.ledger.runs.append(round(self.now - start))

    def run_on_host(self, operation):
        time = round(self.chance.noisy(operation.host, 2))
        self.host = max(self.host, self.now)
        start = self.base + round(self.host)
        self.call += 1
        self.put({"OP CODE": operation.code, "OP TYPE": "python_fallback", "GLOBAL CALL COUNT": self.call * 1024,
                  "HOST START TS": start, "HOST END TS": start + time, "HOST DURATION [ns]": time})
        self.host += time
        self.ledger.note(operation.cause, time, time * (1 - operation.without / operation.host))
        return time

    def run_on_device(self, operation, slower, held, first):
        """Launches it behind the last one; `held` is what the host kept the device waiting."""
        kernel = round(self.chance.noisy(operation.nanoseconds, 1.5) * slower)
        extra = round(self.chance.noisy(operation.gap, 2)) if operation.gap else 0
        gap = round(self.chance.between(*LAUNCH)) + extra + held
        start = self.now + (0 if first and not self.ledger.runs else gap)
        self.call += 1
        operation.number = self.call * 1024
        cells = {**self.cells_of_host(start, extra), **self.cells_of_times(start, kernel), **self.cells_of(operation, kernel)}
        self.put(cells)
        if operation.cause:
            wasted = extra if operation.gap else kernel * (1 - operation.without / operation.nanoseconds)
            self.ledger.note(operation.cause, extra or kernel, wasted)
        self.now = start + kernel
        return start

    def cells_of_host(self, start, extra):
        """The host runs ahead of the device, but where the device had to wait for it."""
        time, latest = round(self.chance.between(1500, 4000)), start - BEFORE
        call = max(self.host, latest - 8000) if extra else min(self.host, latest)
        if self.first is None or call + time > latest:
            call = latest
        self.host = max(self.host, call + time)
        return {"HOST START TS": self.base + round(call), "HOST END TS": self.base + round(call) + time,
                "HOST DURATION [ns]": time}

    def cells_of_times(self, start, kernel):
        """When firmware and kernels ran."""
        first, last = start - BEFORE, start + kernel + BEHIND
        self.first = first if self.first is None else self.first
        self.last = last
        cycles = [self.cycles + round((moment + 1000) * self.chip.mhz / 1000) for moment in (first, last)]
        gap = round(start - self.now)
        return {"DEVICE FW START CYCLE": cycles[0], "DEVICE FW END CYCLE": cycles[1], "OP TO OP LATENCY [ns]": gap,
                "OP TO OP LATENCY BR/NRISC START [ns]": gap, "DEVICE FW DURATION [ns]": kernel + BEFORE + BEHIND,
                "DEVICE KERNEL DURATION [ns]": kernel, "DEVICE KERNEL DURATION DM START [ns]": kernel,
                "DEVICE BRISC KERNEL DURATION [ns]": kernel - 60, "DEVICE NCRISC KERNEL DURATION [ns]": kernel - 90}

    def cells_of(self, operation, kernel):
        """What it is, and how its cores and RISCs fared."""
        late = operation.late * kernel / operation.nanoseconds
        longest = kernel - late - 30
        mean = longest * operation.busy
        cells = {
            "OP CODE": operation.code, "OP TYPE": "tt_dnn_device", "GLOBAL CALL COUNT": operation.number, "DEVICE ID": 0,
            "DEVICE ARCH": self.chip.arch, "ATTRIBUTES": operation.attributes, "MATH FIDELITY": operation.fidelity,
            "CORE COUNT": operation.cores, "AVAILABLE WORKER CORE COUNT": self.chip.cores,
            "DEVICE KERNEL DURATION PER CORE MIN [ns]": round(mean * self.chance.between(0.95, 0.99)),
            "DEVICE KERNEL DURATION PER CORE MAX [ns]": round(longest),
            "DEVICE KERNEL DURATION PER CORE AVG [ns]": round(mean),
            "DEVICE KERNEL FIRST TO LAST START [ns]": round(late + self.chance.between(160, 320)),
            **tensor_cells("OUTPUT_0", operation.output),
        }
        for at, tensor in enumerate(operation.inputs):
            cells.update(tensor_cells(f"INPUT_{at}", tensor))
        if operation.fidelity:
            cells.update({f"DEVICE TRISC{at} KERNEL DURATION [ns]": kernel - 120 - 10 * at for at in range(3)})
            cells["DEVICE COMPUTE CB WAIT FRONT [ns]"] = round(kernel * operation.waits)
            cells["DEVICE COMPUTE CB RESERVE BACK [ns]"] = round(kernel * 0.02)
        return cells

    def write(self, path):
        path.write_text("\n".join([",".join(COLUMNS), *self.rows]) + "\n")


def place_in_report(operation):
    """A product is told from others by its sizes."""
    if operation.code != "Matmul":
        return {"op": operation.code}
    first, second = operation.inputs
    return {"op": f"Matmul {first.sizes[2]} x {first.sizes[3]} x {second.sizes[3]}"}


def write_report(chance, folder, name, causes):
    chip = Chip(chance, chance.choice(list(CHIPS)))
    operations = draw_pass(chance, chip)
    plant(chance, chip, operations, causes)
    report = Report(chance, chip)
    for run in range(chance.runs()):
        report.signpost(f"pass {run}")
        report.run(operations, chance.between(1.02, 1.2) if run == 0 else 1)
    report.write(folder / "ops_perf_results.csv")

    def where(cause):
        return [place_in_report(operation) for operation in
                sorted(operations, key=lambda one: -(one.nanoseconds + one.gap)) if operation.cause == cause]

    return model.Profile(name=name, chain="tenstorrent", form="ops", main=f"{name}/ops_perf_results.csv", companions=[],
                         options=[], report=[], run_ns=model.typical(report.ledger.runs) + BEFORE + BEHIND,
                         runs_ns=[run + BEFORE + BEHIND for run in report.ledger.runs],
                         whole_ns=round(report.last - report.first), planted=report.ledger.planted(causes, where))


# ---- Device logs ----

RISCS = (("NCRISC", "NCRISC", "ncrisc.cc"), ("BRISC", "BRISC", "brisc.cc"), ("TRISC_0", "TRISC", "trisc.cc"),
         ("TRISC_1", "TRISC", "trisc.cc"), ("TRISC_2", "TRISC", "trisc.cc"))
LOG_COLUMNS = ("PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset], data, run host ID, "
               "trace id, trace id counter, zone name, type, source line, source file, meta data")


class Log:
    """Markers of every core and RISC, replay after replay of one trace."""

    def __init__(self, chance, cores, mhz, sums):
        self.chance = chance
        self.cores = cores
        self.mhz = mhz
        self.sums = sums  # whether waits are summed up
        self.lanes = {(core, risc[0]): [] for core in cores for risc in RISCS}
        self.now = float(chance.randint(10**9, 10**12))  # ns
        self.ledger = Ledger()

    def cycle(self, moment):
        return round(moment * self.mhz / 1000)

    def put(self, core, risc, timer, moment, data, operation, replay, zone, kind, line):
        name = next(one for one in RISCS if one[0] == risc)
        self.lanes[core, risc].append(f"0,{core[0]},{core[1]},{risc},{timer},{self.cycle(moment)},{data},{operation.number},1,"
                                      f"{replay},{zone},{kind},{line},{name[2]},")

    def run(self, operations, replay):
        self.ledger.begin()
        first = None
        for operation in operations:
            extra = self.chance.noisy(operation.gap, 2) if operation.gap else 0
            self.now += self.chance.between(*LAUNCH) + extra
            begin, kernel, wasted = self.run_operation(operation, replay)
            first = begin if first is None else first
            if operation.cause:
                self.ledger.note(operation.cause, round(extra or kernel), round(extra or wasted))
        self.ledger.runs.append(round(self.now - first))
        self.now += self.chance.between(20000, 60000)

    def run_operation(self, operation, replay):
        """All cores at about the same time, but for those that are slow or late; ends where the last one does."""
        chance = self.chance
        start = self.now
        whole = chance.noisy(operation.nanoseconds, 1.5)
        scale = whole / operation.nanoseconds
        late = operation.late * scale
        mean = (whole - late) * operation.busy
        lengths, begins, end = [], [], start
        for core in self.cores:
            slow = core in operation.slow_cores
            begin = start + chance.between(20, 180) + (late if slow and late else 0)
            time = whole - late if slow or operation.busy > 0.9 else self.even_share(operation, whole, mean)
            time *= chance.between(0.985, 1.0) if not slow else 1
            lengths.append(time)
            begins.append(begin)
            end = max(end, self.run_core(core, operation, replay, begin, time))
        self.now = end
        kernel = end - min(begins)
        wasted = kernel * (1 - operation.without / operation.nanoseconds) if operation.cause else 0
        if operation.cause == "straggler":
            wasted = max(lengths) - sum(lengths) / len(lengths)
        return min(begins), kernel, wasted

    def even_share(self, operation, whole, mean):
        """What the other cores take, so that all of them together have the wanted mean."""
        slow = len(operation.slow_cores)
        return max(whole * 0.05, (mean * len(self.cores) - whole * slow) / (len(self.cores) - slow))

    def run_core(self, core, operation, replay, begin, time):
        """Firmware and kernel of all five RISCs; the writer ends last."""
        offsets = {"NCRISC": (90, -140), "BRISC": (0, 0), "TRISC_0": (60, -70), "TRISC_1": (65, -60), "TRISC_2": (70, -40)}
        for risc, zone, _ in RISCS:
            ahead, behind = offsets[risc]
            start, end = begin + ahead, begin + time + behind
            self.put(core, risc, 22845, start, 0, operation, replay, f"{zone}-FW", "ZONE_START", 396)
            self.put(core, risc, 21766, start + 35, 0, operation, replay, f"{zone}-KERNEL", "ZONE_START", 49)
            if risc == "TRISC_0" and self.sums:
                wait = self.cycle((time - 165) * operation.waits * self.chance.between(0.97, 1.03))
                self.put(core, risc, 13102, end - 60, wait, operation, replay, "CB-COMPUTE-WAIT-FRONT", "ZONE_TOTAL", 88)
            self.put(core, risc, 21766, end - 45, 0, operation, replay, f"{zone}-KERNEL", "ZONE_END", 49)
            self.put(core, risc, 22845, end, 0, operation, replay, f"{zone}-FW", "ZONE_END", 396)
        return begin + time

    def write(self, path, arch, most_cores):
        head = [f"ARCH: {arch}, CHIP_FREQ[MHz]: {self.mhz}, Max Compute Cores: {most_cores}", LOG_COLUMNS]
        rows = [row for lane in self.lanes.values() for row in lane]
        path.write_text("\n".join(head + rows) + "\n")
        times = [int(row.split(",", 6)[5]) for row in rows]
        return round((max(times) - min(times)) * 1000 / self.mhz)


def draw_cores(chance):
    """A part of the grid; columns and rows between them hold DRAM and Ethernet."""
    columns, rows = (1, 2, 3, 4, 6, 7, 8, 9), (1, 2, 3, 4, 5, 7, 8, 9)
    return [(x, y) for x in columns[:chance.randint(3, 6)] for y in rows[:chance.randint(3, 6)]]


def write_log(chance, folder, name, causes):
    arch = chance.choice(list(CHIPS))
    chip = Chip(chance, arch)
    cores = draw_cores(chance)
    operations = [chip.other(chance.choice(OTHERS), chance.between(30000, 70000)) for _ in range(chance.randint(6, 9))]
    plant(chance, chip, operations, causes)
    for number, operation in enumerate(operations):
        operation.number = 1024 * (number + 1)
        count = 1 if operation.cause == "straggler" else max(2, round(len(cores) * chance.between(0.2, 0.6)))
        if operation.cause in ("straggler", "late-start"):
            operation.slow_cores = tuple(chance.sample(cores, count))
    log = Log(chance, cores, chip.mhz, "starved" in causes or chance.random() < 0.5)
    for replay in range(chance.randint(5, 8)):
        log.run(operations, replay + 1)
    whole = log.write(folder / "profile_log_device.csv", arch, chip.cores)

    def where(cause):
        places = []
        for operation in sorted(operations, key=lambda one: -(one.nanoseconds + one.gap)):
            if operation.cause == cause:
                places.append({"op": str(operation.number)})
                places += [{"core": f"{x}, {y}"} for x, y in operation.slow_cores]
        return places

    return model.Profile(name=name, chain="tenstorrent", form="log", main=f"{name}/profile_log_device.csv", companions=[],
                         options=[], report=[], run_ns=model.typical(log.ledger.runs), runs_ns=log.ledger.runs,
                         whole_ns=whole, planted=log.ledger.planted(causes, where))


def generate(chance, folder, name, form, causes):
    """Writes a profile into `folder`; the causes are those that cost, or none."""
    return (write_report if form == "ops" else write_log)(chance, folder, name, causes)
