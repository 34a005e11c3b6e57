"""One contract for all who keep snapshots."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.dynamodb.log_records.snapshots import DynamoSnapshots
from adapters.eventstore.snapshots import Snapshot, SnapshotStore
from adapters.memory.snapshots import MemorySnapshots
from adapters.sqlite.connection.database import Database
from adapters.sqlite.log.snapshots import SqliteSnapshots
from tests.adapters.dynamodb.log.logs import SnapshotsOnTheirThread, log_on_its_thread


@pytest.fixture(params=["memory", "sqlite", "dynamodb"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SnapshotStore]:
    if request.param == "memory":
        yield MemorySnapshots()
    elif request.param == "sqlite":
        with Database.open(tmp_path / "store.db") as database:
            yield SqliteSnapshots(database)
    else:
        with log_on_its_thread(str(tmp_path)) as log:
            yield SnapshotsOnTheirThread(DynamoSnapshots(log.inner), log.thread)


def snapshot(version: int, stream: str = "a", kind: str = "k") -> Snapshot:
    return Snapshot(stream, kind, 1, version, f"{stream}{version}".encode())


def latest(store: SnapshotStore, stream: str = "a", kind: str = "k") -> Snapshot | None:
    async def settled() -> Snapshot | None:
        # `keep` promises nothing about when; whatever is awaited behind it comes later.
        if isinstance(store, SqliteSnapshots):
            await store.database.write(lambda connection: None)
        return await store.latest(stream, kind)

    return asyncio.run(settled())


def test_nothing_is_kept_at_first(store: SnapshotStore) -> None:
    assert latest(store) is None


def test_the_latest_is_kept(store: SnapshotStore) -> None:
    store.keep(snapshot(1))
    store.keep(snapshot(5))
    assert latest(store) == snapshot(5)


def test_an_older_one_does_not_replace_it(store: SnapshotStore) -> None:
    store.keep(snapshot(5))
    store.keep(snapshot(1))
    assert latest(store) == snapshot(5)


def test_streams_and_kinds_are_kept_apart(store: SnapshotStore) -> None:
    store.keep(snapshot(1))
    store.keep(snapshot(2, stream="b"))
    store.keep(snapshot(3, kind="other"))
    assert latest(store) == snapshot(1)
    assert latest(store, stream="b") == snapshot(2, stream="b")


def test_clearing_leaves_nothing(store: SnapshotStore) -> None:
    store.keep(snapshot(1))
    asyncio.run(store.clear())
    assert latest(store) is None


def test_after_clearing_older_versions_may_be_kept_again(store: SnapshotStore) -> None:
    store.keep(snapshot(5))
    asyncio.run(store.clear())
    store.keep(snapshot(2))
    assert latest(store) == snapshot(2)
