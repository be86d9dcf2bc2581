#!/usr/bin/env python3
"""Reads timeline pages back, for tests, as doc/formats/page.md says; what breaks that document is an error here.

    page_decode.py page.html             slices as CSV: track, depth, start, duration, name, args
    page_decode.py --counters page.html  values as CSV: track, time, value
"""

import argparse
import base64
import csv
import gzip
import html.parser
import json
import struct
import sys
import zlib
from dataclasses import dataclass, field

SLICES, VALUES, INSTANTS = 0, 1, 2
MOST_SLICES = 4096
MOST_TEXT = 4 * 1024 * 1024


class DecodeError(Exception):
    """The page is not as its document says."""


@dataclass
class Label:
    name: str
    operator: str
    location: str
    engine: str
    colour: int
    count: int
    total: int
    self: int
    shortest: int
    longest: int


@dataclass
class Slice:
    row: int
    number: int
    start: int
    duration: int
    label: int
    args: dict = field(default_factory=dict)
    run: int = -1
    flows: list = field(default_factory=list)


@dataclass
class Row:
    track: int
    depth: int
    kind: int
    chunks: list = field(default_factory=list)
    slices: list = field(default_factory=list)
    values: list = field(default_factory=list)  # (time, value)


class Elements(html.parser.HTMLParser):
    """What is in the elements of a page, as a browser sees them."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.scripts = []  # (attributes, text)
        self.styles = []
        self.metas = []
        self.tags = []
        self.title = ""
        self._open = None

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.append(tag)
        self._open = tag
        if tag == "script":
            self.scripts.append([attributes, ""])
        elif tag == "style":
            self.styles.append("")
        elif tag == "meta":
            self.metas.append(attributes)

    def handle_endtag(self, tag):
        self._open = None

    def handle_data(self, data):
        if self._open == "script":
            self.scripts[-1][1] += data
        elif self._open == "style":
            self.styles[-1] += data
        elif self._open == "title":
            self.title += data


class Cursor:
    def __init__(self, data):
        self.data, self.at = data, 0

    def number(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def decimal(self):
        self.at += 8
        return struct.unpack("<d", self.data[self.at - 8 : self.at])[0]

    def place(self):
        return [self.number(), self.number(), self.number()]

    def end(self, what):
        if self.at != len(self.data):
            raise DecodeError(f"{what}: {len(self.data) - self.at} bytes are left over")


class Page:
    def __init__(self, text):
        self.elements = Elements()
        self.elements.feed(text)
        self.elements.close()
        self.blocks = [body for attributes, body in self.elements.scripts if attributes.get("class") == "tacho-blocks"]
        heads = [body for attributes, body in self.elements.scripts if attributes.get("id") == "trace"]
        if len(heads) != 1:
            raise DecodeError(f"{len(heads)} heads")
        self.head = json.loads(heads[0])
        self.origin = int(self.head["origin"])
        self._used = []  # places of blocks
        self._read_texts()
        self._read_labels()
        self._read_index()
        self._read_flows()
        self._check_blocks()

    def block(self, place):
        element, offset, length = place
        text = self.blocks[element][offset : offset + length]
        if len(text) != length or length % 4:
            raise DecodeError(f"block {place} is not there")
        self._used.append(tuple(place))
        inflate = zlib.decompressobj(-15)
        data = inflate.decompress(base64.b64decode(text, validate=True))
        if not inflate.eof or inflate.unused_data:
            raise DecodeError(f"block {place} is no single stream")
        return data

    def _check_blocks(self):
        """Blocks lie behind each other, and none is there that nobody names."""
        at = {element: 0 for element in range(len(self.blocks))}
        for element, offset, length in sorted(self._used):
            if offset != at[element]:
                raise DecodeError(f"element {element}: nobody names what is at {at[element]}")
            at[element] += length
        for element, text in enumerate(self.blocks):
            if at[element] != len(text):
                raise DecodeError(f"element {element}: nobody names what is at {at[element]}")
            if len(text) > MOST_TEXT and sum(place[0] == element for place in self._used) > 1:
                raise DecodeError(f"element {element} is too long")

    def _read_texts(self):
        data = self.block(self.head["blocks"]["texts"])
        if not data.endswith(b"\0"):
            raise DecodeError("a text without an end")
        self.texts = data.decode("utf-8").split("\0")[:-1]
        if self.texts[0]:
            raise DecodeError("the first text is not empty")

    def _read_labels(self):
        cursor = Cursor(self.block(self.head["blocks"]["labels"]))
        self.labels = []
        for _ in range(self.head["counts"]["labels"]):
            names = [self.texts[cursor.number()] for _ in range(4)]
            self.labels.append(Label(*names, *[cursor.number() for _ in range(6)]))
        cursor.end("labels")

    # --- rows ---

    def _read_index(self):
        cursor = Cursor(self.block(self.head["blocks"]["index"]))
        self.rows = []
        for number in range(cursor.number()):
            row = Row(cursor.number(), cursor.number(), cursor.number())
            chunks = cursor.number()
            end = self.head["begin"]
            for _ in range(chunks):
                end = self._read_chunk(cursor, number, row, end)
            self.rows.append(row)
        cursor.end("index")
        for place, track in enumerate(self.head["tracks"]):
            first, count = track.get("rows", (0, 0))
            if [row.track for row in self.rows].count(place) != count or any(row.track != place for row in self.rows[first : first + count]):
                raise DecodeError(f"rows of track {place}")

    def _read_chunk(self, cursor, number, row, before):
        count, gap, span, busy = [cursor.number() for _ in range(4)]
        bounds = (cursor.decimal(), cursor.decimal()) if row.kind == VALUES else None
        place, arguments = cursor.place(), cursor.place()
        start = before + gap
        if not 0 < count <= MOST_SLICES:
            raise DecodeError(f"a chunk of {count}")
        data = Cursor(self.block(place))
        gaps = [data.number() for _ in range(count)]
        if gaps[0]:
            raise DecodeError("the first gap is not 0")
        if row.kind == VALUES:
            end = self._read_values(data, row, start, gaps, bounds)
        else:
            end = self._read_slices(data, number, row, start, gaps, busy)
        data.end("a chunk")
        if end != start + span:
            raise DecodeError(f"a chunk ends at {end}, not at {start + span}")
        row.chunks.append((count, start, end, busy))
        if arguments[2]:
            self._read_arguments(row.slices[-count:], Cursor(self.block(arguments)))
        return end

    def _read_values(self, data, row, start, gaps, bounds):
        values = []
        for gap in gaps:
            start += gap
            values.append((start, data.decimal()))
        row.values += values
        known = [value for _, value in values if value == value]
        if known and bounds != (min(known), max(known)):
            raise DecodeError("the lowest and highest value of a chunk")
        return start

    def _read_slices(self, data, number, row, start, gaps, busy):
        lengths = [data.number() for _ in gaps]
        labels = [data.number() for _ in gaps]
        if row.kind == INSTANTS and any(lengths):
            raise DecodeError("an instant with a length")
        for gap, length, label in zip(gaps, lengths, labels):
            start += gap
            row.slices.append(Slice(number, len(row.slices), start, length, label))
            start += length
        if sum(lengths) != busy:
            raise DecodeError(f"busy {busy}, not {sum(lengths)}")
        return start

    def _read_arguments(self, slices, cursor):
        for found in slices:
            for _ in range(cursor.number()):
                key, kind = self.texts[cursor.number()], cursor.number()
                found.args[key] = self._value(cursor, kind)
            found.run = cursor.number() - 1
            found.flows = [cursor.number() for _ in range(cursor.number())]
        cursor.end("arguments")

    def _value(self, cursor, kind):
        if kind == 3:
            return cursor.decimal()
        value = cursor.number()
        return {
            0: lambda: self.texts[value],
            1: lambda: value >> 1 ^ -(value & 1),
            2: lambda: value,
            4: lambda: bool(value),
            5: lambda: hex(value),
            6: lambda: json.loads(self.texts[value]),
        }[kind]()

    def _read_flows(self):
        self.flows = {}
        if not self.head["blocks"]["flows"]:
            return
        cursor = Cursor(self.block(self.head["blocks"]["flows"]))
        number = 0
        for _ in range(cursor.number()):
            number += cursor.number()
            self.flows[number] = [(cursor.number(), cursor.number()) for _ in range(cursor.number())]
        cursor.end("flows")

    # --- for tests ---

    def path(self, track):
        names = []
        while track >= 0:
            names.append(self.head["tracks"][track]["name"])
            track = self.head["tracks"][track]["parent"]
        return "/".join(reversed(names))

    def slices(self, kind=None):
        return [found for row in self.rows if kind is None or row.kind == kind for found in row.slices]

    def counters(self):
        return [(row.track, time, value) for row in self.rows for time, value in row.values]

    def name(self, found):
        return self.labels[found.label].name

    def time(self, found):
        """As the input has it."""
        return found.start + self.origin


def decode(data):
    """A Page from the bytes of a file."""
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    return Page(data.decode("utf-8"))


def decode_file(path):
    with open(path, "rb") as file:
        return decode(file.read())


def main():
    parser = argparse.ArgumentParser(description="Lists what a timeline page holds, as CSV.")
    parser.add_argument("--counters", action="store_true", help="values instead of slices")
    parser.add_argument("page")
    options = parser.parse_args()
    page = decode_file(options.page)
    writer = csv.writer(sys.stdout, lineterminator="\n")
    if options.counters:
        writer.writerow(["track", "time", "value"])
        writer.writerows((page.path(track), time + page.origin, value) for track, time, value in page.counters())
        return
    writer.writerow(["track", "depth", "start", "duration", "name", "args"])
    for row in page.rows:
        for found in row.slices:
            args = json.dumps(found.args, ensure_ascii=False, sort_keys=True) if found.args else ""
            writer.writerow([page.path(row.track), row.depth, page.time(found), found.duration, page.name(found), args])


if __name__ == "__main__":
    main()
