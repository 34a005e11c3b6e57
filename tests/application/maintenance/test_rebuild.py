"""Rebuilt read models are what incremental ones are, whatever comes between."""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from attrs import define, evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.memory.engine import MemoryEngine
from adapters.read_models.datasets import TableDatasets
from adapters.read_models.incidents import TableIncidents
from adapters.read_models.lineage import TableLineage
from adapters.read_models.resolution_rules import TableRules
from adapters.read_models.signals import TableSignals
from adapters.row_layouts.catalogue import SIGNAL_STATE
from adapters.row_layouts.engine import TableEngine
from application.datasets.read_model import DatasetFilter
from application.errors import Unavailable
from application.incidents.read_model import IncidentFilter
from application.reads.paging import PageRequest
from application.subscriptions import lease
from domain.ids import EntityId, Place
from domain.signal.evaluation import SignalStateEnum
from tests.adapters.row_layouts.engines import KINDS
from tests.application.projections.hooked_engine import HookedEngine
from tests.application.projections.read_models import (
    NAMES,
    ReadModels,
    StoodClock,
    a_bit_of_everything,
    goes_on,
    rows_of,
)
from tests.application.projections.story import FRESHNESS, ORDERS, Story, folding_of
from tests.application.projections.test_any_story import chapters, told
from tests.support.event_loop_turns import others_go_on
from tests.support.scale import scaled

Chapters = list[tuple[object, dict[str, object]]]
stories = st.lists(chapters, max_size=25)


# Any history.


@pytest.mark.parametrize("kind", KINDS)
def test_rows_are_the_same_incremental_or_rebuilt(kind: str) -> None:
    """Incremental = rebuilt = rebuilt half-way and gone on with = from checkpoint and tail."""

    # Each history takes new tables there, which DynamoDB Local makes slowly.
    most = scaled(3, 100) if kind == "dynamodb" else scaled(40, 1_000)

    @settings(max_examples=most, deadline=None)
    @given(stories, st.integers(0, 30), st.integers(1, 7))
    def same(chapters: Chapters, pause: int, batch: int) -> None:
        story = told(chapters)
        with tempfile.TemporaryDirectory() as folder, KINDS[kind].open(Path(folder)) as engine:
            asyncio.run(_compare(story, engine, pause, batch))

    async def _compare(story: Story, engine: TableEngine, pause: int, batch: int) -> None:
        plain = ReadModels(story, MemoryEngine())
        await plain.project()
        expected = await plain.rows()

        models = ReadModels(evolve(story, facts=story.facts[:pause]), engine, seals=plain.seals)
        folding_of(models.runner).most_filed = batch
        await models.project()
        await models.rebuild()
        models.story.facts.extend(story.facts[pause:])
        await models.project()
        assert await models.rows() == expected
        await models.rebuild()
        assert await models.rows() == expected
        with models.places.open("rebuild", empty=True) as checkpoint:
            await models.drafts.folding(checkpoint).fold(NAMES, upto=pause)
        await models.rebuild()
        assert await models.rows() == expected

    same()


@pytest.mark.parametrize("kind", KINDS)
def test_a_rebuild_leaves_what_is_not_its_own(kind: str, tmp_path: Path) -> None:
    async def go(engine: TableEngine) -> None:
        models = ReadModels(a_bit_of_everything(), engine)
        await models.project()
        before = await models.rows()
        (rebuilt,) = await models.rebuild("signal-state")
        assert (rebuilt.generation, rebuilt.events) == (2, len(models.story.facts))
        assert await models.generations.serving() == {**dict.fromkeys(NAMES, 1), "signal-state": 2}
        assert await models.rows() == before
        await models.rebuild("incident-index")  # shares the second generation of the states
        assert await models.rows() == before

    with KINDS[kind].open(tmp_path) as engine:
        asyncio.run(go(engine))


@pytest.mark.parametrize("kind", KINDS)
def test_the_runner_goes_on_in_the_new_generation(kind: str, tmp_path: Path) -> None:
    async def go(engine: TableEngine) -> None:
        models = ReadModels(a_bit_of_everything(), engine)
        await models.project()
        await models.rebuild()
        old = await rows_of(engine)
        goes_on(models.story)
        while await models.runner.step():
            pass
        plain = ReadModels(models.story, MemoryEngine(), seals=models.seals)
        await plain.project()
        assert await models.rows() == await plain.rows()
        assert await rows_of(engine) == old

    with KINDS[kind].open(tmp_path) as engine:
        asyncio.run(go(engine))


def test_it_catches_up_with_what_is_recorded_meanwhile() -> None:
    story = a_bit_of_everything()

    @define
    class Busy:
        """Something is recorded at every step of the work."""

        def begin(self, what: str, total: int | None = None) -> None:
            if "writing" in what:
                goes_on(story)

        def reached(self, done: int) -> None: ...

    async def go() -> None:
        models = ReadModels(story, MemoryEngine(), work=Busy())
        await models.rebuild("signal-state")
        plain = ReadModels(story, MemoryEngine(), seals=models.seals)
        await plain.project()
        expected = await plain.rows()
        found = await models.rows()
        assert {key for key in expected if key.table == SIGNAL_STATE.name} <= found.keys()
        assert all(expected[key] == row for key, row in found.items())
        assert await models.cards.reached("signal-state") == len(story.facts)

    asyncio.run(go())


def test_it_is_never_behind_what_was_served() -> None:
    """Something is recorded and served at the last moment before it takes over."""
    models, late = ReadModels(a_bit_of_everything(), MemoryEngine()), [goes_on]

    @asynccontextmanager
    async def busy() -> AsyncIterator[None]:
        while late:
            late.pop()(models.story)
            await models.runner.catch_up()
        async with models.runner.at_rest():
            yield

    async def go() -> None:
        name = "signal-state"
        await models.project()
        async with models.drafts.folded("rebuild", [name], models.work, afresh=True) as draft:
            await evolve(models.hand_over, at_rest=busy)(draft, name, models.work)
        assert (await models.generations.serving())[name] == 2
        assert await models.cards.reached(name) == len(models.story.facts)

    asyncio.run(go())


async def answers(models: ReadModels) -> list[Any]:
    """What boards of every kind say, by key, by partition, by index and by many partitions."""
    clock, tables = StoodClock(), models.tables
    signals = TableSignals(tables, clock)
    incidents = TableIncidents(tables, models.seals, clock)
    registry, rules = TableDatasets(tables, models.seals), TableRules(tables)
    lineage, page = TableLineage(tables, clock), PageRequest()
    return [
        await signals.find(ORDERS, FRESHNESS),
        await signals.of_dataset(ORDERS),
        await signals.not_ok(SignalStateEnum.WARNING, page),
        await incidents.matching(IncidentFilter(), page),
        await incidents.open_of(ORDERS),
        await registry.versions(ORDERS, page),
        await registry.matching(DatasetFilter(), page),
        await rules.rules_for("raw.c.x"),
        await rules.rules_of(ORDERS),
        await lineage.readers(Place(ORDERS), page),
        await lineage.readings([Place(ORDERS)], most=10),
        await lineage.writings([EntityId("job:a")], most=10),
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_boards_answer_alike_from_any_generation(kind: str, tmp_path: Path) -> None:
    async def go(engine: TableEngine) -> None:
        models = ReadModels(a_bit_of_everything(), engine)
        await models.project()
        before = await answers(models)
        assert all(before)
        await models.rebuild()
        await models.verify()  # the first generation is empty by now
        assert not await rows_of(engine)
        assert await answers(models) == before

    with KINDS[kind].open(tmp_path) as engine:
        asyncio.run(go(engine))


def test_two_processes_do_not_hand_over_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease, "LOOKED_EVERY", 0)

    class Elsewhere:
        async def hold(self, name: str) -> bool:
            return name != "rebuild/dataset-registry"

        async def release(self, name: str) -> None: ...

    async def go() -> None:
        models = ReadModels(a_bit_of_everything(), MemoryEngine(), leases=Elsewhere())
        await models.project()
        assert await models.rebuild("signal-state")
        with pytest.raises(Unavailable, match="another process is at it"):
            await models.rebuild("dataset-registry")
        assert (await models.generations.serving())["dataset-registry"] == 1

    asyncio.run(go())


def test_two_that_fill_at_once_fill_a_generation_each() -> None:
    """The lease is no promise: who was thought gone may still be at it."""

    async def go() -> None:
        story, bare = a_bit_of_everything(), MemoryEngine()
        one = ReadModels(story, HookedEngine(bare, before_write=others_go_on))
        other = ReadModels(goes_on(story), one.engine, seals=one.seals, at_once=5)
        await one.project()
        before = await one.rows()
        done = await asyncio.gather(one.rebuild("signal-state"), other.rebuild("signal-state"))
        assert sorted(rebuilt.generation for (rebuilt,) in done) == [2, 3]
        assert (await other.generations.serving())["signal-state"] == 3
        assert await other.rows() == before

    asyncio.run(go())


def test_no_generation_is_chosen_by_an_old_read() -> None:
    async def go() -> None:
        engine = HookedEngine(MemoryEngine(), stale=True)
        models = ReadModels(a_bit_of_everything(), engine)
        await models.project()
        for number in (2, 3):
            (rebuilt,) = await models.rebuild("dataset-registry")
            assert rebuilt.generation == number
            assert await models.pointers.numbers() == {"dataset-registry": number}

    asyncio.run(go())
