"""The history page in a real browser: tests/browser/history.test.mjs, that of a build build.test.mjs, and while the servers of a history are away history_away.test.mjs, run by node."""
import http.server
import random
import threading

import pytest

import builds
import clickhouse
import serving
import test_browser
import tool

pytestmark = pytest.mark.slow


@pytest.mark.once("the browser sees the same pages from both builds")
def test_the_history_page(tmp_path):
    store = builds.fill(tmp_path)
    with serving.Server("--history", store) as server, serving.Server(tool.MOBILENET / "timeline.csv") as without:
        test_browser.run_in_browser("history.test.mjs", TACHO_SERVED=server.address, TACHO_TOKEN=server.token,
                                    TACHO_WITHOUT=f"{without.address}/?token={without.token}")


@pytest.mark.once("the browser sees the same pages from both builds")
def test_the_page_of_a_build(tmp_path):
    with serving.Server("--history", builds.fill_sessions(tmp_path)) as server:
        test_browser.run_in_browser("build.test.mjs", TACHO_SERVED=server.address, TACHO_TOKEN=server.token, TACHO_FOLDER=tmp_path)


class Control(http.server.BaseHTTPRequestHandler):
    """/stop and /start, of the servers of a history."""

    def do_GET(self):
        (self.server.away.kill if self.path == "/stop" else self.server.away.start)()
        self.send_response(204)
        self.end_headers()

    def log_message(self, *words):
        pass


@pytest.mark.once("the browser sees the same pages from both builds")
def test_the_history_page_while_its_servers_are_away(tmp_path):
    servers = clickhouse.Servers(tmp_path / "servers", count=1)
    store = servers.one().replace("clickhouse://", "clickhouse://keeper:se'cr%3Aet%401@")
    for number in range(3):
        builds.add(store, tmp_path, "net", f"{number}", "board", launches=2, chance=random.Random(number))
    control = http.server.HTTPServer(("127.0.0.1", 0), Control)
    control.away = servers[0]
    threading.Thread(target=control.serve_forever, daemon=True).start()
    with serving.Server("--history", store) as server:
        test_browser.run_in_browser("history_away.test.mjs", TACHO_SERVED=server.address, TACHO_TOKEN=server.token, TACHO_CONTROL=f"http://127.0.0.1:{control.server_port}")
    control.shutdown()
    servers.stop()
