#!/usr/bin/env python3
"""Reads Perfetto traces back, for tests: slices, instants, counters and tracks of TrackEvent packets.

Follows the importer's rules: events of one track in order of time, equal times in file order, an end closes the
innermost open slice. Anything that an importer would drop or misplace is an error here.

    perfetto_decode.py trace.pb             slices as CSV: track, start, duration, depth, name, args
    perfetto_decode.py --counters trace.pb  counter values as CSV: track, time, value
    perfetto_decode.py --tracks trace.pb    tracks as CSV: path, rank, kind
"""

import argparse
import csv
import gzip
import json
import struct
import subprocess
import sys
from dataclasses import dataclass, field

TRACE_CLOCK = 6
BEGIN, END, INSTANT, COUNTER = 1, 2, 3, 4


class DecodeError(Exception):
    """The trace breaks a rule; an importer would lose something."""


@dataclass
class Track:
    uuid: int
    name: str = ""
    parent: int = 0
    rank: int = 0
    kind: str = "slices"
    unit: str = ""
    ordering: int = 0  # of its children; 3: by their ranks
    description: str = ""


@dataclass
class Slice:
    track: int
    start: int
    duration: int
    depth: int
    name: str
    category: str = ""
    args: dict = field(default_factory=dict)
    flows: list = field(default_factory=list)
    instant: bool = False


@dataclass
class Sequence:
    valid: bool = False
    clock: int = TRACE_CLOCK
    track: int = 0
    incremental: dict = field(default_factory=dict)  # clock id: time of the packet before, in ns
    units: dict = field(default_factory=dict)  # clock id: ns per tick
    texts: dict = field(default_factory=dict)  # (interned field, iid): text
    events: dict = field(default_factory=dict)  # bytes: what they say here; most come more than once
    annotations: dict = field(default_factory=dict)


def read_varint(data, at):
    value = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise DecodeError(f"a number that does not end, at byte {at}")
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def fields(data):
    """The fields of a message: (number, value); bytes for nested messages and texts."""
    found, at, end = [], 0, len(data)
    try:
        while at < end:
            tag = data[at]
            at += 1
            if tag > 127:
                tag, at = read_varint(data, at - 1)
            wire = tag & 7
            if wire in (0, 2):  # most numbers are one byte
                value = data[at]
                at += 1
                if value > 127:
                    value, at = read_varint(data, at - 1)
                if wire == 2:
                    at += value
                    value = data[at - value : at]
            elif wire in (1, 5):
                size = 8 if wire == 1 else 4
                value = data[at : at + size]
                at += size
            else:
                raise DecodeError(f"wire type {wire}")
            found.append((tag >> 3, value))
    except IndexError:
        raise DecodeError(f"a number that does not end, at byte {at}") from None
    if at > end:
        raise DecodeError("a field that is longer than its message")
    return found


def last_fields(data):
    """The last value of each field."""
    return dict(fields(data))


def signed(value):
    return value - (1 << 64) if value >> 63 else value


def text(value):
    return value.decode("utf-8", "replace")


class Trace:
    """Everything that was read. `slices` includes instants; paths come from `path(uuid)`."""

    def __init__(self):
        self.tracks = {}
        self.slices = []
        self.counters = []  # (track uuid, time, value)
        self.events = 0  # begin and end
        self._sequences = {}
        self._pending = []  # (time, file position, type, track, event)

    def path(self, uuid):
        names = []
        while uuid:
            if uuid not in self.tracks or len(names) > 99:
                raise DecodeError(f"track {uuid} has no descriptor")
            names.append(self.tracks[uuid].name)
            uuid = self.tracks[uuid].parent
        return "/".join(reversed(names))

    def inputs(self):
        """Names of the top-level tracks in the order in which a viewer shows them: by name, since nothing can rank those."""
        return sorted(track.name for track in self.tracks.values() if not track.parent)

    def children(self, path):
        """Names of the tracks below a path in the order in which a viewer shows them; lanes of one name are one."""
        below = [track for track in self.tracks.values() if track.parent and self.path(track.parent) == path]
        if any(self.tracks[track.parent].ordering != 3 for track in below):
            raise DecodeError(f"{path} does not order its children")
        names = {}
        for track in below:
            names[track.name] = min(track.rank, names.get(track.name, track.rank))
        return sorted(names, key=names.get)

    # --- packets ---

    def packet(self, data, position):
        packet = last_fields(data)
        sequence = None
        if 10 in packet:
            if not packet[10]:
                raise DecodeError("sequence 0")
            sequence = self._sequences.get(packet[10]) or self._sequences.setdefault(packet[10], Sequence())
            self._state(sequence, packet)
        if 60 in packet:
            self._descriptor(packet[60])
        elif 6 in packet:
            self._snapshot(sequence, packet[6])
        elif 11 in packet:
            if sequence is None or not sequence.valid:
                raise DecodeError(f"an event without state at byte {position}")
            self._event(sequence, packet, position)

    def _state(self, sequence, packet):
        flags = packet.get(13, 0)
        if flags & 1:
            sequence.__init__(valid=True)
        if not sequence.valid:
            raise DecodeError("a sequence whose state was never cleared")
        if 59 in packet:
            defaults = last_fields(packet[59])
            sequence.clock = defaults.get(58, TRACE_CLOCK)
            sequence.track = last_fields(defaults.get(11, b"")).get(11, 0)
            sequence.events.clear()  # those that name no track are on another one now
        for number, value in fields(packet[12]) if 12 in packet else ():
            entry = last_fields(value)
            key = (number, entry[1])
            if key in sequence.texts:
                raise DecodeError(f"interned text {key} twice")
            sequence.texts[key] = text(entry[2])

    def _snapshot(self, sequence, data):
        clocks = [last_fields(value) for number, value in fields(data) if number == 1]
        times = {clock[1]: clock.get(2, 0) for clock in clocks}
        for clock in clocks:
            if clock.get(3):
                if clock[1] < 64 or sequence is None or TRACE_CLOCK not in times:
                    raise DecodeError("a snapshot that ties no sequence to the trace's clock")
                unit = clock.get(4, 1)
                if clock[2] * unit != times[TRACE_CLOCK]:
                    raise DecodeError("a snapshot with an offset")
                if sequence.units.setdefault(clock[1], unit) != unit:
                    raise DecodeError("a clock whose unit changes")
                sequence.incremental[clock[1]] = clock[2] * unit

    def _descriptor(self, data):
        message = last_fields(data)
        uuid = message.get(1, 0)
        if uuid == 0:
            return
        if uuid in self.tracks:
            raise DecodeError(f"track {uuid} twice")
        track = Track(uuid, text(message.get(2, b"")), message.get(5, 0), signed(message.get(12, 0)))
        track.ordering, track.description = message.get(11, 0), text(message.get(14, b""))
        if 3 in message or 4 in message:
            raise DecodeError(f"track {uuid} is a process or a thread: viewers ignore the ranks below it")
        if 12 in message and track.parent and self.tracks[track.parent].ordering != 3:
            raise DecodeError(f"track {uuid} has a rank, and its parent does not order by ranks")
        if 8 in message:
            counter = last_fields(message[8])
            track.kind = "counter"
            track.unit = text(counter[6]) if 6 in counter else {1: "ns", 2: "count", 3: "B"}.get(counter.get(3), "")
        self.tracks[uuid] = track

    def _event(self, sequence, packet, position):
        if 8 not in packet:
            raise DecodeError(f"an event without time at byte {position}")
        clock, time = packet.get(58, sequence.clock), packet[8]
        if clock in sequence.incremental:
            time = time * sequence.units[clock] + sequence.incremental[clock]
            sequence.incremental[clock] = time
        elif clock != TRACE_CLOCK:
            raise DecodeError(f"clock {clock} was never tied to the trace's")
        if time >= 1 << 63:
            raise DecodeError(f"a negative time at byte {position}")
        data = packet[11]
        event = sequence.events.get(data) or sequence.events.setdefault(data, self._decode_event(sequence, data))
        if event["type"] == COUNTER and self.tracks.get(event["track"], Track(0)).kind != "counter":
            raise DecodeError("a value on a track that is no counter")
        self._pending.append((time, position, event))

    def _decode_event(self, sequence, data):
        event = {"track": sequence.track, "name": "", "category": "", "args": {}, "flows": [], "value": 0, "type": 0}
        for number, value in fields(data):
            if number == 9:
                event["type"] = value
            elif number == 10:
                event["name"] = self._interned(sequence, 2, value)
            elif number == 23:
                event["name"] = text(value)
            elif number == 11:
                event["track"] = value
            elif number == 3:
                event["category"] += ("," if event["category"] else "") + self._interned(sequence, 1, value)
            elif number == 30:
                event["value"] = signed(value)
            elif number == 44:
                event["value"] = struct.unpack("<d", value)[0]
            elif number == 47:
                event["flows"].append(struct.unpack("<Q", value)[0])
            elif number == 4:
                key, argument = sequence.annotations.get(value) or sequence.annotations.setdefault(value, self._annotation(sequence, value))
                event["args"][key] = argument
        return event

    def _annotation(self, sequence, data):
        message = last_fields(data)
        key = self._interned(sequence, 3, message[1]) if 1 in message else text(message[10]) if 10 in message else None
        if 11 in message:
            return key, dict(self._annotation(sequence, value) for number, value in fields(data) if number == 11)
        if 12 in message:
            return key, [self._annotation(sequence, value)[1] for number, value in fields(data) if number == 12]
        if 2 in message:
            return key, bool(message[2])
        if 7 in message:
            return key, hex(message[7])
        if 17 in message:
            return key, self._interned(sequence, 29, message[17])
        if 4 in message:
            return key, signed(message[4])
        if 3 in message:
            return key, message[3]
        if 5 in message:
            return key, struct.unpack("<d", message[5])[0]
        return key, text(message[6])

    @staticmethod
    def _interned(sequence, number, iid):
        if (number, iid) not in sequence.texts:
            raise DecodeError(f"text {iid} of field {number} was never named on its sequence")
        return sequence.texts[(number, iid)]

    # --- the end ---

    def _count_instant(self, track, time):
        """Instants of one time on one track lie in each other."""
        self._instants[track] = (time, self._instants[track][1] + 1 if self._instants.get(track, (None,))[0] == time else 1)
        self._here = self._instants[track]

    def finish(self):
        self._instants, self._here = {}, (0, 0)
        stacks = {}
        for time, position, event in sorted(self._pending):  # no two have one position
            track = event["track"]
            self._here = (0, 0)
            stack = stacks.get(track)
            if stack is None:
                stack = stacks[track] = []
                self.path(track)
            if event["type"] == COUNTER:
                self.counters.append((track, time, event["value"]))
            elif event["type"] == END:
                self.events += 1
                if not stack:
                    raise DecodeError(f"an end without a begin at byte {position}")
                ended = stack.pop()
                ended.duration = time - ended.start
            elif event["type"] in (BEGIN, INSTANT):
                found = Slice(track, time, 0, len(stack), event["name"], event["category"], event["args"])
                found.flows = event["flows"]
                found.instant = event["type"] == INSTANT
                self.slices.append(found)
                if found.instant:
                    self._count_instant(track, time)
                if len(stack) + self._here[1] > 512:
                    raise DecodeError(f"more than 512 slices inside each other at {time}")
                if not found.instant:
                    self.events += 1
                    stack.append(found)
            else:
                raise DecodeError(f"event type {event['type']} at byte {position}")
        for track, stack in stacks.items():
            if stack:
                raise DecodeError(f"{len(stack)} slices without an end on track {track}")
        self._pending = []


def unpack(data):
    if data[:2] == b"\x1f\x8b":
        return gzip.decompress(data)
    if data[:4] == b"\x28\xb5\x2f\xfd":
        return subprocess.run(["zstd", "-dc"], input=data, stdout=subprocess.PIPE, check=True).stdout
    return data


def decode(data):
    """A Trace from the bytes of a file."""
    data = unpack(data)
    trace = Trace()
    at = 0
    while at < len(data):
        start = at
        tag, at = read_varint(data, at)
        if tag != 0x0A:
            raise DecodeError(f"no packet at byte {start}")
        size, at = read_varint(data, at)
        if at + size > len(data):
            raise DecodeError(f"a packet that is cut off at byte {start}")
        trace.packet(data[at : at + size], start)
        at += size
    trace.finish()
    return trace


def decode_file(path):
    with open(path, "rb") as file:
        return decode(file.read())


def main():
    parser = argparse.ArgumentParser(description="Lists what a Perfetto trace holds, as CSV.")
    parser.add_argument("--counters", action="store_true", help="counter values instead of slices")
    parser.add_argument("--tracks", action="store_true", help="tracks instead of slices")
    parser.add_argument("trace")
    options = parser.parse_args()
    try:
        trace = decode_file(options.trace)
    except DecodeError as error:
        sys.exit(f"{options.trace}: {error}")
    writer = csv.writer(sys.stdout, lineterminator="\n")
    if options.counters:
        writer.writerow(["track", "time", "value"])
        writer.writerows((trace.path(track), time, value) for track, time, value in trace.counters)
    elif options.tracks:
        writer.writerow(["path", "rank", "kind"])
        writer.writerows((trace.path(track.uuid), track.rank, track.kind) for track in trace.tracks.values())
    else:
        writer.writerow(["track", "start", "duration", "depth", "name", "args"])
        for found in trace.slices:
            args = json.dumps(found.args, ensure_ascii=False, sort_keys=True) if found.args else ""
            writer.writerow([trace.path(found.track), found.start, found.duration, found.depth, found.name, args])


if __name__ == "__main__":
    main()
