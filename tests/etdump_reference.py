#!/usr/bin/python3
"""A second, slow reading of ETDumps: prints what etdump_listing prints.

    etdump_reference.py FILE

Written after the schema alone, with Python's big integers and no bounds checks: for files that are whole.
"""
import struct
import sys

VALUES = ["Null", "Int", "Bool", "Float", "Double", "Tensor", "TensorList", "String"]
SCALARS = {0: "BYTE", 1: "CHAR", 2: "SHORT", 3: "INT", 4: "LONG", 5: "HALF", 6: "FLOAT", 7: "DOUBLE", 11: "BOOL",
           12: "QINT8", 13: "QUINT8", 14: "QINT32", 15: "BFLOAT16", 16: "QUINT4X2", 17: "QUINT2X4", 22: "BITS16",
           27: "UINT16", 28: "UINT32", 29: "UINT64"}
CALLS = {"Method::execute": "execute", "Method::init": "load", "Program::load_method": "load", "DELEGATE_CALL": "call",
         "OPERATOR_CALL": "call", "JF_CALL": "control", "MOVE_CALL": "control", "FREE_CALL": "control"}
TURN = 1 << 32


class Table:
    """A table of a flatbuffer: fields by slot."""

    def __init__(self, data, at):
        self.data = data
        self.at = at
        self.vtable = at - struct.unpack_from("<i", data, at)[0]
        self.size = struct.unpack_from("<H", data, self.vtable)[0]

    def place(self, slot):
        entry = 4 + 2 * slot
        offset = struct.unpack_from("<H", self.data, self.vtable + entry)[0] if entry < self.size else 0
        return self.at + offset if offset else None

    def number(self, slot, kind, absent):
        place = self.place(slot)
        return absent if place is None else struct.unpack_from("<" + kind, self.data, place)[0]

    def target(self, slot):
        place = self.place(slot)
        return None if place is None else place + struct.unpack_from("<I", self.data, place)[0]

    def table(self, slot):
        target = self.target(slot)
        return None if target is None else Table(self.data, target)

    def text(self, slot):
        target = self.target(slot)
        if target is None:
            return b""
        length = struct.unpack_from("<I", self.data, target)[0]
        return self.data[target + 4:target + 4 + length]

    def numbers(self, slot):
        target = self.target(slot)
        if target is None:
            return []
        count = struct.unpack_from("<I", self.data, target)[0]
        return list(struct.unpack_from(f"<{count}q", self.data, target + 4))

    def tables(self, slot):
        target = self.target(slot)
        if target is None:
            return []
        count = struct.unpack_from("<I", self.data, target)[0]
        places = [target + 4 + 4 * i for i in range(count)]
        return [Table(self.data, place + struct.unpack_from("<I", self.data, place)[0]) for place in places]


def quoted(text):
    return '"' + "".join(chr(b) if 32 <= b <= 126 and b not in b'"\\' else f"\\x{b:02x}" for b in text) + '"'


def kind_of(name):
    text = name.decode(errors="replace")
    return CALLS.get(text) or ("control" if text.startswith(("Method::", "Program::")) else "portable")


def tensor_text(tensor):
    sizes, strides = tensor.numbers(1), tensor.numbers(2)
    plain = []
    for size in reversed(sizes):
        plain.insert(0, plain[0] * following if plain else 1)
        following = size
    code = tensor.number(0, "b", 0)
    text = SCALARS.get(code, f"type {code}") + f" {sizes}"
    if strides and strides != plain:
        text += f" strides {strides}"
    offset = tensor.number(3, "q", 0)
    return text + (f" at {offset}" if offset >= 0 else " without data")


def value_text(value):
    code = value.number(0, "b", 0)
    name = VALUES[code]
    content = value.table({1: 3, 2: 6, 3: 4, 4: 5, 5: 1, 6: 2}.get(code, 99))
    if content is None:
        return name
    if name == "Tensor":
        return tensor_text(content)
    if name == "TensorList":
        tensors = content.tables(0)
        return f"TensorList of {len(tensors)}" + (": " if tensors else "") + "; ".join(tensor_text(one) for one in tensors)
    if name == "Bool":
        return "Bool true" if content.number(0, "B", 0) else "Bool false"
    return f"{name} " + repr(content.number(0, {"Int": "q", "Float": "f", "Double": "d"}[name], 0))


class Event:
    """A profile event: its identity and its times."""

    def __init__(self, run, block, table):
        self.run, self.block = run, block
        self.number = table.number(3, "i", -1)
        text = table.text(4)
        self.delegated = bool(text) or self.number != -1
        self.name = (text or str(self.number).encode()) if self.delegated else table.text(0)
        self.kind = "delegated" if self.delegated else kind_of(self.name)
        self.chain, self.instruction = table.number(1, "i", 0), table.number(2, "i", -1)
        self.metadata = table.text(5)
        self.start, self.end = table.number(6, "Q", 0), table.number(7, "Q", 0)
        self.wraps = self.start > self.end
        self.duration = (self.end - self.start) % TURN if self.wraps else self.end - self.start

    @property
    def usable(self):
        return not (self.wraps and self.start >= TURN) and self.start + self.duration < 1 << 63

    def identity(self):
        return self.block, self.name, self.kind, self.chain, self.instruction, self.number


def unwrap(events):
    """Lets a clock of 32 bits go on after it started again: ends of events come in order."""
    ends = [event.end for event in events if not event.delegated]
    again = any(event.wraps for event in events) or any(a - b > 1 << 28 for a, b in zip(ends, ends[1:]))
    if not again or any(max(event.start, event.end) >= TURN for event in events):
        return
    turns, before = 0, events[0].end
    for index, event in enumerate(events):
        end = event.end + turns * TURN
        if end < before - (1 << 28):
            end += TURN
        elif end > before + TURN - (1 << 28):
            end -= TURN
        event.start = end - event.duration
        if index == 0 or not event.delegated:
            before, turns = end, end // TURN
    lowest = min(event.start for event in events) // TURN
    for event in events:
        event.start -= lowest * TURN


def read(data):
    base = 4 if data[8:12] == b"ED00" else 0
    assert data[base + 4:base + 8] == b"ED00"
    root = Table(data, base + struct.unpack_from("<I", data, base)[0])
    runs, events, allocators, values, rows, lost = [], [], [], [], 0, 0
    for index, run in enumerate(root.tables(1)):
        block = run.text(0)
        own = [[index, allocator.text(0), 0, 0] for allocator in run.tables(2)]
        mine = []
        for event in run.tables(3):
            rows += 1
            profile, allocation, debug = (event.table(slot) for slot in range(3))
            assert [profile, allocation, debug].count(None) == 2
            if profile:
                mine.append(Event(index, block, profile))
            elif allocation:
                allocator = own[allocation.number(0, "i", 0) - 1]
                allocator[2] += allocation.number(1, "Q", 0)
                allocator[3] += 1
            else:
                name = debug.text(4) or (str(debug.number(3, "i", -1)).encode() if debug.number(3, "i", -1) != -1 else debug.text(5))
                value = debug.table(2)
                output = value.table(7)
                values.append((index, name, debug.number(1, "i", -1), bool(output and output.number(0, "B", 0)), value_text(value)))
        lost += sum(not event.usable for event in mine)
        mine = [event for event in mine if event.usable]
        runs.append((block, run.number(1, "i", -1), mine))
        events += mine
        allocators += own
    unwrap(events)
    return runs, events, allocators, values, rows, lost


def listing(data):
    runs, events, allocators, values, rows, lost = read(data)
    lines, seen, metadata = [], {}, {}
    for index, (block, bundled, mine) in enumerate(runs):
        executes = [event.duration for event in mine if event.kind == "execute"]
        lines.append(f"run {index} {quoted(block)} index {seen.get(block, 0)} bundled {bundled} events {len(mine)} "
                     f"execute {sum(executes) if executes else -1}")
        seen[block] = seen.get(block, 0) + 1
    for event in events:
        if event.metadata:
            metadata.setdefault(event.identity(), event.metadata)
    for event in events:
        lines.append(f"event {event.run} {quoted(event.name)} {event.kind} chain {event.chain} instruction {event.instruction} "
                     f"id {event.number} start {event.start} duration {event.duration} "
                     f"metadata {quoted(metadata.get(event.identity(), b''))} block {quoted(event.block)} "
                     f"backend {quoted(b'delegated' if event.delegated else b'')}")
    for run, name, size, count in allocators:
        lines.append(f"allocator {run} {quoted(name)} bytes {size} count {count}")
    for run, name, instruction, output, text in values:
        lines.append(f"value {run} {quoted(name)} instruction {instruction} output {int(output)} {quoted(text.encode())}")
    lines.append(f"rows {rows} used {rows - lost} lost {lost}")
    return "".join(line + "\n" for line in lines)


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        sys.stdout.write(listing(file.read()))
