"""Writes Perfetto packets of any kind, for tests of the reader: what other writers write, and what they should not."""
import random
import struct
import zlib

import perfetto_decode


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def block(field, data):
    data = data.encode() if isinstance(data, str) else data
    return varint(field << 3 | 2) + varint(len(data)) + data


def fixed(field, value):
    return varint(field << 3 | 1) + struct.pack("<Q", value)


def decimal(field, value):
    return varint(field << 3 | 1) + struct.pack("<d", value)


def packet(*parts):
    return block(1, b"".join(parts))


def descriptor(uuid, name=None, parent=0, pid=None, tid=None, counter=None):
    parts = number(1, uuid)
    if tid is not None:
        parts += block(4, number(1, pid) + number(2, tid) + (block(5, name) if name else b""))
    elif pid is not None:
        parts += block(3, number(1, pid) + (block(6, name) if name else b""))
    elif name is not None:
        parts += block(2, name)
    if parent:
        parts += number(5, parent)
    if counter is not None:
        parts += block(8, counter)
    return packet(block(60, parts))


def event(time, sequence, kind, *parts, track=None, flags=0, clock=None, more=b""):
    body = number(9, kind) + (number(11, track) if track is not None else b"") + b"".join(parts)
    head = (number(8, time) if time is not None else b"") + (number(10, sequence) if sequence else b"")
    head += (number(13, flags) if flags else b"") + (number(58, clock) if clock else b"")
    return packet(head, block(11, body), more)


def with_overview_track(trace, name, *times):
    """A trace of Torq's original scripts with one more track in its last overview, written as they write theirs. Times are (start, end, those inside ...)."""
    tracks = []  # uuid, process or None, name
    for _, message in perfetto_decode.fields(trace):
        found = perfetto_decode.last_fields(message).get(60)
        if found:
            told = perfetto_decode.last_fields(found)
            process = perfetto_decode.last_fields(told[3]) if 3 in told else {}
            tracks.append((told[1], process.get(1), (process.get(6) or told.get(2) or b"").decode()))
    parent, pid, _ = [track for track in tracks if track[2].endswith(" Overview")][-1]
    uuid = max(track[0] for track in tracks) + 1
    made = descriptor(uuid, name, pid=pid, tid=uuid) if pid is not None else descriptor(uuid, name, parent=parent)

    def slices(listed):
        words = block(22, "overview") + block(23, name)
        return b"".join(event(start, 1, 1, words, track=uuid) + slices(inside) + event(end, 1, 2, words, track=uuid) for start, end, *inside in listed)

    return trace + made + slices(times)


def annotation(name, value, depth=0):
    """An annotation with its name written out."""
    return block(4, (block(10, name) if name is not None else b"") + annotation_value(value))


def annotation_value(value):
    if isinstance(value, bool):
        return number(2, value)
    if isinstance(value, int):
        return number(3, value) if value >= 1 << 63 else number(4, value)
    if isinstance(value, float):
        return decimal(5, value)
    if isinstance(value, str):
        return block(6, value)
    if isinstance(value, dict):
        return b"".join(block(11, block(10, key) + annotation_value(inner)) for key, inner in value.items())
    return b"".join(block(12, annotation_value(inner)) for inner in value)


class RandomTrace:
    """A trace with slices that are known, written in one of the many ways that there are. `slices` has (name, start, duration, depth, arguments)."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.slices = []
        self.lines = []
        for index in range(self.random.randint(1, 5)):
            self.lines.append(self._line(index))

    def _line(self, index):
        """Events of one track: (time, kind, name, arguments), in order; an end has arguments of its own at times."""
        events, stack, time = [], [], self.random.randint(0, 1000)
        for _ in range(self.random.randint(0, 60)):
            time += self.random.choice([0, 0, 1, 7, 1000, 123456])
            if stack and self.random.random() < 0.5:
                self._end(events, stack, time)
            else:
                name = f"{self.random.choice(['load', 'conv', 'é', 'add'])} {index}"
                arguments = self._arguments("b")
                stack.append([name, time, len(stack), arguments])
                events.append((time, 1, name, arguments))
        while stack:
            self._end(events, stack, time)
        return events

    def _end(self, events, stack, time):
        name, start, depth, arguments = stack.pop()
        more = self._arguments("e") if self.random.random() < 0.2 else {}
        self.slices.append((name, start, time - start, depth, {**arguments, **more}))
        events.append((time, 2, name, more))

    def _arguments(self, key):
        values = [1, -5, 1 << 40, 2.5, "text", "", -(1 << 62)]
        return {f"{key}{i}": self.random.choice(values) for i in range(self.random.choice([0, 0, 1, 3]))}

    def encode(self):
        pick = self.random
        descriptors, bodies = [], []
        for index, events in enumerate(self.lines):
            uuid = pick.choice([index + 1, (1 << 60) + index])
            form = pick.choice(["plain", "thread", "none"])
            if form == "plain":
                descriptors.append(descriptor(uuid, f"line {index}"))
            elif form == "thread":
                descriptors.append(descriptor(uuid, f"line {index}", pid=77, tid=index + 1))
            bodies.append(self._encode_line(uuid, index + 1, events))
        if pick.random() < 0.3:  # descriptors count wherever they stand
            data = b"".join(self._mix(bodies)) + b"".join(descriptors)
        else:
            data = b"".join(descriptors + self._mix(bodies))
        if pick.random() < 0.3:
            data = packet(block(50, zlib.compress(data)))
        return data

    def _mix(self, bodies):
        """The packets of all lines, each line's in its order."""
        bodies = [list(body) for body in bodies]
        mixed = []
        while any(bodies):
            body = self.random.choice([body for body in bodies if body])
            mixed.append(body.pop(0))
        return mixed

    def _encode_line(self, uuid, sequence, events):
        pick = self.random
        interned, incremental = pick.random() < 0.5, pick.random() < 0.5
        unit = 1
        state = number(10, sequence) + number(13, 1)
        state += block(59, (number(58, 64) if incremental else b"") + block(11, number(11, uuid)))
        packets = [packet(state)]
        base = pick.randint(0, events[0][0]) if events else 0
        if incremental:
            packets.append(packet(number(10, sequence), block(6, block(1, number(1, 64) + number(2, base) + number(3, 1) + number(
                4, unit)) + block(1, number(1, 6) + number(2, base)))))
        names, last = {}, base
        shuffled = not incremental and not interned and pick.random() < 0.4
        for time, kind, name, arguments in events:
            parts, more = b"", b""
            if kind == 1 or pick.random() < 0.3:
                if interned:
                    if name not in names:
                        names[name] = len(names) + 1
                        more = block(12, block(2, number(1, names[name]) + block(2, name)))
                    parts = number(10, names[name])
                else:
                    parts = block(23, name)
            parts += b"".join(annotation(key, value) for key, value in arguments.items())
            stamp, last = (time - last, time) if incremental else (time, last)
            packets.append(event(stamp, sequence, kind, parts, flags=2, more=more))
        if shuffled:  # in no order, but equal times as they are
            head, rest = packets[:1], list(zip(events, packets[1:]))
            times = sorted({entry[0][0] for entry in rest}, key=lambda _: pick.random())
            packets = head + [made for time in times for entry, made in rest if entry[0] == time]
        return packets
