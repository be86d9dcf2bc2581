"""The causes that are planted: of which chain, in which files they can show, and what a reader of the profile should say.

A cause is of a kind:

    costs     something takes time that it need not take: it is named first, with its place and what its removal saves
    dominates nothing is wrong, but one operator is most of the model: it is named as what the model is
    healthy   nothing is wrong, and nothing may be accused
    refused   the companion belongs to another model, and nothing may be said from it
    failed    launches crashed: the side that failed is named and gets no time
"""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Cause:
    """One thing that can be wrong with a run."""

    chain: str  # whose tool chain shows it
    forms: tuple  # kinds of files that can show it
    kind: str  # what is expected, see above
    pairs: bool = False  # may stand in a profile beside another cause


CAUSES = {
    "dma-not-hidden": Cause("torq", ("c1", "c2"), "costs", True),
    "dma-bound": Cause("torq", ("c1", "c2"), "costs", True),
    "slice-idle": Cause("torq", ("c2",), "costs", True),
    "host-program": Cause("torq", ("r2", "r3"), "costs", True),
    "host-copies": Cause("torq", ("r2", "r3"), "costs", True),
    "idle-between": Cause("torq", ("r2", "r3"), "costs", True),
    "over-estimate": Cause("torq", ("r2", "r3"), "costs", True),
    "wrong-dump": Cause("torq", ("r2", "r3"), "refused"),
    "torq-healthy": Cause("torq", ("c1", "c2", "r2", "r3"), "healthy"),
    "portable": Cause("executorch", ("etdump",), "costs", True),
    "layout": Cause("executorch", ("etdump",), "costs", True),
    "small-delegates": Cause("executorch", ("etdump",), "costs", True),
    "low-rate": Cause("executorch", ("etdump",), "costs", True),
    "dominant": Cause("executorch", ("etdump",), "dominates"),
    "warm-up": Cause("executorch", ("etdump",), "healthy"),
    "wrong-record": Cause("executorch", ("etdump",), "refused"),
    "failed-launches": Cause("executorch", ("rundir",), "failed"),
    "executorch-healthy": Cause("executorch", ("etdump",), "healthy"),
    "straggler": Cause("tenstorrent", ("ops", "log"), "costs", True),
    "starved": Cause("tenstorrent", ("ops", "log"), "costs", True),
    "late-start": Cause("tenstorrent", ("ops", "log"), "costs", True),
    "op-gap": Cause("tenstorrent", ("ops", "log"), "costs", True),
    "few-cores": Cause("tenstorrent", ("ops",), "costs", True),
    "memory-bound": Cause("tenstorrent", ("ops",), "costs", True),
    "host-fallback": Cause("tenstorrent", ("ops",), "costs", True),
    "fidelity": Cause("tenstorrent", ("ops",), "costs", True),
    "tenstorrent-healthy": Cause("tenstorrent", ("ops", "log"), "healthy"),
    "late-launches": Cause("gpu", ("kineto", "onnxruntime", "xla"), "costs"),
    "small-kernels": Cause("gpu", ("kineto", "onnxruntime", "xla"), "costs"),
    "unhidden-copies": Cause("gpu", ("kineto", "onnxruntime", "xla"), "costs", True),
    "synchronisations": Cause("gpu", ("kineto", "xla"), "costs"),
    "slow-input": Cause("gpu", ("kineto", "xla"), "costs"),
    "no-tensor-cores": Cause("gpu", ("kineto",), "costs", True),
    "low-occupancy": Cause("gpu", ("kineto",), "costs", True),
    "layout-copies": Cause("gpu", ("kineto", "onnxruntime", "nodes", "xla"), "costs", True),
    "communication": Cause("gpu", ("kineto", "xla"), "costs", True),
    "cpu-fallback": Cause("gpu", ("onnxruntime", "nodes"), "costs"),
    "dominant-kernel": Cause("gpu", ("kineto", "onnxruntime", "nodes", "xla"), "dominates"),
    "gpu-healthy": Cause("gpu", ("kineto", "onnxruntime", "nodes", "xla"), "healthy"),
}

CHAINS = ("torq", "executorch", "tenstorrent", "gpu")


def of_chain(chain):
    """The causes of a chain, the healthy one twice: that nothing is accused is worth as much as two causes."""
    names = [name for name, cause in CAUSES.items() if cause.chain == chain]
    return names + [f"{chain}-healthy"]


def pairs_of_chain(chain):
    """Each two causes that one file can show."""
    names = [name for name, cause in CAUSES.items() if cause.chain == chain and cause.pairs]
    return [(one, other) for at, one in enumerate(names) for other in names[at + 1:]
            if set(CAUSES[one].forms) & set(CAUSES[other].forms)]


def forms_of(names):
    """The kinds of files that can show all of them."""
    return [form for form in CAUSES[names[0]].forms if all(form in CAUSES[name].forms for name in names)]
