"""Fixtures for all tests that run the tool."""
import pathlib

import pytest

import clickhouse
import tool


def pytest_configure(config):
    config.addinivalue_line("markers", "alone: changes what other tests use, or measures how fast something is, so that none may run beside it")


@pytest.fixture(scope="session")
def tacho():
    """Runs tacho with these arguments; the result has code, out (bytes), text and err."""
    if not pathlib.Path(tool.TACHO).exists():
        pytest.fail(f"{tool.TACHO} does not exist: build it with make, or name it in TACHO")
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
