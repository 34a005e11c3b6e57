"""Every kind of damage to a DynamoDB log is found; what follows from the batches is mended."""

import asyncio
from collections.abc import Awaitable, Callable
from decimal import Decimal

import pytest
from attrs import evolve

from adapters.dynamodb.items.typed_values import Key, number
from adapters.dynamodb.log.batches import MOST_PARTS
from adapters.eventstore.inspection.inspector import Finding, Kind
from adapters.eventstore.log import NewEvent
from adapters.memory.blobs import MemoryBlobs
from tests.adapters.dynamodb.log.logs import open_log
from tests.adapters.dynamodb.log_maintenance.damage import Vandal
from tests.adapters.dynamodb.log_maintenance.inspecting import MAPPER, findings, large, mended, told
from tests.adapters.dynamodb.support import dynamodb_local
from tests.adapters.eventstore.engines import Clock
from tests.adapters.eventstore.sample_log import DATASET, INCIDENT, appends

Deed = Callable[[Vandal], Awaitable[None]]

LARGE, STAGED = 7, 8
"""Where the large appends lie: a batch of three parts, and one whose events are in a blob."""


def damaged(deed: Deed, *, with_large: bool = False) -> tuple[list[Finding], list[Finding]]:
    """What is found after the deed, and what is left after mending."""

    async def play() -> tuple[list[Finding], list[Finding]]:
        clock, blobs = Clock(), MemoryBlobs()
        async with open_log(dynamodb_local.unused_table("app"), now=clock, blobs=blobs) as log:
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
