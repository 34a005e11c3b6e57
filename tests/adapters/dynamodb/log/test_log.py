"""What the log on DynamoDB does beyond the contract of all logs."""

import asyncio

import pytest

from adapters.dynamodb.transport.errors import Canceled, Reason
from adapters.dynamodb.transport.transport import Operation
from adapters.eventstore.log import Append, Receipt, StreamConflict
from application.errors import TooMuch
from tests.adapters.dynamodb.log.logs import open_log, retrying, sends_once
from tests.adapters.dynamodb.log.scenes import Between, everything, recover, scene
from tests.adapters.eventstore.engines import Clock
from tests.adapters.eventstore.log.appends import append, event, guarded

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
            asyncio.get_running_loop().call_soon(recover, between)

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
