"""The whole server with its event log on DynamoDB."""

import shutil
from pathlib import Path

import pytest

from tests.adapters.dynamodb import aws, local
from tests.entrypoints.reports import dataset, report
from tests.entrypoints.server import Server, run, serving

URN = "urn:dp:orders:order_created:v1"
SIGNAL = f"/api/v1/datasets/{URN}/signals/VOLUME"
TOKEN = "a-token-given-by-setting"
MADE_AGAIN = ("read-models.db", "read-models.db-wal", "read-models.db-shm", "blobs")
"""What may be deleted: it is folded again from the log, or was never needed."""


@pytest.fixture
def settings() -> dict[str, str]:
    return {
        **aws.variables(),
        "STATESTORE_ENGINE": "dynamodb",
        "STATESTORE_DYNAMODB_TABLE": local.unused_table("served"),
        "STATESTORE_DYNAMODB_ENDPOINT_URL": local.endpoint(),
    }


def write(server: Server, window: int, state: str = "OK") -> None:
    answer = server.ask("PUT", SIGNAL, report(window, window, state))
    assert answer.status == 200, answer.body


def state_of(server: Server) -> tuple[str, int]:
    now = server.ask("GET", SIGNAL).body
    return now["state"], now["version"]


def test_what_was_written_is_there_after_a_restart(
    tmp_path: Path, settings: dict[str, str]
) -> None:
    folder = tmp_path / "var"
    with serving(folder, **settings) as first:
        assert settings["STATESTORE_DYNAMODB_TABLE"] in first.banner
        assert first.ask("POST", "/api/v1/datasets", dataset(URN)).status == 201
        write(first, 0)
        write(first, 1, "CRITICAL")
        assert first.stop() == 0
    with serving(folder, **settings) as second:
        assert state_of(second) == ("CRITICAL", 2)
        write(second, 2)
        health = second.ask("GET", "/health").body
        assert (health["engine"], health["status"]) == ("dynamodb", "ok")
        assert second.stop() == 0
    for name in MADE_AGAIN:
        path = folder / name
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    with serving(folder, **settings) as third:
        assert state_of_when_folded(third) == ("OK", 3)


def state_of_when_folded(server: Server) -> tuple[str, int]:
    """A write by this caller makes the read wait until the tables have caught up with it."""
    write(server, 3)
    state, version = state_of(server)
    return state, version - 1


def test_tables_of_another_log_are_not_shown(tmp_path: Path, settings: dict[str, str]) -> None:
    folder = tmp_path / "var"
    with serving(folder, **settings) as first:
        first.ask("POST", "/api/v1/datasets", dataset(URN))
        assert first.ask("GET", f"/api/v1/datasets/{URN}").status == 200
    other = {**settings, "STATESTORE_DYNAMODB_TABLE": local.unused_table("served")}
    with serving(folder, **other) as second:
        assert second.ask("GET", f"/api/v1/datasets/{URN}").status == 404
        assert second.ask("POST", "/api/v1/datasets", dataset(URN)).status == 201


def test_two_processes_share_one_log(tmp_path: Path, settings: dict[str, str]) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    given = {**settings, "STATESTORE_ADMIN_TOKEN": TOKEN}
    headers = {"Authorization": f"Bearer {TOKEN}"}
    with serving(ours, **given) as one:
        one.ask("POST", "/api/v1/datasets", dataset(URN), headers)
        # Personal data is sealed with keys that every process needs.
        theirs.mkdir()
        shutil.copy(ours / "personal-keys.json", theirs)
        with serving(theirs, **given) as two:
            assert two.ask("PUT", SIGNAL, report(0, 0), headers).status == 200
            assert one.ask("PUT", SIGNAL, report(1, 0), headers).status == 409
            assert one.ask("PUT", SIGNAL, report(1, 1), headers).status == 200
            assert one.ask("GET", SIGNAL, headers=headers).body["version"] == 2


def test_a_table_that_may_not_be_created_is_named(tmp_path: Path, settings: dict[str, str]) -> None:
    ended = run(tmp_path / "var", "serve", **settings, STATESTORE_CREATE_TABLES="false")
    assert (ended.returncode, len(ended.stderr.splitlines())) == (1, 1)
    assert f"{settings['STATESTORE_DYNAMODB_TABLE']} does not exist" in ended.stderr


def test_a_dynamodb_that_is_not_there_is_named(tmp_path: Path, settings: dict[str, str]) -> None:
    nowhere = f"http://127.0.0.1:{local.free_port()}"
    ended = run(
        tmp_path / "var", "serve", **{**settings, "STATESTORE_DYNAMODB_ENDPOINT_URL": nowhere}
    )
    assert ended.returncode == 1
    assert nowhere in ended.stderr


def test_a_person_is_erased_without_the_server(tmp_path: Path, settings: dict[str, str]) -> None:
    folder, path = tmp_path / "var", f"/api/v1/datasets/{URN}"
    with serving(folder, **settings) as server:
        server.ask("POST", "/api/v1/datasets", dataset(URN, owner_email="jane@company.example"))
        server.stop()
    ended = run(folder, "erase", "--yes", "jane@company.example", **settings)
    assert (ended.returncode, ended.stderr) == (0, "")
    with serving(folder, **settings) as server:
        assert server.ask("GET", path).body["owner_email"] == "[erased]"
