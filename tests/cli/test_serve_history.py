"""tacho serve --history: what a history answers over HTTP is what `tacho history` prints; the server writes nowhere near it, and sees what is added meanwhile."""
import json
import os
import random
import re
import shutil
import signal
import sqlite3
import time
import urllib.parse

import pytest

import builds
import serving
import tool
from serving import Server


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("history")
    return folder, builds.fill(folder)


@pytest.fixture(scope="module")
def server(made):
    with Server("--history", made[1]) as running:
        yield running


def ask(server, question, **words):
    pairs = [(name, one) for name, value in words.items() for one in (value if isinstance(value, list) else [value])]
    return server.get(f"/api/history/{question}?" + urllib.parse.urlencode(pairs, quote_via=urllib.parse.quote))


def refusal(answer, status, text):
    assert answer.status == status and text in answer.json()["error"], (answer.status, answer.text)


@pytest.mark.parametrize("question, words, command", [
    ("builds", {}, ["list"]),
    ("builds", {"model": "net", "device": "board"}, ["list", "net", "--device", "board"]),
    ("build", {"build": "b3", "model": "net"}, ["show", "b3", "--model", "net"]),
    ("trend", {"model": "net", "device": "board"}, ["trend", "net", "--device", "board"]),
    ("trend", {"model": "net", "device": "board", "operator": "conv", "metric": "", "label": "mode=fast"}, ["trend", "net", "--device", "board", "--operator", "conv", "--label", "mode=fast"]),
    ("trend", {"model": "net", "device": "board", "metric": "operators"}, ["trend", "net", "--device", "board", "--metric", "operators"]),
    ("trend", {"model": builds.MARKUP, "label": f"note={builds.MARKUP}"}, ["trend", builds.MARKUP, "--label", f"note={builds.MARKUP}"]),
    ("compare", {"model": "net", "device": "board", "from": "b8", "to": "b9"}, ["compare", "b8", "b9", "--model", "net", "--device", "board"]),
])
def test_the_answer_is_that_of_the_command(made, server, question, words, command):
    got = ask(server, question, **words)
    assert got.status == 200, got.text
    said = tool.run("history", *command, "--store", made[1], "--json", variables=builds.NO_BUILD)
    assert said.code == 0 and got.json() == json.loads(said.text)


def test_a_trend_has_its_builds_and_the_levels_that_they_lie_on(server):
    changes, trend = ask(server, "trend", model="net", device="board").json()
    assert [row["build"] for row in changes["rows"]] == ["b9", "b17"]
    rows = trend["rows"]
    assert [row["build"] for row in rows] == [f"b{number}" for number in range(24)] and rows[3]["commit"] == "c0ffeeb3"
    for row in rows:
        assert row["low"] <= row["median"] <= row["high"] and row["launches"] == 5
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", row["added"])
    first, second = changes["rows"]
    assert {row["level"] for row in rows[:9]} == {first["before"]}
    assert {row["level"] for row in rows[9:17]} == {first["after"]} == {second["before"]}
    assert {row["level"] for row in rows[17:]} == {second["after"]}
    assert "2 changes over 24 builds" in trend["notes"][0]


def test_a_trend_without_a_change_has_one_level(server):
    changes, trend = ask(server, "trend", model="net", device="lab board").json()
    medians = [row["median"] for row in trend["rows"]]
    [level] = {row["level"] for row in trend["rows"]}
    assert changes["rows"] == [] and min(medians) <= level <= max(medians)
    _, counted = ask(server, "trend", model="net", device="lab board", metric="operators").json()
    assert {(row["median"], row["low"], row["high"], row["level"]) for row in counted["rows"]} == {(5, 5, 5, 5)}


def test_labels_are_listed_and_chosen(server):
    _, labels = ask(server, "builds", model="net").json()
    assert {row["label"]: row["profiles"] for row in labels["rows"]} == {"mode=fast": 124, "mode=slow": 4}
    _, trend = ask(server, "trend", model="net", device="lab board", label=["mode=slow"]).json()
    assert [row["build"] for row in trend["rows"]] == ["b1", "b3"]
    refusal(ask(server, "trend", model="net", device="lab board", label=["mode=slow", "mode=fast"]), 400, "given twice")


def test_what_cannot_be_asked(server):
    refusal(ask(server, "trend"), 400, "trend wants model=")
    refusal(ask(server, "trend", model=""), 400, "trend wants model=")
    refusal(ask(server, "compare", model="net", **{"from": "b1"}), 400, "compare wants to=")
    refusal(ask(server, "compare", **{"from": "b1", "to": "b2"}), 400, "--model")
    refusal(ask(server, "trend", model="net"), 400, "2 devices")
    refusal(ask(server, "trend", model=["net", "net"], device="board"), 400, "twice")
    refusal(ask(server, "trend", model="net", store="/etc/passwd"), 400, '"store"')
    refusal(ask(server, "builds", junit="x"), 400, '"junit"')
    refusal(ask(server, "trend", model="net", device="board", label="none"), 400, "KEY=VALUE")
    refusal(ask(server, "trend", model="none"), 422, "no build of")
    refusal(ask(server, "trend", model="net", device="board", metric="nonsense"), 422, "nonsense")
    refusal(ask(server, "compare", model="net", device="board", **{"from": "b1", "to": "b99"}), 422, "b99")
    refusal(ask(server, "build", build="'; DROP TABLE profile; --"), 422, "DROP TABLE")
    for question in ("add", "prune", "export", "gate", "list", "..%2f", ""):
        assert server.get(f"/api/history/{question}").status in (400, 404), question


def test_the_guards_are_those_of_all_addresses(server):
    for path in ("/history", "/api/history/builds"):
        assert server.get(path, token=False).status == 401
        assert server.get(path, headers={"Host": "evil.example"}).status == 421
        assert server.get(path, headers={"Origin": "http://evil.example"}).status == 403
        assert server.get(path, method="POST").status == 405
    assert server.good("/history").headers["Content-Security-Policy"].startswith("default-src 'none'")


def test_without_a_history_there_is_none(made, server):
    assert server.list()["history"] == "store.sqlite" and server.list()["profiles"] == []
    assert any(line.startswith("history: http://") for line in server.said)
    # The variable of `tacho history` is not taken by itself.
    with Server(tool.MOBILENET / "timeline.csv", variables={"TACHO_HISTORY": str(made[1])}) as without:
        assert without.list()["history"] is None and not any("history" in line for line in without.said)
        refusal(ask(without, "builds"), 404, "--history")


def test_profiles_and_a_history(made):
    with Server(tool.MOBILENET / "timeline.csv", "--history", made[1]) as both:
        assert list(both.cards()) == ["timeline.csv"] and ask(both, "builds").status == 200


def test_what_is_added_meanwhile_is_seen(tmp_path):
    store, chance = tmp_path / "store.sqlite", random.Random(4)
    (tmp_path / "link").symlink_to(store)
    for number in range(2):
        builds.add(store, tmp_path, "net", f"{number}", "board", launches=1, chance=chance)
    with Server("--history", tmp_path / "link") as running:
        rows = lambda: [row["build"] for row in ask(running, "builds").json()[0]["rows"]]  # noqa: E731
        assert rows() == ["0", "1"]
        builds.add(store, tmp_path, "net", "2", "board", launches=1, chance=chance)
        assert rows() == ["0", "1", "2"]
        writer = sqlite3.connect(store, isolation_level=None)
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("DELETE FROM profile")
        try:
            assert rows() == ["0", "1", "2"], "what is not committed is not there, and whoever reads does not wait"
        finally:
            writer.execute("ROLLBACK")
            writer.close()
        for number in range(3, 8):
            builds.add(store, tmp_path, "net", f"{number}", "board", launches=1, chance=chance)
            assert rows()[-1] == f"{number}"


def files_beside(store):
    return sorted(path.name for path in store.parent.iterdir() if path.name.startswith(store.name))


def test_nothing_is_written_and_nothing_is_left(made, tmp_path):
    store = tmp_path / "store.sqlite"
    shutil.copy(made[1], store)
    before = store.read_bytes()
    with Server("--history", store) as running:
        assert ask(running, "trend", model="net", device="board").status == 200
        # The server itself has none of it open, and nothing of it for writing while it reads.
        held = [os.readlink(path) for path in (serving.pathlib.Path("/proc") / str(running.process.pid) / "fd").iterdir()]
        assert not [path for path in held if path.startswith(str(tmp_path))]
        assert len(files_beside(store)) == 3
    assert files_beside(store) == ["store.sqlite"] and store.read_bytes() == before


def test_a_killed_server_lets_the_history_go(made, tmp_path):
    store = tmp_path / "store.sqlite"
    shutil.copy(made[1], store)
    running = Server("--history", store).__enter__()
    running.process.send_signal(signal.SIGKILL)
    running.process.communicate()
    end = time.monotonic() + serving.SECONDS
    while files_beside(store) != ["store.sqlite"]:
        assert time.monotonic() < end, files_beside(store)
        time.sleep(0.02)


def test_what_is_no_history_is_told_at_the_start(made, tmp_path):
    text, newer = tmp_path / "text", tmp_path / "newer"
    text.write_text("no database " * 100)
    shutil.copy(made[1], newer)
    connection = sqlite3.connect(newer)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    for given, code, says in ((tmp_path / "nothing", 3, "there is no history"), (text, 3, "not a database"), (newer, 3, "version 99"), (tmp_path, 3, "there is no history"),
                              ("clickhouse://somewhere:8123/db", 2, "wants a file")):
        result = tool.run("serve", "--history", given)
        assert result.code == code and says in result.err, (given, result.code, result.err)


def test_a_history_that_somebody_changes_breaks_nothing(made, tmp_path):
    store = tmp_path / "store.sqlite"
    shutil.copy(made[1], store)
    with Server("--history", store) as running:
        for change in ("UPDATE launch SET median = 1e300", "UPDATE profile SET added = 'x', build = x'00ff'", "DROP TABLE launch", "PRAGMA user_version = 99"):
            connection = sqlite3.connect(store)
            connection.execute(change)
            connection.commit()
            connection.close()
            for question, words in (("builds", {}), ("trend", {"model": "net", "device": "board"}), ("compare", {"model": "net", "from": "b1", "to": "b2"})):
                got = ask(running, question, **words)
                assert got.status in (200, 422), (change, question, got.text)
                got.json()
        refusal(ask(running, "builds"), 422, "version 99")
