"""tacho serve: what it says, what it answers, whom it refuses, and what it survives."""
import concurrent.futures
import gzip
import http.client
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess

import pytest

import builds
import serving
import tool
import waiting
from serving import Server, quote

EXAMPLES = tool.ROOT / "examples"
TIMELINE = EXAMPLES / "mobilenet" / "timeline.csv"
RUNTIME = EXAMPLES / "mobilenet" / "runtime.csv"
DUMPS = [EXAMPLES / "mobilenet_xnnpack" / f"mobilenet_like_xnnpack_fp32_mac_sme2_{side}_t1.etdump" for side in ("off", "on")]
pytestmark = pytest.mark.waits
HEADERS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin", "Cache-Control": "no-store"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("served")
    for source in (TIMELINE, RUNTIME, *DUMPS):
        shutil.copy(source, made)
    (made / "deep").mkdir()
    (made / "deep" / "packed.csv.gz").write_bytes(gzip.compress(TIMELINE.read_bytes()))
    (made / "cut.etdump").write_bytes(DUMPS[0].read_bytes()[:5000])
    (made / "notes.txt").write_text("no profile\n")
    (made / ".hidden.csv").write_bytes(TIMELINE.read_bytes())
    return made


@pytest.fixture(scope="module")
def server(folder):
    with Server(folder) as made:
        yield made


@pytest.fixture(scope="module")
def cards(server):
    return server.cards()


@pytest.fixture(scope="module")
def ident(cards):
    return cards["timeline.csv"]["id"]


# ---- begin and end ---------------------------------------------------------------------------------------------------


def test_it_says_where_it_is_and_ends_well(tmp_path):
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    with Server(TIMELINE, variables={"TMPDIR": str(temporary)}) as server:
        assert server.host == "127.0.0.1"
        assert server.said[-1] == "Ctrl-C ends it" and not any("ssh" in line for line in server.said)
        server.good(f"/pages/timeline/{server.cards()['timeline.csv']['id']}")
        [private] = server.private_folders(temporary)
        assert private.stat().st_mode & 0o777 == 0o700
    assert not server.private_folders(temporary)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_end_it(number):
    with Server(TIMELINE) as server:
        server.process.send_signal(number)
        server.process.send_signal(number)
        assert server.process.wait(timeout=waiting.LIMIT) == 0


def test_a_killed_server_leaves_nothing(tmp_path):
    server = Server(TIMELINE, variables={"TMPDIR": str(tmp_path)}).__enter__()
    assert server.private_folders(tmp_path)
    server.process.kill()
    server.process.communicate()
    waiting.until(lambda: not server.private_folders(tmp_path))


def test_a_busy_port():
    with Server(TIMELINE) as first:
        with Server("--port", first.port, TIMELINE) as second:
            assert second.port > first.port
            assert second.said[0] == f"port {first.port} is busy: port {second.port} is taken"
            assert first.token != second.token
            assert second.good("/api/profiles").status == 200


def test_bound_elsewhere():
    with Server("--bind", "0.0.0.0", TIMELINE) as server:
        assert server.host == socket.gethostname()
        assert any(re.fullmatch(rf"  ssh -N -L {server.port}:127\.0\.0\.1:{server.port} \S+", line) for line in server.said), server.said
        assert server.get("/api/profiles", token=False).status == 401
        assert server.good("/api/profiles", headers={"Host": f"192.168.7.7:{server.port}"})
        assert server.get("/api/profiles", headers={"Host": f"evil.example:{server.port}"}).status == 421


@pytest.mark.parametrize("words, code, said", [
    (["--port", "70000", TIMELINE], 2, "up to 65535"),
    (["--port", "none", TIMELINE], 2, "--port wants"),
    (["--bind", "evil.example", TIMELINE], 2, "--bind wants an address"),
    (["--bind", "198.51.100.7", TIMELINE], 2, "no such address"),
    (["no-such-file.csv"], 3, "no-such-file.csv"),
])
def test_wrong_usage(tacho, words, code, said):
    result = tacho("serve", *words)
    assert result.code == code and said in result.err, result.err


def test_open_hides_the_token(tmp_path):
    """Everyone sees the words of a command: a browser is given a file."""
    browser = tmp_path / "xdg-open"
    browser.write_text(f"#!/bin/sh\necho \"$@\" > {tmp_path}/words\ncp \"$1\" {tmp_path}/page\n: > {tmp_path}/copied\n")
    browser.chmod(0o755)
    with Server("--open", TIMELINE, variables={"PATH": f"{tmp_path}:{os.environ['PATH']}"}) as server:
        waiting.until((tmp_path / "copied").exists)
        assert server.token not in (tmp_path / "words").read_text()
        assert f"{server.address}/?token={server.token}" in (tmp_path / "page").read_text()


# ---- what it answers -------------------------------------------------------------------------------------------------


def test_the_gallery(server, cards):
    listing = server.list()
    assert sorted(cards) == ["cut.etdump", "deep/packed.csv.gz", DUMPS[0].name, DUMPS[1].name, "runtime.csv", "timeline.csv"]
    assert [other["name"] for other in listing["others"]] == ["notes.txt"]
    assert listing["outside"] == listing["unread"] == 0
    assert cards["cut.etdump"]["state"] == "bad" and "the dump is cut" in cards["cut.etdump"]["error"]
    [timeline] = cards["timeline.csv"]["profile"]["inputs"]
    assert timeline["chain"] == "Synaptics Torq" and timeline["kind"] == "estimate" and timeline["model"] == "timeline"
    assert {"total_duration", "dma", "compute", "overlap", "idle"} <= {row["metric"] for row in timeline["metrics"]}
    assert timeline["rows"]["read"] == timeline["rows"]["used"] + timeline["rows"]["lost"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", cards["timeline.csv"]["modified"])
    [runtime] = cards["runtime.csv"]["profile"]["inputs"]
    assert runtime["kind"] == "measured" and runtime["runs"] == {"total": 10, "counted": 9}


def test_ids_tell_nothing(server, cards, folder):
    ids = [card["id"] for card in cards.values()]
    assert len(set(ids)) == len(ids) and all(re.fullmatch(r"[0-9a-f]{16}", one) for one in ids)
    with Server(folder) as other:
        assert not set(ids) & {card["id"] for card in other.cards().values()}


def test_one_answer_whoever_is_asked(server, cards, good, folder):
    """The numbers of cards and tables are those of the command."""
    for name in ("timeline.csv", "runtime.csv", DUMPS[0].name, "deep/packed.csv.gz"):
        card, path = cards[name], folder / name
        summary = json.loads(good("summary", path, "--json").text)
        [told] = card["profile"]["inputs"]
        assert told["run_ns"] == summary["total_duration"] and told["model"] == summary["model"]
        tables = f"/api/profiles/{card['id']}/tables"
        for table, words in {"overview": ["summary", "--columns", "overview"], "operators": ["summary", "--by", "operator"],
                             "engines": ["summary", "--by", "engine"]}.items():
            assert server.good(f"{tables}/{table}").json() == json.loads(good(*words, path, "--json").text), (name, table)
        asked = server.good(f"{tables}/operators?columns=operator,total_time,percent&sort=operator&limit=3&filter=total_time%3E1us").json()
        assert asked == json.loads(good("summary", "--by", "operator", path, "--json", "--columns", "operator,total_time,percent", "--sort",
                                        "operator", "--limit", "3", "--filter", "total_time>1us").text)
        assert asked["columns"][0]["name"] == "operator" and 0 < len(asked["rows"]) <= 3


def test_every_table_that_is_named_is_there(server, cards):
    for name, card in cards.items():
        about = server.good(f"/api/profiles/{card['id']}").json()
        assert (about["state"] == "ready") == bool(about["tables"]), name
        for table in about["tables"]:
            got = server.get(f"/api/profiles/{card['id']}/tables/{table['name']}")
            assert got.status == 200 or "makes no table" in got.json()["error"], (name, table, got.text)


def test_pages_and_downloads_are_those_of_the_command(server, cards, good, folder, tmp_path):
    for name in ("timeline.csv", DUMPS[0].name):
        card = cards[name]
        for form in server.good(f"/api/profiles/{card['id']}").json()["formats"]:
            got = server.good(f"/download/{card['id']}/{form['id']}")
            good("convert", "-q", folder / name, "-o", tmp_path / f"made{form['suffix']}")
            assert got.body == (tmp_path / f"made{form['suffix']}").read_bytes(), form
            stem = pathlib.Path(name).stem
            assert got.headers["Content-Disposition"] == f'attachment; filename="{stem}{form["suffix"]}"'
        page = server.good(f"/pages/timeline/{card['id']}")
        assert "connect-src 'self'" in page.headers["Content-Security-Policy"] and "'unsafe-inline'" not in page.headers["Content-Security-Policy"]
        good("report", "-q", folder / name, "-o", tmp_path / "report.html")
        assert server.good(f"/pages/report/{card['id']}").body == (tmp_path / "report.html").read_bytes()
    good("compare", "-q", folder / DUMPS[0].name, folder / DUMPS[1].name, "-o", tmp_path / "compare.html")
    two = f"{cards[DUMPS[0].name]['id']}/{cards[DUMPS[1].name]['id']}"
    assert server.good(f"/pages/compare/{two}").body == (tmp_path / "compare.html").read_bytes()
    assert b"before" in server.good(f"/pages/report/{two}").body


def test_what_is_not_there(server, cards, ident):
    for path, status in {"/nothing": 404, "/api": 404, "/api/profiles/0123456789abcdef": 404, f"/api/profiles/{ident}/tables/none": 404,
                         f"/download/{ident}/none": 404, "/pages/timeline/x": 404, f"/pages/compare/{ident}/x": 404,
                         f"/api/profiles/{ident}/tables/operators?nonsense=1": 400, f"/api/profiles/{ident}/tables/operators?sort=none": 400,
                         f"/api/profiles/{ident}/tables/operators?limit=x": 400, f"/api/profiles/{ident}/tables/operators?sort=a&sort=b": 400,
                         f"/api/profiles/{ident}/tables/slices": 404, f"/pages/report/{ident}?out=/tmp/x": 400,
                         f"/api/profiles/{cards['cut.etdump']['id']}/trace/head": 422}.items():
        got = server.get(path)
        assert got.status == status, (path, got.status, got.text)
        if path.startswith("/api/"):
            assert got.headers["Content-Type"] == "application/json" and got.json()["error"]
    assert server.get("/", method="HEAD").body == b""


def test_files_come_change_and_go(tmp_path):
    with Server(tmp_path) as server:
        assert server.cards() == {}
        shutil.copy(TIMELINE, tmp_path / "new.csv")
        first = server.wait_for(lambda cards: "new.csv" in cards)["new.csv"]
        operators = f"/api/profiles/{first['id']}/tables/operators"
        before = server.good(operators).json()
        shutil.copy(RUNTIME, tmp_path / "new.csv")
        changed = server.wait_for(lambda cards: cards["new.csv"]["profile"]["format"] == "torq-runtime")["new.csv"]
        assert changed["id"] == first["id"] and server.good(operators).json() != before
        (tmp_path / "new.csv").write_text("nothing of any use\n")
        assert server.wait_for(lambda cards: not cards) == {}
        (tmp_path / "new.csv").unlink()
        server.wait_for(lambda cards: not server.list()["others"])
        assert server.get(operators).status == 404


def test_what_is_known_already_is_not_sent_again(tmp_path):
    shutil.copy(TIMELINE, tmp_path)
    with Server(tmp_path) as server:
        after = server.list()["after"]
        assert server.good(f"/api/profiles?after={after}").json() == {"after": after}
        assert "profiles" in server.good("/api/profiles?after=0").json()
        shutil.copy(RUNTIME, tmp_path)
        server.wait_for(lambda cards: "runtime.csv" in cards)
        assert "profiles" in server.good(f"/api/profiles?after={after}").json()


def test_a_named_file_is_a_card_whatever_it_is(tmp_path):
    (tmp_path / "notes.txt").write_text("no profile\n")
    with Server(tmp_path / "notes.txt", TIMELINE) as server:
        cards = server.cards()
        assert cards["notes.txt"]["state"] == "bad" and "no known format" in cards["notes.txt"]["error"]
        assert cards["timeline.csv"]["state"] == "ready"


def test_without_words_the_folder_is_served(tmp_path):
    shutil.copy(TIMELINE, tmp_path)
    with Server(cwd=tmp_path) as server:
        assert list(server.cards()) == ["timeline.csv"]


# ---- safety ----------------------------------------------------------------------------------------------------------


def test_every_answer_is_closed(server, ident):
    for path in ("/", "/api/profiles", f"/pages/timeline/{ident}", f"/pages/report/{ident}", f"/download/{ident}/chrome", "/nothing", "/%2e%2e"):
        got = server.get(path)
        for name, value in HEADERS.items():
            assert got.headers[name] == value, (path, name)
        policy = got.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'; ") and "frame-ancestors" in policy, path
        assert "Cross-Origin-Opener-Policy" not in got.headers  # Perfetto's window could not answer
        assert "Access-Control-Allow-Origin" not in got.headers
    app = server.good("/")
    assert "unsafe" not in app.headers["Content-Security-Policy"] and "'self'" not in re.search("script-src[^;]*", app.headers["Content-Security-Policy"])[0]
    assert server.token not in app.text


def test_a_token_is_wanted_everywhere(server, ident):
    for path in ("/", f"/profile/{ident}", "/api/profiles", f"/api/profiles/{ident}", f"/pages/timeline/{ident}", f"/download/{ident}/perfetto", "/nothing"):
        assert server.get(path, token=False).status == 401, path
        assert server.get(f"{path}?token={'0' * 32}", token=False).status == 401, path
    assert server.get("/api/profiles", token=False, headers={"Authorization": f"Bearer {server.token}"}).status == 200
    assert server.get("/api/profiles", token=False, headers={"Authorization": f"Basic {server.token}"}).status == 401
    assert server.get("/api/profiles", token=False, headers={"Cookie": f"token={server.token}"}).status == 401


def test_rebinding(server):
    for host in ("evil.example", f"evil.example:{server.port}", f"127.0.0.1.evil.example:{server.port}", "192.168.0.1", ""):
        assert server.get("/api/profiles", headers={"Host": host}).status in (400, 421), host
    for origin in ("http://evil.example", "null", f"http://127.0.0.1:{server.port + 1}", f"https://127.0.0.1:{server.port}"):
        assert server.get("/api/profiles", headers={"Origin": origin}).status == 403, origin
    assert server.get("/api/profiles", headers={"Origin": server.address}).status == 200
    for host in (f"localhost:{server.port}", f"[::1]:{server.port}"):
        assert server.get("/api/profiles", headers={"Host": host}).status == 200, host
    twice = f"GET /api/profiles?token={server.token} HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n\r\n"
    assert b" 200 " not in server.raw(twice.encode()).split(b"\r\n")[0]


@pytest.mark.parametrize("path", ["/../../../etc/passwd", "/..%2f..%2fetc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/pages/timeline/..%5c..%5cetc",
                                  "/api/profiles/%2e%2e%2f%2e%2e", "/api/profiles/..", "/download/%00/perfetto", "//etc/passwd", "/api//profiles",
                                  "/pages/timeline/%252e%252e", "/%c0%ae%c0%ae/etc/passwd", "http://evil.example/api/profiles", "/api/profiles/x%0d%0aSet-Cookie:a"])
def test_traversal(server, path):
    got = server.raw(f"GET {path}?token={server.token} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
    head = got.split(b"\r\n")[0]
    assert re.match(rb"HTTP/1.1 40[04] ", head), (path, head)
    assert b"root:" not in got and b"Set-Cookie" not in got.split(b"\r\n\r\n")[0]


def test_links_lead_nowhere_else(tmp_path):
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    shutil.copy(TIMELINE, inside / "real.csv")
    shutil.copy(TIMELINE, outside / "secret.csv")
    (inside / "link.csv").symlink_to(outside / "secret.csv")
    (inside / "folder").symlink_to(outside)
    (inside / "passwd").symlink_to("/etc/passwd")
    with Server(inside) as server:
        assert list(server.cards()) == ["real.csv"] and server.list()["outside"] == 3
        ident = server.cards()["real.csv"]["id"]
        server.good(f"/api/profiles/{ident}/tables/operators")
        # The file becomes a link, before anybody looks at the folder again.
        (inside / "real.csv").unlink()
        (inside / "real.csv").symlink_to(outside / "secret.csv")
        got = server.get(f"/api/profiles/{ident}/tables/types")
        assert got.status in (404, 422), got.text
        server.wait_for(lambda cards: not cards)


def test_names_are_only_names(tmp_path):
    name = "<script>alert(1)<script> \"'\n\r;.csv"
    shutil.copy(TIMELINE, tmp_path / name)
    with Server(tmp_path) as server:
        card = server.cards()[name]
        got = server.good(f"/download/{card['id']}/perfetto")
        assert re.fullmatch(r'attachment; filename="[A-Za-z0-9._-]+\.pb"', got.headers["Content-Disposition"])
        assert "alert(1)" not in server.good(f"/pages/timeline/{card['id']}").text
        for page in ("report",):
            # In data, which ends with the element that it lies in, a name is a JSON text.
            markup = re.sub(r"(?s)(<script[^>]*>).*?</script>", r"\1", server.good(f"/pages/{page}/{card['id']}").text)
            assert "alert(1)" in markup and "<script>alert" not in markup
        assert "<script>alert" not in server.get(f"/pages/timeline/{quote('<script>alert(1)</script>')}").text


def test_other_methods_and_bodies(server):
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"):
        assert server.get("/api/profiles", method=method).status == 405, method
    assert server.get("/api/profiles", data=b"{}", method="POST").status in (405, 413)
    got = server.raw(f"GET /api/profiles?token={server.token} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n0123456789".encode())
    assert got.startswith(b"HTTP/1.1 413 ")


def test_a_huge_body_costs_nothing(server):
    """A gigabyte is announced; the answer comes before any of it, and what is sent all the same is not kept."""
    before = server.memory()
    with socket.create_connection(("127.0.0.1", server.port), timeout=waiting.LIMIT) as made:
        made.sendall(f"POST /api/profiles?token={server.token} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\n".encode())
        assert made.recv(4096).startswith(b"HTTP/1.1 413 ")
        sent, block = 0, b"x" * 65536
        try:
            while sent < 1_000_000_000:
                sent += made.send(block)
        except OSError:
            pass
    assert sent < 1_000_000_000 and server.memory() - before < 32 << 20
    server.good("/api/profiles")


@pytest.mark.parametrize("request_line", [b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 200 + b"\r\n", b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
                                          b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"y" * 100_000 + b"\r\n\r\n", b"\0" * 5000 + b"\r\n\r\n",
                                          b"nonsense\r\n\r\n", b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n", b"GET\r\n\r\n"],
                         ids=["headers", "address", "header", "zeros", "nonsense", "version", "method"])
def test_requests_without_sense(server, request_line):
    got = server.raw(request_line)
    assert not got or re.match(rb"HTTP/1\.[01] (4\d\d|505) ", got), got[:100]
    server.good("/api/profiles")


def drip(port, count):
    """Connections that have sent the beginning of a request."""
    made = []
    for _ in range(count):
        one = socket.create_connection(("127.0.0.1", port), timeout=waiting.LIMIT)
        one.setblocking(False)
        try:
            one.send(b"GET / HT")
        except OSError:
            pass
        made.append(one)
    return made


def is_shut(one):
    try:
        one.send(b"x")
        return one.recv(1) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def test_dripping_connections_hinder_nobody_and_have_an_end(tmp_path):
    shutil.copy(TIMELINE, tmp_path)
    with Server(tmp_path) as server:
        server.cards()
        slow = drip(server.port, 700)
        for _ in range(5):
            server.good("/api/profiles")
        assert not all(map(is_shut, slow)), "nobody had to wait for the end of the others"
        # A byte now and then buys no time.
        waiting.until(lambda: all(map(is_shut, slow)))
        server.good("/api/profiles")


def test_slow_readers_hinder_nobody(server, ident):
    """More than there are places ask for a page and do not read it."""
    server.good(f"/pages/timeline/{ident}")
    request = f"GET /pages/timeline/{ident}?token={server.token} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    made = []
    for _ in range(400):
        one = socket.socket()
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)  # before it connects, or the system takes all of the page
        one.connect(("127.0.0.1", server.port))
        one.sendall(request)
        made.append(one)
    server.good("/api/profiles")
    for one in made:
        one.close()


def open_files(server):
    return len(os.listdir(f"/proc/{server.process.pid}/fd"))


def test_a_browser_that_goes_away(folder):
    with Server(folder) as server:
        idents = [card["id"] for card in server.cards().values()]
        server.good("/api/profiles")
        before = open_files(server)
        for at in range(60):
            with socket.create_connection(("127.0.0.1", server.port), timeout=waiting.LIMIT) as made:
                made.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0" if at % 2 else b"\0" * 8)
                page = ("pages/timeline", "pages/report")[at // 2 % 2]
                made.sendall(f"GET /{page}/{idents[at % len(idents)]}?token={server.token} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        waiting.until(lambda: open_files(server) <= before)
        server.good("/api/profiles")


def test_it_ends_while_somebody_waits(folder):
    server = Server(folder)
    with server, concurrent.futures.ThreadPoolExecutor(8) as threads:
        idents = [card["id"] for card in server.cards().values()]

        def ask(at):
            try:
                return server.get(f"/pages/report/{idents[at % len(idents)]}").status
            except (OSError, http.client.HTTPException):
                return 0

        asked = [threads.submit(ask, at) for at in range(40)]
        asked[0].result()
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(timeout=waiting.LIMIT) == 0
        assert {one.result() for one in asked} <= {0, 200, 422, 503}


def test_32_clients_at_once(folder):
    """Each gets what one alone gets, and memory stays."""
    with Server(folder) as server:
        cards = server.cards()
        paths = ["/", "/api/profiles"]
        for card in cards.values():
            paths += [f"/api/profiles/{card['id']}", f"/api/profiles/{card['id']}/tables/operators", f"/api/profiles/{card['id']}/tables/advice",
                      f"/pages/timeline/{card['id']}", f"/pages/report/{card['id']}", f"/download/{card['id']}/perfetto"]
        with concurrent.futures.ThreadPoolExecutor(32) as threads:
            first = list(threads.map(server.get, paths * 4))
        alone = {path: server.get(path) for path in paths}
        for path, got in zip(paths * 4, first):
            assert got.status == alone[path].status, path
            assert path == "/api/profiles" or got.body == alone[path].body, path
        assert tool.SANITIZED or server.memory() < 300 << 20


def mutated(dice, server, idents):
    """A request that is nearly one: its head put together by chance, then bytes changed, added, taken out and repeated."""
    place = dice.choice(["/", "/api/profiles", f"/api/profiles/{dice.choice(idents)}/tables/operators?columns=help&filter=a~b",
                         f"/pages/timeline/{dice.choice(idents)}", f"/download/{dice.choice(idents)}/chrome", f"/pages/compare/{idents[0]}/{idents[-1]}"])
    head = [f"{dice.choice(['GET', 'HEAD', 'POST', 'get'])} {place}{'&' if '?' in place else '?'}token={server.token} HTTP/1.{dice.choice('0119')}",
            f"Host: {dice.choice(['localhost', '127.0.0.1', '[::1]', 'evil.example'])}"]
    head += dice.choices(["Origin: null", "Content-Length: 5", "Transfer-Encoding: chunked", "Range: bytes=0-1", "Connection: keep-alive",
                          "Expect: 100-continue", "Authorization: Bearer x", " folded", "X: " + "y" * 20_000], k=dice.randrange(4))
    made = bytearray("\r\n".join([*head, "", "0123456789" * dice.randrange(3)]).encode())
    for _ in range(dice.choice([0, 0, 1, 2, 8])):
        at = dice.randrange(len(made) + 1)
        made[at:at + dice.choice([0, 0, 1, 30])] = dice.choice([dice.randbytes(dice.randrange(9)), b"", bytes(made[at:at + 200])])
    return bytes(made)


def test_a_fuzzed_client(folder):
    with Server(folder) as server:
        idents = [card["id"] for card in server.cards().values()]

        def ask(seed):
            dice = random.Random(seed)
            for _ in range(60):
                try:
                    with socket.create_connection(("127.0.0.1", server.port), timeout=waiting.LIMIT) as made:
                        made.sendall(mutated(dice, server, idents))
                        if dice.random() < 0.3:
                            continue
                        made.shutdown(socket.SHUT_WR)
                        made.settimeout(0.2)
                        while made.recv(65536) and dice.random() < 0.7:
                            pass
                except OSError:
                    pass

        with concurrent.futures.ThreadPoolExecutor(16) as threads:
            list(threads.map(ask, range(32)))
        server.good("/api/profiles")


@pytest.mark.once("what looks for leaks at the end needs more than a confined process may do")
def test_the_process_is_confined(server):
    for task in pathlib.Path(f"/proc/{server.process.pid}/task").iterdir():
        status = (task / "status").read_text()
        assert re.search(r"^Seccomp:\t2$", status, re.MULTILINE) and re.search(r"^NoNewPrivs:\t1$", status, re.MULTILINE)


# ---- the document ----------------------------------------------------------------------------------------------------


def same(told, got):
    """What a document shows, "..." standing for anything; in a list also for any number of elements."""
    if told == "...":
        return True
    if isinstance(told, dict):
        return isinstance(got, dict) and told.keys() == got.keys() and all(same(told[key], got[key]) for key in told)
    if isinstance(told, list):
        if told and told[-1] == "...":
            return isinstance(got, list) and len(got) >= len(told) - 1 and all(map(same, told[:-1], got))
        return isinstance(got, list) and len(told) == len(got) and all(map(same, told, got))
    return told == got and type(told) is type(got)


def test_the_document_of_the_api(tmp_path):
    text = (tool.ROOT / "doc" / "api.md").read_text()
    examples = re.findall(r"^```\nGET (\S+)\n```\n\n```json\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert len(examples) >= 4 and text.count("```json") == len(examples)
    with Server(tool.ROOT / "doc" / "man" / "examples" / "timeline.csv", "--history", builds.fill(tmp_path)) as server:
        ident = server.cards()["timeline.csv"]["id"]
        for path, told in examples:
            got = server.get(path.replace("ID", ident)).json()
            assert same(json.loads(told), got), (path, json.dumps(got, indent=2))


def test_the_document_names_every_address():
    text = (tool.ROOT / "doc" / "api.md").read_text()
    source = (tool.ROOT / "src" / "serve" / "handlers.c").read_text()
    patterns = re.findall(r'\{ "(/[^"]*)", \w+ \}', source)
    assert len(patterns) > 8
    for pattern in patterns:
        shown = re.sub(r":(\w+)", lambda found: found[1].upper(), pattern)
        assert f"`{shown}`" in text, shown


def test_curl_as_the_document_says(ident, server):
    curl = shutil.which("curl")
    if curl:
        done = subprocess.run([curl, "-s", "-H", f"Authorization: Bearer {server.token}", f"{server.address}/api/profiles/{ident}/tables/overview"],
                              capture_output=True, check=True)
        assert json.loads(done.stdout)["name"] == "overview"
