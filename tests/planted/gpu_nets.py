"""Nets on a GPU: transformers, convolutions and small ones, in training and inference, and what can be wrong with them.

Kernels take what their operations or bytes take at the peaks of the device, and some more; calls of the host take what PyTorch's take. An
operator of a cause knows what would stand in its place without it: `cured`.
"""
import dataclasses

import kineto
import model

STREAM, COPY_STREAM, NCCL_STREAM = 7, 13, 20
DEVICES = {  # name: TFLOP/s of fp32, tf32, bf16; GB/s of the memory; GB/s over the bus, pinned and pageable
    "NVIDIA H200": (67, 494, 989, 4800, 55, 9),
    "NVIDIA H100 80GB HBM3": (67, 494, 989, 3350, 52, 8),
    "NVIDIA A100-SXM4-80GB": (19.5, 156, 312, 2039, 25, 6),
    "NVIDIA L4": (30.3, 60, 121, 300, 25, 7),
    "NVIDIA L40S": (91.6, 183, 362, 864, 25, 7),
}
GEMM = {
    "bf16": ("nvjet_sm90_tst_192x192_64x4_2x1_v_bz_coopB_bias_TNN", "ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_32x5_tn",
             "void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_256x128_32x3_tn_align8>(cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_256x128_32x3_tn_align8::Params)"),
    "tf32": ("sm80_xmma_gemm_f32f32_tf32f32_f32_tn_n_tilesize128x128x32_stage3_warpsize2x2x1_tensor16x8x8_execute_kernel__5x_cublas",
             "void cutlass::Kernel2<cutlass_80_tensorop_s1688gemm_128x128_32x3_tn_align4>(cutlass_80_tensorop_s1688gemm_128x128_32x3_tn_align4::Params)"),
    "fp32": ("ampere_sgemm_128x64_tn", "sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize128x128x8_stage3_warpsize2x2x1_ffma_aligna4_alignc4_execute_kernel__5x_cublas",
             "void cutlass::Kernel2<cutlass_80_simt_sgemm_256x128_8x4_tn_align1>(cutlass_80_simt_sgemm_256x128_8x4_tn_align1::Params)"),
}
CONVOLUTION = {
    "bf16": "sm80_xmma_fprop_implicit_gemm_bf16bf16_bf16f32_f32_nhwckrsc_nhwc_tilesize128x128x32_stage4_warpsize2x2x1_g1_tensor16x8x16_execute_kernel__5x_cudnn",
    "tf32": "sm80_xmma_fprop_implicit_gemm_tf32f32_tf32f32_f32_nhwckrsc_nhwc_tilesize128x128x16_stage4_warpsize2x2x1_g1_tensor16x8x8_execute_kernel__5x_cudnn",
    "fp32": "sm80_xmma_fprop_implicit_gemm_f32f32_f32f32_f32_nchwkcrs_nchw_tilesize256x64x8_stage3_warpsize2x2x1_g1_ffma_aligna4_alignc4_execute_kernel__5x_cudnn",
}
LAYOUT = ("void cudnn::engines_precompiled::nchwToNhwcKernel<float, float, float, false, true, (cudnnKernelDataType_t)2>(cudnn::engines_precompiled::nchw2nhwc_params_t<float>, float const*, float*)",
          "void cudnn::engines_precompiled::nhwcToNchwKernel<float, float, float, true, false, (cudnnKernelDataType_t)0>(cudnn::engines_precompiled::nhwc2nchw_params_t<float>, float const*, float*)")
COPY = ("void at::native::elementwise_kernel<128, 2, at::native::gpu_kernel_impl_nocast<at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)"
        "::{lambda()#3}::operator()() const::{lambda()#7}::operator()() const::{lambda(float)#1}>(at::TensorIteratorBase&, ...)::{lambda(int)#1}>(int, ...)")
ADD = "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul> >(int, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul>)"
MULTIPLY = "void at::native::vectorized_elementwise_kernel<4, at::native::AUnaryFunctor<float, float, float, at::native::binary_internal::MulFunctor<float> >, std::array<char*, 2ul> >(int, ...)"
GELU = "void at::native::vectorized_elementwise_kernel<4, at::native::GeluCUDAKernelImpl(at::TensorIteratorBase&, at::native::GeluType)::{lambda()#2}, std::array<char*, 2ul> >(int, ...)"
RELU = "void at::native::vectorized_elementwise_kernel<4, at::native::(anonymous namespace)::launch_clamp_scalar(at::TensorIteratorBase&, c10::Scalar, c10::Scalar, at::native::detail::ClampLimits)::{lambda()#1}, std::array<char*, 2ul> >(int, ...)"
NORM = "void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<float, float, false>(int, float, float const*, float const*, float const*, float*, float*, float*)"
BATCH_NORM = "void cudnn::bn_fw_tr_1C11_kernel_NCHW<float, float, int, 512, true, 1, true>(cudnnTensorStruct, float const*, cudnnTensorStruct, float*)"
FLASH = "void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<64, 128, 128, 4, false, false, cutlass::bfloat16_t> >(pytorch_flash::Flash_fwd_params)"
REDUCE = "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::func_wrapper_t<float, at::native::sum_functor<float, float, float>::{lambda(float, float)#1}>, unsigned int, float, 4, 4> >(at::native::ReduceOp<float>)"
APPLY = "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous namespace)::TensorListMetadata<3>, at::native::(anonymous namespace)::FusedAdamMathFunctor<float> >(...)"
NCCL = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"
FILES = ("model.py", "nets/blocks.py", "transformer.py", "backbone.py")


@dataclasses.dataclass
class Kernel:
    """One piece of work of the device."""

    name: str
    ns: float
    category: str = "kernel"
    stream: int = STREAM
    after: tuple = ()  # streams whose work it waits for
    bytes: int = 0  # of a copy
    blocks: bool = False  # the call lasts until it is done
    grid: list = dataclasses.field(default_factory=lambda: [1056, 1, 1])
    block: list = dataclasses.field(default_factory=lambda: [128, 1, 1])
    registers: int = 32
    shared: int = 0
    call: str = "cudaLaunchKernel"
    collective: dict = None


@dataclasses.dataclass
class Operator:
    """What the host does, and what it launches."""

    names: list  # the outermost first; none: Python alone
    kernels: list
    host: float = 14000  # ns of it, without its calls
    before: float = 3000  # ns of Python before it
    category: str = "cpu_op"
    waits: str = ""  # the call in which it waits for the device
    module: str = ""
    file: str = ""
    line: int = 0
    dims: list = None
    types: list = None
    sequence: int = None
    back: bool = False
    cause: str = ""
    cured: list = dataclasses.field(default_factory=list)
    number: int = 0

    def scopes(self):
        """Functions of Python around it, the outermost first, with the number of a module."""
        found = []
        if self.module:
            kind, number = self.module.rsplit("_", 1)
            found.append((f"nn.Module: {self.module}", int(number)))
            found.append((f"{self.file}({self.line}): forward", None))
            found.append((f"torch/nn/modules/{kind.lower()}.py(125): forward", None))
        elif self.line:
            found.append((f"{self.file}({self.line}): {'step' if self.names else 'load'}", None))
        return found


@dataclasses.dataclass
class Host:
    """What calls cost."""

    call: float  # ns of a launch
    latency: int  # ns from the call to the device
    between: int  # ns between two kernels of a stream
    cured: dict = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class Net:
    """A step and how it is run."""

    device: str
    operators: list
    host: Host
    steps: int
    warm: float
    numbered: bool
    stack: bool
    math: object
    distributed: dict = None
    form: str = "kineto"

    def product_of_time(self, chance, nanoseconds):
        return self.math.product_of_time(chance, nanoseconds)


class Math:
    """How long work takes on a device."""

    def __init__(self, chance, device, kind):
        self.fp32, self.tf32, self.bf16, self.memory, self.pinned, self.pageable = DEVICES[device]
        self.sms = kineto.PROPERTIES[device][2]
        self.hopper = "H" in device.split()[1]
        self.kind = kind
        self.bytes_each = 2 if kind == "bf16" else 4
        self.efficiency, self.memory_efficiency = chance.between(0.55, 0.75), chance.between(0.7, 0.85)
        self.gemm = chance.choice(GEMM[kind] if self.hopper or kind != "bf16" else GEMM[kind][1:])

    def peak(self, kind):
        return {"fp32": self.fp32, "tf32": self.tf32, "bf16": self.bf16}[kind]

    def product(self, rows, inner, columns, kind=None):
        """ns of a product."""
        kind = kind or self.kind
        size = 2 if kind == "bf16" else 4
        work = 2 * rows * inner * columns / self.peak(kind) / 1000 / self.efficiency
        traffic = size * (rows * inner + inner * columns + rows * columns) / self.memory / self.memory_efficiency
        return 1500 + max(work, traffic)

    def stream_of(self, elements, passes=2):
        """ns of an operation on each element."""
        return 1500 + passes * self.bytes_each * elements / self.memory / self.memory_efficiency

    def linear(self, rows, inner, columns, kind=None, name="aten::addmm"):
        kind = kind or self.kind
        kernel = self.gemm if kind == self.kind else GEMM[kind][0]
        tiles = max(1, (rows + 127) // 128) * max(1, (columns + 127) // 128)
        types = {"bf16": "c10::BFloat16"}.get(kind, "float")
        return Operator(["aten::linear", name], [Kernel(kernel, self.product(rows, inner, columns, kind), grid=[tiles, 1, 1],
                                                        block=[256, 1, 1], registers=168, shared=98304 if kind != "fp32" else 33280,
                                                        call="cuLaunchKernelEx" if kernel.startswith("nvjet") else "cudaLaunchKernel")],
                        dims=[[rows, inner], [inner, columns]], types=[types, types])

    def pointwise(self, names, kernel, elements, passes=2):
        blocks = max(1, elements // 1024)
        types = {"bf16": "c10::BFloat16"}.get(self.kind, "float")
        return Operator(names, [Kernel(kernel, self.stream_of(elements, passes), grid=[blocks, 1, 1])], dims=[[elements]], types=[types])

    def product_of_time(self, chance, nanoseconds):
        rows, inner = 4096, 4096
        one = self.product(rows, inner, 4096) - 1500
        columns = max(1, round(4096 * (nanoseconds - 1500) / one / 128)) * 128
        operator = self.linear(rows, inner, columns)
        operator.names, operator.module = ["aten::matmul", "aten::mm"], f"Vocabulary_{chance.randint(0, 3)}"
        operator.file, operator.line = chance.choice(FILES), chance.randint(10, 400)
        return operator


# ---- Nets ----


def transformer(chance, math, layers, rows, width):
    operators = []
    for layer in range(layers):
        block = [
            (math.pointwise(["aten::layer_norm", "aten::native_layer_norm"], NORM, rows * width), f"LayerNorm_{2 * layer}"),
            (math.linear(rows, width, 3 * width), f"Linear_{4 * layer}"),
            (Operator(["aten::scaled_dot_product_attention", "aten::_scaled_dot_product_flash_attention", "aten::_flash_attention_forward"],
                      [Kernel(FLASH, math.product(rows, width, 512) * 1.6, grid=[rows // 64 + 1, 8, 1], registers=255, shared=81920)],
                      host=26000), f"Attention_{layer}"),
            (math.linear(rows, width, width), f"Linear_{4 * layer + 1}"),
            (math.pointwise(["aten::add"], ADD, rows * width, 3), f"Block_{layer}"),
            (math.pointwise(["aten::layer_norm", "aten::native_layer_norm"], NORM, rows * width), f"LayerNorm_{2 * layer + 1}"),
            (math.linear(rows, width, 4 * width), f"Linear_{4 * layer + 2}"),
            (math.pointwise(["aten::gelu"], GELU, 4 * rows * width), f"GELU_{layer}"),
            (math.linear(rows, 4 * width, width), f"Linear_{4 * layer + 3}"),
            (math.pointwise(["aten::add"], ADD, rows * width, 3), f"Block_{layer}"),
        ]
        for operator, module in block:
            operator.module = module
            operators.append(operator)
    return operators


def convolutions(chance, math, layers, images, channels):
    operators, size = [], 56
    for layer in range(layers):
        pixels = images * size * size
        work = math.product(pixels, 9 * channels, channels)
        convolution = Operator(["aten::conv2d", "aten::convolution", "aten::_convolution", "aten::cudnn_convolution"],
                               [Kernel(CONVOLUTION[math.kind], work, grid=[max(1, pixels // 128), 1, 1], registers=166, shared=98304,
                                       call="cudaLaunchKernelExC")], host=34000, module=f"Conv2d_{layer}",
                               dims=[[images, channels, size, size], [channels, channels, 3, 3]], types=["float", "float"])
        norm = math.pointwise(["aten::batch_norm", "aten::_batch_norm_impl_index", "aten::cudnn_batch_norm"], BATCH_NORM, pixels * channels, 3)
        norm.host, norm.module = 28000, f"BatchNorm2d_{layer}"
        relu = math.pointwise(["aten::relu", "aten::clamp_min"], RELU, pixels * channels)
        relu.module = f"ReLU_{layer}"
        operators += [convolution, norm, relu]
        if layer % 3 == 2 and size > 14:
            size, channels = size // 2, channels * 2
    return operators


def train(chance, math, operators):
    """Adds the backward pass and the optimizer."""
    back = []
    for sequence, operator in enumerate(operators):
        operator.sequence = sequence
        name = operator.names[-1].replace("aten::", "").title().replace("_", "")
        kernels = [dataclasses.replace(kernel, ns=kernel.ns * chance.between(0.95, 1.1), after=()) for kernel in operator.kernels
                   for _ in range(2 if "gemm" in kernel.name or "nvjet" in kernel.name else 1)]
        back.insert(0, Operator([f"autograd::engine::evaluate_function: {name}Backward0", f"{name}Backward0", "aten::" + operator.names[-1].split("::")[-1] + "_backward"],
                                kernels, host=operator.host, sequence=sequence, back=True, before=1500, module=operator.module,
                                file=operator.file, line=operator.line))
    weights = chance.randint(4, 12) * 1_000_000
    step = Operator(["aten::_fused_adam_"], [Kernel(APPLY, math.stream_of(weights, 7), grid=[max(1, weights // 65536), 1, 1], block=[512, 1, 1])],
                    host=40000, before=60000, file=PYTHON_FILE, line=61)
    return operators + back + [step]


PYTHON_FILE = "train.py"


def item(line, cause=""):
    """A value of the device that the host wants now."""
    return Operator(["aten::item", "aten::_local_scalar_dense"],
                    [Kernel("Memcpy DtoH (Device -> Pinned)", 1700, "gpu_memcpy", bytes=4, call="cudaMemcpyAsync")], host=9000,
                    waits="cudaStreamSynchronize", file=PYTHON_FILE, line=line, cause=cause)


def device_wait(line, cause=""):
    return Operator([], [], waits="cudaDeviceSynchronize", file=PYTHON_FILE, line=line, cause=cause)


def batch(chance, math, nanoseconds, pinned, hidden):
    """The next input goes to the device."""
    rate = math.pinned if pinned else math.pageable
    size = max(4096, round(nanoseconds * rate))
    kernel = Kernel(f"Memcpy HtoD ({'Pinned' if pinned else 'Pageable'} -> Device)", nanoseconds, "gpu_memcpy",
                    stream=COPY_STREAM if hidden else STREAM, bytes=size, call="cudaMemcpyAsync", blocks=not pinned)
    return Operator(["aten::to", "aten::_to_copy", "aten::copy_"], [kernel], file=PYTHON_FILE, line=chance.randint(90, 99),
                    dims=[[max(1, size // 4)]], types=["float"])


def draw(chance, causes, form="kineto"):
    """A net that keeps its device at work, and then what is wrong with it."""
    device = chance.choice(list(DEVICES))
    kind = chance.choice(("bf16", "tf32"))
    math = Math(chance, device, kind)
    host = Host(chance.between(4000, 8000), chance.randint(2500, 5000), chance.randint(700, 1400))
    target = chance.between(28000, 90000)  # ns of the shorter products: longer than the host needs for an operator
    small = chance.random() < 0.2
    if chance.random() < 0.6:
        width = chance.choice((768, 1024, 2048))
        rows = 2048
        while math.product(rows, width, width) < target and rows < 1 << 20:
            rows = int(rows * 1.25) // 64 * 64
        operators = transformer(chance, math, 1 if small else chance.randint(2, 5), rows, width)
    else:
        channels, images = chance.choice((64, 128)), 8
        while math.stream_of(images * 14 * 14 * 4 * channels) < target / 3 and images < 1 << 16:
            images *= 2
        operators = convolutions(chance, math, 3 if small else chance.randint(6, 9), images, channels)
    for operator in operators:
        operator.file, operator.line = chance.choice(FILES), chance.randint(10, 400)
    session = form in ("onnxruntime", "nodes")
    training = chance.random() < 0.5 and not session
    if training:
        operators = train(chance, math, operators)
    net = Net(device, operators, host, chance.randint(5, 9), chance.choice((1, 1, 2.5)), chance.random() < 0.7, chance.random() < 0.4, math)
    net.stack, net.form = net.stack and form == "kineto", form
    if session:
        frame_session(chance, net)
    else:
        frame(chance, net, training, causes)
    plant(chance, net, causes)
    return net


def frame_session(chance, net):
    """A session copies its input, and is over when its results are there."""
    if chance.random() < 0.6:
        net.operators.insert(0, batch(chance, net.math, chance.between(8000, 20000), True, False))
    net.operators.append(Operator([], [], waits="cudaStreamSynchronize"))


def frame(chance, net, training, causes):
    """What stands around the net in a step: the input, and how a step ends."""
    if chance.random() < 0.6:
        net.operators.insert(0, batch(chance, net.math, chance.between(20000, 60000), True, chance.random() < 0.5))
    ends = chance.choice(("item", "device", "nothing")) if training else chance.choice(("device", "nothing"))
    if "slow-input" in causes or "late-launches" in causes:
        ends = chance.choice(("item", "device"))
    if ends == "item":
        net.operators.append(item(70))
    elif ends == "device":
        net.operators.append(device_wait(72))
    if chance.random() < 0.4 and "slow-input" not in causes:
        net.operators.insert(0, Operator(["enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"], [], host=chance.between(20000, 60000),
                                         category="user_annotation", file=PYTHON_FILE, line=91))


# ---- Causes ----


def device_time(net):
    return sum(kernel.ns for operator in net.operators for kernel in operator.kernels)


def plant(chance, net, causes):
    remainders = {"no-tensor-cores": 0.35, "low-occupancy": 0.15, "communication": 0, "unhidden-copies": 0, "layout-copies": 0}
    if not causes:
        return
    wasted = model.excesses(chance, device_time(net), [remainders.get(cause, 0) for cause in causes])
    for cause, share in zip(causes, wasted):
        PLANTS[cause](chance, net, share)


def amid(chance, net, operator):
    """Somewhere in the net: behind the input, before the end, on no derivative."""
    net.operators.insert(chance.randint(2, max(2, min(len(net.operators) - 2, len(net.operators) // 2))), operator)


def plant_late(chance, net, _):
    """Kernels that are over before the next one was launched: the host is slow, the kernels are not long."""
    scale = chance.between(10000, 35000) / (device_time(net) / sum(len(one.kernels) for one in net.operators))
    slow = chance.between(3000, 30000)
    for operator in net.operators:
        for kernel in operator.kernels:
            kernel.ns = max(4500, kernel.ns * scale) if kernel.category == "kernel" else kernel.ns
            kernel.grid = [max(net.math.sms, int(kernel.grid[0] * scale) + 1), 1, 1]
        if operator.kernels and not operator.waits:
            cured = dataclasses.replace(operator, host=200, before=0, kernels=[dataclasses.replace(one) for one in operator.kernels])
            operator.before += slow
            operator.cause, operator.cured = "late-launches", [cured]
    net.host.cured["late-launches"] = {"call": 900}


def plant_small(chance, net, wasted):
    """A loop of kernels that are over at once, each launched by itself; together they are one."""
    each = net.host.call + 9000
    count = max(20, round(wasted / each))
    if count > 260:
        shrink(net, 260 / count)
        count = 260
    line, at = chance.randint(100, 180), len(net.operators) // 2
    file, module = chance.choice(FILES), chance.choice(("", f"Recurrence_{chance.randint(0, 5)}"))
    loop = []
    for number in range(count):
        name, kernel = chance.choice((("aten::add", ADD), ("aten::mul", MULTIPLY), ("aten::gelu", GELU)))
        loop.append(Operator([name], [Kernel(kernel, chance.between(1100, 2300), grid=[chance.randint(1, 12), 1, 1])], host=chance.between(4000, 7000),
                             before=1200, file=file, line=line, module=module, cause="small-kernels", dims=[[4096]], types=["float"]))
    loop[0].cured = [dataclasses.replace(loop[0], kernels=[Kernel(ADD, 4000)])]
    net.operators[at:at] = loop


def shrink(net, factor):
    """A smaller batch."""
    for operator in net.operators:
        for kernel in operator.kernels:
            if kernel.category == "kernel":
                kernel.ns = max(2000, kernel.ns * factor)


def plant_copies(chance, net, wasted):
    """The input of a step comes when the step needs it."""
    pinned = chance.random() < 0.5
    operator = batch(chance, net.math, wasted, pinned, False)
    operator.cause = "unhidden-copies"
    kernel = dataclasses.replace(operator.kernels[0], stream=COPY_STREAM, blocks=False)
    operator.cured = [dataclasses.replace(operator, kernels=[kernel])]
    net.operators.insert(0, operator)


def plant_waits(chance, net, wasted):
    """Values that the host asks for in the middle of a step: nothing is launched until it has them."""
    bubble = 30000 + net.host.call + net.host.latency
    count = max(3, round(wasted / bubble))
    spots = len(net.operators) - 2
    if count > spots:
        shrink(net, max(0.12, spots / count))
        count = spots
    line, device = chance.randint(100, 180), chance.random() < 0.4
    for number in range(count):
        operator = device_wait(line, "synchronisations") if device else item(line, "synchronisations")
        at = 1 + (number + 1) * (len(net.operators) - 2) // (count + 1)
        net.operators.insert(at, operator)


def plant_input(chance, net, wasted):
    """The host makes the next input while the device has nothing to do."""
    kind = chance.choice(("multi", "single", "none"))
    if kind == "none":
        operator = Operator([], [], before=wasted, file=PYTHON_FILE, line=chance.randint(90, 99), cause="slow-input")
        cured = dataclasses.replace(operator, before=2000)
    else:
        name = "_MultiProcessingDataLoaderIter" if kind == "multi" else "_SingleProcessDataLoaderIter"
        operator = Operator([f"enumerate(DataLoader)#{name}.__next__"], [], host=wasted, category="user_annotation", file=PYTHON_FILE,
                            line=chance.randint(90, 99), cause="slow-input")
        cured = dataclasses.replace(operator, host=5000)
    operator.cured = [cured]
    net.operators.insert(0, operator)


def plant_fp32(chance, net, wasted):
    """Products in plain fp32, though the device has units for them."""
    math, count = net.math, chance.randint(2, 5)
    for part in model.split(chance, wasted * 1.35, count):
        rows = 2048
        one = math.product(rows, 2048, 2048, "fp32")
        columns = max(128, round(2048 * part / one / 128) * 128)
        operator = math.linear(rows, 2048, columns, "fp32")
        cured = math.linear(rows, 2048, columns, "tf32" if math.kind == "tf32" else "bf16")
        operator.module, operator.cause = f"Linear_{chance.randint(90, 99)}", "no-tensor-cores"
        operator.file, operator.line = chance.choice(FILES), chance.randint(10, 400)
        operator.kernels[0].name = chance.choice(GEMM["fp32"])
        operator.cured = [dataclasses.replace(operator, kernels=cured.kernels)]
        amid(chance, net, operator)


def plant_occupancy(chance, net, wasted):
    """Kernels with fewer blocks than the device has multiprocessors."""
    count = chance.randint(1, 3)
    for part in model.split(chance, wasted * 1.1, count):
        blocks = chance.randint(1, max(1, net.math.sms // 6))
        name, kernel = chance.choice(((["aten::sum"], REDUCE), (["aten::cumsum", "aten::_cumsum"], REDUCE.replace("sum_functor", "scan_functor")),
                                      (["aten::softmax", "aten::_softmax"], NORM.replace("layer_norm", "softmax"))))
        operator = Operator(name, [Kernel(kernel, part, grid=[blocks, 1, 1], block=[chance.choice((64, 128, 256, 512)), 1, 1], registers=40)],
                            module=f"Pool_{chance.randint(0, 9)}", file=chance.choice(FILES), line=chance.randint(10, 400), cause="low-occupancy")
        cured = dataclasses.replace(operator.kernels[0], ns=2000 + part * blocks / net.math.sms)
        operator.cured = [dataclasses.replace(operator, kernels=[cured])]
        amid(chance, net, operator)


def plant_layout(chance, net, wasted):
    """Tensors that are only written down in another order."""
    cudnn = chance.random() < 0.5 and net.form != "nodes"  # what a node does inside shows only in its kernels
    for part in model.split(chance, wasted, chance.randint(2, 6)):
        if cudnn:
            operator = Operator(["aten::conv2d", "aten::convolution", "aten::_convolution", "aten::cudnn_convolution"],
                                [Kernel(chance.choice(LAYOUT), part, block=[256, 1, 1], shared=8320)], host=30000, module=f"Conv2d_{chance.randint(60, 70)}")
        else:
            operator = Operator(["aten::contiguous", "aten::clone", "aten::copy_"], [Kernel(COPY, part)], module=f"Permute_{chance.randint(0, 9)}")
        operator.file, operator.line, operator.cause = chance.choice(FILES), chance.randint(10, 400), "layout-copies"
        operator.dims, operator.types = [[max(1, int(part * net.math.memory * 0.75 / 8))]], ["float"]
        operator.cured = [dataclasses.replace(operator, kernels=[])]
        amid(chance, net, operator)


def plant_communication(chance, net, wasted):
    """Gradients that are summed over all ranks when the step has nothing else to do."""
    ranks = chance.choice((2, 4, 8))
    net.distributed = {"backend": "nccl", "rank": chance.randrange(ranks), "world_size": ranks, "pg_count": 1,
                       "pg_config": [{"pg_name": "0", "pg_desc": "default_pg", "backend_config": "cuda:nccl", "pg_size": ranks,
                                      "ranks": list(range(ranks))}], "nccl_version": "2.27.5"}
    at = next((at for at, one in enumerate(net.operators) if one.names and "adam" in one.names[-1]), len(net.operators) - 1)
    for number, part in enumerate(model.split(chance, wasted, chance.randint(1, 4))):
        elements = round(part * 100 / 4)
        kernel = Kernel(NCCL, part, stream=NCCL_STREAM, after=(STREAM,), grid=[24, 1, 1], block=[544, 1, 1], registers=96, shared=84032,
                        call="cudaLaunchKernelExC",
                        collective={"Collective name": "allreduce", "In msg nelems": elements, "Out msg nelems": elements, "Group size": ranks,
                                    "dtype": "Float", "In split size": "[]", "Out split size": "[]", "Process Group Name": "0",
                                    "Process Group Description": "default_pg", "Process Group Ranks": str(list(range(ranks)))})
        operator = Operator(["c10d::allreduce_", "record_param_comms", "nccl:all_reduce"], [kernel], host=30000, file=PYTHON_FILE, line=66,
                            cause="communication")
        operator.cured = [dataclasses.replace(operator, kernels=[dataclasses.replace(kernel, after=())])]
        net.operators.insert(at + number, operator)
    for operator in net.operators[at + number + 1:]:
        for kernel in operator.kernels:
            kernel.after = (NCCL_STREAM,)
    if at + number + 1 >= len(net.operators) or not net.operators[at + number + 1].kernels:
        net.operators.insert(at + number + 1, Operator(["aten::div_"], [Kernel(MULTIPLY, 6000, after=(NCCL_STREAM,))], file=PYTHON_FILE, line=67))


def plant_fallback(chance, net, wasted):
    """Operators that the provider has no kernel for: their tensors go to the host and back."""
    for part in model.split(chance, wasted, chance.randint(1, 3)):
        number = chance.randint(0, 999)
        size = chance.randint(4096, 400000)
        fetch = Operator([f"MemcpyToHost_{number}"], [Kernel("Memcpy DtoH (Device -> Pageable)", 2000 + size / net.math.pageable, "gpu_memcpy", bytes=size)],
                         host=9000, waits="cudaStreamSynchronize", cause="cpu-fallback")
        kind = chance.choice(("NonMaxSuppression", "Unique", "Multinomial"))
        compute = Operator([f"/post/{kind}_{number}"], [], host=part * 5 / 3, cause="cpu-fallback")
        bring = Operator([f"MemcpyFromHost_{number}"], [Kernel("Memcpy HtoD (Pageable -> Device)", 2000 + size / net.math.pageable, "gpu_memcpy", bytes=size,
                                                               blocks=True)], host=9000, cause="cpu-fallback")
        compute.cured = [dataclasses.replace(compute, host=14000, kernels=[Kernel(REDUCE, max(4500, part * 0.04))])]
        at = chance.randint(2, max(2, len(net.operators) - 2))
        net.operators[at:at] = [fetch, compute, bring]


PLANTS = {"cpu-fallback": plant_fallback, "late-launches": plant_late, "small-kernels": plant_small, "unhidden-copies": plant_copies, "synchronisations": plant_waits,
          "slow-input": plant_input, "no-tensor-cores": plant_fp32, "low-occupancy": plant_occupancy, "layout-copies": plant_layout,
          "communication": plant_communication}
