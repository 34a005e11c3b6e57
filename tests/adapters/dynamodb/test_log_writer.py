"""Those who wait for the writer are told how it ended, also when it ends before its time."""

import asyncio
from concurrent.futures import Future

import pytest

from adapters.eventstore.log import Receipt
from application.errors import OutcomeUnknown, Unavailable
from tests.adapters.dynamodb import local
from tests.adapters.dynamodb.broken_logs import opened_of
from tests.adapters.dynamodb.logs import open_log, retrying, sends_once
from tests.adapters.dynamodb.test_log import Between
from tests.adapters.eventstore.appends import append

SOON = 10.0
"""Seconds in which whoever waits is told; nothing waits for them to pass."""


def test_who_waits_for_a_writer_that_is_cancelled_is_told() -> None:
    async def scene() -> None:
        on_its_way = asyncio.Event()

        async def hangs() -> None:
            on_its_way.set()
            await asyncio.Event().wait()

        between = Between(retrying(sends_once()), hangs)
        async with open_log(local.unused_table("writer"), between) as log:
            sent: Future[Receipt] = log.submit(append("a-1", 1))
            await on_its_way.wait()
            waits = asyncio.create_task(log.append(append("b-1", 1)))
            await asyncio.sleep(0)
            work = opened_of(log).writer._work
            assert work is not None
            work.cancel()
            with pytest.raises(OutcomeUnknown, match="stopped on the way"):
                await asyncio.wait_for(asyncio.wrap_future(sent), SOON)
            with pytest.raises(Unavailable, match="it stopped"):
                await asyncio.wait_for(waits, SOON)
            assert (await log.append(append("a-1", 1))).first == 1

    asyncio.run(scene())
