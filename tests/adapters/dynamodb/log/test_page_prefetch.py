"""Pages that are fetched ahead: there when they are asked for, never in the way."""

import asyncio
from collections.abc import Sequence

from adapters.dynamodb.log.batches import Batch
from adapters.dynamodb.log_reading.page_prefetch import PageAhead
from adapters.dynamodb.transport.transport import Operation
from adapters.eventstore.log import Append
from application.errors import Unavailable
from tests.adapters.dynamodb.log.logs import open_log, retrying, sends_once
from tests.adapters.dynamodb.log.scenes import Between
from tests.adapters.dynamodb.support import dynamodb_local
from tests.adapters.eventstore.log.appends import append, event
from tests.support.event_loop_turns import others_go_on

A_BATCH = Batch(1, 1, 0, b"id", b"")
BATCHES, EVENTS, LIMIT = 200, 3, 250


async def page() -> Sequence[Batch]:
    return [A_BATCH]


async def no_page() -> Sequence[Batch]:
    raise Unavailable("the table", "it does not answer")


async def endless() -> Sequence[Batch]:
    await asyncio.Event().wait()
    return ()


def test_a_page_is_handed_out_once() -> None:
    async def scene() -> None:
        ahead = PageAhead()
        ahead.fetch(1, page())
        assert await ahead.take(1) == [A_BATCH]
        assert await ahead.take(1) == ()

    asyncio.run(scene())


def test_a_page_that_could_not_be_fetched_is_asked_for_again_by_its_reader() -> None:
    async def scene() -> None:
        ahead = PageAhead()
        ahead.fetch(1, no_page())
        assert await ahead.take(1) == ()

    asyncio.run(scene())


def test_what_nobody_comes_for_is_given_up() -> None:
    async def scene() -> None:
        ahead = PageAhead(readers=2)
        before = asyncio.all_tasks()
        for first in (1, 1, 2, 3):
            ahead.fetch(first, endless())
        await others_go_on()
        assert len(asyncio.all_tasks() - before) == 2
        await ahead.close()
        assert asyncio.all_tasks() == before

    asyncio.run(scene())


def test_a_reader_that_goes_on_is_up_to_date_and_asks_for_nothing_twice() -> None:
    async def scene() -> None:
        between = Between(retrying(sends_once()))
        async with open_log(dynamodb_local.unused_table("ahead"), between) as log:
            for n in range(BATCHES):
                await log.append(Append([event(f"a-{n}", v) for v in range(1, EVENTS + 1)]))
            between.calls.clear()
            assert len(await log.read(0, LIMIT)) == LIMIT
            assert len(await log.read(LIMIT, LIMIT)) == LIMIT
            assert between.calls.count(Operation.QUERY) == 4
            await log.append(append("b-1", 1))
            rest = await log.read(2 * LIMIT, LIMIT)
            assert [entry.position for entry in rest] == list(range(2 * LIMIT + 1, 602))

    asyncio.run(scene())
