"""Stores of tacho history: SQLite and ClickHouse give the same answers, and neither loses anything in hard times or believes whatever it is told."""
import http.server
import json
import random
import re
import socket
import subprocess
import threading
import urllib.parse

import pytest

import clickhouse
import tool
import waiting
from history_files import NO_BUILD, write_build
from history_torture import DISK, Proxy, Torture, contents

SERVERS = pytest.param("clickhouse", marks=pytest.mark.slow)  # they take several times what is theirs to answer


def history(action, *words, **options):
    return tool.run("history", action, *words, variables=NO_BUILD | options.pop("variables", {}), **options)


def add(store, path, build="1", *words, **options):
    result = history("add", "--store", store, "--model", "net", "--build", build, "--runs", "inference", *words, path, **options)
    assert result.code == 0, result.err
    return result


def builds(store):
    result = history("list", "--store", store, "--json")
    assert result.code == 0, result.err
    return [row["build"] for row in json.loads(result.text)[0]["rows"]]


def name_of(store):
    return store.split("/")[-1].split("?")[0]


# ---- the same answers ----


def undated(printed):
    """Without the times of adding, which are of each store."""
    return re.sub(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", b"", printed)


@pytest.mark.slow
def test_answers_are_the_same_byte_by_byte(clickhouses, tmp_path):
    chance, folders = random.Random(4), []
    for number in range(9):
        folders.append(write_build(tmp_path / f"b{number}", chance, 4, **({"pool": 1.2} if number >= 5 else {})))
    stores = [tmp_path / "store.sqlite", clickhouses.one(), clickhouses.both()]
    for store in stores:
        for number, folder in enumerate(folders):
            add(store, folder, f"b{number}", "--device", f"d{number % 2}", "--label", "a=b", "--label", f"n={number}")
    questions = [["list"], ["list", "--json"], ["list", "net", "--device", "d1"], ["show", "b3"], ["show", "b5", "--json"], ["trend", "net", "--device", "d0"], ["trend", "net", "--label", "a=b", "--label", "n=3"],
                 ["trend", "net", "--device", "d0", "--operator", "pool"], ["trend", "net", "--device", "d1", "--metric", "operators"], ["trend", "net", "--metric", "compute_only", "--device", "d0", "--json"],
                 ["compare", "b4", "b6", "--model", "net"], ["gate", "--model", "net", "--device", "d0", "--calibrate"], ["gate", "--model", "net", "--device", "d0", "--build", "x", "--runs", "inference", folders[5] / "net_l0.json"]]
    for question in questions:
        first, *others = [history(*question, "--store", store) for store in stores]
        assert first.code in (0, 1) and first.text or "2 devices" in first.err
        for other in others:
            assert (other.code, undated(other.out), other.err) == (first.code, undated(first.out), first.err), question
    first, *others = [contents(store, tmp_path) for store in stores]
    assert len(first) == 36 and all(other == first for other in others)


TEXTS = {"quotes": "a'b\"c`d", "back": "\\ \\n \\N \\' %s", "lines": "one\ntwo\r\n\tthree\b\f", "markup": "</script><b>&amp;", "other": "naïve 日本 🙂", "null": "\\N", "long": "x" * 100_000, "empty": ""}


@pytest.mark.parametrize("kind", ["sqlite", SERVERS])
def test_hostile_texts_come_back_as_they_were(clickhouses, tmp_path, kind):
    """In labels, and in names of operators, one of them a megabyte long."""
    store = clickhouses.both() if kind == "clickhouse" else tmp_path / "store.sqlite"
    names = [*TEXTS.values(), "y'\\\t\n" * 200_000]
    path = tmp_path / "net.json"
    path.write_text(json.dumps({"traceEvents": [{"ph": "X", "pid": 1, "tid": 1, "name": name or "-", "ts": 10 * at, "dur": 5} for at, name in enumerate(names)]}))
    labels = [word for name, text in TEXTS.items() for word in ("--label", f"{name}={text}")]
    build = "b'1\\\n\t\"<b>"
    assert history("add", "--store", store, "--model", "m'\\n", "--build", build, "--device", "d;--", *labels, path).code == 0
    assert history("export", tmp_path / "all.json", "--store", store).code == 0
    tables = json.loads((tmp_path / "all.json").read_text())
    assert {row["name"]: row["value"] for row in tables["label"]} == TEXTS
    assert set(names) - {""} <= {row["name"] for row in tables["operator"]}
    assert (tables["profile"][0]["model"], tables["profile"][0]["build"], tables["profile"][0]["device"]) == ("m'\\n", build, "d;--")
    chosen = history("trend", "m'\\n", "--device", "d;--", "--store", store, *[word for name, text in TEXTS.items() if name != "long" for word in ("--label", f"{name}={text}")])
    assert chosen.code == 0 and "over 1 build " in chosen.text
    assert history("trend", "m'\\n", "--operator", TEXTS["back"], "--store", store).code == 0
    assert history("show", build, "--store", store).code == 0
    assert history("trend", "m'\\n", "--store", store, "--label", "quotes=a").code == 3


# ---- what is committed, and what is not ----


@pytest.fixture
def filled(clickhouses, tmp_path):
    """Three builds on two servers."""
    store = clickhouses.both()
    for number in range(3):
        add(store, write_build(tmp_path / str(number), random.Random(number), 2), number)
    return store


@pytest.mark.slow
def test_rows_that_came_twice_count_once(clickhouses, filled, tmp_path):
    before = contents(filled, tmp_path)
    for server in clickhouses.servers:
        for table in ("profile", "launch", "run", "part", "engine", "operator", "operator_time"):
            server.ask(f"INSERT INTO {name_of(filled)}.{table} SELECT * FROM {name_of(filled)}.{table}")
    assert contents(filled, tmp_path) == before
    assert len(builds(filled)) == 3


@pytest.mark.slow
def test_what_no_profile_names_is_not_read_and_goes_in_time(clickhouses, filled, tmp_path):
    """A writer that was killed: rows of an attempt that no row of a profile names."""
    before, database = contents(filled, tmp_path), name_of(filled)
    for table in ("launch", "run", "operator_time"):
        columns = [row[0] for row in clickhouses[0].ask(f"DESCRIBE TABLE {database}.{table}")]
        clickhouses[0].ask(f"INSERT INTO {database}.{table} SELECT {', '.join('17' if column == 'attempt' else column for column in columns)} FROM {database}.{table}_all")
    assert contents(filled, tmp_path) == before
    assert history("prune", "--store", filled, "--builds", 9).code == 0
    while clickhouses[0].ask(f"SELECT count() FROM system.mutations WHERE database = '{database}' AND is_done = 0") != [["0"]]:
        continue
    for table in ("launch", "run", "operator_time"):
        assert clickhouses[0].ask(f"SELECT count() FROM {database}.{table} WHERE attempt = 17") == [["0"]]
    assert contents(filled, tmp_path) == before


@pytest.mark.slow
def test_a_clock_that_is_ahead_hides_nothing(clickhouses, filled, tmp_path):
    """Taken out by a machine whose clock is a year ahead, and added again."""
    database, year = name_of(filled), 365 * 86400 * 10**9
    (row,) = clickhouses[0].ask(f"SELECT profile, attempt, written FROM {database}.profile_all WHERE build = '1' AND name = 'net_l0.json'")
    clickhouses[0].ask(f"INSERT INTO {database}.profile_all (profile, attempt, written, removed) VALUES ({row[0]}, {row[1]}, {int(row[2]) + year}, 1)")
    assert len(contents(filled, tmp_path)) == 5
    assert "1 launch" in add(filled, tmp_path / "1" / "net_l0.json").text
    assert len(contents(filled, tmp_path)) == 6


@pytest.mark.slow
def test_two_writers_of_the_same_files_leave_each_once(clickhouses, tmp_path):
    store, folder = clickhouses.both(), write_build(tmp_path / "b", random.Random(3), 8)
    command = [tool.TACHO, "history", "add", "--store", store, "--model", "net", "--build", "1", "--runs", "inference", folder]
    writers = [subprocess.Popen(command, env=tool.environment(**NO_BUILD), stdout=subprocess.DEVNULL) for _ in range(4)]
    assert [writer.wait(120) for writer in writers] == [0] * 4
    found = contents(store, tmp_path)
    assert len(found) == 8 and {len(rows["run"]) for rows in found.values()} == {6}


@pytest.mark.slow
def test_one_server_becomes_two(clickhouses, tmp_path):
    """What lies on the first stays there, and is found."""
    database, files = clickhouses.database(), sorted(write_build(tmp_path / "b", random.Random(3), 12).iterdir())
    one, both = clickhouses.one(database), clickhouses.both(database)
    for path in files[:6]:
        add(one, path)
    early = history("list", "--store", both)
    assert early.code == 3 and "no history of a cluster yet" in early.err
    for path in files:
        add(both, path)
    assert len(contents(both, tmp_path)) == 12
    add(both, write_build(tmp_path / "next", random.Random(4), 1), "2")
    assert "12 profiles were taken out" in history("prune", "--store", both, "--builds", 1).text
    assert builds(both) == ["2"]
    add(both, tmp_path / "b", "3")
    assert len(contents(both, tmp_path)) == 13


# ---- names of stores ----


@pytest.mark.parametrize("url, code, says", [
    ("clickhouse://", 2, "database"), ("clickhouse://host", 2, "database"), ("clickhouse://host:8123/", 2, "database"), ("clickhouse://host/a-b", 2, "letters"), ("clickhouse:///db", 2, "no host"),
    ("clickhouse://one,two/db", 2, "cluster"), ("clickhouse://host/db?nonsense=1", 2, "nonsense"), ("clickhouse://host/db?timeout=x", 2, "timeout"), ("clickhouse://host/db?timeout=0", 2, "timeout=0"),
    ("clickhouse://u:%zz@host/db", 2, "%"), ("clickhouse://ho st/db", 2, "no host"), ("clickhouse://host:/db", 2, "no host"), ("clickhouse://127.0.0.1:1/db?retry=0", 3, "cannot be asked"),
    ("clickhouse://nobody.invalid/db?retry=0", 3, "cannot be asked"), (",".join(["clickhouse://a"] + ["b"] * 16) + "/db?cluster=c", 2, "more than 16"),
])
def test_names_of_stores_that_cannot_be(url, code, says):
    result = history("list", "--store", url)
    assert result.code == code and says in result.err, result.err


@pytest.mark.slow
def test_passwords_are_used_and_never_said(clickhouses, tmp_path):
    path = write_build(tmp_path / "b", random.Random(3), 1)
    base = clickhouses.one().replace("clickhouse://", "")
    add(f"clickhouse://keeper:se%27cr:et@1@{base}", path)
    add(f"clickhouse://keeper@{base}", path, variables={"TACHO_CLICKHOUSE_PASSWORD": "se'cr:et@1"})
    wrong = history("list", "--store", f"clickhouse://keeper:hidden7@{base}")
    assert wrong.code == 3 and "hidden7" not in wrong.err and "assword" in wrong.err
    assert "hidden7" not in history("list", "--store", "clickhouse://keeper:hidden7@one,two/db").err


@pytest.mark.slow
def test_the_command_of_a_verdict_names_the_store_without_a_password(clickhouses, tmp_path):
    chance, base, file = random.Random(8), clickhouses.one().replace("clickhouse://", ""), tmp_path / "my store.sqlite"
    paths = [write_build(tmp_path / f"b{number}", chance, conv=1.15 if number >= 6 else 1.0) for number in range(8)]
    for store, word in ((file, f"'{file}'"), (f"clickhouse://keeper:se%27cr:et@1@{base}", f"clickhouse://keeper@{base}")):
        for number, path in enumerate(paths[:-1]):
            add(store, path, f"b{number}")
        report = tmp_path / "gate.json"
        result = history("gate", "--store", store, "--model", "net", "--build", "x", "--runs", "inference", "--json", "-o", report, *sorted(paths[-1].iterdir()))
        said = result.text + result.err + report.read_text()
        assert result.code == 1 and f"tacho history mark good --store {word} --model net b6 accepts it" in said, said
        assert "cr:et" not in said
        assert history("mark", "good", "--store", store, "--model", "net", "b6").code == 0


@pytest.mark.slow
def test_other_databases_are_told_apart(clickhouses, filled, tmp_path):
    path = write_build(tmp_path / "more", random.Random(7), 1)
    nothing, other = clickhouses.one(), clickhouses.one()
    result = history("list", "--store", nothing)
    assert result.code == 3 and "there is no history here" in result.err
    clickhouses[0].ask(f"CREATE DATABASE {name_of(other)}")
    clickhouses[0].ask(f"CREATE TABLE {name_of(other)}.x (y Int64) ENGINE = TinyLog")
    for words in (["list"], ["add", "--build", "1", path]):
        result = history(*words, "--store", other)
        assert result.code == 3 and "something else" in result.err
    for server in clickhouses.servers:
        server.ask(f"INSERT INTO {name_of(filled)}.version VALUES (99)")
    for words in (["list"], ["add", "--build", "1", path], ["prune", "--builds", "1"]):
        result = history(*words, "--store", filled)
        assert result.code == 3 and "version 99" in result.err
    unknown = history("add", "--build", "1", path, "--store", clickhouses.one(options="cluster=nowhere"))
    assert unknown.code == 4 and "nowhere" in unknown.err


# ---- servers that are none ----


class Fake:
    """A server that answers with what it was given, closes early, or does nothing at all."""

    def __init__(self, answer, end=True, timeout=waiting.LIMIT):
        self.listener, self.answer, self.end, self.open = socket.create_server(("127.0.0.1", 0)), answer, end, []
        self.url = f"clickhouse://127.0.0.1:{self.listener.getsockname()[1]}/db?retry=0&timeout={timeout}"
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                connection = self.listener.accept()[0]
            except OSError:
                return
            self.open.append(connection)
            if self.answer is not None:
                self.hear(connection)
                connection.sendall(self.answer)
            if self.end:
                connection.close()

    @staticmethod
    def hear(connection):
        """All of a request: what nobody has read when a connection is closed takes the answer with it."""
        with connection.makefile("rb") as request:
            head = b"".join(iter(lambda: request.readline().strip(b"\r\n"), b""))
            length = re.search(rb"content-length: (\d+)", head.lower())
            request.read(int(length[1]) if length else 0)


def answer(body, status="200 OK", length=None):
    return f"HTTP/1.1 {status}\r\nContent-Length: {len(body) if length is None else length}\r\n\r\n{body}".encode()


HEAD = "tables\tours\nInt64\tInt64\n"
FAKES = {
    "nonsense": (answer("hello"), "not what was asked for"),
    "page": (answer("<html>not here</html>", "404 Not Found"), "status 404"),
    "no http": (b"220 mail.example.com ESMTP\r\n", "cannot be asked"),
    "empty": (answer(""), "it is empty"),
    "other columns": (answer("tables\nInt64\n1\n"), "other columns"),
    "more columns": (answer("tables\tours\tmine\nInt64\tInt64\tInt64\n"), "more columns"),
    "other types": (answer("tables\tours\nString\tInt64\n"), "other types"),
    "few columns": (answer(HEAD + "1\n"), "another number of columns"),
    "many columns": (answer(HEAD + "1\t2\t3\n"), "another number of columns"),
    "no number": (answer(HEAD + "one\t1\n"), "a value of another type"),
    "huge number": (answer(HEAD + "99999999999999999999\t1\n"), "a value of another type"),
    "half a row": (answer(HEAD + "1\t1"), "in the middle of a row"),
    "early end": (answer(HEAD, length=1000), "cannot be asked"),
    "half a head": (b"HTTP/1.1 200 OK\r\nDate: today\r\nTransf", "cannot be asked"),
    "no answer": (b"", "cannot be asked"),
    "error": (answer("Code: 241, e.displayText() = DB::Exception: Memory limit, e.what() = DB::Exception\x1b[31m", "500 Internal Server Error"), "Memory limit (error 241)"),
}


@pytest.mark.waits
@pytest.mark.parametrize("name", FAKES)
def test_answers_that_make_no_sense_are_errors(name, tmp_path):
    fake = Fake(FAKES[name][0])
    path = write_build(tmp_path / "b", random.Random(7), 1)
    for words in (["list"], ["add", "--build", "1", path]):
        result = history(*words, "--store", fake.url)
        assert result.code == 3 and FAKES[name][1] in result.err and "\x1b" not in result.err, result.err


@pytest.mark.waits
def test_a_server_that_hangs_is_waited_for_no_longer_than_was_said():
    fake = Fake(None, end=False, timeout=1)
    result = history("list", "--store", fake.url)
    assert result.code == 3 and "does not answer within 1 s" in result.err


class Newer(http.server.BaseHTTPRequestHandler):
    """As far as is asked of it, a ClickHouse that knows how to forget."""

    told = []
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        sql = self.rfile.read(int(self.headers["Content-Length"])).decode()
        sql = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query).get("query", [sql])[0]
        if "version()" in sql:
            said = "number\nInt64\n2012\n"
        elif "AS number" in sql:
            said = "number\nInt64\n0\n"
        elif "AS ours" in sql:
            said = HEAD + "14\t1\n"
        elif "AS newest" in sql:
            said = "newest\nInt64\n2\n"
        else:
            said = ""
            self.told.append(sql)
        self.send_response(200 if said or sql.startswith(("ALTER", "INSERT")) else 500)
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said.encode())

    def log_message(self, *words):
        pass


def test_servers_that_can_are_told_when_to_forget(tmp_path):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Newer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    result = history("add", "--build", "1", write_build(tmp_path / "b", random.Random(7), 1) / "net_l0.json", "--store", f"clickhouse://127.0.0.1:{server.server_port}/db?ttl=30&retry=0")
    server.shutdown()
    assert result.code == 4 and "status 500" in result.err
    changes = [sql for sql in Newer.told if sql.startswith("ALTER")]
    assert len(changes) == 11 and all(sql.endswith("MODIFY TTL toDateTime(intDiv(attempt, 1073741824)) + toIntervalDay(30)") for sql in changes)
    assert changes[-1].startswith("ALTER TABLE db.profile ")


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["one", "both"])
def test_servers_that_cannot_forget_are_helped_by_whoever_adds(clickhouses, tmp_path, kind):
    """Debian's knows no TTL: it is a mistake of syntax to it."""
    store = getattr(clickhouses, kind)()
    limited = f"{store}{'&' if '?' in store else '?'}ttl=30"
    with pytest.raises(AssertionError, match="Syntax error|SYNTAX"):
        clickhouses[0].ask("CREATE TABLE default.forgets (at DateTime) ENGINE = MergeTree ORDER BY at TTL at + toIntervalDay(1)")
    paths = [write_build(tmp_path / str(number), random.Random(number), 1) / "net_l0.json" for number in range(4)]
    for number in range(3):
        result = history("add", "--build", number, paths[number], "--store", limited)
        assert result.code == 0 and "taken out" not in result.text, result.err
    clickhouses.age(name_of(store), "0", 29)
    clickhouses.age(name_of(store), "1", 31)
    result = history("add", "--build", 3, paths[3], "--store", limited)
    assert result.code == 0 and "1 profile of more than 30 days was taken out" in result.text, result.err
    assert sorted(builds(store)) == ["0", "2", "3"]
    assert "taken out" not in history("add", "--build", 3, paths[3], "--store", limited).text


@pytest.mark.slow
def test_an_export_is_of_whole_profiles_whatever_is_added_meanwhile(clickhouses, tmp_path):
    """Tables are read one after the other: what is committed in between has no row in the first."""
    database, chance = clickhouses.database(), random.Random(8)
    direct, proxy = clickhouses.one(database), Proxy(clickhouses[0].http)
    add(direct, write_build(tmp_path / "first", chance, 3), "1")
    for number, place in enumerate(range(500, 12_000, 2500)):
        folder, added = write_build(tmp_path / str(number), chance, 1), threading.Event()
        proxy.arm(place, lambda: (add(direct, folder, f"n{number}"), added.set()))
        assert history("export", tmp_path / "all.json", "--store", f"clickhouse://127.0.0.1:{proxy.port}/{database}?retry=10").code == 0
        tables = json.loads((tmp_path / "all.json").read_text())
        profiles = {row["profile"] for row in tables["profile"]}
        for name in ("launch", "run", "part", "engine", "operator_time"):
            assert {row["profile"] for row in tables[name]} == profiles, (place, name)
        assert added.wait(waiting.LIMIT)
    proxy.close()


# ---- hard times ----


@pytest.mark.parametrize("kind, what, rounds", [("sqlite", "kill_clients", 6), ("sqlite", "fill_disks", 6), pytest.param("clickhouse", "kill_clients", 4, marks=pytest.mark.slow),
                                               pytest.param("clickhouse", "cut_connections", 2, marks=pytest.mark.slow)])
def test_nothing_is_lost_and_nothing_is_there_twice(clickhouses, tmp_path, kind, what, rounds):
    torture = Torture(tmp_path, random.Random(11), clickhouses if kind == "clickhouse" else None)
    getattr(torture, what)(rounds)
    assert torture.counts["rounds"] >= rounds


@pytest.mark.slow
def test_a_server_whose_disk_is_full_loses_nothing(tmp_path):
    servers = clickhouse.Servers(tmp_path / "servers", disk=DISK)
    torture = Torture(tmp_path, random.Random(14), servers)
    torture.fill_server_disks(4)
    assert torture.counts["interrupted"]
    servers.stop()


@pytest.mark.slow
def test_a_server_that_dies_and_comes_back_loses_nothing(tmp_path):
    servers = clickhouse.Servers(tmp_path / "servers")
    torture = Torture(tmp_path, random.Random(12), servers)
    torture.kill_servers(2)
    servers[1].kill()
    folder = write_build(tmp_path / "late", random.Random(13), 2)
    store = servers.both(options=f"retry=0&timeout={waiting.LIMIT}")
    lost = history("add", "--store", store, "--build", "1", folder)
    assert lost.code in (3, 4) and "cannot be asked" in lost.err
    servers[1].start()
    add(store, folder)
    assert builds(store) == ["1"]
    servers.stop()
