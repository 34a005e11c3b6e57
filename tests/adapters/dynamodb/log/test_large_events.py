"""Large appends on DynamoDB: in parts, and beyond a transaction in the blob store."""

import pytest
from attrs import field, frozen

from adapters.dynamodb.log.batches import MOST_PARTS, PART_BYTES
from adapters.eventstore.log import Append, NewEvent, StreamConflict
from adapters.memory.blobs import MemoryBlobs
from application.errors import TooMuch, Unavailable
from tests.adapters.dynamodb.log.logs import open_log, retrying, sends_once
from tests.adapters.dynamodb.log.scenes import Between, everything, noise, scene
from tests.adapters.eventstore.log.appends import append, event


@scene
async def test_a_large_append_is_stored_in_parts_and_read_whole(app: str) -> None:
    large = Append(
        [NewEvent("a-1", n, "x", noise(PART_BYTES + n), b"id", b"m") for n in range(1, 6)]
        + [event("b-1", 1)]
    )
    async with open_log(app) as log:
        await log.append(append("c-1", 1))
        receipt = await log.append(large)
        assert (receipt.first, receipt.last) == (2, 7)
        await log.append(append("c-1", 2))
        entries = await everything(log)
        assert [e.position for e in entries] == list(range(1, 9))
        assert [e.data for e in entries[1:7]] == [e.data for e in large.events]
        assert [e.version for e in await log.stream("a-1", after=2)] == [3, 4, 5]
        assert [e.position for e in await log.read(4, 2)] == [5, 6]
        newest = await log.stream("a-1", newest_first=True, limit=2)
        assert [e.version for e in newest] == [5, 4]
    async with open_log(app) as again:
        assert await again.head() == 8


@scene
async def test_many_events_of_one_stream_are_one_append(app: str) -> None:
    async with open_log(app) as log:
        receipt = await log.append(append("a-1", *range(1, 5001)))
        assert receipt.last == 5000
        assert len(await log.stream("a-1")) == 5000


def test_the_largest_append_fits_into_a_transaction() -> None:
    assert MOST_PARTS * PART_BYTES + 98 * 1100 < 4 * 1024 * 1024


def huge(stream: str, *versions: int) -> Append:
    """Beyond what a transaction can hold."""
    return Append([NewEvent(stream, n, "x", noise(1_500_000 + n), b"id", b"m") for n in versions])


@scene
async def test_what_is_too_large_for_a_transaction_is_staged(app: str) -> None:
    blobs = MemoryBlobs()
    async with open_log(app, blobs=blobs) as log:
        await log.append(append("b-1", 1))
        given = huge("a-1", 1, 2, 3)
        receipt = await log.append(given)
        assert (receipt.first, receipt.last) == (2, 4)
        assert (await log.append(append("a-1", 4))).first == 5
        assert len(await blobs.names("log/")) == 1
    async with open_log(app, blobs=blobs) as again:
        assert [e.data for e in (await everything(again))[1:4]] == [e.data for e in given.events]
        assert [e.version for e in await again.stream("a-1", after=1)] == [2, 3, 4]


@scene
async def test_a_staged_append_that_is_refused_leaves_nothing(app: str) -> None:
    blobs = MemoryBlobs()
    between = Between(retrying(sends_once()))
    async with open_log(app) as other, open_log(app, between, blobs=blobs) as log:
        between.before_transaction = lambda: other.append(append("a-1", 1))
        with pytest.raises(StreamConflict):
            await log.append(huge("a-1", 1, 2, 3))
        assert await blobs.names() == []
        assert await log.head() == 1


@scene
async def test_without_a_blob_store_it_is_said_what_is_missing(app: str) -> None:
    async with open_log(app) as log:
        with pytest.raises(TooMuch, match="bytes cannot be stored: no blob store is set"):
            await log.append(huge("a-1", 1, 2, 3))
        assert (await log.append(append("a-1", 1))).first == 1


@scene
async def test_a_blob_that_is_gone_is_not_passed_over(app: str) -> None:
    blobs = MemoryBlobs()
    async with open_log(app, blobs=blobs) as log:
        await log.append(huge("a-1", 1, 2, 3))
        await blobs.delete((await blobs.names())[0])
        for reads in (log.read(0, 10), log.stream("a-1")):
            with pytest.raises(Unavailable, match=r"the log is unavailable: .*the blob is missing"):
                await reads


@frozen
class CountedBlobs(MemoryBlobs):
    fetched: list[str] = field(factory=list)

    async def get(self, name: str) -> bytes | None:
        self.fetched.append(name)
        return await super().get(name)


@scene
async def test_a_short_read_fetches_no_more_blobs_than_it_needs(app: str) -> None:
    blobs = CountedBlobs()
    async with open_log(app, blobs=blobs) as log:
        for stream in ("a-1", "b-1", "c-1"):
            await log.append(huge(stream, 1, 2, 3))
        assert [e.position for e in await log.read(0, 2)] == [1, 2]
        assert len(blobs.fetched) == 1
        assert [e.position for e in await log.read(2, 3)] == [3, 4, 5]
        assert len(blobs.fetched) == 2
        assert [e.position for e in await log.read(5, 9)] == [6, 7, 8, 9]
        assert len(blobs.fetched) == 3


@scene
async def test_many_streams_and_many_parts_are_staged_as_well(app: str) -> None:
    """Parts and streams together would be more actions than a transaction may have."""
    blobs = MemoryBlobs()
    events = [NewEvent(f"a-{n}", 1, "x", noise(36_000 + n)) for n in range(96)]
    async with open_log(app, blobs=blobs) as log:
        await log.append(Append(events))
        assert len(await blobs.names()) == 1
        assert [e.data for e in await everything(log)] == [e.data for e in events]
