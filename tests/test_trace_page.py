"""Pages of traces in a real browser: tests/browser/{trace,causes,inputs,every}.test.mjs, over pages whose slices are known.

A part of it is done by `make test`; `make test-web` sets TACHO_WEB=all, which does it for every kind of input.
"""
import json
import os

import pytest

import test_browser
import tool
import trace_page

ALL = os.environ.get("TACHO_WEB") == "all"
EXAMPLES = tool.ROOT / "examples"
INPUTS = {
    "executorch": EXAMPLES / "mobilenet_xnnpack/mobilenet_like_xnnpack_fp32_mac_sme2_off_t1.etdump",
    "kineto": tool.DATA / "gpu/kineto_rich_train.json.gz",
    "tenstorrent": EXAMPLES / "encoder_wormhole/profile_log_device.csv.gz",
    "torq": EXAMPLES / "mobilenet/runtime.csv",
    "torq-estimate": EXAMPLES / "mobilenet/timeline.csv",
    "tenstorrent-ops": EXAMPLES / "encoder_wormhole/ops_perf_results.csv",
    "onnxruntime": tool.DATA / "gpu/onnxruntime_mobilenet_v2_cpu.json.gz",
    "kineto-inference": tool.DATA / "gpu/kineto_mobilenet_v2_infer.json.gz",
}
SHORT = ("executorch", "kineto")

pytestmark = [pytest.mark.slow, pytest.mark.once("the browser sees the same page from both builds")]


def clipped(trace, begin, end):
    """Exact sums of a range, as slowly and plainly as can be: what the page has to say about it."""
    names, tracks, operators, engines = {}, {}, {}, {}
    places = {(row.track, row.depth): row for row in trace.rows}
    for row in trace.rows:
        if row.counter:
            continue
        outer = places.get((row.track, row.depth - 1))
        at = 0
        for start, last, label in zip(row.starts, row.ends, row.labels):
            inside = start < end and (last > begin or start >= begin)
            length = max(0, min(last, end) - max(start, begin))
            if outer:
                while outer.ends[at] < last:
                    at += 1
                if length:
                    names[outer.labels[at]][2] -= length
            if not inside:
                continue
            sums = names.setdefault(label, [0, 0, 0])
            for place, value in enumerate((1, length, length)):
                sums[place] += value
            if row.depth == 0:
                busy = tracks.setdefault(row.track, [0, 0])
                busy[0] += 1
                busy[1] += length
    named = {trace.texts[trace.labels[label][0]]: sums for label, sums in names.items()}
    for label, sums in names.items():
        for kind, place in ((operators, 1), (engines, 3)):
            sum_of = kind.setdefault(trace.texts[trace.labels[label][place]] or "(none)", [0, 0])
            sum_of[0] += sums[0]
            sum_of[1] += sums[2]
    return {"names": named, "tracks": {f"Device 0 › {trace.tracks[track]['name']}": sums for track, sums in tracks.items()}, "operators": operators, "engines": engines}


def convert(name, page):
    tool.good("convert", "-q", INPUTS[name], "-o", page)


@pytest.fixture(scope="module")
def traces(tmp_path_factory):
    """Pages with slices that are known, and what is known of them."""
    folder = tmp_path_factory.mktemp("traces")
    small = trace_page.made_up(10, 20_000, 60)
    small.write(folder / "small.html", test_browser.BUILD)
    idle = trace_page.mostly_idle()
    idle.write(folder / "idle.html", test_browser.BUILD)
    names = trace_page.made_up(4, 200_000, 100_000)
    names.write(folder / "names.html", test_browser.BUILD)
    end = max(row.ends[-1] for row in small.rows)
    label = small.rows[0].labels[0]
    rare = names.rows[1].labels[7]
    ranges = [[0, end], [end // 2, end // 2 + 12_345], [end * 3 // 5, end * 4 // 5]]
    (folder / "wanted.json").write_text(json.dumps({
        "ranges": [{"range": one, "sums": clipped(small, *one)} for one in ranges],
        "row": {"starts": small.rows[0].starts, "ends": small.rows[0].ends},
        "rows": [None if row.counter else {"starts": row.starts, "ends": row.ends} for row in small.rows],
        "name": {"text": small.texts[small.labels[label][0]], "count": sum(row.labels.count(label) for row in small.rows if not row.counter)},
        "runs": small.runs,
        "idle": {"gaps": trace_page.gaps(idle), "rare": sorted(([number, start] for number, row in enumerate(idle.rows)
                                                                for start, label in zip(row.starts, row.labels) if label == 0), key=lambda one: one[1])},
        "names": {"names": len(names.labels), "name": names.texts[names.labels[rare][0]],
                  "lengths": [last - start for row in names.rows if not row.counter
                              for start, last, label in zip(row.starts, row.ends, row.labels) if label == rare]}}))
    text = (folder / "small.html").read_text(encoding="utf-8")
    first = text.index("tacho-blocks") + 5000
    (folder / "damaged.html").write_text(text[:first] + "AAAA" * 3000 + text[first + 12000:], encoding="utf-8")
    convert("executorch", folder / "dump.html")
    return folder


@pytest.mark.slow
def test_traces(traces):
    test_browser.run_in_browser("trace.test.mjs", TACHO_PAGES=traces)


def test_causes(traces):
    test_browser.run_in_browser("causes.test.mjs", TACHO_PAGES=traces)


@pytest.mark.slow
def test_inputs(tmp_path):
    for name in INPUTS if ALL else SHORT:
        convert(name, tmp_path / f"input-{name}.html")
    test_browser.run_in_browser("inputs.test.mjs", TACHO_PAGES=tmp_path)


@pytest.mark.long  # hundreds of pages
def test_every_file(tmp_path):
    """Every file of the examples and of the tests' data that a reader takes."""
    pages = 0
    for path in sorted(path for folder in (EXAMPLES, tool.DATA) for path in folder.rglob("*") if path.is_file()):
        if tool.run("convert", "-q", path, "-o", tmp_path / f"{pages}.html").code == 0:
            pages += 1
    assert pages > 200
    test_browser.run_in_browser("every.test.mjs", TACHO_PAGES=tmp_path)
