"""A writer of rows may stop at any point, for ever or for a while: the rows are the same."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.dynamodb.rows.engine import DynamoEngine
from adapters.dynamodb.rows.row_changes import MOST_ROWS
from adapters.dynamodb.rows.row_items import key_item
from adapters.dynamodb.transport.transport import Operation, Transport
from adapters.eventstore.sealing.seals import Seals
from adapters.memory.engine import MemoryEngine
from adapters.memory.keys import MemoryKeys
from adapters.read_models.view_store import TableCards
from adapters.row_layouts.catalogue import (
    CATALOGUE,
    DATASET_RESOLUTION,
    PROJECTION_STATE,
    SIGNAL_STATE,
)
from adapters.row_layouts.engine import Delete, Put, Row, RowKey, TableEngine
from application.projections.projection import Projection
from application.projections.signals import SignalCards
from application.projections.view_store import TooMuchAtOnce
from application.recorded import Recorded
from application.subscriptions.subscription import Subscription
from domain.dataset.tier import Tier
from domain.signal.evaluation import SignalStateEnum
from tests.adapters.dynamodb.log.logs import retrying, sends_once
from tests.adapters.dynamodb.rows.engines import empty_tables, row_tables
from tests.adapters.dynamodb.support.stopping import Pausing, Stopped, Stopping
from tests.application.projections.story import Story, registered, runner
from tests.application.projections.test_any_story import ALL, chapters, told
from tests.support.scale import scaled

SEALED = "updated_by"
"""Sealed anew each time, and so the one attribute that differs."""
KEYS = MemoryKeys()
SIGNALS, STATES, RULES = SIGNAL_STATE.name, PROJECTION_STATE.name, DATASET_RESOLUTION.name


def a_bit_of_everything() -> Story:
    """Every version is archived, a rule moves and goes, signals take over what changes."""
    story = registered().add_rule("raw.a.*").evaluate(SignalStateEnum.CRITICAL, hour=1)
    story.reconfigure(tier=Tier.TIER_1).reconfigure(description="other").change_rule("raw.b.*")
    return (
        story.evaluate(SignalStateEnum.OK, hour=2)
        .evaluate(SignalStateEnum.OK, hour=3)
        .remove_rule()
        .retire()
    )


def runs(engine: TableEngine, facts: Sequence[Recorded], most: int) -> Subscription:
    # A copy of every signal at every version: none may be of another one.
    projections: Sequence[Projection] = (SignalCards(checkpoint_every=1), *ALL[1:])
    return runner(projections, facts, TableCards(engine, Seals(KEYS)), most)


async def rows(engine: TableEngine) -> dict[RowKey, Row]:
    found: dict[RowKey, Row] = {}
    for table in CATALOGUE:
        for row in (await engine.scan(table.name, limit=10_000)).rows:
            seen = {name: value for name, value in row.items() if name != SEALED}
            found[RowKey(table.name, row["PK"], row["SK"])] = seen
    return found


async def expected(facts: Sequence[Recorded]) -> dict[RowKey, Row]:
    memory = MemoryEngine()
    await runs(memory, facts, 1000).catch_up()
    return await rows(memory)


@asynccontextmanager
async def engine(prefix: str, transport: Transport | None = None) -> AsyncIterator[DynamoEngine]:
    transport = transport or retrying(sends_once())
    try:
        yield DynamoEngine(transport, row_tables(prefix))
    finally:
        await transport.close()


async def stopped_at(prefix: str, writes: int, facts: Sequence[Recorded], most: int) -> bool:
    """Whether it stopped before it was through; in any case another one goes on."""
    dying = Stopping(retrying(sends_once()), writes)
    async with engine(prefix, dying) as first:
        try:
            await runs(first, facts, most).catch_up()
        except Stopped:
            return True
    return False


async def after_a_stop(prefix: str, writes: int, facts: Sequence[Recorded], most: int) -> bool:
    stopped = await stopped_at(prefix, writes, facts, most)
    async with engine(prefix) as second:
        # The next one reads other batches than the first.
        await runs(second, facts, 1000 if most < 5 else 3).catch_up()
        assert await rows(second) == await expected(facts)
    return stopped


@pytest.mark.parametrize("most", [4, 1000])
def test_a_writer_may_end_at_any_of_its_writes(most: int) -> None:
    facts, writes = a_bit_of_everything().facts, 0
    while True:
        with empty_tables() as prefix:
            if not asyncio.run(after_a_stop(prefix, writes, facts, most)):
                break
        writes += scaled(2, 1)
    assert writes > 10


async def overtaken_at(prefix: str, writes: int, facts: Sequence[Recorded]) -> bool:
    pausing = Pausing(retrying(sends_once()), writes)
    async with engine(prefix, pausing) as late, engine(prefix) as other:
        # What the late one has read by then is only a part of what the other one reads.
        begun = asyncio.create_task(runs(late, facts[:-2], 5).catch_up())
        waiting = asyncio.create_task(pausing.waits.wait())
        await asyncio.wait([begun, waiting], return_when=asyncio.FIRST_COMPLETED)
        paused = not begun.done()
        waiting.cancel()
        await runs(other, facts, 1000).catch_up()
        pausing.goes_on.set()
        await begun
        assert await rows(other) == await expected(facts)
    return paused


def test_a_late_writer_changes_nothing_and_brings_nothing_back() -> None:
    facts, writes = a_bit_of_everything().facts, 0
    while True:
        with empty_tables() as prefix:
            if not asyncio.run(overtaken_at(prefix, writes, facts)):
                break
        writes += scaled(3, 1)
    assert writes > 20


@settings(max_examples=scaled(6, 100), deadline=None)
@given(st.lists(chapters, max_size=25), st.integers(0, 60), st.integers(1, 30))
def test_any_story_survives_a_stop_anywhere(
    chapters: list[tuple[object, dict[str, object]]], writes: int, most: int
) -> None:
    with empty_tables() as prefix:
        asyncio.run(after_a_stop(prefix, writes, told(chapters).facts, most))


# What is remembered moves with the progress.


def row(pk: str, position: int = 1, **more: Any) -> Row:
    return {"PK": pk, "SK": "x", "position": position, **more}


def test_what_is_remembered_is_there_with_the_progress_or_not_at_all() -> None:
    async def scene(prefix: str) -> None:
        for writes in (0, 1, 2):
            async with engine(prefix, Stopping(retrying(sends_once()), writes)) as dying:
                with suppress(Stopped):
                    await dying.write(
                        "p", [Put(SIGNALS, row("a"))], upto=1, remembered=[Put(STATES, row("b"))]
                    )
            async with engine(prefix) as reading:
                keys = [RowKey(SIGNALS, "a", "x"), RowKey(STATES, "b", "x")]
                found = {one["PK"] for one in await reading.get(keys, strong=True)}
                assert found == [set(), {"a"}, {"a", "b"}][writes]
                assert await reading.reached("p") == (1 if writes == 2 else 0)

    with empty_tables() as prefix:
        asyncio.run(scene(prefix))


def test_a_remembered_row_that_is_later_stays_and_the_others_move() -> None:
    async def scene(prefix: str) -> None:
        async with engine(prefix) as one:
            await one.write("p", [], upto=9, remembered=[Put(STATES, row("a", 9))])
            stale = [Put(STATES, row("a", 3)), Put(STATES, row("b", 3))]
            await one.write("q", [], upto=3, remembered=stale)
            keys = [RowKey(STATES, pk, "x") for pk in "ab"]
            found = {each["PK"]: each["position"] for each in await one.get(keys)}
            assert (found, await one.reached("q")) == ({"a": 9, "b": 3}, 3)

    with empty_tables() as prefix:
        asyncio.run(scene(prefix))


def test_more_than_a_transaction_holds_is_refused_before_anything_is_written() -> None:
    async def scene(prefix: str) -> None:
        async with engine(prefix) as one:
            many = [Put(STATES, row(f"{n}")) for n in range(MOST_ROWS + 1)]
            with pytest.raises(TooMuchAtOnce):
                await one.write("p", [Put(SIGNALS, row("a"))], upto=1, remembered=many)
            assert await rows(one) == {}
            await one.write("p", [], upto=1, remembered=many[1:])
            assert (len(await rows(one)), await one.reached("p")) == (MOST_ROWS, 1)

    with empty_tables() as prefix:
        asyncio.run(scene(prefix))


def test_a_runner_takes_fewer_facts_when_they_remember_too_much() -> None:
    story = Story()
    for number in range(MOST_ROWS * 2):
        story.register(f"urn:dp:orders:d{number}:v1")  # type: ignore[arg-type]

    async def scene(prefix: str) -> None:
        async with engine(prefix) as one:
            await runs(one, story.facts, 1000).catch_up()
            assert await rows(one) == await expected(story.facts)

    with empty_tables() as prefix:
        asyncio.run(scene(prefix))


# What was taken away.


def test_a_tombstone_is_seen_by_nobody_and_ends_some_day() -> None:
    async def scene(prefix: str) -> None:
        transport = retrying(sends_once())
        async with engine(prefix, transport) as one:
            gone = RowKey(RULES, "a", "x")
            await one.write("p", [Put(RULES, row("a")), Put(RULES, row("b"))], upto=1)
            await one.write("p", [Delete(gone, 2)], upto=2)
            assert await one.get([gone], strong=True) == []
            assert (await one.query(RULES, "a")).rows == []
            asked = {"TableName": f"{prefix}{RULES}", "Key": key_item(gone)}
            left = await transport.call(Operation.GET_ITEM, asked)
            assert left["Item"].keys() == {"PK", "SK", "position", "deleted", "ttl"}
            assert [each["PK"] for each in (await one.scan(RULES, limit=1)).rows] == ["b"]
            await one.write("p", [Put(RULES, row("a", 2))], upto=3)
            assert await one.get([gone], strong=True) == []
            await one.write("p", [Put(RULES, row("a", 3))], upto=4)
            assert await one.get([gone], strong=True) == [row("a", 3)]

    with empty_tables() as prefix:
        asyncio.run(scene(prefix))
