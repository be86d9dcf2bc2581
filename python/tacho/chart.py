"""Time charts: slices of one's own and profiles of compiler and runtime as one Perfetto trace.

    view = TimeChartView("chart.pb")
    view.render(TimeChartLog("NPU", "DMA", "load weights", 0, 1200))
    csv_to_view_compile_profile("compile", view, "timeline.csv", 2)
    view.flush()

The names are those of the Model Profiler's API. The suffix of a file gives its format: .pb is Perfetto's.
"""
from dataclasses import dataclass

from . import _answers
from .errors import UsageError

TYPE_SLICE_BEGIN = 1  # as Perfetto's TrackEvent has them
TYPE_SLICE_END = 2


@dataclass
class TimeChartLog:
    """A slice: what a thread of a process did from one time to another, in ticks."""

    process: str
    thread: str
    function: str
    start_time: int
    end_time: int


class TimeChartView:
    """A trace that is written. The file is there, complete up to that call, after each `flush`; `close` is a flush that ends it.

    A tick is a nanosecond, unless `tick_rate` says how many there are in a second.
    """

    def __init__(self, filename, tick_rate=0):
        self.filename, self.tick_rate = filename, tick_rate
        self.done = []  # what was drawn: a file that was given its name cannot grow, so one that is drawn on is written anew
        self.closed = False
        self.writer = _answers.Writer(filename, tick_rate=tick_rate)
        self.processes = {}  # the newest of each name
        self.threads = {}  # the same, by process and name

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is None:
            self.close()
        else:
            self.abandon()

    def call(self, name, *arguments):
        """Draws, and remembers what was drawn."""
        if self.closed:
            raise ValueError("the chart is closed")
        if self.writer is None:
            self.writer = _answers.Writer(self.filename, tick_rate=self.tick_rate)
            for earlier in self.done:
                getattr(self.writer, earlier[0])(*earlier[1:])
        answer = getattr(self.writer, name)(*arguments)
        self.done.append((name, *arguments))
        return answer

    def add_process_descriptor(self, name):
        """Registers a process; its number. A name that is there already is another process."""
        self.processes[name] = self.call("add_process", name)
        return self.processes[name]

    def add_thread_descriptor(self, process, thread):
        """Registers a thread under a process, by number or by name; its number."""
        if isinstance(process, str):
            process = self.processes[process] if process in self.processes else self.add_process_descriptor(process)
        self.threads[process, thread] = self.call("add_thread", process, thread)
        return self.threads[process, thread]

    def find_thread(self, log):
        process = self.processes.get(log.process)
        found = self.threads.get((process, log.thread)) if process is not None else None
        return self.add_thread_descriptor(log.process, log.thread) if found is None else found

    def render(self, log):
        """Draws a log, on the newest process and thread of its names; adds them where there are none. Logs come in any order and may
        overlap."""
        self.call("render", self.find_thread(log), log.function, log.start_time, log.end_time)

    def set_track_event(self, time, type, log):
        """One end of a slice, TYPE_SLICE_BEGIN or TYPE_SLICE_END. On one thread these come in order of time, and an end is that of what
        was begun last."""
        if type == TYPE_SLICE_BEGIN:
            self.call("begin", self.find_thread(log), log.function, time)
        elif type == TYPE_SLICE_END:
            self.call("end", self.find_thread(log), time)
        else:
            raise UsageError(f"a track event is TYPE_SLICE_BEGIN or TYPE_SLICE_END, not {type!r}")

    def read(self, name, path, **options):
        """Draws a profile of any format as a process of that name; the rows read, used and lost."""
        return self.call("read", name, path, options)

    def flush(self):
        """Writes all of it to the file."""
        if self.closed:
            raise ValueError("the chart is closed")
        if self.writer is not None:
            writer, self.writer = self.writer, None
            writer.close()

    def close(self):
        if not self.closed:
            self.flush()
            self.closed, self.done = True, []

    def abandon(self):
        """Throws away what was drawn since the last flush."""
        if self.writer is not None:
            self.writer.abandon()
        self.writer, self.closed, self.done = None, True, []


def csv_to_view_compile_profile(view_name, view, csv_path, num_slices=2):
    """Draws a compiler's timeline; issue numbers are taken modulo `num_slices`. The rows read, used and lost."""
    return view.read(view_name, csv_path, format="torq-compile", slices=num_slices)


def csv_to_view_runtime_profile(view_name, view, csv_path):
    """Draws a log of the runtime."""
    return view.read(view_name, csv_path, format="torq-runtime")


def convert_to_perfetto(compile_profile_logs, runtime_profile_logs, pb_path, num_slices=2):
    """Writes a Perfetto trace of named compile and runtime logs (dicts of paths by name; None: none). The rows read, used and lost."""
    inputs = [*(compile_profile_logs or {}).items(), *(runtime_profile_logs or {}).items()]
    return _answers.convert(inputs, pb_path, format="perfetto", options={"slices": num_slices})
