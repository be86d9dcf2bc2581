"""Where a recording lies, and how the processes of a program come into it.

The first process records into the file itself, so that it is there from the start and after a crash. Those that it starts record into the folder
FILE.parts-PID: forked ones by the recorder, others by TACHO_RECORD and PYTHONPATH. At the end their recordings are put behind the first one
in the file, and the folder goes.
"""
import atexit
import json
import os
import shutil
import struct
import sys
import time

from . import _record
from .zones import watch_threads

PACKAGE = os.path.dirname(os.path.abspath(__file__))
CHILDREN = os.path.join(PACKAGE, "children")
CHUNK = 65536  # bytes of a chunk of a recording: doc/formats/recording.md has this and the head
HEAD = struct.Struct("<8s6I3Q5I")
OPEN = 1  # state of a recording that is not finished


class Settings:
    """What is recorded, as it is handed from process to process."""

    def __init__(self, partial=False, lines=False, include=(), exclude=(), min_duration=0, max_depth=0, c_calls=True):
        self.partial = partial
        self.lines = lines
        self.include = list(include)
        self.exclude = list(exclude)
        self.min_duration = min_duration  # nanoseconds
        self.max_depth = max_depth
        self.c_calls = c_calls

    def apply(self):
        _record.configure(mode=_record.PARTIAL if self.partial else _record.WHOLE, lines=self.lines, c_calls=self.c_calls,
                          include=tuple(os.fsencode(glob) for glob in self.include),
                          exclude=tuple(os.fsencode(glob) for glob in self.exclude),
                          min_duration=self.min_duration, max_depth=self.max_depth)
        _record.calibrate()

    def as_text(self):
        return json.dumps(vars(self))


def name_output(given, program):
    """NAME-DATE.tacho where nothing is asked for, or in the folder that is."""
    stem = os.path.splitext(os.path.basename(program))[0] or "python"
    name = f"{stem}-{time.strftime('%Y%m%d-%H%M%S')}.tacho"
    if given is None:
        return name
    return os.path.join(given, name) if os.path.isdir(given) else given


class Recording:
    """Of the first process, from `begin` to the end of the interpreter."""

    def __init__(self, settings, out, program):
        self.settings = settings
        self.started = not _record.recording()  # else TACHO_RECORD, perhaps of `tacho record`, did
        self.out = name_output(out, program) if self.started else None
        self.process = os.getpid()
        if self.started:
            self.path = os.path.abspath(self.out)  # wherever the program goes
            self.folder = f"{self.path}.parts-{self.process}"
            self.converts = not self.out.endswith(".tacho")
            self.file = os.path.join(self.folder, "first.tacho") if self.converts else self.path

    def begin(self):
        """OSError: it cannot be written."""
        if self.started:
            os.mkdir(self.folder)
            try:
                _record.start(self.file, self.folder + os.sep)
            except OSError:
                os.rmdir(self.folder)
                raise
            os.environ["TACHO_RECORD"] = self.folder + os.sep
        self.settings.apply()
        tell_children(self.settings)
        os.register_at_fork(after_in_child=_record.forked)
        watch_threads()
        atexit.register(self.end)

    def end(self):
        if os.getpid() != self.process:
            return
        _record.stop()
        if not self.started:
            return
        try:
            self.finish()
        except Exception as error:  # whatever it is, the program has ended, and its recording is there
            say(f"{self.out} could not be completed: {error}; what was recorded is in {self.folder}")

    def finish(self):
        """Children that still run keep their files in the folder."""
        parts = find_parts(self.folder)
        done = [part for part in parts if part.path != self.file and not part.runs()]
        running = [part for part in parts if part.path != self.file and part.runs()]
        if done:
            join(self.file, done)
        for part in done:
            os.unlink(part.path)
        if self.converts:
            from . import answers
            answers.convert([self.file], self.path)
            os.unlink(self.file)
        if not running:
            shutil.rmtree(self.folder, ignore_errors=True)
        count = 1 + len(done)
        say(f"{self.out}: {count} process{'es' if count > 1 else ''}, {size_text(os.path.getsize(self.path))}; "
            f"`tacho operators {self.out}` tells where the time went")
        if running:
            say(f"{len(running)} process{'es' if len(running) > 1 else ''} still recording to {self.folder}")


def say(text):
    try:
        print(f"tacho: {text}", file=sys.__stderr__, flush=True)
    except (OSError, ValueError, AttributeError):
        pass  # there is no standard error any more


def size_text(size):
    for unit in ("B", "KiB", "MiB"):
        if size < 1024:
            break
        size /= 1024
    else:
        unit = "GiB"
    return f"{size:.0f} B" if unit == "B" else f"{size:.1f} {unit}"


# ---- Children ----


def tell_children(settings):
    """Python programs that this one starts find us by the environment."""
    before = os.environ.get("PYTHONPATH", "")
    if CHILDREN not in before.split(os.pathsep):
        os.environ["PYTHONPATH"] = CHILDREN + (os.pathsep + before if before else "")
    os.environ["TACHO_PYTHON"] = settings.as_text()


def begin_child():
    """In a Python program that a recorded one started. It is recorded from here on, until it ends."""
    try:
        settings = Settings(**json.loads(os.environ["TACHO_PYTHON"]))
    except (ValueError, KeyError, TypeError):
        return
    if not _record.recording():
        return
    settings.apply()
    os.register_at_fork(after_in_child=_record.forked)
    watch_threads()
    _record.name_process(name_of_child())
    atexit.register(_record.stop)
    if not settings.partial:
        _record.attach()


def name_of_child():
    """What it runs, as far as its command line tells."""
    arguments = sys.orig_argv[1:]
    if "--multiprocessing-fork" in arguments:
        return "multiprocessing"
    for at, argument in enumerate(arguments):
        if argument in ("-m", "-c"):
            return f"python {argument} {arguments[at + 1][:60]}" if at + 1 < len(arguments) else argument
        if not argument.startswith("-"):
            return os.path.basename(argument)
    return "python"


# ---- Joining ----


class Part:
    """The recording of one process."""

    def __init__(self, path, head):
        self.path = path
        _, _, _, self.state, _, self.pid, _, _, self.start, _, _, _, _, self.chunks, _ = head

    def runs(self):
        """Whether its process is still there. One that was killed, or left by os._exit, never said that it is done."""
        if self.state != OPEN:
            return False
        try:
            with open(f"/proc/{self.pid}/stat", "rb") as file:
                return file.read().rpartition(b")")[2].split()[0] not in (b"Z", b"X")
        except OSError:
            return False


def find_parts(folder):
    """In the order in which they began."""
    found = []
    for entry in os.scandir(folder):
        if not entry.name.endswith(".tacho"):
            continue
        with open(entry.path, "rb") as file:
            head = file.read(HEAD.size)
        if len(head) == HEAD.size and head.startswith(b"tachorec"):
            found.append(Part(entry.path, HEAD.unpack(head)))
    return sorted(found, key=lambda part: part.start)


def join(first, parts):
    """Puts recordings behind the first, without the room that they had reserved. The file is complete under its name, or as it was."""
    joined = f"{first}.joined-{os.getpid()}"
    try:
        with open(joined, "wb") as out:
            with open(first, "rb") as file:
                shutil.copyfileobj(file, out, 1 << 20)
            for part in parts:
                with open(part.path, "rb") as file:
                    for _ in range(part.chunks):
                        chunk = file.read(CHUNK)
                        out.write(chunk.ljust(CHUNK, b"\0") if chunk else b"")
        os.replace(joined, first)
    except OSError:
        if os.path.exists(joined):
            os.unlink(joined)
        raise
