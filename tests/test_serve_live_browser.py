"""The live page of `tacho serve` in a real browser: tests/browser/live.test.mjs, run by node. `pytest -s` shows how long it takes from an event to its picture."""

import pytest

import serving
import test_browser
import tool

pytestmark = pytest.mark.slow


@pytest.mark.once("the browser sees the same pages from both builds")
def test_the_live_page(tmp_path):
    log = tmp_path / "runtime.csv"
    build = tool.BUILD
    with serving.Server("--live", log, cwd=tmp_path) as server:
        print(test_browser.run_in_browser("live.test.mjs", TACHO_SERVED=server.address, TACHO_TOKEN=server.token, TACHO_LOG=log,
                                    TACHO_ROWS=tool.ROOT / "examples/mobilenet/runtime.csv", TACHO_ZONES=build / "tests/zones",
                                    TACHO_PYTHONPATH=build / "python", TACHO_ADDRESS=f"127.0.0.1:{tool.free_port()}"))
