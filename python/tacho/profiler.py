"""The op profiler: which operations a model ran, with what tensors, for how long, and what they called meanwhile.

    from tacho import profiler

    profiler.start_profiling("Linear", profiler.OpType.tt_dnn_device)
    profiler.append_input_data(profiler.Tensor((1, 1, 128, 512), "TILE", "BFLOAT16", profiler.dram(0, "INTERLEAVED")))
    profiler.append_meta_data("in0_block_w=8")
    profiler.stop_profiling("Linear")

or, until the end of a block: with profiler.op("Linear", ...): and with profiler.api_call("LaunchProgram"):.

The names are those of tt-metal's `ttl.profiler`. What is written, and where, is in doc/op-profiler.md; `tacho ops` makes the report. Nothing
here stops the program: what could not be logged is counted, see error_count and last_error.
"""
import contextlib
import enum
from typing import NamedTuple, Optional

from . import _ops


class OpType(str, enum.Enum):
    """Types that the report knows; any other text is a type, too."""

    python_fallback = "python_fallback"
    tt_dnn_cpu = "tt_dnn_cpu"
    tt_dnn_device = "tt_dnn_device"
    custom_zone = "custom_zone"
    unknown = "unknown"


class Detail(enum.IntEnum):
    """What later versions of the log have beside it."""

    compute_kernel_paths = 0
    compute_kernel_hashes = 1
    data_movement_kernel_paths = 2
    data_movement_kernel_hashes = 3
    pm_ideal_ns = 4
    pm_compute_ns = 5
    pm_bandwidth_ns = 6
    pm_req_i_bw = 7
    pm_req_o_bw = 8


class Memory(NamedTuple):
    """Where a tensor lies."""

    device: int = 0
    buffer: Optional[str] = None  # None: on the host
    layout: Optional[str] = None  # of the buffer, or storage of the host


def host(storage=None):
    return Memory(0, None, storage)


def dram(device=0, layout=None):
    return Memory(device, "DRAM", layout)


def l1(device=0, layout=None):
    return Memory(device, "L1", layout)


class Tensor(NamedTuple):
    """The sizes of its dimensions, the outermost first, and what is known of it."""

    shape: tuple
    layout: Optional[str] = None
    data_type: Optional[str] = None
    memory: Memory = Memory()


def described(tensor):
    """A tensor as _ops takes it. Of any other object with a shape, such as an array, the shape and the type of its elements are told."""
    if tensor is None:
        return (None,)
    if not isinstance(tensor, Tensor):
        name = str(getattr(tensor, "dtype", "")).rpartition(".")[2].upper()
        tensor = Tensor(tuple(tensor.shape), None, name or None)
    device, buffer, layout = tensor.memory
    placed = (device, buffer, layout, None) if buffer else (device, None, None, layout)
    return (tensor.shape, tensor.layout, tensor.data_type, *placed)


def get_profiler_flag():
    """Whether ops are profiled: always."""
    return True


def start_profiling(op_name, op_type=OpType.python_fallback):
    _ops.start(op_name, op_type.value if isinstance(op_type, OpType) else op_type)


def stop_profiling(op_name):
    _ops.stop(op_name)


def append_input_data(tensor):
    """A tensor of the innermost op of this thread; None: an optional one that is not there keeps its number."""
    _ops.input(*described(tensor))


def append_output_data(tensor):
    _ops.output(*described(tensor))


def append_all_tensor_io_data(input_tensors, optional_input_tensors=(), output_tensors=()):
    for tensor in [*input_tensors, *optional_input_tensors]:
        append_input_data(tensor)
    for tensor in output_tensors:
        append_output_data(tensor)


def append_math_fidelity(fidelity):
    _ops.math_fidelity(fidelity)


def append_parallelization_strategy(strategy):
    _ops.parallelization_strategy(strategy)


def set_preferred_name(name):
    _ops.preferred_name(name)


def append_meta_data(text):
    """One more item for the column ATTRIBUTES."""
    _ops.meta_data(str(text))


def append_detail(which, text):
    _ops.detail(which, str(text))


def start_api_call(function):
    _ops.call_begin(function)


def stop_api_call(function):
    _ops.call_end(function)


def set_profiler_location(folder):
    """From now on. False: it cannot be used; last_error says why."""
    return _ops.location(folder)


def profiler_location():
    """The folder of logs; empty: none."""
    return _ops.folder()


def call_folder():
    """Where logs of the device for the innermost op belong; empty: there is none."""
    return _ops.call_folder()


def error_count():
    return _ops.errors()


def last_error():
    return _ops.error()


@contextlib.contextmanager
def op(name, op_type=OpType.python_fallback):
    """An op until the end of the block; also a decorator."""
    start_profiling(name, op_type)
    try:
        yield
    finally:
        stop_profiling(name)


@contextlib.contextmanager
def api_call(function):
    """A call of an API until the end of the block; also a decorator."""
    start_api_call(function)
    try:
        yield
    finally:
        stop_api_call(function)


OpProfileScope = op
ApiCallScope = api_call
