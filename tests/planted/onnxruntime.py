"""Profiles as ONNX Runtime writes them: whole microseconds, nodes with their provider, kernels behind the node that launched them.

`Trace` takes what the walk of host and device does: calls are not recorded, and a step is a `model_run`, which ends when its results are there.
`sequential` is a provider that computes a node while it is called, and records no kernels.
"""
import json

TYPES = {"aten::addmm": "Gemm", "aten::mm": "MatMul", "aten::native_layer_norm": "LayerNormalization", "aten::_flash_attention_forward": "Attention",
         "aten::add": "Add", "aten::mul": "Mul", "aten::gelu": "Gelu", "aten::cudnn_convolution": "Conv", "aten::cudnn_batch_norm": "BatchNormalization",
         "aten::clamp_min": "Relu", "aten::copy_": "Transpose"}
ON_CPU = ("NonMaxSuppression", "Unique", "StringNormalizer", "Multinomial")
COPIES = {"Memcpy DtoH": "MemcpyDeviceToHost", "Memcpy HtoD": "MemcpyHostToDevice"}
LOADED = 5_000_000  # ns until the model is ready
BETWEEN = 2000  # ns from one node to the next


def rename(operators):
    """Operators of PyTorch as nodes of a graph. Inputs are copied by the run itself."""
    for number, operator in enumerate(operators):
        for kernel in operator.kernels:
            kernel.name = next((name for front, name in COPIES.items() if kernel.name.startswith(front)), kernel.name)
        if operator.names and operator.names[0] == "aten::to":
            operator.names = []
        elif operator.names and operator.names[-1] in TYPES:
            operator.names = [f"/{operator.module or 'graph'}/{TYPES[operator.names[-1]]}_{number}"]
    return operators


class Trace:
    """Takes what happens, in nanoseconds from when the model is ready; writes whole microseconds, rounded down."""

    def __init__(self, pid, provider="CUDA"):
        self.pid, self.provider, self.ids = pid, provider, 0
        self.events, self.runs = [], []  # (start, order, event, work behind it); (event, all its work)
        self.launched, self.unowned, self.work_of_run = [], [], []

    def event(self, category, name, start, nanoseconds, arguments, pid):
        begin, end = (LOADED + start) // 1000, (LOADED + start + nanoseconds) // 1000
        return {"cat": category, "pid": pid, "tid": pid, "dur": end - begin, "ts": begin, "ph": "X", "name": name, "args": arguments}

    def operator(self, _, name, start, nanoseconds, category="cpu_op", *__):
        if category == "user_annotation":
            self.run(start, nanoseconds)
            return
        kind = name.split("/")[-1].rsplit("_", 1)[0]
        provider = "CPU" if kind in ON_CPU else self.provider
        event = self.event("Node", f"{name}_kernel_time", start, nanoseconds, {
            "op_name": kind, "provider": f"{provider}ExecutionProvider", "node_index": str(len(self.events)), "output_size": "4096",
            "input_type_shape": [{"float": [1, 64]}], "output_type_shape": [{"float": [1, 64]}]}, self.pid)
        for work in self.launched:
            work["args"] |= {"op_name": kind, "parent_name": event["name"]}
        self.events.append((start, 2, event, self.launched))
        self.launched = []

    def run(self, start, nanoseconds):
        event = self.event("Session", "model_run", start, nanoseconds, {}, self.pid)
        self.events.append((start, 0, event, self.unowned))
        self.events.append((start + 9000, 1, self.event("Session", "SequentialExecutor::Execute", start + 9000, nanoseconds - 12000, {}, self.pid), []))
        self.runs.append((event, self.work_of_run))
        self.unowned, self.work_of_run = [], []

    def work(self, kernel, launch, begin, nanoseconds, correlation, external=None):
        sizes = (kernel.grid, kernel.block) if kernel.category == "kernel" else ([-1, -1, -1], [-1, -1, -1])
        arguments = {"stream": str(kernel.stream)} | {f"{what}_{axis}": str(size[at]) for what, size in zip(("grid", "block"), sizes)
                                                     for at, axis in enumerate("xyz")}
        event = self.event("Kernel", kernel.name, begin, nanoseconds, arguments, -1)
        if external is None:
            event["args"] |= {"op_name": "", "parent_name": "model_run"}
        (self.unowned if external is None else self.launched).append(event)
        self.work_of_run.append(event)

    def call(self, *_):
        """Calls of the driver are not recorded."""

    function = backward = call

    def lengths(self):
        """How long each run is in the file: until its last work is done, and not before the one before was."""
        found, before = [], 0
        for event, work in self.runs:
            end = max([event["ts"] + event["dur"]] + [one["ts"] + one["dur"] for one in work])
            found.append((end - max(event["ts"], before)) * 1000)
            before = end
        return found

    def text(self):
        rows = [self.event("Session", "model_loading_uri", 4000 - LOADED, 900000, {}, self.pid),
                self.event("Session", "session_initialization", 950000 - LOADED, 3000000, {}, self.pid)]
        for _, _, event, work in sorted(self.events, key=lambda one: one[:2]):
            rows += [event, *work]
        return "[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n"


def sequential(operators, noise, runs, trace=None):
    """A provider that computes while it is called: how long each run takes."""
    time, found = 0, []
    for run in range(runs):
        begin = time
        time += 10000
        for operator in operators:
            on_host, on_device = noise[run, operator.number]
            taken = round(sum(kernel.ns for kernel in operator.kernels) * on_device if operator.kernels else operator.host * on_host)
            if trace and operator.names:
                trace.operator(0, operator.names[-1], time, taken)
            time += taken + BETWEEN
        time += 6000
        if trace:
            trace.run(begin, time - begin)
        found.append(time - begin)
        time += 30000
    return found
