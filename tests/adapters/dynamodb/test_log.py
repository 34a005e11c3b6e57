"""What the log on DynamoDB does beyond the contract of all logs."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from random import Random
from typing import Any

import pytest
from attrs import define, field, frozen

from adapters.dynamodb.errors import Canceled, Reason, Rejected
from adapters.dynamodb.errors import OutcomeUnknown as Undecided
from adapters.dynamodb.log import DynamoLog
from adapters.dynamodb.log_batches import MOST_PARTS, PART_BYTES
from adapters.dynamodb.transport import Operation, Transport
from adapters.eventstore.log import Append, LogEntry, NewEvent, Receipt, StreamConflict
from adapters.memory.blobs import MemoryBlobs
from application.errors import OutcomeUnknown, TooMuch, Unavailable
from tests.adapters.dynamodb import local
from tests.adapters.dynamodb.faults import Fault, FaultyTransport
from tests.adapters.dynamodb.logs import open_log, retrying, sends_once
from tests.adapters.eventstore.appends import append, event, guarded
from tests.adapters.eventstore.engines import Clock

Scene = Callable[[str], Awaitable[None]]


def scene(play: Scene) -> Callable[[], None]:
    """A test that runs on one event loop, with an application name of its own."""

    def test() -> None:
        asyncio.run(play(local.unused_table("app")))  # type: ignore[arg-type]

    test.__name__ = play.__name__
    return test


@define
class Between:
    """Calls something before a transaction is sent, once; counts all calls by operation."""

    inner: Transport
    before_transaction: Callable[[], Awaitable[object]] | None = None
    fail_with: Exception | None = None
    calls: list[Operation] = field(factory=list)

    async def call(
        self, operation: Operation, request: Mapping[str, Any], *, deadline: float | None = None
    ) -> dict[str, Any]:
        self.calls.append(operation)
        if operation is Operation.TRANSACT_WRITE_ITEMS:
            before, self.before_transaction = self.before_transaction, None
            if before is not None:
                await before()
            if self.fail_with is not None:
                raise self.fail_with
        return await self.inner.call(operation, request, deadline=deadline)

    async def close(self) -> None:
        await self.inner.close()


def noise(size: int) -> bytes:
    """Bytes that do not compress."""
    return Random(size).randbytes(size)


async def everything(log: DynamoLog) -> Sequence[LogEntry]:
    return await log.read(0, 10_000)


# Two processes.


@scene
async def test_a_position_that_somebody_else_took_is_no_conflict(app: str) -> None:
    between = Between(retrying(sends_once()))
    async with open_log(app) as other, open_log(app, between) as log:
        between.before_transaction = lambda: other.append(append("b-1", 1))
        receipt = await log.append(append("a-1", 1))
        assert receipt.first == 2
        assert [e.stream for e in await everything(log)] == ["b-1", "a-1"]


@scene
async def test_who_was_in_the_way_is_not_raced_again_for_the_same_position(app: str) -> None:
    between = Between(retrying(sends_once()))
    async with open_log(app) as other, open_log(app, between) as log:
        await log.append(append("c-1", 1))

        async def somebody_else() -> None:
            await other.append(append("b-1", 1))
            between.fail_with = Canceled((Reason("TransactionConflict"), Reason("None")))
            asyncio.get_running_loop().call_soon(_recover, between)

        between.before_transaction = somebody_else
        assert (await log.append(append("a-1", 1))).first == 3
        assert between.calls.count(Operation.TRANSACT_WRITE_ITEMS) == 3


@scene
async def test_a_version_that_somebody_else_took_is_one(app: str) -> None:
    between = Between(retrying(sends_once()))
    async with open_log(app) as other, open_log(app, between) as log:
        await log.append(append("a-1", 1))
        between.before_transaction = lambda: other.append(append("a-1", 2, 3))
        ended = await asyncio.gather(
            log.append(append("a-1", 2)), log.append(append("b-1", 1)), return_exceptions=True
        )
        assert isinstance(ended[0], StreamConflict)
        assert (ended[0].stream, ended[0].attempted, ended[0].last) == ("a-1", 2, 3)
        assert isinstance(ended[1], Receipt)
        assert ended[1].first == 4


@scene
async def test_a_guard_that_somebody_else_broke_is_one(app: str) -> None:
    between = Between(retrying(sends_once()))
    async with open_log(app) as other, open_log(app, between) as log:
        await log.append(append("g-1", 1))
        between.before_transaction = lambda: other.append(append("g-1", 2))
        with pytest.raises(StreamConflict, match="g-1 is at version 2: cannot use version 1"):
            await log.append(guarded("a-1", 1, ("g-1", 1)))
        assert await log.last_version("a-1") is None


@scene
async def test_a_guard_is_checked_again_once_somebody_else_wrote(app: str) -> None:
    """Also if we went on meanwhile with what has nothing to do with it."""
    async with open_log(app) as other, open_log(app) as log:
        await log.append(append("g-1", 1))
        await log.append(guarded("a-1", 1, ("g-1", 1)))
        await other.append(append("g-1", 2))
        await log.append(append("b-1", 1))
        with pytest.raises(StreamConflict, match="g-1 is at version 2: cannot use version 1"):
            await log.append(guarded("a-1", 2, ("g-1", 1)))
        assert (await log.append(guarded("a-1", 2, ("g-1", 2)))).first == 5


@scene
async def test_a_guard_that_we_moved_ourselves_is_broken(app: str) -> None:
    async with open_log(app) as log:
        await log.append(append("g-1", 1))
        await log.append(guarded("a-1", 1, ("g-1", 1)))
        await log.append(append("g-1", 2))
        with pytest.raises(StreamConflict, match="g-1 is at version 2: cannot use version 1"):
            await log.append(guarded("a-1", 2, ("g-1", 1)))


@scene
async def test_what_is_remembered_is_not_believed_when_somebody_else_wrote(app: str) -> None:
    async with open_log(app) as other, open_log(app) as log:
        await log.append(append("a-1", 1))
        await other.append(append("a-1", 2))
        with pytest.raises(StreamConflict, match="at version 2"):
            await log.append(append("a-1", 2))
        assert (await log.append(append("a-1", 3))).first == 3


@scene
async def test_nothing_is_refused_on_what_is_only_remembered(app: str) -> None:
    """This process remembers version 1 and is told to go on from 2, which somebody else wrote."""
    async with open_log(app) as other, open_log(app) as log:
        await log.append(append("a-1", 1))
        await other.append(append("a-1", 2))
        assert (await log.append(append("a-1", 3))).first == 3


@scene
async def test_refusals_inside_a_group_wait_for_its_end(app: str) -> None:
    """The first of two for one version loses its other stream: then the second must not fail."""
    async with open_log(app) as other, open_log(app) as log:
        await other.append(append("x-1", 1))
        both = Append([event("x-1", 1), event("a-1", 1)])
        ended = await asyncio.gather(
            log.append(both), log.append(append("a-1", 1)), return_exceptions=True
        )
        assert isinstance(ended[0], StreamConflict)
        assert isinstance(ended[1], Receipt)


@scene
async def test_appends_of_another_process_are_noticed(app: str) -> None:
    async with open_log(app) as other, open_log(app) as log:
        waiting = asyncio.create_task(log.beyond(0, timeout=30))
        await other.append(append("a-1", 1))
        assert await waiting
        assert log.head_now() == 1


@scene
async def test_time_does_not_run_backwards_between_processes(app: str) -> None:
    early, late = Clock(), Clock()
    late.move(hours=1)
    async with open_log(app, now=late) as one, open_log(app, now=early) as two:
        first = await one.append(append("a-1", 1))
        second = await two.append(append("b-1", 1))
        assert second.recorded_at == first.recorded_at


# Groups.


@scene
async def test_what_waits_shares_a_transaction(app: str) -> None:
    between = Between(retrying(sends_once()))
    async with open_log(app, between) as log:
        await asyncio.gather(*(log.append(append(f"a-{n}", 1)) for n in range(60)))
        assert between.calls.count(Operation.TRANSACT_WRITE_ITEMS) <= 2
        assert len(await everything(log)) == 60


@scene
async def test_a_new_stream_and_a_known_one_need_no_read(app: str) -> None:
    between = Between(retrying(sends_once()))
    async with open_log(app, between) as log:
        before = len(between.calls)
        await log.append(append("a-1", 1))
        await log.append(append("a-1", 2, 3))
        await log.append(guarded("b-1", 1, ("a-1", 3), ("c-1", 0)))
        assert set(between.calls[before:]) == {Operation.TRANSACT_WRITE_ITEMS}


@scene
async def test_too_many_streams_are_refused_before_anything_is_sent(app: str) -> None:
    async with open_log(app) as log:
        with pytest.raises(TooMuch, match=r"an append to 99 streams cannot be stored: .* 98"):
            await log.append(Append([event(f"a-{n}", 1) for n in range(99)]))
        with pytest.raises(ValueError, match="too long"):
            await log.append(append("x" * 3000, 1))
        assert await log.head() == 0


# Unknown outcomes.


@scene
async def test_a_lost_reply_is_asked_for_again(app: str) -> None:
    faulty = FaultyTransport(sends_once(), seed=1)
    async with open_log(app, retrying(faulty)) as log:
        faulty.coming = [Fault.REPLY_LOST, Fault.THROTTLE, Fault.CONFLICT]
        receipt = await log.append(append("a-1", 1))
        assert (receipt.first, receipt.last) == (1, 1)
        assert await log.head() == 1


@scene
async def test_a_batch_that_was_stored_after_all_is_found_by_its_id(app: str) -> None:
    faulty = FaultyTransport(sends_once(), seed=1)
    async with open_log(app, faulty) as log:
        faulty.coming = [Fault.REPLY_LOST]
        assert (await log.append(append("a-1", 1))).first == 1
        assert (await log.append(append("a-1", 2))).first == 2


@scene
async def test_a_batch_whose_place_was_taken_was_surely_not_stored(app: str) -> None:
    lossy = Between(sends_once())
    async with open_log(app) as other, open_log(app, lossy) as log:

        async def somebody_else() -> None:
            await other.append(append("b-1", 1))
            lossy.fail_with = Undecided("no reply")
            asyncio.get_running_loop().call_soon(_recover, lossy)

        lossy.before_transaction = somebody_else
        assert (await log.append(append("a-1", 1))).first == 2


def _recover(lossy: Between) -> None:
    lossy.fail_with = None


@scene
async def test_what_stays_unknown_is_an_error_of_its_own(app: str) -> None:
    lossy = Between(sends_once(), fail_with=Undecided("no reply"))
    async with open_log(app, lossy) as log:
        with pytest.raises(OutcomeUnknown, match=r"may or may not have stored it: .*no reply"):
            await log.append(append("a-1", 1))
        lossy.fail_with = None
        assert (await log.append(append("a-1", 1))).first == 1


@scene
async def test_what_dynamodb_refuses_was_not_stored(app: str) -> None:
    refusing = Between(sends_once(), fail_with=Rejected("AccessDeniedException", "no"))
    async with open_log(app, refusing) as log:
        with pytest.raises(Unavailable, match="AccessDenied"):
            await log.append(append("a-1", 1))
        assert await log.head() == 0


# Large appends.


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


# Blocks.


@scene
async def test_a_log_goes_on_in_the_next_block(app: str) -> None:
    async with open_log(app, block_size=3) as log:
        for number in range(1, 5):
            await log.append(append(f"a-{number}", 1, 2))
        await log.append(append("big-1", *range(1, 11)))
        await log.append(append("a-9", 1))
        assert [e.position for e in await everything(log)] == list(range(1, 20))
        for after in range(20):
            assert [e.position for e in await log.read(after, 2)] == list(
                range(after + 1, min(after + 3, 20))
            )
    async with open_log(app, block_size=1000) as again:
        assert await again.head() == 19
        assert (await again.append(append("a-9", 2))).first == 20


@scene
async def test_reading_far_beyond_the_end_costs_no_more_than_at_it(app: str) -> None:
    between = Between(retrying(sends_once()))
    async with open_log(app, between, block_size=3) as log:
        await log.append(append("a-1", *range(1, 8)))
        before = len(between.calls)
        assert await log.read(10**15, 10) == []
        assert len(between.calls) - before <= 4


# Costs.


@scene
async def test_a_replay_reads_every_item_once(app: str) -> None:
    between = Between(retrying(sends_once()))
    async with open_log(app, between) as log:
        for version in range(1, 9):
            await asyncio.gather(*(log.append(append(f"a-{n}", version)) for n in range(90)))
        before, position = len(between.calls), 0
        while page := await log.read(position, 100):
            position = page[-1].position
        assert position == 720
        queries = between.calls[before:].count(Operation.QUERY)
        assert queries <= 4
