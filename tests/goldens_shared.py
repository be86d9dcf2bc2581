"""What the comparisons with original tools share: a golden file, its check, and the words for what came out."""
from dataclasses import dataclass
from pathlib import Path
from typing import Callable


class Mismatch(Exception):
    """A difference that nobody documented."""


def shorten(value):
    text = repr(value)
    return text if len(text) <= 300 else text[:300] + " ..."


def same(what, ours, theirs):
    if ours != theirs:
        raise Mismatch(f"{what}: ours {shorten(ours)}, golden {shorten(theirs)}")


def same_text(what, ours, theirs):
    """Long texts, as bytes: the first line that differs says more than both."""
    if ours == theirs:
        return
    left, right = ours.split(b"\n"), theirs.split(b"\n")
    for number, pair in enumerate(zip(left, right), 1):
        if pair[0] != pair[1]:
            raise Mismatch(f"{what}, line {number}: ours {shorten(pair[0])}, golden {shorten(pair[1])}")
    raise Mismatch(f"{what}: ours has {len(left)} lines, golden {len(right)}")


@dataclass
class Golden:
    path: Path  # of the file that an original wrote
    group: str  # whose it is
    check: Callable  # gives the documented differences; raises where there are others
    name: str = ""  # as it is shown

    def __post_init__(self):
        self.name = self.name or f"{self.group}/{self.path.name}"
