"""Under the thread sanitizer: jobs of the library in several threads at once, and threads that record while others start, stop and watch."""
import collections
import concurrent.futures
import json
import os
import shutil
import signal
import subprocess

import pytest

import recording_reference
import serving
import tool

DATA = tool.ROOT / "tests" / "data"
BUILD = tool.ROOT / "build-tsan" / "tests"

pytestmark = [pytest.mark.slow, pytest.mark.skipif(tool.SANITIZED, reason="once is enough: the programs are the same")]


def run_program(name, *arguments, **options):
    """A program that the sanitizer finds nothing in; what it printed."""
    program = BUILD / name
    assert program.exists(), f"make test builds it: ninja -C build-tsan tests/{name}"
    variables = {**os.environ, "TSAN_OPTIONS": "halt_on_error=0:exitcode=66", **options.pop("variables", {})}
    # Without the randomised layout of newer kernels, which this sanitizer does not know.
    done = subprocess.run(["setarch", os.uname().machine, "-R", program, *[str(argument) for argument in arguments]],
                          capture_output=True, text=True, env=variables, timeout=120, **options)
    assert done.returncode == 0, done.stdout + done.stderr[-8000:]
    return done.stdout


def test_no_race_between_jobs():
    files = [DATA / "torq-golden" / "c1.csv", DATA / "torq-golden" / "runtime_r2.csv",
             DATA / "operators" / "broken_graph_mac_sme2_on_t1.etdump", DATA / "tt-ops-csv" / "bh20_oft.csv.gz"]
    assert run_program("two_jobs", *files).startswith("same")


def test_no_race_between_a_reader_and_its_writer():
    run_program("test_relay")


def record(folder, *case, **variables):
    run_program("zones", *case, cwd=folder, variables={"TACHO_RECORD": "run.tacho", **variables})
    process, = recording_reference.read(folder / "run.tacho")
    return process


def counts_of(process):
    return collections.Counter(zone[1] for zone in process.zones()[0])


def test_threads_that_say_all_they_can(tmp_path):
    process = record(tmp_path, "storm", 16, 2000)
    kinds = collections.Counter(each.kind for records in process.threads.values() for each in records)
    assert counts_of(process) == {"storm": 32000, "say_all": 32000} and sum(process.dropped) == 0
    assert kinds["counter"] == 64000 and kinds["instant"] == 32000 and kinds["argument_text"] == 64000
    assert {f"storm {i}" for i in range(16)} <= set(process.thread_names.values())


def test_threads_that_come_and_go(tmp_path):
    assert counts_of(record(tmp_path, "churn", 16, 30)) == {"short life": 4800}


def test_a_ring_that_turns(tmp_path):
    process = record(tmp_path, "storm", 16, 4000, TACHO_RING="4")
    assert 10000 < sum(counts_of(process).values()) < 128000


def test_a_recording_is_stopped_while_threads_record(tmp_path):
    run_program("zones", "restart", 24, tmp_path / "turn")
    recorded = 0
    for i in range(24):
        process, = recording_reference.read(tmp_path / f"turn-{i}.tacho")
        recorded += len(process.zones()[0])
        # Of each thread: what was open in the middle of it.
        assert process.state == 2 and len(process.zones()[1]) <= 2 * 9
    assert recorded > 0


@pytest.mark.parametrize("case, zones", [(("storm", 16, 2000), {"storm": 32000, "say_all": 32000}), (("churn", 16, 30), {"short life": 4800})],
                         ids=["storm", "churn"])
def test_a_viewer_watches(tmp_path, case, zones):
    port = tool.free_port()
    runtime = tmp_path / "runtime"
    runtime.mkdir(mode=0o700)
    viewer = subprocess.Popen([tool.TACHO, "summary", "--follow", "--json", f"127.0.0.1:{port}"], stdout=subprocess.PIPE, text=True,
                              env=tool.environment(XDG_RUNTIME_DIR=str(runtime)))
    process = record(tmp_path, *case, TACHO_LIVE=str(port), XDG_RUNTIME_DIR=str(runtime))
    out, _ = viewer.communicate(timeout=60)
    assert viewer.returncode == 0 and counts_of(process) == zones
    assert {row["zone"]: row["count"] for row in json.loads(out)["rows"]} == zones


def test_no_race_in_the_server(tmp_path):
    """32 clients ask for everything at once, some of them twice, while files come and go; then it ends while some still wait."""
    examples = tool.ROOT / "examples"
    for name in ("mobilenet/timeline.csv", "mobilenet/runtime.csv", "encoder_wormhole/ops_perf_results.csv"):
        shutil.copy(examples / name, tmp_path)
    program = BUILD.parent / "src" / "tacho"
    assert program.exists(), "make test builds it: ninja -C build-tsan src/tacho"
    with serving.Server(tmp_path, program=["setarch", os.uname().machine, "-R", program],
                        variables={"TSAN_OPTIONS": "halt_on_error=0:exitcode=66"}) as server:
        idents = [card["id"] for card in server.cards().values()]
        paths = ["/", "/api/profiles"] + [f"/{place}" for one in idents for place in (
            f"api/profiles/{one}", f"api/profiles/{one}/tables/operators", f"pages/timeline/{one}", f"pages/report/{one}", f"pages/compare/{idents[0]}/{one}",
            f"download/{one}/perfetto", f"api/profiles/{one}/trace/head", f"api/profiles/{one}/trace/tiles?rows=0&from=0&to=1000000&columns=100")]

        def ask(place):
            if place == "/api/profiles":
                shutil.copy(examples / "mobilenet/timeline.csv", tmp_path / "another.csv")
            try:
                return server.get(place).status
            except OSError:
                return 0

        with concurrent.futures.ThreadPoolExecutor(32) as threads:
            assert set(threads.map(ask, paths * 4)) == {200}
            late = [threads.submit(ask, f"/pages/report/{idents[0]}/{one}") for one in idents * 8]
            server.process.send_signal(signal.SIGINT)
            assert {one.result() for one in late} <= {0, 200, 503}
