"""Kineto's traces as PyTorch writes them: the same keys, the same order, the same line breaks.

What the host did comes first, thread by thread, with arrows from operators to their derivatives between them; then Python's functions; then
what the driver told, each piece of the device's work before the call that launched it; last of all the names of processes and threads.
"""
import json

PROPERTIES = {  # name: bytes, version, multiprocessors, threads, shared memory of one
    "NVIDIA H200": (150109880320, (9, 0), 132, 2048, 233472),
    "NVIDIA H100 80GB HBM3": (84942258176, (9, 0), 132, 2048, 233472),
    "NVIDIA A100-SXM4-80GB": (85094825984, (8, 0), 108, 2048, 167936),
    "NVIDIA L4": (23580639232, (8, 9), 58, 1536, 102400),
    "NVIDIA L40S": (47674294272, (8, 9), 142, 1536, 102400),
    "NVIDIA A10G": (23609475072, (8, 6), 80, 1536, 102400),
}
STREAM_PROCESS = 0


def microseconds(nanoseconds):
    return f"{nanoseconds // 1000}.{nanoseconds % 1000:03d}"


class Trace:
    """Events in the order in which they were added, by kind; written as one file."""

    def __init__(self, device, base, pid, options=(), distributed=None):
        self.device, self.base, self.pid = device, base, pid
        self.options, self.distributed = options, distributed
        self.host, self.python, self.driver, self.marks = {}, [], [], []
        self.ids, self.correlations, self.event, self.arrows = 0, 400, 0, 0
        self.streams, self.first, self.last = set(), None, 0

    def time(self, start, nanoseconds):
        self.first = start if self.first is None else min(self.first, start)
        self.last = max(self.last, start + nanoseconds)
        return f'"ts": {microseconds(self.base + start)}, "dur": {microseconds(nanoseconds)}'

    def operator(self, tid, name, start, nanoseconds, category="cpu_op", dims=None, types=None, sequence=None, forward=None):
        """An operator or an annotation; its id. Operators of a thread are written by their start."""
        self.ids += 1
        words = [f'"External id": {self.ids},"Record function id": 0']
        if dims is not None and "record_shapes" in self.options:
            words.append(f'"Concrete Inputs": {json.dumps([""] * len(dims))}')
            words.append(f'"Input type": {json.dumps(types)}')
            words.append(f'"Input Strides": {json.dumps([strides(one) for one in dims])}')
            words.append(f'"Input Dims": {json.dumps(dims)}')
        if sequence is not None:
            words.append(f'"Sequence number": {sequence}, "Fwd thread id": {1 if forward else 0}')
        text = (f'"ph": "X", "cat": "{category}", "name": "{name}", "pid": {self.pid}, "tid": {tid},\n'
                f'    {self.time(start, nanoseconds)},\n    "args": {{\n      {", ".join(words)}, "Ev Idx": {self.event}\n    }}')
        self.event += 1
        self.host.setdefault(tid, []).append((start, -nanoseconds, self.event, text))
        return self.ids

    def backward(self, begin, end):
        """An arrow from a moment of an operator (tid, time) to one of its derivative."""
        self.arrows += 1
        for (tid, start), phase, more in ((begin, "s", ""), (end, "f", ', "bp": "e"')):
            self.event += 1
            self.host.setdefault(tid, []).append((start, 1, self.event,
                f'"ph": "{phase}", "id": {self.arrows}, "pid": {self.pid}, "tid": {tid}, "ts": {microseconds(self.base + start)},\n'
                f'    "cat": "fwdbwd", "name": "fwdbwd"{more}'))

    def function(self, tid, name, start, nanoseconds, number, parent, module=None):
        more = f', "Python module id": {module}' if module is not None else ""
        above = "null" if parent is None else parent
        self.python.append((start, -nanoseconds, f'"ph": "X", "cat": "python_function", "name": "{name}", "pid": {self.pid}, '
                            f'"tid": {tid},\n    {self.time(start, nanoseconds)},\n    "args": {{\n      "Python parent id": {above}, '
                            f'"Python id": {number}{more}, "Ev Idx": {self.event}\n    }}'))
        self.event += 1

    def call(self, tid, name, start, nanoseconds, external=None, launches=False):
        """A call of the runtime; its correlation. What it launches is written before it."""
        self.correlations += 3
        words = ([f'"External id": {external}'] if external else []) + [f'"cbid": 211, "correlation": {self.correlations}']
        category = "cuda_driver" if name.startswith("cu") and not name.startswith("cuda") else "cuda_runtime"
        text = (f'"ph": "X", "cat": "{category}", "name": "{name}", "pid": {self.pid}, "tid": {tid},\n'
                f'    {self.time(start, nanoseconds)},\n    "args": {{\n      {",      ".join(words)}\n    }}')
        phase, more = ("s", "") if launches else ("f", ', "bp": "e"')
        self.driver.append((start, 1, text))
        self.driver.append((start, 2, self.arrow(phase, self.correlations, self.pid, tid, start, more)))
        return self.correlations

    def arrow(self, phase, number, pid, tid, start, more):
        return (f'"ph": "{phase}", "id": {number}, "pid": {pid}, "tid": {tid}, "ts": {microseconds(self.base + start)},\n'
                f'    "cat": "ac2g", "name": "ac2g"{more}')

    def work(self, kernel, launch, start, nanoseconds, correlation, external=None):
        """A kernel, a copy or a memset: written before the call at `launch`."""
        self.streams.add(kernel.stream)
        words = [f'"External id": {external}'] if external else []
        if kernel.category == "kernel":
            words.append('"queued": 0, "device": 0, "context": 1')
            words.append(f'"stream": {kernel.stream}, "correlation": {correlation}')
            sms = PROPERTIES[self.device][2]
            blocks, threads = product(kernel.grid), product(kernel.block)
            words += [f'"registers per thread": {kernel.registers}', f'"shared memory": {kernel.shared}',
                      f'"blocks per SM": {blocks / sms:.6f}', f'"warps per SM": {blocks * (threads // 32) / sms:.6f}',
                      f'"grid": {json.dumps(kernel.grid)}', f'"block": {json.dumps(kernel.block)}',
                      f'"est. achieved occupancy %": {occupancy(kernel, self.device)}']
            if kernel.collective:
                words += [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in kernel.collective.items()]
        else:
            words.append(f'"device": 0, "context": 1,      "stream": {kernel.stream}, "correlation": {correlation}')
            words.append(f'"bytes": {kernel.bytes}, "memory bandwidth (GB/s)": {kernel.bytes / max(1, nanoseconds)!r}')
        text = (f'"ph": "X", "cat": "{kernel.category}", "name": "{kernel.name}", "pid": {STREAM_PROCESS}, "tid": {kernel.stream},\n'
                f'    {self.time(start, nanoseconds)},\n    "args": {{\n      {",      ".join(words)}\n    }}')
        self.driver.append((launch, 0, text))
        self.driver.append((launch, 0, self.arrow("f", correlation, STREAM_PROCESS, kernel.stream, start, ', "bp": "e"')))

    def annotation(self, name, stream, start, nanoseconds):
        self.marks.append(f'"ph": "X", "cat": "gpu_user_annotation", "name": "{name}", "pid": {STREAM_PROCESS}, "tid": {stream},\n'
                          f'    {self.time(start, nanoseconds)},\n    "args": {{\n      "External id": {self.ids}\n    }}')

    # ---- The file ----

    def head(self):
        size, (major, minor), sms, threads, shared = PROPERTIES[self.device]
        flags = "".join(f'\n      "{option}": 1,' for option in self.options)
        distributed = f'\n      "distributedInfo": {json.dumps(self.distributed)},' if self.distributed else ""
        return (f'\n  {{\n    "schemaVersion": 1,\n    "deviceProperties": [\n    {{\n      "id": 0, "name": "{self.device}", '
                f'"totalGlobalMem": {size},\n      "computeMajor": {major}, "computeMinor": {minor},\n      "maxThreadsPerBlock": 1024, '
                f'"maxThreadsPerMultiprocessor": {threads},\n      "regsPerBlock": 65536, "warpSize": 32,\n      "sharedMemPerBlock": 49152, '
                f'"numSms": {sms}\n    , "regsPerMultiprocessor": 65536, "sharedMemPerBlockOptin": {shared - 1024}, '
                f'"sharedMemPerMultiprocessor": {shared}\n    }}\n    ],{distributed}\n      "trace_id": "{self.pid:032X}",{flags}\n'
                '      "cuda_driver_version": 12040,\n      "cuda_runtime_version": 12040,\n  "displayTimeUnit": "ms",\n'
                '  "baseTimeNanoseconds": 1790857026000000000,\n  "traceEvents": [\n')

    def names(self):
        first = microseconds(self.base + self.first)
        rows = [("process_name", self.pid, 0, "name", "python3"), ("process_labels", self.pid, 0, "labels", "CPU"),
                ("process_sort_index", self.pid, 0, "sort_index", self.pid)]
        for device in range(2):
            rows += [("process_name", device, 0, "name", "python3"), ("process_labels", device, 0, "labels", f"GPU {device}"),
                     ("process_sort_index", device, 0, "sort_index", 5000000 + device)]
        for stream in sorted(self.streams):
            rows += [("thread_name", STREAM_PROCESS, stream, "name", f"stream {stream} "),
                     ("thread_sort_index", STREAM_PROCESS, stream, "sort_index", stream)]
        for tid in self.host:
            rows += [("thread_name", self.pid, tid, "name", f"thread {tid} (python3)"),
                     ("thread_sort_index", self.pid, tid, "sort_index", tid)]
        for name, pid, tid, key, value in rows:
            yield (f'"name": "{name}", "ph": "M", "ts": {first}, "pid": {pid}, "tid": {tid},\n    "args": {{\n      '
                   f'"{key}": {json.dumps(value)}\n    }}')

    def text(self, file_name):
        events = [text for tid in sorted(self.host, reverse=True) for _, _, _, text in sorted(self.host[tid])]
        events += [text for _, _, text in sorted(self.python, key=lambda one: one[:2])]
        events += [text for _, _, text in sorted(self.driver, key=lambda one: one[:2])]
        events += self.marks + list(self.names())
        whole = self.last - self.first
        begin = microseconds(self.base + self.first)
        events.append(f'"ph": "X", "cat": "Trace", "ts": {begin}, "dur": {microseconds(whole)},\n    "pid": "Spans", "tid": "PyTorch Profiler",\n'
                      '    "name": "PyTorch Profiler (0)",\n    "args": {\n      "Op count": 0\n    }')
        events.append(f'"name": "Iteration Start: PyTorch Profiler", "ph": "i", "s": "g",\n    "pid": "Traces", "tid": "Trace PyTorch Profiler", "ts": {begin}')
        events.append(f'"name": "Record Window End", "ph": "i", "s": "g",\n    "pid": "", "tid": "", "ts": {microseconds(self.base + self.last)}')
        body = ",\n".join("  {\n    " + text + "\n  }" for text in events)
        return f'{self.head()}{body}\n  ],\n  "traceName": "{file_name}"\n}}'


def strides(dims):
    found, step = [], 1
    for size in reversed(dims):
        found.append(step)
        step *= size
    return found[::-1]


def product(sizes):
    whole = 1
    for size in sizes:
        whole *= size
    return whole


def occupancy(kernel, device):
    """As Kineto estimates it: warps that fit by registers, shared memory and threads, or that there are."""
    _, _, sms, threads, shared = PROPERTIES[device]
    block = product(kernel.block)
    fit = min(threads // block, 65536 // max(1, block * kernel.registers), shared // max(1, kernel.shared + 1024), 32)
    there = product(kernel.grid) / sms
    return int(100 * min(fit, there) * block / threads)
