"""Those who wait for the writer are told how it ended, also when it ends before its time."""

import asyncio
import time
from concurrent.futures import Future

import pytest

from adapters.dynamodb.log.group_commit import Queued
from adapters.eventstore.log import Receipt
from application.errors import OutcomeUnknown, Unavailable
from tests.adapters.dynamodb.log.logs import open_log, retrying, sends_once
from tests.adapters.dynamodb.log.scenes import Between
from tests.adapters.dynamodb.support import dynamodb_local
from tests.adapters.dynamodb.trials.broken_logs import opened_of
from tests.adapters.eventstore.log.appends import append
from tests.support.event_loop_turns import others_go_on

SOON = 10.0
"""Seconds in which whoever waits is told; nothing waits for them to pass."""


def test_who_waits_for_a_writer_that_is_cancelled_is_told() -> None:
    async def scene() -> None:
        on_its_way = asyncio.Event()

        async def hangs() -> None:
            on_its_way.set()
            await asyncio.Event().wait()

        between = Between(retrying(sends_once()), hangs)
        async with open_log(dynamodb_local.unused_table("writer"), between) as log:
            sent: Future[Receipt] = log.submit(append("a-1", 1))
            await on_its_way.wait()
            waits = asyncio.create_task(log.append(append("b-1", 1)))
            await others_go_on()
            work = opened_of(log).writer._work
            assert work is not None
            work.cancel()
            with pytest.raises(OutcomeUnknown, match="stopped on the way"):
                await asyncio.wait_for(asyncio.wrap_future(sent), SOON)
            with pytest.raises(Unavailable, match="it stopped"):
                await asyncio.wait_for(waits, SOON)
            assert (await log.append(append("a-1", 1))).first == 1

    asyncio.run(scene())


def test_who_waits_for_a_writer_that_is_cancelled_before_it_begins_is_told() -> None:
    async def scene() -> None:
        async with open_log(dynamodb_local.unused_table("writer")) as log:
            waits: Future[Receipt] = Future()
            writer = opened_of(log).writer
            writer.put(Queued(append("a-1", 1), waits))
            assert writer._work is not None
            writer._work.cancel()
            with pytest.raises(Unavailable, match="it stopped"):
                await asyncio.wait_for(asyncio.wrap_future(waits), SOON)
            assert (await asyncio.wait_for(log.append(append("a-1", 1)), SOON)).first == 1

    asyncio.run(scene())


def test_what_has_waited_in_line_for_too_long_is_not_stored() -> None:
    async def scene() -> None:
        async with open_log(dynamodb_local.unused_table("writer"), patience=100.0) as log:
            early: Future[Receipt] = Future()
            long_ago = time.monotonic() - 101.0
            opened_of(log).writer.put(Queued(append("a-1", 1), early, since=long_ago))
            assert (await log.append(append("b-1", 1))).first == 1
            with pytest.raises(Unavailable, match="waited in line for too long"):
                early.result(timeout=0)
            assert await log.last_version("a-1") is None

    asyncio.run(scene())
