"""Record Python programs, and ask where the time goes.

    python3 -m tacho script.py                        every call of a program, recorded
    with tacho.zone("load weights", bytes=size): ...  a part of it, by name
    with tacho.run(): ...                             one run of the model; tacho.step() between runs
    tacho.Profiler().enable()                         from here on, under python3 -m tacho -p

    tacho.open("run.pb").table("operators")           what the tool answers, as tables
    tacho.compare("before.pb", "after.pb").verdict    which is faster, and how sure that is

Where nothing is being recorded, a zone costs next to nothing. doc/python.md says all of it.
"""
from ._lazy import __getattr__  # what asks, writes charts and profiles ops
from ._record import recording, run, step, zone
from .zones import Profiler, signpost

__all__ = ["Profiler", "recording", "run", "signpost", "step", "zone"]
