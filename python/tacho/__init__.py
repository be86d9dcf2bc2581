"""Record Python programs, and ask where the time goes.

    python3 -m tacho script.py                        every call of a program, recorded
    with tacho.zone("load weights", bytes=size): ...  a part of it, by name
    with tacho.run(): ...                             one run of the model; tacho.step() between runs
    tacho.Profiler().enable()                         from here on, under python3 -m tacho -p

Where nothing is being recorded, a zone costs next to nothing. doc/python.md says all of it.
"""
from ._record import recording, run, step, zone
from .zones import Profiler, signpost

__all__ = ["Profiler", "recording", "run", "signpost", "step", "zone"]
