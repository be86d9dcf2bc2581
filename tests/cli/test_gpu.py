"""Profiles of GPUs and frameworks: what is read of them against a second reading, their operators, and advice on real ones."""
import collections
import csv
import functools
import gzip
import io
import json

import pytest

import gpu_reference
import tool

GPU = tool.DATA / "gpu"
RICH = GPU / "kineto_rich_train.json.gz"
MOBILENET = GPU / "kineto_mobilenet_v2_infer.json.gz"
ONNX = GPU / "onnxruntime_mobilenet_v2_cpu.json.gz"
JAX = tool.DATA / "xla" / "jax_transformer_cpu.trace.json.gz"
CAUSES = sorted((GPU / "causes").glob("*.json.gz"))
JAX_CAUSES = sorted((tool.DATA / "xla" / "causes").glob("*.trace.json.gz"))
KINETO = [RICH, MOBILENET, *sorted((GPU / "launches").glob("*.json.gz"))]
PARTS = ("compute", "communication_only", "copy_only", "cpu", "launch_only", "wait_only", "operator_only", "profiler_only", "idle")
kineto = functools.lru_cache(maxsize=2)(gpu_reference.Kineto)


def names(paths):
    return [path.name.split(".")[0] for path in paths]


@pytest.fixture(scope="module")
def slices(good, tmp_path_factory):
    """All slices of a file, as convert writes them; each file once."""
    folder, kept = tmp_path_factory.mktemp("slices"), {}

    def read(path):
        if path not in kept:
            good("convert", "-q", path, "-o", folder / "slices.csv")
            with open(folder / "slices.csv", newline="") as file:
                kept[path] = list(csv.DictReader(file))
        return kept[path]
    return read


# ---- What is read ----


@pytest.mark.parametrize("path, reader", [(RICH, "kineto"), (MOBILENET, "kineto"), (ONNX, "onnxruntime"), (JAX, "xla-trace")])
def test_formats_are_found(good, path, reader):
    """By content: naming the reader changes nothing."""
    assert good("summary", "-q", "--json", path).text == good("summary", "-q", "--json", "--format", reader, path).text


@pytest.mark.parametrize("path", [MOBILENET, ONNX], ids=names([MOBILENET, ONNX]))
def test_counts_and_sums_of_categories(slices, path):
    """Those of Perfetto's importer; a slice has no category in our tables, so each engine is compared with its categories."""
    table = {row["category"]: (int(row["n"]), int(row["total_ns"])) for row in
             csv.DictReader(open(str(path).replace(".json.gz", ".categories.csv")))}
    sums = collections.defaultdict(lambda: [0, 0])
    for row in slices(path):
        sums[row["engine"]][0] += 1
        sums[row["engine"]][1] += int(row["duration_ns"])
    engines = {"kernel": ["kernel"], "gpu_memcpy": ["copy"], "cpu_op": ["host_operator"], "overhead": ["overhead"],
               "gpu_user_annotation": ["device_annotation"], "user_annotation": ["annotation"], "Trace": ["whole_profile"],
               "Node": ["node"], "Session": ["annotation", "load"]}
    for category, of in engines.items():
        if category in table:
            assert table[category] == (sum(sums[one][0] for one in of), sum(sums[one][1] for one in of)), category
    if "cuda_runtime" in table:
        calls = [sums[one] for one in ("launch_call", "runtime", "wait")]
        assert (sum(one[0] for one in calls), sum(one[1] for one in calls)) == \
            (table["cuda_runtime"][0] + table["cuda_driver"][0], table["cuda_runtime"][1] + table["cuda_driver"][1])


@pytest.mark.parametrize("path", [*KINETO, ONNX, JAX], ids=names([*KINETO, ONNX, JAX]))
def test_counts_and_sums_of_names(slices, path):
    found = collections.defaultdict(lambda: {"count": 0, "ns": 0})
    for row in slices(path):
        found[row["name"]]["count"] += 1
        found[row["name"]]["ns"] += int(row["duration_ns"])
    wanted = gpu_reference.names(path)
    for name in set(wanted) | set(found):
        short = name.replace("_kernel_time", "") if path == ONNX else name
        assert found.get(name, found.get(short)) == wanted.get(name), name


def test_every_kernel_has_its_operator_and_line(slices):
    """210 that operators launched, 160 of a graph under its call; all with their line; as a second reading has them."""
    reference = kineto(RICH)
    counts = reference.counts()
    assert {key: counts[key] for key in ("kernels", "launched by an operator", "the same by External id", "with a module", "through links",
                                         "of graphs", "of graphs with a line")} == \
        {"kernels": 370, "launched by an operator": 210, "the same by External id": 210, "with a module": 175, "through links": 105,
         "of graphs": 160, "of graphs with a line": 160}
    wanted = sorted((row["start"], row["name"], row["operator"] or row["launch"], row["line"]) for row in reference.work())
    found = sorted((int(row["start_ticks"]), row["name"], row["operator"], row["location"].rsplit("(", 1)[-1].rstrip(")"))
                   for row in slices(RICH) if row["engine"] in ("kernel", "copy", "memset"))
    assert found == wanted


ALL = [*KINETO, *CAUSES, ONNX, JAX, *JAX_CAUSES]


@pytest.mark.parametrize("path", ALL, ids=names(ALL))
def test_parts_add_up(good, path):
    """To the nanosecond, and two verbs say the same of each part."""
    summary = json.loads(good("summary", "-q", "--json", path).text)
    parts = [summary[f"{part}_time"] for part in PARTS if f"{part}_time" in summary]
    assert sum(parts) == summary["total_duration"]
    advice = json.loads(good("advise", "-q", "--json", path).text)
    assert advice["run_ns"] == summary["total_duration"]
    assert [part["time_ns"] for part in advice["parts"]] == parts
    shown = [line.strip() for line in good("summary", "-q", path).text.splitlines()]
    assert all(any(line.startswith(part["part"] + "  ") for line in shown) for part in advice["parts"])
    assert summary["rows"]["lost"] == 0 and summary["rows"]["read"] == summary["rows"]["used"]


def test_runs(good):
    steps = {path: json.loads(good("summary", "-q", "--json", path).text)["runs"]["total"] for path in (RICH, MOBILENET, ONNX, JAX)}
    assert steps == {RICH: 5, MOBILENET: 4, ONNX: 10, JAX: 10}


def test_a_run_lasts_until_its_work_is_done(good):
    windows = kineto(RICH).windows()
    summary = json.loads(good("summary", "-q", "--json", "--warmup", "none", RICH).text)
    assert summary["runs"]["counted"] == len(windows)
    assert abs(summary["total_duration"] - sum(end - start for start, end in windows) / len(windows)) <= 1


# ---- Operators ----


@pytest.mark.parametrize("path", [*KINETO, CAUSES[0]], ids=names([*KINETO, CAUSES[0]]))
def test_operators_on_host_and_device(good, path):
    reference = kineto(path)
    host, device, runs = reference.host(), reference.device(), max(1, len(reference.steps))
    table = json.loads(good("operators", "-q", "--json", "--warmup", "none", "--columns", "all", path).text)
    rows = {row["name"]: row for row in table["rows"] if row["launched_by"] == "operator"}
    assert set(rows) == set(host)
    for name, row in rows.items():
        assert row["count"] == pytest.approx(host[name]["count"] / runs)
        for key, sums in (("host_self", host[name]["self"]), ("host_total", host[name]["total"]),
                          ("device_self", device.get(name, {"self": 0})["self"]), ("device_total", device.get(name, {"total": 0})["total"])):
            assert abs(row[key] - sums / runs) <= 1, (name, key)
        assert row["kernels"] == pytest.approx(device.get(name, {"kernels": 0})["kernels"] / runs)


def test_products_have_their_operations(good):
    table = json.loads(good("operators", "-q", "--json", "--columns", "all", GPU / "causes" / "fp32_mlp.json.gz").text)
    row, = [row for row in table["rows"] if row["name"] == "aten::addmm"]
    assert row["flops"] == 48 * 2 * 4096 ** 3 and row["rate"] == pytest.approx(row["flops"] / row["device_self"])


def test_the_call_of_a_graph_has_its_kernels(good):
    table = json.loads(good("operators", "-q", "--json", "--columns", "all", "--warmup", "none", RICH).text)
    row, = [row for row in table["rows"] if row["name"] == "cudaGraphLaunch"]
    assert row["kernels"] == 32 and row["launched_by"] == "call" and "gpu_planted.py" in row["place"]


# ---- Advice ----

RULES = {"copy": "unhidden-copies", "cpu": "cpu-fallback", "fp32": "no-tensor-cores", "host": "late-launches", "input": "slow-input", "layout": "layout-copies",
         "low": "low-occupancy", "sync": "synchronisations", "tiny": "small-kernels"}


@pytest.mark.parametrize("path", CAUSES, ids=names(CAUSES))
def test_real_causes_are_named_first(good, path):
    advice = json.loads(good("advise", "-q", "--json", path).text)
    rules, cause = [item["rule"] for item in advice["items"]], path.name.split("_")[0].split(".")[0]
    if cause in RULES:
        assert rules[0] == RULES[cause] and not advice["healthy"]
    else:
        assert advice["healthy"] and set(rules) <= {"dominant"}
        assert advice["items"][0]["title"].endswith("of a run")
    assert sum(item["saves_ns"] for item in advice["items"]) <= advice["run_ns"]


@pytest.mark.parametrize("path", JAX_CAUSES, ids=names(JAX_CAUSES))
def test_real_causes_of_jax_are_named_first(good, path):
    advice = json.loads(good("advise", "-q", "--json", path).text)
    cause = path.name.split("_")[0]
    if cause == "healthy":
        assert advice["healthy"] and advice["items"][0]["rule"] == "dominant"
    else:
        assert advice["items"][0]["rule"] == RULES[cause] and not advice["healthy"]
    assert abs(sum(part["time_ns"] for part in advice["parts"]) - advice["run_ns"]) <= 1


def test_a_step_that_hardly_waits_is_not_host_bound(good):
    launches, = [item for item in advise(good, tool.DATA / "xla" / "causes" / "fp32_matmul.trace.json.gz")["items"] if item["rule"] == "late-launches"]
    assert launches["share_percent"] < 2 and "host-bound" not in launches["evidence"]
    assert "host-bound" in advise(good, GPU / "causes" / "host_small.json.gz")["items"][0]["evidence"]


def test_kernels_of_single_channels_need_no_tensor_cores(good, tmp_path):
    with gzip.open(GPU / "causes" / "fp32_resnet_train.json.gz", "rt") as file:
        trace = file.read().replace("dgrad_engine<float", "dgrad2d_grouped_direct_kernel<float")
    (tmp_path / "grouped.json").write_text(trace)
    one, other = (advise(good, path)["items"][0] for path in (GPU / "causes" / "fp32_resnet_train.json.gz", tmp_path / "grouped.json"))
    assert one["rule"] == other["rule"] == "no-tensor-cores" and other["time_ns"] < one["time_ns"] - 10_000_000


def test_a_pause_at_the_end_of_a_step_is_not_the_next_operator(good, tmp_path):
    """Nothing is recorded in it; the first operator of the next step only ends it."""
    with gzip.open(GPU / "causes" / "fp32_gemm.json.gz") as file:
        trace = json.load(file)
    begins = sorted(event["ts"] for event in trace["traceEvents"] if event["name"].startswith("ProfilerStep") and event.get("cat") == "user_annotation")
    for event in trace["traceEvents"]:
        if "ts" in event:
            event["ts"] += 200_000 * sum(event["ts"] >= begin for begin in begins[1:])
            event["dur"] = event.get("dur", 0) + 200_000 * event["name"].startswith("ProfilerStep")
    (tmp_path / "pause.json").write_text(json.dumps(trace))
    item = json.loads(good("advise", "-q", "--json", tmp_path / "pause.json").text)["items"][0]
    assert item["rule"] == "slow-input" and item["where"][0]["name"].startswith("start of a step (ProfilerStep), before ")


def test_a_device_that_did_nothing_is_not_what_it_ran_on(good, tmp_path):
    with gzip.open(GPU / "causes" / "fp32_gemm.json.gz") as file:
        trace = json.load(file)
    trace["traceEvents"] = [event for event in trace["traceEvents"] if event.get("cat") in ("cpu_op", "user_annotation")]
    (tmp_path / "host.json").write_text(json.dumps(trace))
    assert "NVIDIA" not in json.loads(good("advise", "-q", "--json", tmp_path / "host.json").text)["summary"]


@pytest.mark.parametrize("name, healthy", [("sync_item", "healthy_steps_nosync"), ("sync_device", "healthy_steps_nosync"),
                                           ("input_steps", "healthy_steps"), ("copy_dtoh", "healthy_steps_nosync"),
                                           ("low_cumsum", "healthy_steps")])
def test_what_is_saved_is_what_the_healthy_one_takes_less(good, name, healthy):
    """The same step with and without the cause, both measured."""
    wrong, right = (json.loads(good("advise", "-q", "--json", GPU / "causes" / f"{one}.json.gz").text) for one in (name, healthy))
    assert 0.75 < wrong["items"][0]["saves_ns"] / (wrong["run_ns"] - right["run_ns"]) < 1.25


def test_advice_is_text_for_people(good):
    text = good("advise", "-q", RICH).text
    assert "NVIDIA H200" in text and "What to do first" in text and "What adds up to a run" in text
    assert "void at::native" not in text


def test_rules_are_listed(good):
    text = good("advise", "--rules").text
    assert all(rule in text for rule in [*RULES.values(), "communication"])


# ---- Files that are not as they should be ----


def test_a_file_that_is_cut_off(tmp_path, tacho):
    whole = gzip.decompress(RICH.read_bytes())
    (tmp_path / "cut.json").write_bytes(whole[:len(whole) // 2])
    summary = tacho("summary", "-q", "--json", tmp_path / "cut.json")
    assert summary.code == 0 and json.loads(summary.text)["rows"]["lost"] <= 1


def test_a_trace_without_work_of_a_device(tmp_path, good):
    events = [{"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 1, "tid": 1, "ts": 1.5, "dur": 2, "args": {"External id": 1}}]
    (tmp_path / "host.json").write_text(json.dumps({"schemaVersion": 1, "deviceProperties": [], "traceEvents": events}))
    assert "no work of a device" in " ".join(good("advise", "-q", tmp_path / "host.json").text.split())
    answer = json.loads(good("advise", "-q", "--json", tmp_path / "host.json").text)
    assert not answer["healthy"] and answer["dominates"]["where"] == [
        {"name": "aten::add", "location": None, "time_ns": 2000, "saves_ns": None, "count": 1}]
    assert [(row["operation"], row["time"]) for row in answer["operations"]] == [("aten::add", 2000)]
    assert "aten::add" in good("operators", "-q", tmp_path / "host.json").text


@pytest.fixture
def ranks(tmp_path):
    """Two ranks of a job of four, the second of which takes twice as long."""
    whole = json.load(io.TextIOWrapper(gzip.open(RICH)))
    paths = []
    for rank, factor in ((1, 1), (2, 2)):
        events = [dict(event, ts=event["ts"] * factor, **({"dur": event["dur"] * factor} if "dur" in event else {})) for event in whole["traceEvents"]]
        paths.append(tmp_path / f"rank{rank}.json")
        paths[-1].write_text(json.dumps({"schemaVersion": 1, "deviceProperties": whole["deviceProperties"],
                                         "distributedInfo": {"backend": "nccl", "rank": rank, "world_size": 4}, "traceEvents": events}))
    return paths


def test_a_rank_of_a_job_says_so(good, ranks):
    assert "rank 1 of 4" in " ".join(good("advise", "-q", ranks[0]).text.split())


@pytest.mark.parametrize("turn", [1, -1])
def test_a_job_takes_as_long_as_its_slowest_rank(good, ranks, turn):
    alone, both = (json.loads(good("advise", "-q", "--json", *paths).text) for paths in (ranks[1:], ranks[::turn]))
    assert both["run_ns"] == alone["run_ns"] and both["items"] == alone["items"]
    assert any("2 of 4 ranks" in note and "rank 2" in note for note in both["notes"])


def test_files_that_are_no_ranks_of_one_job(tacho, ranks):
    for paths in ([RICH, MOBILENET], [ranks[0], ranks[0]], [ranks[0], RICH]):
        answer = tacho("advise", "-q", *paths)
        assert answer.code == 2 and ("ranks of one job" in answer.err or "given before" in answer.err)


@pytest.mark.parametrize("turn", [1, -1])
def test_ranks_are_one_launch(good, ranks, turn, tmp_path):
    """Whatever is asked: the launch is as slow as its slowest rank, and there is one."""
    both, slow = ranks[::turn], ranks[1]
    found, alone = (json.loads(good("latency", "-q", "--json", *paths).text) for paths in (both, [slow]))
    assert found["side"]["launches"] == 1 and found["side"]["median_ms"] == alone["side"]["median_ms"]
    assert "2 of 4 ranks of one launch" in good("latency", *both).err
    assert "2 of 4 ranks of one launch" in " ".join(good("summary", *both).text.split())
    tables = good("operators", *both, "--limit", "1").text.split("\n\n")
    assert [f"rank {rank} of 4 of a launch" in " ".join(table.split()) for rank, table in zip((2, 1), tables)] == [True, True]
    compared = json.loads(good("compare", "--json", RICH, "--with", *both).text)
    model, = compared["models"]
    assert model["launches_after"] == 1 and any(note.startswith("after: 2 of 4 ranks of one launch") for note in compared["notes"])
    only, = json.loads(good("compare", "--json", RICH, "--with", slow).text)["models"]
    for part in ("totals", "parts", "engines", "operators"):
        assert model[part] == only[part]
    report = good("report", *both).text
    assert "in one launch of" in report and f"Profiling Report: {slow.name}" in report


def test_the_nth_file_of_a_rank_is_of_the_nth_launch(good, ranks, tmp_path):
    again = tmp_path / "again"
    again.mkdir()
    paths = [again / path.name for path in ranks]
    for path, copy in zip(ranks, paths):
        copy.write_bytes(path.read_bytes())
    for order in ([*ranks, *paths], [ranks[1], paths[1], paths[0], ranks[0]]):
        assert json.loads(good("latency", "-q", "--json", *order).text)["side"]["launches"] == 2
    assert json.loads(good("latency", "-q", "--json", ranks[0], paths[0]).text)["side"]["launches"] == 2


@pytest.mark.parametrize("path", [ONNX, JAX], ids=names([ONNX, JAX]))
def test_what_the_cpu_computes_is_no_device(good, path):
    text = " ".join(good("summary", path).text.split())
    assert " CPU " in text and "Device" not in text
    assert "device" not in good("operators", path).text
    totals = {row["name"] for row in json.loads(good("compare", "--json", "-q", path, path).text)["models"][0]["totals"]}
    assert "CPU time" in totals and "device time" not in totals


def test_nodes_of_a_provider_are_on_a_device(good, tmp_path):
    path = tmp_path / "other.json"
    path.write_bytes(gzip.open(ONNX).read().replace(b"CPUExecutionProvider", b"CUDAExecutionProvider"))
    summary = json.loads(good("summary", "-q", "--json", path).text)
    assert summary["device_time"] == summary["compute_time"] > 0 and "cpu_time" not in summary


def test_a_device_is_asked_for_and_there_is_none(tacho, tmp_path):
    (tmp_path / "host.json").write_text('[{"ph":"X","name":"a","ts":1,"dur":5}]')
    (tmp_path / "other.json").write_text('[{"ph":"X","name":"a","ts":1,"dur":6}]')
    for output in ([], ["-o", tmp_path / "x.md"]):
        done = tacho("compare", "--of", "device", tmp_path / "host.json", tmp_path / "other.json", *output)
        assert done.code == 3 and "nothing of a device" in done.err


@pytest.mark.parametrize("kind, sent, received, dtype, expected", [
    ("allreduce", 1000, 1000, "BFloat16", 2000), ("_allgather_base", 1000, 4000, "Float", 16000), ("_reduce_scatter_base", 4000, 1000, "Half", 8000),
    ("allreduce", 1000, 1000, "SomethingNew", None), ("allreduce", None, None, "Float", None)])
def test_messages_have_bytes_and_a_rate(good, tmp_path, kind, sent, received, dtype, expected):
    told = {"Collective name": kind, "dtype": dtype, "Group size": 4, "correlation": 7, "device": 0, "stream": 20}
    if sent:
        told |= {"In msg nelems": sent, "Out msg nelems": received}
    events = [{"ph": "X", "cat": "cpu_op", "name": "c10d::op_", "pid": 1, "tid": 1, "ts": 1, "dur": 9, "args": {"External id": 1}},
              {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernelExC", "pid": 1, "tid": 1, "ts": 2, "dur": 1, "args": {"correlation": 7}},
              {"ph": "X", "cat": "kernel", "name": "ncclDevKernel_x", "pid": 0, "tid": 20, "ts": 5, "dur": 4, "args": told}]
    (tmp_path / "x.json").write_text(json.dumps({"schemaVersion": 1, "deviceProperties": [], "traceEvents": events}))
    table = json.loads(good("operators", "--json", "--columns", "name,device_self,bytes,bandwidth", tmp_path / "x.json").text)
    row, = table["rows"]
    assert row["device_self"] == 4000 and row["bytes"] == expected
    assert row["bandwidth"] == (expected / 4000 if expected else None)


# ---- Which kernel an operator was given ----

SOFTMAX = "void (anonymous namespace)::softmax_warp_forward<float, float, float, 10, false, false>(float*, float const*, int, int, int)"
OTHER_SOFTMAX = "void at::native::(anonymous namespace)::cunn_SoftMaxForward<4, float, float, float>(float*, float const*, int)"


def write_steps(path, kernels, separators=(", ", ": "), steps=4):
    """Steps in which aten::_softmax and aten::mul launch kernels, (name, us) of each."""
    events, time, correlation = [], 1000, 0
    for step in range(steps):
        begin = time
        for (name, (kernel, us)) in zip(("aten::_softmax", "aten::mul") * 3, kernels):
            correlation += 1
            events += [{"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": time, "dur": 6, "args": {"Input Dims": [[64, 1024], []]}},
                       {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": time + 1, "dur": 4,
                        "args": {"correlation": correlation}},
                       {"ph": "X", "cat": "kernel", "name": kernel, "pid": 0, "tid": 7, "ts": time + 6, "dur": us, "args": {"correlation": correlation}}]
            time += 6 + us
        events.append({"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{step}", "pid": 1, "tid": 1, "ts": begin, "dur": time - begin})
    path.write_text(json.dumps({"schemaVersion": 1, "deviceProperties": [], "traceEvents": events}, separators=separators))
    return path


def test_another_kernel_is_the_reason(good, tmp_path):
    before = write_steps(tmp_path / "before.json", [(SOFTMAX, 100), ("mul_kernel", 50)])
    after = write_steps(tmp_path / "after.json", [(OTHER_SOFTMAX, 160), ("mul_kernel", 50)])
    model, = json.loads(good("compare", "-q", "--json", before, after).text)["models"]
    reasons = {row["name"]: row.get("reason") for row in model["operators"]}
    said = "kernel (anonymous namespace)::softmax_warp_forward -> at::native::(anonymous namespace)::cunn_SoftMaxForward"
    assert reasons["aten::_softmax"] == said and reasons["aten::mul"] is None
    assert f"aten::_softmax 1.57x slower (+60.000µs; {said})" in " ".join(good("compare", "-q", before, after).text.split())
    for path in (before, after):  # and again of what was written of them
        good("convert", "-q", path, "-o", path.with_suffix(".pb"))
    again, = json.loads(good("compare", "-q", "--json", before.with_suffix(".pb"), after.with_suffix(".pb")).text)["models"]
    assert {row["name"]: row.get("reason") for row in again["operators"]} == reasons


def test_long_names_of_kernels_are_cut_between_parameters(good, tmp_path):
    """Of the same function the parameters that differ, whole, and an ellipsis for the rest."""
    kernel = "void at::native::elementwise<4, {}, at::native::SomethingOfALength<float, float>, std::array<char*, 3ul> >(int, {})"
    before, after = (write_steps(tmp_path / f"{name}.json", [(kernel.replace("{}", f"at::{name}<float>"), us)])
                     for name, us in (("Add", 100), ("Multiply", 160)))
    model, = json.loads(good("compare", "-q", "--json", before, after).text)["models"]
    reasons = [row["reason"] for row in model["operators"] if row.get("reason")]
    assert reasons == ["kernel at::native::elementwise, at::Add<float>, \u2026 -> at::Multiply<float>, \u2026"]


def test_a_reason_that_all_layers_share_is_told_once(good, tmp_path):
    """An operator in three modules, which has another kernel in all of them."""
    paths = []
    for name, kernel, us in (("before.json", SOFTMAX, 100), ("after.json", OTHER_SOFTMAX, 160)):
        paths.append(write_steps(tmp_path / name, [(kernel, us), ("mul_kernel", 50), (kernel, us), ("mul_kernel", 50), (kernel, us), ("mul_kernel", 50)]))
        document = json.loads(paths[-1].read_text())
        layers = [event for event in document["traceEvents"] if event["name"] == "aten::_softmax"]
        document["traceEvents"] += [{"ph": "X", "cat": "python_function", "name": f"nn.Module: Softmax_{number % 3}", "pid": 1, "tid": 1, "ts": event["ts"] - 0.5,
                                     "dur": event["dur"] + 1, "args": {}} for number, event in enumerate(layers)]
        paths[-1].write_text(json.dumps(document))
    said = "kernel (anonymous namespace)::softmax_warp_forward -> at::native::(anonymous namespace)::cunn_SoftMaxForward"
    text = " ".join(good("compare", "-q", *paths).text.split())
    assert f"3 x aten::_softmax (+180.000µs; {said})" in text and f"note: 3 x aten::_softmax: {said}" in text and text.count(said) == 2


def test_another_layout_of_the_file_changes_no_shapes(good, tmp_path):
    kernels = [(SOFTMAX, 100), ("mul_kernel", 50)]
    before, after = (write_steps(tmp_path / name, kernels, separators) for name, separators in (("a.json", (", ", ": ")), ("b.json", (",", ":"))))
    model, = json.loads(good("compare", "-q", "--json", before, after).text)["models"]
    assert not any("reason" in row for row in model["operators"])


def test_kernels_of_no_named_space_have_a_name(good, tmp_path):
    path = write_steps(tmp_path / "a.json", [(SOFTMAX, 100), ("mul_kernel", 50)])
    advice = json.loads(good("advise", "-q", "--json", path).text)
    assert {row["operation"]: row["engine"] for row in advice["operations"]}["aten::_softmax"] == "(anonymous namespace)::softmax_warp_forward"


# ---- XLA on a GPU ----


def xla_on_gpu(path):
    """Streams, and the lines that XProf makes of them; a host that is done with a step before the device is."""
    names = {(1, None): "/device:GPU:0", (1, 14): "Stream #14(Compute)", (1, 15): "Stream #15(MemcpyH2D)", (1, 101): "XLA Ops", (1, 102): "XLA Modules",
             (1, 103): "Steps", (701, None): "/host:CPU", (701, 9): "python"}
    events = [{"ph": "M", "pid": pid, "name": "thread_name" if tid else "process_name", "args": {"name": name}} | ({"tid": tid} if tid else {})
              for (pid, tid), name in names.items()]
    time, correlation = 1000, 0
    for step in range(4):
        begin, device = time, time + 20
        for number, (op, kernel, line, us) in enumerate([(None, "MemcpyH2D", 15, 100), ("fusion.1", "fusion_1", 14, 300), ("gemm.2", "cutlass_gemm", 14, 500)]):
            correlation += 1
            call = "cuMemcpyHtoDAsync_v2" if op is None else "cuLaunchKernel"
            events.append({"ph": "X", "pid": 701, "tid": 9, "ts": begin + 5 + 4 * number, "dur": 3, "name": call, "args": {"correlation_id": str(correlation)}})
            told = {"hlo_op": op, "hlo_module": "jit_step"} if op else {}
            events.append({"ph": "X", "pid": 1, "tid": line, "ts": device, "dur": us, "name": kernel, "args": told | {"correlation_id": str(correlation)}})
            if op:
                events.append({"ph": "X", "pid": 1, "tid": 101, "ts": device, "dur": us, "name": op, "args": told})
            device += us
        events += [{"ph": "X", "pid": 1, "tid": tid, "ts": begin + 20, "dur": device - begin - 20, "name": name} for tid, name in ((102, "jit_step"), (103, str(step)))]
        events.append({"ph": "X", "pid": 701, "tid": 9, "ts": begin, "dur": 30, "name": "train", "args": {"step_num": str(step)}})
        time = device + 10
    path.write_text(json.dumps({"displayTimeUnit": "ns", "traceEvents": events}))
    return path


def test_streams_of_xla_count_once(good, tmp_path):
    path = xla_on_gpu(tmp_path / "gpu.trace.json")
    summary = json.loads(good("summary", "-q", "--json", path).text)
    assert summary["total_duration"] == 920_000 and summary["device_time"] == 900_000 and summary["compute_time"] == 800_000
    assert summary["launch_only_time"] == 9_000
    rows = {row["name"]: row for row in json.loads(good("operators", "-q", "--json", "--columns", "all", path).text)["rows"]}
    assert {name: (row["device_self"], row["count"], row["kernel"], row["module"]) for name, row in rows.items()} == {
        "gemm.2": (500_000, 1, "cutlass_gemm", "jit_step"), "fusion.1": (300_000, 1, "fusion_1", "jit_step"),
        "cuMemcpyHtoDAsync_v2": (100_000, 1, "MemcpyH2D", None)}


def test_operators_of_onnx_runtime_have_the_names_of_their_nodes(good):
    table = json.loads(good("operators", "-q", "--json", ONNX).text)
    assert table["rows"] and not any(row["name"].endswith("_kernel_time") for row in table["rows"])
    assert all(row["count"] > 0 for row in table["rows"])


# ---- ONNX Runtime with kernels ----


def onnx_on_gpu(path, order="behind", told=("op_name", "parent_name"), kernels=True, runs=3):
    """Nodes of the CUDA provider with what they launched behind them, as ONNX Runtime writes it, and one node on the CPU between copies.
    `last`: all kernels stand at the end of the file; `told`: what a kernel says of its node."""
    events, late, time = [], [], 5000

    def add(kind, name, start, us, arguments, pid=77, tid=78):
        events.append({"cat": kind, "pid": pid, "tid": tid, "dur": us, "ts": start, "ph": "X", "name": name, "args": arguments})

    def node(name, kind, start, us, launched=(), provider="CUDA"):
        add("Node", f"{name}_kernel_time", time + start, us, {"op_name": kind, "provider": f"{provider}ExecutionProvider", "node_index": "1"})
        for kernel, begin, length in launched if kernels else ():
            work(kernel, begin, length, kind, f"{name}_kernel_time")

    def work(kernel, begin, length, kind, parent):
        said = {"op_name": kind, "parent_name": parent}
        add("Kernel", kernel, time + begin, length, {key: said[key] for key in told} | {"stream": "7", "grid_x": "64", "block_x": "128"}, -1, -1)
        if order == "last":
            late.append(events.pop())

    add("Session", "model_loading_uri", 5, 900, {})
    for _ in range(runs):
        add("Session", "model_run", time, 480, {})
        if kernels:
            work("MemcpyHostToDevice", 4, 20, "", "model_run")
        add("Session", "SequentialExecutor::Execute", time + 20, 400, {})
        node("/c1/Conv", "Conv", 30, 20, [("implicit_gemm<a>", 45, 60), ("add_bias", 105, 10)])
        node("/c2/Conv", "Conv", 55, 20, [("implicit_gemm<a>", 115, 60)])
        node("Memcpy_1", "MemcpyToHost", 80, 110, [("MemcpyDeviceToHost", 178, 10)])
        node("/nms", "NonMaxSuppression", 200, 100, provider="CPU")
        node("Memcpy_2", "MemcpyFromHost", 305, 20, [("MemcpyHostToDevice", 310, 10)])
        node("/out/Add", "Add", 330, 15, [("BinaryElementWise", 340, 30)])
        time += 600
    path.write_text("[\n" + ",\n".join(json.dumps(event) for event in events + late) + "\n]\n")
    return path


LAUNCHED = [("implicit_gemm<a>", "/c1/Conv"), ("add_bias", "/c1/Conv"), ("implicit_gemm<a>", "/c2/Conv"), ("MemcpyDeviceToHost", "Memcpy_1"),
            ("MemcpyHostToDevice", "Memcpy_2"), ("BinaryElementWise", "/out/Add")]


@pytest.mark.parametrize("order, told", [("behind", ("op_name", "parent_name")), ("behind", ("op_name",)), ("last", ("op_name", "parent_name"))])
def test_kernels_of_onnx_runtime_have_their_nodes(slices, good, tmp_path, order, told):
    """By their place in the file, of older versions with the type alone; by the name of the node where the file is in another order."""
    path = onnx_on_gpu(tmp_path / "ort.json", order, told)
    found = [(row["name"], row["operator"]) for row in slices(path) if row["engine"] in ("kernel", "copy")]
    inputs = [("MemcpyHostToDevice", "MemcpyHostToDevice" if order == "last" or told == ("op_name",) else "")]
    assert found == 3 * (inputs + LAUNCHED)
    rows = {row["name"]: row for row in json.loads(good("operators", "-q", "--json", path).text)["rows"]}
    assert (rows["/c1/Conv"]["count"], rows["/c1/Conv"]["device_self"], rows["/c1/Conv"]["host_self"], rows["/c1/Conv"]["kernels"]) == (1, 70_000, 20_000, 2)
    assert (rows["/nms"]["device_self"], rows["/nms"]["host_self"]) == (0, 100_000)


def test_an_arrow_leads_from_a_node_to_its_kernels(good, tmp_path):
    path = onnx_on_gpu(tmp_path / "ort.json")
    good("convert", "-q", path, "-o", tmp_path / "trace.json")
    arrows = collections.Counter(event["ph"] for event in json.loads((tmp_path / "trace.json").read_text())["traceEvents"] if event["ph"] in "sf")
    assert arrows == {"s": 3 * 6, "f": 3 * 7}


def test_what_the_cpu_computes_beside_a_device_is_the_hosts(good, tmp_path):
    """The node on the CPU is in no time of a device; parts and operators add up to a run."""
    path = onnx_on_gpu(tmp_path / "ort.json")
    summary = json.loads(good("summary", "-q", "--json", path).text)
    parts = {part: summary[f"{part}_time"] for part in PARTS if f"{part}_time" in summary}
    assert parts == {"compute": 160_000, "copy_only": 40_000, "cpu": 100_000, "operator_only": 40_000, "idle": 140_000}
    assert summary["device_time"] == 200_000 and sum(parts.values()) == summary["total_duration"] == 480_000
    model = json.loads(good("compare", "-q", "--json", path, path).text)["models"][0]
    totals = {row["name"]: row["before_ns"] for row in model["totals"]}
    assert totals == {"step": 480_000, "device time": 200_000, "host time": 285_000}
    assert sum(row["before_ns"] for row in model["operators"]) == 480_000
    model = json.loads(good("compare", "-q", "--json", "--of", "device", path, path).text)["models"][0]
    assert sum(row["before_ns"] for row in model["operators"]) == 200_000 and "/nms" not in {row["name"] for row in model["operators"]}


def test_nodes_without_their_kernels_are_the_device(good, tmp_path):
    """Most builds of ONNX Runtime record none: then the node of a provider is all that is known of it."""
    summary = json.loads(good("summary", "-q", "--json", onnx_on_gpu(tmp_path / "ort.json", kernels=False)).text)
    assert (summary["device_time"], summary["cpu_time"], summary["idle_time"]) == (185_000, 100_000, 195_000)


def advise(good, path):
    return json.loads(good("advise", "-q", "--json", path).text)


@pytest.mark.parametrize("kernels, costs", [(True, 135_000), (False, 120_000)])
def test_an_operator_on_the_cpu_between_those_of_a_device(good, tmp_path, kernels, costs):
    """With kernels: the gap that it makes, and the copies. Without: the node that copies to the host waits for the device, so its time is not the copy's."""
    item = advise(good, onnx_on_gpu(tmp_path / "ort.json", kernels=kernels))["items"][0]
    assert (item["rule"], item["saves_ns"]) == ("cpu-fallback", costs) and item["where"][0]["name"] == "/nms"
    assert "1 operator runs on the CPU" in item["evidence"] and "2 nodes that copy" in item["evidence"]


def test_advice_is_in_the_words_of_its_framework(good, tmp_path):
    text = good("advise", "-q", onnx_on_gpu(tmp_path / "ort.json")).text
    assert "enable_cuda_graph" in text and "I/O binding" in text and "torch" not in text and "ProfilerStep" not in text
    assert "torch" not in good("advise", "-q", xla_on_gpu(tmp_path / "gpu.trace.json")).text


def test_work_of_xla_is_judged_by_its_instructions(good, tmp_path):
    advice = advise(good, xla_on_gpu(tmp_path / "gpu.trace.json"))
    assert advice["dominates"]["rule"] == "dominant" and advice["dominates"]["where"][0]["name"] == "gemm.2"
    # Each step begins when the one before it is done on the device: nothing says that it waited, but a shorter copy makes the step shorter.
    assert advice["items"][0]["rule"] == "unhidden-copies" and advice["items"][0]["saves_ns"] == 100_000


@pytest.mark.parametrize("path", [ONNX, JAX], ids=names([ONNX, JAX]))
def test_what_the_cpu_computes_alone_is_not_judged(good, path):
    """No rule of devices accuses it, and it is not called healthy either; its parts add up."""
    advice = advise(good, path)
    assert not advice["healthy"] and [item["rule"] for item in advice["items"]] == ["dominant"]
    assert abs(sum(part["time_ns"] for part in advice["parts"]) - advice["run_ns"]) <= 1
    said = good("advise", "-q", path).text
    assert "What could be saved is not known" in said and "This is the model" not in said


def test_what_passes_between_sessions_is_told(good, tmp_path):
    """Inputs are made outside of a model_run: that is in no run, and it is said."""
    assert "Between two runs pass 120.000µs on average" in " ".join(good("advise", "-q", onnx_on_gpu(tmp_path / "ort.json")).text.split())


# ---- What the host is ahead of, and what it is late with ----


class Kineto:
    """Events of one host thread and one stream, as Kineto writes them."""

    def __init__(self):
        self.events, self.correlation = [], 0

    def slice(self, category, name, start, dur, **args):
        device = category in ("kernel", "gpu_memcpy", "gpu_memset")
        self.events.append({"ph": "X", "cat": category, "name": name, "pid": 0 if device else 1, "tid": 7 if device else 1, "ts": start, "dur": dur, "args": args})

    def work(self, kernel, launched, start, dur, operator=None, category="kernel", call="cudaLaunchKernel", lasts=4, **args):
        """Work and its launch; within an operator that begins 2 us before that, or at a time of its own: (name, start)."""
        self.correlation += 1
        if operator:
            name, begins = operator if isinstance(operator, tuple) else (operator, launched - 2)
            self.slice("cpu_op", name, begins, launched + lasts + 1 - begins)
        self.slice("cuda_runtime", call, launched, lasts, correlation=self.correlation)
        self.slice(category, kernel, start, dur, correlation=self.correlation, **args)

    def write(self, path):
        path.write_text(json.dumps({"schemaVersion": 1, "deviceProperties": [], "traceEvents": self.events}))
        return path


def operators_of(good, path):
    return {row["name"]: row for row in json.loads(good("operators", "-q", "--json", path).text)["rows"]}


def test_work_of_before_the_first_step_is_none_of_it(good, tmp_path):
    """A device is still at work for a step that is not in the file: the first run begins when that is done, and is no slower than the others."""
    trace = Kineto()
    trace.slice("kernel", "left_over", 990, 910, correlation=9000)
    for step in range(4):
        trace.slice("user_annotation", f"ProfilerStep#{step}", 1000 + 100 * step, 100)
        trace.work("gemm", 1010 + 100 * step, 1900 + 1000 * step, 1000, "aten::mm")
    path = trace.write(tmp_path / "ahead.json")
    summary = json.loads(good("summary", "-q", "--json", path).text)
    assert summary["runs"] == {"total": 4, "counted": 4, "warmup": 0, "partial": 0}
    assert summary["total_duration"] == summary["device_time"] == 1_000_000
    rows = operators_of(good, path)
    assert set(rows) == {"aten::mm"} and rows["aten::mm"]["device_self"] == 1_000_000


@pytest.fixture
def ahead(tmp_path):
    """Four steps of so many calls, all of them launched before the device is done with the first step."""
    def write(calls):
        trace = Kineto()
        for step in range(4):
            trace.slice("user_annotation", f"ProfilerStep#{step}", 1000 + 200 * step, 200)
            for call in range(calls):
                trace.work("gemm", 1010 + 200 * step + 20 * call, 2000 + 1000 * (calls * step + call), 1000, "aten::mm")
        return trace.write(tmp_path / f"ahead_{calls}.json")
    return write


def test_a_host_that_is_ahead_works_for_its_own_run(good, ahead):
    row, = operators_of(good, ahead(3)).values()
    assert (row["count"], row["kernels"], row["host_self"], row["device_self"]) == (3, 3, 21_000, 3_000_000)


@pytest.mark.parametrize("warmup", ["none", "1"])
def test_calls_of_a_host_that_is_ahead_are_compared(good, ahead, warmup):
    """Also where a run is left out, in the time of which all calls are."""
    model, = json.loads(good("compare", "-q", "--json", "--warmup", warmup, ahead(3), ahead(4)).text)["models"]
    assert [(row["name"], row["reason"]) for row in model["operators"] if row.get("reason")] == [("aten::mm", "3 x -> 4 x")]


def test_work_outside_of_operators_is_its_own(good, slices, tmp_path):
    """Kernels that Triton launches have their names and places, not that of the call; those of a graph are of its launch."""
    trace = Kineto()
    for step in range(4):
        time = 1000 + 1000 * step
        trace.slice("user_annotation", f"ProfilerStep#{step}", time, 1000)
        trace.slice("python_function", "net.py(12): forward", time + 5, 900)
        trace.work("one_kernel", time + 10, time + 20, 300, call="cuLaunchKernelEx")
        trace.work("other_kernel", time + 30, time + 320, 500, call="cuLaunchKernelEx")
        trace.work("in_graph", time + 50, time + 820, 100, call="cudaGraphLaunch")
    path = trace.write(tmp_path / "triton.json")
    assert {name: row["device_self"] for name, row in operators_of(good, path).items()} == {
        "one_kernel": 300_000, "other_kernel": 500_000, "cudaGraphLaunch": 100_000}
    assert all(row["location"] == "forward (net.py:12)" for row in slices(path) if row["engine"] == "kernel")
    assert advise(good, path)["items"][0]["title"].startswith("This is the model: other_kernel (net.py:12) takes 50")


def test_an_operator_that_is_slow_on_the_host_makes_no_input(good, tmp_path):
    """It launches the kernel itself, at its end: attention that makes a plan for each length."""
    trace = Kineto()
    for step in range(5):
        time = 1000 + 20_000 * step
        trace.slice("user_annotation", f"ProfilerStep#{step}", time, 20_000)
        for call in range(20):
            trace.work("gemm", time + 10 + 50 * call, time + 20 + 50 * call, 30, "aten::mm")
        trace.work("attention", time + 16_000, time + 16_010, 3, ("aten::attention", time + 1_020))
        for call in range(20):
            trace.work("gemm", time + 16_010 + 50 * call, time + 16_020 + 50 * call, 30, "aten::mm")
        trace.slice("cuda_runtime", "cudaDeviceSynchronize", time + 17_010, 30)
    item = advise(good, trace.write(tmp_path / "plans.json"))["items"][0]
    assert item["rule"] == "late-launches" and item["where"][0]["name"] == "aten::attention"
    assert item["title"] == "Launch in time: the host is too slow for the device, most of all in aten::attention"
    assert item["where"][0]["time_ns"] == pytest.approx(15_000_000, rel=0.02)


@pytest.mark.parametrize("fetched, rule", [(4 << 20, "cpu-fallback"), (4, "slow-input")])
def test_a_part_of_the_model_on_the_cpu_is_no_input(good, tmp_path, fetched, rule):
    """What it sorts was fetched from the device in the same step. Where only a value was looked at, it makes an input."""
    trace = Kineto()
    for step in range(5):
        time = 1000 + 20_000 * step
        trace.slice("user_annotation", f"ProfilerStep#{step}", time, 20_000)
        trace.work("gemm", time + 10, time + 20, 500, "aten::mm")
        trace.work("Memcpy DtoH (Device -> Pageable)", time + 30, time + 530, 400, "aten::copy_", "gpu_memcpy", "cudaMemcpyAsync", 900, bytes=fetched)
        trace.slice("cpu_op", "aten::sort", time + 950, 10_000)
        trace.work("Memcpy HtoD (Pageable -> Device)", time + 11_000, time + 11_010, 300, "aten::copy_", "gpu_memcpy", "cudaMemcpyAsync", 320, bytes=2 << 20)
        trace.work("gemm", time + 11_350, time + 11_360, 5_000, "aten::mm")
        trace.slice("cuda_runtime", "cudaDeviceSynchronize", time + 11_370, 5_000)
    item = advise(good, trace.write(tmp_path / "sorts.json"))["items"][0]
    assert item["rule"] == rule and item["where"][0]["name"] == "aten::sort"
    assert item["where"][0]["time_ns"] == pytest.approx(10_000_000, rel=0.02)
    assert rule != "cpu-fallback" or item["evidence"].startswith("1 operator runs on the CPU in a run; that costs 10.")


def test_a_pause_in_the_middle_is_not_at_the_start(good, tmp_path):
    """Nothing is recorded in it: its place is all that can be told."""
    trace = Kineto()
    for step in range(5):
        time = 1000 + 20_000 * step
        trace.slice("user_annotation", f"ProfilerStep#{step}", time, 20_000)
        for at in (10, 15_000):
            for call in range(10):
                trace.work("gemm", time + at + 20 * call, time + at + 10 + 200 * call, 200, "aten::mm")
            trace.slice("cuda_runtime", "cudaDeviceSynchronize", time + at + 210, 1_810)
    item = advise(good, trace.write(tmp_path / "pauses.json"))["items"][0]
    assert item["rule"] == "slow-input" and item["where"][0]["name"] == "in a step (ProfilerStep), before aten::mm"


def test_what_was_left_over_is_of_no_other_model(tacho, tmp_path):
    """Launches of one program, of which one began while the device was at work: no word about models."""
    paths = []
    for launch, left in ((0, 0), (1, 8)):
        trace = Kineto()
        for kernel in range(left):
            trace.slice("kernel", f"left_{kernel}", 900 + 30 * kernel, 29, correlation=9000 + kernel)
        for step in range(4):
            trace.slice("user_annotation", f"ProfilerStep#{step}", 1000 + 1000 * step, 1000)
            for call in range(4):
                trace.work("gemm", 1010 + 1000 * step + 200 * call, 1020 + 1000 * step + 200 * call, 150, f"aten::op{call}")
        paths.append(trace.write(tmp_path / f"net_{launch}.json"))
    result = tacho("compare", *paths, "--with", *paths)
    assert result.code == 0 and "another model" not in result.err + result.text


def test_calls_are_counted_whatever_else_some_of_them_do(good, tmp_path):
    """Half of the products fill memory first: that makes none of the others undone."""
    paths = []
    for calls in (4, 6):
        trace = Kineto()
        for step in range(4):
            time = 1000 + 10_000 * step
            trace.slice("user_annotation", f"ProfilerStep#{step}", time, 10_000)
            for call in range(calls):
                at = time + 1000 * call
                if call % 2:
                    trace.work("Memset (Device)", at + 4, at + 20, 2, ("aten::mm", at + 2), "gpu_memset", "cudaMemsetAsync", 3)
                    trace.events.pop(-3)  # the operator around both stands below
                trace.work("gemm", at + 10, at + 30, 800, ("aten::mm", at + 2))
        paths.append(trace.write(tmp_path / f"net_{calls}.json"))
    model, = json.loads(good("compare", "-q", "--json", *paths).text)["models"]
    assert [row["reason"] for row in model["operators"] if row["name"] == "aten::mm"] == ["4 x -> 6 x"]


def test_a_variant_of_a_kernel_is_told(good, tmp_path):
    """Two kernels of one name may differ in the number of a lambda alone."""
    kernel = "void at::native::vectorized_elementwise_kernel<8, at::native::Gelu(int)::{lambda()#%d}>(int, at::native::Gelu(int)::{lambda()#%d})"
    before = write_steps(tmp_path / "before.json", [(kernel % (1, 1), 100), ("mul_kernel", 50)])
    after = write_steps(tmp_path / "after.json", [(kernel % (2, 2), 160), ("mul_kernel", 50)])
    model, = json.loads(good("compare", "-q", "--json", before, after).text)["models"]
    reason, = [row["reason"] for row in model["operators"] if row["name"] == "aten::_softmax"]
    assert reason.startswith("kernel at::native::vectorized_elementwise_kernel") and "-> ;" not in reason and not reason.rstrip().endswith(("->", ","))
