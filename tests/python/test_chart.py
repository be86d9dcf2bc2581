"""Time charts from Python: the Model Profiler's API, against the trace that its original wrote and against the tool."""
import collections

import pytest

import goldens_torq
import package  # noqa: F401
import perfetto_decode
import tool

from tacho.chart import (TYPE_SLICE_BEGIN, TYPE_SLICE_END, TimeChartLog, TimeChartView, convert_to_perfetto,
                         csv_to_view_compile_profile, csv_to_view_runtime_profile)
import tacho

C1 = tool.GOLDEN / "c1.csv"
R1 = tool.GOLDEN / "r1.csv"


def slices(path):
    """(track, name, start, duration), sorted."""
    trace = perfetto_decode.decode_file(path)
    return sorted((trace.path(found.track), found.name, found.start, found.duration) for found in trace.slices)


def test_rendering(tmp_path):
    view = TimeChartView(tmp_path / "chart.pb")
    view.render(TimeChartLog("NPU", "DMA", "load weights", 0, 1200))
    view.render(TimeChartLog(process="NPU", thread="Slice 0", function="conv2d", start_time=1200, end_time=5000))
    view.render(TimeChartLog("NPU", "DMA", "load input", 600, 1800))
    assert not (tmp_path / "chart.pb").exists()
    view.flush()
    found = slices(tmp_path / "chart.pb")
    assert [row[1:] for row in found if row[0] == "NPU/Slice 0"] == [("conv2d", 1200, 3800)]
    assert sorted(row[1:] for row in found if row[0].startswith("NPU/DMA")) == [("load input", 600, 1200), ("load weights", 0, 1200)]


def test_single_events(tmp_path):
    path = tmp_path / "events.pb"
    log = TimeChartLog("host", "main", "inference", 0, 9)
    inner = TimeChartLog("host", "main", "wait", 3, 7)
    with TimeChartView(path) as view:
        view.set_track_event(0, TYPE_SLICE_BEGIN, log)
        view.set_track_event(3, TYPE_SLICE_BEGIN, inner)
        view.set_track_event(7, TYPE_SLICE_END, inner)
        view.set_track_event(9, TYPE_SLICE_END, log)
        with pytest.raises(tacho.UsageError, match="nothing is open"):
            view.set_track_event(10, TYPE_SLICE_END, log)
        with pytest.raises(tacho.UsageError, match="TYPE_SLICE_BEGIN"):
            view.set_track_event(10, 3, log)
    assert slices(path) == [("host/main", "inference", 0, 9), ("host/main", "wait", 3, 4)]


def test_descriptors(tmp_path):
    path = tmp_path / "tracks.pb"
    view = TimeChartView(str(path))
    process = view.add_process_descriptor("NPU")
    second = view.add_process_descriptor("Host")
    thread = view.add_thread_descriptor("NPU", "DMA IN")
    assert process != second and view.add_thread_descriptor(process, "DMA OUT") != thread
    view.render(TimeChartLog("NPU", "DMA OUT", "store", 5, 9))
    view.render(TimeChartLog("Host", "main", "call", 0, 1))
    view.flush()
    assert slices(path) == [("Host/main", "call", 0, 1), ("NPU/DMA OUT", "store", 5, 4)]


def test_a_file_that_was_flushed_can_be_drawn_on(tmp_path):
    path = tmp_path / "again.pb"
    view = TimeChartView(path, tick_rate=800_000_000)
    view.add_process_descriptor("NPU")
    view.render(TimeChartLog("NPU", "T", "first", 0, 800))
    csv_to_view_compile_profile("compiled", view, C1, 2)
    view.flush()
    first = slices(path)
    view.flush()
    assert slices(path) == first and ("NPU/T", "first", 0, 1000) in first
    view.render(TimeChartLog("NPU", "T", "second", 800, 1600))
    assert slices(path) == first
    view.close()
    assert collections.Counter(slices(path)) - collections.Counter(first) == {("NPU/T", "second", 1000, 1000): 1}
    for question in (view.flush, lambda: view.render(TimeChartLog("a", "b", "c", 0, 1))):
        with pytest.raises(ValueError, match="closed"):
            question()


def test_what_cannot_be_drawn(tmp_path):
    view = TimeChartView(tmp_path / "bad.pb")
    with pytest.raises(tacho.UsageError, match="before its start"):
        view.render(TimeChartLog("a", "b", "c", 5, 1))
    with pytest.raises(tacho.InputError) as raised:
        csv_to_view_compile_profile("x", view, "/nowhere/at.csv", 2)
    assert raised.value.file == "/nowhere/at.csv"
    view.render(TimeChartLog("a", "b", "c", 0, 1))
    view.flush()
    assert slices(tmp_path / "bad.pb") == [("a/b", "c", 0, 1)]
    with pytest.raises(RuntimeError):
        with TimeChartView(tmp_path / "never.pb") as never:
            never.render(TimeChartLog("a", "b", "c", 0, 1))
            raise RuntimeError
    assert not (tmp_path / "never.pb").exists() and len(list(tmp_path.iterdir())) == 1
    with pytest.raises(tacho.UsageError, match="suffix"):
        TimeChartView(tmp_path / "chart.xyz")


def test_num_slices(tmp_path):
    table = tmp_path / "numbered.csv"
    table.write_text("S2,0,800,loc(unknown),conv2d\nS3,0,800,loc(unknown),conv2d\n")
    for count, wanted in ((2, {"Slice 0", "Slice 1"}), (4, {"Slice 2", "Slice 3"})):
        with TimeChartView(tmp_path / "slices.pb") as view:
            rows = csv_to_view_compile_profile("net", view, table, count)
        assert rows == {"read": 2, "used": 2, "lost": 0}
        found = slices(tmp_path / "slices.pb")
        assert {row[0].partition("/")[2] for row in found if row[0].startswith("net/") and row[1] == "conv2d"} == wanted


# ---- against the original --------------------------------------------------------------------------------------------------


def test_the_original_has_the_same_slices(tmp_path):
    """Ticks are 1.25 ns here, where the original takes them for nanoseconds; the row that it drops is here: doc/differences.md."""
    path = tmp_path / "perfetto_log.pb"
    rows = convert_to_perfetto({"01 c1.csv": C1}, {"02 r1.csv": R1}, path, num_slices=2)
    assert rows["read"] == rows["used"] + rows["lost"]
    ours, theirs = goldens_torq.read_ours(path), goldens_torq.read_original(tool.GOLDEN / "golden" / "v1.pb")
    golden = goldens_torq.times(theirs, "01 c1.csv", goldens_torq.P1_TRACKS)
    golden[goldens_torq.FUSED_ROW] += 1
    wanted = {(engine, goldens_torq.cycles(start), goldens_torq.cycles(end)): count for (engine, start, end), count in golden.items()}
    assert goldens_torq.times(ours, "01 c1.csv", goldens_torq.OUR_ENGINES) == wanted
    assert {"01 c1.csv", "01 c1.csv Overview", "02 r1.csv", "02 r1.csv Overview"} <= {row[0] for row in ours}
    jobs = [row for row in theirs if row[0] == "02 r1.csv"]
    assert len({row[2:4] for row in ours if row[0] == "02 r1.csv"}) == len(jobs)


def test_the_view_is_what_the_conversion_writes(tmp_path):
    with TimeChartView(tmp_path / "view.pb") as view:
        csv_to_view_compile_profile("01 c1.csv", view, C1, 2)
        csv_to_view_runtime_profile("02 r1.csv", view, R1)
    convert_to_perfetto({"01 c1.csv": C1}, {"02 r1.csv": R1}, tmp_path / "whole.pb")
    # A conversion puts inputs whose clocks nothing ties together beside each other; a view leaves each at its own times.
    lengths = lambda path: sorted((track, name, duration) for track, name, _, duration in slices(path))
    assert lengths(tmp_path / "view.pb") == lengths(tmp_path / "whole.pb")


def test_the_tool_writes_the_same(tmp_path):
    convert_to_perfetto({"01 c1.csv": C1}, {"02 r1.csv": R1}, tmp_path / "ours.pb")
    tool.good("convert", "--compile_profile", C1, "--runtime_profile", R1, "--pb", tmp_path / "tool.pb")
    assert slices(tmp_path / "ours.pb") == slices(tmp_path / "tool.pb")


def test_one_kind_of_logs_alone(tmp_path):
    convert_to_perfetto({}, {"run": R1}, tmp_path / "run.pb")
    convert_to_perfetto({"a": C1, "b": C1}, None, tmp_path / "compiled.pb")
    assert {row[0].split("/")[0] for row in slices(tmp_path / "compiled.pb")} == {"a", "a Overview", "b", "b Overview"}
    with pytest.raises(tacho.UsageError, match="at least one"):
        convert_to_perfetto({}, {}, tmp_path / "none.pb")


def test_a_trace_with_arguments_and_counters(tmp_path):
    writer = tacho.Writer(tmp_path / "own.pb", tick_rate=800_000_000)
    process = writer.add_process("NPU")
    thread = writer.add_thread(process, "DMA")
    writer.render(thread, "load", 0, 800, {"bytes": 4096, "ratio": 0.5, "first": True, "note": "weights", "big": 2**63})
    counter = writer.add_counter(process, "queued", "count")
    writer.set_counter(counter, 0, 2)
    with pytest.raises(TypeError):
        writer.render(thread, "load", 0, 800, {"bytes": [1]})
    with pytest.raises(OverflowError):
        writer.render(thread, "load", 0, 800, {"bytes": -2**64})
    with pytest.raises(tacho.UsageError, match="no thread"):
        writer.render(77, "load", 0, 800)
    writer.close()
    trace = perfetto_decode.decode_file(tmp_path / "own.pb")
    found = trace.slices[0]
    assert (found.name, found.start, found.duration) == ("load", 0, 1000)
    assert found.args == {"bytes": 4096, "ratio": 0.5, "first": True, "note": "weights", "big": 2**63}
    with pytest.raises(ValueError, match="closed"):
        writer.close()
