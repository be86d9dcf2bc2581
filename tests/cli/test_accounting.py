"""Engine times and idle add up to the whole, rows in are rows used and rows lost, and an independent, slow computation gives
the same metrics, on every fixture."""
import json

import pytest

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
)
if MOBILENET.exists():
    CASES += [(MOBILENET / "timeline.csv", None), (MOBILENET / "runtime.csv", None), (MOBILENET / "runtime.csv", EXAMPLE_DUMP),
              (EXAMPLE_DUMP, None)]
IDS = [path.name + ("+mlir" if program else "") for path, program in CASES]


def summary(path, program):
    options = ["--mlir", program] if program else []
    return json.loads(tool.good("summary", path, "--json", *options).text)


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
    ours = json.loads(good("summary", log, "--json").text)
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
        times = [row["total_time"] for row in document["rows"]]
        assert times == sorted(times, reverse=True) and times, by
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
    assert [line.split() for line in together.splitlines() if line.startswith("WALL_TIME")] == [["WALL_TIME", "1.234s", "-", "1.234s", "-"]]


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
