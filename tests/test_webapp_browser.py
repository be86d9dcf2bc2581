"""Devices, ops, latencies and links in a real browser: tests/browser/webapp.test.mjs, run by node."""
import gzip
import shutil

import pytest

import serving
import test_browser
import tool

pytestmark = pytest.mark.slow


@pytest.mark.once("the browser sees the same pages from both builds")
def test_devices_and_ops(tmp_path):
    examples, folder = tool.ROOT / "examples", tmp_path / "served"
    log = examples / "encoder_wormhole/profile_log_device.csv.gz"
    folder.mkdir()
    (folder / "profile_log_device.csv").write_bytes(gzip.decompress(log.read_bytes()))
    shutil.copy(examples / "mobilenet/timeline.csv", folder)
    shutil.copy(examples / "mobilenet_xnnpack/mobilenet_like_xnnpack_fp32_mac_sme2_on_t1.etdump", folder / "on.etdump")
    shutil.copytree(tool.DATA / "tt-ops-folder/logs", folder / "logs")
    with serving.Server(folder) as server, serving.Server("-d", log, "-o", tmp_path / "out", verb="device") as device:
        test_browser.run_in_browser("webapp.test.mjs", TACHO_SERVED=server.address, TACHO_TOKEN=server.token, TACHO_LOG=folder / "profile_log_device.csv",
                                    TACHO_DEVICE=f"{device.address}/?token={device.token}#{device.part}")
