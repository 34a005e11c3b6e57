"""Whoever reads or folds while a new generation takes over notices nothing."""

import asyncio
from typing import Any

import pytest

from adapters.generations.pointers import Pointers
from adapters.memory.engine import MemoryEngine
from adapters.row_layouts.catalogue import PROJECTION_STATE
from adapters.row_layouts.engine import Put
from application.errors import Unavailable
from domain.signal.evaluation import SignalStateEnum
from tests.application.projections.hooked_engine import HookedEngine
from tests.application.projections.read_models import (
    NAMES,
    ReadModels,
    a_bit_of_everything,
    goes_on,
)
from tests.application.projections.story import ORDERS, Story
from tests.support.event_loop_turns import others_go_on


def test_reads_see_one_generation_whole() -> None:
    """At every write of the rebuild what is served is what was served before."""
    story = a_bit_of_everything()

    async def go() -> None:
        bare = MemoryEngine()
        plain = ReadModels(story, bare)
        await plain.project()
        before, looks = await plain.rows(), list[bool]()

        async def look() -> None:
            reader = ReadModels(story, bare, seals=plain.seals)
            looks.append(await reader.rows() == before)

        models = ReadModels(story, HookedEngine(bare, before_write=look), seals=plain.seals)
        await models.rebuild()
        assert len(looks) > 20
        assert all(looks)

    asyncio.run(go())


def test_another_process_learns_of_it_between_two_batches() -> None:
    async def go() -> None:
        bare, story = MemoryEngine(), a_bit_of_everything()
        one = ReadModels(story, bare)
        other = ReadModels(story, bare, seals=one.seals)
        await one.project()
        await other.project()
        await one.rebuild()
        assert await other.pointers.numbers() == {}
        async with other.runner.at_rest():
            looking = asyncio.create_task(other.pointers.look(other.runner.at_rest))
            await others_go_on()
            assert await other.pointers.numbers() == {}
        await looking
        assert await other.pointers.numbers() == dict.fromkeys(NAMES, 2)

    asyncio.run(go())


def test_a_runner_elsewhere_that_was_ahead_skips_nothing() -> None:
    """It went on in the old generation while the pointer had moved already."""

    async def go() -> None:
        bare, story = MemoryEngine(), a_bit_of_everything()
        one = ReadModels(story, bare)
        other = ReadModels(story, bare, seals=one.seals)
        await other.project()
        await one.rebuild()
        goes_on(story)
        while await other.runner.step():
            pass
        await other.pointers.look(other.runner.at_rest)
        story.evaluate(SignalStateEnum.CRITICAL, hour=12)
        while await other.runner.step():
            pass
        plain = ReadModels(story, MemoryEngine(), seals=one.seals)
        await plain.project()
        assert await other.rows() == await plain.rows()

    asyncio.run(go())


def test_a_runner_elsewhere_that_was_ahead_catches_up_though_nothing_more_happens() -> None:
    async def go() -> None:
        bare, story = MemoryEngine(), a_bit_of_everything()
        one = ReadModels(story, bare)
        other = ReadModels(story, bare, seals=one.seals)
        await other.project()
        await one.rebuild()
        behind = len(story.facts)
        goes_on(story)
        while await other.runner.step():
            pass
        assert {at.position for at in other.progress.all().values()} == {len(story.facts)}
        await other.pointers.look(other.runner.at_rest)
        # Nobody who waits for what is not there yet is told that it is.
        assert {at.position for at in other.progress.all().values()} == {behind}
        await other.runner.share()
        while await other.runner.step():
            pass
        plain = ReadModels(story, MemoryEngine(), seals=one.seals)
        await plain.project()
        assert await other.rows() == await plain.rows()

    asyncio.run(go())


def test_what_cannot_be_read_now_is_looked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = iter([Unavailable("the tables", "of a test"), None])

    async def look(self: Pointers, at_rest: Any) -> None:
        error = next(looks, asyncio.CancelledError())
        if error:
            raise error

    monkeypatch.setattr("adapters.generations.pointers.LOOKED_FOR_EVERY", 0)
    monkeypatch.setattr(Pointers, "look", look)
    models = ReadModels(Story(), MemoryEngine())
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(models.pointers.watch(models.runner.at_rest))
    assert next(looks, "all were taken") == "all were taken"


def test_leftovers_of_an_unknown_time_are_passed_over() -> None:
    """The pointers were lost, and a second generation with rows in it was not."""

    async def go() -> None:
        models = ReadModels(a_bit_of_everything(), MemoryEngine())
        await models.project()
        stray = {"PK": f"dataset-attributes#{ORDERS}", "SK": "STATE", "position": 99, "view": {}}
        table = PROJECTION_STATE.of_generation(2)
        await models.engine.ensure([table])
        await models.engine.write("stray", [Put(table.name, stray)], upto=1)
        (rebuilt,) = await models.rebuild("signal-state")
        assert rebuilt.generation == 3

    asyncio.run(go())
