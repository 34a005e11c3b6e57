"""Units as DynamoDB Local reports them, and by AWS's rules where it does not."""

import asyncio
from base64 import b64encode
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

import pytest
from attrs import frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.dynamodb.transport.capacity import Units
from adapters.dynamodb.transport.capacity_meter import CapacityMeter, Usage
from adapters.dynamodb.transport.errors import (
    Canceled,
    ConditionFailed,
    DynamoError,
    OutcomeUnknown,
    Reason,
    Throttled,
)
from adapters.dynamodb.transport.transport import Item, Operation
from adapters.row_layouts.catalogue import Index
from tests.adapters.dynamodb.support.fixtures import http_transport, item, new_table
from tests.adapters.dynamodb.support.scripted_transport import script
from tests.support.scale import scaled

PUT, GET, TRANSACT = Operation.PUT_ITEM, Operation.GET_ITEM, Operation.TRANSACT_WRITE_ITEMS

VALUES = st.recursive(
    st.one_of(
        st.text(max_size=1500).map(lambda text: {"S": text}),
        st.integers(-(10**37), 10**37).map(lambda number: {"N": str(number)}),
        st.decimals(-1000, 1000, places=3).map(lambda number: {"N": str(number)}),
        st.binary(max_size=1500).map(lambda data: {"B": b64encode(data).decode()}),
        st.booleans().map(lambda truth: {"BOOL": truth}),
        st.just({"NULL": True}),
        st.sets(st.text(min_size=1, max_size=20), min_size=1).map(lambda s: {"SS": sorted(s)}),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4).map(lambda items: {"L": items}),
        st.dictionaries(st.text(min_size=1, max_size=9), inner, max_size=4).map(
            lambda items: {"M": items}
        ),
    ),
    max_leaves=12,
)


@frozen
class Counted:
    """A table, and a transport that checks every answer's units against DynamoDB Local's."""

    table: str
    meter: CapacityMeter

    async def call(self, operation: Operation, **request: Any) -> Mapping[str, Any]:
        self.meter.reset()
        if "RequestItems" not in request:
            request["TableName"] = self.table
        asked = {**request, "ReturnConsumedCapacity": "TOTAL"}
        answer = await self.meter.call(operation, asked)
        told = answer["ConsumedCapacity"]
        told = told[0] if isinstance(told, list) else told
        used = self.meter.snapshot()[self.table, operation].units
        assert used.read + used.write == told["CapacityUnits"]
        return answer

    async def put(self, stored: Item) -> None:
        await self.call(PUT, Item=stored, ReturnValues="ALL_OLD")

    async def get(self, key: Item, *, strongly: bool) -> None:
        await self.call(GET, Key=key, ConsistentRead=strongly)

    async def query(self, pk: str, *, strongly: bool) -> None:
        await self.call(
            Operation.QUERY,
            KeyConditionExpression="PK = :pk",
            ExpressionAttributeValues={":pk": {"S": pk}},
            ConsistentRead=strongly,
        )


def counting(story: Callable[[Counted], Awaitable[None]]) -> None:
    async def scene() -> None:
        async with http_transport() as transport:
            await story(Counted(new_table("capacity"), CapacityMeter(transport)))

    asyncio.run(scene())


@settings(max_examples=scaled(15, 400), deadline=None)
@given(
    st.lists(
        st.dictionaries(st.text("abcde", min_size=1, max_size=4), VALUES), min_size=1, max_size=5
    )
)
def test_units_are_those_that_dynamodb_reports(contents: list[dict[str, Any]]) -> None:
    async def story(counted: Counted) -> None:
        for n, content in enumerate(contents):
            await counted.put({**content, **item("a", n % 3)})
            await counted.get(item("a", n % 3), strongly=n % 2 == 0)
        for strongly in (True, False):
            await counted.query("a", strongly=strongly)
        batch = {"Keys": [item("a", n) for n in range(min(3, len(contents)))]}
        await counted.call(Operation.BATCH_GET_ITEM, RequestItems={counted.table: batch})
        for n in range(4):
            await counted.call(Operation.DELETE_ITEM, Key=item("a", n), ReturnValues="ALL_OLD")

    counting(story)


def test_units_change_at_the_very_byte() -> None:
    async def story(counted: Counted) -> None:
        empty = 2 + 1 + 2 + 2 + 1
        for size in (1023, 1024, 1025, 2048, 2049, 4096, 4097, 8192, 8193):
            await counted.put(item("a", size, t="x" * (size - empty)))
            for strongly in (True, False):
                await counted.get(item("a", size), strongly=strongly)
        await counted.query("a", strongly=True)

    counting(story)


def test_batches_and_updates_are_those_that_dynamodb_reports() -> None:
    async def story(counted: Counted) -> None:
        puts = [{"PutRequest": {"Item": item("a", n, t="x" * 400 * n)}} for n in range(12)]
        await counted.call(Operation.BATCH_WRITE_ITEM, RequestItems={counted.table: puts})
        await counted.call(
            Operation.UPDATE_ITEM,
            Key=item("a", 9),
            UpdateExpression="SET u = :u",
            ExpressionAttributeValues={":u": {"S": "y" * 3000}},
            ReturnValues="ALL_NEW",
        )

    counting(story)


# What DynamoDB Local does not tell.


def usage(
    operation: Operation, request: Mapping[str, Any], outcome: Any, **meter: Any
) -> Mapping[tuple[str, Operation], Usage]:
    async def scene() -> CapacityMeter:
        counted = CapacityMeter(script(outcome), **meter)
        with suppress(DynamoError):
            await counted.call(operation, request)
        return counted

    return asyncio.run(scene()).snapshot()


def units(operation: Operation, request: Mapping[str, Any], outcome: Any, **meter: Any) -> Units:
    return sum((one.units for one in usage(operation, request, outcome, **meter).values()), Units())


def put(table: str, kilobytes: float, **more: str) -> dict[str, Any]:
    return {"TableName": table, "Item": item("a", 1, t="x" * int(kilobytes * 1024 - 20), **more)}


def transaction(*actions: dict[str, Any]) -> dict[str, Any]:
    return {"TransactItems": list(actions)}


def test_a_transaction_costs_double() -> None:
    request = transaction(
        {"Put": put("t", 0.5)},
        {"Put": put("t", 2.5)},
        {"Delete": {"TableName": "u", "Key": item("a", 1)}},
        {"ConditionCheck": {"TableName": "u", "Key": item("a", 2)}},
    )
    assert usage(TRANSACT, request, {}) == {
        ("t", TRANSACT): Usage(1, Units(write=2 + 6)),
        ("u", TRANSACT): Usage(1, Units(write=2 + 2)),
    }


def test_a_transactional_read_costs_double() -> None:
    request = transaction(*[{"Get": {"TableName": "t", "Key": item("a", n)}} for n in range(3)])
    answer = {"Responses": [{"Item": put("t", 5)["Item"]}, {"Item": item("a", 1)}, {}]}
    assert units(Operation.TRANSACT_GET_ITEMS, request, answer) == Units(read=4 + 2 + 2)


def test_a_failed_condition_costs_what_the_write_would_have() -> None:
    assert units(PUT, put("t", 1.5), ConditionFailed()) == Units(write=2)
    older = put("t", 3.5)["Item"]
    assert units(PUT, put("t", 1.5), ConditionFailed(older)) == Units(write=4)
    canceled = Canceled((Reason("None"), Reason("ConditionalCheckFailed", older)))
    request = transaction({"Put": put("t", 1.5)}, {"Put": put("t", 1.5)})
    assert units(TRANSACT, request, canceled) == Units(write=4 + 8)


@pytest.mark.parametrize(("error", "cost"), [(Throttled("T"), 0), (OutcomeUnknown("lost"), 2)])
def test_what_may_have_been_applied_counts(error: DynamoError, cost: float) -> None:
    assert units(PUT, put("t", 1.5), error) == Units(write=cost)
    assert units(GET, {"TableName": "t", "Key": {}}, error) == Units()


def test_what_finds_nothing_costs_the_least() -> None:
    keys = {"RequestItems": {"t": {"Keys": [item("a", 1), item("a", 2)]}}}
    assert units(Operation.BATCH_GET_ITEM, keys, {}) == Units(read=1)
    nothing: dict[str, Any] = {"Items": []}
    assert units(Operation.QUERY, {"TableName": "t"}, nothing) == Units(read=0.5)
    batch = {"RequestItems": {"t": [{"DeleteRequest": {"Key": item("a", 1)}}] * 2}}
    assert units(Operation.BATCH_WRITE_ITEM, batch, {}) == Units(write=2)


def test_what_is_left_of_a_batch_costs_nothing() -> None:
    writes = [{"PutRequest": {"Item": put("t", kilobytes)["Item"]}} for kilobytes in (0.5, 3.5)]
    answer = {"UnprocessedItems": {"t": writes[1:]}}
    assert units(Operation.BATCH_WRITE_ITEM, {"RequestItems": {"t": writes}}, answer) == Units(
        write=1
    )


def test_an_index_that_holds_the_item_costs_more() -> None:
    indexes = {"t": (Index("by-team", "team", "t"), Index("by-tier", "tier", "t"))}
    assert units(PUT, put("t", 1.5), {}, indexes=indexes) == Units(write=2)
    assert units(PUT, put("t", 1.5, team="x"), {}, indexes=indexes) == Units(write=4)
    assert units(PUT, put("t", 1.5, team="x", tier="1"), {}, indexes=indexes) == Units(write=6)
    request = transaction({"Put": put("t", 1.5, team="x")})
    assert units(TRANSACT, request, {}, indexes=indexes) == Units(write=4 + 2)


def test_an_index_that_held_the_item_elsewhere_is_written_twice() -> None:
    by_team = {"t": (Index("by-team", "team", "t"),)}

    def cost(before: dict[str, Any], after: dict[str, Any]) -> float:
        return units(PUT, after, {"Attributes": before["Item"]}, indexes=by_team).write

    here, there, nowhere = put("t", 0.5, team="x"), put("t", 0.5, team="y"), put("t", 0.5)
    assert cost(here, here) == 2
    assert cost(here, there) == 3
    assert cost(here, nowhere) == 2
    assert cost(nowhere, here) == 2
    assert cost(nowhere, nowhere) == 1


def test_the_meter_adds_up_until_it_is_reset() -> None:
    async def scene() -> None:
        meter = CapacityMeter(script({}))
        for _ in range(3):
            await meter.call(PUT, put("t", 1.5))
        await meter.call(GET, {"TableName": "t", "Key": {}})
        assert meter.snapshot()["t", PUT] == Usage(3, Units(write=6))
        assert meter.total() == Units(read=0.5, write=6)
        meter.reset()
        assert meter.snapshot() == {}
        await meter.close()

    asyncio.run(scene())
