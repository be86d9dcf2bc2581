"""What a recording becomes as a Perfetto trace, against the decoder of recordings: the same zones on the same threads, with the same names,
times to the nanosecond and arguments, nested as they were."""
import collections
import struct
import subprocess

import pytest

import perfetto_decode
import recording_reference
import tool

BUILD = tool.BUILD


class Clock:
    """Ticks as nanoseconds from the start, as doc/formats/recording.md says it: lines between ties that bend only where they must."""

    def __init__(self, process, origin):
        self.ties = [(ticks, before + (after - before) // 2 - origin, (after - before) // 2) for before, ticks, after in process.ties]
        self.lines, first = [], 0
        while first + 1 < len(self.ties):
            last = len(self.ties) - 1
            while (bend := self.bend(first, last)) is not None:
                last = bend
            self.lines.append((first, last))
            first = last

    def between(self, first, last, ticks):
        (from_ticks, from_ns, _), (to_ticks, to_ns, _) = self.ties[first], self.ties[last]
        return from_ns + (ticks - from_ticks) * (to_ns - from_ns) // (to_ticks - from_ticks)

    def bend(self, first, last):
        missed = {i: abs(self.between(first, last, self.ties[i][0]) - self.ties[i][1]) - self.ties[i][2] for i in range(first + 1, last)}
        worst = max(missed, key=missed.get, default=None)
        return worst if worst is not None and missed[worst] > 50 else None

    def nanoseconds(self, ticks):
        for first, last in self.lines:
            if self.ties[first][0] <= ticks < self.ties[last][0]:
                return self.between(first, last, ticks)
        return self.between(0, len(self.ties) - 1, ticks)


def argument_of(process, record):
    """Key and value."""
    if record.kind == "argument_text":
        if record.id:
            return process.sites[record.id], record.text.decode()
        return record.text[:record.word].decode(), record.text[record.word:].decode()
    value = record.word
    if record.kind == "argument_integer" and value >> 63:
        value -= 1 << 64
    elif record.kind == "argument_decimal":
        value, = struct.unpack("<d", struct.pack("<Q", record.word))
    return process.sites[record.id] if record.id else record.text.decode(), value


def zones_of(process, records):
    """(name, begin, end, depth, arguments) of a thread's zones, in ticks."""
    done, stack = [], []
    for record in records:
        if record.kind == "begin":
            stack.append([record.text.decode() or process.sites[record.id], record.word, {}])
        elif record.kind == "end":
            name, begin, arguments = stack.pop()
            done.append((name, begin, record.word, len(stack), arguments))
        elif record.kind == "name":
            stack[-1][0] = record.text.decode()
        elif record.kind.startswith("argument"):
            key, value = argument_of(process, record)
            stack[-1][2][key] = value
    assert not stack
    return sorted(done, key=lambda zone: (zone[1], -zone[2]))


def traced_zones(trace, thread):
    """The same of a track, in ns."""
    found = []
    for each in trace.slices:
        path = trace.path(each.track).split("/")
        if path[0] == "run.tacho" and path[-1] == thread and len(path) == 3 and not each.instant:
            arguments = {key: value for key, value in each.args.items() if key != "location"}
            found.append((each.name, each.start, each.start + each.duration, each.depth, arguments))
    return sorted(found, key=lambda zone: (zone[1], -zone[2], zone[3]))


@pytest.mark.parametrize("case", [("nest", 3, 3000), ("storm", 4, 500), ("hidden", 2000), ("kinds",), ("churn", 4, 10)],
                         ids=lambda case: case[0])
@pytest.mark.parametrize("clock", ["", "monotonic"])
def test_a_trace_has_the_zones_of_the_recording(tmp_path, case, clock):
    subprocess.run([BUILD / "tests" / "zones", *[str(word) for word in case]], check=True, cwd=tmp_path,
                   env=tool.environment(TACHO_RECORD="run.tacho", TACHO_CLOCK=clock))
    tool.good("convert", tmp_path / "run.tacho", "-o", tmp_path / "run.pb")
    process, = recording_reference.read(tmp_path / "run.tacho")
    trace = perfetto_decode.decode_file(tmp_path / "run.pb")
    origin, = struct.unpack_from("<Q", (tmp_path / "run.tacho").read_bytes(), 40)
    clock = Clock(process, origin) if process.clock == 2 else None
    expected = collections.defaultdict(list)
    for number, records in process.threads.items():
        for name, begin, end, depth, arguments in zones_of(process, records):
            times = (clock.nanoseconds(begin), clock.nanoseconds(end)) if clock else (begin - origin, end - origin)
            expected[process.thread_names[number]].append((name, *times, depth, arguments))
    assert expected
    for thread, zones in expected.items():
        traced = traced_zones(trace, thread)
        assert len(traced) == len(zones), thread
        in_order = sorted(zones, key=lambda zone: (zone[1], -zone[2], zone[3]))
        for ours, theirs in zip(sorted(traced, key=lambda zone: (zone[1], zone[3])), sorted(in_order, key=lambda zone: (zone[1], zone[3]))):
            assert (ours[0], ours[3], ours[4]) == (theirs[0], theirs[3], theirs[4])
            # The factor of a line is rounded: by less than a nanosecond.
            assert abs(ours[1] - theirs[1]) <= 1 and abs(ours[2] - theirs[2]) <= 1


def test_zones_of_a_thread_nest(tmp_path):
    subprocess.run([BUILD / "tests" / "zones", "nest", "2", "5000"], check=True, cwd=tmp_path, env=tool.environment(TACHO_RECORD="run.tacho"))
    tool.good("convert", tmp_path / "run.tacho", "-o", tmp_path / "run.pb")
    trace = perfetto_decode.decode_file(tmp_path / "run.pb")
    for track in {each.track for each in trace.slices if trace.path(each.track).startswith("run.tacho/zones")}:
        open_until = []
        for each in sorted((one for one in trace.slices if one.track == track), key=lambda one: (one.start, one.depth)):
            del open_until[each.depth:]
            assert len(open_until) == each.depth and all(end >= each.start + each.duration for end in open_until)
            open_until.append(each.start + each.duration)
