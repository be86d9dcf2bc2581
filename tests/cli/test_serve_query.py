"""POST /api/query: SQL about what is served, as `tacho query` answers it."""
import json
import urllib.parse

import pytest

import tool
from serving import Server

TIMELINE, RUNTIME = tool.MOBILENET / "timeline.csv", tool.MOBILENET / "runtime.csv"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("served")
    for path in (TIMELINE, RUNTIME):
        (folder / path.name).write_bytes(path.read_bytes())
    with Server(folder) as made:
        yield made


def ask(server, *names, sql, **more):
    cards = server.cards()
    pairs = [("profile", cards[name]["id"] if name in cards else name) for name in names] + [("sql", sql)] * (sql is not None) + list(more.items())
    return server.get("/api/query?" + urllib.parse.urlencode(pairs, quote_via=urllib.parse.quote), method="POST")


STATEMENTS = ["SELECT count(*) AS n, overlap(start_ticks, duration_ticks, engine_group = 'compute') AS o FROM slices WHERE engine_group <> 'x'",
              "SELECT * FROM metrics", "SELECT 1 AS a; SELECT NULL AS b, 'x' AS c", "SELECT rows, reason FROM losses", "SELECT * FROM advice"]


@pytest.mark.parametrize("sql", STATEMENTS)
def test_the_answer_is_that_of_the_command(server, sql):
    got = ask(server, "timeline.csv", sql=sql)
    assert got.status == 200, got.text
    assert got.json() == json.loads(tool.good("query", "--quiet", TIMELINE, sql, "--json").out)


def test_two_profiles(server):
    got = ask(server, "timeline.csv", "runtime.csv", sql="SELECT input, count(*) AS n FROM slices GROUP BY input")
    assert [(row["input"], row["n"]) for row in got.json()["rows"]] == [("01 timeline.csv", 535), ("02 runtime.csv", 1366)]


def test_the_token_is_wanted(server):
    ident = server.cards()["timeline.csv"]["id"]
    path = f"/api/query?profile={ident}&sql=SELECT%201"
    assert server.get(path, method="POST").status == 200
    assert server.get(path, method="POST", token=False).status == 401
    assert server.get(f"{path}&token={'0' * 32}", method="POST", token=False).status == 401
    assert server.get(path).status == 405


@pytest.mark.parametrize("sql, why", [
    ("CREATE TABLE a (b)", "does nothing else"), ("ATTACH 'x.db' AS x", "ATTACH"), ("SELECT nix", "no such column"), ("", "no statement"),
    ("SELECT * FROM nix", "no such table"), ("SELECT load_extension('x')", "load_extension"), ("SELECT zeroblob(2000000000)", "too big"),
    ("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, zeroblob(900000) FROM n ORDER BY 2, 1 DESC", "MB")])
def test_refusals(server, sql, why):
    got = ask(server, "timeline.csv", sql=sql)
    assert got.status == 400 and why in got.json()["error"], got.text


def test_what_is_asked_must_be_whole(server):
    assert ask(server, "timeline.csv", sql=None).status == 400
    assert ask(server, sql="SELECT 1").status == 400
    assert ask(server, "timeline.csv", "runtime.csv", "timeline.csv", sql="SELECT 1").status == 400
    assert ask(server, "timeline.csv", sql="SELECT 1", other="x").status == 400
    assert ask(server, "nix", sql="SELECT 1").status == 404
