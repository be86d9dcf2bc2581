"""Pages in a real browser: tests/browser/*.test.mjs, run by node."""
import json
import os
import pathlib
import subprocess

import pytest

import tool
import trace_page

BUILD = pathlib.Path(os.environ.get("TACHO_BUILD") or tool.ROOT / "build")
LOG = tool.DATA / "tt-device" / "six" / "wormhole_multi_core.csv.gz"
LARGE = ["100", "2000"]  # cores, slices of each of their five processors: a million slices


def modules():
    """Where tools/pages.sh installed what npm fetched."""
    for folder in (BUILD / "web-modules", tool.ROOT / "build" / "web-modules"):
        if (folder / "node_modules" / "playwright-core").is_dir():
            return folder
    return pytest.fail("playwright-core is not there: tools/pages.sh fetches it by npm when it builds the pages")


def make_page(path, cores, slices, gap="0"):
    subprocess.run([BUILD / "tests" / "page", cores, slices, gap, path], check=True, env=tool.environment())


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    script = BUILD / "pages.js"
    if not script.exists() or script.stat().st_size == 0:
        pytest.fail(f"{BUILD} was built without pages: node and npm were missing, or npm could not fetch; make pages tries again")
    folder = tmp_path_factory.mktemp("pages")
    make_page(folder / "small.html", "6", "60")
    make_page(folder / "large.html", *LARGE)
    make_page(folder / "gap.html", "2", "40", "50000000")
    tool.good("device", "-d", LOG, "-o", folder, "--no-artifacts", "--no-print-stats")
    return folder


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """A report on each of the examples, and on two sides."""
    folder = tmp_path_factory.mktemp("reports")
    dumps = [tool.ROOT / "examples/mobilenet_xnnpack" / f"mobilenet_like_xnnpack_fp32_mac_sme2_{side}_t1.etdump" for side in ("off", "on")]
    wormhole = tool.ROOT / "examples/encoder_wormhole"
    for name, words in {"run_directory": ["--run-dir", dumps[0].parent], "dump": [dumps[1]], "two_dumps": [dumps[0], "--with", dumps[1]],
                        "torq_estimate": [tool.MOBILENET / "timeline.csv"], "torq_log": [tool.MOBILENET / "runtime.csv"],
                        "ops": [wormhole / "ops_perf_results.csv"], "device": [wormhole / "profile_log_device.csv.gz"]}.items():
        tool.good("report", "-q", *words, "-o", folder / f"{name}.html")
    return folder


def test_pages_are_small(pages):
    script = (BUILD / "pages.js").stat().st_size + (BUILD / "pages.css").stat().st_size
    assert script < 150_000
    assert (BUILD / "trace.js").stat().st_size + (BUILD / "trace.css").stat().st_size < 250_000
    assert (pages / "large.html").stat().st_size < 12_000_000
    assert (pages / "small.html").stat().st_size < 150_000


def test_nothing_is_loaded_from_elsewhere(pages):
    text = (pages / "small.html").read_text(encoding="utf-8")
    for mark in ("src=", "@import", "url(", "<link rel=\"stylesheet\""):
        assert mark not in text, mark
    assert text.count("</script>") == text.count("<script")


def test_the_lock_file_names_no_registry():
    text = (tool.ROOT / "web" / "package-lock.json").read_text()
    assert "resolved" not in text and "://" not in text


def run_in_browser(script, **variables):
    chromium = os.environ.get("TACHO_CHROMIUM") or tool.need("chromium")
    pictures = BUILD / "pictures"
    pictures.mkdir(exist_ok=True)
    variables = tool.environment(TACHO_WEB_MODULES=str(modules()), TACHO_CHROMIUM=chromium, TACHO_PICTURES=str(pictures),
                                 **{name: str(value) for name, value in variables.items()})
    done = subprocess.run([tool.need("node"), "--test", tool.TESTS / "browser" / script], capture_output=True, text=True, timeout=300, env=variables)
    print(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.alone
@pytest.mark.skipif(tool.SANITIZED, reason="the browser sees the same page from both builds")
def test_in_a_browser(pages):
    run_in_browser("timeline.test.mjs", TACHO_SMALL_PAGE=pages / "small.html", TACHO_LARGE_PAGE=pages / "large.html",
                   TACHO_GAP_PAGE=pages / "gap.html", TACHO_DEVICE_PAGE=pages / "device_perf.html")


@pytest.mark.skipif(tool.SANITIZED, reason="the browser sees the same page from both builds")
def test_reports_in_a_browser(reports):
    run_in_browser("report.test.mjs", TACHO_REPORTS=reports)


def clipped(trace, begin, end):
    """Exact sums of a range, as slowly and plainly as can be: what the page has to say about it."""
    names, tracks, operators = {}, {}, {}
    places = {(row.track, row.depth): row for row in trace.rows}
    for row in trace.rows:
        if row.counter:
            continue
        outer = places.get((row.track, row.depth - 1))
        at = 0
        for start, last, label in zip(row.starts, row.ends, row.labels):
            inside = start < end and (last > begin or start >= begin)
            length = max(0, min(last, end) - max(start, begin))
            if outer:
                while outer.ends[at] < last:
                    at += 1
                if length:
                    names[outer.labels[at]][2] -= length
            if not inside:
                continue
            sums = names.setdefault(label, [0, 0, 0])
            for place, value in enumerate((1, length, length)):
                sums[place] += value
            if row.depth == 0:
                busy = tracks.setdefault(row.track, [0, 0])
                busy[0] += 1
                busy[1] += length
    named = {trace.texts[trace.labels[label][0]]: sums for label, sums in names.items()}
    for label, sums in names.items():
        operator = operators.setdefault(trace.texts[trace.labels[label][1]] or "(none)", [0, 0])
        operator[0] += sums[0]
        operator[1] += sums[2]
    return {"names": named, "tracks": {f"Device 0 › {trace.tracks[track]['name']}": sums for track, sums in tracks.items()}, "operators": operators}


@pytest.mark.alone
@pytest.mark.skipif(tool.SANITIZED, reason="the browser sees the same page from both builds")
def test_traces_in_a_browser(tmp_path):
    trace = trace_page.made_up(10, 20_000, 60)
    trace.write(tmp_path / "small.html", BUILD)
    trace_page.made_up(5, 1_000_000, 1000).write(tmp_path / "large.html", BUILD)
    end = max(row.ends[-1] for row in trace.rows)
    ranges = [[0, end], [end // 2, end // 2 + 12_345], [end * 3 // 5, end * 4 // 5]]
    busiest = {"row": 0, "starts": trace.rows[0].starts, "ends": trace.rows[0].ends}
    label = trace.rows[0].labels[0]
    counts = sum(row.labels.count(label) for row in trace.rows if not row.counter)
    (tmp_path / "wanted.json").write_text(json.dumps({
        "ranges": [{"range": one, "sums": clipped(trace, *one)} for one in ranges], "row": busiest,
        "name": {"text": trace.texts[trace.labels[label][0]], "count": counts}}))
    text = (tmp_path / "small.html").read_text(encoding="utf-8")
    first = text.index("tacho-blocks") + 5000
    (tmp_path / "damaged.html").write_text(text[:first] + "AAAA" * 3000 + text[first + 12000:], encoding="utf-8")
    tool.good("convert", "-q", tool.ROOT / "examples/mobilenet_xnnpack/mobilenet_like_xnnpack_fp32_mac_sme2_off_t1.etdump", "-o", tmp_path / "dump.html")
    run_in_browser("trace.test.mjs", TACHO_TRACES=tmp_path)


def test_reports_have_no_script_and_load_nothing(reports):
    for page in reports.glob("*.html"):
        text = page.read_text(encoding="utf-8")
        for mark in ("<script", "src=", "@import", "url(", "<link rel=\"stylesheet\""):
            assert mark not in text, f"{page.name}: {mark}"
