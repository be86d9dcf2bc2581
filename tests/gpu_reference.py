#!/usr/bin/python3
"""A second, slow reading of Kineto's, ONNX Runtime's and JAX's traces, with Python's json and nothing of ours.

    gpu_reference.py FILE...      prints what it counts as JSON

Times are whole nanoseconds. A kernel belongs to the call with its correlation; that call lies in operators, modules and Python functions of
its thread. An operator of the backward pass has the module of the one that its arrow comes from.
"""
import bisect
import collections
import decimal
import gzip
import json
import re
import sys

LAUNCHING = {"cuda_runtime", "cuda_driver", "hip_runtime", "xpu_runtime"}
DEVICE = {"kernel": "kernel", "gpu_memcpy": "copy", "gpu_memset": "set"}
SOURCE = re.compile(r"(.*)\((\d+)\): (.*)", re.S)
NOT_OURS = re.compile(r"(torch/|<|.*(site|dist)-packages/torch/|(contextlib|functools|threading|typing|_contextlib)\.py)")


def nanoseconds(value):
    """Decimals of microseconds; half a nanosecond is rounded up."""
    scaled = decimal.Decimal(value) * 1000
    return int(scaled.to_integral_value(rounding=decimal.ROUND_HALF_UP))


def load(path):
    """Events with `start` and `end`, and what stands around them."""
    opened = gzip.open(path, "rt") if str(path).endswith(".gz") else open(path)
    with opened as file:
        whole = json.load(file, parse_float=decimal.Decimal)
    events = whole if isinstance(whole, list) else whole["traceEvents"]
    for number, event in enumerate(events):
        event["number"] = number
        if "ts" in event:
            event["start"] = nanoseconds(event["ts"])
            event["end"] = event["start"] + nanoseconds(event.get("dur", 0))
    return events, {} if isinstance(whole, list) else whole


def arguments(event):
    found = event.get("args")
    return found if isinstance(found, dict) else {}


class Nest:
    """The slices of one thread: which ones lie around a moment, the innermost last."""

    def __init__(self, slices):
        self.slices = sorted(slices, key=lambda one: (one["start"], -one["end"], one["number"]))
        self.starts = [one["start"] for one in self.slices]
        self.parents, opened = [], []
        for at, one in enumerate(self.slices):
            while opened and self.slices[opened[-1]]["end"] <= one["start"]:
                opened.pop()
            self.parents.append(opened[-1] if opened else None)
            opened.append(at)

    def around(self, start, end=None):
        """Those that hold [start, end), the outermost first."""
        end = start if end is None else end
        at = bisect.bisect_right(self.starts, start) - 1
        found = []
        while at is not None and at >= 0:
            one = self.slices[at]
            if one["start"] <= start and one["end"] >= end:
                found.append(one)
            at = self.parents[at]
        return found[::-1]


class Kineto:
    """What a trace of PyTorch says, by counting."""

    def __init__(self, path):
        self.events, self.head = load(path)
        self.slices = [one for one in self.events if one.get("ph") == "X"]
        self.of_category = collections.defaultdict(list)
        for one in self.slices:
            self.of_category[one.get("cat")].append(one)
        threads = collections.defaultdict(list)
        for category in ("cpu_op", "python_function", "user_annotation"):
            for one in self.of_category[category]:
                threads[category, one["pid"], one["tid"]].append(one)
        self.nests = {key: Nest(slices) for key, slices in threads.items()}
        self.operators = {arguments(one)["External id"]: one for one in self.of_category["cpu_op"] if "External id" in arguments(one)}
        self.launches = {arguments(one)["correlation"]: one for category in LAUNCHING for one in self.of_category[category]
                         if "correlation" in arguments(one)}
        self.steps = sorted((one for one in self.of_category["user_annotation"] if re.fullmatch(r"ProfilerStep(#\d+)?", one["name"])),
                            key=lambda one: one["start"])
        self.forward = self.find_forward()

    def around(self, category, event):
        nest = self.nests.get((category, event["pid"], event["tid"]))
        return nest.around(event["start"], event["end"]) if nest else []

    def find_forward(self):
        """The operator that an operator of the backward pass is the derivative of, by its number."""
        begins = {one["id"]: one for one in self.events if one.get("cat") == "fwdbwd" and one["ph"] == "s"}
        ends = collections.defaultdict(list)
        found = {}
        for one in self.events:
            if one.get("cat") == "fwdbwd" and one["ph"] == "f" and one["id"] in begins:
                to, begin = self.at_arrow(one), self.at_arrow(begins[one["id"]])
                if to and begin:
                    found[to[-1]["number"]] = begin[-1]
                    for around in to[:-1]:
                        ends[around["number"]].append(begin[-1])
        for number, forward in ends.items():  # the call around it adds up what it gives, for the same one
            if len(forward) == 1:
                found.setdefault(number, forward[0])
        return found

    def at_arrow(self, arrow):
        nest = self.nests.get(("cpu_op", arrow["pid"], arrow["tid"]))
        return nest.around(arrow["start"]) if nest else []

    def module_of(self, event):
        """The innermost module, and whether a link of the backward pass leads there."""
        module = self.innermost_module(event)
        if module:
            return module, False
        for one in self.around("cpu_op", event)[::-1]:
            if one["number"] in self.forward:
                return self.innermost_module(self.forward[one["number"]]), True
        return None, False

    def innermost_module(self, event):
        modules = [one["name"][len("nn.Module: "):] for one in self.around("python_function", event)
                   if one["name"].startswith("nn.Module: ")]
        return modules[-1] if modules else None

    def line_of(self, event):
        """The innermost Python function that is not PyTorch's own."""
        lines = [SOURCE.fullmatch(one["name"]) for one in self.around("python_function", event) if not NOT_OURS.match(one["name"])]
        lines = [f"{line[1]}:{line[2]}" for line in lines if line]
        return lines[-1] if lines else None

    def run_of(self, event):
        for number, step in enumerate(self.steps):
            if step["start"] <= event["start"] < step["end"]:
                return number
        return None

    def work(self):
        """Everything that a device did, with whom it belongs to."""
        rows = []
        for category in DEVICE:
            for one in self.of_category[category]:
                launch = self.launches.get(arguments(one).get("correlation"))
                operators = self.around("cpu_op", launch) if launch else []
                operator = operators[-1] if operators else None
                module, linked = self.module_of(launch) if launch else (None, False)
                line = self.line_of(launch) if launch else None
                if launch and not line:
                    for around in operators[::-1]:
                        if around["number"] in self.forward:
                            line = self.line_of(self.forward[around["number"]])
                            break
                rows.append({"category": category, "name": one["name"], "ns": one["end"] - one["start"], "start": one["start"],
                             "launch": launch["name"] if launch else None, "operator": operator["name"] if operator else None,
                             "by_id": self.operators.get(arguments(one).get("External id"), {}).get("name"),
                             "around": [around["number"] for around in operators], "module": module, "linked": linked, "line": line,
                             "run": self.run_of(launch) if launch else None})
        return rows

    def windows(self):
        """When each run ran: until its last work is done, and from there on the next one."""
        ends = [step["end"] for step in self.steps]
        for row in self.work():
            if row["run"] is not None:
                ends[row["run"]] = max(ends[row["run"]], row["start"] + row["ns"])
        found, before = [], 0
        for step, end in zip(self.steps, ends):
            found.append((max(step["start"], before), end))
            before = end
        return found

    def counted(self, start):
        """Whether something that begins then is of a run; all of it is where there are none."""
        if not hasattr(self, "runs"):
            self.runs = self.windows()
        return not self.runs or any(first <= start < last for first, last in self.runs)

    def host(self):
        """By name of operator: count, total and self time on the host. A total counts an operator inside one of its name once."""
        sums = collections.defaultdict(lambda: {"count": 0, "total": 0, "self": 0})
        for (category, _, _), nest in self.nests.items():
            if category != "cpu_op":
                continue
            inner = collections.Counter()
            for at, parent in enumerate(nest.parents):
                if parent is not None and self.counted(nest.slices[at]["start"]):
                    inner[parent] += nest.slices[at]["end"] - nest.slices[at]["start"]
            for at, one in enumerate(nest.slices):
                if not self.counted(one["start"]):
                    continue
                row, above = sums[one["name"]], nest.parents[at]
                while above is not None and nest.slices[above]["name"] != one["name"]:
                    above = nest.parents[above]
                row["count"] += 1
                row["total"] += (one["end"] - one["start"]) if above is None else 0
                row["self"] += one["end"] - one["start"] - inner[at]
        return dict(sums)

    def device(self):
        """By name of operator: device time of its own kernels, and with those of operators inside it."""
        sums = collections.defaultdict(lambda: {"self": 0, "total": 0, "kernels": 0})
        names = {one["number"]: one["name"] for one in self.of_category["cpu_op"]}
        for row in self.work():
            if row["operator"] and self.counted(row["start"]):
                sums[row["operator"]]["self"] += row["ns"]
                sums[row["operator"]]["kernels"] += 1
                for name in {names[number] for number in row["around"]}:
                    sums[name]["total"] += row["ns"]
        return dict(sums)

    def counts(self):
        work = self.work()
        kernels = [row for row in work if row["category"] == "kernel"]
        graphs = [row for row in kernels if row["launch"] and "GraphLaunch" in row["launch"]]
        return {
            "kernels": len(kernels),
            "launched by an operator": sum(row["operator"] is not None for row in kernels),
            "the same by External id": sum(row["by_id"] is not None and row["by_id"] == row["operator"] for row in kernels),
            "with a module": sum(row["module"] is not None for row in kernels),
            "through links": sum(row["module"] is not None and row["linked"] for row in kernels),
            "of graphs": len(graphs),
            "of graphs with a line": sum(row["line"] is not None for row in graphs),
            "with a line": sum(row["line"] is not None for row in kernels),
            "with a run": sum(row["run"] is not None for row in kernels),
            "runs": [step["end"] - step["start"] for step in self.steps],
        }


def categories(path):
    """Slices by category: count and total, as the tables beside the files have them."""
    events, _ = load(path)
    sums = collections.defaultdict(lambda: [0, 0])
    for one in events:
        if one.get("ph") == "X":
            sums[one.get("cat", "")][0] += 1
            sums[one.get("cat", "")][1] += one["end"] - one["start"]
    return {name: {"count": count, "ns": total} for name, (count, total) in sorted(sums.items())}


def names(path):
    """Slices by name: count and total."""
    events, _ = load(path)
    sums = collections.defaultdict(lambda: [0, 0])
    for one in events:
        if one.get("ph") == "X":
            sums[one["name"]][0] += 1
            sums[one["name"]][1] += one["end"] - one["start"]
    return {name: {"count": count, "ns": total} for name, (count, total) in sorted(sums.items())}


def main():
    for path in sys.argv[1:]:
        found = {"file": path, "categories": categories(path)}
        if {"cpu_op", "kernel"} & set(found["categories"]):
            found.update(Kineto(path).counts())
        else:
            found["names"] = names(path)
        print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
