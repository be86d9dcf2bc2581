"""One net as two tool chains see it: a timeline of Torq's compiler, and a dump of ExecuTorch with the record of the model.

Both name the lines of one source file, which is all that they have in common: operators, engines and times are each chain's own.
"""
import types

import etrecord
import executorch
import torq
import torq_program

FILE = "net.py"
OPERATORS = {  # of the source, as Torq calls it: name of XNNPACK, operation of the graph
    "tosa.conv2d": ("Convolution (NHWC, F32) IGEMM", "convolution.default"),
    "tosa.depthwise_conv2d": ("Convolution (NHWC, F32) DWConv", "convolution.default"),
    "tosa.fully_connected": ("Fully Connected (NC, F32) GEMM", "linear.default"),
    "tosa.matmul": ("Batch Matrix Multiply (NC, F32) GEMM", "bmm.default"),
    "tosa.add": ("Add (ND)", "add.Tensor"),
    "tosa.mul": ("Multiply (ND)", "mul.Tensor"),
}


def write_torq(folder, layers):
    source = torq_program.Source("net", layers)
    source.path = f"/models/{FILE}"
    schedule = torq_program.Schedule(8)
    schedule.run(layers)
    torq.write_rows(folder / "net_torq.csv", "c1", schedule, source, [])
    return folder / "net_torq.csv"


def node_of(layer):
    shape = (1, layer.channels, layer.size, layer.size)
    weight = (layer.channels, layer.channels, 1, 1)
    inputs = [("input", shape)] + ([("weight", weight)] if torq_program.KINDS[layer.operator][1] else [("other", shape)])
    return etrecord.Node(OPERATORS[layer.operator][1], inputs, shape, f"features.{layer.line}", "__main__.Block", layer.line,
                         "x = self.layer(x)", 1)


def write_executorch(chance, folder, layers):
    operators = [executorch.Operator(OPERATORS[layer.operator][0], node_of(layer), chance.between(40_000, 400_000))
                 for layer in layers]
    calls = executorch.cut_into_calls(types.SimpleNamespace(chance=chance, operators=operators), 0)
    executorch.number_operators(calls)
    executorch.execute(chance, calls, 8, 1.5).finish(folder / "net_executorch.etdump")
    (folder / "net_executorch.etrecord").write_bytes(executorch.record_of(calls, FILE))
    return folder / "net_executorch.etdump"


def write(chance, folder):
    """Paths of both, and the lines of the source that both have."""
    layers = [torq.draw_layer(chance) for _ in range(chance.randint(8, 14))]
    for layer in layers:
        layer.rescale = 0
    paths = write_torq(folder, layers), write_executorch(chance, folder, layers)
    return (*paths, [layer.line for layer in layers])
