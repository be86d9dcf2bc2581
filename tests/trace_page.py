"""A second, slow and plain writer of the page that doc/formats/page.md describes, with made-up slices: what the page shows is
compared with the slices themselves. `trace_page.py SCRIPTS PAGE TRACKS SLICES [NAMES]` writes one to look at.

SCRIPTS is the folder in which tools/pages.sh put trace.js and trace.css.
"""
import base64
import html
import json
import pathlib
import random
import struct
import sys
import zlib
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).resolve().parent.parent
CHUNK = 4096
ELEMENT = 4 << 20


def varint(value):
    made = bytearray()
    while value > 127:
        made.append(value & 127 | 128)
        value >>= 7
    made.append(value)
    return bytes(made)


SMALL = [varint(value) for value in range(1 << 14)]


def varints(values):
    return b"".join([SMALL[value] if value < 1 << 14 else varint(value) for value in values])


@dataclass
class Row:
    track: int
    depth: int
    starts: list = field(default_factory=list)
    ends: list = field(default_factory=list)
    labels: list = field(default_factory=list)  # of a counter: its values, and ends are starts
    counter: bool = False
    arguments: dict = field(default_factory=dict)  # of a slice by its number: [(key, type, value)], text ids where texts are
    flows: dict = field(default_factory=dict)  # of a slice by its number: numbers of flows


class Blocks:
    def __init__(self):
        self.elements = [[]]
        self.sizes = [0]

    def add(self, data):
        press = zlib.compressobj(6, zlib.DEFLATED, -15)
        text = base64.b64encode(press.compress(data) + press.flush()).decode()
        if self.sizes[-1] and self.sizes[-1] + len(text) > ELEMENT:
            self.elements.append([])
            self.sizes.append(0)
        place = [len(self.elements) - 1, self.sizes[-1], len(text)]
        self.elements[-1].append(text)
        self.sizes[-1] += len(text)
        return place


@dataclass
class Trace:
    tracks: list = field(default_factory=list)
    rows: list = field(default_factory=list)
    texts: list = field(default_factory=lambda: [""])
    labels: list = field(default_factory=list)  # (name, operator, location, engine, class): text ids but for the last
    flows: list = field(default_factory=list)  # [(row, slice)]
    runs: list = field(default_factory=list)
    tables: list = field(default_factory=list)
    notes: list = field(default_factory=list)
    title: str = "Made-up trace"

    def text(self, text):
        if text not in self.texts:
            self.texts.append(text)
        return self.texts.index(text)

    def self_times(self):
        """Of each slice: what no slice of the next deeper row takes of it."""
        own = [[end - start for start, end in zip(row.starts, row.ends)] for row in self.rows]
        places = {(row.track, row.depth): number for number, row in enumerate(self.rows)}
        for number, row in enumerate(self.rows):
            above = places.get((row.track, row.depth - 1))
            if row.counter or above is None:
                continue
            at = 0
            parent = self.rows[above]
            for start, end in zip(row.starts, row.ends):
                while at < len(parent.ends) and parent.ends[at] < end:
                    at += 1
                if at < len(parent.ends) and parent.starts[at] <= start:
                    own[above][at] -= end - start
        return own

    def write(self, path, scripts):
        # Labels are numbered by count.
        measures = [[0, 0, 0, 1 << 60, 0] for _ in self.labels]
        for row, own in zip(self.rows, self.self_times()):
            if row.counter:
                continue
            for start, end, label, alone in zip(row.starts, row.ends, row.labels, own):
                measure = measures[label]
                measure[0] += 1
                measure[1] += end - start
                measure[2] += alone
                measure[3] = min(measure[3], end - start)
                measure[4] = max(measure[4], end - start)
        order = sorted(range(len(self.labels)), key=lambda label: -measures[label][0])
        number = {label: at for at, label in enumerate(order)}
        begin = min(row.starts[0] for row in self.rows if row.starts)
        end = max(row.ends[-1] for row in self.rows if row.ends)
        blocks = Blocks()
        head = {
            "version": 1, "title": self.title, "generator": "tacho", "origin": "0", "begin": begin, "end": end,
            "counts": {"slices": sum(len(row.starts) for row in self.rows if not row.counter), "instants": 0,
                       "tracks": len(self.tracks), "labels": len(self.labels), "lost": 0},
            "notes": self.notes, "tracks": self.tracks, "runs": self.runs, "tables": self.tables, "map": None,
            "blocks": {
                "labels": blocks.add(b"".join(varints([*self.labels[label], *[value if measures[label][0] else 0 for value in measures[label]]])
                                              for label in order)),
                "texts": blocks.add(b"".join(text.encode() + b"\0" for text in self.texts)),
            },
        }
        index = [varint(len(self.rows))]
        for row in self.rows:
            self.write_row(row, number, begin, blocks, index)
        head["blocks"]["index"] = blocks.add(b"".join(index))
        head["blocks"]["flows"] = blocks.add(varint(len(self.flows)) + b"".join(
            varints([int(at > 0), len(flow)]) + b"".join(varints(end) for end in flow) for at, flow in enumerate(self.flows))) if self.flows else None
        shell = (ROOT / "web" / "trace.html").read_text()
        # The script of the policy is the one of the build; a page for tests has none.
        shell = "\n".join(line for line in shell.split("\n") if "Content-Security-Policy" not in line)
        body = "".join('<script type="text/plain" class="tacho-blocks">' + "".join(texts) + "</script>\n" for texts in blocks.elements)
        body += '<script type="application/json" id="trace">' + json.dumps(head).replace("<", "\\u003c") + "</script>\n"
        parts = {"title": html.escape(self.title), "style": (scripts / "trace.css").read_text(), "body": body,
                 "script": (scripts / "trace.js").read_text()}
        for name, text in parts.items():
            shell = shell.replace("{{" + name + "}}", text, 1)
        pathlib.Path(path).write_text(shell)

    def write_row(self, row, number, begin, blocks, index):
        chunks = range(0, len(row.starts), CHUNK)
        index.append(varints([row.track, row.depth, int(row.counter), len(chunks)]))
        last = begin
        for first in chunks:
            starts, ends, labels = (column[first:first + CHUNK] for column in (row.starts, row.ends, row.labels))
            gaps = [0] + [start - before for start, before in zip(starts[1:], ends)]
            lengths = [after - start for start, after in zip(starts, ends)]
            if row.counter:
                place = blocks.add(varints(gaps) + struct.pack(f"<{len(labels)}d", *labels))
            else:
                place = blocks.add(varints(gaps) + varints(lengths) + varints([number[label] for label in labels]))
            index.append(varints([len(starts), starts[0] - last, ends[-1] - starts[0], sum(lengths)]))
            if row.counter:
                index.append(struct.pack("<2d", min(labels), max(labels)))
            arguments = self.arguments(row, first, len(starts))
            index.append(varints([*place, *(blocks.add(arguments) if arguments else [0, 0, 0])]))
            last = ends[-1]

    def arguments(self, row, first, count):
        if row.counter or not any(first <= slice < first + count for slice in [*row.arguments, *row.flows]):
            return b""
        made = []
        for slice in range(first, first + count):
            of_slice = row.arguments.get(slice, [])
            made.append(varint(len(of_slice)))
            for key, kind, value in of_slice:
                made.append(varints([key, kind]))
                made.append(struct.pack("<d", value) if kind == 3 else varint(value))
            run = next((at + 1 for at, run in enumerate(self.runs) if run["start"] <= row.starts[slice] < run["end"]), 0)
            flows = row.flows.get(slice, [])
            made.append(varints([run, len(flows), *flows]))
        return b"".join(made)


def made_up(tracks, slices, names, seed=1):
    """Three in eight slices on the first line of a track, the others inside of them; a counter, flows, arguments of some, runs."""
    dice = random.Random(seed)
    trace = Trace()
    operators = [trace.text(f"operator_{at}") for at in range(12)]
    engines = [trace.text(name) for name in ("Compute", "DMA", "Host")]
    location = trace.text("model.py:42")
    trace.texts += [f"kernel_{at}" for at in range(names)]
    first_name = len(trace.texts) - names
    for at in range(names):
        trace.labels.append((first_name + at, 0 if at % 7 == 6 else operators[at % 12], location if at % 5 == 0 else 0, engines[at % 3], at % 9))
    key, weight = trace.text("shape"), trace.text("bytes")
    rare = trace.text("needle [1, 3, 224, 224]")
    groups = max(1, tracks // 10)
    each = slices // tracks
    for group in range(groups):
        trace.tracks.append({"name": f"Device {group}", "parent": -1, "kind": "group"})
        parent = len(trace.tracks) - 1
        for at in range(tracks // groups):
            track = len(trace.tracks)
            trace.tracks.append({"name": f"Engine {at}", "parent": parent, "kind": "slices", "rows": [len(trace.rows), 2], "engine": "Compute"})
            add_lines(trace, track, each, names, dice)
    row = Row(len(trace.tracks), 0, counter=True)
    trace.tracks.append({"name": "Bytes in flight", "parent": 0, "kind": "counter", "unit": "B", "rows": [len(trace.rows), 1]})
    end = max(other.ends[-1] for other in trace.rows)
    for step in range(1000):
        row.starts.append(end * step // 1000)
        row.labels.append(float(dice.randrange(1 << 20)))
    row.ends = row.starts
    trace.rows.append(row)
    trace.runs = [{"start": end * at // 20, "end": end * (at + 1) // 20 - 1000 * dice.randrange(1, 50), "counted": at > 0, "name": f"run {at}"}
                  for at in range(20)]
    first = trace.rows[0]
    for slice in range(min(len(first.starts), CHUNK)):
        first.arguments[slice] = [(key, 0, rare if slice == 17 else key), (weight, 2, 1 << 60 | slice), (weight, 1, 3), (weight, 3, 0.25)]
    if len(trace.rows) > 3:
        for flow in range(20):
            trace.flows.append([(0, flow * 3), (2, flow * 3 + 1)])
            first.flows[flow * 3] = [flow]
            trace.rows[2].flows[flow * 3 + 1] = [flow]
    trace.notes = ["Two clocks are not tied to each other: Device 0 and its host."]
    trace.tables = [{"title": "Operators", "columns": [{"name": "name", "title": "Name"}, {"name": "count", "title": "Count"}, {"name": "total_ns", "title": "Total"}],
                     "rows": [{"name": f"operator_{at}", "count": at + 1, "total_ns": 1000 * (at * 7 % 12)} for at in range(12)], "notes": []}]
    return trace


def mostly_idle():
    """Two tracks that are busy for a fiftieth of a percent, in bursts far from each other; five slices of a name that is rare."""
    dice = random.Random(3)
    trace = Trace(title="Mostly idle")
    names = [trace.text(name) for name in ("RARE-STALL", "kernel", "copy", "sync")]
    trace.labels = [(name, 0, 0, 0, 0) for name in names]
    trace.tracks = [{"name": "Device", "parent": -1, "kind": "group"}]
    bursts = [500_000_000 * at + dice.randrange(10_000_000) for at in range(5)]
    for track in range(2):
        trace.tracks.append({"name": f"Core {track}", "parent": 0, "kind": "slices", "rows": [track, 1]})
        row = Row(track + 1, 0)
        for number, burst in enumerate(bursts):
            at = burst + dice.randrange(1000)
            for slice in range(100):
                at += dice.randrange(300)
                row.starts.append(at)
                at += 1 + dice.randrange(1500)
                row.ends.append(at)
                row.labels.append(0 if slice == 50 and number % 2 == track else 1 + dice.randrange(3))
        trace.rows.append(row)
    return trace


def gaps(trace, least=10_000_000):
    """Where nothing runs on any track for long, by all slices in order."""
    found = []
    last = None
    for start, end in sorted((start, end) for row in trace.rows if not row.counter for start, end in zip(row.starts, row.ends)):
        if last is not None and start - last > least:
            found.append([last, start])
        last = end if last is None else max(last, end)
    return found


def add_lines(trace, track, slices, names, dice):
    outer, inner = Row(track, 0), Row(track, 1)
    gap_of = [dice.randrange(2000) for _ in range(4096)]
    at = 1_000_000 + dice.randrange(1000)
    for number in range(slices * 3 // 8):
        at += gap_of[number * 7 & 4095] + (5_000_000 if number % 5000 == 4999 else 0)
        outer.starts.append(at)
        outer.labels.append(int(dice.random() ** 3 * names))
        inside = at
        for child in range(2 if number % 3 else 1):
            inside += gap_of[number * 3 + child & 4095] >> 3
            length = gap_of[number * 5 + child & 4095] >> (1 if number % 50 else 20)
            inner.starts.append(inside)
            inner.ends.append(inside + length)
            inner.labels.append(int(dice.random() * names))
            inside += length
        at = inside + 50
        outer.ends.append(at)
    trace.rows += [outer, inner]


if __name__ == "__main__":
    made_up(int(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5]) if len(sys.argv) > 5 else 200).write(sys.argv[2], pathlib.Path(sys.argv[1]))
