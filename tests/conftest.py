"""Fixtures for all tests that run the tool."""
import os
import pathlib

import pytest

import clickhouse
import tool


MARKS = {
    "once": "would see the same over the sanitized build, for the reason that is given",
    "alone": "changes what other tests use, or measures how fast something is, so that none may run beside it",
    "slow": "takes over a second of CPU, or needs what make check does not build: make test runs it",
    "long": "takes minutes: `make test-long` runs it",
    "waits": "waits for other processes: `make test-shaken` runs it more often",
}


def pytest_configure(config):
    for name, meaning in MARKS.items():
        config.addinivalue_line("markers", f"{name}: {meaning}")


@pytest.fixture(scope="session", autouse=True)
def temporary(tmp_path_factory):
    """Where tests may write is where tool.run looks for what a command wrote."""
    os.environ["TACHO_TEMPORARY"] = os.path.realpath(tmp_path_factory.getbasetemp())


def pytest_collection_modifyitems(config, items):
    """TACHO_ONLY names a file of tests, and of files of them, that are to run: the others are left out, as are those that one build is enough for."""
    only = os.environ.get("TACHO_ONLY")
    chosen = [item for item in items if not (tool.SANITIZED and item.get_closest_marker("once"))]
    if only:
        wanted = set(pathlib.Path(only).read_text().splitlines())
        chosen = [item for item in chosen if item.nodeid in wanted or item.nodeid.partition("::")[0] in wanted]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(chosen)])
    items[:] = chosen


started = {}


def pytest_runtest_logstart(nodeid):
    started[nodeid] = tool.seconds_of_cpu()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """The report of a case says what it took: the wall's clock says little where several run."""
    if call.when == "teardown":
        item.user_properties.append(("cpu", round(tool.seconds_of_cpu() - started.pop(item.nodeid), 4)))
    yield


@pytest.fixture(scope="session")
def tacho():
    """Runs tacho with these arguments; the result has code, out (bytes), text and err."""
    if not tool.built():
        pytest.fail("there is no tool: build it with make, or name it in TACHO")
    return tool.run


@pytest.fixture(scope="session")
def good(tacho):
    """The same for commands that must succeed."""
    return tool.good


@pytest.fixture(scope="session")
def golden():
    return tool.GOLDEN


@pytest.fixture(scope="session")
def clickhouses(tmp_path_factory):
    """Two ClickHouse servers that are a cluster."""
    servers = clickhouse.Servers(tmp_path_factory.mktemp("clickhouse"))
    yield servers
    servers.stop()
