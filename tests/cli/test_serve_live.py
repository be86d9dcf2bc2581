"""tacho serve --live: programs, files and boards that are followed while they record and write."""
import collections
import concurrent.futures
import contextlib
import json
import os
import pathlib
import signal
import socket
import subprocess
import threading
import time

import pytest

import serving
import tool
from serving import Server, quote

RUNTIME = (tool.ROOT / "examples" / "mobilenet" / "runtime.csv").read_text().splitlines(keepends=True)
# Of files under the eyes of those who ask, and as many cuts. Where a trace and its note are not changed at once, every third at least shows the
# note beside the trace before, so that 40 miss it once in ten million runs; make test-long does 200.
REPLACEMENTS = int(os.environ.get("TACHO_REPLACEMENTS", "20"))
ZONES = tool.BUILD / "tests" / "zones"

pytestmark = pytest.mark.waits


@contextlib.contextmanager
def program(address, *case):
    """A program that records and listens."""
    made = subprocess.Popen([ZONES, *case], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env=tool.environment(TACHO_LIVE=address))
    try:
        said = made.stdout.readline().split()
        made.address, made.token = said
        yield made
    finally:
        made.kill()
        made.wait()
        for stream in (made.stdin, made.stdout, made.stderr):
            with contextlib.suppress(BrokenPipeError):
                stream.close()


def free_address():
    return f"127.0.0.1:{tool.free_port()}"


def sources(server):
    return server.good("/api/live").json()["sources"]


def wait_for(server, name, condition):
    """The source of this name, as soon as it fits."""
    end = time.monotonic() + serving.SECONDS
    while True:
        found = [source for source in sources(server) if source["name"] == str(name)]
        if found and condition(found[0]):
            return found[0]
        assert time.monotonic() < end, found
        time.sleep(0.05)


def head(server, source):
    return server.good(f"/api/live/{source['trace']}/head").json()


def in_state(state):
    return lambda source: source["state"] == state


def has(slices):
    return lambda source: source["slices"] >= slices


# ---- Programs --------------------------------------------------------------------------------------------------------


def test_the_viewer_is_first(tmp_path):
    address = free_address()
    with Server("--live", address, cwd=tmp_path) as server:
        assert any("/live?token=" in line for line in server.said), server.said
        waiting = wait_for(server, address, lambda source: source["said"] == "no program answers there yet")
        assert waiting["kind"] == "program" and waiting["trace"] is None and waiting["state"] == "waiting"
        with program(address, "lines") as made:
            wait_for(server, address, in_state("connected"))
            for line in ("one", "two"):
                made.stdin.write(line + "\n")
                made.stdin.flush()
            source = wait_for(server, address, has(4))
            assert source["title"] == "zones" and source["pid"] == made.pid
            made.stdin.close()
            assert made.wait(timeout=serving.SECONDS) == 0
        ended = wait_for(server, address, in_state("ended"))
        assert ended["said"] == "the program has ended its recording, and all of it came" and not ended["following"]
        assert head(server, ended)["counts"]["slices"] == 4


def test_a_program_that_is_killed(tmp_path):
    address = free_address()
    with Server("--live", address, cwd=tmp_path) as server, program(address, "wait") as made:
        before = wait_for(server, address, has(100))
        made.send_signal(signal.SIGKILL)
        ended = wait_for(server, address, in_state("ended"))
        assert "it was killed, or crashed" in ended["said"] and "lost" in ended["said"]
        assert ended["slices"] >= before["slices"] and head(server, ended)["finished"] is True


def test_an_address_that_comes_by_post(tmp_path):
    address = free_address()
    with Server(cwd=tmp_path) as server:
        assert sources(server) == []
        with program(address, "wait") as made:
            told = server.good(f"/api/live?address={quote(address)}", method="POST").json()
            source = wait_for(server, address, has(10))
            assert told == {"source": source["id"]} and not source["given"]
            assert server.good(f"/api/live?address={quote(address)}", method="POST").json() == told
            assert server.good(f"/api/live/{source['id']}/keep?seconds=1", method="POST").json() == told
            wait_for(server, address, lambda source: source["forgotten"] > 0)
            made.stdin.write("\n")
            made.stdin.flush()
        wait_for(server, address, in_state("ended"))
        server.good(f"/api/live/{source['id']}/end", method="POST")
        assert server.get(f"/api/live/{source['trace']}/head").status in (200, 404)
        end = time.monotonic() + serving.SECONDS
        while sources(server):
            assert time.monotonic() < end
            time.sleep(0.05)


def test_a_wrong_token(tmp_path):
    address = free_address()
    with Server(cwd=tmp_path) as server, program(address, "wait") as made:
        server.good(f"/api/live?address={quote(address)}&program_token={'0' * 32}", method="POST")
        failed = wait_for(server, address, in_state("failed"))
        assert failed["said"] == f"{address} does not take the token" and failed["slices"] == 0
        server.good(f"/api/live?address={quote(address)}&program_token={made.token}", method="POST")
        wait_for(server, address, has(10))


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 200 OK\r\n\r\nhello", b"tacholiv", b"tacholiv" + bytes(1000), bytes(range(256)) * 16], ids=["nothing", "web", "part", "zeros", "bytes"])
def test_an_address_that_speaks_nonsense(tmp_path, answer):
    """What it says reaches nobody."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        address = f"127.0.0.1:{listening.getsockname()[1]}"

        def speak():
            with contextlib.suppress(OSError):
                made, _ = listening.accept()
                with made:
                    made.sendall(answer)
                    time.sleep(0.2)

        thread = threading.Thread(target=speak, daemon=True)
        thread.start()
        with Server(cwd=tmp_path) as server:
            server.good(f"/api/live?address={quote(address)}", method="POST")
            failed = wait_for(server, address, lambda source: source["state"] in ("failed", "ended"))
            assert failed["slices"] == 0 and failed["generation"] == 0
            assert failed["said"]
        thread.join(timeout=serving.SECONDS)


@pytest.mark.parametrize("address", ["", "nowhere", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:70000", "a b:1", "/etc/passwd:1", "user@host:1", "host:/file", "-oProxyCommand=x:1:x", "x" * 300 + ":1"])
def test_what_is_no_address(tmp_path, address):
    with Server(cwd=tmp_path) as server:
        refused = server.get(f"/api/live?address={quote(address)}", method="POST")
        assert refused.status == 400 and "HOST:PORT" in refused.json()["error"], refused.text
        assert sources(server) == []


def test_there_is_a_limit(tmp_path):
    with Server(cwd=tmp_path) as server:
        for number in range(16):
            server.good(f"/api/live?address=127.0.0.1:{number + 1}", method="POST")
        refused = server.get("/api/live?address=127.0.0.1:99", method="POST")
        assert refused.status == 503 and "16 sources are followed already" in refused.json()["error"]
        assert server.good("/api/live").json()["room"] == 0


def test_who_may_change_something(tmp_path):
    with Server(cwd=tmp_path) as server:
        path = "/api/live?address=127.0.0.1:1"
        assert server.get(path, method="POST", token=False).status == 401
        assert server.get(path, method="POST", headers={"Origin": "http://evil.example"}).status == 403
        assert server.get(path, method="POST", headers={"Host": "evil.example"}).status == 421
        assert server.get(path, method="POST", data=b"address=127.0.0.1:1").status == 413
        assert server.get("/api/profiles", method="POST").status == 405
        assert server.get("/api/live/0000/end").status == 405
        assert server.get("/api/live/0000/end", method="POST").status == 404
        assert server.get("/api/live/0000/keep?seconds=0", method="POST").status == 400
        assert server.get("/api/live/0000/head").status == 404
        assert sources(server) == []


def test_recordings_that_grow(tmp_path):
    path = tmp_path / "run.tacho"
    with Server("--live", path, cwd=tmp_path) as server:
        wait_for(server, path, lambda source: source["said"] == "the file is not there yet")
        made = subprocess.Popen([ZONES, "wait"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=tool.environment(TACHO_RECORD=str(path)))
        wait_for(server, path, has(100))
        made.communicate(b"\n")
        assert wait_for(server, path, in_state("ended"))["title"] == "zones"


# ---- Logs ------------------------------------------------------------------------------------------------------------


def test_a_log_that_grows_line_by_line(tmp_path):
    path = tmp_path / "runtime.csv"
    with Server("--live", path, cwd=tmp_path) as server:
        wait_for(server, path, lambda source: source["said"] == "the file is not there yet")
        path.touch()
        wait_for(server, path, lambda source: source["said"] == "it is empty")
        with path.open("a") as log:
            for number, line in enumerate(RUNTIME[:200]):
                log.write(line[:7])
                log.flush()
                log.write(line[7:])
                log.flush()
                if number in (30, 60, 120):
                    time.sleep(0.3)
        source = wait_for(server, path, lambda source: source["silent_ms"] and source["silent_ms"] > 500)
        assert source["state"] == "connected" and source["lost"] == 0 and source["title"].startswith("Torq runtime log")
        with path.open("a") as log:
            log.writelines(RUNTIME[200:])
        time.sleep(1)
        assert wait_for(server, path, lambda source: source["silent_ms"] > 500)["slices"] > source["slices"]


def test_a_log_that_is_there_with_what_belongs_to_it(tmp_path):
    """As it is read by the other verbs: a folder that was not there when the server started is no obstacle."""
    for name in ("runtime.csv", "deep/runtime.csv"):
        (tmp_path / "deep").mkdir(exist_ok=True)
        (tmp_path / "runtime.csv").write_text("".join(RUNTIME))
        with Server("--live", name, "--live", "later/runtime.csv", cwd=tmp_path) as server:
            (tmp_path / "later").mkdir(exist_ok=True)
            for late in (name, "later/runtime.csv"):
                (tmp_path / late).write_text("".join(RUNTIME))
                source = wait_for(server, late, has(20))
                assert source["state"] == "connected" and source["lost"] == 0


def test_a_log_that_stays_empty(tmp_path):
    path = tmp_path / "runtime.csv"
    path.touch()
    with Server("--live", path, cwd=tmp_path) as server:
        wait_for(server, path, lambda source: "logs of this kind may be written when the program ends" in (source["said"] or ""))
        path.write_text("".join(RUNTIME))
        wait_for(server, path, has(20))


@pytest.mark.parametrize("how, said", [("cut", "cut"), ("replaced", "replaced")])
def test_a_log_that_is_not_the_same_any_more(tmp_path, how, said):
    path = tmp_path / "runtime.csv"
    path.write_text("".join(RUNTIME[:100]))
    with Server("--live", path, cwd=tmp_path) as server:
        before = wait_for(server, path, has(10))
        if how == "cut":
            path.write_text("".join(RUNTIME[:50]))
        else:
            (tmp_path / "other").write_text("".join(RUNTIME[:50]))
            (tmp_path / "other").rename(path)
        after = wait_for(server, path, lambda source: source["note"] and source["slices"] > 0)
        assert said in after["note"] and after["trace"] != before["trace"] and after["slices"] < before["slices"]


def test_what_is_no_log(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("no profile\n" * 10)
    with Server("--live", path, "--live", tmp_path, cwd=tmp_path) as server:
        wait_for(server, path, lambda source: source["said"] == "its first 110 bytes are of no format that is known")
        assert "it is no file" in wait_for(server, tmp_path, in_state("failed"))["said"]


def test_a_board(tmp_path):
    """Through an ssh that runs here what it is told to run there."""
    path = tmp_path / "it's a log.csv"
    ssh = tmp_path / "ssh"
    ssh.write_text('#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift 2\necho "Welcome!"\nexec sh -c "$*"\n')
    ssh.chmod(0o755)
    name = f"user@board:{path}"
    path.write_text("".join(RUNTIME[:100]))
    with Server("--live", name, cwd=tmp_path, variables={"TACHO_SSH": str(ssh)}) as server:
        before = wait_for(server, name, has(10))
        assert before["kind"] == "board"
        with path.open("a") as log:
            log.writelines(RUNTIME[100:300])
        wait_for(server, name, has(before["slices"] + 10))
    deadline = time.monotonic() + serving.SECONDS
    while any(str(path).encode() in command.read_bytes() for command in pathlib.Path("/proc").glob("[0-9]*/cmdline") if command.exists()):
        assert time.monotonic() < deadline, "the tail goes on"
        time.sleep(0.1)


def test_a_board_that_does_not_answer(tmp_path):
    ssh = tmp_path / "ssh"
    ssh.write_text("#!/bin/sh\necho 'ssh: connect to host board port 22: No route to host' >&2\nexit 255\n")
    ssh.chmod(0o755)
    with Server("--live", "user@board:/log.csv", cwd=tmp_path, variables={"TACHO_SSH": str(ssh)}) as server:
        source = wait_for(server, "user@board:/log.csv", lambda source: "No route to host" in (source["said"] or ""))
        assert source["state"] == "waiting" and "it is tried again" in source["said"]


# ---- Events ----------------------------------------------------------------------------------------------------------


class Events:
    """A stream of events."""

    def __init__(self, server):
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=serving.SECONDS)
        self.socket.sendall(f"GET /api/live/events?token={server.token} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        self.file = self.socket.makefile("rb")
        self.status = int(self.file.readline().split()[1])
        self.headers = {}
        while (line := self.file.readline().strip()):
            key, value = line.decode().split(": ", 1)
            self.headers[key] = value

    def next(self):
        while True:
            line = self.file.readline()
            if not line:
                return None
            if line.startswith(b"data: "):
                return json.loads(line[6:])

    def close(self):
        self.file.close()
        self.socket.close()


def test_events_say_what_is_new(tmp_path):
    path = tmp_path / "runtime.csv"
    with Server("--live", path, cwd=tmp_path) as server:
        events = Events(server)
        assert events.status == 200 and events.headers["Content-Type"] == "text/event-stream"
        first = events.next()
        assert first["state"] == "waiting" and first["generation"] == 0
        path.write_text("".join(RUNTIME))
        while True:
            event = events.next()
            if event["generation"] > 0:
                break
        assert set(event) == {"source", "state", "trace", "generation", "up_to"} and event["up_to"] > 0
        assert head(server, event)["generation"] >= event["generation"]
        server.process.send_signal(signal.SIGINT)
        while events.next():
            pass
        events.close()
        assert server.process.wait(timeout=serving.SECONDS) == 0


def test_listeners_have_a_limit_and_may_go_away(tmp_path):
    with Server(cwd=tmp_path) as server:
        listening = [Events(server) for _ in range(32)]
        refused = server.get("/api/live/events")
        assert refused.status == 503 and "32 pages listen already" in refused.json()["error"]
        for events in listening:
            events.close()
        # Who is gone is found out by the next sign of life.
        server.good("/api/live?address=127.0.0.1:1", method="POST")
        end = time.monotonic() + serving.SECONDS
        while True:
            events = Events(server)
            events.close()
            if events.status == 200:
                break
            assert time.monotonic() < end
            server.good(f"/api/live?address=127.0.0.1:{1 + int(time.monotonic() * 10) % 9}", method="POST")
            time.sleep(0.2)


@pytest.mark.slow
def test_many_ask_while_it_grows(tmp_path):
    """Whatever they ask for is there, or is gone; and it is told so."""
    address = free_address()
    with Server("--live", address, cwd=tmp_path) as server, program(address, "wait"):
        source = wait_for(server, address, has(10))
        server.good(f"/api/live/{source['id']}/keep?seconds=1", method="POST")
        trace, until, problems = f"/api/live/{source['trace']}", time.monotonic() + 4, []

        def ask():
            while time.monotonic() < until and not problems:
                known = server.good(f"{trace}/head").json()
                place = "/".join(str(number) for number in known["blocks"]["index"])
                answers = [server.get(f"{trace}/blocks/{place}"),
                           server.get(f"{trace}/tiles?rows=0&from={known['begin']}&to={known['end']}&columns=500&generation={known['generation']}"),
                           server.get(f"{trace}/head?after={known['generation']}"), server.get("/api/live")]
                problems.extend(answer.text for answer in answers if answer.status not in (200, 404))

        threads = [threading.Thread(target=ask) for _ in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not problems
        assert wait_for(server, address, in_state("connected"))["forgotten"] > 0


def test_a_killed_server_leaves_no_process(tmp_path):
    server = Server("--live", tmp_path / "log.csv", cwd=tmp_path).__enter__()
    children = pathlib.Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split()
    assert children
    server.process.kill()
    server.process.communicate()
    end = time.monotonic() + serving.SECONDS
    while any(pathlib.Path(f"/proc/{child}").exists() for child in children):
        assert time.monotonic() < end, children
        time.sleep(0.05)


# ---- One state -------------------------------------------------------------------------------------------------------

ANEW = {"replaced": "the file was replaced by another one: the picture begins anew", "cut": "the file was cut: the picture begins anew"}


class Witness:
    """Who looks at sources all the time. What belongs together changes together: each trace has one note, each picture its counts."""

    def __init__(self, server):
        self.server, self.begun = server, time.monotonic()
        self.notes, self.pictures = {}, {}
        self.heard = collections.defaultdict(list)  # by source: the traces that events told, in their order
        self.wrong = {}  # by problem and trace: what was first seen

    def ask(self):
        gone = {source: traces[:-1] for source, traces in self.heard.items()}
        found = sources(self.server)
        for source in found:
            self.look(source, gone.get(source["id"], ()))
        return found

    def hear(self, event):
        if not event["trace"]:
            return
        traces = self.heard[event["source"]]
        if event["trace"] not in traces:
            traces.append(event["trace"])
        self.expect(event["trace"] == traces[-1], event, "an event tells a trace that was followed by another one")

    def expect(self, condition, said, problem):
        if not condition:
            self.wrong.setdefault((problem, said["trace"]), said)

    def is_right(self):
        found = collections.Counter(problem for problem, _ in self.wrong)
        assert not found, f"of {len(self.notes)} traces: {dict(found)}, such as {next(iter(self.wrong.values()))}"

    def look(self, source, gone):
        trace, generation = source["trace"], source["generation"]
        self.expect((source["state"] in ("ended", "failed")) != source["following"], source, "it is followed, and has ended")
        if not trace:
            return
        self.expect(trace not in gone, source, "an event told a later trace")
        self.expect(self.notes.setdefault(trace, source["note"]) == source["note"], source, "the note is another one")
        counts = source["up_to"], source["slices"], source["forgotten"]
        self.expect(self.pictures.setdefault((trace, generation), counts) == counts, source, "the counts are others")
        silent = source["silent_ms"]
        if generation:
            self.expect(source["title"] and silent <= (time.monotonic() - self.begun) * 1000 + 1, source, "the facts are of another trace")
        else:
            self.expect(silent is None and not source["slices"], source, "the facts are of another trace")


def wait_for_new(witness, before):
    """The traces of all sources, as soon as they are others and hold something."""
    end = time.monotonic() + serving.SECONDS
    while True:
        found = {source["name"]: source["trace"] for source in witness.ask() if source["kind"] == "file" and source["slices"]}
        if len(found) == len(before) and all(found[name] != trace for name, trace in before.items()):
            return found
        assert time.monotonic() < end, (before, found)
        time.sleep(0.02)


def begin_anew(witness, paths, rounds):
    """Files that are replaced, all of them at once since that is looked for once a second; then cut, which has another note."""
    traces = wait_for_new(witness, dict.fromkeys(map(str, paths)))
    for _ in range(rounds):
        for path in paths:
            (path.parent / "other").write_text("".join(RUNTIME[:100]))
            (path.parent / "other").rename(path)
        traces = wait_for_new(witness, traces)
        for path in paths:
            path.write_text("".join(RUNTIME[:50]))
        traces = wait_for_new(witness, traces)


def test_a_trace_and_what_is_said_of_it_change_together(tmp_path):
    """Asked at any time, and as soon as an event comes; an address that is posted makes one at any time."""
    paths = [tmp_path / f"{number}.csv" for number in range(10)]
    for path in paths:
        path.write_text("".join(RUNTIME[:100]))
    rounds = -(-REPLACEMENTS // len(paths))
    over = threading.Event()
    with Server(*[word for path in paths for word in ("--live", path)], cwd=tmp_path) as server, concurrent.futures.ThreadPoolExecutor(2) as threads:
        witness, events = Witness(server), Events(server)

        def listen():
            while not over.is_set():
                witness.hear(events.next())
                witness.ask()

        def post():
            while not over.wait(0.02):
                server.good("/api/live?address=127.0.0.1:1", method="POST")
                witness.ask()

        asking = [threads.submit(listen), threads.submit(post)]
        try:
            begin_anew(witness, paths, rounds)
        finally:
            over.set()
            server.good("/api/live?address=127.0.0.1:1", method="POST")
        for one in asking:
            one.result()
        events.close()
    witness.is_right()
    count = rounds * len(paths)
    assert collections.Counter(witness.notes.values()) == {None: len(paths), ANEW["replaced"]: count, ANEW["cut"]: count}


def test_an_end_is_told_when_it_may_begin_again(tmp_path):
    """While a source ends it still counts as followed, and the server asks whoever wants it again to wait."""
    address = free_address()
    with Server("--live", address, cwd=tmp_path) as server:
        witness = Witness(server)
        with program(address, "wait"):
            source = wait_for(server, address, has(10))
            for _ in range(5):
                server.good(f"/api/live/{source['id']}/end", method="POST")
                witness.ask()
                end = time.monotonic() + serving.SECONDS
                while (told := server.get(f"/api/live?address={quote(address)}", method="POST")).status != 200:
                    assert told.status == 503 and told.json()["error"] == f"{address} is just being ended: ask again in a moment"
                    assert time.monotonic() < end
                    witness.ask()
                source = wait_for(server, address, lambda now, before=source["trace"]: now["trace"] != before and now["slices"] >= 10)
        witness.is_right()
