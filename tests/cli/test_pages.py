"""Every page that Tacho writes: what its title says, what it lets a browser do, and where its rows lead."""
import base64
import hashlib
import html
import json
import re
import shutil
import urllib.parse

import pytest

import page_decode
import tool

ET = tool.ROOT / "examples/mobilenet_xnnpack"
OFF, ON = (ET / f"mobilenet_like_xnnpack_fp32_mac_sme2_{side}_t1.etdump" for side in ("off", "on"))
WORMHOLE = tool.ROOT / "examples/encoder_wormhole"
DEVICE = WORMHOLE / "profile_log_device.csv.gz"
C1 = tool.GOLDEN / "c1.csv"

PAGES = {
    "convert": (["convert", C1, "-o"], "Timeline: c1.csv"),
    "convert_two": (["convert", C1, OFF, "-o"], "Timeline: c1.csv and 1 more"),
    "report": (["report", OFF, "-o"], f"Profiling Report: {OFF.stem}"),
    "report_timeline": (["report", OFF, "--timeline", "-o"], f"Profiling Report: {OFF.stem}"),
    "report_named": (["report", OFF, "--title", "Ours <now>", "--timeline", "-o"], "Ours <now>"),
    "report_torq": (["report", tool.MOBILENET / "runtime.csv", "-o"], "Profiling Report: runtime.csv"),
    "advise": (["advise", OFF, "-o"], f"Advice: {OFF.stem}"),
    "advise_torq": (["advise", tool.MOBILENET / "runtime.csv", "-o"], "Advice: runtime.csv"),
    "advise_ops": (["advise", WORMHOLE / "ops_perf_results.csv", "-o"], "Advice: ops_perf_results.csv"),
    "compare": (["compare", OFF, "--with", ON, "-o"], f"What changed: {OFF.name} to {ON.name}"),
    "summary": (["summary", C1, "-o"], "Overview: c1.csv"),
    "operators": (["operators", OFF, "-o"], f"Operators in execution order: {OFF.name}"),
    "operators_other": (["operators", ON, "-o"], f"Operators in execution order: {ON.name}"),
    "kernels": (["kernels", next(ET.glob("*_on_trace*.log")), "-o"], None),
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    for name, (words, _) in PAGES.items():
        tool.good(*words, folder / f"{name}.html", "-q")
    tool.good("device", DEVICE, "-o", folder / "device", "--no-artifacts", "--no-print-stats", "-q")
    shutil.copy(folder / "device" / "device_perf.html", folder / "device.html")
    return {path.stem: path.read_text(encoding="utf-8") for path in folder.glob("*.html")}


def title_of(text):
    return html.unescape(re.search(r"<title>(.*?)</title>", text).group(1))


def sha256(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def test_titles_say_what_kind_of_page_it_is_and_of_what(pages):
    for name, (_, title) in PAGES.items():
        if title:
            assert title_of(pages[name]) == title, name
    assert title_of(pages["device"]) == f"Timeline: {DEVICE.name}"
    titles = [title_of(text) for name, text in pages.items() if name not in ("report_timeline", "report")]
    assert len(set(titles)) == len(titles), "no two tabs of a browser look alike"


def test_every_page_has_a_policy_that_allows_its_own_style_and_script_alone(pages):
    for name, text in pages.items():
        policy = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', text).group(1)
        rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
        assert rules["default-src"] == "'none'" and rules["base-uri"] == "'none'" and rules["form-action"] == "'none'", name
        assert rules["style-src"] == sha256(re.search(r"<style>(.*?)</style>", text, re.S).group(1)), name
        scripts = re.findall(r"<script>(.*?)</script>", text, re.S)
        assert rules.get("script-src") == (sha256(scripts[0]) if scripts else None), name
        assert len(scripts) <= 1
        markup = re.sub(r"<(script|style)\b.*?</\1>", "", text, flags=re.S)
        assert not re.search(r"<[^>]*\s(style|on\w+)=", markup), f"{name}: nothing that the policy would refuse"
        assert not re.search(r"(src|href)=\"(?!#|data:)", markup), name


def test_wide_tables_can_be_scrolled_by_keys(pages):
    for name, text in pages.items():
        for holder in re.findall(r'<div class="table"[^>]*>', text):
            assert 'tabindex="0"' in holder and 'role="group"' in holder and re.search(r'aria-label="[^"]+"', holder), f"{name}: {holder}"


# ---- a report with its timeline --------------------------------------------------------------------------------------

def links(text):
    report = text[text.index('<div id="report">'):text.index('class="tacho-blocks"')]
    return [(key, urllib.parse.unquote(value), html.unescape(shown))
            for key, value, shown in re.findall(r'<a href="#([nu])=([^"]*)">(.*?)</a>', report)]


def test_rows_of_a_report_lead_to_slices_and_runs_that_are_there(pages):
    text = pages["report_timeline"]
    page = page_decode.decode(text.encode())
    names = {label.name for label in page.labels} | {label.operator for label in page.labels}
    runs = {run["name"] for run in page.head["runs"]}
    found = links(text)
    assert all(value == shown for _, value, shown in found)
    assert {value for key, value, _ in found if key == "u"} == runs
    asked = [value for key, value, _ in found if key == "n"]
    operators = json.loads(tool.good("operators", OFF, "--json", "--limit", "100").out)["rows"]
    assert {row["operator"] for row in operators} <= set(asked)
    exact = [value for value in asked if value in names]
    assert len(exact) > 0.9 * len(asked)
    for value in set(asked) - names:  # "35 x GEMM": what a report says of several
        bare = re.sub(r" \([^()]*\)$", "", re.sub(r"^\d+ x ", "", value))
        assert any(bare in name for name in names), value


def test_the_slowest_run_of_a_report_is_the_slowest_of_its_timeline(pages):
    page = page_decode.decode(pages["report_timeline"].encode())
    slowest = max(page.head["runs"], key=lambda run: run["end"] - run["start"])
    first = next(value for key, value, _ in links(pages["report_timeline"]) if key == "u")
    assert first == slowest["name"] == "run 1"


def test_a_report_without_a_timeline_has_no_script(pages):
    assert "<script" not in pages["report"] and '<div id="report">' not in pages["report"]


def test_the_timeline_of_a_report_is_that_of_convert(pages, tmp_path):
    tool.good("convert", OFF, "-o", tmp_path / "page.html", "-q")
    one, other = page_decode.decode_file(tmp_path / "page.html"), page_decode.decode(pages["report_timeline"].encode())
    assert one.head["counts"] == other.head["counts"] and one.head["runs"] == other.head["runs"]
    assert one.head["tracks"] == other.head["tracks"]


def test_what_a_report_is_compared_with_is_not_in_its_timeline(tmp_path):
    tool.good("report", OFF, "--with", ON, "--timeline", "-o", tmp_path / "page.html", "-q")
    page = page_decode.decode_file(tmp_path / "page.html")
    assert page.head["title"] == ON.name


@pytest.mark.parametrize("words", [["-o", "report.md"], ["-o", "report.json"], []])
def test_a_timeline_wants_a_page(tmp_path, words):
    done = tool.run("report", OFF, "--timeline", *words, cwd=tmp_path)
    assert done.code == 2 and "--timeline is for pages: -o report.html" in done.err
    assert not list(tmp_path.iterdir())


def test_names_in_a_report_are_text(tmp_path):
    """A name that would be markup, or the end of an address."""
    name = "</a><script>alert(1)</script>\"'#&=%"
    events = [{"ph": "X", "name": name, "pid": 1, "tid": 1, "ts": 10 * i, "dur": 5} for i in range(4)]
    (tmp_path / "t.json").write_text(json.dumps(events))
    tool.good("report", tmp_path / "t.json", "--timeline", "-o", tmp_path / "page.html", "-q")
    text = (tmp_path / "page.html").read_text()
    assert "<script>alert" not in text[:text.index('class="tacho-blocks"')] and "</script>\"'#" not in text
    assert all(value == shown for _, value, shown in links(text))


# ---- advice -----------------------------------------------------------------------------------------------------------

def advice_of(head):
    return [table for table in head["tables"] if table["name"] == "advice"]


@pytest.mark.parametrize("source", [OFF, tool.MOBILENET / "runtime.csv", WORMHOLE / "ops_perf_results.csv", C1], ids=lambda path: path.name)
def test_the_advice_of_a_page_is_what_advise_says(tmp_path, source):
    tool.good("convert", source, "-o", tmp_path / "page.html", "-q")
    table, = advice_of(page_decode.decode_file(tmp_path / "page.html").head)
    said = json.loads(tool.good("advise", source, "--json", "-q").out)
    items = said["items"] + said["smaller"]
    rows = [(row["rank"], row["advice"], row["saves"], row["name"]) for row in table["rows"]]
    wanted = [(rank, item["title"], item["saves_ns"], place["name"]) for rank, item in enumerate(items, 1) for place in item["where"] or [{"name": None}]]
    assert rows == wanted
    assert said["headline"] in table["notes"]


def test_advice_of_several_inputs_tells_which(tmp_path):
    tool.good("convert", C1, OFF, "-o", tmp_path / "page.html", "-q")
    tables = advice_of(page_decode.decode_file(tmp_path / "page.html").head)
    assert ["01 c1.csv" in " ".join(table["notes"]) for table in tables] == [True, False]
    assert OFF.name in " ".join(tables[1]["notes"])


def test_a_part_of_a_trace_gets_no_advice_on_the_whole(tmp_path):
    tool.good("convert", OFF, "--end", "50ms", "-o", tmp_path / "page.html", "-q")
    assert not advice_of(page_decode.decode_file(tmp_path / "page.html").head)


def test_advice_that_cannot_be_given_is_no_failure(tmp_path):
    """What comes through a pipe is gone once it was read."""
    done = tool.run("convert", "-", "-o", tmp_path / "page.html", "-q", stdin=C1.read_bytes())
    assert done.code == 0
    assert not advice_of(page_decode.decode_file(tmp_path / "page.html").head)


# ---- the page of a device log -----------------------------------------------------------------------------------------

def test_tacho_device_and_convert_write_the_same_page(pages, tmp_path):
    tool.good("convert", DEVICE, "-o", tmp_path / "page.html", "-q")
    one, other = page_decode.decode_file(tmp_path / "page.html").head, page_decode.decode(pages["device"].encode()).head
    for key in ("counts", "tracks", "maps", "notes"):
        assert one[key] == other[key], key
    assert [table for table in one["tables"] if table["name"] != "advice"] == other["tables"]


def test_the_map_of_a_device_says_what_its_tables_say(pages):
    head = page_decode.decode(pages["device"].encode()).head
    cores = json.loads(tool.good("device", DEVICE, "--table", "cores", "--json", "-q").out)["rows"]
    told = {(f"core {row['x']}, {row['y']}", row["duration"]): row["median"] for row in cores}
    grid, = head["maps"]
    assert grid["name"] == "chip 0" and grid["place"] == "core" and len(grid["places"]) == 64
    for place in grid["places"]:
        name = head["tracks"][place["track"]]["name"]
        assert name == f"core {grid['columns'][place['column']]}, {grid['rows'][place['row']]}"
        for statistic, value in zip(grid["statistics"], place["values"]):
            assert value == told[name, statistic["title"]]


def test_a_log_that_is_hardly_busy_does_not_look_busy_on_the_map(pages):
    head = page_decode.decode(pages["device"].encode()).head
    kernels = head["maps"][0]["statistics"][0]
    span = head["end"] - head["begin"]
    assert abs(kernels["full"] - span) < 2, "the scale ends where the log does, not at the busiest core: 1 GHz, so cycles are ns"


def test_facts_and_statistics_of_a_device_log_are_tables(pages):
    tables = {table["name"]: table for table in page_decode.decode(pages["device"].encode()).head["tables"]}
    facts = {row["fact"]: row["value"] for row in tables["log"]["rows"]}
    assert facts["Architecture"] == "wormhole_b0" and facts["Clock"] == "1000 MHz" and facts["Cores"] == "64" and facts["RISCs"] == "320"
    assert facts["Markers"] == "3,840" and facts["T0"].startswith("core (")
    said = json.loads(tool.good("device", DEVICE, "--table", "analyses", "--json", "-q").out)
    assert tables["analyses"]["rows"] == said["rows"]


def test_an_own_setup_is_in_the_page_of_the_device(tmp_path):
    setup = {"timerAnalysis": {"Mine": {"across": "core", "type": "adjacent", "start": {"risc": "BRISC", "timerID": 1},
                                        "end": {"risc": "BRISC", "timerID": 4}}}}
    (tmp_path / "own.json").write_text(json.dumps(setup))
    tool.good("device", DEVICE, "-s", tmp_path / "own.json", "-o", tmp_path, "--no-artifacts", "--no-print-stats", "-q")
    head = page_decode.decode_file(tmp_path / "device_perf.html").head
    told = json.loads(tool.good("device", DEVICE, "-s", tmp_path / "own.json", "--table", "analyses", "--json", "-q").out)["rows"]
    assert next(table for table in head["tables"] if table["name"] == "analyses")["rows"] == told
    assert "Mine" in {row["duration"] for row in told} and "Mine" in {one["title"] for one in head["maps"][0]["statistics"]}


def test_a_part_of_a_device_log_has_no_map_of_the_whole(tmp_path):
    tool.good("convert", DEVICE, "--end", "1ms", "-o", tmp_path / "page.html", "-q")
    head = page_decode.decode_file(tmp_path / "page.html").head
    assert head["maps"] == [] and "analyses" not in {table["name"] for table in head["tables"]}


def test_many_launches_leave_every_name_its_numbers(tmp_path):
    """Names of launches are instances of few labels: none uses up what another needs."""
    log = ["ARCH: grayskull, CHIP_FREQ[MHz]: 1000", "PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset]"]
    for launch in range(3000):
        start = launch * 1000
        log += [f"0, 1, 1, BRISC, {timer}, {start + time}" for timer, time in ((1, 0), (2, 10), (3, 90), (4, 100))]
    (tmp_path / "log.csv").write_text("\n".join(log) + "\n")
    tool.good("convert", tmp_path / "log.csv", "-o", tmp_path / "page.html", "-q")
    page = page_decode.decode_file(tmp_path / "page.html")
    kernel = next(label for label in page.labels if label.name == "BRISC-KERNEL")
    assert (kernel.count, kernel.total, kernel.shortest, kernel.longest) == (3000, 240_000, 80, 80)
    launch = next(label for label in page.labels if label.name == "launch")
    assert (launch.count, launch.total) == (3000, 300_000)
    assert len(page.labels) < 10


# ---- names of a device log's ops -----------------------------------------------------------------------------------------

def named_ops(tmp_path, log, report, *words):
    tool.good("convert", log, "--ops-report", report, *words, "-o", tmp_path / "slices.csv", "-q")
    rows = [row.split(",") for row in (tmp_path / "slices.csv").read_text().splitlines()[1:]]
    return [row[4] for row in rows if row[2] == "device_op"]


def test_ops_are_called_as_their_report_calls_them(tmp_path):
    assert named_ops(tmp_path, DEVICE, WORMHOLE / "ops_perf_results.csv") == ["Matmul"] * 3
    tool.good("device", DEVICE, "--ops-report", WORMHOLE / "ops_perf_results.csv", "-o", tmp_path, "--no-artifacts", "--no-print-stats", "-q")
    labels = {label.name: label for label in page_decode.decode_file(tmp_path / "device_perf.html").labels}
    assert labels["Matmul"].count == 3 and not any(name.startswith("op ") for name in labels)


def test_ops_that_are_not_in_the_report_keep_their_numbers_and_are_told(tmp_path):
    lines = (WORMHOLE / "ops_perf_results.csv").read_text().splitlines(True)
    (tmp_path / "part.csv").write_text("".join(line for line in lines if ",50176," not in line))
    assert named_ops(tmp_path, DEVICE, tmp_path / "part.csv") == ["Matmul", "op 50176", "Matmul"]
    done = tool.good("convert", DEVICE, "--ops-report", tmp_path / "part.csv", "-o", tmp_path / "page.html")
    assert "1 of 3 ops are not in the report of operations" in done.err
    assert any("1 of 3 ops" in note for note in page_decode.decode_file(tmp_path / "page.html").head["notes"])


def test_what_is_no_report_of_operations_is_refused(tmp_path):
    for words in (["convert", DEVICE, "--ops-report", C1, "-o", tmp_path / "page.html"],
                  ["device", DEVICE, "--ops-report", C1, "-o", tmp_path / "out"]):
        done = tool.run(*words)
        assert done.code == 3 and "--ops-report wants a report of operations" in done.err
    assert not (tmp_path / "page.html").exists()
