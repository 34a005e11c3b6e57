"""One server in memory for the tests of a module, and a shell of its own for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.entrypoints.cli.commands.shell import TOKEN, Shell
from tests.entrypoints.support.server import Server, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("terminal") / "var"
    with serving(folder, STATESTORE_ENGINE="memory", STATESTORE_ADMIN_TOKEN=TOKEN) as started:
        yield started


@pytest.fixture
def shell(server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Shell:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("STATESTORE_ADMIN_TOKEN", TOKEN)
    return Shell(server, monkeypatch)
