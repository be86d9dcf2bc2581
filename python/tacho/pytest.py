"""A pytest plugin: records tests, runs Torq's programs for them, and ends a session with what the profiles say.

    pytest -p tacho.pytest --tacho-output-dir recordings
    pytest --torq-addr root@board --torq-runtime-profiling-output-dir profile --update-astra-runtime

An installed package brings it without `-p`. Options of Torq's own test suites keep their names here; where a suite's
conftest defines one of them it stays the suite's, and its value is used. Workers of pytest-xdist record and run like a
session of one process: what they leave travels to the summary as properties of their tests.
"""
import contextlib
import logging
import os
import pathlib
import re
import subprocess
import time

import pytest

import tacho
from tacho import _record, torq

logger = logging.getLogger("tacho")

HEADING = "Host Profile Overview"
PROFILE_PROPERTY = "torq_profile"
STARTED = pytest.StashKey[float]()
TORQ_OPTIONS = {
    "--torq-runtime-profiling-output-dir": dict(
        metavar="DIR", help="profile what torq-run-module does; a folder per test"),
    "--torq-runtime-hw-type": dict(metavar="TYPE", help="what torq-run-module runs on: sim, astra_machina, …"),
    "--torq-addr": dict(metavar="USER@BOARD", help="run torq-run-module there, over ssh"),
    "--update-astra-runtime": dict(
        action="store_true", default=False, help="copy the torq-run-module of this machine to the board if it changed"),
    "--recompute-cache": dict(action="store_true", default=False, help="run again what was run before"),
}


# ---- options ---------------------------------------------------------------------------------------------------------


def pytest_addoption(parser):
    parser.getgroup("tacho").addoption(
        "--tacho-output-dir", metavar="DIR", help="record every test into a file of its own in this folder")


@pytest.hookimpl(hookwrapper=True)
def pytest_load_initial_conftests(parser):
    """Adds the options that no conftest has defined: there can be one of a name, and the suite's comes first."""
    yield
    group = parser.getgroup("torq", "runs of Torq's programs")
    defined = vars(parser.parse_known_args([]))
    for name, settings in TORQ_OPTIONS.items():
        if name.strip("-").replace("-", "_") not in defined:
            group.addoption(name, **settings)


def option(config, name):
    """The value of an option, whoever defined it; None: it was not given."""
    return config.getoption(name, None) or None


# ---- recording -------------------------------------------------------------------------------------------------------


def file_name(nodeid):
    """A name for the files of a test: that of its id, without what file systems do not take."""
    return re.sub(r"[^\w.\[\]=,+-]+", "-", nodeid.replace("::", "-")).strip("-")[:200]


@contextlib.contextmanager
def recorded(folder, name):
    """What Python does meanwhile goes into a recording of its own, that of child processes into files beside it."""
    os.makedirs(folder, exist_ok=True)
    _record.start(os.path.join(folder, name + ".tacho"), os.path.join(folder, ""))
    try:
        with tacho.Profiler():
            yield
    finally:
        _record.stop()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item):
    """With --tacho-output-dir: a recording per test."""
    folder = option(item.config, "--tacho-output-dir")
    with recorded(folder, file_name(item.nodeid)) if folder else contextlib.nullcontext():
        yield


def phase(item, name):
    """A zone around a phase of a test that has a recording of its own. In others a zone would record more than was asked for."""
    with tacho.zone(name, test=item.nodeid) if option(item.config, "--tacho-output-dir") else contextlib.nullcontext():
        yield


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_setup(item):
    yield from phase(item, "setup")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item):
    yield from phase(item, "call")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_teardown(item):
    yield from phase(item, "teardown")


@pytest.fixture
def tacho_profile():
    """Records what Python does in the test, under `python3 -m tacho -p`, `tacho record` or --tacho-output-dir."""
    with tacho.Profiler() as profiler:
        yield profiler


@pytest.fixture
def tracy_profile(tacho_profile):
    """The same under the name that suites use already."""
    return tacho_profile


# ---- runs of torq-run-module ------------------------------------------------------------------------------------------


@pytest.fixture
def torq_run(request, record_property, tmp_path):
    """torq_run(arguments) runs torq-run-module, here or on the board, and gives a `tacho.torq.Run`."""
    config = request.config
    profiles = option(config, "--torq-runtime-profiling-output-dir")
    cache = getattr(config, "cache", None)
    runner = torq.Runner(
        hardware=option(config, "--torq-runtime-hw-type"), address=option(config, "--torq-addr"),
        update=bool(option(config, "--update-astra-runtime")), recompute=bool(option(config, "--recompute-cache")),
        profiled=bool(profiles), cache=cache.mkdir("torq-runs") if cache else None)
    folder = pathlib.Path(profiles or tmp_path) / file_name(request.node.nodeid)
    runs = []

    def run(arguments):
        directory = folder if not runs else folder / str(len(runs) + 1)
        try:
            done = runner.run(arguments, directory, file_name(request.node.name))
        except torq.RunFailed as failure:
            pytest.fail(str(failure), pytrace=False)
        runs.append(done)
        logger.info("Wall time: %.3fs%s", done.wall_time, " (of the run that is kept)" if done.cached else "")
        record_property("wall_time", f"{done.wall_time:.6f}")
        if done.profile:
            record_property(PROFILE_PROPERTY, os.path.abspath(done.profile))
        return done

    return run


# ---- the end of a session ---------------------------------------------------------------------------------------------


def pytest_configure(config):
    config.stash[STARTED] = time.time()
    if option(config, "--tacho-output-dir") and tacho.recording():
        raise pytest.UsageError("--tacho-output-dir: this session is recorded already, and there is one recording at a time")


def profiles_told(reporter):
    """The profiles that tests of this session told of, workers' too."""
    for reports in reporter.stats.values():
        for report in reports:
            for name, value in getattr(report, "user_properties", ()):
                if name == PROFILE_PROPERTY and getattr(report, "when", None) == "call":
                    yield pathlib.Path(value)


def profiles_left(config):
    """Files in the folder of profiles that were written since the session began."""
    folder = option(config, "--torq-runtime-profiling-output-dir")
    if folder:
        for path in sorted(pathlib.Path(folder).rglob("*")):
            if path.suffix in (".csv", ".pb") and path.stat().st_mtime >= config.stash[STARTED] - 1:
                yield path.resolve()


def overview(path, told):
    """What `tacho summary` says of a profile, without its heading; None: it is nothing that has an overview."""
    done = subprocess.run([torq.tool(), "summary", os.fspath(path)], capture_output=True, text=True, errors="replace")
    heading, _, body = done.stdout.partition("\n")
    if done.returncode:
        return f"  {done.stderr.strip()}" if told else None
    return body.rstrip("\n") if HEADING in heading else None


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter, config):
    told = list(dict.fromkeys(profiles_told(terminalreporter)))
    left = [path for path in profiles_left(config) if path not in told]
    texts = [text for path in told + left if (text := overview(path, path in told))]
    if texts:
        terminalreporter.section(HEADING)
        for text in texts:
            terminalreporter.line(text + "\n")
