"""tacho convert -o page.html: a page holds the whole trace, as a Perfetto trace of the same input does, in less room."""
import base64
import csv
import hashlib
import io
import json
import random
import subprocess
from collections import Counter, defaultdict

import pytest

import fixtures
import page_decode
import perfetto_decode
import tool

LOSSES = "Losses"


def as_perfetto(value):
    """A Perfetto trace has no empty list and no empty object: there they are texts."""
    if isinstance(value, dict):
        return {key: as_perfetto(inner) for key, inner in value.items()} or "{}"
    if isinstance(value, list):
        return [as_perfetto(inner) for inner in value] or "[]"
    return value


def frozen(args):
    return json.dumps({key: as_perfetto(value) for key, value in args.items()}, sort_keys=True, ensure_ascii=False)


def told(args, known):
    """Arguments as they are compared: the operator of a label is not repeated in a Perfetto trace where the slice says as much."""
    return frozen({key: value for key, value in args.items() if key in known or key != "operator"})


def perfetto_path(trace, uuid):
    """A group that has slices of its own shows them on a line inside, of the same name."""
    track = trace.tracks[uuid]
    parent = trace.tracks.get(track.parent)
    if parent and parent.name == track.name and not any(other.parent == uuid for other in trace.tracks.values()):
        siblings = [found for found in trace.tracks.values() if found.parent == parent.uuid and found.name == track.name]
        if siblings:
            return trace.path(parent.uuid)
    return trace.path(uuid)


def of_perfetto(trace):
    """What is in a Perfetto trace: slices, instants, values, and what its flows join."""
    slices, instants, flows = [], [], defaultdict(list)
    paths = {uuid: perfetto_path(trace, uuid) for uuid in trace.tracks}
    for found in trace.slices:
        if paths[found.track].rpartition("/")[2] == LOSSES:
            continue
        row = (paths[found.track], found.name, found.start, found.duration, found.args)
        (instants if found.instant else slices).append(row)
        for flow in found.flows:
            flows[flow].append((found.start, *row[:4]))
    values = Counter((paths[track], time, float(value)) for track, time, value in trace.counters)
    return slices, instants, values, Counter(tuple(sorted(ends)) for ends in flows.values())


def of_page(page):
    paths = [page.path(track) for track in range(len(page.head["tracks"]))]
    lists = {page_decode.SLICES: [], page_decode.INSTANTS: []}
    flows = defaultdict(list)
    for row in page.rows:
        for found in row.slices:
            label = page.labels[found.label]
            named = {"location": label.location, "operator": label.operator}
            args = {**{key: text for key, text in named.items() if text}, **found.args}
            made = (paths[row.track], label.name, page.time(found), found.duration, args)
            lists[row.kind].append(made)
            for flow in found.flows:
                flows[flow].append((made[2], *made[:4]))
    values = Counter((paths[track], time + page.origin, value) for track, time, value in page.counters())
    return lists[page_decode.SLICES], lists[page_decode.INSTANTS], values, Counter(tuple(sorted(ends)) for ends in flows.values())


def rows_with(rows, args):
    return Counter((*row[:4], frozen(row[4]) if args else "") for row in rows)


def assert_same_rows(ours, theirs):
    """Times and names first, then arguments, so that a failure says what is different."""
    assert rows_with(ours, False) == rows_with(theirs, False)
    known = defaultdict(list)
    for row in theirs:
        known[row[:4]].append(row[4])
    mine = Counter((*row[:4], told(row[4], known[row[:4]][0])) for row in ours)
    assert mine == Counter((*row[:4], told(row[4], row[4])) for row in theirs)


def assert_same(page, trace):
    ours, theirs = of_page(page), of_perfetto(trace)
    for kind in (0, 1):
        assert_same_rows(ours[kind], theirs[kind])
    assert ours[2] == theirs[2]
    assert ours[3] == theirs[3]


def assert_sound(page):
    """What a page says of itself is so."""
    counts = page.head["counts"]
    assert counts["slices"] == len(page.slices(page_decode.SLICES))
    assert counts["instants"] == len(page.slices(page_decode.INSTANTS))
    assert counts["tracks"] == len(page.head["tracks"])
    lengths = defaultdict(list)
    for found in page.slices():
        lengths[found.label].append(found.duration)
    inside = nested(page)
    for number, label in enumerate(page.labels):
        here = lengths[number]
        assert (label.count, label.total) == (len(here), sum(here)), label
        assert (label.shortest, label.longest) == (min(here), max(here)), label
        assert label.self == label.total - inside[number], label
    ends = [(found.start, found.start + found.duration) for found in page.slices()] + [(time, time) for _, time, _ in page.counters()]
    if ends:
        assert page.head["begin"] == min(start for start, _ in ends)
        assert page.head["end"] == max(end for _, end in ends)
    assert_tree(page)
    assert_flows(page)


def nested(page):
    """By label: how much of its slices is taken by slices that are right inside of them."""
    taken = Counter()
    for number, row in enumerate(page.rows):
        if row.kind != page_decode.SLICES or not row.depth:
            continue
        around = iter(page.rows[number - 1].slices)
        outer = next(around)
        for found in row.slices:
            while outer.start + outer.duration < found.start + found.duration or (outer.start + outer.duration == found.start and found.duration):
                outer = next(around)
            assert outer.start <= found.start and found.start + found.duration <= outer.start + outer.duration
            taken[outer.label] += found.duration
    return taken


def assert_tree(page):
    tracks = page.head["tracks"]
    path = [-1]
    for place, track in enumerate(tracks):
        while path[-1] != track["parent"]:
            path.pop()
        path.append(place)
    parents = {track["parent"] for track in tracks}
    for place, track in enumerate(tracks):
        assert "rows" in track or place in parents, f"{track} is empty"
        assert (track["kind"] == "group") == ("rows" not in track)


def assert_flows(page):
    ends = defaultdict(list)
    for found in page.slices():
        for flow in found.flows:
            ends[flow].append((found.start, found.row, found.number))
    assert set(ends) == set(page.flows)
    for flow, places in page.flows.items():
        starts = [page.rows[row].slices[number].start for row, number in places]
        assert starts == sorted(starts)
        assert sorted(places) == sorted((row, number) for _, row, number in ends[flow])


def convert(source, place, *options):
    tool.good("convert", *(source if isinstance(source, list) else [source]), "-o", place, *options)
    return place


def both(source, folder, *options):
    page = page_decode.decode_file(convert(source, folder / "page.html", *options))
    trace = perfetto_decode.decode_file(convert(source, folder / "page.pb", *options))
    return page, trace


# ---- every format ------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("name", fixtures.FILES)
def test_every_format(name, tmp_path):
    source = fixtures.copied(name, tmp_path)
    if tool.run("convert", source, "-o", tmp_path / "page.pb").code:
        assert tool.run("convert", source, "-o", tmp_path / "page.html").code
        assert not (tmp_path / "page.html").exists()
        return
    page, trace = both(source, tmp_path)
    assert_sound(page)
    assert_same(page, trace)
    assert page.head["title"].endswith(source.name)
    assert page.head["generator"] == tool.good("--version").text.strip()


@pytest.mark.parametrize("options", [["--counters"], ["--by-operator"], ["--no-overview"], ["--begin", "1us", "--end", "20us"], ["--as-original"]])
def test_options(options, tmp_path):
    page, trace = both(tool.GOLDEN / "c1.csv", tmp_path, *options)
    assert_sound(page)
    assert_same(page, trace)


def test_without_arguments(tmp_path):
    page, trace = both(tool.GOLDEN / "c1.csv", tmp_path, "--no-args")
    assert_sound(page)
    assert rows_with(of_page(page)[0], False) == rows_with(of_perfetto(trace)[0], False)
    assert not any(found.args or found.flows or found.run >= 0 for found in page.slices())


def test_several_inputs(tmp_path):
    sources = [tool.GOLDEN / "c1.csv", tool.GOLDEN / "runtime_r1.csv", tool.GOLDEN / "c1.csv"]
    page, trace = both(sources, tmp_path)
    assert_sound(page)
    assert_same(page, trace)
    assert page.head["title"] == "c1.csv and 2 more"
    assert [table["name"] for table in page.head["tables"]].count("overview") == 3


def test_clocks_that_are_not_tied_are_told(tmp_path):
    (tmp_path / "early.json").write_text('[{"ph":"X","name":"a","pid":1,"tid":1,"ts":5,"dur":2}]')
    (tmp_path / "late.json").write_text('[{"ph":"X","name":"b","pid":1,"tid":1,"ts":900,"dur":2}]')
    page = page_decode.decode_file(convert([tmp_path / "early.json", tmp_path / "late.json"], tmp_path / "page.html"))
    assert any("nothing ties" in note and "late.json" in note for note in page.head["notes"])


def test_chips_with_clocks_of_their_own_are_told(tmp_path):
    """A log of one chip is said again by a second one, whose clock began long before."""
    rows = (tool.DATA / "tt-device" / "document.csv").read_text().splitlines()
    assert all(row.split(",")[0] == "0" for row in rows)
    other = [",".join([" 1", *row.split(",")[1:5], f" {int(row.split(',')[5]) + 777_777_777}"]) for row in rows]
    (tmp_path / "two.csv").write_text("\n".join(rows + other) + "\n")
    page = page_decode.decode_file(convert(tmp_path / "two.csv", tmp_path / "page.html"))
    assert {"chip 0", "chip 1"} <= {track["name"] for track in page.head["tracks"]}
    assert any("clocks of their own" in note for note in page.head["notes"])


def test_packed_page(tmp_path):
    plain = convert(tool.GOLDEN / "c1.csv", tmp_path / "page.html").read_bytes()
    packed = convert(tool.GOLDEN / "c1.csv", tmp_path / "page.html.gz").read_bytes()
    assert page_decode.decode(packed).head == page_decode.decode(plain).head


def test_same_page_each_time(tmp_path):
    first = convert(tool.GOLDEN / "runtime_r4.csv", tmp_path / "one.html").read_bytes()
    assert first == convert(tool.GOLDEN / "runtime_r4.csv", tmp_path / "two.html").read_bytes()


def test_an_empty_trace(tmp_path):
    (tmp_path / "empty.json").write_text("[]")
    if tool.run("convert", tmp_path / "empty.json", "-o", tmp_path / "page.pb").code == 0:
        assert_sound(page_decode.decode_file(convert(tmp_path / "empty.json", tmp_path / "page.html")))


# ---- any trace ---------------------------------------------------------------------------------------------------------

def random_events(seed):
    """Events of a Chrome trace as no program would write them: out of order, overlapping, nested, at the same times."""
    chosen = random.Random(seed)
    base = chosen.choice([0, 1_700_000_000_000_000])
    events = []
    for _ in range(chosen.randrange(1, 400)):
        start = base + chosen.randrange(0, 200) / 4
        thread = chosen.randrange(4)
        common = {"name": chosen.choice("abcdefg"), "pid": chosen.randrange(2), "tid": thread, "ts": start}
        kind = chosen.random()
        if kind < 0.6:
            events.append({**common, "ph": "X", "dur": chosen.randrange(0, 40) / 4, "args": {"n": chosen.randrange(3), "x": {"y": [1, "z"]}} if chosen.random() < 0.3 else {}})
        elif kind < 0.75:
            events.append({**common, "ph": "i", "s": "t"})
        elif kind < 0.9:
            events.append({**common, "ph": "C", "name": f"count {thread}", "args": {"value": chosen.randrange(-5, 5) / 2}})
        else:
            events.append({**common, "ph": chosen.choice("sft"), "id": chosen.randrange(5), "cat": "flow"})
    return events


@pytest.mark.parametrize("seed", range(20))
def test_any_trace(seed, tmp_path):
    source = tmp_path / "any.json"
    source.write_text(json.dumps(random_events(seed)))
    if tool.run("convert", source, "-o", tmp_path / "page.pb").code:
        return
    page, trace = both(source, tmp_path)
    assert_sound(page)
    assert_same(page, trace)


def test_times_beyond_those_that_a_browser_counts(tmp_path):
    start = 1_700_000_000_000_000
    (tmp_path / "late.json").write_text(json.dumps([{"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": start, "dur": 2}]))
    page = page_decode.decode_file(convert(tmp_path / "late.json", tmp_path / "page.html", "--no-overview"))
    assert page.head["origin"] == str(start * 1000)
    assert (page.head["begin"], page.head["end"]) == (0, 2000)
    assert [page.time(found) for found in page.slices(page_decode.SLICES) if page.name(found) == "a"] == [start * 1000]


def test_many_chunks(tmp_path):
    """Rows of more than a chunk, nested, with arguments on some chunks only."""
    events = []
    for number in range(10_000):
        events.append({"ph": "X", "name": f"outer {number % 7}", "pid": 1, "tid": 1, "ts": number * 10, "dur": 9})
        events.append({"ph": "X", "name": "inner", "pid": 1, "tid": 1, "ts": number * 10 + 1, "dur": 3, **({"args": {"n": number}} if number > 9000 else {})})
    (tmp_path / "long.json").write_text(json.dumps(events))
    page, trace = both(tmp_path / "long.json", tmp_path, "--no-overview")
    assert_sound(page)
    assert_same(page, trace)
    assert max(len(row.chunks) for row in page.rows) == 3


# ---- what stands beside ------------------------------------------------------------------------------------------------

def tables_of(page):
    return {table["name"]: table for table in page.head["tables"]}


@pytest.mark.parametrize("name", ["c1.csv", "runtime_r4.csv"])
def test_tables_are_those_of_other_verbs(name, tmp_path):
    page = page_decode.decode_file(convert(tool.GOLDEN / name, tmp_path / "page.html"))
    tables = tables_of(page)
    overview = json.loads(tool.good("summary", tool.GOLDEN / name, "--columns", "metric,time", "--json").text)
    assert [(row["metric"], row["time"]) for row in tables["overview"]["rows"]] == [(row["metric"], row["time"]) for row in overview["rows"]]
    operators = json.loads(tool.good("summary", "--by", "operator", tool.GOLDEN / name, "--json").text)
    assert tables[operators["name"]]["rows"] == operators["rows"]


def test_losses_are_told(tmp_path):
    broken = (tool.GOLDEN / "c1.csv").read_text() + "X,9,1,loc(unknown),DMA_IN\n"
    (tmp_path / "broken.csv").write_text(broken)
    page = page_decode.decode_file(convert(tmp_path / "broken.csv", tmp_path / "page.html"))
    assert page.head["counts"]["lost"] == 1
    assert any("rows lost" in note for note in page.head["notes"])
    assert tables_of(page)["losses"]["rows"]


def test_runs_and_which_of_them_count(tmp_path):
    source = fixtures.copied("etdump", tmp_path)
    page = page_decode.decode_file(convert(source, tmp_path / "page.html"))
    runs = page.head["runs"]
    assert runs and all(run["start"] <= run["end"] for run in runs)
    assert any(run["counted"] for run in runs)
    assert all(found.run < len(runs) for found in page.slices())


# ---- names are text ----------------------------------------------------------------------------------------------------

HOSTILE = ["</script><script>alert(1)</script>", "<!--<script>", "\"'&amp;", "a\u0000b", "line\nend\r", "\u2028\u202e", "]]>", "{{body}}", "\ud83d\ude00" .encode("utf-16", "surrogatepass").decode("utf-16"), "{{script}}"]


def test_hostile_names_are_only_text(tmp_path):
    events = [{"ph": "X", "name": name, "pid": name, "tid": name, "ts": 1 + number, "dur": 1, "args": {name: name}, "cat": name} for number, name in enumerate(HOSTILE)]
    source = tmp_path / "</script><img src=x onerror=alert(1)>.json"
    source = tmp_path / source.name.replace("/", "_")
    source.write_text(json.dumps(events))
    plain = page_decode.decode_file(convert(tool.GOLDEN / "c1.csv", tmp_path / "plain.html"))
    page, trace = both(source, tmp_path, "--no-overview")
    assert_sound(page)
    assert page.elements.title == "Timeline: " + page.head["title"] == "Timeline: " + source.name
    assert set(page.elements.tags) == set(plain.elements.tags)
    assert len(page.elements.scripts) == len(plain.elements.scripts)
    expected = {name.replace("\0", "\ufffd") for name in HOSTILE}
    assert expected <= {page.name(found) for found in page.slices()} | {found.name for found in trace.slices}


def test_policy_names_script_and_style(tmp_path):
    page = page_decode.decode_file(convert(tool.GOLDEN / "c1.csv", tmp_path / "page.html"))
    policy = next(meta["content"] for meta in page.elements.metas if meta.get("http-equiv") == "Content-Security-Policy")
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    script = next(body for attributes, body in page.elements.scripts if not attributes)
    assert rules["default-src"] == "'none'"
    assert rules["worker-src"] == "blob:"
    for rule, text in (("script-src", script), ("style-src", page.elements.styles[0])):
        assert rules[rule] == f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
    assert len(page.elements.styles) == 1


def test_same_script_in_every_page(tmp_path):
    scripts = set()
    for name in ("c1.csv", "runtime_r4.csv"):
        page = page_decode.decode_file(convert(tool.GOLDEN / name, tmp_path / f"{name}.html"))
        scripts.add(next(body for attributes, body in page.elements.scripts if not attributes))
    assert len(scripts) == 1


# ---- size --------------------------------------------------------------------------------------------------------------

def test_size_of_a_slice(tmp_path):
    """At most 12 bytes a slice, with all arguments; the script and style are the same in every page."""
    build = tool.BUILD
    rows = 200_000
    with open(tmp_path / "c1.csv", "wb") as file:
        subprocess.run([build / "bench" / "generate", "c1", str(rows)], stdout=file, stderr=subprocess.DEVNULL, check=True)
    size = convert(tmp_path / "c1.csv", tmp_path / "page.html").stat().st_size
    assert size < 12 * rows
    assert convert(tmp_path / "c1.csv", tmp_path / "less.html", "--no-args").stat().st_size < 8 * rows


def test_slices_are_those_of_the_csv(tmp_path):
    page = page_decode.decode_file(convert(tool.GOLDEN / "runtime_r1.csv", tmp_path / "page.html"))
    rows = list(csv.DictReader(io.StringIO(convert(tool.GOLDEN / "runtime_r1.csv", tmp_path / "slices.csv").read_text())))
    drawn = {place for place, track in enumerate(page.head["tracks"]) if track.get("drawn")}
    ours = Counter((page.name(found), page.time(found), found.duration)
                   for row in page.rows if row.track not in drawn for found in row.slices if row.kind == page_decode.SLICES)
    assert ours == Counter((row["name"], int(row["start_ns"]), int(row["duration_ns"])) for row in rows)
