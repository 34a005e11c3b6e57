"""Every fault happens, and with all of them on the way the caller is still told the truth."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from random import Random
from typing import Any

import pytest
from attrs import frozen

from adapters.dynamodb.retry.retry_policy import Patience, RetryBudget
from adapters.dynamodb.retry.retrying import Retrying
from adapters.dynamodb.transport.errors import (
    Canceled,
    ConditionFailed,
    DynamoError,
    NotApplied,
    OutcomeUnknown,
)
from adapters.dynamodb.transport.transport import Operation, Transport
from tests.adapters.dynamodb.support.faulty_transport import EVERY_KIND, Fault, FaultyTransport
from tests.adapters.dynamodb.support.fixtures import PATIENCE, http_transport, item, new_table
from tests.adapters.dynamodb.support.scripted_transport import Refreshes
from tests.support.event_loop_turns import others_go_on
from tests.support.scale import scaled

RACES = scaled(60, 2_000)
"""At least: who meets which fault depends on who comes first, and only a winner's reply is lost."""
WRITERS = 3


async def at_once(seconds: float) -> None:
    """A pause that only lets others go on."""
    await others_go_on()


@frozen
class Scene:
    faulty: FaultyTransport
    transport: Retrying
    table: str

    async def query(self, pk: str, transport: Transport | None = None) -> list[Any]:
        request = {
            "TableName": self.table,
            "KeyConditionExpression": "PK = :pk",
            "ExpressionAttributeValues": {":pk": {"S": pk}},
            "ConsistentRead": True,
        }
        reply = await (transport or self.transport).call(Operation.QUERY, request)
        return list(reply["Items"])

    def put(self, pk: str, sk: int, by: str) -> dict[str, Any]:
        return {
            "TableName": self.table,
            "Item": item(pk, sk, by=by),
            "ConditionExpression": "attribute_not_exists(PK)",
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
        }

    async def transact(self, pk: str, sks: list[int], by: str) -> None:
        puts = [{"Put": self.put(pk, sk, by)} for sk in sks]
        await self.transport.call(Operation.TRANSACT_WRITE_ITEMS, {"TransactItems": puts})


@asynccontextmanager
async def scene(seed: int = 1, *, every_kind: bool = True) -> AsyncIterator[Scene]:
    async with http_transport() as sends_once:
        rates = EVERY_KIND if every_kind else {}
        faulty = FaultyTransport(sends_once, seed, rates, sleep=at_once)
        retrying = Retrying(
            faulty,
            Refreshes(),
            Patience(deadline=100.0, reply=PATIENCE, attempts=100),
            RetryBudget(left=1e9, most=1e9),
            Random(seed),
            sleep=at_once,
        )
        yield Scene(faulty, retrying, new_table("faults"))


async def outcome(scene: Scene, race: int, writer: int) -> DynamoError | None:
    """Two items per race: either both are one writer's or none is."""
    try:
        await scene.transact(f"race-{race % 7}", [2 * race, 2 * race + 1], str(writer))
    except DynamoError as error:
        return error
    return None


@pytest.mark.parametrize("seed", range(scaled(2, 20)))
def test_of_racing_transactions_one_wins_and_knows_it(seed: int) -> None:
    async def story() -> None:
        async with scene(seed) as s:
            for race in range(10 * RACES):
                if race >= RACES and s.faulty.fired[Fault.REPLY_LOST]:
                    return
                told = await asyncio.gather(
                    *(outcome(s, race, writer) for writer in range(WRITERS))
                )
                stored = await s.query(f"race-{race % 7}", s.faulty.inner)
                winners = {one["by"]["S"] for one in stored if int(one["SK"]["N"]) // 2 == race}
                check(told, winners)
            pytest.fail("no reply was ever lost")

    asyncio.run(story())


def check(told: list[DynamoError | None], winners: set[str]) -> None:
    """Who was told to have won has; who was told to have changed nothing has not."""
    assert len(winners) <= 1
    for writer, error in enumerate(told):
        if error is None:
            assert winners == {str(writer)}
        elif isinstance(error, NotApplied):
            assert str(writer) not in winners


def test_every_fault_fires() -> None:
    async def story() -> None:
        async with scene() as s:
            for n in range(1_000):
                if len(s.faulty.fired) == len(Fault):
                    return
                batch = [{"PutRequest": {"Item": item("b", n * 3 + k)}} for k in range(3)]
                written = {"RequestItems": {s.table: batch}}
                with suppress(DynamoError):
                    await s.transport.call(Operation.BATCH_WRITE_ITEM, written)
                    await asyncio.gather(outcome(s, n, 0), *(s.query("race-0") for _ in range(3)))
            pytest.fail(f"never fired: {set(Fault) - set(s.faulty.fired)}")

    asyncio.run(story())


def test_a_batch_is_whole_in_the_end() -> None:
    async def story() -> None:
        async with scene(every_kind=False) as s:
            batch = [{"PutRequest": {"Item": item("b", n)}} for n in range(25)]
            s.faulty.coming[:] = [Fault.PART_OF_BATCH] * 4
            await s.transport.call(Operation.BATCH_WRITE_ITEM, {"RequestItems": {s.table: batch}})
            keys = [item("b", n) for n in range(25)]
            s.faulty.coming[:] = [Fault.PART_OF_BATCH] * 4
            request = {"RequestItems": {s.table: {"Keys": keys, "ConsistentRead": True}}}
            reply = await s.transport.call(Operation.BATCH_GET_ITEM, request)
            assert sorted(int(one["SK"]["N"]) for one in reply["Responses"][s.table]) == list(
                range(25)
            )

    asyncio.run(story())


def test_a_query_may_show_half_a_transaction_until_its_caller_is_answered() -> None:
    async def story() -> None:
        async with scene(seed=3, every_kind=False) as s:
            puts = [{"Put": s.put("p", n, "me")} for n in range(10)]
            request = {"TransactItems": puts, "ClientRequestToken": "token"}
            s.faulty.coming.append(Fault.REPLY_LOST)
            with pytest.raises(DynamoError):
                await s.faulty.call(Operation.TRANSACT_WRITE_ITEMS, request)
            s.faulty.coming.append(Fault.PART_OF_TRANSACTION)
            assert 0 < len(await s.query("p")) < 10
            await s.faulty.call(Operation.TRANSACT_WRITE_ITEMS, request)
            s.faulty.coming.append(Fault.PART_OF_TRANSACTION)
            assert len(await s.query("p")) == 10

    asyncio.run(story())


def test_a_late_transaction_is_shown_whole_once_one_of_its_items_was_read() -> None:
    """Also where another transaction, which was cancelled, had tried to put equal items."""

    async def story() -> None:
        async with scene(every_kind=False) as s:
            same = [{"Put": s.put("p", n, "me")} for n in range(20)]

            async def send(token: str, mark: str) -> None:
                request = {
                    "TransactItems": [*same, {"Put": s.put(mark, 0, "me")}],
                    "ClientRequestToken": token,
                }
                await s.faulty.call(Operation.TRANSACT_WRITE_ITEMS, request)

            await s.transact("taken", [0], "other")
            with pytest.raises(Canceled):
                await send("first", "taken")
            s.faulty.coming.append(Fault.ARRIVES_LATE)
            with pytest.raises(OutcomeUnknown):
                await send("second", "free")
            read = {"TableName": s.table, "Key": item("free", 0), "ConsistentRead": True}
            while "Item" not in await s.faulty.call(Operation.GET_ITEM, read):
                pass
            s.faulty.coming.append(Fault.PART_OF_TRANSACTION)
            assert len(await s.query("p")) == 20

    asyncio.run(story())


@pytest.mark.parametrize("fault", [Fault.REPLY_LOST, Fault.INTERNAL_AFTER, Fault.CORRUPTED])
def test_a_transaction_that_was_applied_succeeds_after_all(fault: Fault) -> None:
    async def story() -> None:
        async with scene(every_kind=False) as s:
            s.faulty.coming[:] = [fault, Fault.CONFLICT, Fault.THROTTLE, Fault.THROTTLED_ITEM]
            await s.transact("p", [1], "me")
            assert len(await s.query("p")) == 1
            with pytest.raises(Canceled):
                await s.transact("p", [1], "other")

    asyncio.run(story())


def test_a_single_write_meets_itself_after_a_lost_reply() -> None:
    async def story() -> None:
        async with scene(every_kind=False) as s:
            s.faulty.coming.append(Fault.REPLY_LOST)
            with pytest.raises(ConditionFailed) as caught:
                await s.transport.call(Operation.PUT_ITEM, s.put("p", 1, "me"))
            assert caught.value.item == item("p", 1, by="me")

    asyncio.run(story())
