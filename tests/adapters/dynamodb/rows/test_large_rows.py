"""Rows that no item holds lie in the blob store, and nobody notices (S0-022)."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from adapters.blobs.store import BlobStore
from adapters.dynamodb.rows.engine import DynamoEngine
from adapters.dynamodb.rows.row_items import key_item
from adapters.dynamodb.transport.transport import Operation
from adapters.memory.blobs import MemoryBlobs
from adapters.row_layouts.catalogue import SIGNAL_STATE, STATE_TIER_INDEX
from adapters.row_layouts.engine import Put, Row, RowKey
from application.errors import Unavailable
from tests.adapters.dynamodb.log.logs import retrying, sends_once
from tests.adapters.dynamodb.rows.engines import empty_tables, row_tables

TABLE, KEY = SIGNAL_STATE.name, RowKey(SIGNAL_STATE.name, "a", "x")


def row(size: int, position: int = 1, **more: Any) -> Row:
    indexed = {"breach_state": "CRITICAL", "breach_rank": "TIER_1#a", "ttl": 4_000_000_000}
    return {"PK": "a", "SK": "x", "position": position, **indexed, "text": "x" * size, **more}


@pytest.fixture
def prefix() -> Iterator[str]:
    with empty_tables() as name:
        yield name


@asynccontextmanager
async def engine(prefix: str, blobs: BlobStore | None) -> AsyncIterator[DynamoEngine]:
    transport = retrying(sends_once())
    try:
        yield DynamoEngine(transport, row_tables(prefix), blobs=blobs)
    finally:
        await transport.close()


async def stored(prefix: str) -> dict[str, Any]:
    transport = sends_once()
    try:
        asked = {"TableName": prefix + TABLE, "Key": key_item(KEY)}
        answer = await transport.call(Operation.GET_ITEM, asked)
        return dict(answer.get("Item", {}))
    finally:
        await transport.close()


@pytest.mark.parametrize("text", ["x" * 420_000, "ü" * 210_000, "\\n\n" * 150_000])
@pytest.mark.parametrize("remembered", [False, True])
def test_a_large_row_is_read_like_any_other(prefix: str, text: str, remembered: bool) -> None:
    async def scene() -> None:
        blobs, large = MemoryBlobs(), row(0, text=text)
        async with engine(prefix, blobs) as one:
            changes = [Put(TABLE, large)]
            shown, kept = ([], changes) if remembered else (changes, [])
            await one.write("p", shown, upto=1, remembered=kept)
            assert await one.get([KEY]) == [large]
            assert (await one.query(TABLE, "a")).rows == [large]
            assert (await one.scan(TABLE, limit=9)).rows == [large]
            page = await one.query_index(TABLE, STATE_TIER_INDEX.name, "CRITICAL")
            assert page.rows == [large]
        (name,) = await blobs.names()
        left = {"PK", "SK", "position", "ttl", "breach_state", "breach_rank", "blob"}
        assert ({*await stored(prefix)}, name[:5]) == (left, "rows/")

    asyncio.run(scene())


def test_what_an_item_holds_stays_in_it(prefix: str) -> None:
    async def scene() -> None:
        async with engine(prefix, None) as one:
            await one.write("p", [Put(TABLE, row(399_000))], upto=1)
            assert await one.get([KEY]) == [row(399_000)]

    asyncio.run(scene())


def test_a_row_grows_and_shrinks(prefix: str) -> None:
    async def scene() -> None:
        async with engine(prefix, MemoryBlobs()) as one:
            for position, size in enumerate((10, 500_000, 600_000, 10), start=1):
                await one.write("p", [Put(TABLE, row(size, position))], upto=position)
                assert await one.get([KEY]) == [row(size, position)]

    asyncio.run(scene())


def test_without_a_blob_store_the_error_says_what_to_set(prefix: str) -> None:
    async def scene() -> None:
        async with engine(prefix, None) as one:
            with pytest.raises(Unavailable, match="STATESTORE_BLOB_STORE"):
                await one.write("p", [Put(TABLE, row(500_000))], upto=1)
            assert (await stored(prefix), await one.reached("p")) == ({}, 0)
        async with engine(prefix, MemoryBlobs()) as writer:
            await writer.write("p", [Put(TABLE, row(500_000))], upto=1)
        async with engine(prefix, None) as reader:
            with pytest.raises(Unavailable, match="STATESTORE_BLOB_STORE"):
                await reader.get([KEY])

    asyncio.run(scene())


def test_a_blob_that_is_lost_is_an_error_not_an_empty_row(prefix: str) -> None:
    async def scene() -> None:
        blobs = MemoryBlobs()
        async with engine(prefix, blobs) as one:
            await one.write("p", [Put(TABLE, row(500_000))], upto=1)
            (name,) = await blobs.names()
            await blobs.delete(name)
            with pytest.raises(Unavailable, match="the blob is missing"):
                await one.get([KEY])

    asyncio.run(scene())


def test_a_late_writer_does_not_change_the_blob_of_a_later_row(prefix: str) -> None:
    async def scene() -> None:
        async with engine(prefix, MemoryBlobs()) as one:
            await one.write("p", [Put(TABLE, row(500_000, 5))], upto=5)
            await one.write("q", [Put(TABLE, row(600_000, 3))], upto=5)
            assert await one.get([KEY]) == [row(500_000, 5)]

    asyncio.run(scene())


def test_blobs_go_with_their_table(prefix: str) -> None:
    second = SIGNAL_STATE.of_generation(2)

    async def scene() -> None:
        blobs = MemoryBlobs()
        async with engine(prefix, blobs) as one:
            await one.ensure([second])
            changes = [Put(TABLE, row(500_000)), Put(second.name, row(500_000))]
            await one.write("p", changes, upto=1)
            await one.drop([second])
            assert await one.get([KEY]) == [row(500_000)]
            assert len(await blobs.names()) == 1

    asyncio.run(scene())
