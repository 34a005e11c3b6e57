"""The whole server with its event log and its tables on DynamoDB."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import pytest

from adapters.dynamodb.log.log import DynamoLog
from adapters.eventstore.log import Append, NewEvent
from adapters.row_layouts.catalogue import CATALOGUE
from application.errors import TooMuch
from entrypoints.container import build
from entrypoints.settings.loading import load
from entrypoints.wiring.opening import close, open_log
from tests.adapters.blobs.stores import end as end_s3
from tests.adapters.blobs.stores import s3_endpoint
from tests.adapters.dynamodb.support import dynamodb_local, environment
from tests.adapters.dynamodb.support.fixtures import client
from tests.entrypoints.cli.log.stores import fill
from tests.entrypoints.support.event_listener import listening
from tests.entrypoints.support.reports import dataset, report
from tests.entrypoints.support.server import Server, run, serving
from tests.support.scale import scaled

URN = "urn:dp:orders:order_created:v1"
SIGNAL = f"/api/v1/datasets/{URN}/signals/VOLUME"
TOKEN = "a-token-given-by-setting"
AS_ADMIN = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def settings() -> dict[str, str]:
    return {
        **environment.variables(),
        "STATESTORE_ENGINE": "dynamodb",
        "STATESTORE_DYNAMODB_TABLE": dynamodb_local.unused_table("served"),
        "STATESTORE_DYNAMODB_ENDPOINT_URL": dynamodb_local.endpoint(),
        "STATESTORE_TABLE_PREFIX": f"{dynamodb_local.unused_table('served')}-",
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
        assert state_of(first) == ("CRITICAL", 2)
        assert first.stop() == 0
    with serving(folder, **settings) as second:
        assert state_of(second) == ("CRITICAL", 2)
        write(second, 2)
        health = second.ask("GET", "/health").body
        assert (health["engine"], health["status"]) == ("dynamodb", "ok")
        assert second.stop() == 0
    assert not [*folder.glob("*.db*")]
    for table in CATALOGUE:
        client().delete_table(TableName=settings["STATESTORE_TABLE_PREFIX"] + table.name)
    with serving(folder, **settings) as third:
        assert state_of_when_folded(third) == ("OK", 3)


def state_of_when_folded(server: Server) -> tuple[str, int]:
    """A write by this caller makes the read wait until the tables have caught up with it."""
    write(server, 3)
    state, version = state_of(server)
    return state, version - 1


def test_tables_of_another_log_are_not_shown(tmp_path: Path, settings: dict[str, str]) -> None:
    with serving(tmp_path / "var", **settings) as first:
        first.ask("POST", "/api/v1/datasets", dataset(URN))
        assert first.ask("GET", f"/api/v1/datasets/{URN}").status == 200
    other = {**settings, "STATESTORE_DYNAMODB_TABLE": dynamodb_local.unused_table("served")}
    ended = run(tmp_path / "other", "serve", **other)
    assert (ended.returncode, len(ended.stderr.splitlines())) == (1, 1)
    assert "filled otherwise: from the log" in ended.stderr
    apart = {**other, "STATESTORE_TABLE_PREFIX": f"{dynamodb_local.unused_table('served')}-"}
    with serving(tmp_path / "other", **apart) as second:
        assert second.ask("GET", f"/api/v1/datasets/{URN}").status == 404


@contextmanager
def two_servers(tmp_path: Path, settings: dict[str, str]) -> Iterator[tuple[Server, Server]]:
    """Two processes with one log. Personal data is sealed with keys that both need."""
    given = {
        **settings,
        "STATESTORE_ADMIN_TOKEN": TOKEN,
        "STATESTORE_KEY_FILE": str(tmp_path / "keys.json"),
    }
    with (
        serving(tmp_path / "ours", **given) as one,
        serving(tmp_path / "theirs", **given) as two,
    ):
        yield one, two


def test_two_processes_are_one_store(tmp_path: Path, settings: dict[str, str]) -> None:
    """Starting them takes longest: everything that two can do is tried with the same two."""
    with two_servers(tmp_path, settings) as (one, two):
        they_share_one_log(one, two)
        what_one_writes_the_other_shows_and_as_it_was_before(one, two)
        what_one_writes_is_heard_from_the_other(one, two)
        creators_racing_through_both_never_open_two_incidents(one, two)


def signal_of(urn: str) -> str:
    return f"/api/v1/datasets/{urn}/signals/VOLUME"


def they_share_one_log(one: Server, two: Server) -> None:
    one.ask("POST", "/api/v1/datasets", dataset(URN, owner_email="jane@example.org"), AS_ADMIN)
    assert two.ask("PUT", SIGNAL, report(0, 0), AS_ADMIN).status == 200
    assert one.ask("PUT", SIGNAL, report(1, 0), AS_ADMIN).status == 409
    assert one.ask("PUT", SIGNAL, report(1, 1), AS_ADMIN).status == 200
    assert one.ask("GET", SIGNAL, headers=AS_ADMIN).body["version"] == 2
    change = {"description": "x", "expected_version": 1}
    again = two.ask("PUT", f"/api/v1/datasets/{URN}", change, AS_ADMIN)
    assert (again.status, again.body["owner_email"]) == (200, "jane@example.org")


def what_one_writes_the_other_shows_and_as_it_was_before(one: Server, two: Server) -> None:
    urn = "urn:dp:orders:shown:v1"
    health, signal = f"/api/v1/datasets/{urn}/health", signal_of(urn)
    one.ask("POST", "/api/v1/datasets", dataset(urn), AS_ADMIN)
    for window in range(25):
        one.ask("PUT", signal, report(window, window, "CRITICAL"), AS_ADMIN)
    before = one.ask("GET", signal, headers=AS_ADMIN)
    then = before.body["last_updated"]
    token = one.ask("PUT", signal, report(25, 25), AS_ADMIN).body["position"]

    new = two.ask("GET", f"{health}?min_position={token}", headers=AS_ADMIN)
    strong = two.ask("GET", f"{signal}?consistency=strong", headers=AS_ADMIN)
    old = two.ask("GET", f"{health}?as_of={then}", headers=AS_ADMIN)

    assert (new.status, new.body["state"]) == (200, "OK")
    assert (strong.body["state"], strong.body["version"]) == ("OK", 26)
    assert (old.body["state"], old.body["signals"][0]["version"]) == ("CRITICAL", 25)
    assert old.body["position"] == before.headers["statestore-position"]


def what_one_writes_is_heard_from_the_other(one: Server, two: Server) -> None:
    urn = "urn:dp:orders:heard:v1"
    with listening(two, f"?dataset_urn={urn}", token=TOKEN) as listener:
        assert one.ask("POST", "/api/v1/datasets", dataset(urn), AS_ADMIN).status == 201
        assert listener.event()["event_type"] == "DATASET_CONFIG_CHANGED"
        written = one.ask("PUT", signal_of(urn), report(0, 0, "CRITICAL"), AS_ADMIN).body
        heard = listener.event()
        assert (heard["new_state"], heard["position"]) == ("CRITICAL", written["position"])


def creators_racing_through_both_never_open_two_incidents(one: Server, two: Server) -> None:
    urn, faults, creators = "urn:dp:orders:raced:v1", scaled(5, 50), 20

    def create(server: Server, fault: int) -> tuple[int, str]:
        body = {
            "primary_dataset_urn": urn,
            "signal_types": ["VOLUME"],
            "severity": "SEV_1",
            "failure_signatures": [f"MISSING_FIELD:f{fault}"],
        }
        answer = server.ask("POST", "/api/v1/incidents", body, AS_ADMIN)
        return answer.status, answer.body["incident_id"]

    one.ask("POST", "/api/v1/datasets", dataset(urn), AS_ADMIN)
    one.ask("PUT", signal_of(urn), report(0, 0, "CRITICAL"), AS_ADMIN)
    with ThreadPoolExecutor(creators) as pool:
        for fault in range(faults):
            asked = [pool.submit(create, (one, two)[n % 2], fault) for n in range(creators)]
            answers = [each.result() for each in asked]
            assert sorted(status for status, _ in answers) == [200] * (creators - 1) + [201]
            assert len({name for _, name in answers}) == 1
    token = one.ask("PUT", signal_of(urn), report(1, 1, "CRITICAL"), AS_ADMIN).body["position"]
    listed = f"/api/v1/incidents?dataset_urn={urn}&min_position={token}&page_size=100"
    for server in (one, two):
        answer = server.ask("GET", listed, headers=AS_ADMIN)
        assert (answer.status, len(answer.body["incidents"])) == (200, faults), answer.body


@asynccontextmanager
async def log_of(folder: Path, settings: dict[str, str]) -> AsyncIterator[DynamoLog]:
    """The log as a server with this folder has it."""
    given = {**settings, "STATESTORE_DATA_DIR": str(folder)}
    stated = {name: value for name, value in given.items() if name.startswith("STATESTORE_")}
    container = build(load(stated, folder / ".env"))
    with environment.surroundings():
        await open_log(container)
        try:
            yield container.log()
        finally:
            await close(container)


def too_large() -> Append:
    """More than a transaction can hold."""
    return Append([NewEvent("a-1", n, "x", os.urandom(1_500_000), b"id") for n in (1, 2, 3)])


def test_what_is_too_large_is_refused_while_no_place_for_it_is_set(
    tmp_path: Path, settings: dict[str, str]
) -> None:
    async def scene() -> None:
        async with log_of(tmp_path / "var", settings) as log:
            with pytest.raises(TooMuch, match="STATESTORE_BLOB_STORE"):
                await log.append(too_large())
            assert (await log.head(), await log.last_version("a-1")) == (0, None)

    asyncio.run(scene())
    assert not (tmp_path / "var" / "blobs").exists()


def test_what_was_too_large_is_read_by_another_process(
    tmp_path: Path, settings: dict[str, str]
) -> None:
    shared = {**settings, "STATESTORE_BLOB_STORE": str(tmp_path / "shared")}

    async def scene() -> None:
        async with log_of(tmp_path / "ours", shared) as log:
            await log.append(too_large())

    asyncio.run(scene())
    ended = run(tmp_path / "theirs", "log", "export", str(tmp_path / "log.gz"), **shared)
    assert (ended.returncode, "3 events" in ended.stdout) == (0, True), ended.stderr


@pytest.fixture
def s3() -> Iterator[str]:
    """Where a stand-in for S3 is that has no buckets."""
    yield s3_endpoint()
    end_s3()


@pytest.mark.parametrize(
    "place",
    [
        "s3://no-such-bucket",
        pytest.param("gs://bucket", marks=pytest.mark.soak),
        pytest.param("a-file", marks=pytest.mark.soak),
    ],
)
def test_a_place_for_blobs_that_is_none_is_named_before_a_table_is_made(
    tmp_path: Path, settings: dict[str, str], s3: str, place: str
) -> None:
    (tmp_path / "a-file").touch()
    wrong = {"STATESTORE_BLOB_STORE": place, "AWS_ENDPOINT_URL_S3": s3}
    for words in (("serve",), ("log", "import", _export(tmp_path))):
        ended = run(tmp_path / "var", *words, **settings, **wrong)
        assert (ended.returncode, len(ended.stderr.splitlines())) == (1, 1), ended.stderr
        assert place.removeprefix("s3://") in ended.stderr
    assert settings["STATESTORE_DYNAMODB_TABLE"] not in client().list_tables()["TableNames"]


def _export(tmp_path: Path) -> str:
    """A file that could be imported."""
    fill(tmp_path / "other")
    ended = run(tmp_path / "other", "log", "export", "--force", str(tmp_path / "other.gz"))
    assert ended.returncode == 0, ended.stderr
    return str(tmp_path / "other.gz")


def test_a_table_that_may_not_be_created_is_named(tmp_path: Path, settings: dict[str, str]) -> None:
    ended = run(tmp_path / "var", "serve", **settings, STATESTORE_CREATE_TABLES="false")
    assert (ended.returncode, len(ended.stderr.splitlines())) == (1, 1)
    assert f"{settings['STATESTORE_DYNAMODB_TABLE']} does not exist" in ended.stderr


def test_a_dynamodb_that_is_not_there_is_named(tmp_path: Path, settings: dict[str, str]) -> None:
    nowhere = f"http://127.0.0.1:{dynamodb_local.free_port()}"
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
