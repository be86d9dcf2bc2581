"""The trace of a served profile: head, blocks and tiles, compared with what the slices of the profile say."""
import concurrent.futures
import random
import shutil
import zlib

import pytest

import tool
from serving import Server

RUNTIME = tool.ROOT / "examples/mobilenet/runtime.csv"
DUMP = tool.ROOT / "examples/mobilenet_xnnpack/mobilenet_like_xnnpack_fp32_mac_sme2_off_t1.etdump"


class Numbers:
    def __init__(self, data):
        self.data, self.at = data, 0

    def next(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7

    def signed(self):
        value = self.next()
        return -(value + 1) // 2 if value & 1 else value // 2

    def skip(self, size):
        self.at += size


class Trace:
    """All that a server says of a trace, as a page has it."""

    def __init__(self, server, name):
        self.server = server
        self.place = f"/api/profiles/{server.cards()[name]['id']}/trace/"
        self.head = server.good(self.place + "head").json()
        self.rows = self.read_index()

    def block(self, place):
        got = self.server.good(self.place + "blocks/" + "/".join(map(str, place)))
        assert len(got.body) == place[2] and got.headers["Content-Type"] == "application/octet-stream"
        return zlib.decompress(got.body, -15)

    def read_index(self):
        numbers = Numbers(self.block(self.head["blocks"]["index"]))
        rows = []
        for _ in range(numbers.next()):
            track, depth, kind, chunks = (numbers.next() for _ in range(4))
            slices, at = [], self.head["begin"]
            for _ in range(chunks):
                count, gap, span, busy = (numbers.next() for _ in range(4))
                first = at + gap
                at = first + span
                if kind == 1:
                    numbers.skip(16)
                place = [numbers.next() for _ in range(3)]
                carried = [numbers.next() for _ in range(3)]
                assert carried[2] == 0 or self.block(carried)
                if kind != 1:
                    chunk = self.read_chunk(self.block(place), count, first)
                    assert chunk[-1][1] == at and sum(end - start for start, end, _ in chunk) == busy
                    slices += chunk
            rows.append({"track": track, "depth": depth, "kind": kind, "slices": slices})
        return rows

    @staticmethod
    def read_chunk(data, count, at):
        numbers = Numbers(data)
        columns = [[numbers.next() for _ in range(count)] for _ in range(3)]
        assert numbers.at == len(data)
        slices = []
        for gap, length, label in zip(*columns):
            slices.append((at + gap, at + gap + length, label))
            at += gap + length
        return slices

    def tiles(self, rows, begin, end, columns, wide=0):
        got = self.server.good(f"{self.place}tiles?rows={','.join(map(str, rows))}&from={begin}&to={end}&columns={columns}&wide={wide}")
        numbers = Numbers(got.body)
        made = []
        for _ in rows:
            cells = []
            while len(cells) < columns:
                count = numbers.next()
                cells += [(count, numbers.next(), numbers.next())] if count else [(0, 0, None)] * numbers.next()
            assert len(cells) == columns
            made.append((cells, [(begin + numbers.signed(), numbers.next(), numbers.next()) for _ in range(numbers.next())]))
        assert numbers.at == len(got.body)
        return made


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("traces")
    shutil.copy(RUNTIME, folder)
    shutil.copy(DUMP, folder / "off.etdump")
    with Server(folder) as made:
        yield made


@pytest.mark.parametrize("name", ["runtime.csv", "off.etdump"])
def test_every_column_is_what_the_slices_say(server, name):
    trace = Trace(server, name)
    dice = random.Random(7)
    usable = [number for number, row in enumerate(trace.rows) if row["kind"] != 1]
    begin, end = trace.head["begin"], trace.head["end"]
    assert sum(len(row["slices"]) for row in trace.rows) == trace.head["counts"]["slices"] + trace.head["counts"]["instants"]
    for _ in range(12):
        length = max(1, int((end - begin) * 10 ** -dice.uniform(0, 4)))
        first = begin - 10 + dice.randrange(end - begin)
        columns = dice.choice((1, 7, 200, 1400))
        rows = dice.sample(usable, min(len(usable), 4))
        edges = [first + length * k // columns for k in range(columns + 1)]
        for row, (cells, wide) in zip(rows, trace.tiles(rows, first, first + length, columns, max(1, length // 10))):
            slices = [one for one in trace.rows[row]["slices"] if one[0] < first + length and (one[1] > first or one[0] >= first)]
            for k, (count, busy, label) in enumerate(cells):
                there = [(start, last, of) for start, last, of in slices
                         if start < edges[k + 1] and (last > edges[k] or start >= edges[k])]
                assert count == len(there), (row, k)
                assert busy == sum(max(0, min(last, edges[k + 1]) - max(start, edges[k])) for start, last, _ in there), (row, k)
                assert count == 0 or label in {of for _, _, of in there}
            for start, taken, label in wide:
                assert (start, start + taken, label) in slices and taken >= max(1, length // 10)


def test_the_head_is_asked_for_again_where_it_is_another(server):
    place = Trace(server, "off.etdump").place
    head = server.good(place + "head").json()
    assert head["generation"] == 1 and head["finished"] is True and head["forgotten"] == 0
    assert server.good(place + "head?after=1").json() == {"generation": 1, "finished": True, "forgotten": 0}
    assert server.good(place + "head?after=0").json() == head


def test_what_cannot_be_asked(server):
    trace = Trace(server, "off.etdump")
    element, offset, length = trace.head["blocks"]["labels"]
    tiles = "tiles?rows=0&from=0&to=1000&columns=10"
    for path, status in {f"blocks/{element}/{offset}/{length + 1}": 404, f"blocks/{element}/{offset + 1}/{length}": 404, "blocks/999999/0/5": 404,
                         "blocks/x/0/5": 400, "blocks/-1/0/5": 400, "blocks/0/0/99999999999999999999": 400, "blocks/0/0": 404, "nothing": 404,
                         "head?after=x": 400, "tiles": 400, tiles.replace("to=1000", "to=0"): 400, tiles.replace("columns=10", "columns=0"): 400,
                         tiles.replace("columns=10", "columns=8193"): 400, tiles.replace("rows=0", "rows=999999"): 404, tiles.replace("rows=0", "rows="): 400,
                         tiles.replace("rows=0", "rows=0-999999"): 400, tiles.replace("rows=0", "rows=5-3"): 400, tiles.replace("rows=0", "rows=0-63").replace("=10", "=4000"): 400,
                         tiles + "&generation=2": 404, tiles + "&wide=-1": 400, tiles.replace("from=0", "from=9223372036854775807"): 400,
                         tiles.replace("from=0", "from=1.5"): 400}.items():
        got = server.get(trace.place + path)
        assert got.status == status, (path, got.status, got.text[:200])
        assert got.json()["error"]
    assert server.get("/api/profiles/0123456789abcdef/trace/head").status == 404
    assert server.get(trace.place + "head", token=False).status == 401
    assert server.get(trace.place + tiles, headers={"Origin": "http://evil.example"}).status == 403


@pytest.mark.waits
def test_many_ask_at_once_and_nothing_grows(tmp_path):
    shutil.copy(RUNTIME, tmp_path)
    with Server(tmp_path) as made:
        trace = Trace(made, "runtime.csv")
        begin, end = trace.head["begin"], trace.head["end"]

        def ask(number):
            dice = random.Random(number)
            first = begin + dice.randrange(end - begin)
            return len(made.good(f"{trace.place}tiles?rows=0-3&from={first}&to={first + dice.randrange(1, end - begin)}&columns=1400&wide=100").body)

        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            assert all(pool.map(ask, range(100)))
            before = made.memory()
            assert all(pool.map(ask, range(100, 600)))
        # What was freed stays in a sanitized build, to be watched.
        assert tool.SANITIZED or made.memory() < before + (8 << 20)


@pytest.mark.waits
def test_a_file_that_changes_has_another_trace(tmp_path):
    shutil.copy(RUNTIME, tmp_path / "a.csv")
    with Server(tmp_path) as made:
        before = Trace(made, "a.csv").head
        shutil.copy(tool.ROOT / "examples/mobilenet/timeline.csv", tmp_path / "a.csv")
        made.wait_for(lambda cards: cards["a.csv"]["profile"]["format"] == "torq-compile")
        assert Trace(made, "a.csv").head["counts"] != before["counts"]
