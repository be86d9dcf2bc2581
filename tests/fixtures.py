"""One small input of every format that is read, for tests that try verbs on all of them."""
import json
import shutil

import tool

# Those with times come whole: a run or more, and what ran in it. What is made of another comes with the suffix that it is written with.
KNOWN = {
    "tacho-recording": "tacho-recording/plain.tacho.gz",
    "torq-compile": "torq-golden/c1.csv",
    "torq-runtime": "torq-golden/runtime_r4.csv",
    "torq-annotated": "csv/annotated_A1.csv",
    "torq-mlir": "torq-golden/executable_targets.mlir",
    "etdump": "operators/broken_graph_mac_sme2_on_t1.etdump",
    "etrecord": "etrecord/broken_graph.etrecord",
    "et-timeline": "et-timeline/broken_graph_all_runs_timeline.csv",
    "et-ops": "et-ops/mobilenet_ops_stats.csv",
    "xnntrace": "kernels/synth_encoder_xnnpack_fp32_mac_sme2_off_trace_t1_xnntrace.log",
    "xnn-kernels": "xnn-kernels/mobilenet_kernels.csv",
    "et-runner-log": "et-runner-log/total_latency.log",
    "tt-ops-csv": "tt-ops-csv/bh_p100_dlv3.csv.gz",
    "tt-ops-folder": "tt-ops-folder/logs/ops",
    "tt-tracy-ops": "tt-tracy-ops/full",
    "tt-device": "tt-device/fifteen/multi_core_multi_launch.csv",
    "kineto": "gpu/kineto_mobilenet_v2_infer.json.gz",
    "onnxruntime": "gpu/onnxruntime_mobilenet_v2_cpu.json.gz",
    "xla-trace": "xla/jax_transformer_cpu.trace.json.gz",
    "chrome-json": ("torq-golden/c1.csv", ".json"),
    "perfetto": ("torq-golden/c1.csv", ".pb"),
}


def listed():
    """The formats that this tool reads."""
    if not tool.built():
        return list(KNOWN)
    shown = tool.good("formats", "--json", "--filter", "direction=read")
    return [row["id"] for row in json.loads(shown.out)["rows"]]


FILES = {name: KNOWN.get(name) for name in listed()}


def copied(name, folder, called=None):
    """The input of this format under `folder`, as a copy that is called so; what belongs to a folder of logs comes along."""
    assert FILES[name], f"{name} needs an input here"
    if isinstance(FILES[name], tuple):
        source, suffix = FILES[name]
        place = folder / f"{called or 'made'}{suffix}"
        tool.good("convert", tool.DATA / source, "-o", place)
        return place
    source = tool.DATA / FILES[name]
    suffixes = "".join(source.suffixes)
    place = folder / (f"{called}{suffixes}" if called else source.name)
    if source.is_file():
        shutil.copy(source, place)
        return place
    shutil.copytree(source, place)
    twin = source.with_name(source.name + "_device")
    if twin.exists():
        shutil.copytree(twin, place.with_name(place.name + "_device"))
    return place
