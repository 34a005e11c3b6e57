"""A generation that is no longer read goes only when no process can still be reading it."""

import asyncio
from datetime import timedelta

import pytest
from attrs import define, evolve

from adapters.generations.pointers import BELIEVED_FOR, LOOKED_FOR_EVERY, Pointers
from adapters.generations.table_generations import TableGenerations
from adapters.memory.engine import MemoryEngine
from adapters.read_models.signals import TableSignals
from adapters.row_layouts.ownership import HOLDINGS
from application.errors import Unavailable
from application.maintenance.generations import Left
from entrypoints.wiring.engines import STILL_READ
from tests.application.projections.read_models import (
    NAMES,
    ReadModels,
    StoodClock,
    a_bit_of_everything,
    rows_of,
)
from tests.application.projections.story import NOON, ORDERS


@define
class Stopwatch:
    seconds: float = 0.0

    def __call__(self) -> float:
        return self.seconds


def generations(models: ReadModels, *, later: timedelta) -> TableGenerations:
    """As another process has them, some time later."""
    pointers = Pointers(models.engine, StoodClock(models.now + later))
    return evolve(models.generations, pointers=pointers, kept=STILL_READ)


def test_what_was_left_a_moment_ago_stays_and_goes_the_next_time() -> None:
    async def go() -> None:
        models = ReadModels(a_bit_of_everything(), MemoryEngine())
        await models.project()
        old = await rows_of(models.engine)
        await models.rebuild()
        for name in NAMES:
            early = generations(models, later=STILL_READ - timedelta(milliseconds=1))
            assert await early.drop_old(name) == []
            assert await early.left(name) == Left([1], models.now + STILL_READ)
        assert await rows_of(models.engine) == old
        for name in NAMES:
            due = generations(models, later=STILL_READ)
            assert await due.drop_old(name) == [1]
            assert await due.left(name) is None
        assert await rows_of(models.engine) == {}

    asyncio.run(go())


def test_what_was_left_long_ago_stays_as_long_as_what_was_left_last() -> None:
    async def go() -> None:
        models = ReadModels(a_bit_of_everything(), MemoryEngine())
        await models.project()
        await models.rebuild()
        models.now += STILL_READ
        models.pointers.clock = StoodClock(models.now)
        await models.rebuild()
        early = generations(models, later=STILL_READ - timedelta(milliseconds=1))
        for name in NAMES:
            assert await early.drop_old(name) == []
            assert await early.left(name) == Left([1, 2], models.now + STILL_READ)

    asyncio.run(go())


def test_a_process_that_stood_still_does_not_answer_from_what_was_dropped() -> None:
    """It says that it cannot answer until it has learned what is read by now."""

    async def go() -> None:
        time, one = Stopwatch(), ReadModels(a_bit_of_everything(), MemoryEngine())
        other = ReadModels(one.story, one.engine, seals=one.seals)
        other.pointers = Pointers(one.engine, StoodClock(), now=time)
        await one.project()
        board = TableSignals(other.tables, StoodClock())
        before = await board.of_dataset(ORDERS)
        assert before
        await one.rebuild()
        time.seconds = BELIEVED_FOR
        assert await board.of_dataset(ORDERS) == before
        for name in NAMES:
            await one.generations.drop_old(name)
        time.seconds += 0.001
        with pytest.raises(Unavailable, match="filled anew"):
            await board.of_dataset(ORDERS)
        await other.pointers.look(other.runner.at_rest)
        assert await board.of_dataset(ORDERS) == before

    asyncio.run(go())


def test_one_that_stood_still_while_nothing_moved_goes_on() -> None:
    async def go() -> None:
        time, models = Stopwatch(), ReadModels(a_bit_of_everything(), MemoryEngine())
        models.pointers = Pointers(models.engine, StoodClock(NOON), now=time)
        await models.pointers.numbers()
        time.seconds = 100.0
        assert await models.pointers.numbers() == {}

    asyncio.run(go())


def test_whoever_looks_as_often_as_it_should_is_always_believed() -> None:
    assert 2 * LOOKED_FOR_EVERY < BELIEVED_FOR < STILL_READ.total_seconds() / 2


def test_what_a_killed_rebuild_left_goes_with_the_next_clean_verify() -> None:
    """It began a generation and wrote some of it; the next one begins another."""

    async def go() -> None:
        models = ReadModels(a_bit_of_everything(), MemoryEngine())
        await models.project()
        before = await models.rows()
        async with models.drafts.folded("rebuild", NAMES, models.work, afresh=True) as draft:
            for name in NAMES:
                assert (await draft.as_generation(name, models.work)).number == 2
        assert await rows_of(models.engine, lambda name: 2) == before
        assert {one.generation for one in await models.rebuild()} == {3}
        assert [[*one.dropped] for one in await models.verify()] == [[1, 2]] * len(NAMES)
        await models.engine.ensure(
            [table for one in HOLDINGS.values() for table in one.of_generation(2)]
        )
        assert await rows_of(models.engine, lambda name: 2) == {}
        assert await models.rows() == before

    asyncio.run(go())
