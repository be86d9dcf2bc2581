"""Profiles as JAX and XProf write them: streams of a device, calls of the driver, steps with their number, and nothing of operators on the host."""
import json

import kineto

NAMES = {"aten::addmm": "gemm_fusion_dot", "aten::mm": "cublas-gemm", "aten::native_layer_norm": "input_reduce_fusion", "aten::add": "loop_add_fusion",
         "aten::_flash_attention_forward": "cudnn-fmha", "aten::mul": "loop_multiply_fusion", "aten::gelu": "loop_tanh_fusion",
         "aten::cudnn_convolution": "cudnn-conv", "aten::cudnn_batch_norm": "input_multiply_reduce_fusion", "aten::clamp_min": "loop_maximum_fusion",
         "aten::copy_": "loop_transpose_fusion", "nccl:all_reduce": "all-reduce", "aten::_fused_adam_": "loop_add_multiply_fusion"}
CALLS = {"cudaLaunchKernel": "cuLaunchKernel", "cudaLaunchKernelExC": "cuLaunchKernelEx", "cuLaunchKernelEx": "cuLaunchKernelEx",
         "cudaStreamSynchronize": "cuStreamSynchronize", "cudaDeviceSynchronize": "BlockHostUntilReady"}
HOST, DEVICE = 701, 1


def rename(operators):
    """Operators of PyTorch as instructions of a module; each kernel knows its own."""
    for number, operator in enumerate(operators):
        if operator.names and operator.category != "cpu_op":
            operator.names = ["load_batch"]
        if not operator.names or operator.category != "cpu_op":
            continue
        last = operator.names[-1]
        name = NAMES.get(last, NAMES.get(last.removesuffix("_backward"), "loop_fusion"))
        copies = operator.kernels and operator.kernels[0].category != "kernel"
        if operator.kernels and "nchw" in operator.kernels[0].name.lower() and "Kernel<" in operator.kernels[0].name:
            name = "loop_transpose_fusion"
        for kernel in operator.kernels:
            kernel.instruction = None if copies else f"{name}.{number}"
            if not copies and "gemm" not in name and "conv" not in name and not kernel.collective:
                kernel.name = f"{name}_{number}"  # what XLA compiles itself has the name of its instruction
        operator.names = ["MemcpyH2D"] if copies else [f"{name}.{number}"]
    return operators


class Recorder:
    """What the walk knows of a trace."""

    def __init__(self):
        self.ids, self.correlations, self.steps, self.events, self.streams = 0, 0, 0, [], set()

    def add(self, pid, tid, name, start, nanoseconds, arguments=None):
        time = f'"ts":{kineto.microseconds(start)},"dur":{kineto.microseconds(nanoseconds)}'
        told = f',"args":{json.dumps(arguments)}' if arguments else ""
        self.events.append((pid, tid, start, -nanoseconds, f'{{"ph":"X","pid":{pid},"tid":{tid},{time},"name":{json.dumps(name)}{told}}}'))

    def operator(self, tid, name, start, nanoseconds, category="cpu_op", *_):
        if name.startswith("ProfilerStep"):
            self.add(HOST, 9, "train", start, nanoseconds, {"step_num": str(self.steps)})
            self.steps += 1
        elif category == "user_annotation":
            self.add(HOST, 9, name, start, nanoseconds)
        return 0

    def call(self, tid, name, start, nanoseconds, external=None, launches=False):
        self.correlations += 1
        copy = name.startswith("cudaMemcpy")
        self.add(HOST, 9, CALLS.get(name, "cuMemcpyHtoDAsync_v2" if copy else name), start, nanoseconds, {"correlation_id": str(self.correlations)})
        return self.correlations

    def work(self, kernel, launch, begin, nanoseconds, correlation, external=None):
        instruction = getattr(kernel, "instruction", None)
        told = {"hlo_op": instruction, "hlo_module": "jit_train_step", "kernel_details": "regs:32 grid:1056,1,1 block:128,1,1 occ_pct:62.5"} if instruction else {}
        name = kernel.name if kernel.category == "kernel" else "MemcpyD2H" if "DtoH" in kernel.name else "MemcpyH2D"
        self.streams.add(kernel.stream)
        self.add(DEVICE, kernel.stream, name, begin, nanoseconds, told | {"correlation_id": str(correlation)})

    def function(self, *_):
        """Python's functions are not recorded."""

    def backward(self, *_):
        """Nor which instruction is of which derivative."""

    def text(self):
        names = [(HOST, None, "/host:CPU"), (HOST, 9, "python"), (DEVICE, None, "/device:GPU:0")]
        names += [(DEVICE, stream, f"Stream #{stream}(Compute)") for stream in sorted(self.streams)]
        rows = [json.dumps({"ph": "M", "pid": pid, "name": "thread_name" if tid else "process_name", "args": {"name": name}} | ({"tid": tid} if tid else {}))
                for pid, tid, name in names]
        rows += [event[-1] for event in sorted(self.events, key=lambda one: one[:4])]
        return '{"displayTimeUnit":"ns","metadata":{"highres-ticks":true},"traceEvents":[' + ",".join(rows) + "]}"
