"""Tests in an order by chance: a plugin of pytest, for tests/shaken.py.

    TACHO_SHUFFLE=SEED PYTHONPATH=tests python3 -m pytest -p shuffled ...

Files come in random order, and so do the tests of a file. Where each belongs hangs on the seed and its name and on nothing else: all workers of
pytest-xdist make the same order, and what is chosen with fewer files has the order that it had among all. pytest then puts those together
that share a fixture of the module with parameters, as it always does: such a fixture is made once for each, whatever the order.
"""
import os
import pathlib
import random

import pytest

HERE = str(pathlib.Path(__file__).resolve().parent)
SEED = os.environ["TACHO_SHUFFLE"]

# For finding this file. Programs that tests run shall not find it, nor its neighbours.
os.environ["PYTHONPATH"] = os.pathsep.join(path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path and path != HERE)
if not os.environ["PYTHONPATH"]:
    del os.environ["PYTHONPATH"]


def draw(name):
    return random.Random(f"{SEED} {name}").random()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    def place(item):
        file = item.nodeid.split("::")[0]
        return draw(file), draw(item.nodeid)

    items.sort(key=place)


def pytest_report_header():
    return f"order: TACHO_SHUFFLE={SEED}"
