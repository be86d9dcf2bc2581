"""PyTorch's profiles of a GPU, with Kineto: a host that launches, and a device that works as soon as it was told and is free.

A step is a list of operators. Each costs the host time and launches kernels; a kernel takes what the arithmetic or the memory of its
device allows, and starts when its launch has arrived and its stream is free. Where the host waits for the device, it launches nothing. A cause
changes the list, and what it costs is the difference to the same list without it, by the same walk and the same noise.
"""
import dataclasses
import gzip

import gpu_nets
import kineto
import model
import onnxruntime
import xla

STREAM, COPY_STREAM, NCCL_STREAM = 7, 13, 20
QUEUE = 1000  # launches that may wait for the device
PYTHON = "train.py"


class Step:
    """When a step ran, by the host and by the device."""

    def __init__(self, start):
        self.start, self.end = start, start
        self.device = None  # end of the last work that it launched


class Walk:
    """Runs steps of operators; writes them into a trace where there is one."""

    def __init__(self, host, noise, trace=None, stack=False):
        self.host = host  # what calls cost: gpu_nets.Host
        self.noise = noise  # by (step, operator): factors of host and device
        self.trace, self.stack = trace, stack
        self.time, self.free, self.queue = 0, {}, []
        self.steps, self.tid, self.back = [], 0, 0
        self.python, self.scopes = 0, []
        self.forward = {}

    # ---- Python ----

    def enter(self, name, module=None):
        if self.stack:
            self.python += 1
            self.scopes.append((name, self.time, self.python, self.scopes[-1][2] if self.scopes else None, module))
            self.time += 600

    def leave(self):
        if self.stack:
            self.time += 300
            name, start, number, parent, module = self.scopes.pop()
            if self.trace:
                self.trace.function(self.tid, name, start, self.time - start, number, parent, module)

    # ---- One operator ----

    def launch(self, operator, kernel, tid, external, factor):
        """A call and what it launches; a copy from memory that is not pinned holds the host until it is done."""
        nanoseconds = max(1, round(kernel.ns * factor))
        start, cost = self.time, round(self.host.call * self.noise_of("call"))
        arrives = start + round(cost * 0.6) + self.host.latency
        if len(self.queue) >= QUEUE:
            wait = self.queue.pop(0)
            if wait > start:
                cost += wait - start
        begin = max(arrives, self.free.get(kernel.stream, 0) + self.host.between)
        for other in kernel.after:
            begin = max(begin, self.free.get(other, 0) + self.host.between)
        self.free[kernel.stream] = begin + nanoseconds
        self.queue.append(begin + nanoseconds)
        if kernel.blocks:
            cost = max(cost, begin + nanoseconds + 2500 - start)
        self.time = start + cost
        if self.trace:
            correlation = self.trace.call(tid, kernel.call, start, cost, external, True)
            self.trace.work(kernel, start, begin, nanoseconds, correlation, external)
        self.steps[-1].device = max(self.steps[-1].device or 0, begin + nanoseconds)

    def synchronise(self, tid, name, external):
        start = self.time
        done = max(self.free.values(), default=0)
        self.time = max(start + 1500, done + round(3000 * self.noise_of("call")))
        if self.trace:
            self.trace.call(tid, name, start, self.time - start, external, True)

    def run(self, operator, number):
        on_host, on_device = self.noise[len(self.steps) - 1, operator.number]
        tid = self.back if operator.back else self.tid
        if operator.names:
            self.time += round(operator.before * on_host)
        scopes = [] if operator.back else operator.scopes()
        for name, module in scopes:
            self.enter(name, module)
        if not operator.names:  # Python alone: what it takes is in its function
            self.time += round(operator.before * on_host)
        begins, depth = [], max(1, len(operator.names))
        for _ in operator.names:
            begins.append(self.time)
            self.time += round(operator.host * on_host * 0.5 / depth)
        external = self.trace.ids + depth if self.trace else None
        calls = self.time
        for kernel in operator.kernels:
            self.launch(operator, kernel, tid, external if operator.names else None, on_device)
            self.time += round(operator.host * on_host * 0.2 / len(operator.kernels))
        if operator.waits:
            self.synchronise(tid, operator.waits, external if operator.names else None)
        if not operator.kernels and not operator.waits:
            self.time += round(operator.host * on_host * 0.2)
        assert self.time >= calls
        ends = []
        for _ in operator.names:
            self.time += round(operator.host * on_host * 0.3 / depth)
            ends.append(self.time)
        if self.trace:
            for at, (name, begin, end) in enumerate(zip(operator.names, begins, reversed(ends))):
                self.trace.operator(tid, name, begin, end - begin, operator.category, operator.dims, operator.types,
                                    operator.sequence, operator.back)
            if operator.sequence is not None and operator.names:
                self.arrow(operator, tid, begins)
        for _ in scopes:
            self.leave()

    def arrow(self, operator, tid, begins):
        if operator.back and operator.sequence in self.forward:
            self.trace.backward(self.forward[operator.sequence], (tid, begins[min(1, len(begins) - 1)]))
        elif not operator.back:
            self.forward[operator.sequence] = (tid, begins[0])

    def noise_of(self, _):
        return self.noise[len(self.steps) - 1, "call"]

    # ---- All of them ----

    def walk(self, operators, count, numbered=True, warm=1):
        """`count` steps; how long each took: from its begin, or the end of the one before, to the end of its last work."""
        self.enter(f"{PYTHON}(1): <module>")
        self.enter(f"{PYTHON}(88): train")
        for number in range(count):
            self.steps.append(Step(self.time))
            self.time += round(20000 * (warm if number == 0 else 1))
            for operator in operators:
                slow = warm if number == 0 else 1
                before = self.time
                self.run(operator, number)
                if slow > 1 and not operator.waits:
                    self.time += round((slow - 1) * min(self.time - before, 40000))
            self.steps[-1].end = self.time
            if self.trace:
                name = f"ProfilerStep#{number + 1}" if numbered else "ProfilerStep"
                self.trace.operator(self.tid, name, self.steps[-1].start, self.time - self.steps[-1].start, "user_annotation")
            self.time += 40000
        self.synchronise(self.tid, "cudaDeviceSynchronize", None)
        self.leave()
        self.leave()
        return self.runs()

    def runs(self):
        spans = self.spans()
        return [end - start for start, end in spans]

    def spans(self):
        found, before = [], 0
        for step in self.steps:
            end = max(step.end, step.device or 0)
            found.append((max(step.start, before), end))
            before = end
        return found


def number_all(operators):
    """Operators keep their noise when others come or go."""
    for number, operator in enumerate(operators):
        operator.number = number
    return operators


def draw_noise(chance, operators, steps):
    found = {}
    for step in range(steps):
        found[step, "call"] = max(0.6, chance.noisy(1, 5))
        for operator in operators:
            found[step, operator.number] = (max(0.7, chance.noisy(1, 4)), max(0.9, chance.noisy(1, 1.2)))
    return found


def measure(net, host, noise, operators):
    if net.form == "nodes":
        return model.typical(onnxruntime.sequential(operators, noise, net.steps))
    return model.typical(Walk(host, noise, stack=net.stack).walk(operators, net.steps, warm=net.warm))


def truth(net, noise, names):
    """What each cause costs: the median step with all of them, less the one without it."""
    operators, host = net.operators, net.host
    whole = measure(net, host, noise, operators)
    found = []
    for name in names:
        cured = [one for operator in operators for one in (operator.cured if operator.cause == name else [operator])]
        for operator in cured:
            if (len(noise) and (0, operator.number) not in noise):
                operator.number = next(one.number for one in operators if one.cause == name)
        cheaper = dataclasses.replace(host, **host.cured.get(name, {}))
        found.append(whole - measure(net, cheaper, noise, cured))
    return whole, found


def settle(chance, names, form="kineto"):
    """A net with causes of the size that was promised, or of nearly that."""
    for _ in range(60):
        net = gpu_nets.draw(chance, names, form)
        for operator in net.operators:
            for one in operator.cured:
                one.cured = []
        number_all(net.operators)
        noise = draw_noise(chance, net.operators, net.steps)
        whole, saves = truth(net, noise, names)
        shares = [one / whole for one in saves]
        if all(0.12 <= share <= 0.62 for share in shares) and (len(shares) < 2 or shares[0] >= 1.5 * shares[1]):
            return net, noise, whole, saves
        if not names:
            return net, noise, whole, saves
    raise AssertionError(f"no net shows {names} as large as it should be: {shares}")


def places(net, name):
    """Operators, modules and lines of a cause, the most costly first."""
    found = []
    of_cause = [one for one in net.operators if one.cause == name]
    for operator in sorted(of_cause, key=lambda one: -sum(kernel.ns for kernel in one.kernels) - one.host):
        place = {}
        if operator.names:
            place["operator"] = operator.names[-1]
        elif operator.kernels:
            place["work"] = operator.kernels[0].name
        if operator.waits and net.form != "onnxruntime":
            place["call"] = xla.CALLS[operator.waits] if net.form == "xla" else operator.waits
        if net.stack and operator.module:
            place["module"] = operator.module
        if net.stack and operator.line and not operator.back:
            place["location"] = f"{operator.file}:{operator.line}"
        if place and place not in found:
            found.append(place)
    return found or [{"step": "step_num" if net.form == "xla" else "ProfilerStep"}]


def record(net, noise, chance):
    """The text of a profile, and how long its runs are."""
    if net.form == "nodes":
        trace = onnxruntime.Trace(chance.randint(300, 9000), chance.choice(("Tensorrt", "QNN", "CoreML", "Dml")))
        onnxruntime.sequential(onnxruntime.rename(net.operators), noise, net.steps, trace)
        return trace.text(), trace.lengths()
    if net.form == "onnxruntime":
        trace = onnxruntime.Trace(chance.randint(300, 9000))
        Walk(net.host, noise, trace).walk(onnxruntime.rename(net.operators), net.steps, warm=net.warm)
        return trace.text(), trace.lengths()
    if net.form == "xla":
        trace = xla.Recorder()
        runs = Walk(net.host, noise, trace).walk(xla.rename(net.operators), net.steps, warm=net.warm)
        return trace.text(), runs
    options = (["record_shapes"] if chance.random() < 0.5 else []) + (["with_stack", "with_modules"] if net.stack else [])
    trace = kineto.Trace(net.device, 3_800_000_000_000_000 + chance.randint(0, 10 ** 12), chance.randint(300, 9000), options, net.distributed)
    walk = Walk(net.host, noise, trace, net.stack)
    walk.tid, walk.back = trace.pid, trace.pid + 42
    runs = walk.walk(net.operators, net.steps, net.numbered, net.warm)
    return trace.text("trace.json"), runs


def generate(chance, folder, name, form, causes):
    dominating = causes == ["dominant-kernel"]
    net, noise, whole, saves = dominate(chance, form) if dominating else settle(chance, causes, form)
    text, runs = record(net, noise, chance)
    packed = chance.random() < 0.3
    path = folder / ("trace.json.gz" if packed else "trace.json")
    if packed:
        path.write_bytes(gzip.compress(text.encode(), 1, mtime=0))
    else:
        path.write_text(text)
    planted = []
    for cause, saved in zip(causes, saves):
        where = places(net, cause)
        costs = sum(kernel.ns for one in net.operators if one.cause == cause for kernel in one.kernels)
        planted.append(model.Planted(cause, where, round(costs), round(saved)))
    return model.Profile(name, "gpu", form, f"{name}/{path.name}", [], [], [], model.typical(runs), runs, 0, planted)


def dominate(chance, form):
    """One product that is most of a step and as quick as the device allows."""
    net, noise, whole, _ = settle(chance, [], form)
    share = chance.between(0.45, 0.75)
    operator = net.product_of_time(chance, share / (1 - share) * whole)
    operator.cause = "dominant-kernel"
    net.operators.insert(len(net.operators) // 2, operator)
    number_all(net.operators)
    noise = draw_noise(chance, net.operators, net.steps)
    return net, noise, measure(net, net.host, noise, net.operators), [0]
