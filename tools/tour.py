#!/usr/bin/python3
"""The index of doc/internals.md: a line for every module, taken from the comment that its header opens with.

    tour.py            writes the index into doc/internals.md
    tour.py --check    only says whether it is as it should be: exit code 1 when not

A file opens with `/* name.c: what it is. */`; a header speaks for the source of the same name. Readers, verbs and parts of a module
have no header and no line; programs (the commands, tests, what measures) have a line each.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOUR = ROOT / "doc" / "internals.md"
BEGIN, END = "<!-- index: written by tools/tour.py -->", "<!-- end of the index -->"
OPENING = re.compile(r"/\*\s*([\w.]+):\s+(.*?)(?:\n\s*\*\s*\n|\*/)", re.DOTALL)
# The rooms in the order of the data.
ROOMS = ["src/" + room for room in ("base", "trace", "table", "write", "analyze", "page", "read", "job", "torq", "executorch", "tenstorrent", "gpu", "query", "history", "serve", "record", "cli")] + [
    "tests/programs", "bench"]


def opening(path):
    """The first sentence of the comment that a file opens with; None where it has none."""
    found = OPENING.match(path.read_text())
    if not found or found.group(1) != path.name:
        return None
    text = " ".join(re.sub(r"^\s*\*", "", line).strip() for line in found.group(2).splitlines())
    return re.split(r"(?<=[.!?])\s", text.strip())[0].rstrip(".").strip()


def entries(folder):
    """Name and sentence of every module in a folder, and of every file of a folder of programs."""
    modules = folder.is_relative_to(ROOT / "src") and folder.name != "cli"
    for path in sorted(folder.glob("*.[ch]")):
        if path.suffix == ".c" and (modules or path.with_suffix(".h").exists()):
            continue
        pair = path.suffix == ".h" and path.with_suffix(".c").exists()
        yield f"{path.stem}.[ch]" if pair else path.name, opening(path)


def index():
    lines = [BEGIN, ""]
    for room in ROOMS:
        folder = ROOT / room
        for part in [folder, *sorted(path for path in folder.iterdir() if any(path.glob("*.h")))]:
            lines += [f"**{part.relative_to(ROOT)}/**", ""]
            lines += [f"- `{name}`: {sentence or '?'}" for name, sentence in entries(part)]
            lines.append("")
    return "\n".join(lines + [END])


def main():
    text = TOUR.read_text()
    start, stop = text.index(BEGIN), text.index(END) + len(END)
    fresh = text[:start] + index() + text[stop:]
    if "--check" in sys.argv[1:]:
        return 0 if fresh == text else 1
    TOUR.write_text(fresh)
    return 0


if __name__ == "__main__":
    sys.exit(main())
