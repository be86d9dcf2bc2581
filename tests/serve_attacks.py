#!/usr/bin/env python3
"""Attacks on `tacho serve`, one after the other; prints a line for each with what happened, and fails where one succeeds.

    serve_attacks.py [--seconds N] [--short] [ATTACK]...

ATTACK is one of those below; without one, all. --seconds is for the fuzzed client. --short takes a tenth of everything. The tool is the
one of the other tests: TACHO, TACHO_SANITIZED.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import resource
import selectors
import shutil
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import serving
import test_browser
import tool

MARKUP = ["<img src=x onerror=window.hacked=1>", "</script><script>window.hacked=1</script>", "\"><svg onload=window.hacked=1>", "'-window.hacked=1-'",
          "javascript:window.hacked=1", "{{window.hacked=1}}"]
EXAMPLES = tool.ROOT / "examples"


class Attacks:
    def __init__(self, folder, seconds, short):
        self.folder, self.seconds, self.short = pathlib.Path(folder), seconds, short

    def some(self, number):
        return max(1, number // 10) if self.short else number

    def served(self, *files):
        """A folder with an example in it, and a server on it."""
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        for file in files or [EXAMPLES / "mobilenet/timeline.csv", EXAMPLES / "encoder_wormhole/profile_log_device.csv.gz"]:
            shutil.copy(file, folder)
        return folder

    # ---- One request --------------------------------------------------------------------------------------------------

    def rebinding(self):
        """A page of elsewhere whose name was made to lead here: its requests name that host."""
        with serving.Server(self.served()) as server:
            hosts = ["evil.example", f"evil.example:{server.port}", f"127.0.0.1.evil.example:{server.port}", f"127.0.0.1.nip.io:{server.port}", "0.0.0.0", "192.168.0.1",
                     "127.0.0.1@evil.example", "localhost.evil.example", f"[::ffff:127.0.0.1]:{server.port}x", "127.1.evil", "", "127.0.0.1:99999:1"]
            got = [server.get("/api/profiles", headers={"Host": host}).status for host in hosts]
            assert all(status in (400, 421) for status in got), list(zip(hosts, got))
            twice = server.raw(f"GET /api/profiles?token={server.token} HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n\r\n".encode())
            assert b" 200 " not in twice.split(b"\r\n")[0]
            absolute = server.raw(f"GET http://evil.example/api/profiles?token={server.token} HTTP/1.1\r\nHost: evil.example\r\n\r\n".encode())
            assert b" 200 " not in absolute.split(b"\r\n")[0]
            return f"{len(hosts) + 2} requests for other hosts, with the token: all refused ({sorted(set(got))})"

    def origins(self):
        """Pages of elsewhere that ask; and who has no token."""
        with serving.Server(self.served()) as server:
            places = ["/", "/api/profiles", *(f"/{kind}/{card['id']}" for card in server.cards().values() for kind in ("profile", "pages/timeline", "archive", "download"))]
            asked = 0
            for place in places:
                place = place if place.count("/") < 2 or place.startswith(("/api", "/profile", "/pages")) else f"{place}/{'device' if 'archive' in place else 'perfetto'}"
                for origin in ("http://evil.example", "null", f"http://127.0.0.1:{server.port + 1}", f"https://127.0.0.1:{server.port}", "file://"):
                    assert server.get(place, headers={"Origin": origin}).status == 403, (place, origin)
                    asked += 1
                for token in ("", "?token=", "?token=" + "0" * 32, "?token=" + server.token[:-1], "?token=" + server.token.upper() + "0"):
                    assert server.get(place + token, token=False).status == 401, (place, token)
                    asked += 1
            return f"{asked} requests of other origins or without the token, at {len(places)} addresses: all refused (403, 401)"

    def traversal(self):
        """Out of the folders: by the address, by links, by a link that takes the place of a file."""
        outside = self.served()
        inside = self.served()
        for name, target in (("link.csv", outside / "timeline.csv"), ("folder", outside), ("passwd", "/etc/passwd"), ("up", ".."), ("round", "round")):
            (inside / name).symlink_to(target)
        (inside / "fifo").mkdir() or os.mkfifo(inside / "fifo" / "pipe.csv")
        with serving.Server(inside) as server:
            cards = server.cards()
            assert set(cards) == {"timeline.csv", "profile_log_device.csv.gz"}, cards.keys()
            ident = cards["timeline.csv"]["id"]
            ups = ["..", "%2e%2e", "%2E.", ".%2e", "..%2f", "..%5c", "..\\", "%252e%252e", "%c0%ae%c0%ae", "%ef%bc%8e%ef%bc%8e", "..;", "....//", ".%00.", "%00", "%0d%0aSet-Cookie:a=b", "~root"]
            tried = 0
            for up in ups:
                for shape in ("/{u}/{u}/{u}/etc/passwd", "/api/profiles/{u}/{u}/etc/passwd", "/pages/timeline/{u}", "/pages/report/{u}", "/api/profiles/{u}/trace/head", "/download/{u}/perfetto", "/download/" + ident + "/{u}",
                              "/archive/" + ident + "/{u}", "/api/profiles/" + ident + "/tables/{u}", "/api/profiles/" + ident + "/tables/operators?sort={u}/etc/passwd", "//{u}/etc/passwd"):
                    path = shape.format(u=up)
                    got = server.raw(f"GET {path}{'&' if '?' in path else '?'}token={server.token} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
                    # Pages for people are the same for every id: their scripts find out that there is none.
                    assert not got or got.split(b" ")[1][:1] == b"4" or (shape.startswith("/pages/timeline") and b"<!DOCTYPE html>" in got), (path, got[:80])
                    assert b"root:x:0" not in got and b"Set-Cookie" not in got.split(b"\r\n\r\n")[0], path
                    tried += 1
            server.good(f"/api/profiles/{ident}/tables/operators")
            (inside / "timeline.csv").unlink()
            (inside / "timeline.csv").symlink_to(outside / "timeline.csv")
            swapped = server.get(f"/api/profiles/{ident}/tables/types")
            assert swapped.status in (404, 422), swapped.text
            again = server.get(f"/api/profiles/{ident}?again=1")
            assert again.status in (200, 404)
            swapped = server.get(f"/pages/report/{ident}")
            assert swapped.status in (404, 422), swapped.text
            return f"{tried} addresses: all refused; 5 links out of the folder: not listed; a file that became a link: refused ({swapped.status})"

    def markup(self):
        """Names of files, operators, zones and tracks that are markup, in every page, in a real browser."""
        folder = self.served()
        for at, name in enumerate(MARKUP):
            shutil.copy(EXAMPLES / "mobilenet/timeline.csv", folder / f"{name.replace('/', '')}.csv")
            events = [{"name": name, "cat": name, "ph": "X", "ts": 10 * k, "dur": 5, "pid": 1, "tid": k % 3, "args": {name: name}} for k in range(20)]
            events += [{"name": "process_name", "ph": "M", "pid": 1, "args": {"name": name}}, {"name": "thread_name", "ph": "M", "pid": 1, "tid": 0, "args": {"name": name}}]
            (folder / f"trace{at}.json").write_text(json.dumps({"traceEvents": events}))
        (folder / f"{MARKUP[0]} bad.etdump").write_bytes((EXAMPLES / "mobilenet_xnnpack/mobilenet_like_xnnpack_fp32_mac_sme2_on_t1.etdump").read_bytes()[:3000])
        logs = folder / "logs"
        shutil.copytree(tool.DATA / "tt-ops-folder/logs", logs)
        for log in logs.rglob("profile_log_host.csv"):
            log.write_text(log.read_text().replace("tt::tt_metal::EltwiseBinary,", f"{MARKUP[0]},").replace("HiFi2", MARKUP[2]))
        device = subprocess.run(["gzip", "-dc", EXAMPLES / "encoder_wormhole/profile_log_device.csv.gz"], capture_output=True, check=True, text=True).stdout
        (folder / "zones.csv").write_text(device.replace("NCRISC-KERNEL", MARKUP[0]).replace("ncrisc.cc", MARKUP[1].replace(",", "")))
        with serving.Server(folder) as server:
            bad = [name for name, card in server.cards().items() if card["state"] != "ready"]
            assert len(bad) == 1, bad
            said = test_browser.run_in_browser("markup.test.mjs", TACHO_SERVED=server.address, TACHO_TOKEN=server.token)
            looked = next((line.split(":")[-1].strip() for line in said.splitlines() if "pages looked at" in line), "?")
            return f"{len(server.cards())} profiles with markup for names, {looked} pages and parts of pages in Chromium: no script ran, nothing was asked elsewhere"

    # ---- Too much -----------------------------------------------------------------------------------------------------

    def body(self):
        """A gigabyte behind the head of a request, announced or in chunks."""
        size = self.some(1_000_000_000)
        lines = []
        with serving.Server(self.served()) as server:
            server.cards()
            before = server.memory()
            for head, frame in (("POST", f"Content-Length: {size}"), ("GET", f"Content-Length: {size}"), ("PUT", "Transfer-Encoding: chunked")):
                with socket.create_connection(("127.0.0.1", server.port), timeout=serving.SECONDS) as made:
                    made.sendall(f"{head} /api/profiles?token={server.token} HTTP/1.1\r\nHost: localhost\r\n{frame}\r\n\r\n".encode())
                    sent, block, started = 0, b"10000\r\n" + b"x" * 65536 + b"\r\n" if "chunked" in frame else b"x" * 65536, time.monotonic()
                    answer = b""
                    try:
                        while sent < size:
                            sent += made.send(block)
                            if not answer:
                                made.settimeout(0.001)
                                try:
                                    answer = made.recv(4096)
                                except TimeoutError:
                                    pass
                                made.settimeout(serving.SECONDS)
                    except OSError:
                        pass
                    lines.append(f"{head} {frame.split(':')[0]}: {answer.split(b' ')[1].decode() if answer else 'shut'}, {sent >> 10} KiB went in before it was shut")
                    assert not answer or answer.split(b" ")[1] in (b"405", b"413"), answer
                    assert sent < size or time.monotonic() - started < 30
            grown = server.memory() - before
            server.good("/api/profiles")
            assert grown < (256 << 20 if tool.SANITIZED else 32 << 20), grown
        return f"{'; '.join(lines)}; memory grew by {grown >> 20} MiB"

    def drips(self):
        """Connections that send a byte every 3 s; somebody who opens the page meanwhile."""
        wanted = self.some(10_000)
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, wanted + 1000), hard))
        wanted = min(wanted, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - 500)
        seconds = 4 if self.short else 20
        drip = b"GET /api/profiles HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: " + b"y" * 100_000
        with serving.Server(self.served()) as server, selectors.DefaultSelector() as waiting:
            server.cards()
            slow, shut, slowest, asked, opened = {}, 0, 0.0, 0, 0
            started = last = time.monotonic()
            while time.monotonic() - started < seconds or opened < wanted:
                if time.monotonic() - started > 180:
                    break
                for _ in range(min(200, wanted - len(slow))):
                    made = socket.socket()
                    made.setblocking(False)
                    made.connect_ex(("127.0.0.1", server.port))
                    slow[made], opened = [0, time.monotonic()], opened + 1
                now = time.monotonic()
                for made, state in list(slow.items()):
                    if now < state[1]:
                        continue
                    try:
                        made.send(drip[state[0]:state[0] + 1])
                        state[0], state[1] = state[0] + 1, now + 3
                    except BlockingIOError:
                        state[1] = now + 0.1
                    except OSError:
                        shut += 1
                        made.close()
                        del slow[made]
                if now - last > 0.5:
                    begin = time.monotonic()
                    server.good("/")
                    took = time.monotonic() - begin
                    slowest, asked, last = max(slowest, took), asked + 1, time.monotonic()
            held = len(slow)
            for made in slow:
                made.close()
            server.good("/api/profiles")
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        assert slowest < 1, slowest
        return f"{opened} connections were opened, {held} of them at once at the end, {shut} were shut; a new client got its page {asked} times, the slowest after {slowest * 1000:.0f} ms"

    def downloads(self):
        """Browsers that go away in the middle of a download."""
        folder = self.served()
        events = [{"name": f"op {k % 97}", "ph": "X", "ts": k, "dur": 1, "pid": 1, "tid": k % 7} for k in range(self.some(400_000))]
        (folder / "large.json").write_text(json.dumps({"traceEvents": events}))
        with serving.Server(folder) as server:
            ident = server.cards()["large.json"]["id"]
            device = server.cards()["profile_log_device.csv.gz"]["id"]
            places = [f"/download/{ident}/{kind}" for kind in ("perfetto", "chrome", "page")] + [f"/archive/{device}/device", f"/pages/timeline/{ident}"]
            sizes = [len(server.good(place).body) for place in places]
            files = len(os.listdir(f"/proc/{server.process.pid}/fd"))
            gone = 0
            for at in range(self.some(200)):
                with socket.create_connection(("127.0.0.1", server.port), timeout=10) as made:
                    made.sendall(f"GET {places[at % len(places)]}?token={server.token} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
                    made.recv(4096 if at % 3 else 65536)
                    made.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0" if at % 2 else b"\0" * 8)
                    gone += 1
            end = time.monotonic() + serving.SECONDS
            while len(os.listdir(f"/proc/{server.process.pid}/fd")) > files and time.monotonic() < end:
                time.sleep(0.05)
            left = len(os.listdir(f"/proc/{server.process.pid}/fd"))
            assert left <= files, (left, files)
            assert [len(server.good(place).body) for place in places][1:3] == sizes[1:3]
            return f"{gone} browsers went away in answers of {min(sizes) >> 10} to {max(sizes) >> 10} KiB; open files before {files}, after {left}; the next download is whole"

    # ---- Anything -----------------------------------------------------------------------------------------------------

    def fuzz(self):
        """A client that sends requests that were changed at random."""
        seconds = max(3, self.seconds // 100) if self.short else self.seconds
        folder = self.served()
        shutil.copytree(tool.DATA / "tt-ops-folder/logs", folder / "logs")
        counts = {}
        with serving.Server(folder) as server:
            idents = [card["id"] for card in server.cards().values()]
            end = time.monotonic() + seconds

            def ask(seed):
                dice, made_here = random.Random(seed), {}
                while time.monotonic() < end:
                    kind = "none"
                    try:
                        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as made:
                            made.sendall(mutated(dice, server, idents))
                            if dice.random() < 0.2:
                                kind = "left"
                            else:
                                made.settimeout(2)
                                got = made.recv(65536)
                                kind = got.split(b" ")[1].decode("latin-1") if got.startswith(b"HTTP/") and b" " in got else "shut" if not got else "other"
                                while got and dice.random() < 0.7:
                                    got = made.recv(65536)
                    except OSError as error:
                        kind = "still" if isinstance(error, TimeoutError) else "reset"
                    made_here[kind] = made_here.get(kind, 0) + 1
                return made_here

            with concurrent.futures.ThreadPoolExecutor(16) as threads:
                for one in threads.map(ask, range(16)):
                    for kind, number in one.items():
                        counts[kind] = counts.get(kind, 0) + number
            assert "500" not in counts, counts
            server.good("/api/profiles")
            memory = server.memory()
        told = ", ".join(f"{kind} {number}" for kind, number in sorted(counts.items()))
        return f"{sum(counts.values())} requests in {seconds} s{' under sanitizers' if tool.SANITIZED else ''}: {told}; memory at the end {memory >> 20} MiB; it ended well"


def mutated(dice, server, idents):
    ident = dice.choice(idents)
    place = dice.choice(["/", "/api/profiles", f"/api/profiles/{ident}", f"/api/profiles/{ident}?again=1", f"/profile/{ident}", f"/pages/timeline/{ident}", f"/pages/report/{ident}",
                         f"/pages/compare/{ident}/{dice.choice(idents)}", f"/download/{ident}/{dice.choice(['perfetto', 'chrome', 'slices', 'none'])}", f"/archive/{ident}/{dice.choice(['device', 'ops', 'serve'])}",
                         f"/api/profiles/{ident}/trace/head", f"/api/profiles/{ident}/trace/{dice.choice(['tiles', 'blocks/0/0/100', 'blocks/9/-1/x', f'blocks/0/{dice.getrandbits(64)}/{dice.getrandbits(64)}', 'none'])}"
                         f"?{dice.choice(['', 'rows=0', 'rows=0,1,2&from=0&to=1000&columns=10', f'rows={dice.getrandbits(40)}&from=-5&to=5&columns=99999999', 'after=1'])}",
                         f"/api/profiles/{ident}/tables/{dice.choice(['operators', 'overview', 'cores', 'calls', 'call_cores', 'runs', 'losses', 'none'])}"
                         f"?{dice.choice(['', 'columns=help', 'sort=-start', 'limit=3', 'filter=call%3D2', 'filter=x', 'sort=%ff', 'limit=99999999999999999999'])}"])
    place += ("&" if "?" in place else "?") + f"token={server.token}"
    head = [f"{dice.choice(['GET'] * 8 + ['HEAD', 'POST', 'PUT', 'OPTIONS', 'get', 'CONNECT'])} {place} HTTP/1.{dice.choice('11110')}",
            f"Host: {dice.choice(['127.0.0.1', 'localhost', f'127.0.0.1:{server.port}'] * 3 + ['evil', ''])}"]
    head += dice.choices(["Origin: null", "Content-Length: 5", "Transfer-Encoding: chunked", "Connection: keep-alive", "Expect: 100-continue", "Range: bytes=0-10",
                          "Authorization: Bearer x", " folded", "X: " + "y" * 20_000, "If-None-Match: *", "Upgrade: websocket"], k=dice.choice([0, 0, 0, 1, 2, 4]))
    made = bytearray("\r\n".join([*head, "", "0123456789" * dice.randrange(3)]).encode())
    for _ in range(dice.choice([0, 0, 0, 1, 2, 8])):
        at = dice.randrange(len(made) + 1)
        made[at:at + dice.choice([0, 0, 1, 30])] = dice.choice([dice.randbytes(dice.randrange(9)), b"", bytes(made[at:at + 200])])
    return bytes(made)


NAMES = ["rebinding", "origins", "traversal", "markup", "body", "drips", "downloads", "fuzz"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("attack", nargs="*", choices=[*NAMES, []])
    given = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        attacks = Attacks(folder, given.seconds, given.short)
        for name in given.attack or NAMES:
            started = time.monotonic()
            try:
                said = getattr(attacks, name)()
            except AssertionError as error:
                said, failed = f"FAILED: {error}", failed + 1
            print(f"{name} ({time.monotonic() - started:.0f} s): {said}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
