"""Pages in a real browser: tests/browser/*.test.mjs, run by node."""
import os
import pathlib
import subprocess

import pytest

import tool

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


def test_reports_have_no_script_and_load_nothing(reports):
    for page in reports.glob("*.html"):
        text = page.read_text(encoding="utf-8")
        for mark in ("<script", "src=", "@import", "url(", "<link rel=\"stylesheet\""):
            assert mark not in text, f"{page.name}: {mark}"
