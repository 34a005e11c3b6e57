"""Every kind of damage to a DynamoDB log is found; what follows from the batches is mended."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from decimal import Decimal
from itertools import count
from typing import Any

import pytest
from attrs import define, evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.dynamodb.inspection import DynamoInspector
from adapters.dynamodb.items import Key, number
from adapters.dynamodb.log import DynamoLog
from adapters.dynamodb.log_batches import MOST_PARTS, PART_BYTES
from adapters.dynamodb.repair import DynamoMender
from adapters.dynamodb.transport import Item, Operation, Transport
from adapters.eventstore.inspection import Finding, Kind
from adapters.eventstore.log import Append, NewEvent
from adapters.eventstore.readability import Readability
from adapters.memory.blobs import MemoryBlobs
from application.errors import Unavailable
from tests.adapters.dynamodb import local
from tests.adapters.dynamodb.damage import Vandal
from tests.adapters.dynamodb.logs import open_log, retrying, sends_once
from tests.adapters.eventstore.engines import Clock
from tests.adapters.eventstore.facts_told import DATASET, INCIDENT, a_mapper, appends
from tests.adapters.eventstore.finding import found
from tests.adapters.eventstore.log_stories import STREAMS, Told, stories, tell
from tests.scale import scaled

Deed = Callable[[Vandal], Awaitable[None]]

LARGE, STAGED = 7, 8
"""Where the large appends lie: a batch of three parts, and one whose events are in a blob."""


def large(stream: str, parts: int) -> Append:
    data = os.urandom(PART_BYTES * parts - 1_000)
    return Append([NewEvent(stream, 1, "thing.happened", data, os.urandom(16))])


async def told(log: DynamoLog, clock: Clock) -> None:
    """Batches at 1, 2, 4 and 6, the events of the datasets' and the incidents' streams."""
    for one in appends(MAPPER):
        clock.move(milliseconds=1)
        await log.append(one)


MAPPER = a_mapper()


async def findings(log: DynamoLog, *, facts: bool = True) -> list[Finding]:
    trouble = Readability(MAPPER) if facts else _understood
    return await found(DynamoInspector(log.reader, trouble))


def _understood(entry: object) -> None:
    return None


def _nothing(item: Item) -> bool:
    return False


async def mended(log: DynamoLog, told: Sequence[Finding]) -> None:
    for one in told:
        if one.remedy is not None:
            await DynamoMender(log.reader).mend(one)


def damaged(deed: Deed, *, with_large: bool = False) -> tuple[list[Finding], list[Finding]]:
    """What is found after the deed, and what is left after mending."""

    async def play() -> tuple[list[Finding], list[Finding]]:
        clock, blobs = Clock(), MemoryBlobs()
        async with open_log(local.unused_table("app"), now=clock, blobs=blobs) as log:
            await told(log, clock)
            if with_large:
                await log.append(large("large-1", 3))
                await log.append(large("large-2", MOST_PARTS + 1))
            assert await findings(log, facts=not with_large) == []
            await deed(Vandal(log))
            before = await findings(log, facts=not with_large)
            await mended(log, before)
            return before, await findings(log, facts=not with_large)

    return asyncio.run(play())


def batch(first: int, part: int = 0) -> Callable[[Vandal], Key]:
    return lambda vandal: vandal.log.keys.batch(first, part)


def span(stream: str, sk: int) -> Callable[[Vandal], Key]:
    return lambda vandal: vandal.log.keys.span(stream, sk)


def block(number: int) -> Callable[[Vandal], Key]:
    return lambda vandal: Key(vandal.log.keys.blocks, number)


Where = Callable[[Vandal], Key]


def missing(where: Where) -> Deed:
    return lambda vandal: vandal.delete(where(vandal))


def a_byte_changed(where: Where, at: int = -1) -> Deed:
    return lambda vandal: vandal.change_byte(where(vandal), at)


def changed(where: Where, name: str, value: int) -> Deed:
    return lambda vandal: vandal.change(where(vandal), **{name: number(value)})


def without(where: Where, name: str) -> Deed:
    return lambda vandal: vandal.leave_out(where(vandal), name)


def rewritten(first: int, change: Callable[[NewEvent], NewEvent]) -> Deed:
    return lambda vandal: vandal.rewrite(first, change)


A_COPY = appends(MAPPER)[3].events[0]

MENDABLE: dict[str, tuple[Kind, Deed]] = {
    "a missing span": (Kind.MISSING_SPAN, missing(span(DATASET, 2))),
    "a missing first span": (Kind.MISSING_SPAN, missing(span(DATASET, 0))),
    "a missing last span": (Kind.MISSING_SPAN, missing(span(INCIDENT, 2))),
    "a span that ends early": (Kind.WRONG_SPAN, changed(span(INCIDENT, 2), "last", 2)),
    "a span that ends late": (Kind.WRONG_SPAN, changed(span(INCIDENT, 2), "last", 4)),
    "a span that begins elsewhere": (Kind.WRONG_SPAN, changed(span(DATASET, 0), "first", 0)),
    "a span that points elsewhere": (
        Kind.WRONG_SPAN,
        lambda vandal: vandal.span(INCIDENT, 2, last=3, batch=2),
    ),
    "a span that holds other events": (
        Kind.WRONG_SPAN,
        lambda vandal: vandal.forge_span(DATASET, 2),
    ),
    "a changed byte in a span": (Kind.DAMAGED_SPAN, a_byte_changed(span(DATASET, 2))),
    "a changed time of a span": (Kind.DAMAGED_SPAN, changed(span(DATASET, 2), "at", 1)),
    "a changed place of a span": (Kind.DAMAGED_SPAN, changed(span(DATASET, 2), "p", 4)),
    "a span without its place": (Kind.DAMAGED_SPAN, without(span(DATASET, 2), "p")),
    "a span without its end": (Kind.DAMAGED_SPAN, without(span(DATASET, 2), "last")),
    "a span that ends beyond all versions": (
        Kind.DAMAGED_SPAN,
        changed(span(DATASET, 2), "last", 2**63),
    ),
    "a span that points beyond all positions": (
        Kind.DAMAGED_SPAN,
        lambda vandal: vandal.span(DATASET, 2, last=2, batch=10**30),
    ),
    "a span of a batch that does not hold it": (
        Kind.STRAY_SPAN,
        lambda vandal: vandal.span(DATASET, 4, last=9, batch=6),
    ),
    "a block that is not announced": (Kind.MISSING_BLOCK, missing(block(0))),
    "a block without its beginning": (Kind.DAMAGED_BLOCK, without(block(0), "first")),
}

LOST: dict[str, tuple[Kind, Deed]] = {
    "a missing batch": (Kind.GAP, missing(batch(2))),
    "a missing first batch": (Kind.GAP, missing(batch(1))),
    "a missing batch, whose spans are left": (Kind.TORN_APPEND, missing(batch(2))),
    "a missing last batch": (Kind.TORN_APPEND, missing(batch(6))),
    "a span behind the end": (
        Kind.TORN_APPEND,
        lambda vandal: vandal.span("a-1", 0, last=1, batch=99),
    ),
    "a gap in the versions": (Kind.VERSION_GAP, missing(batch(2))),
    "a changed byte at the end": (Kind.DAMAGED_BATCH, a_byte_changed(batch(4))),
    "a changed byte in the ids": (Kind.DAMAGED_BATCH, a_byte_changed(batch(4), 12)),
    "a changed format": (Kind.DAMAGED_BATCH, a_byte_changed(batch(4), 0)),
    "a changed time": (Kind.DAMAGED_BATCH, changed(batch(4), "at", 1)),
    "a changed number of events": (Kind.DAMAGED_BATCH, changed(batch(4), "n", 1)),
    "a batch without its number": (Kind.DAMAGED_BATCH, without(batch(4), "n")),
    "a batch inside another": (Kind.OVERLAP, lambda vandal: vandal.insert(5, A_COPY)),
    "a time before the one before": (Kind.TIME_BACKWARDS, lambda vandal: vandal.date_back(4)),
    "a version left out": (
        Kind.VERSION_GAP,
        rewritten(6, lambda event: evolve(event, version=7)),
    ),
    "an event id used twice": (
        Kind.DUPLICATE_ID,
        rewritten(6, lambda event: evolve(event, event_id=(1).to_bytes(16))),
    ),
    "a name that nobody knows": (
        Kind.UNREADABLE,
        rewritten(6, lambda event: evolve(event, name="thing.else")),
    ),
    "an envelope that cannot be read": (
        Kind.UNREADABLE,
        rewritten(6, lambda event: evolve(event, meta=b"{")),
    ),
    "a last batch without its number": (Kind.DAMAGED_BATCH, without(batch(6), "n")),
    "a span between two versions": (
        Kind.DAMAGED_SPAN,
        lambda vandal: vandal.put(
            {**Key(vandal.log.keys.stream(DATASET), Decimal("1.5")).item(), "first": number(1)}
        ),
    ),
    "a block between two blocks": (
        Kind.DAMAGED_BLOCK,
        lambda vandal: vandal.put(Key(vandal.log.keys.blocks, Decimal("0.5")).item()),
    ),
    "a block announced and empty": (
        Kind.GAP,
        lambda vandal: vandal.put({**block(3)(vandal).item(), "first": number(3_000_001)}),
    ),
}


@pytest.mark.parametrize("name", MENDABLE)
def test_what_follows_from_the_batches_is_found_and_mended(name: str) -> None:
    kind, deed = MENDABLE[name]
    before, after = damaged(deed)
    assert [one.kind for one in before] == [kind]
    assert after == []


@pytest.mark.parametrize("name", LOST)
def test_what_the_batches_themselves_lack_is_found_and_stays(name: str) -> None:
    kind, deed = LOST[name]
    before, after = damaged(deed)
    assert kind in [one.kind for one in before]
    assert kind in [one.kind for one in after]
    assert all(one.remedy is None for one in after)


async def without_its_blob(vandal: Vandal) -> None:
    stored = await vandal.get(batch(STAGED)(vandal))
    await vandal.log.payloads.drop(stored["blob"]["S"])


LARGE_LOST: dict[str, tuple[Kind, Deed]] = {
    "a missing first part": (Kind.INCOMPLETE_BATCH, missing(batch(LARGE))),
    "a missing part": (Kind.INCOMPLETE_BATCH, missing(batch(LARGE, 1))),
    "a missing last part": (Kind.INCOMPLETE_BATCH, missing(batch(LARGE, 2))),
    "a changed byte in a part": (Kind.DAMAGED_BATCH, a_byte_changed(batch(LARGE, 1))),
    "a missing blob": (Kind.MISSING_BLOB, without_its_blob),
}


@pytest.mark.parametrize("name", LARGE_LOST)
def test_damage_to_large_appends_is_found_and_stays(name: str) -> None:
    kind, deed = LARGE_LOST[name]
    before, after = damaged(deed, with_large=True)
    assert [one.kind for one in before] == [kind]
    assert after == before


def test_a_span_that_points_into_the_log_is_mended() -> None:
    before, after = damaged(changed(span("large-1", 0), "p", 6), with_large=True)
    assert [one.kind for one in before] == [Kind.WRONG_SPAN]
    assert after == []


def test_the_last_copy_of_lost_events_is_never_overwritten() -> None:
    """The span of a missing batch lies where another one belongs."""

    async def deed(vandal: Vandal) -> None:
        await vandal.delete(batch(6)(vandal))
        await vandal.delete(span(INCIDENT, 2)(vandal))
        await vandal.span(INCIDENT, 2, last=3, batch=6)

    before, after = damaged(deed)
    wrong = [one for one in before if one.kind is Kind.WRONG_SPAN]
    assert [one.remedy for one in wrong] == [None]
    assert "last copy" in wrong[0].what
    assert [one for one in after if one.kind is Kind.WRONG_SPAN] == wrong


def test_what_is_appended_meanwhile_is_no_damage() -> None:
    async def play() -> list[Finding]:
        async with open_log(local.unused_table("app")) as log:
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
        async with open_log(local.unused_table("app"), hiding) as log:
            await log.append(large("large-1", 3))
            late = key(log).item()
            hiding.hidden = lambda item: late.items() <= item.items()
            hiding.times = times
            assert await findings(log, facts=False) == []
            assert hiding.times == 0

    asyncio.run(play())


def test_mending_writes_nothing_that_has_changed_since() -> None:
    async def play() -> None:
        async with open_log(local.unused_table("app")) as log:
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
        async with open_log(local.unused_table("app"), now=clock, block_size=7) as log:
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
