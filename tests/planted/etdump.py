"""Writes ETDumps: a flatbuffer, built from its end to its beginning because references point forward.

A place counts bytes from the end of the file, so that it stays right while the file grows at its front.
"""
import struct

CALL_CHAIN, METHOD_CHAIN = 0, -1


class Buffer:
    """A flatbuffer on its way out."""

    def __init__(self):
        self.pieces = []  # the last one is the first of the file
        self.used = 0
        self.vtables = {}  # bytes of a vtable: its place

    def put(self, data):
        self.pieces.append(data)
        self.used += len(data)
        return self.used

    def align(self, length, alignment):
        """Zeros, so that `length` bytes that are put next begin at a multiple of `alignment`."""
        over = (self.used + length) % alignment
        if over:
            self.put(bytes(alignment - over))

    def put_bytes(self, data, end=b""):
        self.align(4 + len(data) + len(end), 4)
        return self.put(struct.pack("<I", len(data)) + data + end)

    def put_text(self, text):
        return self.put_bytes(text.encode(), b"\0")

    def put_vector(self, places):
        """Of references."""
        self.align(4 * (len(places) + 1), 4)
        start = self.used + 4 * len(places)
        elements = [struct.pack("<I", start - 4 * at - place) for at, place in enumerate(places)]
        return self.put(struct.pack("<I", len(places)) + b"".join(elements))

    def put_table(self, fields):
        """Fields by slot: None, ("i", number), ("Q", number) or ("ref", place)."""
        offsets, at = [0] * len(fields), 4
        if any(field and field[0] == "Q" for field in fields):
            at = 8
        for wanted in ("Q", "i", "ref"):
            for slot, field in enumerate(fields):
                if field and field[0] == wanted:
                    offsets[slot] = at
                    at += 8 if wanted == "Q" else 4
        vtable = self.put_vtable(offsets, at)
        self.align(at, 8)
        place = self.used + at
        table = bytearray(at)
        struct.pack_into("<i", table, 0, vtable - place)
        for field, offset in zip(fields, offsets):
            if field and field[0] == "ref":
                struct.pack_into("<I", table, offset, place - offset - field[1])
            elif field:
                struct.pack_into("<" + field[0], table, offset, field[1])
        return self.put(bytes(table))

    def put_vtable(self, offsets, size):
        while offsets and not offsets[-1]:
            offsets = offsets[:-1]
        content = struct.pack(f"<{2 + len(offsets)}H", 4 + 2 * len(offsets), size, *offsets)
        if content not in self.vtables:
            self.align(len(content), 2)
            self.vtables[content] = self.put(content)
        return self.vtables[content]

    def finish(self, root):
        self.align(12, 8)
        self.put(b"ED00")
        self.put(struct.pack("<I", self.used + 4 - root))
        self.put(struct.pack("<I", self.used))
        return b"".join(reversed(self.pieces))


class Dump:
    """Blocks of events: the loading, then each inference. Events come when they end."""

    def __init__(self):
        self.buffer = Buffer()
        self.runs = []
        self.block = None
        self.events = []
        self.first = None  # ns of the first start
        self.last = 0

    def begin_block(self, name):
        self.end_block()
        self.block = self.buffer.put_text(name)

    def end_block(self):
        if self.block is None:
            return
        events = self.buffer.put_vector(self.events)
        self.runs.append(self.buffer.put_table([("ref", self.block), None, None, ("ref", events)]))
        self.block, self.events = None, []

    def add(self, name, start, end, instruction=None, delegated=False):
        """An event; one without an instruction is of the method itself."""
        fields = [None] * 8
        text = ("ref", self.buffer.put_text(name))
        fields[4 if delegated else 0] = text
        if instruction is None:
            fields[1], fields[2] = ("i", METHOD_CHAIN), ("i", 0)
        else:
            fields[2] = ("i", instruction)
        if delegated:
            fields[5] = ("ref", self.buffer.put_bytes(b""))
        fields[6], fields[7] = ("Q", start), ("Q", end)
        content = self.buffer.put_table(fields)
        self.events.append(self.buffer.put_table([("ref", content)]))
        self.first = start if self.first is None else min(self.first, start)
        self.last = max(self.last, end)

    def finish(self):
        self.end_block()
        runs = self.buffer.put_vector(self.runs)
        return self.buffer.finish(self.buffer.put_table([None, ("ref", runs)]))
