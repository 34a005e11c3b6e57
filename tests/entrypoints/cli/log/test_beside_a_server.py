"""`statestore log` while a server owns the data folder."""

import signal
import subprocess
from pathlib import Path

import pytest

from tests.entrypoints.cli.log.stores import fill
from tests.entrypoints.support.reports import dataset
from tests.entrypoints.support.server import PATIENCE, Server, run, running, serving

URN = "urn:dp:orders:order_created:v1"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "var"


def next_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    return process.stdout.readline()


def register(server: Server, urn: str) -> None:
    assert server.ask("POST", "/api/v1/datasets", dataset(urn)).status == 201


def test_the_tail_follows_and_ends_well(folder: Path) -> None:
    with serving(folder) as server:
        register(server, URN)
        with running(folder, "log", "tail", "-n", "1") as tail:
            # The last one so far shows that the command is up.
            assert f"dataset-{URN}@1  dataset.registered  admin" in next_line(tail)
            register(server, URN.replace("v1", "v2"))
            assert "order_created:v2@1" in next_line(tail)
            tail.send_signal(signal.SIGINT)
            assert tail.wait(PATIENCE) == 0


def test_reading_goes_on_beside_it_and_writing_is_refused(folder: Path, tmp_path: Path) -> None:
    fill(tmp_path / "other")
    exported = run(tmp_path / "other", "log", "export", "other.gz")
    assert exported.returncode == 0, exported.stderr
    with serving(folder) as server:
        register(server, URN)
        checked = run(folder, "log", "check")
        assert (checked.returncode, "1 event, nothing is wrong" in checked.stdout) == (0, True)
        refused = run(folder, "log", "import", "other.gz")
        assert refused.returncode == 1
        assert f"in use by process {server.process.pid}" in refused.stderr
        assert server.stop() == 0


def test_a_server_goes_on_with_what_was_imported(folder: Path, tmp_path: Path) -> None:
    fill(tmp_path / "other")
    run(tmp_path / "other", "log", "export", "other.gz")
    imported = run(folder, "log", "import", "other.gz")
    assert "Stored 6 events" in imported.stdout
    (tmp_path / "other" / "personal-keys.json").rename(folder / "personal-keys.json")
    with serving(folder) as server:
        found = server.ask("GET", "/api/v1/incidents/INC-7721").body
        assert found["oncall_user"] == "orders-platform@company.example"
