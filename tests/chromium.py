"""The one Chromium of a run of the tests: who needs it first starts it, others connect to it, and it ends when the run ends, however that ends.

A run is a process: the one whose number TACHO_SUITE has, else what started pytest's workers, else this one. In its folder is a file with the
browser's address. A keeper, a process of its own, starts the browser, watches the run, and has that file locked for as long as the browser is there.
"""
import fcntl
import os
import pathlib
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile

SERVER = pathlib.Path(__file__).resolve().parent / "browser" / "server.mjs"
PATIENCE = 60  # seconds that a browser has to end in
LONG = 40  # characters of a folder in which the socket of a browser still has a name that is not too long
KEEPERS = []  # that this process started; nobody waits for them


def program(need):
    """TACHO_CHROMIUM; else a browser without windows, which takes a third of the processor time; else one with them. `need` refuses what is not there."""
    return os.environ.get("TACHO_CHROMIUM") or shutil.which("chromium-headless-shell") or need("chromium")


def suite():
    """The process that this run is. Programs that are started from here belong to the same."""
    own = os.getppid() if "PYTEST_XDIST_WORKER" in os.environ else os.getpid()
    return int(os.environ.setdefault("TACHO_SUITE", str(own)))


def folder():
    """Where the processes of this run meet."""
    place = pathlib.Path(tempfile.gettempdir()) / f"tacho-suite-{suite()}"
    place.mkdir(mode=0o700, exist_ok=True)
    assert not place.is_symlink() and place.stat().st_uid == os.geteuid(), f"{place} is somebody else's"
    return place


def locked(file, how=fcntl.LOCK_EX):
    """Takes the lock of a file unless somebody has it."""
    try:
        fcntl.flock(file, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def address(node, chromium, modules):
    """Where the browser of this run answers. It is started if it is not there, or not there any more."""
    place = folder()
    with open(place / "starting", "w", encoding="utf-8") as starting, open(place / "address", "a+", encoding="utf-8") as file:
        fcntl.flock(starting, fcntl.LOCK_EX)
        if locked(file):
            fcntl.flock(file, fcntl.LOCK_UN)
            start(place, node, chromium, modules)
        file.seek(0)
        return file.read().split()[0]


def start(place, node, chromium, modules):
    keeper = subprocess.Popen([sys.executable, __file__, str(suite()), place, node, chromium, modules], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              start_new_session=True)
    with keeper.stdout:
        assert keeper.stdout.readline(), f"{chromium} does not start:\n{(place / 'log').read_text(encoding='utf-8')}"
    KEEPERS.append(keeper)


def end():
    """Ends the browser of this run, and returns the processor seconds that it took: whoever started the run does not wait for it."""
    place = folder()
    seconds = 0.0
    with open(place / "address", "a+", encoding="utf-8") as file:
        if not locked(file):
            file.seek(0)
            os.kill(int(file.read().split()[1]), signal.SIGTERM)
            fcntl.flock(file, fcntl.LOCK_EX)
            seconds = float((place / "seconds").read_text(encoding="utf-8"))
    shutil.rmtree(place)
    return seconds


def keep(run, place, node, chromium, modules):
    """Holds a browser until the run ends, somebody ends this, or the browser itself does."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    watched = os.pidfd_open(run)
    profiles = tempfile.mkdtemp(prefix="tacho-", dir="/tmp" if len(str(place)) > LONG else place)
    with open(place / "address", "r+", encoding="utf-8") as file, open(place / "log", "w", encoding="utf-8") as log:
        fcntl.flock(file, fcntl.LOCK_EX)
        server = subprocess.Popen([node, SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True,
                                  env={**os.environ, "TMPDIR": profiles, "TACHO_WEB_MODULES": str(modules), "TACHO_CHROMIUM": str(chromium)})
        try:
            told = server.stdout.readline()
            if told:
                file.truncate(0)
                print(told.strip(), os.getpid(), file=file, flush=True)
                print("started", flush=True)
                ends = select.poll()
                ends.register(watched, select.POLLIN)
                ends.register(server.stdout, select.POLLIN)
                ends.poll()
        finally:
            let_go(server)
            used = resource.getrusage(resource.RUSAGE_CHILDREN)
            (place / "seconds").write_text(str(used.ru_utime + used.ru_stime), encoding="utf-8")
            shutil.rmtree(profiles, ignore_errors=True)
    if select.select([watched], [], [], 0)[0]:
        shutil.rmtree(place)


def let_go(server):
    """What keeps the browser ends it when its input ends; the browser ends, too, when what keeps it is gone."""
    server.stdin.close()
    try:
        server.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


if __name__ == "__main__":
    keep(int(sys.argv[1]), pathlib.Path(sys.argv[2]), *sys.argv[3:])
