"""Snapshots on DynamoDB are hints: whatever becomes of their blobs, streams can be read."""

import asyncio
import os

import pytest

from adapters.dynamodb.log.payloads import LARGEST_INLINE
from adapters.dynamodb.log_records.snapshots import DynamoSnapshots
from adapters.eventstore.snapshots import Snapshot
from adapters.memory.blobs import MemoryBlobs
from tests.adapters.dynamodb.log.logs import open_log
from tests.adapters.dynamodb.support import dynamodb_local

LARGE = Snapshot("a-1", "k", 1, 7, os.urandom(LARGEST_INLINE + 1))


@pytest.fixture
def app() -> str:
    return dynamodb_local.unused_table("app")


async def kept(snapshots: DynamoSnapshots) -> Snapshot | None:
    snapshots.keep(LARGE)
    await snapshots.settle()
    return await snapshots.latest("a-1", "k")


def test_one_in_a_blob_store_that_cannot_be_asked_is_as_if_it_were_missing(app: str) -> None:
    async def scene() -> None:
        async with open_log(app, blobs=MemoryBlobs()) as log:
            assert await kept(DynamoSnapshots(log)) == LARGE
        async with open_log(app) as without_blobs:
            assert await DynamoSnapshots(without_blobs).latest("a-1", "k") is None

    asyncio.run(scene())


def test_what_another_process_cleared_is_kept_anew_by_this_one(app: str) -> None:
    def at(version: int) -> Snapshot:
        return Snapshot("a-1", "k", 1, version, b"state")

    async def scene() -> None:
        async with open_log(app) as log, open_log(app) as other:
            ours, theirs = DynamoSnapshots(log), DynamoSnapshots(other)
            for version in (5, 7):
                ours.keep(at(version))
                await ours.settle()
                assert await theirs.latest("a-1", "k") == at(version)
                await theirs.clear()
                assert await ours.latest("a-1", "k") is None

    asyncio.run(scene())


def test_one_that_is_too_large_is_not_kept_without_a_blob_store(app: str) -> None:
    async def scene() -> None:
        async with open_log(app) as log:
            assert await kept(DynamoSnapshots(log)) is None

    asyncio.run(scene())
