"""A second, slow reading of Torq's files and of the sums over them, to hold the tool's answers against.

Nothing here is shared with the tool: CSV files are read by Python's own means, program dumps line by line, and interval
algebra is done by looking at every pair. It knows only what the fixtures contain and is no general reader.
"""
import csv
import io
import re
from dataclasses import dataclass, field
from fractions import Fraction

CYCLE = Fraction(5, 4)  # ns at 800 MHz
MICROSECOND = Fraction(1000)
TRANSFER = ("dma_in", "dma_out", "cdma_dtcm", "cdma_itcm")
COMPUTE = ("slice", "css")
ENGINES = TRANSFER + COMPUTE


@dataclass(frozen=True)
class Unit:
    """A stretch of time on an engine, in ticks."""

    engine: str
    index: int
    start: int
    end: int
    name: str = ""
    args: tuple = ()  # sorted (key, value)
    counts: bool = True  # in the metrics


@dataclass
class Profile:
    generation: str
    tick: Fraction  # ns
    units: list = field(default_factory=list)
    rows: int = 0

    @property
    def measured(self):
        return self.generation.startswith("R")

    def ns(self, ticks):
        return ticks * self.tick // 1


def arguments(**values):
    return tuple(sorted((key, value) for key, value in values.items() if value not in (None, "")))


# ---- compile timelines -----------------------------------------------------------------------------------------------


def cut_location(text):
    """A `loc(...)` at the start of a text and the rest: brackets are counted outside quotes."""
    depth, quoted = 0, False
    for at, letter in enumerate(text):
        if letter == '"':
            quoted = not quoted
        elif not quoted and letter in "([<":
            depth += 1
        elif not quoted and letter in ")]>":
            depth -= 1
            if depth == 0:
                return text[: at + 1], text[at + 1 :]
    raise ValueError(text)


def known(location):
    return None if location in ("", "loc(unknown)") else location


def engine_of_id(name, slices):
    for prefix, engine in (("DI", "dma_in"), ("DO", "dma_out"), ("CDMA_L2I", "cdma_itcm"), ("CDMA_", "cdma_dtcm"), ("CSS", "css")):
        if name.startswith(prefix):
            return engine, 0
    issue, _, core = name[1:].partition("_")
    return "slice", int(core) if core else int(issue) % slices


def engine_of_event(event):
    if event.startswith("Slice "):
        return "slice", int(event[6:])
    return {"DMA In": "dma_in", "DMA Out": "dma_out", "CDMA LRAM to ITCM": "cdma_itcm", "CSS": "css"}.get(event, "cdma_dtcm"), 0


def read_first_layout(lines, slices):
    """C1 and C2: id,start,end,location,type[,bytes]"""
    profile = Profile("C1", CYCLE)
    for line in lines:
        name, start, end, rest = line.split(",", 3)
        location, rest = cut_location(rest)
        _, _, number = rest[1:].partition(",")
        if number or name.startswith("CDMA") or "_" in name:
            profile.generation = "C2"
        engine, index = engine_of_id(name, slices)
        issue = int(re.search(r"\d+", name.replace("L2D", "").replace("L2I", "").replace("D2L", "")).group())
        profile.units.append(Unit(engine, index, int(start), int(end), args=arguments(
            id=issue, location=known(location), bytes=int(number) if number else None)))
    return profile


def read_second_layout(lines, generation):
    """C3 and C4: key,length,start,event,location,bytes"""
    profile = Profile(generation, CYCLE)
    for line in lines:
        key, length, start, event, rest = line.split(",", 4)
        location, rest = cut_location(rest)
        engine, index = engine_of_event(event)
        values = {"action" if generation == "C3" else "task": int(key), "location": known(location)}
        if rest[1:]:
            values["bytes"] = int(rest[1:])
        profile.units.append(Unit(engine, index, int(start), int(start) + int(length), args=arguments(**values)))
    return profile


# ---- program dumps ------------------------------------------------------------------------------------------------------


@dataclass
class Job:
    dispatch: str
    name: str
    tasks: list
    start_action: int = -1
    wait_action: int = -1
    used: set = field(default_factory=set)


@dataclass
class Step:
    kind: str  # dma_in_start, ...
    slice: int
    cycles: int
    location: str
    to_itcm: bool = False


@dataclass
class Task:
    id: int
    start: int
    end: int
    steps: list = field(default_factory=list)


def number_of(text, key, default=-1):
    found = re.search(rf'"?{key}"? = (-?\d+)', text)
    return int(found.group(1)) if found else default


class Dump:
    """A program dump: dispatches with jobs in order of their waits, and the compiler's estimated units."""

    def __init__(self, text):
        self.jobs = []
        self.units = []
        self.actions = {}  # (dispatch, action id): operation
        self.dispatches = []
        self._programs, self._invocations, self._waited = {}, {}, {}
        self._program = self._task = None
        for line in text.splitlines():
            self._line(line.strip())
        for job in self.jobs:
            self._use(job)

    def _line(self, line):
        if line.startswith("func.func @"):
            self.dispatches.append(line[11 : line.index("(")])
            self._programs, self._invocations, self._pending = {}, {}, {}
        elif "= torq_hl.program " in line:
            self._program = [] if "torq_hl.program<nss>" in line else None
            self._programs[line.split(" ", 1)[0]] = self._program
        elif line.startswith("torq_hw.nss_task"):
            self._task = Task(number_of(line, "torq-task-id"), number_of(line, "torq-start-time-cycles"),
                              number_of(line, "torq-end-time-cycles"))
            self._program.append(self._task)
        elif re.match(r'"?torq_hw\.\w+_(start|wait)', line) and self._task is not None:
            kind = re.match(r'"?torq_hw\.(\w+)', line).group(1)
            self._task.steps.append(Step(kind, number_of(line, "id", 0), number_of(line, "torq-async-duration-cycles"), line,
                                         "itcm" in line.rsplit(" to ", 1)[-1]))
        elif "torq_hl.create_invocation" in line or "torq_hl.descriptor" in line:
            program = re.search(r"program\(?\s*(%\w+)", line).group(1)
            name = re.search(r'"([^"]+)"', line).group(1)
            self._invocations[re.match(r"%\w+", line).group()] = (name, self._programs.get(program))
        elif "torq-action-id" in line:
            self._action(line)

    def _action(self, line):
        action = number_of(line, "torq-action-id")
        operation = re.search(r"(torq_hl|memref)\.\w+", line).group()
        self.actions[(self.dispatches[-1], action)] = operation
        if "invocation<nss>" not in line or operation not in ("torq_hl.start_program", "torq_hl.wait_program"):
            return
        variable = re.search(r"%\w+", line[line.index(operation) :]).group()
        name, tasks = self._invocations[variable]
        if operation.endswith("start_program"):
            self._waited[(self.dispatches[-1], variable)] = action
        else:
            self.jobs.append(Job(self.dispatches[-1], name, tasks, self._waited.get((self.dispatches[-1], variable), -1), action))

    def _use(self, job):
        """Engines that run at any time of the job, and the units that end in it."""
        first = not any(other.dispatch == job.dispatch for other in self.jobs[: self.jobs.index(job)])
        running = {} if first else self._running
        self._running = running
        job.used |= set(running)
        for task in job.tasks:
            for step in sorted(task.steps, key=lambda step: step.kind.endswith("_wait")):
                engine, _, what = step.kind.rpartition("_")
                engine = {"cdma": "cdma_itcm" if step.to_itcm else "cdma_dtcm"}.get(engine, engine)
                key = (engine, step.slice if engine == "slice" else 0)
                if what == "start":
                    running[key] = (task, step)
                    job.used.add(key)
                    continue
                key = next((other for other in running if other[0].split("_")[0] == "cdma"), key) if engine == "cdma_dtcm" else key
                if key in running:
                    self._end(key, task, running.pop(key))

    def _end(self, key, task, started):
        begun, step = started
        if begun.start >= 0:
            end = begun.start + step.cycles if step.cycles >= 0 else task.end
            self.units.append(Unit(*key, begun.start, end))

    def job_at(self, dispatch, action):
        for job in self.jobs:
            if job.dispatch == dispatch and action in (job.start_action, job.wait_action):
                return job
        return None


# ---- runtime logs --------------------------------------------------------------------------------------------------------


def add_job(profile, job, start, end):
    """A job, and the engines it used for as long as it lasted. A log cannot tell the kinds of CDMA apart."""
    profile.units.append(Unit("nss", 0, start, end))
    if job:
        engines = {("cdma_dtcm", 0) if engine.startswith("cdma") else (engine, index) for engine, index in job.used}
        profile.units += [Unit(engine, index, start, end) for engine, index in sorted(engines)]


def read_r1(lines, dump):
    profile = Profile("R1", MICROSECOND)
    for number, line in enumerate(lines):
        _, opened, started, *_ = line.split(";")
        job = dump.jobs[number] if dump and number < len(dump.jobs) else None
        add_job(profile, job, int(opened) - int(started), int(opened))
    return profile


def read_r2(text, dump):
    profile = Profile("R2", MICROSECOND)
    rows = list(csv.reader(io.StringIO(text)))[1:]
    begun = {}
    profile.rows = len(rows)
    for action, _, time, event, _ in rows:
        if event.endswith("START"):
            begun[int(action)] = int(time)
            continue
        start, end = begun.pop(int(action)), int(time)
        if event == "HOST_COPY_END":
            profile.units.append(Unit("host_copy", 0, start, end))
        elif event == "HOST_PROGRAM_END":
            profile.units.append(Unit("host", 0, start, end))
        else:
            profile.units.append(Unit("action", 0, start, end, event.rsplit("_", 1)[0]))
        if event == "NSS_WAIT_END":
            add_job(profile, dump.job_at(dump.dispatches[-1], int(action)) if dump else None, start, end)
    return profile


def read_r3(text, dump):
    profile = Profile("R3", MICROSECOND)
    rows = list(csv.DictReader(io.StringIO(text)))
    profile.rows = len(rows)
    scopes = {}
    for row in rows:
        scopes.setdefault(row["invocation_id"], []).append(row)
    for scope in scopes.values():
        add_scope(profile, scope, dump)
    return profile


def add_scope(profile, rows, dump):
    stack, started, hosts = [], [], []
    name = rows[0]["dispatch_name"]
    for row in rows:
        kind, _, what = row["event"].rpartition("_")
        time, action = int(row["timestamp_us"]), int(row["action_id"])
        if what == "BEGIN":
            stack.append((kind, time, action))
            continue
        begun, start, begin_action = stack.pop()
        assert begun == kind and begin_action == action
        if kind.startswith("HAL_"):
            # A call that holds other events of its scope is drawn, but those count and it does not.
            envelope = kind == "HAL_CALL" and len(rows) > 2
            profile.units.append(Unit("hal", 0, start, time, counts=not envelope))
            continue
        profile.units.append(Unit("host_copy" if kind == "HOST_COPY" else "runtime", 0, start, time))
        if kind == "NSS_START":
            started.append(start)
        elif kind == "NSS_WAIT":
            add_job(profile, dump.job_at(name, action) if dump else None, started.pop(0), time)
        elif kind == "HOST_START":
            hosts.append(start)
        elif kind == "HOST_WAIT":
            profile.units.append(Unit("host", 0, hosts.pop(0), time))


def read(path, dump=None, slices=2):
    """Any fixture: the generation is told by its first line."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".mlir":
        profile = Profile("M", CYCLE)
        profile.units = Dump(text).units
        return profile
    lines = text.splitlines()
    head = lines[0]
    if head.startswith("dispatch_name,"):
        return read_r3(text, dump)
    if head.startswith("actionIndex") and not head.endswith("bytes"):
        return read_r2(text, dump)
    if head.startswith("id;"):
        profile = read_r1(lines[1:], dump)
    elif head.startswith(("actionIndex", "taskId")):
        profile = read_second_layout(lines[1:], "C3" if head.startswith("action") else "C4")
    else:
        profile = read_first_layout(lines, slices)
    profile.rows = len(lines) - (0 if profile.generation in ("C1", "C2") else 1)
    return profile


# ---- interval algebra, by every pair -----------------------------------------------------------------------------------


def union(intervals):
    """Disjoint stretches that cover the same time: each new one swallows whatever it meets."""
    merged = []
    for start, end in intervals:
        if start == end:
            continue
        apart = []
        for other_start, other_end in merged:
            if other_start <= end and start <= other_end:
                start, end = min(start, other_start), max(end, other_end)
            else:
                apart.append((other_start, other_end))
        merged = apart + [(start, end)]
    return merged


def length(intervals):
    return sum(end - start for start, end in intervals)


def common(left, right):
    """The length of what both unions cover: every pair is looked at."""
    return sum(max(0, min(a_end, b_end) - max(a_start, b_start)) for a_start, a_end in left for b_start, b_end in right)


def sums(profile, engines_known):
    """Metrics by the names of the JSON, in ns. Only those that the input can tell."""
    chosen = lambda *names: union([(u.start, u.end) for u in profile.units if u.engine in names and u.counts])
    indexed = lambda index: union([(u.start, u.end) for u in profile.units if u.engine == "slice" and u.index == index])
    counted = [u for u in profile.units if u.engine != "runtime" and u.counts]
    overall = max((u.end for u in counted), default=0) - min((u.start for u in counted), default=0)
    dma, cdma, transfer, compute = chosen("dma_in", "dma_out"), chosen("cdma_dtcm", "cdma_itcm"), chosen(*TRANSFER), chosen(*COMPUTE)
    overlap = common(transfer, compute)
    busy = chosen(*ENGINES, "nss", "host", "host_copy")
    host, npu = chosen("host", "host_copy"), chosen(*ENGINES, "nss")
    ticks = {"total_duration": overall, "idle_time": overall - length(busy)}
    if engines_known:
        ticks.update({
            "dma_time": length(transfer), "dma_total_time": length(dma), "cdma_time": length(cdma),
            "dma_in_time": length(chosen("dma_in")), "dma_out_time": length(chosen("dma_out")),
            "compute_time": length(compute), "slice_time": length(chosen("slice")), "slice_0_time": length(indexed(0)),
            "slice_1_time": length(indexed(1)), "css_time": length(chosen("css")), "overlap_time": overlap,
            "dma_only_time": length(transfer) - overlap, "compute_only_time": length(compute) - overlap,
        })
    if engines_known and not profile.measured:
        ticks.update({"cdma_dtcm_time": length(chosen("cdma_dtcm")), "cdma_itcm_time": length(chosen("cdma_itcm"))})
    if engines_known and profile.measured:
        work = [u for u in counted if u.engine not in ("hal", "action")]
        span = max((u.end for u in work), default=0) - min((u.start for u in work), default=0)
        ticks["total_npu_operations"] = span - (length(host) - common(host, npu))
    if profile.measured and not engines_known:
        ticks["nss_time"] = length(chosen("nss"))
    if profile.generation in ("R2", "R3"):
        ticks.update({"host_time": length(chosen("host")), "host_copy_time": length(chosen("host_copy"))})
    if any(u.engine == "hal" for u in profile.units):
        ticks["hal_time"] = length(chosen("hal"))
    return {name: profile.ns(value) for name, value in ticks.items()}
