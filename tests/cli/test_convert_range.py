"""tacho convert --begin T --end T: a range of the trace, cut exactly; against a slow cut of the whole trace."""
from collections import Counter

import pytest

import perfetto_decode
import tool
from test_convert import DRAWN

EXAMPLES = tool.ROOT / "examples"
INPUTS = {
    "timeline": [tool.MOBILENET / "timeline.csv"],
    "R1": [tool.GOLDEN / "runtime_r1.csv"],
    "R3 with its dump": [tool.MOBILENET / "runtime.csv", "--mlir", tool.MOBILENET / "mobilenet.executable-targets.mlir"],
    "dump of a run": [EXAMPLES / "mobilenet_xnnpack" / "mobilenet_like_xnnpack_fp32_mac_sme2_on_t1.etdump"],
    "instants and counters": [tool.DATA / "etdump" / "py_full.etdp"],
    "device log": [EXAMPLES / "encoder_wormhole" / "profile_log_device.csv.gz"],
    "operations": [EXAMPLES / "encoder_wormhole" / "ops_perf_results.csv"],
}


def decode(good, tmp_path, *arguments):
    result = good("convert", *arguments, "-o", tmp_path / "out.pb")
    return perfetto_decode.decode_file(tmp_path / "out.pb"), result


def measured(trace):
    """Everything but what is drawn from sums."""
    for each in trace.slices:
        name, _, track = trace.path(each.track).partition("/")
        if not name.endswith(" Overview") and not track.startswith(DRAWN):
            yield each


def rows(trace):
    return Counter((trace.path(each.track), each.start, each.duration, each.name, each.category, each.instant,
                    str({key: value for key, value in each.args.items() if key not in ("cut", "invocation")})) for each in measured(trace))


def cut_slowly(trace, begin, end):
    expected, edges = [], [0, 0]
    for each in measured(trace):
        first, last = each.start, each.start + each.duration
        if first >= end or last < begin or (last == begin and first < last):
            continue
        if each.instant and first < begin:
            continue
        edges[0] += first < begin
        edges[1] += last > end
        first, last = max(first, begin), min(last, end)
        expected.append((trace.path(each.track), first, last - first, each.name, each.category, each.instant,
                         str({key: value for key, value in each.args.items() if key != "invocation"})))
    return Counter(expected), edges


def values_slowly(trace, begin, end):
    told = {}
    for track, time, value in sorted(trace.counters, key=lambda entry: entry[1]):
        line = told.setdefault(trace.path(track), [])
        if time < end:
            if time < begin or (line and line[-1] == (begin, value)):
                line[:] = [(begin, value)]
            else:
                if time == begin:
                    line.clear()
                line.append((time, value))
    return {path: line for path, line in told.items() if line}


def values(trace):
    told = {}
    for track, time, value in sorted(trace.counters, key=lambda entry: entry[1]):
        told.setdefault(trace.path(track), []).append((time, value))
    return told


@pytest.mark.parametrize("kind", INPUTS)
@pytest.mark.parametrize("part", [(0, 4), (1, 3), (2, 4), (3, 9)])
def test_a_range_is_cut_exactly(good, tmp_path, kind, part):
    whole, _ = decode(good, tmp_path, *INPUTS[kind])
    times = [each.start for each in measured(whole)] + [time for _, time, _ in whole.counters]
    first, last = min(times), max(each.start + each.duration for each in measured(whole))
    begin, end = ((last - first) * part[0] // 4 + 1 if part[0] else 0), (last - first) * part[1] // 4
    piece, result = decode(good, tmp_path, *INPUTS[kind], "--begin", f"{begin}ns", "--end", f"{end}")
    expected, edges = cut_slowly(whole, first + begin, first + end)
    assert rows(piece) == expected and expected
    assert values(piece) == values_slowly(whole, first + begin, first + end)
    said = f"{edges[0]} slices reach over the begin of the range and {edges[1]} over its end"
    assert said in result.err if any(edges) else "reach over" not in result.err
    cuts = Counter(each.args.get("cut") for each in measured(piece) if not each.instant)
    assert cuts["begin"] + cuts["both"] == edges[0] and cuts["end"] + cuts["both"] <= edges[1]


def test_the_overview_is_that_of_the_range(good, tmp_path):
    piece, _ = decode(good, tmp_path, tool.GOLDEN / "c2.csv", "--begin", "0.5us", "--end", "1.5us")
    lengths = {piece.tracks[each.track].name: each.duration for each in piece.slices if "Overview" in piece.path(each.track)}
    assert lengths["OVERALL"] == 1000 and lengths["Dma In"] == 140 and lengths["Slice 1"] == 220


def test_a_range_of_several_inputs(good, tmp_path):
    """They begin together: the range counts from there. The estimate beside a job is whole, however the timeline is cut."""
    recipe = [tool.MOBILENET / "timeline.csv", tool.MOBILENET / "runtime.csv", "--mlir", tool.MOBILENET / "mobilenet.executable-targets.mlir"]
    whole, _ = decode(good, tmp_path, *recipe)
    piece, _ = decode(good, tmp_path, *recipe, "--begin", "5ms", "--end", "0.03s")
    assert rows(piece) == cut_slowly(whole, 5000000, 30000000)[0]


@pytest.mark.parametrize("options, says", [
    (["--begin", "soon"], "--begin wants a time such as 1.5ms"), (["--end", "-3ms"], "--end wants a time"), (["--end", ""], "--end wants a time"),
    (["--begin", "2ms", "--end", "2ms"], "ends (2ms) before it begins (2ms)"), (["--begin", "1h"], "--begin wants a time")])
def test_ranges_that_are_none(tacho, tmp_path, options, says):
    result = tacho("convert", tool.GOLDEN / "c1.csv", *options, "-o", tmp_path / "out.pb")
    assert result.code == 2 and says in result.err and not (tmp_path / "out.pb").exists()


def test_a_pipe_has_no_first_event_beforehand(tacho, tmp_path):
    result = tacho("convert", "-", "--begin", "1us", "-o", tmp_path / "out.pb", stdin=(tool.GOLDEN / "c1.csv").read_bytes())
    assert result.code == 2 and "can be read only once" in result.err


def test_a_range_behind_the_end(good, tmp_path):
    piece, _ = decode(good, tmp_path, tool.GOLDEN / "c1.csv", "--begin", "1s")
    assert not piece.slices and piece.inputs() == ["c1.csv"]
