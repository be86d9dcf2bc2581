"""A small history for tests of the server: builds of two models on two devices, with steps that are known."""
import random

import tool
from history_files import NO_BUILD, write_launch, write_runs

MARKUP = "<img src=x onerror=alert(1)>"


def add(store, folder, model, build, device, *, labels=(), launches=5, keep=False, chance, **factors):
    path = folder / f"profiles{sum(1 for _ in folder.iterdir())}"
    path.mkdir()
    for number in range(launches):
        write_launch(path / f"net_l{number}.json", chance, runs=4, **factors)
    words = [word for label in labels for word in ("--label", label)] + ["--keep"] * keep
    result = tool.run("history", "add", "--store", store, "--model", model, "--build", build, "--device", device, "--commit", f"c0ffee{build}"[:40], "--runs", "inference",
                      *words, path, variables=NO_BUILD)
    assert result.code == 0, result.err


def fill(folder, store=None):
    """The store, a file of the folder unless it is given: net on board became slower with b9 (conv) and faster with b17 (dense); what else there is has no change, and names that are markup."""
    chance, store = random.Random(11), store or folder / "store.sqlite"
    for number in range(24):
        factors = {"conv": 1.15 if number >= 9 else 1, "dense": 0.8 if number >= 17 else 1}
        add(store, folder, "net", f"b{number}", "board", labels=["mode=fast"], chance=chance, **factors)
    for number in range(4):
        add(store, folder, "net", f"b{number}", "lab board", labels=["mode=slow"] if number % 2 else ["mode=fast"], launches=2, chance=chance)
    for number in range(2):
        add(store, folder, MARKUP, f"{MARKUP}{number}", f"{MARKUP} device", labels=[f"note={MARKUP}"], launches=1, chance=chance)
    return store


def fill_sessions(folder):
    """Three builds of several models: of the last one's, `slow` and `slower` take longer, `fast` less, `crashes` failed, `fresh` is new, and `old` was not measured; `mended` failed before. Those of the last one are kept."""
    chance, store = random.Random(7), folder / "sessions.sqlite"
    models = {"steady": (1, 1, 1), "slow": (1, 1, 1.1), "slower": (1, 1, 1.5), "fast": (1, 1, 0.8), "old": (1, 1, None), "fresh": (None, None, 1), MARKUP: (1, 1, 1)}
    for number in range(3):
        for model, factors in models.items():
            if factors[number]:
                add(store, folder, model, f"b{number}", "board", launches=2, keep=number == 2, chance=chance, conv=factors[number])
        for model, failed in (("crashes", number == 2), ("mended", number == 1)):
            path = write_runs(folder / f"{model}{number}", chance, launches=1, failed=(1,) if failed else ())
            result = tool.run("history", "add", "--store", store, "--model", model, "--build", f"b{number}", "--commit", f"c0ffeeb{number}", "--device", "board", path, variables=NO_BUILD)
            assert result.code == 0, result.err
    return store
