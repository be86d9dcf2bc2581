"""tacho device and tacho ops --webapp: what they show in a browser, through the server of tacho serve."""
import csv
import gzip
import io
import json
import os
import pty
import select
import shutil
import signal
import socket
import subprocess
import sys
import tarfile

import pytest

import serving
import tool
import waiting
from serving import Server

LOG = tool.ROOT / "examples/encoder_wormhole/profile_log_device.csv.gz"
OPS = tool.DATA / "tt-ops-folder/logs"


def device(*words, **options):
    return Server(*words, verb="device", **options)


def only(server):
    (card,) = server.cards().values()
    return card


def table(server, name, query=""):
    return server.good(f"/api/profiles/{only(server)['id']}/tables/{name}{query}").json()


def test_a_device_is_shown(good, tmp_path):
    with device("-d", LOG, "-o", tmp_path / "served") as server:
        assert server.part == "device" and only(server)["name"] == LOG.name
        profile = server.good(f"/api/profiles/{only(server)['id']}").json()
        assert profile["archives"] == [{"verb": "device", "title": "Artifacts", "file": "device_perf_results.tar"}]
        for name in ("analyses", "cores", "ops"):
            assert table(server, name)["rows"] == json.loads(good("device", "-d", LOG, "--table", name, "--json", "-q").text)["rows"]
        assert table(server, "cores", "?columns=x,y,duration,max")["rows"]
    printed = good("device", "-d", LOG, "-o", tmp_path / "alone").text
    assert server.out.replace("served", "alone") == printed, "everything is printed before"


def test_the_artifacts_are_those_of_the_command(good, tmp_path):
    good("device", "-d", LOG, "-o", tmp_path / "alone", "-q")
    with device("-d", LOG, "-o", tmp_path / "served", "--no-artifacts") as server:
        ident = only(server)["id"]
        for _ in range(2):  # a second download is as good as the first
            got = server.good(f"/archive/{ident}/device")
            assert "_device_perf_results.tar\"" in got.headers["Content-Disposition"]
            made = tarfile.open(fileobj=io.BytesIO(got.body))
            assert set(made.getnames()) == {path.name for path in (tmp_path / "alone").iterdir()} - {"device_perf_results.tar"} | {LOG.name}
            for name in ("device_stats.txt", "device_rearranged_timestamps.csv"):
                assert made.extractfile(name).read() == (tmp_path / "alone" / name).read_bytes()
        assert server.get(f"/archive/{ident}/ops").status == 404
        assert server.get(f"/archive/{ident}/serve").status == 404
        assert server.get(f"/archive/{ident}/device?columns=x").status == 400


def test_what_was_asked_of_the_verb_holds_for_the_page(good, tmp_path):
    setup = tmp_path / "own" / "own.json"
    setup.parent.mkdir()
    setup.write_text(json.dumps({"timerAnalysis": {"mine": {"across": "core", "type": "adjacent", "start": {"risc": "BRISC", "timerID": 2},
                                                           "end": {"risc": "BRISC", "timerID": 3}}}, "defaults": False}))
    words = ["-d", LOG, "-s", setup, "--no-op-detection"]
    with device(*words, "-o", tmp_path / "out", "--no-plots") as server:
        rows = table(server, "analyses")["rows"]
        assert rows == json.loads(good("device", *words, "--table", "analyses", "--json", "-q").text)["rows"]
        assert [row["duration"] for row in rows] == ["mine"]


def test_analyses_by_core_of_ops_have_a_map(good):
    """Each op on each core is in one row, and all of them add up to the statistics."""
    words = ["device", "-d", LOG, "--json", "-q", "--filter", "duration=device_kernel_duration_per_core"]
    (whole,) = json.loads(good(*words, "--table", "analyses").text)["rows"]
    rows = json.loads(good(*words, "--table", "cores", "--columns", "x,y,count,sum,max,min,unknown").text)["rows"]
    assert len({(row["x"], row["y"]) for row in rows}) == len(rows) == 64
    assert sum(row["count"] for row in rows) == whole["count"] and sum(row["sum"] for row in rows) == whole["sum"]
    assert max(row["max"] for row in rows) == whole["max"] and min(row["min"] for row in rows) == whole["min"]


def test_the_clock_holds_for_the_page(good, tmp_path):
    log = tmp_path / "profile_log_device.csv"
    log.write_text("0, 0, 0, BRISC, 1, 1000\n0, 0, 0, BRISC, 2, 2000\n0, 0, 0, BRISC, 3, 3000\n0, 0, 0, BRISC, 4, 5000\n")
    with device(log, "-o", tmp_path / "out", "--clock-mhz", "500") as server:
        assert only(server)["profile"]["inputs"][0]["run_ns"] == 8000
        assert table(server, "overview")["rows"][0]["time"] == 8000
        assert table(server, "ops")["rows"][0]["time"] == 8000


@pytest.mark.waits
def test_refresh_reads_the_log_again(tmp_path):
    lines = gzip.decompress(LOG.read_bytes()).decode().splitlines(keepends=True)
    log = tmp_path / "profile_log_device.csv"
    log.write_text("".join(lines[:2 + (len(lines) - 2) // 2]))
    with device(log, "-o", tmp_path / "out") as server:
        ident = only(server)["id"]
        before = table(server, "cores")["rows"]
        used = only(server)["profile"]["inputs"][0]["rows"]["used"]
        log.write_text("".join(lines))
        server.good(f"/api/profiles/{ident}?again=1")
        state = waiting.until(lambda: (one := server.good(f"/api/profiles/{ident}").json())["state"] == "ready" and one)
        assert state["profile"]["inputs"][0]["rows"]["used"] > used
        assert table(server, "cores")["rows"] != before
        # A folder tells nothing of what happened in it, but a file that stays as it is is not read again.
        assert server.good(f"/api/profiles/{ident}?again=1").json()["state"] == "ready"


@pytest.mark.waits
def test_a_busy_port_and_an_address(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with device("-d", LOG, "-o", tmp_path, "--no-plots", "--no-artifacts", "-p", port) as server:
            assert server.port > port and f"port {port} is busy: port {server.port} is taken" in server.said
            server.good("/")
    with device("-d", LOG, "-o", tmp_path, "--no-plots", "--no-artifacts", "--bind", "0.0.0.0") as server:
        assert any("ssh -N -L" in line for line in server.said)


def test_quiet_says_the_address_and_nothing_else(tmp_path):
    with device("-d", LOG, "-o", tmp_path, "--no-plots", "--no-artifacts", "-q") as server:
        assert len(server.said) == 1
    shutil.copy(LOG, tmp_path / "log.csv.gz")
    with Server(tmp_path / "log.csv.gz", "-q") as server:
        assert len(server.said) == 1 and server.part is None
        server.good("/")
    with Server(tmp_path / "log.csv.gz", "--show", "timeline") as server:
        assert server.part == "timeline"


@pytest.mark.parametrize("words,said", [
    (["-d", "-", "-p", "8050"], "through a pipe"), (["-d", LOG, "-p", "0"], "--port wants"), (["-d", LOG, "-p", "8050", "--bind", "nowhere"], "--bind wants an address")])
def test_what_cannot_be_served(tacho, tmp_path, words, said):
    run = tacho("device", *words, "-o", tmp_path, "--no-plots", "--no-artifacts", stdin=gzip.decompress(LOG.read_bytes()))
    assert run.code == 2 and said in run.err


def test_show_wants_a_word(tacho):
    for word in ("a b", "#", "x" * 40, "<script>"):
        run = tacho("serve", "--show", word, LOG)
        assert run.code == 2 and "--show wants" in run.err


def test_nothing_is_served_where_nobody_asks(good, tmp_path):
    for words in (["device", "-d", LOG, "-o", tmp_path], ["ops", "-i", OPS / "ops", "-o", tmp_path], ["device", "-d", LOG, "--table", "ops", "-p", "8050"],
                  ["device", "-d", LOG, "-o", tmp_path, "-p", "8050", "--no-webapp"]):
        assert "http://" not in good(*words).err


def at_a_terminal(*words):
    """What a person sees until the address is there, or until the end; then Ctrl-C."""
    above, below = pty.openpty()
    process = subprocess.Popen([tool.TACHO, *map(str, words)], stdin=below, stdout=below, stderr=below, env=tool.environment(), start_new_session=True)
    os.close(below)
    seen = b""

    def over():
        nonlocal seen
        ended = process.poll() is not None
        try:
            while select.select([above], [], [], 0)[0]:
                seen += os.read(above, 65536)
        except OSError:
            return True
        return ended or b"Ctrl-C ends it" in seen

    waiting.until(over)
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
    code = process.wait(waiting.LIMIT)
    os.close(above)
    return code, seen.decode()


@pytest.mark.waits
def test_at_a_terminal_a_device_is_shown(tmp_path):
    words = ["device", "-d", LOG, "-o", tmp_path, "--no-artifacts", "-p", str(tool.free_port())]
    code, seen = at_a_terminal(*words[:-2])
    assert code == 0 and "device_perf.html" in seen and "#device" in seen
    code, seen = at_a_terminal(*words[:-2], "--no-webapp")
    assert code == 0 and "device_perf.html" in seen and "http://" not in seen
    code, seen = at_a_terminal(*words[:-2], "--json")
    assert code == 0 and "http://" not in seen
    code, seen = at_a_terminal("ops", "-i", OPS / "ops", "-o", tmp_path)
    assert code == 0 and "http://" not in seen


# ---- Ops ---------------------------------------------------------------------------------------------------------------


def test_ops_are_shown(good, tmp_path):
    with Server("-i", OPS / "ops", "-o", tmp_path, "--webapp", verb="ops") as server:
        assert server.part == "ops"
        profile = server.good(f"/api/profiles/{only(server)['id']}").json()
        assert [archive["file"] for archive in profile["archives"]] == ["profile_log_ops.tgz"]
        calls = table(server, "calls")["rows"]
        assert calls == json.loads(good("ops", "-i", OPS / "ops", "--table", "calls", "--json", "-q").text)["rows"]
        cores = table(server, "call_cores", "?filter=call%3D3")["rows"]
        assert cores and {row["call"] for row in cores} == {3}
        logs = tarfile.open(fileobj=io.BytesIO(server.good(f"/archive/{profile['id']}/ops").body))
        assert any(name.endswith("profile_log_device.csv") for name in logs.getnames()), "what lies beside the folder may be read, too"


def test_calls_are_those_of_the_report(good, tmp_path):
    """The table and the CSV of the document, row by row."""
    good("ops", "-i", OPS / "ops", "-o", tmp_path)
    report = list(csv.DictReader(io.StringIO((tmp_path / "profile_log_ops.csv").read_text())))
    calls = json.loads(good("ops", "-i", OPS / "ops", "--table", "calls", "--json", "-q").text)["rows"]
    assert len(calls) == len(report)
    first = min(int(row["HOST START TS"]) for row in report)
    for ours, theirs in zip(calls, report):
        assert str(ours["call"]) == theirs["GLOBAL CALL COUNT"] and ours["op"] == theirs["OP CODE"].strip() and str(ours["depth"]) == theirs["CALL DEPTH"]
        assert ours["start"] == int(theirs["HOST START TS"]) - first and str(ours["duration"]) == theirs["HOST DURATION [ns]"]
        assert str(ours["kernel"] if ours["kernel"] is not None else "-") == theirs["DEVICE KERNEL DURATION [ns]"]
        assert str(ours["cores"] if ours["cores"] is not None else "-") == theirs["CORE COUNT"]


def write_calls(folder, spans):
    """A log of calls (depth, start, end) of one op."""
    log = folder / "tt::tt_metal::Op" / "profile_log_host.csv"
    log.parent.mkdir(parents=True)
    head = "Name, Start timer count [ns], Stop timer count [ns], Delta timer count [ns], Global Call Count, Call Count, Stack Size, Inputs, Outputs, Math Fidelity, " \
           "Parallelization Strategy, Preferred Name, Meta Data, Type"
    rows = [f"tt::tt_metal::Op, {start}, {end}, {end - start}, {at + 1}, {at + 1}, {depth}, , , , , , , tt_dnn_cpu" for at, (depth, start, end) in enumerate(spans)]
    log.write_text("\n".join([head, *rows, ""]))


def test_depths_are_those_of_the_log(good, tmp_path):
    spans = [(1, 0, 100), (2, 0, 50), (3, 10, 20), (3, 20, 50), (2, 60, 100), (1, 100, 130), (2, 100, 130), (1, 200, 200)]
    write_calls(tmp_path / "ops", spans)
    calls = json.loads(good("ops", "-i", tmp_path / "ops", "--table", "calls", "--json", "-q").text)["rows"]
    assert [(row["depth"], row["start"], row["start"] + row["duration"]) for row in calls] == spans


def test_a_zone_is_in_one_call_alone(good):
    """Every zone of a device log is in a row, and adds up to the slices of the timeline."""
    rows = json.loads(good("ops", "-i", OPS / "ops", "--table", "call_cores", "--json", "-q").text)["rows"]
    slices = list(csv.DictReader(io.StringIO(good("convert", OPS / "ops", "--to", "slices", "-o", "-", "-q").text)))
    assert len(rows) == sum(one["engine"] == "risc" for one in slices)
    assert sum(row["duration"] for row in rows) == sum(int(one["duration_ns"]) for one in slices if one["engine"] == "risc")
    assert all(row["start"] >= 0 for row in rows)


def test_wrong_tables(tacho):
    assert "calls or call_cores" in tacho("ops", "-i", OPS / "ops", "--table", "none").err


def test_a_folder_above_others_is_no_profile(tmp_path):
    """Logs of ops that lie deeper do not make the folder above them a profile: what else is in it is served, too."""
    shutil.copytree(OPS, tmp_path / "runs/logs")
    shutil.copy(LOG, tmp_path / "runs")
    with Server(tmp_path / "runs") as server:
        assert set(server.cards()) == {LOG.name, "logs/ops", "logs/ops_device"}


def test_every_metric_names_its_engines():
    with Server(tool.MOBILENET / "timeline.csv") as server:
        (profile,) = only(server)["profile"]["inputs"]
        assert profile["engines"]["dma"] == ["DMA In", "DMA Out", "CDMA"] and profile["engines"]["idle"] == []
        assert set(profile["engines"]) >= {metric["metric"] for metric in profile["metrics"]}


def test_runs_one_by_one(good):
    dump = tool.ROOT / "examples/mobilenet_xnnpack/mobilenet_like_xnnpack_fp32_mac_sme2_on_t1.etdump"
    rows = json.loads(good("latency", "--each-run", "--json", "-q", dump).text)["rows"]
    side = json.loads(good("latency", "--json", "-q", dump).text)["side"]
    counted = sorted(row["time"] for row in rows if row["counted"])
    assert [row["run"] for row in rows] == list(range(1, len(rows) + 1)) and len(counted) == side["runs"] and len(rows) - len(counted) == side["left_out"]
    assert counted[0] == round(side["min_ms"] * 1e6) and counted[-1] == round(side["max_ms"] * 1e6)


@pytest.mark.once("the whole script is run under sanitizers by hand")
@pytest.mark.slow
def test_attacks_in_short():
    done = subprocess.run([sys.executable, tool.TESTS / "serve_attacks.py", "--short", "rebinding", "origins", "traversal", "body", "drips", "downloads", "fuzz"],
                          capture_output=True, text=True, timeout=waiting.LIMIT, env=tool.environment())
    assert done.returncode == 0, done.stdout + done.stderr
