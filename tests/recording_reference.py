"""Reads a recording the slow and obvious way, from doc/formats/recording.md alone: what the recorder and the reader are compared with."""
import struct
from dataclasses import dataclass, field

CHUNK = 65536
CHUNK_HEAD = 64
TIES, THREADS = 512, 2048
TIE_AT = 2048
THREAD_AT = TIE_AT + 24 * TIES

KINDS = {1: "begin", 2: "end", 3: "instant", 4: "counter", 5: "frame", 6: "frame_begin", 7: "frame_end", 8: "async_begin",
         9: "async_end", 10: "flow", 11: "sum", 12: "argument_integer", 13: "argument_unsigned", 14: "argument_decimal",
         15: "argument_text", 16: "name", 17: "color", 18: "thread_here", 19: "tie", 20: "track_slice", 21: "track_instant",
         32: "value", 33: "text", 64: "site", 65: "thread", 66: "process", 67: "clock", 68: "track"}
STATES = {1: "in use", 2: "left", 3: "sealed"}


@dataclass(slots=True)
class Record:
    kind: str
    word: int
    id: int
    thread: int
    length: int  # of the text
    text: bytes = b""
    values: list = field(default_factory=list)


@dataclass
class Process:
    """One process of a recording: its head, the records of each thread in order, what the names mean."""

    state: int
    clock: int
    pid: int
    launch: int
    zone_cost: int
    ring: int
    full: int
    ties: list
    dropped: list
    slow: list
    program: str
    chunks: list = field(default_factory=list)
    threads: dict = field(default_factory=dict)
    sites: dict = field(default_factory=dict)
    thread_names: dict = field(default_factory=dict)
    names: list = field(default_factory=list)
    holes: int = 0

    def zones(self):
        """(thread, site name, begin, end, depth) of every zone that ended; what is open; ends without a begin."""
        done, still_open, without = [], [], 0
        for thread, records in self.threads.items():
            stack = []
            timed = sorted((r for r in records if r.kind in ("begin", "end")), key=lambda r: r.word)
            for record in timed:
                if record.kind == "begin":
                    stack.append(record)
                elif stack and stack[-1].id == record.id:
                    begin = stack.pop()
                    done.append((thread, self.sites[record.id], begin.word, record.word, len(stack)))
                else:
                    without += 1
            still_open += [(thread, self.sites[r.id]) for r in stack]
        return done, still_open, without


def checksum(slots):
    lanes = [1, 2, 3, 4]
    mask = (1 << 64) - 1
    prime = 0x9E3779B97F4A7C15
    words = struct.unpack(f"<{len(slots) // 8}Q", slots)
    for lane in range(4):  # slots are two words, of which every other one goes to the first two lanes
        total = lanes[lane]
        for word in words[lane::4]:
            total = ((total ^ word) * prime) & mask
        lanes[lane] = total
    for i in range(1, 4):
        turned = (lanes[i] >> 29 | lanes[i] << 35) & mask
        lanes[0] = ((lanes[0] ^ turned) * prime) & mask
    return lanes[0] ^ lanes[0] >> 32


def read_slots(process, chunk, lap, thread, records_of):
    """Adds the records of a chunk to what `records_of` gives for their thread."""
    record = records = None
    for word, tag in struct.iter_unpack("<QQ", chunk[CHUNK_HEAD:len(chunk) - (len(chunk) - CHUNK_HEAD) % 16]):
        if tag == 0 or tag >> 48 & 0xFF != lap:
            process.holes += 1
            record = None
            continue
        kind = KINDS[tag >> 56]
        if kind == "text":
            if record:
                record.text = (record.text + struct.pack("<QQ", word, tag)[:14])[:record.length]
        elif kind == "value":
            if record:
                record.values.append(word)
        else:
            record = Record(kind, word, tag & 0xFFFFFFFF, thread, tag >> 32 & 0xFFFF)
            if kind == "thread_here":
                thread, records = record.id, None
            if records is None:
                records = records_of(thread)
            records.append(record)


def read_process(data):
    magic, version, chunk_size, state, clock, pid, parent = struct.unpack_from("<8sIIIIII", data, 0)
    assert magic == b"tachorec" and version == 1 and chunk_size == CHUNK
    real, monotonic, cost = struct.unpack_from("<QQQ", data, 32)
    ring_first, ring, cap, chunks, threads, tie_count, full, cut, laps_lost = struct.unpack_from("<IIIIIIQQQ", data, 56)
    program = data[136:392].split(b"\0")[0].decode()
    launch, = struct.unpack_from("<I", data, 1416)
    ties = [struct.unpack_from("<QQQ", data, TIE_AT + 24 * i) for i in range(tie_count)]
    lines = [struct.unpack_from("<QII", data, THREAD_AT + 16 * i) for i in range(threads)]
    process = Process(state, clock, pid, launch, cost, ring, full, ties, [l[0] for l in lines], [l[2] for l in lines], program)
    found = []
    for index in range(1, min(chunks, len(data) // CHUNK)):
        chunk = data[index * CHUNK:(index + 1) * CHUNK]
        magic, state, lap, sequence, total, number, kind, thread, used = struct.unpack_from("<IIQQQIIII", chunk, 0)
        if magic != 0x4B484354:
            continue
        assert number == index
        if state == 3:
            assert checksum(chunk[CHUNK_HEAD:used]) == total, f"chunk {index} is damaged"
        process.chunks.append((STATES[state], kind, thread))
        found.append((sequence, kind, lap >> 48, thread, chunk[:CHUNK - 1024]))
    for sequence, kind, lap, thread, chunk in sorted(found, key=lambda f: f[0]):
        if kind == 2:
            read_slots(process, chunk, lap, 0, lambda thread: process.names)
        else:
            read_slots(process, chunk, lap, thread, lambda thread: process.threads.setdefault(thread, []))
    for record in process.names:
        if record.kind == "site":
            process.sites[record.id] = record.text.split(b"\0")[0].decode()
        elif record.kind == "thread":
            process.thread_names[record.id] = record.text.decode()
    return process


def read(path):
    """The processes of a file."""
    with open(path, "rb") as file:
        data = file.read()
    starts = [at for at in range(0, len(data), CHUNK) if data[at:at + 8] == b"tachorec"]
    return [read_process(data[start:end]) for start, end in zip(starts, starts[1:] + [len(data)])]
