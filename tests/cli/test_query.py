"""tacho query: tables of every format, indexes that change no answer, functions against slow ones, and SQL that is refused."""
import csv
import json
import os
import pathlib
import random
import signal
import subprocess

import pytest

import fixtures
import tool
import waiting

TIMELINE = tool.MOBILENET / "timeline.csv"
RUNTIME = tool.MOBILENET / "runtime.csv"
ETDUMP = tool.ROOT / "examples" / "mobilenet_xnnpack" / "mobilenet_like_xnnpack_fp32_mac_sme2_on_t1.etdump"
EVERY = {"slices", "tracks", "arguments", "counters", "flows", "runs", "losses"}
TIMED = {"metrics", "operators", "engines", "launches", "advice"}


def answers(*words, sql):
    """The tables that a text of SQL gives."""
    told = json.loads(tool.good("query", "--quiet", *words, sql, "--json").out)
    return told if isinstance(told, list) else [told]


def rows(*words, sql):
    return [list(row.values()) for row in answers(*words, sql=sql)[0]["rows"]]


def one(*words, sql):
    return rows(*words, sql=sql)[0][0]


def refused(*words, code=2):
    done = tool.run("query", *words)
    assert done.code == code and not done.out, done.err
    return done.err


# ---- tables -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", fixtures.FILES)
def test_every_format_has_its_tables(name, tmp_path):
    path = fixtures.copied(name, tmp_path)
    schema = json.loads(tool.good("query", "--quiet", path, "--schema", "--json").out)["rows"]
    tables = {row["table"] for row in schema if row["column"] and row["table"]}
    assert EVERY <= tables
    timeless = name in ("etrecord", "xnn-kernels")
    assert timeless or TIMED <= tables
    counts = rows(path, sql=" UNION ALL ".join(f"SELECT '{table}', count(*) FROM \"{table}\"" for table in sorted(tables)))
    assert dict(counts)["slices"] > 0 or timeless
    for row in schema:
        assert row["description"], row


@pytest.mark.parametrize("path", [TIMELINE, RUNTIME, ETDUMP, tool.ROOT / "examples/encoder_wormhole/ops_perf_results.csv",
                                  tool.ROOT / "examples/encoder_wormhole/profile_log_device.csv.gz"], ids=lambda path: path.name)
def test_slices_are_those_of_the_library(path, tmp_path):
    """The CSV of slices has the same rows, ticks and names; instants it has not."""
    tool.good("convert", path, "--no-overview", "-o", tmp_path / "slices.csv")
    with open(tmp_path / "slices.csv", newline="") as file:
        written = [(row["track"], row["name"], int(row["start_ticks"]), int(row["end_ticks"])) for row in csv.DictReader(file)
                   if row["end_ticks"]]
    asked = [tuple(row) for row in rows(path, sql="SELECT track, name, start_ticks, end_ticks FROM slices WHERE end_ticks IS NOT NULL")]
    assert sorted(asked) == sorted(written) and asked


def test_overlap_is_that_of_the_summary_to_the_tick():
    told = json.loads(tool.good("summary", "--json", TIMELINE).out)
    ticks = one(TIMELINE, sql="SELECT overlap(start_ticks, duration_ticks, engine_group = 'compute') FROM slices"
                              " WHERE engine_group IN ('transfer', 'compute')")
    numerator, denominator = rows(TIMELINE, sql="SELECT DISTINCT tick_numerator, tick_denominator FROM tracks WHERE kind = 'slices'")[0]
    assert ticks * numerator // denominator == told["overlap_time"] > 0
    for metric, where in [("dma", "engine_group = 'transfer'"), ("compute", "engine_group = 'compute'"), ("dma_in", "engine = 'dma_in'"),
                          ("slice_0", "engine = 'slice' AND engine_index = 0")]:
        busy = one(TIMELINE, sql=f"SELECT busy(start_ticks, duration_ticks) FROM slices WHERE {where}")
        assert busy * numerator // denominator == told[f"{metric}_time"] > 0, metric
    assert dict(rows(TIMELINE, sql="SELECT metric, time FROM metrics"))["overlap"] == told["overlap_time"]


def test_runs_are_those_that_count():
    total, counted = rows(ETDUMP, sql="SELECT count(*), sum(counted) FROM runs")[0]
    told = json.loads(tool.good("summary", "--json", ETDUMP).out)["runs"]
    assert (total, counted) == (told["total"], told["counted"])
    mean = one(ETDUMP, sql="SELECT CAST(avg(duration_ticks) AS INTEGER) FROM runs WHERE counted")
    assert mean == one(ETDUMP, sql="SELECT time FROM metrics WHERE metric = 'total_duration'")
    # Slices of a run lie in it.
    outside = "SELECT count(*) FROM slices s JOIN runs r ON r.id = s.run WHERE s.start_ns < r.start_ns OR s.start_ns >= r.end_ns"
    assert one(ETDUMP, sql=outside) == 0 < one(ETDUMP, sql="SELECT count(*) FROM slices WHERE run = 3")
    assert one(TIMELINE, sql="SELECT count(*) FROM slices WHERE run IS NULL") == 0
    assert one(ETDUMP, "--warmup", "7", sql="SELECT sum(NOT counted) FROM runs") >= 7
    assert one(ETDUMP, "--runs", "whole", sql="SELECT count(*) FROM runs") == 1


def test_several_inputs_have_a_column_that_tells_them_apart():
    assert "input" not in answers(TIMELINE, sql="SELECT * FROM slices LIMIT 1")[0]["rows"][0]
    assert one(TIMELINE, sql="SELECT DISTINCT input FROM slices") == "timeline.csv"
    counts = dict(rows(TIMELINE, RUNTIME, sql="SELECT input, count(*) FROM slices GROUP BY input"))
    assert counts == {"01 timeline.csv": one(TIMELINE, sql="SELECT count(*) FROM slices"), "02 runtime.csv": one(RUNTIME, sql="SELECT count(*) FROM slices")}
    for table in ("operators", "metrics", "losses", "runs", "arguments", "flows", "tracks"):
        apart = [one(path, sql=f"SELECT count(*) FROM {table}") for path in (TIMELINE, RUNTIME)]
        found = dict(rows(TIMELINE, RUNTIME, sql=f"SELECT input, count(*) FROM {table} GROUP BY input"))
        assert [found.get("01 timeline.csv", 0), found.get("02 runtime.csv", 0)] == apart, table
    assert "input" in answers(TIMELINE, RUNTIME, sql="SELECT * FROM runs")[0]["rows"][0]


@pytest.mark.parametrize("table, words", [("operators", ["summary", "--by", "operator"]), ("engines", ["summary", "--by", "engine"]), ("launches", ["latency"])])
def test_columns_are_all_fields(table, words):
    listed = [row["key"] for row in json.loads(tool.good(*words, ETDUMP, "--columns", "help", "--json").out)["rows"]]
    assert set(answers(ETDUMP, sql=f"SELECT * FROM {table}")[0]["rows"][0]) == set(listed)
    assert one(ETDUMP, sql="SELECT count(*) FROM operators WHERE kernel IS NOT NULL AND line > 0") >= 0


def test_arguments_flows_and_jobs():
    counted = one(RUNTIME, sql="SELECT count(*) FROM arguments")
    assert counted == one(RUNTIME, sql="SELECT sum(n) FROM (SELECT count(*) AS n FROM arguments GROUP BY key)")
    wrong = "SELECT count(*) FROM arguments WHERE argument(slice, key) IS NOT value"
    assert one(RUNTIME, sql=wrong) == 0 < counted
    assert one(RUNTIME, sql="SELECT count(*) FROM jobs") == one(RUNTIME, sql="SELECT count(*) FROM slices WHERE engine_group = 'job'") > 0
    assert one(RUNTIME, sql="SELECT count(DISTINCT flow) FROM flows f JOIN slices s ON s.id = f.slice WHERE s.engine_group = 'job'") > 0


def test_parts_of_a_file_are_inputs(tmp_path):
    made = tmp_path / "both.pb"
    tool.good("convert", TIMELINE, RUNTIME, "-o", made)
    inputs = rows(made, sql="SELECT input, count(*) FROM slices GROUP BY input")
    apart = rows(made, sql="SELECT input, count(*) FROM engines GROUP BY input")
    assert [name for name, _ in inputs] == [name for name, _ in apart] and len(inputs) == 2


# ---- indexes ----------------------------------------------------------------------------------------------------------

PLANS = {
    "track_id = 3": "track", "track = 'DMA In'": "track", "engine = 'slice' AND engine_index = 1": "track", "engine_group IN ('transfer', 'job')": "track",
    "track_id = 2 AND start_ns BETWEEN 100000 AND 2000000": "track", "engine = 'dma_in' AND start_ticks > 4000.5 AND start_ticks <= 1e6": "track",
    "track_id = '2'": "track", "track_id = 2.0 AND start_ns < '90000'": "track", "track_id = NULL": "track", "start_ns >= 3000000": "track", "start_ns = 0": "track",
    "name = (SELECT min(name) FROM slices)": "name", "name = 7": "name", "run = 0": "run", "run = 10000": "run", "id = 17": "rows", "id BETWEEN -5 AND 20": "rows",
    "id > 9e18": "rows", "track_id IN (1, 3, 99)": "track", "start_ns < -1": "track", "track_id = 1 AND start_ns > 9223372036854775807": "track",
}


@pytest.mark.parametrize("where", PLANS)
def test_an_index_changes_no_answer(where):
    for path in (TIMELINE, RUNTIME):
        shown = "id, name, start_ticks"
        slow = where
        for column in ("track_id", "track ", "engine_group", "engine_index", "engine ", "start_ns", "start_ticks", "name ", "run ", "id "):
            slow = slow.replace(column, f"+{column}") if not slow.startswith("name =") or column == "name " else slow
        slow = slow.replace("+track_+id", "+track_id").replace("min(+name)", "min(name)")
        found = answers(path, sql=f"SELECT {shown} FROM slices WHERE {where} ORDER BY id;"
                                  f"SELECT {shown} FROM slices WHERE {slow} ORDER BY id;"
                                  f"EXPLAIN QUERY PLAN SELECT name FROM slices WHERE {where};"
                                  f"EXPLAIN QUERY PLAN SELECT name FROM slices WHERE {slow}")
        fast, scanned, plan, none = [table["rows"] for table in found]
        assert f":{PLANS[where]}(" in plan[0]["detail"] and "(" not in none[0]["detail"].split(":", 1)[1], (plan, none)
        if "'90000'" not in where and where not in ("track_id = '2'", "name = 7"):  # a sign before a column takes its type from it
            assert fast == scanned


def test_rows_come_in_the_order_that_is_asked_for():
    for by in ("name", "track_id", "run", "start_ns", "track_id, start_ns", "track_id, start_ticks", "id"):
        for path in (TIMELINE, RUNTIME):
            sorted_there = rows(path, sql=f"SELECT {by} FROM slices ORDER BY {by}")
            assert sorted_there == sorted(rows(path, sql=f"SELECT {by} FROM slices"), key=lambda row: [(value is not None, value) for value in row])
        assert "TEMP B-TREE" not in json.dumps(rows(path, sql=f"EXPLAIN QUERY PLAN SELECT {by} FROM slices ORDER BY {by}"))
    assert "TEMP B-TREE" not in json.dumps(rows(TIMELINE, sql="EXPLAIN QUERY PLAN SELECT name, count(*) FROM slices GROUP BY name"))
    grouped = rows(RUNTIME, sql="SELECT name, count(*), sum(duration_ticks) FROM slices GROUP BY name")
    assert grouped == rows(RUNTIME, sql="SELECT name, count(*), sum(duration_ticks) FROM slices GROUP BY +name")
    assert rows(RUNTIME, sql="SELECT id FROM slices WHERE name = 'X' COLLATE NOCASE") == rows(RUNTIME, sql="SELECT id FROM slices WHERE lower(name) = 'x'")
    names = [name for name, in rows(RUNTIME, sql="SELECT name FROM slices")]
    assert [name for name, in rows(RUNTIME, sql="SELECT DISTINCT name FROM slices ORDER BY name")] == sorted(set(names))
    assert one(RUNTIME, sql="SELECT count(DISTINCT name) FROM slices") == len(set(names))
    folded = [name.lower() for name, in rows(RUNTIME, sql="SELECT name FROM slices ORDER BY name COLLATE NOCASE")]
    assert folded == sorted(name.lower() for name in names)
    both = "SELECT id FROM slices WHERE track_id IN (3, 1, 2) AND run = 4 ORDER BY start_ns, id"
    assert rows(RUNTIME, sql=both) == rows(RUNTIME, sql=both.replace("track_id", "+track_id").replace("run", "+run"))
    textual = "SELECT id FROM slices WHERE track_id = '2' ORDER BY start_ns"
    assert rows(RUNTIME, sql=textual) == rows(RUNTIME, sql=textual.replace("'2'", "2"))
    assert rows(RUNTIME, sql="SELECT DISTINCT track_id FROM slices ORDER BY track_id DESC") == sorted(rows(RUNTIME, sql="SELECT DISTINCT track_id FROM slices"), reverse=True)


# ---- functions --------------------------------------------------------------------------------------------------------


def intervals(dice, count):
    return [(dice.randrange(-50, 200), dice.choice([0, 0, 1, 3, 40]), dice.choice([0, 1, 2])) for _ in range(count)]


def covered(items):
    return {tick for start, duration, _ in items for tick in range(start, start + duration)}


def test_busy_and_overlap_are_those_of_single_ticks():
    dice = random.Random(7)
    statements, expected = [], []
    for _ in range(60):
        items = intervals(dice, dice.randrange(1, 60))
        listed = ", ".join(str(item) for item in items)
        statements.append(f"SELECT busy(column1, column2), overlap(column1, column2, column3) FROM (VALUES {listed})")
        expected.append([len(covered(items)), len(covered([i for i in items if i[2] == 0]) & covered([i for i in items if i[2] == 1]))])
    told = answers(TIMELINE, sql=";".join(statements))
    assert [list(table["rows"][0].values()) for table in told] == expected


def test_functions_pass_over_what_is_not_known():
    values = "(VALUES (1, 5, 0), (NULL, 9, 1), (3, NULL, 1), (2, 2, 1), (4, 9, NULL), (4, 9, 'x'))"
    assert rows(TIMELINE, sql=f"SELECT busy(column1, column2), overlap(column1, column2, column3) FROM {values}") == [[12, 2]]
    assert rows(TIMELINE, sql="SELECT busy(1, 2), overlap(1, 2, 0), percentile(1, 50) FROM slices WHERE id < 0") == [[0, 0, None]]
    assert rows(TIMELINE, sql="SELECT time_text(12845000), time_text(NULL), time_text(17), argument(-1, 'x'), argument(0, 'nix')") == [["12.845ms", None, "17ns", None, None]]
    dice = random.Random(11)
    for _ in range(3):
        sample, p = [dice.randrange(1000) for _ in range(dice.randrange(1, 40))], dice.randrange(101)
        place = (len(sample) - 1) * p / 100
        ordered = sorted(sample)
        low = ordered[int(place)]
        wanted = low + (place - int(place)) * (ordered[min(int(place) + 1, len(sample) - 1)] - low)
        listed = ", ".join(f"({value})" for value in sample)
        assert one(TIMELINE, sql=f"SELECT percentile(column1, {p}) FROM (VALUES {listed})") == pytest.approx(wanted)


@pytest.mark.parametrize("sql, why", [
    ("SELECT busy(1.5, 2)", "integers"), ("SELECT busy(1, -2)", "negative"), ("SELECT busy(9223372036854775807, 5)", "too far"),
    ("SELECT overlap('a', 2, 0)", "integers"), ("SELECT percentile(1, 101)", "0 to 100"), ("SELECT percentile('x', 5)", "numbers"),
    ("SELECT percentile(id, id) FROM slices", "same number"), ("SELECT time_text('x')", "nanoseconds"), ("SELECT busy(1)", "wrong number of arguments")])
def test_functions_say_what_they_want(sql, why):
    assert why in refused("--quiet", TIMELINE, sql)


# ---- what is printed --------------------------------------------------------------------------------------------------


def test_any_printer(tmp_path):
    sql = "SELECT NULL AS none, 1 AS whole, 1.5 AS decimal, 'a' AS text, x'00ff' AS bytes UNION ALL SELECT 2, 2, 2, 2, 2"
    for suffix in ("csv", "json", "md", "html", "xlsx", "txt"):
        tool.good("query", "--quiet", TIMELINE, sql, "-o", tmp_path / f"answer.{suffix}")
        assert (tmp_path / f"answer.{suffix}").stat().st_size
    assert (tmp_path / "answer.csv").read_text().splitlines()[:2] == ["none,whole,decimal,text,bytes", ",1,1.5,a,"]
    table = json.loads((tmp_path / "answer.json").read_text())
    assert table["rows"][1] == {"none": 2, "whole": 2, "decimal": 2.0, "text": "2", "bytes": "2"}
    shown = answers(TIMELINE, sql="SELECT start_ns, duration_ticks FROM slices LIMIT 1")[0]
    assert [(column["name"], column.get("unit")) for column in shown["columns"]] == [("start_ns", "ns"), ("duration_ticks", "ticks")]


def test_several_statements_and_files(tmp_path):
    file = tmp_path / "two.sql"
    file.write_text("-- two questions\nSELECT 1 AS a;\nSELECT 2 AS b -- the end\n")
    told = json.loads(tool.good("query", "--quiet", TIMELINE, "-f", file, "--json").out)
    assert [table["rows"] for table in told] == [[{"a": 1}], [{"b": 2}]]
    file.write_text("SELECT 1;\nSELECT nix FROM slices")
    assert f"{file}:2:8: no such column: nix" in refused("--quiet", TIMELINE, "-f", file)
    file.write_bytes(b"SELECT 1\0")
    assert "no text" in refused("--quiet", TIMELINE, "-f", file, code=3)


def test_standard_input_is_read_once():
    given = TIMELINE.read_bytes()
    done = tool.run("query", "--quiet", "-", "SELECT count(*) FROM slices", "--json", stdin=given)
    assert json.loads(done.out)["rows"] == [{"count(*)": 535}]
    done = tool.run("query", "--quiet", "-", "SELECT * FROM operators", stdin=given)
    assert done.code == 2 and "read once" in done.err


def test_a_prompt_goes_on_after_a_mistake():
    lines = b"SELECT 1 AS first;\n\nSELECT nix;\nSELECT count(*) AS n\nFROM slices;\n.schema\nSELECT 3 AS last"
    done = tool.run("query", "--quiet", "-i", TIMELINE, stdin=lines)
    assert done.code == 0 and "no such column: nix" in done.err
    assert all(word in done.text for word in ("first", "535", "duration_ticks", "last"))
    for words in (["-i", TIMELINE, "--json"], ["-i", "-"], ["-i", TIMELINE, "-f", "x.sql"], [], [TIMELINE]):
        refused(*words)


@pytest.mark.waits
def test_ctrl_c_stops_a_query_and_not_the_prompt():
    command = [tool.TACHO, "query", "--quiet", "-i", str(TIMELINE)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=tool.environment()) as prompt:
        prompt.stdin.write(b"SELECT 'ready';\nWITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n;\n")
        prompt.stdin.flush()
        while b"ready" not in prompt.stdout.readline():
            pass
        os.set_blocking(prompt.stderr.fileno(), False)
        said = b""

        def stopped():
            nonlocal said
            prompt.send_signal(signal.SIGINT)  # one that comes too early for the query is only a new line
            said += prompt.stderr.read(1000) or b""
            return b"stopped" in said

        waiting.until(stopped)
        out, _ = prompt.communicate(b"SELECT 'still here';\n", timeout=waiting.LIMIT)
        assert prompt.returncode == 0 and b"still here" in out


# ---- what is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sql", [
    "INSERT INTO slices VALUES (1)", "UPDATE slices SET name = 1", "DELETE FROM slices", "DROP TABLE slices", "DROP VIEW jobs", "CREATE TABLE a (b)",
    "CREATE TEMP TABLE a AS SELECT 1", "CREATE VIRTUAL TABLE a USING fts5(b)", "ALTER TABLE slices ADD a", "REINDEX", "ANALYZE", "VACUUM",
    "VACUUM INTO 'made.db'", "ATTACH 'made.db' AS a", "ATTACH ':memory:' AS a", "DETACH main", "BEGIN", "SAVEPOINT a", "PRAGMA journal_mode = WAL",
    "PRAGMA temp_store_directory = '.'", "SELECT load_extension('made.so')", "SELECT * FROM pragma_database_list", "CREATE TRIGGER a AFTER INSERT ON b BEGIN SELECT 1; END",
    "SELECT writefile('made.db', 'a')", "SELECT readfile('/etc/passwd')", "SELECT fts3_tokenizer('a', 'b')", "SELECT 1; DELETE FROM slices"])
def test_a_query_reads_and_does_nothing_else(sql, tmp_path):
    done = tool.run("query", "--quiet", TIMELINE, sql, cwd=tmp_path)
    assert done.code == 2 and not done.out and len(done.err.splitlines()) == 1, done.err
    assert not list(tmp_path.iterdir())


COUNTING = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"


@pytest.mark.parametrize("sql, why", [
    (f"{COUNTING} SELECT max(i) FROM n", "after 1 s"), ("SELECT count(*) FROM slices a, slices b, slices c, slices d", "after 1 s"),
    (f"{COUNTING} SELECT i, zeroblob(500000) FROM n ORDER BY 2, 1 DESC", "MB"), (f"{COUNTING} SELECT i FROM n", "more than 1 MB"),
    (f"{COUNTING} SELECT percentile(i, 50) FROM n", "MB"), (f"{COUNTING} SELECT busy(i * 3, 1) FROM n", "memory"), ("SELECT zeroblob(1000000000)", "too big"),
    ("SELECT 'a' LIKE printf('%.*c', 5000, '%')", "too complex"), (f"SELECT {'(' * 2000}1{')' * 2000}", "SQL")])
def test_what_would_not_end_is_stopped(sql, why):
    limit = "1" if "after 1 s" in why else str(waiting.LIMIT)  # of one of the two only: which is reached first says how fast the machine is
    assert why in refused("--quiet", "--timeout", limit, "--memory", "1", TIMELINE, sql)


@pytest.mark.parametrize("sql, why", [
    ("", "no statement"), (" -- nothing", "no statement"), (";;", "no statement"), ("SELEC 1", "SQL:1:1: near"), ("SELECT nix FROM slices", "SQL:1:8: no such column: nix"),
    ("SELECT *\nFROM slices\nWHERE nix", "SQL:3:7"), ("SELECT * FROM slice", "did you mean slices?"), ("SELECT * FROM cores", "no such table: cores; of these inputs there are slices"),
    ("SELECT nix(1)", "no such function"), ("SELECT 'open", "unrecognized token")])
def test_sql_that_is_none_is_told_where(sql, why):
    assert why in refused("--quiet", TIMELINE, sql)


def test_limits_without_end():
    assert one("--timeout", 2**63 - 1, "--memory", 2**63 - 1, TIMELINE, sql="SELECT count(*) FROM slices ORDER BY 1") == 535


def test_inputs_that_cannot_be_read(tmp_path):
    assert "is a file, and the last word" in refused(TIMELINE, RUNTIME)
    assert "No such file" in refused(tmp_path / "nix.csv", "SELECT 1", code=3)
    damaged = tmp_path / "damaged.csv"
    damaged.write_text(TIMELINE.read_text().splitlines()[0] + "\nnot,a,row\n")
    assert str(damaged) in refused(damaged, "SELECT * FROM slices", code=3)
    done = tool.run("query", TIMELINE, "SELECT 1", "-o", TIMELINE)
    assert done.code == 2 and "is an input" in done.err
    assert "nix" in refused(TIMELINE, "SELECT * FROM runs", "--runs", "nix", code=3)
