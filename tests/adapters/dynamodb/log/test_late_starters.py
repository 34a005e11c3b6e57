"""Who loses a position stands in line before trying again: racing those in turn starves it."""

import asyncio
from collections.abc import Awaitable

from attrs import evolve

from adapters.dynamodb.log.turn_lease import TurnLease
from adapters.dynamodb.log.turns import Turns
from adapters.dynamodb.transport.transport import Item
from tests.adapters.dynamodb.log.logs import open_log, retrying, sends_once
from tests.adapters.dynamodb.log.scenes import Between
from tests.adapters.dynamodb.log.test_turns import UNHURRIED
from tests.adapters.dynamodb.support import dynamodb_local
from tests.adapters.eventstore.log.appends import append


def test_a_newcomer_waits_for_its_turn_with_its_first_append() -> None:
    async def scene() -> None:
        app, between = dynamodb_local.unused_table("newcomer"), Between(retrying(sends_once()))
        async with open_log(app) as other, open_log(app, between, manners=UNHURRIED) as log:
            owner = Turns(TurnLease(log.table, log.keys.lease, "owner"), UNHURRIED)
            owner.met_others()
            assert await owner.come()
            between.before_transaction = lambda: other.append(append("b-1", 1))
            appending = asyncio.create_task(log.append(append("a-1", 1)))
            while not (appending.done() or await waiting_at(other.table.get(log.keys.lease))):
                pass
            assert not appending.done()
            await owner.wrote(more=True)
            assert (await appending).first == 2

    asyncio.run(asyncio.wait_for(scene(), timeout=60))


def test_who_always_wins_looks_up_now_and_then() -> None:
    async def scene() -> None:
        app, watchful = dynamodb_local.unused_table("winner"), evolve(UNHURRIED, glance=0.0)
        async with open_log(app) as other, open_log(app, manners=watchful) as log:
            owner = Turns(TurnLease(log.table, log.keys.lease, "owner"), UNHURRIED)
            owner.met_others()
            assert await owner.come()
            appending = asyncio.create_task(log.append(append("a-1", 1)))
            while not (appending.done() or await waiting_at(other.table.get(log.keys.lease))):
                pass
            assert not appending.done()
            await owner.wrote(more=True)
            assert (await appending).first == 1

    asyncio.run(asyncio.wait_for(scene(), timeout=60))


async def waiting_at(getting: Awaitable[Item | None]) -> int:
    lease = await getting
    return len(lease["queue"]["L"]) if lease else 0
