"""Runs `tacho serve` for tests: starts it, asks it, ends it with Ctrl-C."""
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

import tool
import waiting

SECONDS = waiting.LIMIT


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def text(self):
        return self.body.decode("utf-8")

    def json(self):
        return json.loads(self.body)


class Server:
    """`with Server(folder) as server:` serves it on a free port; at the end it must have ended well. Other verbs than serve print something
    before, which is in `out` afterwards."""

    def __init__(self, *words, cwd=None, variables=None, program=None, verb="serve"):
        self.words, self.cwd, self.variables, self.program, self.verb = words, cwd, variables or {}, program or [tool.TACHO], verb

    def __enter__(self):
        words = [str(word) for word in self.words]
        if not {"--port", "-p"} & set(words):
            words = ["--port", str(tool.free_port()), *words]
        self.said = []
        self.process = subprocess.Popen([*self.program, self.verb, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.cwd, text=True,
                                        env=tool.environment(**self.variables))
        for line in self.process.stderr:
            self.said.append(line.rstrip("\n"))
            if line.startswith("Ctrl-C") or ("-q" in words and line.startswith("http://")):
                break
        else:
            raise AssertionError(f"{' '.join(words)} gave {self.process.wait()}: {self.said}")
        found = re.search(r"^http://(\S+):(\d+)/\?token=([0-9a-f]{32})(?:#(\w+))?$", "\n".join(self.said), re.MULTILINE)
        assert found, self.said
        self.host, self.port, self.token, self.part = found[1], int(found[2]), found[3], found[4]
        return self

    def __exit__(self, kind, error, trace):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            out, err = self.process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        if kind is None:
            assert self.process.returncode == 0, (self.process.returncode, err)
            assert err == "" and (out == "" or self.verb != "serve"), (out, err)
            self.out = out

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}"

    def get(self, path, token=True, headers=None, method="GET", data=None):
        if token:
            path += ("&" if "?" in path else "?") + "token=" + self.token
        request = urllib.request.Request(self.address + path, headers=headers or {}, method=method, data=data)
        try:
            with urllib.request.urlopen(request, timeout=SECONDS) as got:
                return Answer(got.status, got.headers, got.read())
        except urllib.error.HTTPError as refused:
            with refused:
                return Answer(refused.code, refused.headers, refused.read())

    def good(self, path, **options):
        got = self.get(path, **options)
        assert got.status == 200, (path, got.status, got.text[:500])
        return got

    def raw(self, request, wait=SECONDS):
        """Sends bytes as they are, and returns all that comes back."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=wait) as made:
            made.sendall(request)
            parts = []
            while True:
                try:
                    part = made.recv(65536)
                except ConnectionResetError:
                    break
                if not part:
                    break
                parts.append(part)
            return b"".join(parts)

    def list(self):
        """What is served, once every file was read."""
        end = time.monotonic() + SECONDS
        while True:
            listing = self.good("/api/profiles").json()
            if not listing["waiting"]:
                return listing
            assert time.monotonic() < end, listing
            time.sleep(0.02)

    def cards(self):
        return {card["name"]: card for card in self.list()["profiles"]}

    def wait_for(self, condition):
        """The cards, as soon as they fit."""
        end = time.monotonic() + SECONDS
        while True:
            cards = self.cards()
            if condition(cards):
                return cards
            assert time.monotonic() < end, cards
            time.sleep(0.1)

    def private_folders(self, above):
        return sorted(pathlib.Path(above).glob("tacho-serve-*"))

    def memory(self):
        """Bytes in memory now."""
        pages = int(pathlib.Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGESIZE")


def quote(text):
    return urllib.parse.quote(text, safe="")
