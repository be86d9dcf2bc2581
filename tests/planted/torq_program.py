"""A model on Torq: its layers and source, the compiler's schedule of them, and the compiler's dump.

The compiler walks a program with one clock: a transfer or a slice starts, the clock goes on, a wait moves it to the end of what is
waited for. Everything that a profile says of engines comes from that walk, so a cause is planted by walking differently.
"""
import dataclasses
import math

CLOCK_MHZ = 800
KINDS = {  # operator of the source: kernel of the slice, whether it has weights
    "tosa.conv2d": ("conv2d", True),
    "tosa.depthwise_conv2d": ("depthwise", True),
    "tosa.fully_connected": ("fully_connected", True),
    "tosa.matmul": ("matmul", True),
    "tosa.add": ("add", False),
    "tosa.mul": ("mul", False),
    "tosa.avg_pool2d": ("avg_pool2d", False),
}


@dataclasses.dataclass
class Layer:
    """One operator, cut into tiles."""

    operator: str
    size: int  # of its picture: height and width
    channels: int
    tiles: int  # even, so that both slices have as many
    cycles: int  # of a tile on a slice
    cycles_in: int  # of the transfer of a tile
    cycles_out: int
    hidden: bool = True  # transfers run while tiles are computed
    slices: int = 2  # that the tiles take turns on
    line: int = 0  # of the source
    rescale: int = 0  # line of the rescale that is fused into it; 0: none

    @property
    def kernel(self):
        return KINDS[self.operator][0]


class Source:
    """The model's source: what the compiler was given, and the places in it."""

    COLUMN = 10

    def __init__(self, name, layers):
        self.name = name
        self.path = f"/models/{name}.mlir"
        self.lines = [f"module @{name} {{", "  func.func @main(%0: tensor<1x224x224x3xi8>) -> tensor<1x1x1x1000xi8> {"]
        self.value = 0
        for layer in layers:
            self.add(layer)

    def add(self, layer):
        shape = f"tensor<1x{layer.size}x{layer.size}x{layer.channels}x"
        operands = f"%{self.value}"
        if KINDS[layer.operator][1]:
            self.lines.append(f'    %weights{self.value} = "tosa.const"() <{{values = dense<1> : tensor<{layer.channels}x3x3x'
                              f'{layer.channels}xi8>}}> : () -> tensor<{layer.channels}x3x3x{layer.channels}xi8>')
            operands += f", %weights{self.value}"
        self.value += 1
        self.lines.append(f"    %{self.value} = {layer.operator} {operands} : ({shape}i8>) -> {shape}i32>")
        layer.line = len(self.lines)
        if layer.rescale:
            self.value += 1
            self.lines.append(f'    %{self.value} = "tosa.rescale"(%{self.value - 1}) : ({shape}i32>) -> {shape}i8>')
            layer.rescale = len(self.lines)

    def add_host_operator(self, operator):
        """An operator that no engine can run; its line."""
        self.value += 1
        self.lines.append(f'    %{self.value} = torch.operator "onnx.{operator}"(%{self.value - 1}) : '
                          "(tensor<1x1000xi8>) -> tensor<1x1000xi8>")
        return len(self.lines)

    def text(self):
        return "\n".join(self.lines + [f"    return %{self.value} : tensor<1x1x1x1000xi8>", "  }", "}"]) + "\n"

    def call(self, line):
        return f'callsite("{self.path}":{line}:{self.COLUMN} at "{self.path}":2:3)'

    def location(self, layers):
        """As MLIR prints it: one operator, or several fused."""
        calls = [self.call(line) for layer in layers for line in (layer.line, layer.rescale) if line]
        return f"loc({calls[0]})" if len(calls) == 1 else f"loc(fused[{', '.join(calls)}])"

    def place(self, operator, line):
        """What an expert would point at."""
        return {"operator": f"{operator}@L{line}", "location": f"{self.name}.mlir:{line}:{self.COLUMN}"}


@dataclasses.dataclass
class Row:
    """What an engine did."""

    engine: str  # DI, DO, S, CSS, CDMA_L2D, CDMA_D2L
    slice: int
    start: int
    end: int
    layer: Layer
    bytes: int = 0


@dataclasses.dataclass
class Task:
    """A step of a job: what it starts and waits for."""

    start: int
    end: int
    layer: Layer
    steps: list  # (operation, number): of a slice, or cycles of a transfer


class Schedule:
    """The compiler's walk over layers."""

    def __init__(self, bytes_per_cycle):
        self.bytes_per_cycle = bytes_per_cycle
        self.now = 0
        self.ends = {}
        self.rows = []
        self.tasks = []

    def bytes(self, cycles):
        return max(1, math.floor(cycles * self.bytes_per_cycle))

    def task(self, layer, steps):
        """Walks through the steps of one task: a start takes no time (that of a slice one cycle), a wait takes what is left."""
        start = self.now
        for operation, number in steps:
            if operation == "wait":
                self.now = max(self.now, self.ends.get(number, 0))
            elif operation in ("DI", "DO"):
                self.begin(operation, None, number, layer, self.bytes(number))
            else:
                self.begin("S", number, layer.cycles, layer, 0)
                self.now += 1
        self.tasks.append(Task(start, self.now, layer, steps))

    def begin(self, engine, number, cycles, layer, size):
        self.ends[engine if number is None else number] = self.now + cycles
        self.rows.append(Row(engine, number or 0, self.now, self.now + cycles, layer, size))

    def run(self, layers):
        """All layers, each with its first operands on their way while the one before it ends."""
        arriving = False
        for at, layer in enumerate(layers):
            if not layer.hidden:
                self.run_waiting(layer)
                arriving = False
                continue
            follower = layers[at + 1] if at + 1 < len(layers) and layers[at + 1].hidden else None
            self.run_hidden(layer, arriving, follower)
            arriving = follower is not None

    def run_hidden(self, layer, arriving, follower):
        """While a tile is computed, the operands of the next one come in and the result of an earlier one goes out."""
        if not arriving:
            self.task(layer, [("DI", layer.cycles_in), ("wait", "DI")])
        for tile in range(layer.tiles):
            place = tile % layer.slices
            earlier = tile >= layer.slices
            if earlier:
                self.task(layer, [("wait", place), ("wait", "DO")])
            steps = [("DO", layer.cycles_out)] if earlier else []
            following = layer if tile + 1 < layer.tiles else follower
            steps += [("DI", following.cycles_in)] if following else []
            steps += [("slice", place)]
            steps += [("wait", "DI")] if following else []
            self.task(layer, steps)
        for tile in range(layer.tiles - layer.slices, layer.tiles):
            self.task(layer, [("wait", tile % layer.slices), ("wait", "DO")])
            self.task(layer, [("DO", layer.cycles_out)])
        if not follower:
            self.task(layer, [("wait", "DO")])

    def run_waiting(self, layer):
        """Everything waits for everything: operands, the slices, results."""
        for tile in range(0, layer.tiles, layer.slices):
            for _ in range(layer.slices):
                self.task(layer, [("DI", layer.cycles_in), ("wait", "DI")])
            self.task(layer, [("slice", place) for place in range(layer.slices)] +
                      [("wait", place) for place in range(layer.slices)])
            for _ in range(layer.slices):
                self.task(layer, [("DO", layer.cycles_out), ("wait", "DO")])


def length(layers, bytes_per_cycle=4.33):
    """Cycles that the layers take."""
    schedule = Schedule(bytes_per_cycle)
    schedule.run(layers)
    return max(row.end for row in schedule.rows)


# ---- The dump ----


@dataclasses.dataclass
class Job:
    """What the host starts and waits for."""

    number: int
    layers: list
    start: int = 0  # cycles from the start of its dispatch, by the compiler
    end: int = 0
    tasks: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Action:
    """A step of the host inside of a dispatch."""

    kind: str  # copy, start, wait, host_start, host_wait, alloc, dealloc
    number: int
    job: Job = None
    line: int = 0  # of the source, where it is of no job
    program: str = ""  # of the host
    bytes: int = 0


@dataclasses.dataclass
class Dispatch:
    """A compiled function."""

    name: str
    jobs: list
    actions: list

    def estimate(self):
        """Walks through all its jobs, with one clock."""
        schedule = Schedule(4.33)
        for job in self.jobs:
            schedule.tasks = []
            job.start = schedule.now
            schedule.run(job.layers)
            job.end, job.tasks = schedule.now, schedule.tasks


def lram(size):
    return f"memref<{size}xi8, #torq_hl<enc mem_space = lram>>"


def cycles(name, number):
    return f'"torq-{name}-cycles" = {number} : i64'


def times(start, end):
    return f"{cycles('end-time', end)}, {cycles('start-time', start)}"


class Dump:
    """Prints the program of a model as the compiler does at the phase `executable-targets`."""

    def __init__(self, source, dispatches):
        self.source = source
        self.dispatches = dispatches
        self.lines = []
        self.layer_number = 0
        self.task_number = 0
        self.invocations = {}  # id of a layer: name of its invocation

    def text(self):
        self.lines = [f"module @{self.source.name} {{"]
        for number, dispatch in enumerate(self.dispatches):
            self.put_dispatch(number, dispatch)
        return "\n".join(self.lines + ["}"]) + "\n"

    def put(self, depth, text):
        self.lines.append("  " * depth + text)

    def put_dispatch(self, number, dispatch):
        layers = [layer for job in dispatch.jobs for layer in job.layers]
        self.task_number = 0
        self.put(1, f"hal.executable private @main_dispatch_{number} {{")
        self.put(2, 'hal.executable.variant public @torq_fb target(<"torq", "torq-fb">) {')
        self.put(3, "builtin.module {")
        self.put(4, f'memref.global "private" @__program_slot0 : {lram(640)} = uninitialized {{lram_address = 0 : i64}}')
        self.put(4, f"func.func @{dispatch.name}() {{")
        self.put(5, "torq_hw.dispatch_profiling")
        self.put(6, f"memory : {65536 * len(layers)} bytes")
        self.put(6, f"total_cycle : {max(layer.cycles for layer in layers)}")
        for layer in layers:
            self.put_slice_program(layer)
        for job in dispatch.jobs:
            self.put_job(job)
        self.put(5, f"%slot = memref.get_global @__program_slot0 : {lram(640)}")
        self.put(5, "%block = torq_hl.get_block %n0 block 0 : !torq_hl.invocation<nss> -> memref<364xi8>")
        for action in dispatch.actions:
            self.put_action(action)
        self.put(5, "return")
        for depth in (4, 3, 2, 1):
            self.put(depth, "}")

    def put_slice_program(self, layer):
        name, number = f"slice_program_torq_hl.{layer.kernel}_{self.layer_number}", self.layer_number
        size = layer.cycles
        self.layer_number += 1
        self.invocations[id(layer)] = f"%i{number}"
        self.put(5, f'%w{number} = torq_hl.program "{name}" : !torq_hl.program<slice> {{')
        self.put(6, "torq_hw.slice_profiling")
        self.put(7, "memory : 65536 bytes")
        self.put(7, f'memory_info : "1x{layer.size}x{layer.size}x{layer.channels}"')
        self.put(7, f"max_cycle : {size}")
        self.put(7, f"ndl_cycles : dedr({size}) dewr({size // 9}) debr(16) deqw({size // 3}) cedw({size // 2}) "
                    f"cedr({size // 2}) ceww({size // 18}) cewr({size // 18}) cepr({size - 9}) acbw(16) "
                    f"acbr({size // 3}) acpr({size // 3})")
        self.put(6, "torq_hl.return")
        self.put(5, f"}} {self.source.location([layer])}")
        self.put(5, f'%i{number}, %c{number} = torq_hl.create_invocation "{name}" program(%w{number} : '
                    "!torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>")

    def put_job(self, job):
        number = job.number
        arguments = "".join(f"%s{at}: !torq_hl.invocation<slice>, " for at in range(len(job.layers)))
        self.put(5, f'%p{number} = torq_hl.program "nss_program_{number}" : !torq_hl.program<nss> {{')
        self.put(5, f"^bb0({arguments}%area: {lram(640)}):")
        self.put(6, "%xram = memref.get_global @__xram : memref<9437184xi8>")
        self.put(6, f"%lram = memref.get_global @__lram : {lram(262144)}")
        for task in job.tasks:
            self.put_task(job, task)
        self.put(6, "torq_hl.return")
        self.put(5, f"}} {self.source.location(job.layers)}")
        self.put(5, f'%n{number}, %k{number} = torq_hl.create_invocation "nss_program_{number}" program(%p{number} : '
                    f'!torq_hl.program<nss>) on 0 {{"torq-job-id" = {number} : i32}} : !torq_hl.invocation<nss>, '
                    "memref<364xi8>")

    def put_task(self, job, task):
        location = self.source.location([task.layer])
        self.put(6, f'torq_hw.nss_task {{{times(task.start, task.end)}, "torq-task-id" = {self.task_number} : i64}}() {{')
        for operation, number in task.steps:
            self.put_step(job, task.layer, operation, number, location)
        self.put(6, f"}} {location}")
        self.task_number += 1

    def put_step(self, job, layer, operation, number, location):
        if operation in ("DI", "DO"):
            size = max(1, math.floor(number * 4.33))
            places = ["%xram : memref<9437184xi8>", f"%lram : {lram(262144)}"]
            ends = places if operation == "DI" else places[::-1]
            name = "in" if operation == "DI" else "out"
            pattern = f"#torq_hw<dma_ndl{{dims = [[{size}, 1]]}}>"
            self.put(7, f"torq_hw.dma_{name}_cfg from {ends[0]} to {ends[1]} {{read_ndl = {pattern}, "
                        f"write_ndl = {pattern}}} {location}")
            self.put(7, f"torq_hw.dma_{name}_start {{{cycles('async-duration', number)}}} {location}")
        elif operation == "slice":
            self.put(7, f'"torq_hw.slice_start"(%s{job.layers.index(layer)}, %lram) <{{id = {number} : index}}> '
                        f"{{{cycles('async-duration', layer.cycles)}}} : (!torq_hl.invocation<slice>, {lram(262144)}) "
                        f"-> () {location}")
        elif number in ("DI", "DO"):
            self.put(7, f"torq_hw.dma_{'in' if number == 'DI' else 'out'}_wait {location}")
        else:
            self.put(7, f'"torq_hw.slice_wait"() <{{id = {number} : index}}> : () -> () {location}')

    def put_action(self, action):
        number = f'"torq-action-id" = {action.number} : i32'
        job = action.job
        location = self.source.location(job.layers) if job else f"loc({self.source.call(action.line)})"
        if action.kind == "copy":
            self.put(5, f"torq_hl.host_copy %block : memref<{action.bytes}xi8> to %slot : {lram(640)} {{element_size_bytes "
                        f"= {action.bytes} : i64, input_strides_bytes = array<i64>, output_strides_bytes = array<i64>, "
                        f"shape = array<i64>, {number}}} {location}")
        elif action.kind == "start":
            names = "".join(f"{self.invocations[id(layer)]}, " for layer in job.layers)
            types = "!torq_hl.invocation<slice>, " * len(job.layers)
            self.put(5, f"torq_hl.start_program %n{job.number} : !torq_hl.invocation<nss> args({names}%slot : {types}"
                        f"{lram(640)}) code(%slot : {lram(640)}) {{{number}, {times(job.start, job.start)}}} {location}")
        elif action.kind == "wait":
            self.put(5, f"torq_hl.wait_program %n{job.number} : !torq_hl.invocation<nss> {{{number}, "
                        f"{times(job.start, job.end)}}} {location}")
        elif action.kind == "host_start":
            name = f"%hp{action.number}"
            self.put(5, f'{name} = "torq_hl.import_program"() <{{name = @{action.program}}}> : () -> '
                        "!torq_hl.program<host>")
            self.put(5, f'%hi{action.number} = torq_hl.create_invocation "{action.program}" program({name} : '
                        "!torq_hl.program<host>) : !torq_hl.invocation<host>")
            self.put(5, f"torq_hl.start_program %hi{action.number} : !torq_hl.invocation<host> args( : ) {{{number}}} "
                        f"{location}")
        elif action.kind == "host_wait":
            self.put(5, f"torq_hl.wait_program %hi{action.number - 1} : !torq_hl.invocation<host> {{{number}}} {location}")
        elif action.kind == "alloc":
            self.put(5, f"%tmp = memref.alloc() {{{number}}} : memref<16xi8> loc(unknown)")
        else:
            self.put(5, f"memref.dealloc %tmp {{{number}}} : memref<16xi8> loc(unknown)")
