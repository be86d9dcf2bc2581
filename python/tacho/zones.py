"""What a program marks: the parts of it that are easier to say in Python than in C."""
import functools
import inspect
import os
import threading

from . import _record

_record.configure(own_folder=os.path.dirname(os.path.abspath(__file__)) + os.sep)


class Profiler:
    """Calls are recorded between enable and disable, on this thread and on those that are started meanwhile.

        profiler = Profiler()
        profiler.enable()
        function_under_test()
        profiler.disable()

    Also by `with Profiler():`. It does something where a recording is running: under `python3 -m tacho -p`, `tacho record` or TACHO_RECORD. Where the
    whole program is recorded, its calls are recorded already.
    """

    def __init__(self):
        self._enabled = False

    def enable(self):
        if self._enabled or not _record.recording():
            return
        self._enabled = True
        watch_threads()
        _record.attach()

    def disable(self):
        if self._enabled:
            _record.detach()
            self._enabled = False

    def __enter__(self):
        self.enable()
        return self

    def __exit__(self, *raised):
        self.disable()
        return False


def watch_threads():
    """Threads that the program starts are looked at; a profile function that it has for them already stays."""
    if getattr(threading, "_profile_hook", None) is None:
        threading.setprofile(_record.adopt)


def signpost(header, message=None):
    """A moment in the recording, with a headline and, where there is one, a message."""
    _record.message(str(header) if message is None else f"{header}: {message}")


def decorate(zone, function):
    """The function, with the zone around each of its calls. That of a generator or a coroutine is around each part that runs without a break."""
    if inspect.isasyncgenfunction(function):
        raise TypeError("a zone cannot stand around an asynchronous generator")
    if inspect.iscoroutinefunction(function) or inspect.isgeneratorfunction(function):
        @functools.wraps(function)
        def parts(*arguments, **keywords):
            return Parts(zone, function(*arguments, **keywords))
        return inspect.markcoroutinefunction(parts) if hasattr(inspect, "markcoroutinefunction") and inspect.iscoroutinefunction(function) else parts

    @functools.wraps(function)
    def zoned(*arguments, **keywords):
        with zone:
            return function(*arguments, **keywords)
    return zoned


class Parts:
    """A generator or coroutine with a zone around each part: between two of them other tasks may run on the same thread."""

    def __init__(self, zone, inner):
        self._zone = zone
        self._inner = inner

    def __iter__(self):
        return self

    def __await__(self):
        return self

    def __next__(self):
        return self.send(None)

    def send(self, value):
        with self._zone:
            return self._inner.send(value)

    def throw(self, *raised):
        with self._zone:
            return self._inner.throw(*raised)

    def close(self):
        with self._zone:
            return self._inner.close()
