"""Engine times and idle add up to the whole, rows in are rows used and rows lost, and an independent, slow computation gives
the same metrics, on every fixture."""
import gzip
import json

import pytest

import etdump_reference
import tool
import torq_reference as reference

GOLDEN, MOBILENET = tool.GOLDEN, tool.MOBILENET
DUMP = GOLDEN / "executable_targets.mlir"
EXAMPLE_DUMP = MOBILENET / "mobilenet.executable-targets.mlir"

# (input, program that is given with --mlir)
CASES = (
    [(GOLDEN / name, None) for name in ("c1.csv", "c2.csv", "c3.csv", "c4.csv", "r1.csv", "runtime_r1.csv", "runtime_r2.csv",
                                        "runtime_r4.csv")]
    + [(GOLDEN / name, DUMP) for name in ("runtime_r1.csv", "runtime_r2.csv", "runtime_r4.csv")]
    + [(GOLDEN / name, None) for name in ("executable_targets.mlir", "executable_targets_a1.mlir")]
    + [(tool.DATA / "torq-mlir" / "real_jit___call.10.executable-targets.mlir", None)]
    + [(MOBILENET / "timeline.csv", None), (MOBILENET / "runtime.csv", None), (MOBILENET / "runtime.csv", EXAMPLE_DUMP), (EXAMPLE_DUMP, None)]
)
IDS = [path.name + ("+mlir" if program else "") for path, program in CASES]


def summary(path, program):
    options = ["--mlir", program] if program else []
    return json.loads(tool.good("summary", path, "--runs", "whole", "--json", *options).text)


@pytest.fixture(scope="module", params=CASES, ids=IDS)
def case(request):
    path, program = request.param
    dump = reference.Dump(program.read_text()) if program else None
    return summary(path, program), reference.read(path, dump), bool(program)


def test_rows_in_are_rows_used_and_lost(case):
    ours, profile, _ = case
    assert ours["rows"]["read"] == ours["rows"]["used"] + ours["rows"]["lost"]
    if profile.generation != "M":
        assert ours["rows"]["read"] == profile.rows
    assert ours["rows"]["lost"] == 0 and not ours["rows"]["reasons"]


def test_parts_make_the_whole(case):
    ours, profile, program = case
    if "dma_time" in ours:
        # Each value is rounded down once, so a sum of parts may miss the whole by less than a nanosecond per part.
        assert abs(ours["dma_time"] - ours["dma_only_time"] - ours["overlap_time"]) <= 2
        assert abs(ours["compute_time"] - ours["compute_only_time"] - ours["overlap_time"]) <= 2
        if profile.measured:
            assert ours["dma_time"] == ours["dma_only_time"] + ours["overlap_time"]
            assert ours["compute_time"] == ours["compute_only_time"] + ours["overlap_time"]
        else:
            parts = ours["dma_only_time"] + ours["compute_only_time"] + ours["overlap_time"] + ours["idle_time"]
            assert abs(ours["total_duration"] - parts) <= 4
    else:
        assert profile.measured and not program


def test_percentages_belong_to_their_times(case):
    ours, _, _ = case
    for key, value in ours.items():
        if key.endswith("_percent"):
            expected = 100 * ours[key[:-8] + "_time"] / ours["total_duration"] if ours["total_duration"] else 0
            assert value == pytest.approx(expected, abs=1e-3 if ours["total_duration"] > 10000 else 0.1), key
            assert 0 <= value <= 100


def test_same_as_the_slow_computation(case):
    ours, profile, program = case
    expected = reference.sums(profile, engines_known=program or not profile.measured)
    given = {key: value for key, value in ours.items() if key in expected or key.endswith("_time")}
    assert given == expected


def test_exact_sums_at_a_clock_of_one_tick_per_nanosecond(good):
    """At 1000 MHz nothing is rounded: the identities hold exactly."""
    for path, program in CASES:
        if program or path.name.startswith("r"):
            continue
        ours = json.loads(good("summary", path, "--json", "--clock-mhz", "1000").text)
        assert ours["dma_time"] == ours["dma_only_time"] + ours["overlap_time"], path
        assert ours["compute_time"] == ours["compute_only_time"] + ours["overlap_time"], path
        assert ours["total_duration"] == (ours["dma_only_time"] + ours["compute_only_time"] + ours["overlap_time"]
                                          + ours["idle_time"]), path


def test_busy_and_idle_of_a_runtime_log(good):
    """Busy time from the slices of the converted log, by every pair, plus idle is the whole."""
    import csv
    import io
    for path, program in CASES:
        if not path.name.startswith("r") or path.suffix == ".mlir":
            continue
        options = ["--mlir", program] if program else []
        rows = csv.DictReader(io.StringIO(good("convert", path, "--to", "slices", "-o", "-", *options).text))
        busy = reference.union([(int(row["start_ns"]), int(row["start_ns"]) + int(row["duration_ns"])) for row in rows
                                if row["engine"] in reference.ENGINES + ("nss", "host", "host_copy")])
        ours = summary(path, program)
        assert reference.length(busy) + ours["idle_time"] == ours["total_duration"], path


def test_lost_rows_are_counted(good, tmp_path):
    log = tmp_path / "damaged.csv"
    lines = (GOLDEN / "c1.csv").read_text().splitlines()
    lines[1:1] = ["DI9,7,5,loc(unknown),DMA_IN", "nonsense", "DI8,x,9,loc(unknown),DMA_IN"]
    log.write_text("\n".join(lines) + "\n")
    ours = json.loads(good("summary", log, "--runs", "whole", "--json").text)
    assert ours["rows"]["read"] == 9 and ours["rows"]["used"] == 6 and ours["rows"]["lost"] == 3
    assert sum(ours["rows"]["reasons"].values()) == 3
    whole = summary(GOLDEN / "c1.csv", None)
    assert {key: value for key, value in ours.items() if key.endswith("_time")} == {
        key: value for key, value in whole.items() if key.endswith("_time")}


def test_every_metric_of_several_inputs_side_by_side(good):
    """The table for several inputs holds what each gives alone."""
    paths = [GOLDEN / "c1.csv", GOLDEN / "c2.csv"]
    together = json.loads(good("summary", *paths, "--json").text)
    assert together == [summary(path, None) for path in paths]


def test_breakdowns_are_sorted_and_shares_belong_to_the_whole(good):
    """By engine too. What encloses other work has no share: an initialisation lies outside the whole."""
    for by in ("operator", "location", "type", "engine"):
        document = json.loads(good("summary", GOLDEN / "runtime_r4.csv", "--mlir", DUMP, "--by", by, "--json").text)
        rest = [row for row in document["rows"] if row[by] in ("(idle)", "(in no operator)")]
        times = [row["total_time"] for row in document["rows"] if row not in rest]
        assert times == sorted(times, reverse=True) and times, by
        assert document["rows"][len(times):] == rest, by
        assert all(0 <= row["percent"] <= 100 for row in document["rows"] if row["percent"] is not None), by
    shares = {row["engine"]: row["percent"] for row in document["rows"]}
    assert shares["Runtime"] is None and shares["HAL"] == pytest.approx(99.8134, abs=1e-4)


def test_time_by_engine(good):
    """Busy time, bytes and slices of every engine, by the slow computation."""
    profile = reference.read(GOLDEN / "c2.csv")
    expected = {}
    for unit in profile.units:
        name = {"dma_in": "DMA In", "dma_out": "DMA Out", "cdma_dtcm": "CDMA DTCM", "css": "CSS"}.get(unit.engine, f"Slice {unit.index}")
        expected.setdefault(name, []).append(unit)
    document = json.loads(good("summary", GOLDEN / "c2.csv", "--by", "engine", "--json").text)
    assert {row["engine"]: (row["total_time"], row["bytes"], row["slices"]) for row in document["rows"]} == {
        name: (profile.ns(reference.length(reference.union([(unit.start, unit.end) for unit in units]))),
               sum(dict(unit.args).get("bytes", 0) for unit in units), len(units)) for name, units in expected.items()}


def test_wall_time(good, tmp_path):
    """By option, or from the file beside the input; one input or several."""
    import shutil
    for name in ("c1.csv", "c2.csv"):
        shutil.copy(GOLDEN / name, tmp_path)
    assert "WALL_TIME" not in good("summary", tmp_path / "c1.csv").text
    (tmp_path / "wall_time.txt").write_text("1.234\n")
    assert "  WALL_TIME                          1.234s\n" in good("summary", tmp_path / "c1.csv").text
    assert "  WALL_TIME                       207.000ms\n" in good("summary", tmp_path / "c1.csv", "--wall-time", "0.207").text
    assert json.loads(good("summary", tmp_path / "c1.csv", "--json").text)["wall_time"] == 1234000000
    together = good("summary", tmp_path / "c1.csv", tmp_path / "c2.csv").text
    assert [line.split() for line in together.splitlines() if line.startswith("WALL_TIME")] == [["WALL_TIME", "1.234s", "-", "1.234s", "-", "0ns"]]


def sums_of(document):
    return {key: value for key, value in document.items() if key.endswith("_time") or key.startswith("total_")}


@pytest.mark.parametrize("table, log", [("annotated_A2.csv", "runtime_r2.csv"), ("annotated_A4.csv", "runtime_r4.csv")])
def test_an_annotated_table_sums_up_like_its_log(table, log):
    """What the originals annotated, read as an input: the same sums as the log beside its program."""
    ours = summary(GOLDEN / "golden" / table, None)
    assert sums_of(ours) == sums_of(summary(GOLDEN / log, DUMP))
    assert ours["rows"]["read"] == len((GOLDEN / "golden" / table).read_text().splitlines()) - 1
    assert ours["rows"]["read"] == ours["rows"]["used"] + ours["rows"]["lost"]


@pytest.mark.parametrize("log, options", [("runtime_r1.csv", []), ("runtime_r1.csv", ["--long-headers"]),
                                          ("runtime_r2.csv", ["--columns", "a2"]), ("runtime_r4.csv", []),
                                          ("runtime_r4.csv", ["--columns", "a3"]), ("runtime_r4.csv", ["--long-headers"])])
def test_our_own_annotated_tables_sum_up_like_their_logs(good, tmp_path, log, options):
    good("annotate", DUMP, GOLDEN / log, tmp_path / "annotated.csv", *options)
    assert sums_of(summary(tmp_path / "annotated.csv", None)) == sums_of(summary(GOLDEN / log, DUMP))


def test_a_table_with_start_and_wait_counts_a_job_from_its_start(good, tmp_path):
    """Document 003's columns are those of the newest annotator, for which a job begins with its start and an allocation is no work;
    in an R2 log a job is its wait, and the allocation at its end counts for the whole."""
    good("annotate", DUMP, GOLDEN / "runtime_r2.csv", tmp_path / "annotated.csv")
    ours, log = summary(tmp_path / "annotated.csv", None), summary(GOLDEN / "runtime_r2.csv", DUMP)
    assert (ours["total_duration"], ours["host_time"], ours["host_copy_time"]) == (900000, 179000, 12000)
    assert ours["slice_time"] == log["slice_time"] + 8000 and ours["css_time"] == log["css_time"] + 7000
    assert ours["idle_time"] == log["idle_time"] - 15000 - 2000


# ---- ExecuTorch -----------------------------------------------------------------------------------------------------------

EXECUTORCH = ([*sorted((tool.DATA / "etdump").glob("*.etdp")), *sorted((tool.DATA / "et-timeline").glob("*_timeline.csv")),
               *sorted((tool.DATA / "operators").glob("*.etdump*")), *sorted((tool.DATA / "operators").glob("*_timeline.csv.gz")),
               *sorted((tool.DATA / "etrecord").glob("*.etdump.gz")), *sorted((tool.DATA / "timeline" / "dumps").glob("*.gz")),
               *sorted((tool.DATA / "latency").glob("*.etdump.gz")), *sorted((tool.DATA / "et-ops").glob("*.csv")),
               *sorted((tool.DATA / "et-runner-log").glob("*.log"))])

TIMED = [path for path in EXECUTORCH if path.stem != "py_empty"]


def unpacked(path):
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix == ".gz" else data


def is_dump(path):
    return any(suffix in (".etdump", ".etdp") for suffix in path.suffixes)


def rows_in(path):
    """Events of a dump, lines of a table; None for a log, in which few lines are rows."""
    if is_dump(path):
        return etdump_reference.read(unpacked(path))[4]
    return None if path.suffix == ".log" else len(unpacked(path).splitlines()) - 1


def executorch_ids(path):
    return f"{path.parent.name}-{path.name.split('.')[0]}"


@pytest.mark.parametrize("path", EXECUTORCH, ids=executorch_ids)
def test_rows_of_executorch_are_used_or_lost(good, path):
    rows = json.loads(good("summary", path, "--json").text)["rows"]
    assert rows["read"] == rows["used"] + rows["lost"] and rows["lost"] == 0
    expected = rows_in(path)
    assert expected is None or rows["read"] == expected


@pytest.mark.parametrize("path", TIMED, ids=executorch_ids)
def test_operators_and_the_rest_are_the_inference(good, path):
    """Exactly, in ns: operators, what calls add to them, control flow and framework are Method::execute."""
    document = json.loads(good("operators", path, "--warmup", "none", "--json").text)
    runs = document["e2e"]["runs"]
    account = {key: value * runs * 1e6 for key, value in document["accounting"].items() if key.endswith("_ms")}
    exact = {key: round(value) for key, value in account.items()}
    assert all(abs(account[key] - exact[key]) < 1e-3 for key in account)
    assert exact["operators_ms"] + exact["call_overhead_ms"] + exact["control_flow_ms"] + exact["framework_ms"] == exact["execute_ms"]
    assert exact["sum_ms"] == exact["execute_ms"] and exact["difference_ms"] == 0
    assert exact["execute_ms"] == round(document["e2e"]["total_ms"] * 1e6)
    assert exact["operators_ms"] == sum(round(operator["self_ms"] * runs * 1e6) for operator in document["operators"])
    assert all(value >= 0 for value in exact.values())
    if is_dump(path):
        events = etdump_reference.read(unpacked(path))[1]
        by_kind = {kind: sum(event.duration for event in events if event.kind == kind)
                   for kind in ("execute", "call", "control", "delegated", "portable")}
        assert exact["execute_ms"] == by_kind["execute"]
        assert exact["operators_ms"] == by_kind["delegated"] + by_kind["portable"]
        assert exact["call_overhead_ms"] == by_kind["call"] - exact["operators_ms"]
        assert exact["control_flow_ms"] == by_kind["control"]
        assert exact["framework_ms"] == by_kind["execute"] - by_kind["call"] - by_kind["control"]


@pytest.mark.parametrize("path", TIMED, ids=executorch_ids)
def test_categories_and_backends_hold_every_operator(good, path):
    document = json.loads(good("operators", path, "--json").text)
    total = round(sum(operator["total_ms"] for operator in document["operators"]) * 1e6)
    assert round(sum(group["total_ms"] for group in document["categories"]) * 1e6) == total
    assert round(sum(kind["total_ms"] for group in document["categories"] for kind in group["kinds"]) * 1e6) == total
    assert round((document["delegated"]["total_ms"] + document["portable"]["total_ms"]) * 1e6) == total
    assert sum(group["operators"] for group in document["categories"]) == len(document["operators"])
    assert document["delegated"]["operators"] + document["portable"]["operators"] == len(document["operators"])


@pytest.mark.parametrize("path", [path for path in TIMED if is_dump(path)], ids=executorch_ids)
def test_latencies_are_the_inferences(good, tmp_path, path):
    """What summary, operators and latency say of the inferences is one number."""
    good("latency", "--timeline-csv", path, "--output-dir", tmp_path)
    stats = json.loads(next(tmp_path.glob("*_robust_stats.json")).read_text())
    executes = [event.duration for event in etdump_reference.read(unpacked(path))[1] if event.kind == "execute"]
    assert [round(value * 1e6) for value in stats["latencies_ms"]] == executes
    assert json.loads(good("summary", path, "--runs", "whole", "--json").text)["inference_time"] == sum(executes)


def test_lost_rows_of_a_timeline_are_counted(good, tmp_path):
    """A damaged row costs itself alone, in every verb."""
    lines = (tool.DATA / "et-timeline" / "broken_graph_run0_timeline.csv").read_text().splitlines(True)
    whole = json.loads(good("summary", tool.DATA / "et-timeline" / "broken_graph_run0_timeline.csv", "--json").text)
    lines[3:3] = ["m,x,x,portable,zero,1.0,0.1,0.1,2,0,Execute\r\n", "nonsense\r\n", "m,y,y,portable,1.0,2.0,-1,0.1,2,0,Execute\r\n"]
    (tmp_path / "net_exec_run0_timeline.csv").write_text("".join(lines))
    ours = json.loads(good("summary", tmp_path / "net_exec_run0_timeline.csv", "--json").text)
    assert ours["rows"]["read"] == whole["rows"]["read"] + 3 and ours["rows"]["used"] == whole["rows"]["used"]
    assert ours["rows"]["lost"] == 3 == sum(ours["rows"]["reasons"].values())
    assert sums_of(ours) == sums_of(whole)
    for verb in (["operators"], ["latency"], ["timeline", "--out-dir", tmp_path / "out"]):
        result = good(*verb[:1], tmp_path / "net_exec_run0_timeline.csv", *verb[1:])
        assert "3 of" in result.err + result.text and "lost" in result.err + result.text, verb


def test_only_logs_of_a_host_are_called_its_profile():
    """The title is that of the tool chain: a device log is no profile of the host."""
    log = sorted((tool.DATA / "tt-device").rglob("*.csv*"))[0]
    assert " Host Profile Overview " in tool.good("summary", "-q", GOLDEN / "c1.csv").text
    assert "= Profile Overview =" in tool.good("summary", "-q", log).text
