"""A batch that cannot be seen although others lie behind it: nobody passes it over or spins."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from typing import Any

import pytest

from adapters.dynamodb.items.item_table import ItemTable
from adapters.dynamodb.log.log import DynamoLog
from adapters.dynamodb.transport.loop_thread import LoopThread
from adapters.eventsourcing_library.dynamodb.blocking_log import BlockingDynamoLog
from adapters.eventsourcing_library.dynamodb.recorders import DynamoApplicationRecorder
from adapters.eventstore.log import Append
from application.errors import Unavailable
from entrypoints.cli.log.tail import entries
from tests.adapters.dynamodb.log.logs import open_log, retrying, sends_once, shared_table
from tests.adapters.dynamodb.log.scenes import noise
from tests.adapters.dynamodb.log.test_stream_gaps import Hiding
from tests.adapters.dynamodb.support import dynamodb_local
from tests.adapters.eventstore.log.appends import append, event

A_WHILE = 6
"""Times that a batch is left out: more than once in a look, less than until one gives up."""


def hiding() -> Hiding:
    return Hiding(retrying(sends_once()), "L#")


# Subscriptions.


@contextmanager
def recorder_on(transport: Hiding) -> Iterator[DynamoApplicationRecorder]:
    thread = LoopThread("a log under test")
    log = DynamoLog(ItemTable(transport, shared_table()), dynamodb_local.unused_table("gaps"))
    try:
        thread.run(log.open())
        yield DynamoApplicationRecorder(BlockingDynamoLog(log, thread), "text")
        thread.run(log.close())
    finally:
        thread.run(transport.close())
        thread.close()


@pytest.mark.parametrize("topics", [[], ["thing.happened"]])
def test_a_subscription_does_not_pass_over_what_it_cannot_see_yet(topics: list[str]) -> None:
    transport = hiding()
    with recorder_on(transport) as recorder:
        for version in (1, 2, 3):
            recorder.log.submit(append("a-1", version)).result()
        transport.hidden, transport.times = {"2"}, A_WHILE
        with recorder.subscribe(topics=topics) as subscription:
            assert next(subscription).id == 1
            # Otherwise one that lost the others would wait for ever.
            recorder.log.submit(append("a-1", 4)).result()
            for position in (2, 3, 4):
                assert next(subscription).id == position


# The end.


async def end_while_hidden(times: float) -> int:
    """The end that a newcomer finds while the only batch of an announced block is hidden."""
    app = dynamodb_local.unused_table("gaps")
    async with open_log(app) as log:
        await log.append(append("a-1", 1))
    transport = hiding()
    transport.hidden, transport.times = {"1"}, times
    async with open_log(app, transport) as newcomer:
        return newcomer.head_now()


def test_a_block_that_is_announced_before_its_batch_can_be_seen_is_looked_at_again() -> None:
    assert asyncio.run(end_while_hidden(A_WHILE // 2)) == 1


def test_a_block_that_stays_empty_is_said() -> None:
    with pytest.raises(Unavailable, match="its block 0 is announced and empty"):
        asyncio.run(end_while_hidden(inf))


# Appending.


async def seen_behind_a_batch_in_parts(times: float, **more: Any) -> tuple[list[int], list[int]]:
    """Positions and versions that a process reads after its append is acknowledged.

    Before, another process stored a batch of two parts. Queries do not show the first part yet.
    """
    app, transport = dynamodb_local.unused_table("gaps"), hiding()
    async with open_log(app) as other, open_log(app, transport, **more) as log:
        await other.append(append("a-1", 1))
        transport.hidden, transport.times = {"2"}, times
        await other.append(Append([event("b-1", 1, noise(400_000))]))
        await log.append(append("b-1", 2))
        positions = [entry.position for entry in await log.read(0, 10)]
        return positions, [entry.version for entry in await log.stream("b-1")]


def test_an_append_behind_a_batch_in_parts_is_acknowledged_once_readers_can_reach_it() -> None:
    assert asyncio.run(seen_behind_a_batch_in_parts(A_WHILE)) == ([1, 2, 3], [1, 2])


def test_an_append_behind_a_batch_whose_first_part_stays_away_is_refused() -> None:
    with pytest.raises(Unavailable, match="others were faster"):
        asyncio.run(seen_behind_a_batch_in_parts(inf, patience=0.5))


# Reading.


async def read_around_a_gap(times: float) -> list[int]:
    transport = hiding()
    async with open_log(dynamodb_local.unused_table("gaps"), transport) as log:
        for version in (1, 2, 3):
            await log.append(append("a-1", version))
        transport.hidden, transport.times = {"2"}, times
        before = [entry.position for entry in await log.read(0, 10)]
        return before + [entry.position for entry in await log.read(1, 10)]


def test_what_cannot_be_seen_is_looked_for_again() -> None:
    assert asyncio.run(read_around_a_gap(A_WHILE)) == [1, 2, 3]


def test_what_stays_missing_is_said() -> None:
    with pytest.raises(Unavailable, match="position 2 cannot be seen"):
        asyncio.run(read_around_a_gap(inf))


def test_a_tail_ends_at_what_stays_missing() -> None:
    async def tailed() -> None:
        transport = hiding()
        async with open_log(dynamodb_local.unused_table("gaps"), transport) as log:
            for version in (1, 2, 3):
                await log.append(append("a-1", version))
            transport.hidden = {"2"}
            with pytest.raises(Unavailable, match="position 2 cannot be seen"):
                [entry async for entry in entries(log, last=3, follow=True)]

    asyncio.run(asyncio.wait_for(tailed(), timeout=30))
