"""`statestore log`, and damage to the log, while a server keeps its log on DynamoDB."""

from pathlib import Path

import pytest

from adapters.dynamodb.log.keys import Keys
from tests.adapters.dynamodb.support.fixtures import client
from tests.entrypoints.cli.log.stores import EVENTS, dynamodb_settings, fill
from tests.entrypoints.support.reports import dataset
from tests.entrypoints.support.server import Server, run, serving

URN = "urn:dp:payments:payment_processed:v9"
INCIDENT = "/api/v1/incidents/INC-7721"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "var"


@pytest.fixture
def settings(tmp_path: Path) -> dict[str, str]:
    """Whoever takes a log over takes its keys along."""
    return {
        **dynamodb_settings(),
        "STATESTORE_KEY_FILE": str(tmp_path / "other" / "personal-keys.json"),
    }


@pytest.fixture
def export(tmp_path: Path) -> str:
    fill(tmp_path / "other")
    ended = run(tmp_path / "other", "log", "export", str(tmp_path / "other.gz"))
    assert ended.returncode == 0, ended.stderr
    return str(tmp_path / "other.gz")


def register(server: Server, urn: str = URN) -> int:
    return server.ask("POST", "/api/v1/datasets", dataset(urn)).status


def test_a_server_that_has_written_nothing_goes_on_with_what_is_imported(
    folder: Path, settings: dict[str, str], export: str
) -> None:
    with serving(folder, **settings) as server:
        imported = run(folder, "log", "import", export, **settings)
        assert f"Stored {EVENTS} events" in imported.stdout, imported.stderr
        # A write of this caller makes its reads wait for everything before it.
        assert register(server) == 201
        found = server.ask("GET", INCIDENT).body
        assert found["oncall_user"] == "orders-platform@company.example"
        checked = run(folder, "log", "check", **settings)
        assert f"{EVENTS + 1} events, nothing is wrong" in checked.stdout
        assert server.stop() == 0


def test_what_a_server_has_written_meanwhile_is_not_overwritten(
    folder: Path, settings: dict[str, str], export: str
) -> None:
    with serving(folder, **settings) as server:
        assert register(server) == 201
        refused = run(folder, "log", "import", export, **settings)
        assert (refused.returncode, refused.stdout) == (1, "")
        assert "position 1: the log has another event there" in refused.stderr
        assert server.ask("GET", f"/api/v1/datasets/{URN}").status == 200
        checked = run(folder, "log", "check", **settings)
        assert "1 event, nothing is wrong" in checked.stdout


def test_health_tells_that_the_end_of_the_log_cannot_be_seen(
    folder: Path, settings: dict[str, str], export: str
) -> None:
    with serving(folder, **settings) as server:
        assert register(server) == 201
        assert server.ask("GET", "/health").status == 200
        table = settings["STATESTORE_DYNAMODB_TABLE"]
        client().delete_item(TableName=table, Key=Keys("statestore").batch(1).item())
        health = server.ask("GET", "/health")
        assert (health.status, health.body["status"]) == (503, "unavailable")
        assert "block 0 is announced and empty" in health.body["reason"]
        assert server.ask("GET", "/livez").status == 200
