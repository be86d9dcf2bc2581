"""The examples: what writes them writes them again, their numbers agree, and the demo runs."""
import csv
import gzip
import json
import subprocess

import serving
import tool

EXAMPLES = tool.ROOT / "examples"
ENCODER = EXAMPLES / "encoder_wormhole"


def test_the_encoder_can_be_written_again(tmp_path):
    subprocess.run([tool.need("cc"), "-O2", "-o", tmp_path / "generate", EXAMPLES / "tenstorrent.c"], check=True)
    (tmp_path / "out").mkdir()
    subprocess.run([tmp_path / "generate", tmp_path / "out"], check=True)
    assert (tmp_path / "out" / "ops_perf_results.csv").read_bytes() == (ENCODER / "ops_perf_results.csv").read_bytes()
    assert (tmp_path / "out" / "profile_log_device.csv").read_bytes() == gzip.decompress((ENCODER / "profile_log_device.csv.gz").read_bytes())


def test_report_and_log_of_the_encoder_agree(good, tmp_path):
    done = good("device", "-d", ENCODER / "profile_log_device.csv.gz", "-o", tmp_path, "--strict", "--no-plots")
    assert done.err == ""
    ops = json.loads((tmp_path / "device_analysis_data.json").read_bytes())["data"]["devices"]["0"]["cores"]["DEVICE"]["ops"]
    assert len(ops) == 3
    with open(ENCODER / "ops_perf_results.csv", newline="") as file:
        rows = {row["GLOBAL CALL COUNT"]: row for row in csv.DictReader(file)}
    for op in ops:
        row, durations = rows[str(op["run_host_id"])], op["durations"]
        for column, name in (("FW DURATION", "device_fw_duration"), ("KERNEL DURATION", "device_kernel_duration"),
                             ("KERNEL DURATION DM START", "device_kernel_duration_dm_start"),
                             ("KERNEL FIRST TO LAST START", "device_kernel_first_to_last_start")):
            assert row[f"DEVICE {column} [ns]"] == str(durations[name])
        assert row["DEVICE KERNEL DURATION PER CORE MAX [ns]"] == str(durations["device_kernel_duration_per_core"]["Max"])
        # One core is a quarter slower than the others.
        assert durations["device_kernel_duration_per_core"]["Max"] > 1.25 * durations["device_kernel_duration_per_core"]["Median"]


def test_the_advice_finds_what_there_is(good):
    found = good("advise", "-q", ENCODER / "ops_perf_results.csv").text
    assert "Using last signpost: inference" in found and "17 device ops, 1 host ops" in found
    assert "SLOW  Matmul 3072 x 4096 x 1024" in found and "Run (torch) index_select on the device" in found
    answer = json.loads(good("advise", "-q", "--json", ENCODER / "ops_perf_results.csv").text)
    assert answer["items"][0]["rule"] == "slow-product" and answer["items"][0]["where"][0]["name"] == "Matmul 3072 x 4096 x 1024"
    assert answer["items"][1]["rule"] == "host-fallback"


def test_the_demo(tmp_path):
    done = subprocess.run([EXAMPLES / "demo.sh", tool.TACHO], cwd=tmp_path, capture_output=True, text=True, env=tool.environment())
    assert done.returncode == 0 and done.stderr == ""
    shown = done.stdout[done.stdout.index("== Tenstorrent"):done.stdout.index("== See it")]
    assert max(len(line) for line in shown.splitlines()) <= 80
    for words in ("SLOW  Matmul 3072 x 4096 x 1024", "first input in L1", "1,131,477", "device_stats.txt"):
        assert words in shown
    assert done.stdout.endswith(f"All of it in a browser:\n  {tool.TACHO} serve demo-output --open\n")
    with serving.Server("demo-output", cwd=tmp_path) as server:
        cards = server.cards()
        assert cards["mobilenet.pb"]["state"] == "ready"
        server.good(f"/pages/timeline/{cards['mobilenet.pb']['id']}")
