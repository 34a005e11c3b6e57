"""What a call to DynamoDB costs the processor: through our transport, and through boto3."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from itertools import cycle
from pathlib import Path
from time import process_time
from typing import Any

import uvloop

from adapters.dynamodb.retry.retrying import Retrying
from adapters.dynamodb.transport.http_transport import HttpTransport
from adapters.dynamodb.transport.transport import Operation
from benchmarks.load.local_dynamodb import dynamodb
from benchmarks.measuring import varied
from benchmarks.measuring.figures import Effort, Figure, Section, Target, compared
from tests.adapters.dynamodb.support import dynamodb_local
from tests.adapters.dynamodb.support.fixtures import (
    REGION,
    FixedCredentials,
    client,
    item,
    new_table,
)

ITEMS = 25
DIFFERENT = 20
AT_MOST = Target(0.3, at_most=True)

Call = Callable[[], Awaitable[object]]


def run(folder: Path, effort: Effort) -> Section:
    with dynamodb(), asyncio.Runner(loop_factory=uvloop.new_event_loop) as loop:
        return loop.run(_measure(effort))


async def _measure(effort: Effort) -> Section:
    credentials = FixedCredentials()
    ours = Retrying(
        HttpTransport(dynamodb_local.endpoint(), REGION, credentials), _keep_credentials
    )
    try:
        figures = [
            await _get(ours, effort.reads // 10, effort.rounds),
            await _transact(ours, effort.reads // 40, effort.rounds),
        ]
    finally:
        await ours.close()
    return Section("transport: processor time of a call", "boto3", figures)


async def _keep_credentials() -> None:
    return None


async def _get(ours: Retrying, calls: int, rounds: int) -> Figure:
    table, boto = new_table("bench"), client()
    for number in range(DIFFERENT):
        boto.put_item(TableName=table, Item=item(f"s-{number}", 1, text=_text(number)))
    keys, others = _keys(table), _keys(table)
    return await _contest(
        "GetItem",
        lambda: ours.call(Operation.GET_ITEM, next(keys)),
        lambda: boto.get_item(**next(others)),
        calls,
        rounds,
    )


async def _transact(ours: Retrying, calls: int, rounds: int) -> Figure:
    table, boto = new_table("bench"), client()
    puts, others = _puts(table), _puts(table)
    return await _contest(
        f"TransactWriteItems of {ITEMS}",
        lambda: ours.call(Operation.TRANSACT_WRITE_ITEMS, {"TransactItems": next(puts)}),
        lambda: boto.transact_write_items(TransactItems=next(others)),
        calls,
        rounds,
    )


def _keys(table: str) -> Iterator[Any]:
    return cycle(
        {"TableName": table, "Key": item(f"s-{number}", 1), "ConsistentRead": True}
        for number in range(DIFFERENT)
    )


def _puts(table: str) -> Iterator[Any]:
    return cycle(
        [{"Put": _put(table, first + number)} for number in range(ITEMS)]
        for first in range(0, ITEMS * DIFFERENT, ITEMS)
    )


def _text(number: int) -> str:
    """As long as rows and facts are, on both sides of 300 bytes."""
    return varied.sentence(number, 20, 90)


def _put(table: str, number: int) -> dict[str, Any]:
    """As many attributes as an item of the event log has, and a condition as there."""
    return {
        "TableName": table,
        "Item": item("a", number, first=1, last=2, p=number, at=1_768_470_000_000, e=_text(number)),
        "ConditionExpression": "attribute_not_exists(#never)",
        "ExpressionAttributeNames": {"#never": "never"},
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    }


async def _contest(
    what: str, ours: Call, boto: Callable[[], object], calls: int, rounds: int
) -> Figure:
    """Microseconds of this process per call, turn by turn; the first turn of each only warms up."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds + 1):
        times[0].append(await _ours(ours, calls))
        times[1].append(_botos(boto, calls))
    return compared(what, times[0][1:], times[1][1:], unit="µs", target=AT_MOST)


async def _ours(call: Call, calls: int) -> float:
    started = process_time()
    for _ in range(calls):
        await call()
    return (process_time() - started) / calls * 1e6


def _botos(call: Callable[[], object], calls: int) -> float:
    started = process_time()
    for _ in range(calls):
        call()
    return (process_time() - started) / calls * 1e6
