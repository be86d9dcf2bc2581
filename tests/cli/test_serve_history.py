"""tacho serve --history: what a history answers over HTTP is what `tacho history` prints, be it a file or on servers; the server writes nowhere near a file, and sees
what is added meanwhile; servers that are not there are told, and hinder nothing else."""
import json
import os
import pathlib
import random
import re
import shutil
import signal
import sqlite3
import threading
import urllib.parse

import pytest

import builds
import clickhouse
import history_files
import serving
import tool
import waiting
from serving import Server


SECRET = "se'cr:et@1"
QUOTED = urllib.parse.quote(SECRET, safe="'")


def with_password(url, password=QUOTED):
    """A user of the tests' servers; the first of these by its name, which somebody has to look up."""
    return url.replace("clickhouse://127.0.0.1", f"clickhouse://keeper{':' if password else ''}{password}@localhost", 1)


@pytest.fixture(scope="module", params=["sqlite", pytest.param("clickhouse", marks=pytest.mark.slow)])
def made(request, tmp_path_factory):
    """What is asked and answered is the same for both."""
    folder = tmp_path_factory.mktemp("history")
    return folder, builds.fill(folder, with_password(request.getfixturevalue("clickhouses").both()) if request.param == "clickhouse" else None)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    folder = tmp_path_factory.mktemp("file")
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
    ("builds", {"columns": "build,median,least", "sort": "-median", "limit": "3", "filter": ["model=net", "device=board"]},
     ["list", "--columns", "build,median,least", "--sort", "-median", "--limit", "3", "--filter", "model=net", "--filter", "device=board"]),
    ("build", {"build": "b3", "model": "net"}, ["show", "b3", "--model", "net"]),
    ("build", {"build": "b3", "table": "profiles", "sort": "profile"}, ["show", "b3", "--table", "profiles", "--sort", "profile"]),
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
    refusal(ask(server, "builds", columns="modle"), 400, 'did you mean "model"?')
    refusal(ask(server, "trend", model="net", device="board", columns="build"), 400, '"columns"')
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
    shown = "store.sqlite" if isinstance(made[1], pathlib.Path) else "clickhouse://" + made[1].split("@")[-1].split(",")[0] + ",.../" + made[1].split("/")[-1].split("?")[0]
    assert server.list()["history"] == shown and server.list()["profiles"] == []
    assert any(line.startswith("history: http://") for line in server.said)
    # The variable of `tacho history` is not taken by itself.
    with Server(tool.MOBILENET / "timeline.csv", variables={"TACHO_HISTORY": str(made[1])}) as without:
        assert without.list()["history"] is None and not any("history" in line for line in without.said)
        refusal(ask(without, "builds"), 404, "--history")


def test_profiles_and_a_history(made):
    with Server(tool.MOBILENET / "timeline.csv", "--history", made[1]) as both:
        assert list(both.cards()) == ["timeline.csv"] and ask(both, "builds").status == 200


def test_who_has_the_answer_is_told_so_in_no_bytes(made, server):
    first = ask(server, "builds")
    tag = first.headers["ETag"]
    assert re.fullmatch(r'"[0-9a-f]{16}"', tag) and ask(server, "builds").headers["ETag"] == tag
    for _ in range(2):
        same = server.get("/api/history/builds", headers={"If-None-Match": tag})
        assert (same.status, same.body, same.headers["ETag"], same.headers["Cache-Control"]) == (304, b"", tag, "no-store")
    for other in ('"0000000000000000"', "", tag[1:-1]):
        assert server.get("/api/history/builds", headers={"If-None-Match": other}).body == first.body
    assert ask(server, "trend", model="net", device="board").headers["ETag"] != tag
    refused = server.get("/api/history/trend", headers={"If-None-Match": tag})
    assert refused.status == 400 and refused.headers["ETag"] is None


def test_what_is_added_is_another_answer(tmp_path):
    store, chance = tmp_path / "store.sqlite", random.Random(4)
    builds.add(store, tmp_path, "net", "0", "board", launches=1, chance=chance)
    with Server("--history", store) as running:
        tag = ask(running, "builds").headers["ETag"]
        assert running.get("/api/history/builds", headers={"If-None-Match": tag}).status == 304
        builds.add(store, tmp_path, "net", "1", "board", launches=1, chance=chance)
        new = running.get("/api/history/builds", headers={"If-None-Match": tag})
        assert new.status == 200 and new.headers["ETag"] != tag and len(new.json()[0]["rows"]) == 2


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


def test_nothing_is_written_and_nothing_is_left(file, tmp_path):
    store = tmp_path / "store.sqlite"
    shutil.copy(file[1], store)
    before = store.read_bytes()
    with Server("--history", store) as running:
        assert ask(running, "trend", model="net", device="board").status == 200
        # The server itself has none of it open, and nothing of it for writing while it reads.
        held = [os.readlink(path) for path in (pathlib.Path("/proc") / str(running.process.pid) / "fd").iterdir()]
        assert not [path for path in held if path.startswith(str(tmp_path))]
        assert len(files_beside(store)) == 3
    assert files_beside(store) == ["store.sqlite"] and store.read_bytes() == before


@pytest.mark.waits
def test_a_killed_server_lets_the_history_go(file, tmp_path):
    store = tmp_path / "store.sqlite"
    shutil.copy(file[1], store)
    running = Server("--history", store).__enter__()
    running.process.send_signal(signal.SIGKILL)
    running.process.communicate()
    waiting.until(lambda: files_beside(store) == ["store.sqlite"])


def test_what_is_no_history_is_told_at_the_start(file, tmp_path):
    text, newer = tmp_path / "text", tmp_path / "newer"
    text.write_text("no database " * 100)
    shutil.copy(file[1], newer)
    connection = sqlite3.connect(newer)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    for given, code, says in ((tmp_path / "nothing", 3, "there is no history"), (text, 3, "not a database"), (newer, 3, "version 99"), (tmp_path, 3, "there is no history"),
                              ("clickhouse://somewhere:8123/", 2, "wants a database"), ("clickhouse://a,b/db", 2, "give ?cluster=NAME"), ("clickhouse://a:b:c/db", 2, "no host"),
                              (f"clickhouse://me:{QUOTED}@somewhere/db?password={QUOTED}", 2, '"password"'), (f"https://me:{QUOTED}@somewhere/db", 2, "wants a file or clickhouse://")):
        result = tool.run("serve", "--history", given)
        assert result.code == code and says in result.err and "cr" + "%3A" not in result.err, (given, result.code, result.err)


def test_a_history_that_somebody_changes_breaks_nothing(file, tmp_path):
    store = tmp_path / "store.sqlite"
    shutil.copy(file[1], store)
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


# ---- servers ----


@pytest.fixture
def alone(tmp_path):
    """A ClickHouse of its own, which a test may stop, with two builds in it."""
    servers = clickhouse.Servers(tmp_path / "servers", count=1)
    store = servers.one()
    for number in range(2):
        builds.add(store, tmp_path, "net", f"{number}", "board", launches=1, chance=random.Random(number))
    yield servers[0], store
    servers.stop()


def rows(server):
    got = ask(server, "builds")
    assert got.status == 200, got.text
    return [row["build"] for row in got.json()[0]["rows"]]


@pytest.mark.waits
@pytest.mark.slow
def test_what_is_added_to_servers_meanwhile_is_seen(alone, tmp_path):
    with Server("--history", alone[1]) as running:
        assert rows(running) == ["0", "1"]
        builds.add(alone[1], tmp_path, "net", "2", "board", launches=1, chance=random.Random(2))
        assert rows(running) == ["0", "1", "2"]


@pytest.mark.waits
@pytest.mark.slow
def test_servers_that_go_and_come(alone):
    """The page says so, the rest goes on, and it answers again once they are there."""
    with Server("--history", alone[1], tool.MOBILENET / "timeline.csv") as running:
        (card,) = running.list()["profiles"]
        for _ in range(2):
            assert rows(running) == ["0", "1"]
            alone[0].kill()
            for question, words in (("builds", {}), ("trend", {"model": "net"})):
                refusal(ask(running, question, **words), 422, "cannot be asked: Connection refused")
            assert running.good("/history") and running.good(f"/api/profiles/{card['id']}/tables/operators?limit=1").json()["rows"]
            alone[0].start()
        assert rows(running) == ["0", "1"]


@pytest.mark.waits
@pytest.mark.slow
def test_servers_that_are_not_there_at_the_start(alone):
    alone[0].kill()
    with Server("--history", alone[1]) as running:
        assert any(line.startswith("tacho: warning: clickhouse://127.0.0.1:") and line.endswith("Connection refused") for line in running.said), running.said
        refusal(ask(running, "builds"), 422, "Connection refused")
        alone[0].start()
        assert rows(running) == ["0", "1"]
    alone[0].process.send_signal(signal.SIGSTOP)
    with Server("--history", alone[1]) as running:
        assert any("does not answer within 3 s" in line for line in running.said), running.said
        alone[0].process.send_signal(signal.SIGCONT)
        assert rows(running) == ["0", "1"]
    with Server("--history", alone[1].rsplit("/", 1)[0] + "/nothing_yet") as running:
        assert any("there is no history" in line for line in running.said), running.said
        refusal(ask(running, "builds"), 422, "there is no history")


def connections_to(port):
    """How many on this machine are open to that port."""
    lines = [line.split() for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(line[2].endswith(f":{port:04X}") and line[3] == "01" for line in lines)


@pytest.mark.waits
@pytest.mark.slow
def test_servers_that_hang_hold_up_nobody_else(alone):
    with Server("--history", alone[1], tool.MOBILENET / "timeline.csv") as running:
        (card,) = running.list()["profiles"]
        alone[0].process.send_signal(signal.SIGSTOP)
        found = []
        asked = [threading.Thread(target=lambda: found.append(rows(running)), daemon=True) for _ in range(12)]
        for one in asked:
            one.start()
        waiting.until(lambda: connections_to(running.port) >= 12 and connections_to(alone[0].http))
        assert running.good(f"/api/profiles/{card['id']}/tables/operators?limit=1").json()["rows"]
        assert not found, "it was answered while they waited"
        alone[0].process.send_signal(signal.SIGCONT)
        for one in asked:
            one.join(waiting.LIMIT)
        assert found == [["0", "1"]] * 12
        waiting.until(lambda: not connections_to(alone[0].http))
        alone[0].process.send_signal(signal.SIGSTOP)
        threading.Thread(target=running.raw, args=(f"GET /api/history/builds?token={running.token} HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n".encode(),), daemon=True).start()
        waiting.until(lambda: connections_to(alone[0].http))
    # It has ended in the middle of a question.
    alone[0].process.send_signal(signal.SIGCONT)


@pytest.mark.slow
def test_a_password_is_shown_to_nobody(alone):
    wrong = "wro%3Ang"
    for store, variables, status in ((with_password(alone[1]), {}, 200), (with_password(alone[1], ""), {"TACHO_CLICKHOUSE_PASSWORD": SECRET}, 200), (with_password(alone[1], wrong), {}, 422)):
        with Server("--history", store, variables=variables) as running:
            texts = [*running.said, running.good("/api/profiles").text, running.good("/history").text, running.good("/").text]
            texts += [got.text for got in (ask(running, "builds"), ask(running, "trend", model="net"), ask(running, "compare", model="net", **{"from": "0", "to": "1"}))]
            assert ask(running, "builds").status == status
            alone[0].kill()
            refused = ask(running, "builds")
            assert refused.status == 422
            texts.append(refused.text)
            alone[0].start()
        for text in texts:
            assert not any(word in text for word in (SECRET, QUOTED, wrong, "wro:ng")), text


@pytest.mark.slow
def test_the_server_itself_has_no_way_out(alone):
    """No connection of its own, and none left over: another process connects, to these servers alone (tests/unit/test_live.c)."""
    with Server("--history", alone[1]) as running:
        assert rows(running) == ["0", "1"]
        status = pathlib.Path(f"/proc/{running.process.pid}/status").read_text()
        assert re.search(r"^Seccomp:\t2$", status, re.MULTILINE)
        connections = pathlib.Path(f"/proc/{running.process.pid}/net/tcp").read_text().splitlines()[1:]
        inodes = {line.split()[9] for line in connections if int(line.split()[2].split(":")[1], 16) == alone[0].http and line.split()[3] == "01"}
        held = {os.readlink(path) for path in pathlib.Path(f"/proc/{running.process.pid}/fd").iterdir()}
        assert not {f"socket:[{inode}]" for inode in inodes} & held


# ---- profiles that were kept ----


@pytest.mark.slow
def test_what_was_kept_is_handed_out(clickhouses, tmp_path):
    path = history_files.write_build(tmp_path / "kept", random.Random(31), 1) / "net_l0.json"
    other = history_files.write_build(tmp_path / "other", random.Random(32), 1) / "net_l0.json"
    for store in (tmp_path / "store.sqlite", clickhouses.one()):
        for build, words in (("1", ["--keep", path]), ("2", [other])):
            assert tool.run("history", "add", "--store", store, "--model", "net", "--build", build, *words, variables=history_files.NO_BUILD).code == 0
        with serving.Server("--history", store) as server:
            kept, lost = (next(table for table in server.get(f"/api/history/build?build={build}").json() if table["name"] == "profiles")["rows"][0]["hash"] for build in ("1", "2"))
            answer = server.get(f"/kept/bytes?profile={kept}")
            assert answer.status == 200 and answer.body == path.read_bytes() and kept in answer.headers["Content-Disposition"]
            trace = server.get(f"/kept/chrome?profile={kept}")
            assert trace.status == 200 and "traceEvents" in trace.json()
            for address, status, says in ((f"/kept/bytes?profile={lost}", 422, "no bytes of this profile were kept"), ("/kept/bytes?profile=0123456789abcdef", 422, "no bytes"),
                                          ("/kept/bytes?profile=../../etc/passwd", 400, "no hash"), ("/kept/bytes", 400, "profile=HASH"), (f"/kept/none?profile={kept}", 404, "no format")):
                answer = server.get(address)
                assert answer.status == status and says in answer.text, (address, answer.status, answer.body)
            assert server.get(f"/kept/bytes?profile={kept}", token=False).status == 401
