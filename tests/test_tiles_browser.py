"""Timelines that `tacho serve` answers for, in a real browser: tests/browser/served.test.mjs, and tests/browser/tiles.mjs, which compares every
column of a drawing with the slices that bench/shapes wrote. bench/served.py does the latter with ten million."""
import json
import shutil
import subprocess

import pytest

import serving
import test_browser
import tool

DUMP = "examples/mobilenet_xnnpack/mobilenet_like_xnnpack_fp32_mac_sme2_{}_t1.etdump"

pytestmark = [pytest.mark.slow, pytest.mark.once("the browser sees the same from both builds")]


def shape(folder, tracks, slices, names):
    subprocess.run([test_browser.BUILD / "bench/shapes", str(tracks), str(slices), str(names), folder / "large.pb", folder / "large.bin"], check=True)


def compare(trace, slices, tiles, views):
    """What tests/browser/tiles.mjs prints."""
    done = subprocess.run([tool.need("node"), tool.TESTS / "browser/tiles.mjs", tool.TACHO, trace, slices, str(tiles), str(views)],
                          capture_output=True, text=True, timeout=test_browser.HANGS, env=test_browser.variables())
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_served_timelines(tmp_path):
    shape(tmp_path, 4, 300_000, 500)
    (tmp_path / "large.bin").unlink()
    for side in ("on", "off"):
        shutil.copy(tool.ROOT / DUMP.format(side), tmp_path / f"{side}.etdump")
    with serving.Server(tmp_path) as server:
        server.list()
        test_browser.run_in_browser("served.test.mjs", TACHO_SERVED=server.address, TACHO_TOKEN=server.token)


@pytest.mark.parametrize("tracks, slices, names", [(3, 200_000, 50), (60, 200_000, 20_000)])
def test_columns_are_those_of_the_slices(tracks, slices, names, tmp_path):
    shape(tmp_path, tracks, slices, names)
    told = compare(tmp_path / "large.pb", tmp_path / "large.bin", 0, 20)
    assert told["columns"] > 100_000 and told["different"] == 0 and not told["problems"], told
