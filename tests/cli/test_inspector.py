"""What ExecuTorch's own Inspector says of a dump and its record: the same events, times, statistics, operation types, sources, modules
and nesting, and the places where it is wrong."""
import csv
import gzip
import json
import math
import re
import shutil
from collections import defaultdict

import pytest

import tool

MODELS = {
    "broken_graph": ("operators/broken_graph_mac_sme2_on_t1.etdump", "operators/broken_graph.etrecord"),
    "mobilenet": ("operators/mobilenet_mac_sme2_on_t1.etdump.gz", "operators/mobilenet.etrecord"),
    "mobilenet_portable": ("etrecord/mobilenet_portable.etdump.gz", "etrecord/mobilenet_portable.etrecord"),
}
# Inspector looks a delegate's handles up in the outer graph, where another node happens to have one of them.
WRONG_TYPES = {("broken_graph", "DELEGATE_CALL", 6): ["dim_order_ops._to_dim_order_copy.default"]}
# A linear became two nodes that share a handle: Inspector gives both types to both, ours by the kernel's name.
SHARED_TYPES = {("mobilenet_portable", "native_call_permute_copy.out"): 0, ("mobilenet_portable", "native_call_addmm.out"): 1}
CALLS = ("DELEGATE_CALL", "OPERATOR_CALL")


def percentile(values, share):
    """Numpy's linear one."""
    values = sorted(values)
    place = (len(values) - 1) * share
    low = math.floor(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (place - low)


class Case:
    """The events of a model as Inspector lists them, and ours by node."""

    def __init__(self, model, folder):
        self.model = model
        dump, self.record = (tool.DATA / name for name in MODELS[model])
        self.dump = folder / f"{model}.etdump{'.gz' if dump.suffix == '.gz' else ''}"
        shutil.copy(dump, self.dump)
        tool.good("timeline", self.dump, "--etrecord", self.record, "--out-dir", folder, "--all-runs", "--json")
        self.events = [json.loads(line) for line in
                       gzip.decompress((tool.DATA / "inspector" / f"{model}.jsonl.gz").read_bytes()).decode().splitlines()]
        self.nodes = defaultdict(list)
        for row in json.loads((folder / f"{model}_exec_all_runs_timeline.json").read_text()):
            self.nodes[row["node_id"]].append(row)
        with (folder / f"{model}_exec_all_runs_timeline.csv").open(newline="") as file:
            self.table = list(csv.DictReader(file))
        self.analysis = json.loads(tool.good("operators", self.dump, "--etrecord", self.record, "--warmup", "none", "--json").text)

    def pairs(self):
        return [(event, self.nodes[node]) for node, event in enumerate(self.events)]

    def operators(self):
        """Inspector's events that are work, each beside our operator: both come in the order in which they first ran."""
        work = [event for event in self.events if event["is_delegated"] or event["name"].startswith("native_call")]
        assert len(work) == len(self.analysis["operators"])
        return list(zip(work, self.analysis["operators"]))


@pytest.fixture(scope="module", params=MODELS)
def case(request, tmp_path_factory):
    return Case(request.param, tmp_path_factory.mktemp("inspector"))


def test_the_same_events_in_the_same_order(case):
    assert sorted(case.nodes) == list(range(len(case.events)))
    for event, runs in case.pairs():
        assert {(row["name"], row["block"]) for row in runs} == {(event["name"], event["block"])}
        assert len(runs) == event["runs"]
        assert [row["run_index"] for row in runs] == list(range(event["runs"]))


def test_times_of_every_run(case):
    for event, runs in case.pairs():
        assert [row["duration_ms"] for row in runs] == pytest.approx(event["raw_ms"], rel=0, abs=5e-10)
        # Inspector has whole ticks; ours are microseconds of them.
        assert [round(row["start_us"] * 1000) for row in runs] == [int(start) for start in event["start_time"]]


def test_statistics(case):
    for event, runs in case.pairs():
        times = [row["duration_ms"] for row in runs]
        for name, value in (("min", min(times)), ("max", max(times)), ("avg", math.fsum(times) / len(times)),
                            ("p10", percentile(times, 0.1)), ("p50", percentile(times, 0.5)), ("p90", percentile(times, 0.9))):
            assert value == pytest.approx(event[name], rel=1e-12, abs=1e-12), (event["name"], name)


def test_averages_of_operators(case):
    """Ours are of whole ticks, Inspector's of the decimals made of them."""
    for event, operator in case.operators():
        assert operator["name"] == event["name"] and operator["events"] == event["runs"]
        assert operator["avg_ms"] == pytest.approx(event["avg"], rel=1e-9, abs=1e-9)
        assert operator["total_ms"] == pytest.approx(math.fsum(event["raw_ms"]), rel=1e-9, abs=1e-9)


def test_latency(good, case):
    """Percentiles of the inferences, with all runs kept."""
    execute = next(event for event in case.events if event["name"] == "Method::execute")
    assert case.analysis["e2e"] == {"runs": execute["runs"], "total_ms": pytest.approx(math.fsum(execute["raw_ms"])),
                                    "avg_ms": pytest.approx(execute["avg"]), "min_ms": execute["min"], "max_ms": execute["max"]}
    good("latency", "--timeline-csv", case.dump, "--name", "all", "--output-dir", case.dump.parent)
    stats = json.loads(next(case.dump.parent.glob("*_robust_stats.json")).read_text())
    assert stats["count"] == execute["runs"] and stats["latencies_ms"] == pytest.approx(execute["raw_ms"])
    assert stats["percentiles"]["p50"] == pytest.approx(execute["p50"]) and stats["percentiles"]["p90"] == pytest.approx(execute["p90"])


def test_backends(case):
    for event, runs in case.pairs():
        expected = event["backend"] if event["is_delegated"] else "portable"
        assert {row["delegate_backend"] for row in runs} == {expected}
        work = event["is_delegated"] or event["name"].startswith("native_call")
        assert {row["backend"] for row in runs} == {expected if work else ""}
    for event, operator in case.operators():
        assert operator["backend"] == (event["backend"] or "portable")
        assert (operator["delegate"] is not None) == event["is_delegated"]
        assert operator["instruction"] == event["instruction_id"]


def test_nesting(case):
    """A parent has the same instruction, or is the inference; loading nests by time."""
    parents = {node: {row["parent_id"] for row in runs} for node, runs in case.nodes.items()}
    for node, event in enumerate(case.events):
        assert len(parents[node]) == 1
        parent = next(iter(parents[node]))
        outer = None if parent is None else case.events[parent]
        if event["is_delegated"]:
            assert (outer["name"], outer["instruction_id"]) == ("DELEGATE_CALL", event["instruction_id"])
        elif event["name"].startswith("native_call"):
            assert (outer["name"], outer["instruction_id"]) == ("OPERATOR_CALL", event["instruction_id"])
        elif event["name"] in CALLS:
            assert outer["name"] == "Method::execute"
        elif event["name"] == "Method::init":
            assert outer["name"] == "Program::load_method"
        else:
            assert outer is None


def test_operation_types(case):
    """Of portable kernels Inspector's are ours; it has none for what is inside a delegate, and wrong ones for some calls."""
    for event, runs in case.pairs():
        mine = {row["op_type"] for row in runs}
        assert len(mine) == 1
        mine = mine.pop()
        if event["name"].startswith("native_call"):
            shared = SHARED_TYPES.get((case.model, event["name"]))
            assert len(event["op_types"]) == (1 if shared is None else 2)
            assert mine == event["op_types"][shared or 0]
        elif event["is_delegated"]:
            assert event["op_types"] == []
        else:
            assert mine == ""
            wrong = WRONG_TYPES.get((case.model, event["name"], event["instruction_id"]))
            assert event["name"] == "OPERATOR_CALL" or event["op_types"] == (wrong or [])
    if case.model == "broken_graph":
        inside = [operator["op"] for operator in case.analysis["operators"] if operator["instruction"] == 6]
        assert inside == ["aten.linear.default", "aten.add.Tensor"]


def innermost(stack):
    """File and line of the last frame that is no library's."""
    frames = re.findall(r'File "([^"]+)", line (\d+)', stack)
    return next((f"{file}:{line}" for file, line in reversed(frames) if "site-packages" not in file), None)


def test_sources_and_modules(case):
    for event, operator in case.operators():
        if event["is_delegated"]:
            continue
        node = SHARED_TYPES.get((case.model, event["name"]), 0)
        assert operator["joined"] == "recorded" and operator["op"] == event["op_types"][node]
        assert operator["source"] == innermost(list(event["stack_traces"].values())[node])
        paths = [path for path, _ in list(event["module_hierarchy"].values())[node].values()]
        assert (operator["module"] or "") == paths[-1]


def test_csv_and_json_have_the_same_rows(case):
    listed = [row for node in sorted(case.nodes) for row in case.nodes[node]]
    assert len(listed) == len(case.table)
    for one, other in zip(listed, case.table):
        assert set(one) == set(other)
        for column, value in one.items():
            assert other[column] == ("" if value is None else repr(value) if isinstance(value, float) else str(value)), column
