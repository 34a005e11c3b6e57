"""The log together with every blob store: what is staged is read again, what is left is swept."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from attrs import define

from adapters.blobs.store import BlobStore
from adapters.dynamodb.log import batches
from adapters.dynamodb.log.log import DynamoLog
from adapters.dynamodb.log_maintenance.inspection import DynamoInspector
from adapters.dynamodb.log_maintenance.repair import DynamoMender
from adapters.eventstore.inspection.inspector import Finding, Kind
from adapters.eventstore.log import Append, LogEntry, NewEvent
from tests.adapters.blobs import stores
from tests.adapters.dynamodb.log.logs import open_log
from tests.adapters.dynamodb.log_maintenance.damage import Vandal
from tests.adapters.dynamodb.support import dynamodb_local
from tests.adapters.eventstore.findings import found
from tests.adapters.eventstore.log.appends import append

SOON, LATER = timedelta(hours=23), timedelta(hours=25)


@pytest.fixture(scope="module", autouse=True)
def _s3_ends() -> Iterator[None]:
    yield
    stores.end()


@define
class Place:
    """A log, and where its blobs are."""

    app: str
    blobs: BlobStore

    def open(self) -> AbstractAsyncContextManager[DynamoLog]:
        return open_log(self.app, blobs=self.blobs)


@pytest.fixture(params=sorted(stores.STORES))
def place(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    monkeypatch.setattr(batches, "PART_BYTES", 1_000)
    return Place(dynamodb_local.unused_table("app"), stores.STORES[request.param](tmp_path))


def large(stream: str, version: int) -> Append:
    """Beyond what a transaction holds here."""
    return Append([NewEvent(stream, version, "thing.grew", os.urandom(20_000), os.urandom(16))])


async def findings(log: DynamoLog, later: timedelta) -> list[Finding]:
    at = datetime.now(UTC) + later
    return await found(DynamoInspector(log.reader, _understood, log.identity.blobs, now=lambda: at))


def _understood(entry: LogEntry) -> None:
    return None


def test_what_was_staged_is_read_by_another_process(place: Place) -> None:
    async def scene() -> None:
        given = large("a-1", 1)
        async with place.open() as log:
            await log.append(given)
            await log.append(append("a-1", 2))
        async with place.open() as again:
            entries = await again.read(0, 10)
            assert [(e.position, e.version) for e in entries] == [(1, 1), (2, 2)]
            assert entries[0].data == given.events[0].data
            assert await again.stream("a-1") == entries
            assert await findings(again, LATER) == []

    asyncio.run(scene())


def test_what_nobody_refers_to_is_found_when_it_is_old_and_removed(place: Place) -> None:
    async def scene() -> None:
        async with place.open() as log:
            await log.append(large("a-1", 1))
            orphan = f"{log.identity.blobs}/00ff"
            for name in (orphan, "log/another/00ff", "snapshots/00ff"):
                await place.blobs.put(name, b"left behind")
            assert await findings(log, SOON) == []
            (only,) = await findings(log, LATER)
            assert (only.kind, only.where) == (Kind.ORPHANED_BLOB, orphan)
            await DynamoMender(log.reader).mend(only)
            assert await findings(log, LATER) == []
            assert len(await place.blobs.names()) == 3
            assert len(await log.read(0, 10)) == 1

    asyncio.run(scene())


def test_what_may_be_left_of_a_lost_batch_is_not_removed(place: Place) -> None:
    async def scene() -> None:
        async with place.open() as log:
            await log.append(large("a-1", 1))
            await log.append(append("b-1", 1))
            await Vandal(log).delete(log.keys.batch(1))
            told = await findings(log, LATER)
            orphaned = [one for one in told if one.kind is Kind.ORPHANED_BLOB]
            assert [one.remedy for one in orphaned] == [None]
            assert "all that is left" in orphaned[0].what

    asyncio.run(scene())
