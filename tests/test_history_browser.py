"""The history page in a real browser: tests/browser/history.test.mjs, run by node."""
import pytest

import builds
import serving
import test_browser
import tool


@pytest.mark.skipif(tool.SANITIZED, reason="the browser sees the same pages from both builds")
def test_the_history_page(tmp_path):
    store = builds.fill(tmp_path)
    with serving.Server("--history", store) as server, serving.Server(tool.MOBILENET / "timeline.csv") as without:
        test_browser.run_in_browser("history.test.mjs", TACHO_SERVED=server.address, TACHO_TOKEN=server.token,
                                    TACHO_WITHOUT=f"{without.address}/?token={without.token}")
