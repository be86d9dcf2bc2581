"""What a history costs: history.py [--builds N] [--devices N] [--launches N] [--operators N] [--stores sqlite,one,two] [--folder FOLDER]

Fills each store with the same synthetic profiles (bench/history.c), one for each build and device, and asks it what people ask, of one device. Rows are those of operators, of which
each launch has so many; processor seconds are of the client and of the servers, merging of parts included, until they are quiet. In the end profiles come one by one, each from a process of its own. The stores are a SQLite file, a
ClickHouse server, and two of it that are a cluster; answers of all are compared.
"""
import argparse
import hashlib
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("TACHO_BUILD") or ROOT / "build")
sys.path.insert(0, str(ROOT / "tests"))

import clickhouse  # noqa: E402 (its path was just added)


class Store:
    def __init__(self, name, url, servers, path=None):
        self.name, self.url, self.servers, self.path = name, str(url), servers, path

    def server_seconds(self):
        seconds = 0.0
        for server in self.servers:
            words = pathlib.Path(f"/proc/{server.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
            seconds += (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
        return seconds

    def settle(self):
        """Until no parts are merged any more."""
        quiet = 0
        while quiet < 5 and self.servers:
            quiet = quiet + 1 if all(server.ask("SELECT count() FROM system.merges") == [["0"]] for server in self.servers) else 0
            time.sleep(0.2)

    def bytes(self):
        if self.path:
            return self.path.stat().st_size
        database = self.url.split("/")[-1].split("?")[0]
        return sum(int(server.ask(f"SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = '{database}'")[0][0]) for server in self.servers)


def client_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def fill(store, asked):
    words = [str(number) for number in (asked.builds, asked.launches, asked.operators, asked.devices)]
    servers, start = store.server_seconds(), time.monotonic()
    said = subprocess.run([BUILD / "bench" / "history", store.url, *words], check=True, capture_output=True, text=True).stdout.split()
    wall = time.monotonic() - start
    store.settle()
    rows, profiles, client, servers = int(said[0]), int(said[1]), float(said[2]) + float(said[3]), store.server_seconds() - servers
    print(f"{store.name:7} {rows:>11,} rows of {profiles:,} profiles in {wall:.1f} s; {rows / client / 1e6:.2f} M rows per CPU second of the client"
          + (f", {rows / servers / 1e6:.2f} M of the servers" if servers else "") + f"; {store.bytes() / rows:.1f} bytes a row on disk", flush=True)


def add_alone(store, asked, count=50):
    """Profiles that come one by one, each from a process of its own, as devices send them."""
    servers, client, start = store.server_seconds(), client_seconds(), time.monotonic()
    for number in range(count):
        subprocess.run([BUILD / "bench" / "history", store.url, "1", str(asked.launches), str(asked.operators), "1", str(asked.builds + number)], check=True, stdout=subprocess.DEVNULL)
    wall, client = time.monotonic() - start, client_seconds() - client
    store.settle()
    print(f"{store.name:7} {'a profile alone':60} {wall / count:7.3f} s; CPU {client / count:.3f} s client" + (f", {(store.server_seconds() - servers) / count:.3f} s servers" if store.servers else ""), flush=True)


def ask(store, words):
    servers, client, start = store.server_seconds(), client_seconds(), time.monotonic()
    said = subprocess.run([BUILD / "src" / "tacho", "history", *words, "--store", store.url], check=True, capture_output=True).stdout
    wall, client, servers = time.monotonic() - start, client_seconds() - client, store.server_seconds() - servers
    print(f"{store.name:7} {' '.join(words):60} {wall:7.2f} s; CPU {client:.2f} s client" + (f", {servers:.2f} s servers" if store.servers else "")
          + f"  {hashlib.sha256(said).hexdigest()[:8]}", flush=True)
    return said


def questions(builds, every=False):
    """What people ask of a store with so many builds, of one device; and what they ask less often, too."""
    words, middle, last = ["--device", "board00000"], f"b{builds // 2:06}", f"b{builds - 1:06}"
    usual = [["list", "net", *words], ["trend", "net", *words], ["trend", "net", *words, "--operator", "conv2d_007"], ["compare", middle, last, "--model", "net", *words]]
    more = [["list", "--columns", "build,launches,median,least,most", "--sort", "-median"], ["show", last, "--table", "operators"], ["show", middle, "--model", "net"],
            ["trend", "net", *words, "--metric", "device"], ["gate", "--model", "net", *words, "--calibrate"]]
    return usual + [[*question, "--json"] for question in usual + more] if every else usual


def main():
    words = argparse.ArgumentParser()
    words.add_argument("--builds", type=int, default=2000)
    words.add_argument("--devices", type=int, default=1)
    words.add_argument("--launches", type=int, default=5)
    words.add_argument("--operators", type=int, default=200)
    words.add_argument("--stores", default="sqlite,one,two")
    words.add_argument("--folder")
    asked = words.parse_args()
    with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
        folder = pathlib.Path(folder)
        servers = clickhouse.Servers(folder / "servers", cache=512 << 20, pool=4) if asked.stores != "sqlite" else None
        stores = {"sqlite": lambda: Store("SQLite", folder / "store.sqlite", [], folder / "store.sqlite"), "one": lambda: Store("one", servers.one(), servers.servers[:1]),
                  "two": lambda: Store("two", servers.both(), servers.servers)}
        said = {}
        for name in asked.stores.split(","):
            store = stores[name]()
            fill(store, asked)
            for question in questions(asked.builds):
                answer = ask(store, question)
                assert said.setdefault(" ".join(question), answer) == answer, "stores do not agree"
            add_alone(store, asked)
        if servers:
            servers.stop()


if __name__ == "__main__":
    main()
