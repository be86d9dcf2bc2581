"""Questions from Python: every table of every format against what the tool prints as JSON, errors with their places, what outlives what."""
import array
import collections
import csv
import gc
import json
import math
import pathlib
import subprocess
import sys
import threading
import types

import pytest

import fixtures
import package
import perfetto_packets
import tool

import tacho

ETDUMP = tool.DATA / "operators" / "broken_graph_mac_sme2_on_t1.etdump"
OTHER = tool.DATA / "operators" / "broken_graph_mac_sme2_off_t1.etdump"
C1 = tool.GOLDEN / "c1.csv"
ODD = tool.DATA / "torq-compile" / "odd.csv"


# ---- every table -----------------------------------------------------------------------------------------------------------

ANSWERS = {}


def printed(verb, path, *options):
    """What the tool prints as JSON; each question is asked once."""
    key = (verb, path, options)
    if key not in ANSWERS:
        ANSWERS[key] = json.loads(tool.good(verb, path, *options, "--json").text)
    return ANSWERS[key]


def as_json(table):
    """A table as the JSON of one has it."""
    columns = [table[name] for name in table.columns]
    plain = lambda value: None if isinstance(value, float) and not math.isfinite(value) else value
    return {
        "name": table.name,
        "title": table.title,
        "columns": [{"name": column.name, "title": column.title, "unit": column.unit, "type": column.type, "description": column.description}
                    for column in columns],
        "rows": [{name: plain(value) for name, value in row.items()} for row in table],
        "notes": list(table.notes),
    }


def whole(*command):
    """The tool prints the same table."""
    verb, *options = command
    return lambda table, path: same(as_json(table), printed(verb, path, *options))


def same(one, other):
    assert one == other


def nanoseconds(milliseconds):
    return None if milliseconds is None else round(milliseconds * 1e6)


def close(ns, milliseconds):
    """A time is rounded to whole nanoseconds, and its milliseconds to what a double has."""
    assert abs(ns - milliseconds * 1e6) <= 0.5 + 1e-9 * abs(ns), (ns, milliseconds)


def check_losses(table, path):
    rows = printed("summary", path)["rows"]
    assert sorted(table["rows"]) == sorted(rows["reasons"].values())
    assert len(table) == len(rows["reasons"])
    assert any(f"{rows['read']} rows read, {rows['used']} used, {rows['lost']} lost" in note for note in table.notes)


def check_slices(table, path):
    """The trace as a table has the same slices, in another order. Moments, which have no length, are in the table alone, and so are lines
    that whoever wrote a trace drew on top of it."""
    written = path.parent / "slices.csv"
    tool.good("convert", path, "--no-overview", "-o", written)
    with open(written, newline="") as file:
        rows = list(csv.DictReader(file))
    shared = [name for name in table.columns if name in rows[0] and name != "arguments"] if rows else []
    shown = lambda value: "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
    ours = collections.Counter(tuple(shown(row[name]) for name in shared[:6]) for row in table)
    theirs = collections.Counter(tuple(row[name] for name in shared[:6]) for row in rows)
    assert not theirs - ours
    assert all(row[1] in ("overview", "operator") or row[-1] == "0" for row in ours - theirs)


def check_operations(table, path):
    assert as_json(table)["rows"] == printed("advise", path)["operations"]


def check_advice(table, path):
    answer = printed("advise", path)
    items = [*answer["items"], *answer["smaller"]]
    assert [row["advice"] for row in table] == [item["title"] for item in items]
    for ours, theirs in (("saves", "saves_ns"), ("time", "time_ns"), ("share", "share_percent"), ("rule", "rule"), ("evidence", "evidence")):
        assert [row[ours] for row in table] == [item[theirs] for item in items]


def check_metrics(table, path):
    side = printed("latency", path)["side"]
    times = {row["metric"]: row["latency"] for row in table}
    for name, key in (("Median of launches", "median_ms"), ("Mean of runs", "mean_ms"), ("Min", "min_ms"), ("Max", "max_ms")):
        close(times[name], side[key])
    for name, value in side["percentiles"].items():
        close(times[name], value)


def check_sides(table, path):
    side = printed("latency", path)["side"]
    assert len(table) == 1
    for ours, theirs in (("name", "name"), ("launches", "launches"), ("runs", "runs"), ("left_out", "left_out"), ("run_cv", "cv_percent")):
        assert table[0][ours] == side[theirs]


def check_categories(table, path):
    theirs = {item["category"]: item for item in printed("operators", path)["categories"]}
    rows = [row for row in table if not row["category"].startswith("  ")]  # others are kinds of the category above
    assert {row["category"] for row in rows} == {name for name, item in theirs.items() if item["operators"]}
    for row in rows:
        close(row["avg_ns"], theirs[row["category"]]["avg_ms"])
        assert row["operators"] == theirs[row["category"]]["operators"]


def check_backends(table, path):
    answer = printed("operators", path)
    for row in table:
        close(row["avg_ns"], answer[row["ran"]]["avg_ms"])
        assert row["operators"] == answer[row["ran"]]["operators"]


def check_accounting(table, path):
    parts = printed("operators", path)["accounting"]
    times = dict(zip(table["part"], table["avg_ns"]))
    assert len(times) >= 3
    for name, ns in times.items():
        close(ns, parts["execute_ms" if name.startswith("=") else name.replace(" ", "_") + "_ms"])


# Each name that a profile lists, and how it is held against the tool.
CHECKS = {
    "overview": whole("summary", "--columns", "overview"),
    "operators": whole("summary", "--by", "operator"),
    "locations": whole("summary", "--by", "location"),
    "types": whole("summary", "--by", "type"),
    "engines": whole("summary", "--by", "engine"),
    "breakdown": whole("summary", "--by", "operator"),
    "slices": check_slices,
    "losses": check_losses,
    "operations": check_operations,
    "advice": check_advice,
    "metrics": check_metrics,
    "sides": check_sides,
    "launches": whole("latency", "--columns", "launches"),
    "runs": whole("latency", "--each-run"),
    "calls": whole("ops", "--table", "calls"),
    "call_cores": whole("ops", "--table", "call_cores"),
    "categories": check_categories,
    "backends": check_backends,
    "accounting": check_accounting,
    "kernels": whole("kernels"),
    "analyses": whole("device", "--table", "analyses"),
    "cores": whole("device", "--table", "cores"),
    "ops": whole("device", "--table", "ops"),
}


@pytest.mark.parametrize("name", fixtures.FILES)
def test_every_table_is_what_the_tool_says(tmp_path, name):
    path = fixtures.copied(name, tmp_path)
    refused = tool.run("summary", path)
    if refused.code:
        with pytest.raises(tacho.InputError) as raised:
            tacho.open(path)
        assert raised.value.message in refused.err
        return
    made = []
    with tacho.open(path) as profile:
        for table in profile.tables():
            try:
                found = profile.table(table)
            except tacho.UsageError as error:
                assert "makes no table" in error.message
                continue
            CHECKS[table](found, path)
            made.append(table)
    assert {"overview", "operators", "locations", "types", "engines", "slices", "losses"} <= set(made)


@pytest.mark.parametrize("example", ["mobilenet", "encoder_wormhole", "mobilenet_xnnpack"])
def test_the_examples(example):
    """A notebook's worth: open it, its operators, what to do about it, all as the tool says it."""
    folder = tool.ROOT / "examples" / example
    inputs = [path for path in sorted(folder.rglob("*")) if path.is_file() and tool.run("summary", path, "-q").code == 0]
    assert inputs, f"nothing in {folder} has times"
    for path in inputs:
        profile = tacho.open(path)
        assert as_json(profile.table("operators", limit=10)) == printed("summary", path, "--by", "operator", "--limit", "10")
        assert profile.advice().answer == printed("advise", path)
        assert profile.summary().json() == printed("summary", path)


def test_a_recording():
    path = fixtures.KNOWN["tacho-recording"]
    profile = tacho.open(tool.DATA / path)
    assert profile.format == "tacho-recording"
    assert as_json(profile.table("operators")) == printed("summary", tool.DATA / path, "--by", "operator")


# ---- profiles --------------------------------------------------------------------------------------------------------------


def test_options_are_those_of_the_verb():
    profile = tacho.open(ETDUMP, warmup="none")
    assert as_json(profile.table("operators", by="module", sort="-self_time", limit=3)) == printed(
        "summary", ETDUMP, "--by", "module", "--sort", "-self_time", "--limit", "3", "--warmup", "none")
    assert as_json(profile.table("overview", filter=["time>0", "percent<100"])) == printed(
        "summary", ETDUMP, "--filter", "time>0", "--filter", "percent<100", "--columns", "overview", "--warmup", "none")
    with pytest.raises(tacho.UsageError, match="--limit"):
        profile.table("operators", limt=3)
    with pytest.raises(tacho.UsageError, match="takes no options"):
        profile.table("slices", limit=3)


def test_companions_and_flags():
    log = tool.GOLDEN / "runtime_r2.csv"
    profile = tacho.open(str(log), mlir=tool.GOLDEN / "executable_targets.mlir", original_mlir=tool.GOLDEN / "net.mlir", strict=False)
    assert as_json(profile.table("types")) == printed("summary", log, "--by", "type", "--mlir", str(tool.GOLDEN / "executable_targets.mlir"),
                                                      "--original-mlir", str(tool.GOLDEN / "net.mlir"))
    with pytest.raises(tacho.UsageError, match="colour"):
        tacho.open(C1, colour="red")


def test_metrics_that_a_trace_tells(tmp_path):
    path = tmp_path / "later.pb"
    path.write_bytes(perfetto_packets.with_overview_track((tool.GOLDEN / "golden" / "annotated_A4.pb").read_bytes(), "07 OVERVIEW WARP DRIVE", (0, 250)))
    table = tacho.open(path).table("overview")
    assert as_json(table) == printed("summary", path, "--columns", "overview")
    assert as_json(table)["rows"][-1]["label"] == "Warp Drive" and as_json(table)["rows"][-1]["time"] == 250
    assert "told by the trace, not computed: Warp Drive" in table.notes


def test_several_inputs_stand_side_by_side():
    profile = tacho.open(C1, tool.GOLDEN / "c2.csv")
    table = profile.table("overview")
    command = tool.good("summary", C1, tool.GOLDEN / "c2.csv", "-o", "/dev/stdout").text
    assert table.columns and all(name in command for name in ("OVERALL",))
    assert profile.summary().json() == json.loads(tool.good("summary", C1, tool.GOLDEN / "c2.csv", "--json").text)
    with pytest.raises(tacho.UsageError, match="one input"):
        profile.table("operators")


def test_advice():
    answer = printed("advise", ETDUMP)
    advice = tacho.open(ETDUMP).advice()
    assert [item.what for item in advice] == [item["title"] for item in answer["items"]]
    assert [item.saves for item in advice] == [item["saves_ns"] for item in answer["items"]]
    assert advice[0].evidence == answer["items"][0]["evidence"] and advice[0].rule == answer["items"][0]["rule"]
    assert advice.headline == answer["headline"] and advice.healthy is answer["healthy"]
    assert len(advice.smaller) == len(answer["smaller"])
    assert advice[0].what in repr(advice[0])
    with pytest.raises(AttributeError):
        advice[0].nothing


def test_report_and_summary_and_latency(tmp_path):
    profile = tacho.open(ETDUMP)
    profile.report(tmp_path / "out.html", title="From Python")
    page = (tmp_path / "out.html").read_text()
    assert page.startswith("<!") and "From Python" in page
    assert profile.summary().json() == printed("summary", ETDUMP)
    assert profile.latency().json() == printed("latency", ETDUMP)
    profile.latency().write(tmp_path / "latency.json")
    assert json.loads((tmp_path / "latency.json").read_text()) == printed("latency", ETDUMP)


def test_notes_losses_and_rows():
    profile = tacho.open(ODD)
    assert profile.rows == {"read": 12, "used": 8, "lost": 4}
    assert any("4 of 12 rows were lost" in note for note in profile.notes)
    assert sum(row["rows"] for row in profile.losses if row["lost"]) == 4


def test_a_closed_profile():
    with tacho.open(C1) as profile:
        table = profile.table("overview")
        result = profile.summary(columns="overview")
    assert profile.closed and "closed" in repr(profile)
    for question in (profile.tables, lambda: profile.table("overview"), profile.summary, lambda: profile.rows):
        with pytest.raises(ValueError, match="closed"):
            question()
    profile.close()
    assert as_json(table) == as_json(result["overview"]) == printed("summary", C1, "--columns", "overview")


# ---- tables and columns ----------------------------------------------------------------------------------------------------


def test_rows_and_columns():
    table = tacho.open(C1).table("overview")
    assert len(table) == len(list(table)) == len(table["time"])
    assert table[0] == next(iter(table)) and table[-1] == list(table)[-1]
    assert table[1:3] == list(table)[1:3] and table[::-1] == list(table)[::-1]
    assert "time" in table and "nothing" not in table and 3 not in table
    assert table.to_dict() == {name: list(table[name]) for name in table.columns}
    with pytest.raises(KeyError):
        table["nothing"]
    with pytest.raises(IndexError):
        table[len(table)]
    with pytest.raises(IndexError):
        table["time"][-len(table) - 1]
    with pytest.raises(TypeError):
        table[1.5]
    column = table["time"]
    assert column[0] == 3125 and column[-1] == column.tolist()[-1] and column[:2] == column.tolist()[:2]
    assert column == column.tolist() and column != [1] and column == table["time"]
    assert (column.name, column.title, column.unit, column.type, column.nulls) == ("time", "Time", "ns", "duration", 0)
    assert "time [ns]" in repr(column) and table["percent"].description == "of OVERALL"


def test_numbers_have_a_buffer():
    table = tacho.open(C1).table("overview")
    view = memoryview(table["time"])
    assert (view.format, view.itemsize, view.shape, view.readonly, view.contiguous) == ("q", 8, (len(table),), True, True)
    assert view.tolist() == table["time"].tolist()
    assert array.array("q", bytes(table["time"])).tolist() == table["time"].tolist()
    assert memoryview(table["percent"]).format == "d"
    truths = tacho.open(ODD).losses["lost"]
    assert memoryview(truths).format == "?" and memoryview(truths).tolist() == truths.tolist()
    with pytest.raises(BufferError, match="texts"):
        memoryview(table["label"])
    with pytest.raises((BufferError, TypeError)):
        array.array("q", [0]).frombytes(table["label"])


def test_what_is_not_known():
    table = tacho.open(ETDUMP).table("operators")
    flops, gflops = table["flops"], table["gflops"]
    assert 0 < flops.nulls < len(flops) or flops.nulls == len(flops)
    assert flops.tolist().count(None) == flops.nulls == sum(flops.mask)
    assert flops.mask.format == "?" and len(flops.mask) == len(flops)
    for value, number, null in zip(flops.tolist(), memoryview(flops), flops.mask):
        assert (value is None and number == 0) if null else value == number
    for value, number, null in zip(gflops.tolist(), memoryview(gflops), gflops.mask):
        assert (value is None and math.isnan(number)) if null else value == number


def test_representations():
    table = tacho.open(ETDUMP).table("slices")
    text = repr(table)
    assert max(len(line) for line in text.splitlines()) <= 80
    assert f"{len(table) - 30} of {len(table)} rows are not shown" in text
    page = table._repr_html_()
    assert page.startswith("<section") and page.count("<tr") <= 32 and "not shown" in page
    small = tacho.open(C1).table("overview")
    assert "not shown" not in repr(small) and repr(small).startswith("Overview\n")
    assert small.format("csv").splitlines()[0] == ",".join(small.columns)
    assert json.loads(small.format("json")) == as_json(small)
    assert small.format("markdown", rows=1).count("\n|") < small.format("markdown").count("\n|")
    with pytest.raises(tacho.UsageError):
        small.format("pdf")


def test_tables_as_files(tmp_path):
    table = tacho.open(C1).table("overview")
    table.write(tmp_path / "t.csv")
    with open(tmp_path / "t.csv", newline="") as file:
        assert [row["label"] for row in csv.DictReader(file)] == list(table["label"])
    with pytest.raises(tacho.UsageError, match="suffix"):
        table.write(tmp_path / "t.xyz")
    with pytest.raises(tacho.OutputError):
        table.write("/dev/null/t.csv")


def stand_in():
    """What to_pandas uses of pandas, and no more."""
    module = types.ModuleType("pandas")
    module.Series = lambda values, dtype: (list(values), dtype)
    module.DataFrame = dict
    return module


def test_pandas_as_a_stand_in(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", stand_in())
    frame = tacho.open(ETDUMP).table("operators").to_pandas()
    table = tacho.open(ETDUMP).table("operators")
    assert list(frame) == list(table.columns)
    assert frame["operator"] == (table["operator"].tolist(), "object")
    assert frame["self_time"] == (table["self_time"].tolist(), "int64")
    assert frame["percent"][1] == "float64" and frame["flops"][1] == "Int64"


def test_without_pandas(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="to_pandas needs pandas"):
        tacho.open(C1).table("overview").to_pandas()


def test_the_real_pandas():
    pandas = pytest.importorskip("pandas")
    table = tacho.open(ETDUMP).table("operators")
    frame = table.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and frame["self_time"].sum() == sum(table["self_time"])


# ---- verbs and comparisons -------------------------------------------------------------------------------------------------


def test_any_verb():
    assert {"summary", "compare", "advise", "report", "convert", "formats"} <= set(tacho.verbs())
    assert as_json(tacho.ask("formats", filter="direction=read")["formats"]) == json.loads(
        tool.good("formats", "--filter", "direction=read", "--json").text)
    result = tacho.ask("operators", ETDUMP)
    assert result.json() == printed("operators", ETDUMP)
    assert [table.name for table in result.tables] and result["categories"].name == "categories"
    with pytest.raises(KeyError):
        result["nothing"]
    with pytest.raises(tacho.UsageError, match="did you mean summary"):
        tacho.ask("sumary", C1)
    assert tacho.version() in tool.good("--version").text


def test_comparing():
    command = json.loads(tool.good("compare", ETDUMP, OTHER, "--json").text)
    comparison = tacho.compare(ETDUMP, OTHER)
    assert comparison.json() == command and comparison.answer
    verdict, model = comparison.verdict, command["models"][0]
    assert verdict == model["sentence"] and verdict.reason == model["verdict"]
    assert verdict.ratio == model["totals"][0]["factor"] and verdict.speedup == model["speedup"]
    assert (verdict.direction, verdict.certain) == ("undecided", False)
    names = [row["name"] for row in comparison.table() if row["name"] != "sum"]
    assert names == [row["name"] for row in model["operators"]]
    assert comparison.table("totals")["before"].tolist() == [row["before_ns"] for row in model["totals"]]
    assert list(comparison.verdicts) == [model["model"]]


def launches(folder, name, slower):
    """Launches of one model, each with a run that takes a little longer than the one before."""
    paths = []
    for number in range(6):
        path = folder / f"{name}_{number}.csv"
        path.write_text(f"S0,0,{slower * (100000 + 100 * number)},loc(\"/m/net.mlir\":4:10),conv2d\n")
        paths.append(path)
    return paths


def test_a_verdict_that_is_certain(tmp_path):
    before, after = launches(tmp_path, "before", 1), launches(tmp_path, "after", 2)
    comparison = tacho.compare(before, after, one_model=True)
    assert (comparison.verdict.direction, comparison.verdict.certain) == ("slower", True)
    assert 1.9 < comparison.verdict.ratio < 2.1
    assert comparison.table()[0]["name"].startswith("net.mlir:4:10")
    assert tacho.compare(after, before, one_model=True).verdict.direction == "faster"
    gated = tacho.compare(before, after, one_model=True, gate="5")
    assert gated.answer is False and gated.verdict.certain
    assert tool.run("compare", *before, "--with", *after, "--one-model", "--gate", "5").code == 1


def test_converting(tmp_path):
    result = tacho.convert(C1, tmp_path / "a.json", no_overview=True)
    assert "slices" in result.lines[0]
    tool.good("convert", C1, "-o", tmp_path / "b.json", "--no-overview")
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    rows = tacho.convert({"estimate": C1, "log": tool.GOLDEN / "runtime_r2.csv"}, tmp_path / "named.csv")
    assert rows["read"] == rows["used"] + rows["lost"]
    with open(tmp_path / "named.csv", newline="") as file:
        assert {"estimate", "log"} <= {row["process"] for row in csv.DictReader(file)}


# ---- errors ----------------------------------------------------------------------------------------------------------------


def test_errors_tell_where():
    with pytest.raises(tacho.InputError) as raised:
        tacho.open(ODD, strict=True)
    error = raised.value
    assert (error.file, error.line, error.column) == (str(ODD), 5, 1) and error.message == str(error)
    assert error.message == f"{ODD}:5:1: end before start" and isinstance(error, tacho.Error)
    with pytest.raises(tacho.InputError) as raised:
        tacho.open("/nowhere/at.csv")
    assert (raised.value.file, raised.value.line, raised.value.column) == ("/nowhere/at.csv", None, None)
    with pytest.raises(tacho.UsageError) as raised:
        tacho.open(C1).table("nothing")
    assert raised.value.file is None
    with pytest.raises(tacho.UsageError):
        tacho.open()
    for wrong in (lambda: tacho.open(None), lambda: tacho.open(C1, mlir=object()), lambda: tacho.open(C1).table(3)):
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(ValueError):
        tacho.open("a\0b")


def test_errors_survive_a_pickle():
    import pickle

    with pytest.raises(tacho.InputError) as raised:
        tacho.open(ODD, strict=True)
    again = pickle.loads(pickle.dumps(raised.value))
    assert (str(again), again.file, again.line) == (str(raised.value), str(ODD), 5)


# ---- what outlives what ----------------------------------------------------------------------------------------------------


def test_parts_outlive_the_whole():
    """A column after its table, a table after its profile or its result, a result after its profile."""
    column = tacho.open(ETDUMP).table("operators")["operator"]
    view = memoryview(tacho.open(ETDUMP).table("operators")["self_time"])
    mask = tacho.open(ETDUMP).table("operators")["flops"].mask
    table = tacho.ask("operators", ETDUMP)["categories"]
    result = tacho.open(ETDUMP).latency()
    other = tacho.open(ETDUMP).latency().tables
    gc.collect()
    assert list(column) == tacho.open(ETDUMP).table("operators")["operator"].tolist()
    assert view.tolist() == tacho.open(ETDUMP).table("operators")["self_time"].tolist()
    assert sum(mask) == tacho.open(ETDUMP).table("operators")["flops"].nulls
    assert as_json(table) == as_json(tacho.ask("operators", ETDUMP)["categories"])
    assert result.json() == printed("latency", ETDUMP) and [len(part) for part in other] == [len(part) for part in result.tables]


def test_nothing_is_left_behind():
    """Questions asked again and again leave no object each."""
    def ask():
        profile = tacho.open(C1)
        table = profile.table("overview")
        list(table), table.to_dict(), memoryview(table["time"]), repr(table), profile.summary().json(), profile.advice()
        for wrong in (lambda: profile.table("nothing"), lambda: table["nothing"], lambda: tacho.open("/nowhere")):
            try:
                wrong()
            except (tacho.Error, KeyError):
                pass

    times = 500
    for _ in range(20):
        ask()
    gc.collect()
    before = sys.getallocatedblocks()
    for _ in range(times):
        ask()
    gc.collect()
    assert sys.getallocatedblocks() - before < times


def test_threads_share_a_profile():
    profile = tacho.open(ETDUMP)
    wanted = as_json(profile.table("operators"))
    answers, failures = [], []

    def ask(number):
        try:
            for _ in range(5):
                answers.append(as_json(profile.table("operators")) if number % 2 else as_json(profile.table("operators", by="operator")))
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures and len(answers) == 30 and all(answer == wanted for answer in answers)


def test_others_work_meanwhile(tmp_path):
    """The interpreter is free while the library reads."""
    big = tmp_path / "big.csv"
    with open(big, "w") as file:
        for number in range(300000):
            file.write(f"S{number},{number * 10},{number * 10 + 8},loc(\"/m/net.mlir\":{number % 50}:1),conv2d\n")
    counted, done = [0], threading.Event()

    def count():
        while not done.is_set():
            counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    try:
        before = counted[0]
        tacho.open(big)
        assert counted[0] > before
    finally:
        done.set()
        thread.join()


def test_who_records_loads_no_answers():
    code = "import sys, tacho; print(sorted(name for name in sys.modules if name.startswith('tacho.')))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=package.environment()).stdout
    assert "_answers" not in loaded and "_ops" not in loaded


def test_an_option_that_nobody_has_names_the_one_that_was_meant():
    with pytest.raises(tacho.UsageError, match='no tool chain has an option "mlri" with a value; did you mean mlir\\?'):
        tacho.open(tool.GOLDEN / "runtime_r4.csv", mlri="net.mlir")
