"""ExecuTorch's profiles: ETDumps of nets on XNNPACK, with or without the ETRecord of the model, and run directories.

A machine has a peak of arithmetic and one of memory. An operator takes what its work takes at the nearer of the two, times an
efficiency that all operators share within a few percent; a cause makes one slower, or adds time where no work is done.
"""
import dataclasses
import json
import math

import etdump
import etrecord
import model

NAMES = ("mobilenet_like", "squeezesam", "wav2letter", "tiny_encoder", "keyword_net", "segment_net")
PORTABLE = {  # kernel: operation of the graph
    "native_call_gelu.out": "gelu.default", "native_call_cumsum.out": "cumsum.default",
    "native_call_native_layer_norm.out": "native_layer_norm.default", "native_call_where.self_out": "where.self",
    "native_call_atan2.out": "atan2.default", "native_call_index.Tensor_out": "index.Tensor",
    "native_call__softmax.out": "_softmax.default",
}
LAYOUT = ("Transpose (ND, X32)", "Transpose (ND, X32)", "Copy (NC, X32)")
CUT = ("native_call_view_copy.out", "view_copy.default")  # what stands between delegates: it costs next to nothing


@dataclasses.dataclass
class Operator:
    """Something that has a line of its own in a profile."""

    name: str  # of the backend or kernel, without its number
    node: etrecord.Node  # None: inserted by the backend
    nanoseconds: float  # that it takes, on average
    cause: str = ""  # whose it is
    without: float = 0  # ns that it would take without its cause
    shown: str = ""  # with the number that it gets in its delegate


class Machine:
    """Peaks, and what an operator takes on it."""

    def __init__(self, chance):
        self.chance = chance
        self.flops = chance.between(60, 240)  # a nanosecond
        self.bytes = chance.between(15, 45)
        self.efficiency = chance.between(0.75, 0.9)

    def time(self, node, macs):
        size = 4 * (math.prod(node.shape) + sum(math.prod(shape) for _, shape in node.inputs))
        bound = max(2 * macs / self.flops, size / self.bytes)
        return bound / self.efficiency * self.chance.between(0.96, 1.06)


class Net:
    """The operators of a model, in order; which of them one delegate takes is decided later."""

    def __init__(self, chance):
        self.chance = chance
        self.machine = Machine(chance)
        self.operators = []
        self.line = chance.randint(18, 40)
        self.block = 0
        self.convolutions = chance.random() < 0.65
        if self.convolutions:
            self.build_convolutions()
        else:
            self.build_encoder()

    def module(self, name):
        return f"{'features' if self.convolutions else 'layers'}.{self.block}.{name}"

    def make(self, name, operation, inputs, shape, macs, module, module_class, source, groups=1):
        node = etrecord.Node(operation, inputs, shape, module, module_class, self.line, source, groups)
        time = self.machine.time(node, macs)
        return Operator(name, node, time, without=time)

    def convolution(self, channels, out, size, window=1, depthwise=False):
        kind = "Convolution (NHWC, F32) DWConv" if depthwise else "Convolution (NHWC, F32) IGEMM" if window > 1 else \
            "Fully Connected (NC, F32) GEMM"
        weight = (out, 1 if depthwise else channels, window, window)
        shape = (1, out, size, size)
        return self.make(kind, "convolution.default", [("input", (1, channels, size, size)), ("weight", weight)], shape,
                         math.prod(shape) * math.prod(weight) // out, self.module("conv"), "torch.nn.modules.conv.Conv2d",
                         "x = self.conv(x)", out if depthwise else 1)

    def linear(self, rows, wide, out, module):
        shape = (1, rows, out)
        return self.make("Fully Connected (NC, F32) GEMM", "linear.default",
                         [("input", (1, rows, wide)), ("weight", (out, wide))], shape, rows * wide * out,
                         self.module(module), "torch.nn.modules.linear.Linear", f"x = self.{module.split('.')[-1]}(x)")

    def product(self, batch, rows, inner, columns):
        return self.make("Batch Matrix Multiply (NC, F32) GEMM", "bmm.default",
                         [("self", (batch, rows, inner)), ("mat2", (batch, inner, columns))], (batch, rows, columns),
                         batch * rows * inner * columns, self.module("attention"), "__main__.Attention", "x = q @ k")

    def elementwise(self, name, operation, shape):
        inputs = [("self", shape)] + ([("other", shape)] if "add" in operation else [])
        return self.make(name, operation, inputs, shape, 0, self.module("rest"), "__main__.Block", "x = x + y")

    def next_block(self):
        self.block += 1
        self.line += self.chance.randint(1, 3)

    def build_convolutions(self):
        """A stem, then blocks of widening, depthwise and narrowing convolutions, then a classifier."""
        size, channels = self.chance.choice((40, 56, 80)), self.chance.choice((16, 24, 32))
        self.operators.append(self.convolution(3, channels, size, 3))
        for number in range(self.chance.randint(6, 10)):
            self.next_block()
            wide = channels * self.chance.choice((4, 5, 6))
            self.operators += [self.convolution(channels, wide, size), self.convolution(wide, wide, size, 3, True)]
            keep = self.chance.random() < 0.5
            out = channels if keep else channels + 8 * self.chance.randint(1, 2)
            self.operators.append(self.convolution(wide, out, size))
            if keep:
                self.operators.append(self.elementwise("Add (ND)", "add.Tensor", (1, channels, size, size)))
            channels = out
            if number % 3 == 2:
                size = max(10, size // 2)
                channels += 8 * self.chance.randint(2, 4)
        self.next_block()
        self.operators.append(self.linear(1, channels, 1000, "head"))
        for at in (0, len(self.operators) - 1):  # the backend's own layout is another one than the model's
            self.operators.insert(at, Operator(LAYOUT[0], None, self.total() * self.chance.between(0.001, 0.004)))

    def build_encoder(self):
        """Layers of attention and a wide and a narrow product."""
        rows, wide, heads = self.chance.choice((128, 192, 256)), 64 * self.chance.randint(3, 6), 4
        for _ in range(self.chance.randint(4, 6)):
            self.next_block()
            head = wide // heads
            self.operators += [self.linear(rows, wide, wide, f"attention.{one}") for one in ("q", "k", "v")]
            self.operators += [self.product(heads, rows, head, rows),
                               self.elementwise("Softmax (NC, F32)", "_softmax.default", (heads, rows, rows)),
                               self.product(heads, rows, rows, head), self.linear(rows, wide, wide, "attention.out"),
                               self.elementwise("Add (ND)", "add.Tensor", (1, rows, wide)),
                               self.linear(rows, wide, 4 * wide, "up"), self.linear(rows, 4 * wide, wide, "down"),
                               self.elementwise("Add (ND)", "add.Tensor", (1, rows, wide))]

    def total(self):
        return sum(operator.nanoseconds for operator in self.operators)

    def insert(self, operators):
        """Anywhere but at the ends."""
        for operator in operators:
            self.operators.insert(self.chance.randint(1, len(self.operators) - 1), operator)


# ---- Causes ----


def remainder(cause, factor):
    """What remains of what a cause afflicts, in parts of what it wastes, where it makes it `factor` times slower."""
    return 1 / (factor - 1) if cause in ("portable", "low-rate") else 0


def shape_of_bytes(chance, size):
    """Of a picture that takes about so many bytes to read and write once."""
    side = chance.choice((14, 20, 28, 40))
    return (1, max(4, round(size / 8 / side / side)), side, side)


def plant_portable(net, wasted, factor):
    """The same kernel at several places, slower than a delegate would be, which is bound by memory."""
    chance, machine = net.chance, net.machine
    name = chance.choice(list(PORTABLE))
    found = []
    for part in model.split(chance, wasted, chance.randint(1, 5)):
        quick = part / (factor - 1)
        shape = shape_of_bytes(chance, quick * machine.bytes * machine.efficiency)
        net.line += 1
        node = etrecord.Node(PORTABLE[name], [("self", shape)], shape, net.module("rest"), "__main__.Block", net.line,
                             f"x = torch.{PORTABLE[name].split('.')[0]}(x)")
        found.append(Operator(name, node, quick * factor, "portable", quick))
    net.insert(found)


def plant_layout(net, wasted, _):
    """Changes of layout that the backend put in: pure traffic."""
    chance = net.chance
    name = chance.choice(LAYOUT)
    net.insert([Operator(name, None, part, "layout", 0) for part in model.split(chance, wasted, chance.randint(2, 8))])


def plant_low_rate(net, wasted, factor):
    """Depthwise convolutions that take a few times what memory allows, beside others that do not."""
    chance, machine = net.chance, net.machine
    window = chance.choice((5, 5, 3))
    found = []
    for part in model.split(chance, wasted, chance.randint(1, 3)):
        quick, side = part / (factor - 1), chance.choice((20, 28, 40, 56))
        per_channel = max(2 * side * side * window * window / machine.flops, 8 * side * side / machine.bytes)
        channels = max(8, round(quick * machine.efficiency / per_channel))
        net.next_block()
        operator = net.convolution(channels, channels, side, window, True)
        operator.cause, operator.without = "low-rate", operator.nanoseconds
        operator.nanoseconds += part
        found.append(operator)
    net.insert(found)


def plant_dominant(net, share):
    """One product that is most of the model, as quick as its work allows."""
    wanted = net.total() * share / (1 - share)
    machine, side = net.machine, net.chance.choice((20, 28, 40))
    wide = max(16, round(math.sqrt(wanted * machine.efficiency * machine.flops / 2 / side / side) / 8) * 8)
    net.next_block()
    operator = net.convolution(wide, wide, side) if net.convolutions else net.linear(side * side, wide, wide, "vocabulary")
    operator.cause = "dominant"
    net.insert([operator])


PLANTS = {"portable": plant_portable, "layout": plant_layout, "low-rate": plant_low_rate}


@dataclasses.dataclass
class Call:
    """An instruction of the program: a delegate with its operators, or one kernel."""

    operators: list
    entry: float  # ns that it takes to call
    beside: float = 0  # ns inside of the call that no operator takes
    needless: float = 0  # part of its entry that goes where small delegates become one


def group_operators(operators, every):
    """Kernels are instructions of their own, what is between them goes to delegates: of `every` operators at most; 0: of all."""
    groups = []
    for operator in operators:
        kernel = operator.name.startswith("native_call_")
        if kernel or not groups or groups[-1][0].name.startswith("native_call_") or every and len(groups[-1]) == every:
            groups.append([operator])
        else:
            groups[-1].append(operator)
    return groups


def cut_into_calls(net, small_wasted):
    """The instructions of a net, in small delegates where those are the cause; each then takes a part of what is wasted."""
    chance, calls = net.chance, []
    whole = group_operators(net.operators, 0)
    groups = group_operators(net.operators, max(1, len(net.operators) // chance.randint(18, 40))) if small_wasted else whole
    count, needed = (sum(is_delegate(Call(group, 0)) for group in some) for some in (groups, whole))
    for group in groups:
        call = Call(group, chance.between(300, 600))
        if is_delegate(call):
            inside = sum(operator.nanoseconds for operator in group)
            call.entry, call.beside = chance.between(2000, 6000), inside * chance.between(0.004, 0.012)
        if is_delegate(call) and small_wasted:
            call.entry += small_wasted / count
            call.needless = 1 - needed / count
            if calls and is_delegate(calls[-1]):
                calls.append(Call([small_kernel(net, calls[-1].operators[-1])], 300))
        calls.append(call)
    return calls


def small_kernel(net, after):
    """What stands between two small delegates: it costs next to nothing itself."""
    shape, line = (after.node.shape, after.node.line) if after.node else ((1, 64), net.line)
    node = etrecord.Node(CUT[1], [("self", shape)], shape, net.module("rest"), "__main__.Block", line, "x = x.view(shape)")
    return Operator(CUT[0], node, net.chance.between(700, 1500), "small-delegates")


def is_delegate(call):
    return not call.operators[0].name.startswith("native_call_")


def number_operators(calls):
    """XNNPACK counts the operators of one name inside of each delegate."""
    for call in calls:
        counts = {}
        for operator in call.operators:
            counts[operator.name] = counts.get(operator.name, 0) + 1
            operator.shown = f"{operator.name} #{counts[operator.name]}" if is_delegate(call) else operator.name


# ---- Files ----


class Execution:
    """Runs the calls and dumps what happens; keeps what each cause took in each run."""

    def __init__(self, chance, calls):
        self.chance = chance
        self.calls = calls
        self.dump = etdump.Dump()
        self.now = chance.randint(500_000, 3_000_000)
        self.runs = []  # ns
        self.spent = []  # by run: ns by cause, as (taken, saved)
        self.cold = 0  # what this run adds to what operators take, in parts of it

    def load(self):
        start, length = self.now, self.chance.randint(3_000_000, 20_000_000)
        self.dump.begin_block("Default")
        self.dump.add("Method::init", start + 900, start + length)
        self.dump.add("Program::load_method", start, start + length + 1800)
        self.now += length + self.chance.randint(40_000, 90_000)

    def infer(self, slower):
        """A first run is slower: half of that in the operators, which find nothing in the caches, half in the calls."""
        start, spent = self.now, {}
        self.cold = (slower - 1) / 2
        self.now += 400
        self.dump.begin_block("Execute")
        for instruction, call in enumerate(self.calls):
            (self.delegate if is_delegate(call) else self.kernel)(instruction, call, 1 + self.cold, spent)
            self.now += self.chance.randint(60, 160)
        self.now += 500
        self.dump.add("Method::execute", start, self.now)
        self.runs.append(self.now - start)
        self.spent.append(spent)
        self.now += self.chance.randint(20_000, 60_000)

    def note(self, spent, cause, taken, saved):
        if cause:
            before = spent.get(cause, (0, 0))
            spent[cause] = (before[0] + taken, before[1] + saved)

    def delegate(self, instruction, call, slower, spent):
        start = self.now
        inside = sum(operator.nanoseconds for operator in call.operators)
        entry = round(self.chance.noisy(call.entry, 4))
        overhead = entry + round(self.chance.noisy(call.beside, 4) + inside * self.cold)
        self.now += overhead // 2
        for operator in call.operators:
            taken = round(self.chance.noisy(operator.nanoseconds, 2) * slower / 1000) * 1000  # whole microseconds
            self.dump.add(operator.shown, self.now, self.now + taken, instruction, True)
            self.now += taken
            self.note(spent, operator.cause, taken, taken * (1 - operator.without / operator.nanoseconds))
        self.now += overhead - overhead // 2
        self.dump.add("DELEGATE_CALL", start, self.now, instruction)
        self.note(spent, "small-delegates" if call.needless else "", overhead, entry * call.needless)

    def kernel(self, instruction, call, slower, spent):
        start, operator = self.now, call.operators[0]
        taken = round(self.chance.noisy(operator.nanoseconds, 2) * slower)
        self.now += taken + 300
        self.dump.add(operator.shown, start + 300, self.now, instruction)
        self.now += round(call.entry)
        self.dump.add("OPERATOR_CALL", start, self.now, instruction)
        if operator.cause != "small-delegates":
            self.note(spent, operator.cause, taken, taken * (1 - operator.without / operator.nanoseconds))

    def finish(self, path):
        path.write_bytes(self.dump.finish())


def execute(chance, calls, count, slow_first):
    execution = Execution(chance, calls)
    execution.load()
    for run in range(count):
        execution.infer(slow_first if run == 0 else 1)
    return execution


def record_of(calls, file):
    return etrecord.record([[operator.node for operator in call.operators] if is_delegate(call) else call.operators[0].node
                            for call in calls], file)


def places(calls, cause, file, with_record):
    """Where a cause is, the most costly operator first."""
    if cause == "small-delegates":
        return [{"operator": "DELEGATE_CALL"}, {"operator": CUT[0]}]
    found = sorted((operator for call in calls for operator in call.operators if operator.cause == cause),
                   key=lambda operator: -operator.nanoseconds)
    where = []
    for operator in found:
        place = {"operator": operator.name if cause == "layout" else operator.shown}  # many of a kind, not this or that one
        if with_record and operator.node:
            place["location"] = f"{file}:{operator.node.line}"
            place["module"] = operator.node.module
        where.append(place)
    return where


def draw_calls(chance, causes):
    """A net with its causes, as instructions."""
    net = Net(chance)
    factors = [chance.between(8, 30) if cause == "portable" else chance.between(4, 9) for cause in causes]
    wasted = model.excesses(chance, net.total(), [remainder(*one) for one in zip(causes, factors)]) if causes else []
    small = 0
    for cause, time, factor in zip(causes, wasted, factors):
        if cause == "small-delegates":
            small = time
        else:
            PLANTS[cause](net, time, factor)
    return net, cut_into_calls(net, small)


def profile(chance, folder, name, causes):
    costly = [cause for cause in causes if cause in (*PLANTS, "small-delegates")]
    net, calls = draw_calls(chance, costly)
    if causes == ["dominant"]:
        plant_dominant(net, chance.between(0.4, 0.8))
        calls = cut_into_calls(net, 0)
    number_operators(calls)
    slow_first = chance.between(1.05, 2.2)
    if causes == ["warm-up"]:
        slow_first = chance.between(3, 9)
    execution = execute(chance, calls, chance.runs(), slow_first)
    stem = chance.choice(NAMES)
    execution.finish(folder / f"{stem}.etdump")
    wrong = causes == ["wrong-record"]
    with_record = wrong or "low-rate" in causes or "dominant" in causes or chance.random() < 0.6
    record = f"{'other/' if wrong else ''}{stem}.etrecord"  # a wrong one is not beside the dump, where it would be found
    if with_record:
        (folder / record).parent.mkdir(exist_ok=True)
        (folder / record).write_bytes(record_of(another_model(chance, calls) if wrong else calls, "model.py"))
    planted = [found(execution, calls, cause, with_record) for cause in costly]
    if causes == ["dominant"]:
        planted = [found(execution, calls, "dominant", with_record)]
        planted[0].saves_ns = 0
    if wrong:
        planted = [model.Planted("wrong-record", [{"file": record}], 0, 0)]
    if causes == ["warm-up"]:
        planted = [model.Planted("warm-up", [], 0, 0)]
    planted.sort(key=lambda one: -one.saves_ns)
    companions = [f"{name}/{record}"] if with_record else []
    return model.Profile(name=name, chain="executorch", form="etdump", main=f"{name}/{stem}.etdump", companions=companions,
                         options=["--etrecord", companions[0]] if companions else [], report=[],
                         run_ns=model.typical(execution.runs), runs_ns=execution.runs,
                         whole_ns=execution.dump.last - execution.dump.first, planted=planted)


def another_model(chance, calls):
    """Whose record is given by mistake: it has other operators, now and then as many delegates."""
    while True:
        _, other = draw_calls(chance, [])
        number_operators(other)
        if [one.shown for call in other for one in call.operators] != [one.shown for call in calls for one in call.operators]:
            return other


def found(execution, calls, cause, with_record):
    taken = model.typical([spent[cause][0] for spent in execution.spent])
    saved = model.typical([spent[cause][1] for spent in execution.spent])
    return model.Planted(cause, places(calls, cause, "model.py", with_record), taken, saved)


# ---- Run directories ----


REASONS = (("ended by signal 4 (Illegal instruction)", {"signal": 4}), ("ended by signal 11 (Segmentation fault)", {"signal": 11}),
           ("exit status 3", {"exit_status": 3}))


def runner_log(execution, stem, crashed):
    """What the runner printed; one that crashed stops in the middle."""
    count = len(execution.runs)
    lines = [f"I 00:00:00.000496 executorch:executor_runner.cpp:476] Model file artifacts/{stem.split('_mac_')[0]}.pte is "
             "loaded.",
             "I 00:00:00.016355 executorch:executor_runner.cpp:624] Model loaded in 15.671902 ms."]
    for number, time in enumerate(execution.runs[:1] if crashed else execution.runs):
        lines.append(f"I 00:00:00.{20000 + 5000 * number:06d} executorch:executor_runner.cpp:779] Iteration {number + 1} of "
                     f"{count}: {time / 1e6:.6f} ms")
    if not crashed:
        lines.append(f"I 00:00:00.900000 executorch:executor_runner.cpp:785] Model executed successfully {count} time(s) in "
                     f"{sum(execution.runs) / 1e6:.6f} ms.")
    return lines


def launch(chance, folder, calls, stem, number, failure):
    """One launch of one side: its files, and what the manifest says of it."""
    execution = execute(chance, calls, chance.randint(5, 8), 1.5)
    reason, how = failure or (None, {})
    has_dump = not failure or chance.random() < 0.5
    files = {"etdump": f"{stem}_l{number}.etdump", "log": f"{stem}_l{number}_latency.log"}
    lines = runner_log(execution, stem, bool(failure) and not has_dump)
    (folder / files["log"]).write_text("\n".join(lines) + "\n")
    if has_dump:
        execution.finish(folder / files["etdump"])
    latencies = [time / 1e6 for time in execution.runs[1:]]
    metrics = {"source": "etdump", "runs": len(latencies), "median_ms": model.typical(execution.runs[1:]) / 1e6,
               "latency_ms": latencies} if not failure else {}
    artifacts = {role: {"path": path, "exists": (folder / path).exists(), "relative_path": path}
                 for role, path in files.items()}
    ended = {"reason": reason, "last_lines": lines[-4:], **how} if failure else {}
    return execution, {"launch": number, "status": "failed" if failure else "ok", "warmup_in_process": 1, **ended,
                       "metrics": metrics, "artifacts": artifacts}


def side(experiment, results, failure):
    """An experiment as the manifest has it."""
    reason = {"reason": failure[0]} if failure else {}
    latencies = [time for one in results for time in one["metrics"].get("latency_ms", [])]
    metrics = {"runs": len(latencies), "threads": 1, "latency_ms": latencies,
               "median_ms": sorted(latencies)[len(latencies) // 2]} if latencies else {}
    return {"experiment": experiment, "mode": "timing", "status": "failed" if failure else "ok", **reason, "threads": 1,
            "runs": 5, "warmup": 1, "warmup_in_process": 1, "launches": len(results),
            "artifacts": results[0]["artifacts"], "metrics": metrics, "launch_results": results}


def run_directory(chance, folder, name):
    """Two builds of one model; every launch of the build that should be faster crashed."""
    _, calls = draw_calls(chance, [])
    number_operators(calls)
    failure = chance.choice(REASONS)
    stem, count = chance.choice(NAMES), chance.randint(3, 6)
    sides, runs = [], []
    for experiment, ends in (("mac_sme2_on", failure), ("mac_sme2_off", None)):
        launches = [launch(chance, folder, calls, f"{stem}_{experiment}_t1", number + 1, ends) for number in range(count)]
        sides.append(side(experiment, [one for _, one in launches], ends))
        if not ends:
            runs = [time for execution, _ in launches for time in execution.runs[1:]]
    head = {"schema_version": 1, "generated_at": "2026-11-15T00:00:00Z", "platform": "mac", "model": f"artifacts/{stem}.pte",
            "output_root": ".", "executorch": {"present": False}}
    (folder / "manifest.json").write_text(json.dumps({**head, "results": sides}, indent=1) + "\n")
    (folder / "metrics.json").write_text(json.dumps({**head, "results": sides}, indent=1) + "\n")
    planted = [model.Planted("failed-launches", [{"experiment": "mac_sme2_on", "reason": failure[0]}], 0, 0)]
    return model.Profile(name=name, chain="executorch", form="rundir", main=name, companions=[], options=[],
                         report=["--run-dir", name], run_ns=model.typical(runs), runs_ns=runs, whole_ns=0, planted=planted)


def generate(chance, folder, name, form, causes):
    """Writes a profile into `folder`; the causes are those that cost, or the special one, or none."""
    return run_directory(chance, folder, name) if form == "rundir" else profile(chance, folder, name, causes)
