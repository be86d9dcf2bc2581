"""What `tacho serve` shows in a real browser: tests/browser/serve.test.mjs, run by node."""
import shutil

import pytest

import serving
import test_browser
import tool

pytestmark = pytest.mark.slow


@pytest.mark.once("the browser sees the same pages from both builds")
def test_the_served_pages(tmp_path):
    examples = tool.ROOT / "examples"
    dump = "mobilenet_xnnpack/mobilenet_like_xnnpack_fp32_mac_sme2_{}_t1.etdump"
    shutil.copy(examples / "mobilenet/runtime.csv", tmp_path)
    shutil.copy(examples / "mobilenet/timeline.csv", tmp_path)
    shutil.copy(examples / "mobilenet/timeline.csv", tmp_path / "<img src=x onerror=alert(1)>.csv")
    shutil.copy(examples / "encoder_wormhole/profile_log_device.csv.gz", tmp_path)
    for side in ("on", "off"):
        shutil.copy(examples / dump.format(side), tmp_path / f"{side}.etdump")
    (tmp_path / "cut.etdump").write_bytes((tmp_path / "on.etdump").read_bytes()[:5000])
    (tmp_path / "notes.txt").write_text("no profile\n")
    with serving.Server(tmp_path) as server:
        test_browser.run_in_browser("serve.test.mjs", TACHO_SERVED=server.address, TACHO_TOKEN=server.token, TACHO_FOLDER=tmp_path)
