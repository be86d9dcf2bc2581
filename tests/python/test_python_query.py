"""SQL from Python: what `tacho query` prints as JSON, as tables; what is refused, and Ctrl-C."""
import json
import signal
import subprocess
import sys
import threading

import pytest

import package
import tool
import waiting

import tacho

TIMELINE, RUNTIME = tool.MOBILENET / "timeline.csv", tool.MOBILENET / "runtime.csv"
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"


@pytest.mark.parametrize("sql", ["SELECT name, count(*) AS n, busy(start_ticks, duration_ticks) AS busy FROM slices GROUP BY name",
                                 "SELECT * FROM runs", "SELECT NULL AS a, 1.5 AS b, 'ü' AS c", "SELECT * FROM metrics", "SELECT * FROM slices WHERE id < 0"])
def test_the_table_is_that_of_the_command(sql):
    printed = json.loads(tool.good("query", "--quiet", TIMELINE, sql, "--json").text)
    with tacho.open(TIMELINE) as profile:
        table = profile.query(sql)
    assert table.name == "query" and list(table) == printed["rows"]
    assert [table[name].unit for name in table.columns] == [column["unit"] for column in printed["columns"]]


def test_inputs_are_read_once_and_kept():
    profile = tacho.open(TIMELINE, RUNTIME, warmup="none")
    counts = {row["input"]: row["n"] for row in profile.query("SELECT input, count(*) AS n FROM slices GROUP BY input")}
    assert counts == {"01 timeline.csv": 535, "02 runtime.csv": 1366}
    assert profile.query("SELECT sum(counted) AS n FROM runs")[0]["n"] == 11
    profile.close()
    with pytest.raises(ValueError, match="closed"):
        profile.query("SELECT 1")
    with tacho.Query(TIMELINE, timeout=waiting.LIMIT, memory=64) as query:
        assert query.ask("SELECT 7 AS seven")["seven"][0] == 7
        assert {"slices", "operators", "advice"} <= set(query.schema()["table"])
    with pytest.raises(ValueError, match="closed"):
        query.ask("SELECT 1")


@pytest.mark.parametrize("sql, why", [("DROP TABLE slices", "reads and does nothing else"), ("SELECT nix", "no such column"), ("SELECT 1; SELECT 2", "one statement"),
                                      ("", "no statement"), ("SELECT * FROM slice", "did you mean slices")])
def test_what_is_refused(sql, why):
    with tacho.Query(TIMELINE) as query, pytest.raises(tacho.UsageError, match=why):
        query.ask(sql)


def test_limits_and_wrong_types():
    with tacho.Query(TIMELINE, timeout=1) as query, pytest.raises(tacho.UsageError, match="after 1 s"):
        query.ask(ENDLESS)
    with pytest.raises(TypeError):
        tacho.Query(TIMELINE).ask(7)
    with pytest.raises(tacho.InputError):
        tacho.Query("nix.csv")
    with pytest.raises(tacho.UsageError):
        tacho.Query(TIMELINE, nix=1)


def test_threads_take_turns():
    query, found = tacho.Query(TIMELINE), []
    threads = [threading.Thread(target=lambda: found.append(query.ask("SELECT count(*) AS n FROM slices")[0]["n"])) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [535] * 4


@pytest.mark.waits
def test_ctrl_c_stops_a_statement():
    program = f"import tacho\nquery = tacho.Query({str(TIMELINE)!r})\ntry:\n    print('ready', flush=True)\n    query.ask({ENDLESS!r})\n" \
              "except KeyboardInterrupt:\n    print('stopped', query.ask('SELECT 5 AS five')[0])\n"
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, env=package.environment()) as run:
        assert run.stdout.readline() == "ready\n"
        run.send_signal(signal.SIGINT)
        out, _ = run.communicate(timeout=waiting.LIMIT)
        assert run.returncode == 0 and out == "stopped {'five': 5}\n"
