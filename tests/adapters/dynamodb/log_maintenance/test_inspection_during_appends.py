"""Changes while a DynamoDB log is looked at are no damage; any damage to spans is mended."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any

import pytest
from attrs import define
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.dynamodb.items.typed_values import Key, number
from adapters.dynamodb.log.log import DynamoLog
from adapters.dynamodb.transport.transport import Item, Operation, Transport
from adapters.eventstore.inspection.inspector import Finding, Kind
from adapters.eventstore.log import Append, NewEvent
from application.errors import Unavailable
from tests.adapters.dynamodb.log.logs import open_log, retrying, sends_once
from tests.adapters.dynamodb.log_maintenance.damage import Vandal
from tests.adapters.dynamodb.log_maintenance.inspecting import findings, large, mended, told
from tests.adapters.dynamodb.support import dynamodb_local
from tests.adapters.eventstore.engines import Clock
from tests.adapters.eventstore.log.stories import STREAMS, Told, stories, tell
from tests.adapters.eventstore.sample_log import DATASET
from tests.support.scale import scaled


def _nothing(item: Item) -> bool:
    return False


def test_what_is_appended_meanwhile_is_no_damage() -> None:
    async def play() -> list[Finding]:
        async with open_log(dynamodb_local.unused_table("app")) as log:
            await told(log, Clock())
            writing = asyncio.create_task(grow(log))
            try:
                return await findings(log, facts=False)
            finally:
                writing.cancel()
                await asyncio.gather(writing, return_exceptions=True)

    async def grow(log: DynamoLog) -> None:
        for one in count(1):
            await log.append(Append([NewEvent(f"a-{one}", 1, "thing.happened", b"{}")]))

    assert asyncio.run(play()) == []


@define
class Hiding:
    """Leaves an item out of the next few replies that would show it, as if it were on its way."""

    inner: Transport
    operation: Operation
    hidden: Callable[[Item], bool] = _nothing
    times: int = 0

    async def call(
        self, operation: Operation, request: Mapping[str, Any], *, deadline: float | None = None
    ) -> dict[str, Any]:
        reply = await self.inner.call(operation, request, deadline=deadline)
        items = reply.get("Items", [])
        shown = [item for item in items if not self.hidden(item)]
        if operation is not self.operation or len(shown) == len(items) or not self.times:
            return reply
        self.times -= 1
        return {**reply, "Items": shown}

    async def close(self) -> None:
        await self.inner.close()


@pytest.mark.parametrize(
    ("operation", "key", "times"),
    [
        (Operation.QUERY, lambda log: log.keys.batch(1, 1), 3),
        (Operation.SCAN, lambda log: log.keys.span("large-1", 0), 1),
    ],
    ids=["a part", "a span"],
)
def test_what_is_still_on_its_way_is_no_damage(
    operation: Operation, key: Callable[[DynamoLog], Key], times: int
) -> None:
    async def play() -> None:
        hiding = Hiding(retrying(sends_once()), operation)
        async with open_log(dynamodb_local.unused_table("app"), hiding) as log:
            await log.append(large("large-1", 3))
            late = key(log).item()
            hiding.hidden = lambda item: late.items() <= item.items()
            hiding.times = times
            assert await findings(log, facts=False) == []
            assert hiding.times == 0

    asyncio.run(play())


def test_mending_writes_nothing_that_has_changed_since() -> None:
    async def play() -> None:
        async with open_log(dynamodb_local.unused_table("app")) as log:
            await told(log, Clock())
            vandal = Vandal(log)
            await vandal.change(log.keys.span(DATASET, 2), last=number(9))
            before = await findings(log)
            await vandal.change(log.keys.span(DATASET, 2), last=number(8))
            items = await vandal.items()
            with pytest.raises(Unavailable, match="changed"):
                await mended(log, before)
            assert await vandal.items() == items

    asyncio.run(play())


@settings(max_examples=scaled(10, 200), deadline=None)
@given(stories(), st.lists(st.tuples(st.integers(0), st.sampled_from("dbc")), max_size=6))
def test_whatever_happens_to_spans_is_mended(
    story: Sequence[Told], deeds: list[tuple[int, str]]
) -> None:
    """Afterwards every stream reads as it did."""

    async def play() -> None:
        clock = Clock()
        async with open_log(dynamodb_local.unused_table("app"), now=clock, block_size=7) as log:
            await tell(log, clock, story)
            entries = {stream: await log.stream(stream) for stream in STREAMS}
            touched = await _vandalised(log, deeds)
            before = await findings(log, facts=False)
            assert {one.kind for one in before} <= SPAN_DAMAGE | {Kind.DUPLICATE_ID}
            assert bool(SPAN_DAMAGE.intersection(one.kind for one in before)) == touched
            await mended(log, before)
            left = await findings(log, facts=False)
            assert {one.kind for one in left} <= {Kind.DUPLICATE_ID}
            assert {stream: await log.stream(stream) for stream in STREAMS} == entries

    asyncio.run(play())


SPAN_DAMAGE = {Kind.MISSING_SPAN, Kind.WRONG_SPAN, Kind.DAMAGED_SPAN}


async def _vandalised(log: DynamoLog, deeds: Sequence[tuple[int, str]]) -> bool:
    """Do something to some spans: delete them, change a byte, change their end."""
    vandal, touched = Vandal(log), set()
    prefix = log.keys.stream("")
    spans = [
        Key(item["PK"]["S"], int(item["SK"]["N"]))
        for item in await vandal.items()
        if item["PK"]["S"].startswith(prefix)
    ]
    for which, deed in deeds:
        key = spans[which % len(spans)] if spans else None
        if key is None or key in touched:
            continue
        touched.add(key)
        match deed:
            case "d":
                await vandal.delete(key)
            case "b":
                await vandal.change_byte(key)
            case _:
                await vandal.change(key, last=number(99))
    return bool(touched)
