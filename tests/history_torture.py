"""Writers of a history in hard times: history_torture.py [--rounds N] [--seed N] [--builds N] [--launches N] [--operators N]

Clients that are killed, servers that are killed and started again, connections that are cut after any byte, a disk that is full: whatever happens, a profile is
there whole or not at all, none is lost that was there, none is there twice, and adding all of them again leaves what an undisturbed writer leaves. In the end all stores get the same
builds (those of bench/history.py), and answer all questions with the same bytes. Prints one line for each; tests/cli/test_history_stores.py does a few rounds of each.
"""
import argparse
import json
import pathlib
import random
import resource
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

TESTS = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(TESTS))
sys.path.append(str(TESTS.parent / "bench"))

import clickhouse
import history as bench
import tool
import waiting
from history_files import NO_BUILD, write_build

FILES = 12
DISK = 64 << 20  # of a server that has little
LEFT = 1 << 20  # bytes that are left on it at most: an undisturbed `add` needs more


class Proxy:
    """Between a client and a server; the connection is cut, or something else done, after so many bytes of both ways together."""

    def __init__(self, port):
        self.target, self.lock, self.left, self.action, self.cuts = port, threading.Lock(), None, None, 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def arm(self, left, action=None):
        with self.lock:
            self.left, self.action = left, action

    def accept(self):
        while True:
            try:
                client = self.listener.accept()[0]
            except OSError:
                return
            try:
                server = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                client.close()
                continue
            threading.Thread(target=self.carry, args=(client, server), daemon=True).start()

    @staticmethod
    def drop(*ends):
        """Ends both ways; whoever reads or writes there finds out."""
        for end in ends:
            try:
                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def carry(self, client, server):
        """Both are closed once nobody uses them: their numbers may be those of others then."""
        back = threading.Thread(target=self.pump, args=(server, client), daemon=True)
        back.start()
        self.pump(client, server)
        back.join()
        client.close()
        server.close()

    def pump(self, source, target):
        try:
            while data := source.recv(65536):
                with self.lock:
                    due = self.left is not None and len(data) >= self.left
                    allowed = self.left if due else len(data)
                    action = self.action if due else None
                    self.left = None if due or self.left is None else self.left - len(data)
                    self.cuts += due
                target.sendall(data[:allowed])
                if due:
                    self.drop(source, target)
                    if action:
                        action()
                    return
        except OSError:
            pass
        self.drop(source, target)

    def close(self):
        self.listener.close()


def add(store, *paths, **options):
    command = [tool.TACHO, "history", "add", "--store", str(store), "--model", "net", "--build", "1", "--commit", "c", "--device", "board", "--runs", "inference", *[str(path) for path in paths]]
    return subprocess.Popen(command, env=tool.environment(**NO_BUILD), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def finish(client):
    out, err = client.communicate(timeout=waiting.LIMIT)
    assert client.returncode != tool.SANITIZER_CODE, err
    return client.returncode, err


def contents(store, folder):
    """All rows of each profile by its id, but for when it was added; {} where there is no history yet."""
    path = pathlib.Path(folder) / "export.json"
    result = tool.run("history", "export", path, "--store", store, variables=NO_BUILD)
    if result.code == 3 and ("no history" in result.err or "empty" in result.err):
        return {}
    assert result.code == 0, result.err
    tables = json.loads(path.read_text())
    operators = {row["operator"]: row for row in tables["operator"]}
    assert len(operators) == len(tables["operator"]), "an operator is there twice"
    assert {row["operator"] for row in tables["operator_time"]} <= set(operators), "an operator is lost"
    found = {row["profile"]: {"profile": [{**row, "added": None}]} for row in tables["profile"]}
    assert len(found) == len(tables["profile"]), "a profile is there twice"
    for name in ("label", "note", "advice", "launch", "run", "part", "engine", "operator_time"):
        for row in tables[name]:
            found[row["profile"]].setdefault(name, []).append({**row, "operator": operators.get(row.get("operator"))})
    return found


class Torture:
    def __init__(self, folder, chance, servers=None):
        self.folder, self.chance, self.servers, self.made = pathlib.Path(folder), chance, servers, 0
        self.profiles = write_build(self.folder / "profiles", chance, FILES)
        reference = self.folder / "reference.sqlite"
        assert finish(add(reference, self.profiles)) == (0, "")
        self.wanted = contents(reference, self.folder)
        assert len(self.wanted) == FILES
        self.counts = {"rounds": 0, "interrupted": 0, "profiles kept": 0}

    def new(self):
        """A store, and what to call at the end of it."""
        self.made += 1
        return self.servers.both(options="retry=4") if self.servers else self.folder / f"{self.made}.sqlite"

    def check(self, store, before):
        """What is there now: whole profiles, and all that were there before."""
        now = contents(store, self.folder)
        for profile, rows in now.items():
            assert rows == self.wanted[profile], "a profile is there in part, or twice"
        assert before <= set(now), "a profile is lost"
        return set(now)

    def complete(self, store, there):
        """Adding all of them again leaves what an undisturbed writer leaves."""
        assert finish(add(store, self.profiles))[0] == 0
        assert self.check(store, there) == set(self.wanted)

    def note(self, interrupted, there):
        self.counts["rounds"] += 1
        self.counts["interrupted"] += interrupted
        self.counts["profiles kept"] += len(there)

    def kill_clients(self, rounds):
        """`kill -9` at any time, so often, each store until it is full."""
        start = time.monotonic()
        self.complete(self.new(), set())
        usual, store, there = time.monotonic() - start, self.new(), set()
        while self.counts["interrupted"] < rounds:
            client = add(store, self.profiles)
            try:
                client.wait(self.chance.uniform(0, usual))
            except subprocess.TimeoutExpired:
                client.send_signal(signal.SIGKILL)
            code, _ = finish(client)
            there = self.check(store, there)
            assert code != 0 or there == set(self.wanted)
            self.note(code != 0, there)
            if there == set(self.wanted):
                store, there = self.new(), set()
        self.complete(store, there)

    def cut_connections(self, rounds):
        """Cut after any byte, several times in one `add`: the client goes on by itself."""
        proxies = [Proxy(server.http) for server in self.servers.servers]
        for _ in range(rounds):
            hosts = ",".join(f"127.0.0.1:{proxy.port}" for proxy in proxies)
            store = f"clickhouse://{hosts}/{self.servers.database()}?cluster=both&retry=1"
            before = sum(proxy.cuts for proxy in proxies)
            client = add(store, self.profiles)
            while client.poll() is None:
                for proxy in proxies:
                    proxy.arm(self.chance.randrange(1, 20_000))
                try:
                    client.wait(0.05)
                except subprocess.TimeoutExpired:
                    continue
            for proxy in proxies:
                proxy.arm(None)
            code, err = finish(client)
            assert code in (0, 3, 4), err
            there = self.check(store, set())
            assert code != 0 or there == set(self.wanted)
            self.note(sum(proxy.cuts for proxy in proxies) > before, there)
            self.complete(store, there)
        for proxy in proxies:
            proxy.close()

    def kill_servers(self, rounds):
        """A server dies after any byte and comes back: the client goes on by itself."""
        for number in range(rounds):
            victim = self.servers[number % 2]
            proxy, killed = Proxy(self.servers[0].http), threading.Event()
            store = f"clickhouse://127.0.0.1:{proxy.port},127.0.0.1:{self.servers[1].http}/{self.servers.database()}?cluster=both&retry=30"

            def die():
                victim.kill()
                killed.set()

            proxy.arm(self.chance.randrange(1, 60_000), die)
            client = add(store, self.profiles)
            while client.poll() is None and not killed.wait(0.01):
                continue
            proxy.arm(None)
            if killed.is_set():
                victim.start()
            code, err = finish(client)
            assert code == 0, err
            there = self.check(store, set())
            assert there == set(self.wanted)
            self.note(killed.is_set(), there)
            self.complete(store, there)
            proxy.close()

    def fill_disks(self, rounds):
        """A file that may not grow beyond any size: an error, and what was there is."""
        whole = self.folder / "whole.sqlite"
        assert finish(add(whole, self.profiles))[0] == 0
        size = whole.stat().st_size
        for _ in range(rounds):
            store, limit = self.new(), self.chance.randrange(1, size * 4)

            def confine():
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

            code, err = finish(add(store, self.profiles, preexec_fn=confine))
            assert code in (0, 3, 4) and (code == 0 or store.name in err), err
            there = self.check(store, set()) if store.exists() and store.stat().st_size else set()
            assert code != 0 or there == set(self.wanted)
            self.note(code != 0, there)
            self.complete(store, there)

    def fill_server_disks(self, rounds):
        """No space is left on a server's disk at any byte of an `add`: an error, what was there is, and once there is space again all goes in."""
        for number in range(rounds):
            disk, database = self.servers[number % 2].disk, self.servers.database()
            store = self.servers.both(database, "retry=1")
            assert finish(add(store, *sorted(self.profiles.iterdir())[:3]))[0] == 0
            before = self.check(store, set())
            disk.fill(self.chance.randrange(LEFT))
            code, err = finish(add(store, self.profiles))
            assert code in (0, 4) and (code == 0 or database in err), (code, err)
            there = self.check(store, before)
            assert code != 0 or there == set(self.wanted)
            disk.clear()
            self.note(code != 0, there)
            self.complete(store, there)
            for server in self.servers.servers:
                server.ask(f"DROP DATABASE {database}")

    def line(self, name):
        return f"{name}: {', '.join(f'{count} {what}' for what, count in self.counts.items())}; nothing lost, nothing twice"


def compare_answers(folder, servers, asked):
    """The same builds in all stores: what is asked of them is answered with the same bytes."""
    words = [str(number) for number in (asked.builds, asked.launches, asked.operators, 1)]
    stores = {"SQLite": folder / "answers.sqlite", "one ClickHouse": servers.one(), "two ClickHouses": servers.both()}
    questions, said = bench.questions(asked.builds, every=True), {}
    for name, store in stores.items():
        subprocess.run([bench.BUILD / "bench" / "history", str(store), *words], check=True, stdout=subprocess.DEVNULL)
        for question in questions:
            result = tool.run("history", *question, "--store", store, variables=NO_BUILD, timeout=600)
            assert result.code == 0, (name, question, result.err)
            assert said.setdefault(tuple(question), result.out) == result.out, f"{name} answers otherwise: {' '.join(question)}"
    return f"{', '.join(stores)}: {asked.builds:,} builds of {asked.launches} launches of {asked.operators} operators, {len(questions)} questions; the same answers, byte by byte"


TASKS = [("SQLite, kill -9 of the client", "files", "kill_clients"), ("SQLite, disk full", "files", "fill_disks"),
         ("ClickHouse, kill -9 of the client", "servers", "kill_clients"), ("ClickHouse, network cut", "servers", "cut_connections"),
         ("ClickHouse, kill -9 of a server in the middle of add", "servers", "kill_servers"), ("ClickHouse, disk of a server full", "small servers", "fill_server_disks")]


def main():
    words = argparse.ArgumentParser()
    for name, usual in (("rounds", 100), ("seed", 1), ("builds", 2000), ("launches", 5), ("operators", 200)):
        words.add_argument(f"--{name}", type=int, default=usual)
    asked = words.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        stores = {"files": None, "servers": clickhouse.Servers(folder / "servers"), "small servers": clickhouse.Servers(folder / "small", disk=DISK)}
        for number, (name, using, what) in enumerate(TASKS):
            place, start = folder / str(number), time.monotonic()
            place.mkdir()
            torture = Torture(place, random.Random(asked.seed), stores[using])
            getattr(torture, what)(asked.rounds)
            print(f"{torture.line(name)} ({time.monotonic() - start:.0f} s)", flush=True)
        print("SQLite: a file has no server to kill and no network to cut", flush=True)
        stores["small servers"].stop()
        print(compare_answers(folder, stores["servers"], asked), flush=True)
        stores["servers"].stop()


if __name__ == "__main__":
    main()
