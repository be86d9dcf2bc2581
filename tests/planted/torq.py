"""Torq's profiles: the compiler's timelines C1 and C2, the runtime's logs R2 and R3 with the compiler's dump.

A timeline is the compiler's estimate of one run, without noise. A log is of runs on a device that takes a little longer than
the estimate, and of a host that copies, starts and waits between the jobs.
"""
import copy
import dataclasses

import model
import torq_program as program

NAMES = ("mobilenet", "resnet18", "yolov8n", "kws_dscnn", "efficientnet_lite0", "unet_small", "pose_lite")
HOST_OPERATORS = ("Softmax", "TopK", "NonMaxSuppression", "Gather", "Resize")
KERNEL_OPERATORS = ("tosa.conv2d", "tosa.conv2d", "tosa.conv2d", "tosa.depthwise_conv2d", "tosa.add",
                    "tosa.fully_connected", "tosa.matmul", "tosa.mul")


def draw_layer(chance, cycles=(4000, 16000), pairs=(6, 16)):
    """A layer whose transfers fit below its computing."""
    size = chance.choice((7, 14, 28, 56, 112))
    cycles = chance.randint(*cycles)
    return program.Layer(operator=chance.choice(KERNEL_OPERATORS), size=size, channels=8 * chance.randint(2, 48),
                         tiles=2 * chance.randint(*pairs), cycles=cycles,
                         cycles_in=round(cycles * chance.between(0.12, 0.36)),
                         cycles_out=round(cycles * chance.between(0.08, 0.3)), rescale=chance.randint(0, 1))


def draw_layers(chance, **sizes):
    return [draw_layer(chance, **sizes) for _ in range(chance.randint(8, 14))]


def nanoseconds(cycles):
    return round(cycles * 1000 / program.CLOCK_MHZ)


# ---- Timelines of the compiler ----


def afflict_waiting(chance, layer):
    """Transfers that would fit below the computing, but are waited for. What a pair of tiles wastes, and what remains of it."""
    layer.cycles_in = round(layer.cycles * chance.between(0.25, 0.48))
    layer.cycles_out = round(layer.cycles * chance.between(0.1, 0.45))
    layer.hidden = False
    return 2 * (layer.cycles_in + layer.cycles_out), layer.cycles


def afflict_transfers(chance, layer):
    """More to transfer than there is to compute."""
    layer.cycles_in = round(layer.cycles * chance.between(0.85, 2.2))
    return 2 * layer.cycles_in - layer.cycles, layer.cycles


def afflict_slice(_, layer):
    """All tiles on one of the two slices."""
    layer.slices = 1
    return layer.cycles, layer.cycles


AFFLICTIONS = {"dma-not-hidden": afflict_waiting, "dma-bound": afflict_transfers, "slice-idle": afflict_slice}


def cured(layer, cause):
    """The layer as it would be without the cause."""
    layer = copy.copy(layer)
    if cause == "dma-not-hidden":
        layer.hidden = True
    elif cause == "dma-bound":
        layer.cycles_in = min(layer.cycles_in, layer.cycles // 2)
    else:
        layer.slices = 2
    return layer


@dataclasses.dataclass
class Afflicted:
    """Layers that one cause has hold of."""

    cause: str
    layers: list
    wasted: int  # cycles of a pair of tiles
    left: int


def draw_afflicted(chance, cause):
    layer = draw_layer(chance)
    wasted, left = AFFLICTIONS[cause](chance, layer)
    return Afflicted(cause, [layer], wasted, left)


def size_afflicted(chance, afflicted, ordinary):
    """As many tiles that each cause wastes its share; spread over one to three layers."""
    wasted = model.excesses(chance, ordinary, [one.left / one.wasted for one in afflicted])
    for one, total in zip(afflicted, wasted):
        parts = model.split(chance, total, chance.randint(1, 3))
        template = one.layers[0]
        one.layers = [copy.copy(template) for _ in parts]
        for layer, part in zip(one.layers, parts):
            layer.tiles = max(4, 2 * round(part / one.wasted))
            layer.size, layer.channels = chance.choice((14, 28, 56)), 8 * chance.randint(2, 48)


def place_afflicted(chance, layers, afflicted):
    """Layers of one cause follow each other, anywhere in the model."""
    for one in afflicted:
        at = chance.randint(1, len(layers) - 1)
        layers[at:at] = one.layers


def write_rows(path, form, schedule, source, pool):
    """The rows as the compiler groups them: transfers, slices, CSS."""
    numbers = {"transfer": 0, "slice": 0}
    lines = {"transfer": [], "slice": [], "css": []}
    types = {"DI": "DMA_IN", "DO": "DMA_OUT", "CDMA_L2D": "CDMA_LRAM_TO_DTCM", "CDMA_D2L": "CDMA_DTCM_TO_LRAM"}
    for row in schedule.rows + pool:
        group = {"S": "slice", "CSS": "css"}.get(row.engine, "transfer")
        number = numbers.get(group, 0)
        core = f"_{row.slice}" if form == "c2" and group == "slice" else ""
        kind = types.get(row.engine) or ("CSS" if group == "css" else row.layer.kernel)
        text = f"{row.engine}{number}{core},{row.start},{row.end},{source.location([row.layer])},{kind}"
        lines[group].append(text + (f",{row.bytes}" if form == "c2" and row.bytes else ""))
        numbers[group] = number + 1
    path.write_text("\n".join(lines["transfer"] + lines["slice"] + lines["css"]) + "\n")


def pool_on_css(schedule, layer):
    """A pooling at the end, on the core that has memories of its own: its copy in, its program, its copy out."""
    start = max(row.end for row in schedule.rows)
    steps = (("CDMA_L2D", 320, 4096), ("CSS", 8000, 0), ("CDMA_D2L", 80, 1024))
    rows = []
    for engine, cycles, size in steps:
        rows.append(program.Row(engine, 0, start, start + cycles, layer, size))
        start += cycles
    return rows


def timeline(chance, folder, name, form, causes):
    layers = draw_layers(chance)
    whole_slice = causes == ["slice-idle"] and chance.random() < 0.4
    afflicted = [] if whole_slice else [draw_afflicted(chance, cause) for cause in causes]
    if afflicted:
        size_afflicted(chance, afflicted, program.length(layers))
        place_afflicted(chance, layers, afflicted)
    for layer in layers if whole_slice else ():
        layer.slices = 1
    pooling = program.Layer("tosa.avg_pool2d", 7, 320, 2, 0, 0, 0)
    source = program.Source(chance.choice(NAMES), layers + [pooling])
    schedule = program.Schedule(8 if form == "c1" else 4.33)
    schedule.run(layers)
    pool = pool_on_css(schedule, pooling) if form == "c2" and chance.random() < 0.5 else []
    write_rows(folder / f"{name}.csv", form, schedule, source, pool)
    (folder / f"{source.name}.mlir").write_text(source.text())
    span = max(row.end for row in schedule.rows + pool)
    planted = [found_in_timeline(source, layers, one) for one in afflicted]
    if whole_slice:
        others = [cured(layer, "slice-idle") for layer in layers]
        planted = [model.Planted("slice-idle", [{"engine": "Slice 1"}], nanoseconds(span),
                                 nanoseconds(program.length(layers) - program.length(others)))]
    planted.sort(key=lambda one: -one.saves_ns)
    return finish(name, form, f"{name}.csv", source, None, [nanoseconds(span)], nanoseconds(span), planted)


def found_in_timeline(source, layers, one):
    """Walks again without the cause: what that takes less is what the cause costs."""
    healed = [cured(layer, one.cause) if any(layer is mine for mine in one.layers) else layer for layer in layers]
    where = [source.place(layer.operator, layer.line) for layer in one.layers]
    return model.Planted(one.cause, where, nanoseconds(program.length(one.layers)),
                         nanoseconds(program.length(layers) - program.length(healed)))


def finish(name, form, main, source, dump, runs, whole, planted):
    """Files lie in a folder of their own, so that the source and the dump are those of the profile."""
    options = ["--source-dir", name] + (["--mlir", f"{name}/{dump}"] if dump else [])
    return model.Profile(name=name, chain="torq", form=form, main=f"{name}/{main}",
                         companions=[f"{name}/{source.name}.mlir"] + ([f"{name}/{dump}"] if dump else []),
                         options=options, report=[], run_ns=model.typical(runs), runs_ns=runs, whole_ns=whole,
                         planted=planted)


# ---- Logs of the runtime ----


class Host:
    """A model in dispatches and jobs, with what the host does between them, in microseconds."""

    def __init__(self, chance, single):
        self.chance = chance
        layers = draw_layers(chance, cycles=(30000, 120000), pairs=(3, 8))  # long beside what the host does around a job
        self.source = program.Source(chance.choice(NAMES), layers)
        self.dispatches = []
        self.ratio = chance.between(1.02, 1.12)  # how the device compares with the estimate
        self.ratios = {}  # by id of a job
        self.extra = []  # (cause, dispatch, what, microseconds): what a cause adds to a run
        for number, group in enumerate(self.groups(layers, single)):
            self.add_dispatch(number, group)

    def groups(self, layers, single):
        if single:
            return [layers]
        parts = self.chance.randint(2, 5)
        size = -(-len(layers) // parts)
        return [layers[at:at + size] for at in range(0, len(layers), size)]

    def add_dispatch(self, number, layers):
        jobs = []
        while layers:
            size = self.chance.randint(1, 3)
            jobs.append(program.Job(len(jobs), layers[:size]))
            layers = layers[size:]
        first = jobs[0].layers[0]
        name = f"main_dispatch_{number}_{first.operator.split('.')[1]}_{first.size}x{first.size}"
        dispatch = program.Dispatch(name, jobs, [])
        dispatch.estimate()
        self.dispatches.append(dispatch)
        for job in jobs:
            self.ratios[id(job)] = self.ratio * self.chance.between(0.97, 1.03)

    def jobs(self):
        return [(dispatch, job) for dispatch in self.dispatches for job in dispatch.jobs]

    def estimate(self, job):
        return (job.end - job.start) / program.CLOCK_MHZ

    def ordinary(self):
        """Microseconds of a run without causes, near enough to size them by."""
        jobs = sum(self.estimate(job) * self.ratios[id(job)] + 8 for _, job in self.jobs())
        return jobs + 80 * len(self.dispatches)

    def plan(self, causes):
        """What each cause adds to a run, and where."""
        for cause, total in zip(causes, model.excesses(self.chance, self.ordinary(), [0] * len(causes)) if causes else ()):
            if cause == "over-estimate":
                jobs = sorted(self.jobs(), key=lambda one: self.estimate(one[1]))
                far = [one for one in jobs if total / 10 <= self.estimate(one[1]) <= total]  # two to ten times too long
                self.extra.append((cause, *self.chance.choice(far or jobs[-1:]), total))
                continue
            parts = 1 if cause == "host-program" else self.chance.randint(1, 3)
            for part in model.split(self.chance, total, parts):
                dispatch, job = self.chance.choice(self.jobs()[1:])
                if cause == "idle-between" and len(self.dispatches) > 1:
                    dispatch = self.chance.choice(self.dispatches[1:])
                    job = dispatch.jobs[0]
                self.extra.append((cause, dispatch, job, part))

    def wasted(self, cause, job):
        return sum(time for name, _, mine, time in self.extra if name == cause and mine is job)

    def add_actions(self):
        """The actions of every dispatch, and how long each takes: a list of (action, cause or none, microseconds)."""
        self.steps = {}
        operator = self.chance.choice(HOST_OPERATORS)
        self.host_operator, self.host_line = f"onnx.{operator}", self.source.add_host_operator(operator)
        for dispatch in self.dispatches:
            self.steps[dispatch.name] = steps = []

            def add(kind, cause, time, **more):
                action = program.Action(kind, len(dispatch.actions), **more)
                dispatch.actions.append(action)
                steps.append((action, cause, time))

            add("copy", None, 12, line=dispatch.jobs[0].layers[0].line, bytes=364)
            for job in dispatch.jobs:
                self.add_job(add, job)
            add("alloc", None, 1)
            add("dealloc", None, 1)

    def add_job(self, add, job):
        copies = self.wasted("host-copies", job)
        program_time = self.wasted("host-program", job)
        if copies:
            add("copy", "host-copies", copies, line=job.layers[0].line, bytes=round(copies * 900))
        if program_time:
            name = "host_" + self.host_operator.split(".")[1].lower()
            add("host_start", "host-program", program_time, line=self.host_line, program=name)
            add("host_wait", None, 0, line=self.host_line)
        add("start", None, 5, job=job)
        add("wait", None, 0, job=job)

    def job_time(self, job, run, spent):
        """Microseconds that a job takes in this run: its estimate, and what it takes over it."""
        excess = self.chance.noisy(self.wasted("over-estimate", job), 2)
        if excess:
            spent["over-estimate"] = spent.get("over-estimate", 0) + round(excess)
        return round(self.chance.noisy(self.estimate(job) * self.ratios[id(job)], 1.5) * run.slower) + round(excess)

    def step_time(self, action, time, run, spent):
        return self.job_time(action.job, run, spent) if action.kind == "wait" else round(self.chance.noisy(time, 2))

    def where(self, cause, sees_program, sees_dispatch):
        """Places of a cause, the most costly first; a log without the dump names no operators (R3), or no dispatches (R2)."""
        places = []
        for name, dispatch, job, _ in sorted(self.extra, key=lambda one: -one[3]):
            if name != cause:
                continue
            for owner, one in self.neighbours(dispatch, job) if cause == "idle-between" else [(dispatch, job)]:
                found = [self.source.place(layer.operator, layer.line) for layer in one.layers]
                if cause == "host-program":
                    found = [self.source.place(self.host_operator, self.host_line)]
                places += found if sees_program else []
                places += [{"dispatch": owner.name}] if sees_dispatch else []
        return places

    def neighbours(self, dispatch, job):
        """A gap is between two: either may be named."""
        jobs = self.jobs()
        at = next(at for at, one in enumerate(jobs) if one[1] is job)
        return [(dispatch, job), jobs[at - 1]]


@dataclasses.dataclass
class Run:
    """One inference of a log."""

    slower: float  # the first one may find everything cold


class Scopes:
    """The log of HEAD: scopes of initialisation, HAL calls and dispatches, two rows for each event."""

    EVENTS = {"copy": "HOST_COPY", "start": "NSS_START", "wait": "NSS_WAIT", "host_start": "HOST_START",
              "host_wait": "HOST_WAIT", "alloc": "ALLOC", "dealloc": "DEALLOC"}

    def __init__(self, host, chance):
        self.host = host
        self.chance = chance
        self.lines = ["dispatch_name,invocation_id,action_id,timestamp_us,event"]
        self.now = chance.randint(10**6, 10**8)  # us
        self.scopes = 0
        self.spent = {}  # us by cause, of the run on its way

    def put(self, scope, number, event, action=-1):
        self.lines.append(f"{scope},{number},{action},{self.now},{event}")

    def phase(self, scope, number, event, time, action=-1):
        self.put(scope, number, event + "_BEGIN", action)
        self.now += time
        self.put(scope, number, event + "_END", action)

    def new_scope(self):
        self.scopes += 1
        return self.scopes - 1

    def spend(self, cause, time):
        if cause:
            self.spent[cause] = self.spent.get(cause, 0) + time

    def initialise(self, dispatch):
        number = self.new_scope()
        self.put(dispatch.name, number, "INIT_BEGIN")
        self.phase(dispatch.name, number, "INIT_HW_OPEN", self.chance.randint(10, 900))
        self.phase(dispatch.name, number, "INIT_LOAD_CODE_SEGMENTS", self.chance.randint(200, 400))
        self.put(dispatch.name, number, "INIT_END")
        self.now += self.chance.randint(10, 40)

    def call(self, dispatch, run):
        """A dispatch inside of the HAL call that starts it, behind what the queue idles before it."""
        hal, outer, inner = "__HAL_COMMAND_BUFFER_DISPATCH__", self.new_scope(), self.new_scope()
        idle = round(self.chance.noisy(self.host.wasted("idle-between", dispatch.jobs[0]), 2))
        self.spend("idle-between", idle)
        self.now += 2 + idle
        self.put(hal, outer, "HAL_CALL_BEGIN")
        self.phase(hal, outer, "HAL_COMMAND_BUFFER_PUSH_DESCRIPTOR_SET", 1)
        self.now += self.chance.randint(2, 6)
        self.put(dispatch.name, inner, "DISPATCH_BEGIN")
        self.phase(dispatch.name, inner, "DISPATCH_ACQUIRE_HW_RESOURCES", 3)
        self.phase(dispatch.name, inner, "DISPATCH_SYNC_BINDINGS_IN", self.chance.randint(6, 12))
        self.put(dispatch.name, inner, "DISPATCH_EXECUTE_ACTIONS_BEGIN")
        for action, cause, time in self.host.steps[dispatch.name]:
            time = self.host.step_time(action, time, run, self.spent)
            self.spend(cause, time)
            self.now += self.chance.randint(0, 1)
            self.phase(dispatch.name, inner, self.EVENTS[action.kind], time, action.number)
        self.put(dispatch.name, inner, "DISPATCH_EXECUTE_ACTIONS_END")
        self.phase(dispatch.name, inner, "DISPATCH_SYNC_BINDINGS_OUT", self.chance.randint(4, 9))
        self.put(dispatch.name, inner, "DISPATCH_END")
        self.put(hal, outer, "HAL_CALL_END")

    def infer(self, run):
        """One run: its start and end, and what causes took in it."""
        queue, number, self.spent = "__HAL_QUEUE_EXECUTE__", self.new_scope(), {}
        self.now += self.chance.randint(180, 300)
        start = self.now
        self.put(queue, number, "HAL_CALL_BEGIN")
        self.phase(queue, number, "HAL_QUEUE_WAIT", self.chance.randint(3, 5))
        self.put(queue, number, "HAL_QUEUE_APPLY_DEFERRED_BEGIN")
        for dispatch in self.host.dispatches:
            self.call(dispatch, run)
        self.put(queue, number, "HAL_QUEUE_APPLY_DEFERRED_END")
        self.phase(queue, number, "HAL_QUEUE_SIGNAL", 2)
        self.put(queue, number, "HAL_CALL_END")
        return start, self.now, self.spent


def write_r3(path, host, runs, chance):
    """The log of all runs; each with its start, its end and what causes took in it."""
    scopes = Scopes(host, chance)
    for dispatch in host.dispatches:
        scopes.initialise(dispatch)
    measured = [scopes.infer(run) for run in runs]
    path.write_text("\n".join(scopes.lines) + "\n")
    return measured


def write_r2(path, host, runs, chance):
    """The log of one run of one dispatch: each action with its place."""
    events = {"copy": ("HOST_COPY_START", "HOST_COPY_END"), "start": ("NSS_START", "NSS_START_END"),
              "wait": ("NSS_WAIT_START", "NSS_WAIT_END"), "host_start": ("HOST_PROGRAM_START", "HOST_PROGRAM_END"),
              "alloc": ("ALLOC_START", "ALLOC_END"), "dealloc": ("DEALLOC_START", "DEALLOC_END")}
    lines = ["actionIndex, elapsed_time(us), timestamp(us), event, location"]
    first = now = chance.randint(10**6, 10**9)
    spent = {}
    for action, cause, time in host.steps[host.dispatches[0].name]:
        if action.kind == "host_wait":
            continue
        if action.kind == "start":
            idle = round(chance.noisy(host.wasted("idle-between", action.job), 2))
            spent["idle-between"] = spent.get("idle-between", 0) + idle
            now += idle
        time = host.step_time(action, time, runs[0], spent)
        if cause:
            spent[cause] = spent.get(cause, 0) + time
        location = "loc(unknown)" if "alloc" in action.kind else host.source.location(action.job.layers) if action.job \
            else f"loc({host.source.call(action.line)})"
        quoted = location.replace('"', '""')
        for event, moment in zip(events[action.kind], (now, now + time)):
            lines.append(f'{action.number},{moment - first},{moment},{event},"{quoted}"')
        now += time + 1
    path.write_text("\n".join(lines) + "\n")
    return [(first, now - 1, spent)]


def log(chance, folder, name, form, causes):
    host = Host(chance, form == "r2")
    wrong = causes == ["wrong-dump"]
    host.plan([] if wrong else causes)
    host.add_actions()
    runs = [Run(1.0) for _ in range(chance.runs() if form == "r3" else 1)]
    if form == "r3" and chance.random() < 0.5:
        runs[0].slower = chance.between(1.1, 1.5)
    with_dump = wrong or "over-estimate" in causes or chance.random() < 0.7
    dump = f"{host.source.name}.executable-targets.mlir" if with_dump else None
    measured = (write_r3 if form == "r3" else write_r2)(folder / "runtime.csv", host, runs, chance)
    (folder / f"{host.source.name}.mlir").write_text(host.source.text())
    if with_dump:
        of_dump = another_model(chance, host, form) if wrong else host
        (folder / dump).write_text(program.Dump(of_dump.source, of_dump.dispatches).text())
    lengths = [(end - start) * 1000 for start, end, _ in measured]
    planted = [found_in_log(host, measured, cause, form, with_dump) for cause in causes if not wrong]
    if wrong:
        planted = [model.Planted("wrong-dump", [{"file": dump}], 0, 0)]
    planted.sort(key=lambda one: -one.saves_ns)
    whole = (measured[-1][1] - measured[0][0]) * 1000
    return finish(name, form, "runtime.csv", host.source, dump, lengths, whole, planted)


def another_model(chance, host, form):
    """Whose dump is given by mistake; now and then its dispatches have the names of the right ones."""
    other = Host(chance, form == "r2")
    while other.source.name == host.source.name or len(other.jobs()) == len(host.jobs()):
        other = Host(chance, form == "r2")
    other.add_actions()
    if chance.random() < 0.5:
        for mine, right in zip(other.dispatches, host.dispatches):
            mine.name = right.name
    return other


def found_in_log(host, measured, cause, form, with_dump):
    took = model.typical([spent[cause] * 1000 for _, _, spent in measured])
    costs = took
    if cause == "over-estimate":
        job = next(job for name, _, job, _ in host.extra if name == cause)
        costs += round(host.estimate(job) * host.ratios[id(job)] * 1000)
    where = host.where(cause, form == "r2" or with_dump, form == "r3" or with_dump)
    return model.Planted(cause, where, costs, took)


def generate(chance, folder, name, form, causes):
    """Writes a profile into `folder`; the causes are those that cost, or the special one, or none."""
    write = timeline if form in ("c1", "c2") else log
    return write(chance, folder, name, form, causes)
