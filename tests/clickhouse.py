"""ClickHouse servers of the tests' own: Debian's package, on loopback, in a temporary folder, gone with whoever started them."""
import ctypes
import errno
import os
import pathlib
import shutil
import signal
import subprocess
import urllib.error
import urllib.parse
import urllib.request

import pytest

import tool
import waiting

CONFIG = """<yandex>
  <logger><level>error</level><log>{folder}/log</log><errorlog>{folder}/errors</errorlog></logger>
  <http_port>{http}</http_port><tcp_port>{tcp}</tcp_port><listen_host>127.0.0.1</listen_host>
  <path>{folder}/data/</path><tmp_path>{folder}/tmp/</tmp_path>
  <users_config>users.xml</users_config><default_profile>default</default_profile><default_database>default</default_database>
  <mark_cache_size>{cache}</mark_cache_size><timezone>UTC</timezone>
  <remote_servers><both>{shards}</both></remote_servers>
</yandex>
"""
USERS = """<yandex>
  <profiles><default><background_pool_size>{pool}</background_pool_size></default></profiles>
  <users>
    <default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default>
    <keeper><password>se'cr:et@1</password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></keeper>
  </users>
  <quotas><default/></quotas>
</yandex>
"""
SHARD = "<shard><replica><host>127.0.0.1</host><port>{port}</port></replica></shard>"


def program():
    found = shutil.which("clickhouse-server", path=os.environ.get("PATH", "") + ":/usr/sbin")
    if not found and subprocess.run(["apt-cache", "show", "clickhouse-server"], capture_output=True).returncode != 0:
        pytest.skip("this system has no package clickhouse-server")
    assert found, "clickhouse-server is not installed: tools/setup.sh test installs it"
    return found


def die_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


class Disk:
    """A file system of a few bytes that a server alone sees, in memory, and that can be filled up."""

    def __init__(self, folder, size):
        self.folder, self.size, self.process = pathlib.Path(folder), size, None

    def around(self, command):
        """The command that has it; whoever may not mount is root of a world of its own."""
        return ["unshare", "-m" if os.geteuid() == 0 else "-rm", "sh", "-c", f'mount -t tmpfs -o size={self.size} none "$0" && exec "$@"', str(self.folder), *command]

    @property
    def ballast(self):
        return pathlib.Path(f"/proc/{self.process.pid}/root{self.folder}/ballast")

    def fill(self, left):
        """All of it but for so many bytes."""
        with open(self.ballast, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(1 << 16))
            except OSError as error:
                assert error.errno == errno.ENOSPC, error
            file.truncate(max(0, file.tell() - left))

    def clear(self):
        self.ballast.unlink()


class Server:
    def __init__(self, folder, http, tcp, disk=None):
        self.folder, self.http, self.tcp, self.process = pathlib.Path(folder), http, tcp, None
        self.disk = Disk(self.folder / "data", disk) if disk else None

    def start(self):
        command = [program(), f"--config-file={self.folder}/config.xml"]
        with open(self.folder / "out", "ab") as out:
            self.process = subprocess.Popen(self.disk.around(command) if self.disk else command, stdout=out, stderr=out, stdin=subprocess.DEVNULL, preexec_fn=die_with_parent)
        if self.disk:
            self.disk.process = self.process
        waiting.until(self.answers)
        return self

    def answers(self):
        assert self.process.poll() is None, self.errors()
        try:
            return urllib.request.urlopen(f"http://127.0.0.1:{self.http}/ping", timeout=10).read() == b"Ok.\n"
        except OSError:
            return False

    def errors(self):
        return "".join(path.read_text(errors="replace")[-2000:] for path in (self.folder / "out", self.folder / "errors") if path.exists())

    def kill(self):
        """As if its plug had been pulled."""
        self.process.kill()
        self.process.wait()

    def ask(self, sql, user="default", password=""):
        """The rows of an answer, as lists of texts."""
        words = urllib.parse.urlencode({"user": user, "password": password})
        try:
            text = urllib.request.urlopen(f"http://127.0.0.1:{self.http}/?{words}", sql.encode(), timeout=waiting.LIMIT).read().decode()
        except urllib.error.HTTPError as error:
            raise AssertionError(error.read().decode()) from None
        return [line.split("\t") for line in text.splitlines()]


class Servers:
    """So many servers that know each other as the cluster `both`; each with a disk of so many bytes, which is empty after each start."""

    def __init__(self, folder, count=2, cache=64 << 20, pool=2, disk=None):
        ports = set()
        while len(ports) < 2 * count:
            ports.add(tool.free_port())
        ports, self.databases = sorted(ports), 0
        self.servers = [Server(pathlib.Path(folder) / f"server{number}", ports[2 * number], ports[2 * number + 1], disk) for number in range(count)]
        shards = "".join(SHARD.format(port=server.tcp) for server in self.servers)
        for server in self.servers:
            for name in ("data", "tmp"):
                (server.folder / name).mkdir(parents=True)
            (server.folder / "config.xml").write_text(CONFIG.format(folder=server.folder, http=server.http, tcp=server.tcp, cache=cache, shards=shards))
            (server.folder / "users.xml").write_text(USERS.format(pool=pool))
            server.start()

    def __getitem__(self, number):
        return self.servers[number]

    def database(self):
        """A name that none had before."""
        self.databases += 1
        return f"h{os.getpid()}_{self.databases}"

    def one(self, database=None, options=""):
        return f"clickhouse://127.0.0.1:{self[0].http}/{database or self.database()}{'?' if options else ''}{options}"

    def both(self, database=None, options=""):
        return f"clickhouse://{','.join(f'127.0.0.1:{server.http}' for server in self.servers)}/{database or self.database()}?cluster=both{'&' if options else ''}{options}"

    def age(self, database, build, days):
        """As if profiles of a build had been added so many days before: their newest row says so."""
        for server in self.servers:
            if server.ask(f"EXISTS TABLE {database}.profile") == [["1"]]:
                server.ask(f"INSERT INTO {database}.profile SELECT profile, size, added - {days * 86400 * 10**9}, name, chain, model, build, commit_id, device, attempt, written + 1, removed"
                           f" FROM {database}.profile WHERE build = '{build}'")

    def stop(self):
        for server in self.servers:
            server.kill()
