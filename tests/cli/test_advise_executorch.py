"""tacho advise and tacho report on inferences: one engine, one ranking, roofs from like work only."""
import gzip
import json
import re
import shutil
import sys

import pytest

import tool

sys.path.insert(0, str(tool.DATA.parent / "planted"))
import etdump  # noqa: E402
import etrecord  # noqa: E402

EXAMPLE = tool.DATA.parent.parent / "examples" / "mobilenet_xnnpack"
RUNS = 4


# ---- nets -------------------------------------------------------------------------------------------------------------------


def conv(name, channels, size, window, us, groups=1):
    """A convolution in a delegate: its name, its node, its time."""
    weight = (channels, channels // groups, window, window)
    return name, etrecord.Node("convolution.default", [("input", (1, channels, size, size)), ("weight", weight)],
                               (1, channels, size, size), "features.conv", "Conv2d", 12, "x = self.conv(x)", groups), us


def depthwise(channels, size, us):
    return conv("Convolution (NHWC, F32) DWConv", channels, size, 3, us, channels)


def elementwise(name, operation, shape, us):
    return name, etrecord.Node(operation, [("self", shape)], shape, "rest", "Block", 30, "x = f(x)"), us


def write(folder, calls, stem="net", record=True, beside=3, framework=2, slow_first=1.0):
    """A dump of `calls`, each a list of operators in a delegate or one portable kernel, and its record; microseconds."""
    folder.mkdir(parents=True, exist_ok=True)
    dump, now = etdump.Dump(), 1000
    for run in range(RUNS):
        factor, start = (slow_first if run == 0 else 1), now
        dump.begin_block("Execute")
        for number, call in enumerate(calls):
            begin, delegate = now, isinstance(call, list)
            now += beside * 500
            for place, (name, _, us) in enumerate(call if delegate else [call]):
                dump.add(f"{name} #{place + 1}" if delegate else name, now, now + round(us * 1000 * factor), number, delegate)
                now += round(us * 1000 * factor)
            now += beside * 500
            dump.add("DELEGATE_CALL" if delegate else "OPERATOR_CALL", begin, now, number)
        now += framework * 1000
        dump.add("Method::execute", start, now)
        now += 5000
    path = folder / f"{stem}_fast_on_t1.etdump"
    path.write_bytes(dump.finish())
    if record:
        nodes = [[node for _, node, _ in call] if isinstance(call, list) else call[1] for call in calls]
        (folder / f"{stem}.etrecord").write_bytes(etrecord.record(nodes, "model.py"))
    return path


def answer(good, *words):
    return json.loads(good("advise", "-q", *words, "--json").text)


def first_of_report(good, folder, *words):
    """The first item of the report's first section, as its JSON and as its text has it."""
    good("report", "-q", "--run-dir", folder, "--out", folder / "r.json", *words)
    section = json.loads((folder / "r.json").read_text())["sections"]["first"]
    good("report", "-q", "--run-dir", folder, "--out", folder / "r.md", *words)
    text = (folder / "r.md").read_text()
    before = text[:text.index("## Metadata")]
    found = re.search(r"^- \*\*(.*?)\*\*", before, re.M)[1]
    assert section["items"][0].startswith(found)
    return found


def items(told):
    return [item for item in told["items"] + told["smaller"] if item["rule"] != "dominant"]


# ---- one ranking (T3) -------------------------------------------------------------------------------------------------------


def nets(folder):
    """Folders with one dump each, and what is to be found there."""
    product = conv("Convolution (NHWC, F32) IGEMM", 64, 28, 3, 1000)  # 58 GFLOP/s
    small = conv("Convolution (NHWC, F32) IGEMM", 32, 28, 3, 250)
    flip = elementwise("native_call_flip.out", "flip.default", (1, 64), 10)
    return {
        "depthwise": ([[small, *[depthwise(256, 56, 900 + 9 * i) for i in range(8)], small]], {}, "low-rate|dominant", "DWConv|depthwise"),
        "outside": ([[small], *[flip] * 60], {"framework": 4000}, "framework", "Method::execute"),
        "gemm": ([[small, ("Convolution (NHWC, F32) IGEMM", product[1], 3500), small]], {}, "dominant|low-rate", "IGEMM"),
        "one": ([[conv("Convolution (NHWC, F32) IGEMM", 64, 28, 3, 4000), small]], {"record": False}, "dominant", "IGEMM"),
    }


@pytest.mark.parametrize("name", ["depthwise", "outside", "gemm", "one"])
def test_what_most_of_a_run_is_stands_first_in_report_and_advice(good, tmp_path, name):
    calls, how, rule, place = nets(tmp_path)[name]
    dump = write(tmp_path / name, calls, **how)
    told = answer(good, dump)
    assert re.fullmatch(rule, told["items"][0]["rule"]) and re.search(place, told["items"][0]["title"] + str(told["items"][0]["where"]))
    first = first_of_report(good, tmp_path / name)
    assert first == told["items"][0]["title"] and "flip" not in first


def test_a_net_of_depthwise_convolutions_gets_its_answer(good, tmp_path):
    """84 % of it, at a third of the rate of products, which is well for them: nothing to save, and named all the same."""
    dump = write(tmp_path / "net", [[conv("Convolution (NHWC, F32) IGEMM", 32, 28, 3, 120), *[depthwise(128, 28, 45)] * 14]])
    told = answer(good, dump)
    assert told["healthy"] and "14 x Convolution (NHWC, F32) DWConv" in told["items"][0]["title"]
    assert told["items"][0]["bound"] in ("memory", "arithmetic")
    assert first_of_report(good, tmp_path / "net") == told["items"][0]["title"]


def test_depthwise_convolutions_that_are_slow_by_any_measure(good, tmp_path):
    """At a fifth of the rate of products, and nothing of their size shows that memory is what bounds them."""
    dump = write(tmp_path / "net", [[conv("Convolution (NHWC, F32) IGEMM", 32, 28, 3, 120), *[depthwise(128, 28, 75)] * 9]])
    first = answer(good, dump)["items"][0]
    assert first["rule"] == "low-rate" and first["where"][0]["name"].startswith("Convolution (NHWC, F32) DWConv")


@pytest.mark.parametrize("source", ["example", "broken_graph"])
def test_report_and_advice_agree_on_real_runs(good, tmp_path, source):
    folder = tmp_path / "run"
    shutil.copytree(EXAMPLE if source == "example" else tool.DATA / "rundir" / "broken_graph", folder)
    if source == "broken_graph":
        shutil.copy(tool.DATA / "operators" / "broken_graph.etrecord", folder / "broken_graph_xnnpack_fp32.etrecord")
    dump, = folder.glob("*sme2_on_t1.etdump")
    told = answer(good, dump)
    assert first_of_report(good, folder) == told["items"][0]["title"]
    assert told["run_ns"] == pytest.approx(json.loads(good("operators", "-q", dump, "--json").text)["e2e"]["avg_ms"] * 1e6, rel=1e-6)


def test_the_cold_first_run_does_not_matter(good, tmp_path):
    calls = [[conv("Convolution (NHWC, F32) IGEMM", 64, 28, 3, 1000), depthwise(64, 28, 40)]]
    cold, warm = (answer(good, write(tmp_path / str(slow), calls, slow_first=slow)) for slow in (9, 1))
    assert cold["run_ns"] == warm["run_ns"] and [item["title"] for item in cold["items"]] == [item["title"] for item in warm["items"]]


# ---- roofs from like work (T4) ----------------------------------------------------------------------------------------------


def test_a_tensor_in_a_cache_is_no_roof_for_a_softmax(good, tmp_path):
    """200 GB/s of a multiply of 21 µs say nothing about a softmax, whose exponentials nobody counts."""
    dump = write(tmp_path, [[elementwise("Multiply (ND)", "mul.Tensor", (1, 64, 90, 90), 21),
                             elementwise("Softmax (NC, F32)", "_softmax.default", (8, 256, 256), 400),
                             conv("Convolution (NHWC, F32) IGEMM", 64, 28, 3, 1000)]])
    told = answer(good, dump)
    assert told["healthy"] and not any("oftmax" in json.dumps(item) for item in items(told))
    assert not any("oftmax" in item["title"] for item in told["items"])


def test_nothing_saves_nothing_and_no_time_is_saved_twice(good, tmp_path):
    dump = write(tmp_path, [[conv("Convolution (NHWC, F32) IGEMM", 64, 28, 3, 1000), depthwise(64, 56, 900),
                             elementwise("Add (ND)", "add.Tensor", (1, 64, 56, 56), 80)],
                            elementwise("native_call_gelu.out", "gelu.default", (1, 64, 56, 56), 700)])
    told = answer(good, dump)
    text = " ".join(good("advise", "-q", dump).text.split())
    assert "at 100 % of it now" not in text and "at most 0 " not in text
    assert all(item["saves_ns"] > 0 for item in items(told))
    assert sum(item["saves_ns"] for item in items(told)) <= told["run_ns"]
    named = [row["name"] for item in items(told) for row in item["where"] if row["saves_ns"]]
    assert len(named) == len(set(named))
    gelu, = (item for item in items(told) if item["rule"] == "portable")
    assert gelu["saves_ns"] == pytest.approx(700e3 + 0 - 80e3 * 1.0, rel=0.1)  # a delegate moves as many bytes as the addition


# ---- verdicts (T8) ----------------------------------------------------------------------------------------------------------


def launches(folder, side, slow, factor):
    """Ten launches, so many of them in a mode 1.55 times slower."""
    for launch in range(10):
        middle = (3.36 + 0.004 * (launch * 7 % 10)) * factor * (1.55 if launch < slow else 1)
        rows = "".join(f"Method::execute,{middle * (1 + 0.001 * run)},{run},\n" for run in range(5))
        (folder / f"net_fast_{side}_t1_l{launch + 1}_exec_all_runs_timeline.csv").write_text(
            "name,duration_ms,run_index,backend\n" + rows)


def test_the_last_line_of_a_report_is_the_verdict(good, tmp_path):
    """Slower inside each mode, and faster by the medians of all launches."""
    launches(tmp_path, "off", 6, 1)
    launches(tmp_path, "on", 4, 1.10)
    result = good("report", "--run-dir", tmp_path)
    text = (tmp_path / "report.md").read_text()
    summary = text[text.index("## Summary"):]
    assert "1.10x slower inside each mode" in result.text.splitlines()[1]
    assert "1.10x slower inside each mode" in summary and "faster" not in summary


# ---- the same runs for one check (T14) --------------------------------------------------------------------------------------


def test_report_and_validate_check_the_same_runs(good, tacho, tmp_path):
    """One side states two runs of warm-up, the other none: each is checked by its own."""
    folder = tmp_path / "run"
    shutil.copytree(tool.DATA / "rundir" / "broken_graph", folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    for result in manifest["results"]:
        if result["experiment"] == "mac_sme2_on":
            result["warmup_in_process"] = 12
    (folder / "manifest.json").write_text(json.dumps(manifest))
    good("report", "-q", "--run-dir", folder)
    text = (folder / "report.md").read_text()
    told = dict(re.findall(r"`(mac_sme2_o\w+)`: (\d+ runs lie within [\d.]+ %)", text))
    checked = dict(re.findall(r"(mac_sme2_o\w+): (\d+ runs lie within [\d.]+ %)", tacho("validate", folder).text))
    assert told == checked and len(told) == 2


# ---- what a file does not tell ----------------------------------------------------------------------------------------------


def timeline(path, calls, runs=3, gap=0.1, beside=0.2, cold=0):
    """A timeline CSV: `calls` as (name, backend, microseconds), or a list of those in one delegate; None: nothing was logged inside."""
    rows, now = [], 100.0
    for run in range(runs):
        start, node = now, 0
        now += gap
        for call in calls:
            begin, inside = now, call if isinstance(call, list) else [call]
            now += beside / 2 + (cold if run == 0 else 0)
            for name, backend, us in inside:
                if name:
                    rows.append((name, backend, now, now + us, node, run))
                now, node = now + us, node + 1
            now += beside / 2
            rows.append(("DELEGATE_CALL" if isinstance(call, list) else "OPERATOR_CALL", "portable", begin, now, node, run))
            now, node = now + gap, node + 1
        rows.append(("Method::execute", "portable", start, now, node, run))
        now += 50
    text = "model_id,name,type,delegate_backend,start_us,end_us,duration_ms,pct_total,node_id,run_index,block\n"
    for name, backend, begin, end, node, run in rows:
        text += f'net,"{name}","{name.rsplit(" #", 1)[0]}",{backend},{begin:.3f},{end:.3f},{(end - begin) / 1000:.6f},0,{node},{run},Execute\n'
    path.write_text(text)
    return path


GEMM = ("Fully Connected (NC, F32) GEMM #1", "XnnpackBackend", 900)


def kernel(name, us):
    return f"native_call_{name}", "portable", us


@pytest.mark.parametrize("runs, words", [(1, []), (4, ["--warmup", "none"])])
def test_warm_up_is_ruled_out_only_where_it_was_looked_for(good, tmp_path, runs, words):
    told = answer(good, timeline(tmp_path / "t.csv", [[GEMM]], runs, cold=800), *words)
    assert not any("warm-up" in (item["ruled_out"] or "") for item in items(told))
    calls = [item for item in items(told) if item["rule"] == "calls"]
    assert len(calls) == (0 if runs == 1 else 1)
    assert any("One run only: it may be the cold one" in note for note in told["notes"]) == (runs == 1)


def test_the_cold_run_alone_of_a_real_net_accuses_no_calls(good):
    told = answer(good, tool.DATA / "et-timeline" / "mobilenet_run0_timeline.csv")
    assert not any(item["rule"] in ("calls", "framework", "small-delegates") for item in items(told))
    note, = (note for note in told["notes"] if "One run only" in note)
    assert "3.862ms of a run (35.0 %)" in note


def test_a_delegate_that_logs_nothing_is_work(good, tmp_path):
    told = answer(good, timeline(tmp_path / "t.csv", [[(None, "", 900)]]))
    assert told["dominates"]["where"][0]["name"] == "Delegate (not logged inside) #1" and not items(told)
    assert {"part": "delegates, not logged inside", "time_ns": 900200} in told["parts"]
    assert any("logged nothing of what is in them" in note for note in told["notes"])


def test_delegates_that_log_nothing_are_not_joined(good, tmp_path):
    calls = [[(None, "", 40)], kernel("cumsum.out", 60), [(None, "", 30)], kernel("gelu.out", 60), [(None, "", 20)]]
    told = answer(good, timeline(tmp_path / "t.csv", calls))
    assert {item["rule"] for item in items(told)} <= {"portable", "calls", "framework"}
    assert not any("nothing is delegated" in item["title"] or "0 operators" in item["evidence"] for item in items(told))
    rows = json.loads(good("operators", "-q", tmp_path / "t.csv", "--json").text)
    assert json.dumps(rows).count("Delegate (not logged inside) #") >= 3
    good("operators", "-q", tmp_path / "t.csv", "--output-dir", tmp_path / "files")
    details, = (tmp_path / "files").glob("*operator_details.csv")
    assert "cumsum" in details.read_text() and "not logged inside" not in details.read_text()


@pytest.mark.parametrize("name, title, says", [
    ("quantized_decomposed::quantize_per_tensor.out", "Get quantize_per_tensor delegated", "has a rule for quantize_per_tensor"),
    ("dequantize_per_tensor.out", "Get dequantize_per_tensor delegated", "has a rule for dequantize_per_tensor"),
    ("max_pool2d_with_indices.out", "Get max_pool2d_with_indices delegated", "has a rule for max_pool2d_with_indices"),
    ("dequantize_per_channel.out", "Get dequantize_per_channel delegated", "as a part of the product"),
    ("cumsum.out", "Replace cumsum", "has no rule for cumsum"),
])
def test_what_the_partitioner_takes(good, tmp_path, name, title, says):
    first = answer(good, timeline(tmp_path / "t.csv", [kernel(name, 300), [GEMM]]))["items"][0]
    assert first["title"].startswith(title) and says in first["evidence"]


def test_small_kernels_of_both_kinds_are_told_apart(good, tmp_path):
    calls = [kernel("gelu.out", 80), kernel("where.self_out", 70), kernel("topk.values", 60), [GEMM]]
    first = answer(good, timeline(tmp_path / "t.csv", calls))["items"][0]
    assert "has a rule for gelu (80.000µs): find out at export" in first["evidence"]
    assert "has no rules for where, topk (130.000µs): express them by operators" in first["evidence"]


def test_custom_kernels_are_not_portable_ones(good, tmp_path):
    told = answer(good, timeline(tmp_path / "t.csv", [kernel("llama::sdpa_with_kv_cache.out", 400), [GEMM]]))
    assert not any(item["rule"] == "portable" for item in items(told))
    assert any("custom kernels (llama::sdpa_with_kv_cache)" in note for note in told["notes"])
    told = answer(good, timeline(tmp_path / "u.csv", [kernel("mylib::flash_attn.out", 3000), [GEMM]]))
    assert "mylib::flash_attn" in told["dominates"]["title"] and "custom kernel" in told["items"][0]["evidence"]


def test_repeats_that_a_timeline_lost_are_not_framework(good):
    folder = tool.DATA / "timeline" / "py_loop"
    told = answer(good, folder / "py_loop_exec_all_runs_timeline.csv")
    assert not any(item["rule"] == "framework" and item["share_percent"] > 1 for item in items(told))
    assert any("39.9 %" in note and "repeats of a loop" in note for note in told["notes"])
    assert sum(part["time_ns"] for part in told["parts"]) == pytest.approx(told["run_ns"], abs=len(told["parts"]))


def test_time_of_the_framework_in_a_timeline_is_still_found(good, tmp_path):
    """Shorter than the call beside it, so no repeat of it."""
    first = answer(good, timeline(tmp_path / "t.csv", [[GEMM]], gap=200))["items"][0]
    assert first["rule"] == "framework" and first["saves_ns"] == 400000


def test_the_place_of_one_is_not_the_place_of_all(good, tmp_path):
    convolutions = [conv("Convolution (NHWC, F32) IGEMM", 64, 28, 3, 1000 + 10 * i) for i in range(6)]
    told = answer(good, write(tmp_path, [convolutions]))
    assert "6 x Convolution (NHWC, F32) IGEMM (the longest: model.py:12, features.conv)" in told["items"][0]["title"]


# ---- pairs ------------------------------------------------------------------------------------------------------------------


def report_of_pair(good, folder, candidate, baseline):
    for name, times in (("sme2_on", candidate), ("sme2_off", baseline)):
        (folder / name).mkdir(parents=True)
        operators = [(f"Fully Connected (NC, F32) GEMM #{i + 1}", "XnnpackBackend", us) for i, us in enumerate(times)]
        timeline(folder / name / "net_all_runs_timeline.csv", [operators])
    good("report", "-q", "--run-dir", folder, "--out", folder / "r.md")
    text = (folder / "r.md").read_text()
    return text, text[text.index("## What to do first"):text.index("## Metadata")]


def test_a_pair_of_the_same_builds_expects_nothing(good, tmp_path):
    text, first = report_of_pair(good, tmp_path / "run", [400, 300, 200], [400, 300, 200])
    assert "Healthy" in first and "Find out why" not in text
    assert "Below What SME2 Would Give" in text and "not what is missing here" in text


def test_what_became_slower_is_the_first_thing_to_do(good, tmp_path):
    _, first = report_of_pair(good, tmp_path / "run", [400, 1400, 200], [600, 90, 300])
    found = re.search(r"^- \*\*(.*?)\*\*: saves ([\d.]+)ms", first, re.M)
    assert found[1] == "Find out why Fully Connected (NC, F32) GEMM #2 became slower" and found[2] == "1.310"
    assert "(0.06x)" in first and "SME2 helps" not in first


# ---- without a record, and odd input ----------------------------------------------------------------------------------------


def test_without_a_record_times_alone_say_enough(good, tmp_path):
    dump = write(tmp_path, [[conv("Convolution (NHWC, F32) IGEMM", 64, 28, 3, 1000)],
                            elementwise("native_call_gelu.out", "gelu.default", (1, 64, 56, 56), 700)], record=False)
    told = answer(good, dump)
    assert told["items"][0]["title"] == "Get gelu delegated" and told["items"][0]["saves_ns"] == 700000
    assert "no time" in told["items"][0]["if"] and any("Without the ETRecord" in note for note in told["notes"])
    assert told["dominates"]["bound"] == "unknown"


def test_without_a_record_the_longest_of_a_kind_is_named_and_no_other_model_asked_for(good, tmp_path):
    """One of them may just be slow: that only another model makes it shorter was not known."""
    calls = [[("Fully Connected (NC, F32) GEMM", None, 900 if place == 3 else 100) for place in range(60)]]
    first = answer(good, write(tmp_path, calls, record=False))["items"][0]
    assert first["rule"] == "dominant" and "the longest of them, Fully Connected (NC, F32) GEMM #4, takes 900.000µs" in first["evidence"]
    assert not first["if"]


def test_many_kernels_that_are_each_little_are_one_thing(good, tmp_path):
    """Seven operations of 5 % each: no tenth of a run, but a third of it."""
    kernels = [elementwise(f"native_call_{name}.out", f"{name}.default", (1, 64), 100)
               for name in ("gelu", "cumsum", "where", "atan2", "gt", "topk", "flip")]
    told = answer(good, write(tmp_path, [[conv("Convolution (NHWC, F32) IGEMM", 64, 28, 3, 1300)], *kernels], record=False))
    assert not told["healthy"] and told["items"][0]["rule"] == "portable" and told["items"][0]["saves_ns"] == 700000


def test_warm_up_can_be_told(good, tmp_path):
    dump = write(tmp_path, [[conv("Convolution (NHWC, F32) IGEMM", 64, 28, 3, 1000)]], slow_first=3)
    assert "mean of 3 of 4 runs" in good("advise", "-q", dump).text
    assert "mean of 4 runs" in good("advise", "-q", dump, "--warmup", "none").text
    assert answer(good, dump, "--warmup", "none")["run_ns"] > 1.4 * answer(good, dump)["run_ns"]


def test_every_rule_is_listed(good):
    rows = [row for row in json.loads(good("advise", "--rules", "--json").text)["rows"] if row["chain"] == "executorch"]
    assert [row["rule"] for row in rows] == ["portable", "layout", "low-rate", "small-delegates", "calls", "framework", "low-speedup",
                                             "no-sme2", "slower-than-baseline"]
