"""Pages in a real browser: tests/browser/*.test.mjs, run by node."""
import os
import pathlib
import subprocess

import pytest

import chromium
import tool

BUILD = pathlib.Path(os.environ.get("TACHO_BUILD") or tool.ROOT / "build")
HANGS = 3600  # seconds after which a script will never end
WORMHOLE = tool.ROOT / "examples/encoder_wormhole"


def modules():
    """Where tools/pages.sh installed what npm fetched."""
    for folder in (BUILD / "web-modules", tool.ROOT / "build" / "web-modules"):
        if (folder / "node_modules" / "playwright-core").is_dir():
            return folder
    tool.need("node")
    tool.need("npm")
    return pytest.fail("no test of a page runs: npm could not fetch playwright-core (make pages tries again)")


def need_pages():
    """The tool has its pages."""
    script = BUILD / "trace.js"
    if not script.exists() or script.stat().st_size == 0:
        modules()
        pytest.fail(f"no test of a page runs: {BUILD} was built without pages (make pages tries again)")


@pytest.fixture(scope="module", autouse=True)
def pages():
    need_pages()


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """A report on each of the examples, and on two sides."""
    folder = tmp_path_factory.mktemp("reports")
    dumps = [tool.ROOT / "examples/mobilenet_xnnpack" / f"mobilenet_like_xnnpack_fp32_mac_sme2_{side}_t1.etdump" for side in ("off", "on")]
    for name, words in {"run_directory": ["--run-dir", dumps[0].parent], "dump": [dumps[1]], "two_dumps": [dumps[0], "--with", dumps[1]],
                        "torq_estimate": [tool.MOBILENET / "timeline.csv"], "torq_log": [tool.MOBILENET / "runtime.csv"],
                        "ops": [WORMHOLE / "ops_perf_results.csv"], "device": [WORMHOLE / "profile_log_device.csv.gz"]}.items():
        tool.good("report", "-q", *words, "-o", folder / f"{name}.html")
    return folder


def test_pages_are_small():
    for name in ("trace", "serve"):
        assert (BUILD / f"{name}.js").stat().st_size + (BUILD / f"{name}.css").stat().st_size < 250_000, name


def test_nothing_is_loaded_from_elsewhere(tmp_path):
    tool.good("device", "-d", WORMHOLE / "profile_log_device.csv.gz", "-o", tmp_path, "--no-artifacts", "--no-print-stats")
    text = (tmp_path / "device_perf.html").read_text(encoding="utf-8")
    for mark in ("src=", "@import", "url(", "<link rel=\"stylesheet\""):
        assert mark not in text, mark
    assert text.count("</script>") == text.count("<script")


def test_the_lock_file_names_no_registry():
    text = (tool.ROOT / "web" / "package-lock.json").read_text()
    assert "resolved" not in text and "://" not in text


def variables(**more):
    """What scripts of tests/browser find the browser of this run by."""
    need_pages()
    node, found = tool.need("node"), chromium.program(tool.need)
    return tool.environment(TACHO_WEB_MODULES=str(modules()), TACHO_BROWSER=chromium.address(node, found, modules()), **more)


def run_in_browser(script, **given):
    """Runs a script of tests/browser. Pictures are made where somebody wants to look at them."""
    if os.environ.get("TACHO_WEB") == "all":
        given["TACHO_PICTURES"] = BUILD / "pictures"
        given["TACHO_PICTURES"].mkdir(exist_ok=True)
    done = subprocess.run([tool.need("node"), "--test-reporter=spec", tool.TESTS / "browser" / script], capture_output=True, text=True, timeout=HANGS,
                          env=variables(**{name: str(value) for name, value in given.items()}))
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.skipif(tool.SANITIZED, reason="the browser sees the same page from both builds")
def test_what_stands_beside_a_timeline_in_a_browser(tmp_path):
    dump = tool.ROOT / "examples/mobilenet_xnnpack/mobilenet_like_xnnpack_fp32_mac_sme2_on_t1.etdump"
    tool.good("device", "-d", WORMHOLE / "profile_log_device.csv.gz", "-o", tmp_path, "--no-artifacts", "--no-print-stats")
    tool.good("report", "-q", dump, "--timeline", "-o", tmp_path / "report.html")
    run_in_browser("beside.test.mjs", TACHO_PAGES=tmp_path)


@pytest.mark.skipif(tool.SANITIZED, reason="the browser sees the same page from both builds")
def test_reports_in_a_browser(reports):
    run_in_browser("report.test.mjs", TACHO_PAGES=reports)


def test_reports_have_no_script_and_load_nothing(reports):
    for page in reports.glob("*.html"):
        text = page.read_text(encoding="utf-8")
        for mark in ("<script", "src=", "@import", "url(", "<link rel=\"stylesheet\""):
            assert mark not in text, f"{page.name}: {mark}"
