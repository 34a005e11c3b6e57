"""Rebuilt read models are what incremental ones are, whatever comes between."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from attrs import define, evolve, field
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.memory.drafts import MemoryDrafts
from adapters.memory.engine import MemoryEngine
from adapters.sqlite.draft_files import DraftFiles
from adapters.tables import draft as drafting
from adapters.tables.catalogue import PROJECTION_STATE, SIGNAL_STATE
from adapters.tables.engine import Put, TableEngine
from adapters.tables.holdings import HOLDINGS
from adapters.tables.incident_board import TableIncidentBoard
from adapters.tables.lineage_graph import TableLineageGraph
from adapters.tables.pointers import Pointers
from adapters.tables.registry import TableRegistry
from adapters.tables.resolution_map import TableResolutionMap
from adapters.tables.signal_board import TableSignalBoard
from application import holding
from application.errors import Unavailable
from application.paging import PageRequest
from application.ports.incident_board import IncidentFilter
from application.ports.registry import DatasetFilter
from domain.evaluation import State
from domain.ids import EntityId, Place
from tests.adapters.tables.engines import KINDS
from tests.application.projections.hooked_engine import Fuse, HookedEngine, Killed
from tests.application.projections.read_models import (
    NAMES,
    ReadModels,
    StoodClock,
    a_bit_of_everything,
    rows_of,
)
from tests.application.projections.story import FRESHNESS, ORDERS, PAYMENTS, Story
from tests.application.projections.test_any_story import chapters, told
from tests.scale import scaled

Chapters = list[tuple[object, dict[str, object]]]

stories = st.lists(chapters, max_size=25)


def goes_on(story: Story) -> Story:
    return story.evaluate(State.OK, hour=9).reconfigure(owner_team="second").restore(PAYMENTS)


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
        models.runner.most_filed = batch
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
        (rebuilt,) = await models.rebuild("signal-board")
        assert (rebuilt.generation, rebuilt.events) == (2, len(models.story.facts))
        assert await models.generations.serving() == {**dict.fromkeys(NAMES, 1), "signal-board": 2}
        assert await models.rows() == before
        await models.rebuild("incident-board")  # shares the second generation of the states
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
        await models.rebuild("signal-board")
        plain = ReadModels(story, MemoryEngine(), seals=models.seals)
        await plain.project()
        expected = await plain.rows()
        found = await models.rows()
        assert {key for key in expected if key.table == SIGNAL_STATE.name} <= found.keys()
        assert all(expected[key] == row for key, row in found.items())
        assert await models.cards.reached("signal-board") == len(story.facts)

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
        name = "signal-board"
        await models.project()
        async with models.drafts.folded("rebuild", [name], models.work, afresh=True) as draft:
            await evolve(models.hand_over, at_rest=busy)(draft, name, models.work)
        assert (await models.generations.serving())[name] == 2
        assert await models.cards.reached(name) == len(models.story.facts)

    asyncio.run(go())


async def answers(models: ReadModels) -> list[Any]:
    """What boards of every kind say, by key, by partition, by index and by many partitions."""
    clock, tables = StoodClock(), models.tables
    signals = TableSignalBoard(tables, clock)
    incidents = TableIncidentBoard(tables, models.seals, clock)
    registry, rules = TableRegistry(tables, models.seals), TableResolutionMap(tables)
    lineage, page = TableLineageGraph(tables, clock), PageRequest()
    return [
        await signals.signal(ORDERS, FRESHNESS),
        await signals.signals(ORDERS),
        await signals.not_ok(State.WARNING, page),
        await incidents.incidents(IncidentFilter(), page),
        await incidents.open_of(ORDERS),
        await registry.versions(ORDERS, page),
        await registry.datasets(DatasetFilter(), page),
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
    monkeypatch.setattr(holding, "LOOKED_EVERY", 0)

    class Elsewhere:
        async def hold(self, name: str) -> bool:
            return name != "the rebuild of registry"

        async def release(self, name: str) -> None: ...

    async def go() -> None:
        models = ReadModels(a_bit_of_everything(), MemoryEngine(), leases=Elsewhere())
        await models.project()
        assert await models.rebuild("signal-board")
        with pytest.raises(Unavailable, match="another process is at it"):
            await models.rebuild("registry")
        assert (await models.generations.serving())["registry"] == 1

    asyncio.run(go())


def test_two_that_fill_at_once_fill_a_generation_each() -> None:
    """The lease is no promise: who was thought gone may still be at it."""

    async def others_run() -> None:
        await asyncio.sleep(0)

    async def go() -> None:
        story, bare = a_bit_of_everything(), MemoryEngine()
        one = ReadModels(story, HookedEngine(bare, before_write=others_run))
        other = ReadModels(goes_on(story), one.engine, seals=one.seals, at_once=5)
        await one.project()
        before = await one.rows()
        done = await asyncio.gather(one.rebuild("signal-board"), other.rebuild("signal-board"))
        assert sorted(rebuilt.generation for (rebuilt,) in done) == [2, 3]
        assert (await other.generations.serving())["signal-board"] == 3
        assert await other.rows() == before

    asyncio.run(go())


def test_no_generation_is_chosen_by_an_old_read() -> None:
    async def go() -> None:
        engine = HookedEngine(MemoryEngine(), stale=True)
        models = ReadModels(a_bit_of_everything(), engine)
        await models.project()
        for number in (2, 3):
            (rebuilt,) = await models.rebuild("registry")
            assert rebuilt.generation == number
            assert await models.pointers.numbers() == {"registry": number}

    asyncio.run(go())


# Interrupted.


async def tables_in_use(engine: MemoryEngine) -> set[str]:
    """But for the first table of states, in which the pointers lie."""
    return {key.table for key in engine._rows} - {PROJECTION_STATE.name}


async def tables_served(models: ReadModels) -> set[str]:
    serving = await models.generations.serving()
    tables = {t.name for name, n in serving.items() for t in HOLDINGS[name].of_generation(n)}
    return tables - {PROJECTION_STATE.name}


@pytest.mark.parametrize("after", [False, True])
def test_killed_at_any_write_the_next_one_ends_it(
    after: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drafting, "MOST_FILED", 7)
    story = a_bit_of_everything()
    plain = ReadModels(story, MemoryEngine())
    asyncio.run(plain.project())
    expected = asyncio.run(plain.rows())

    def killed_at(step: int) -> bool:
        """Whether it was killed; in any case it ends well the next time."""
        bare, places = MemoryEngine(), MemoryDrafts()
        asyncio.run(ReadModels(story, bare, places, plain.seals).project())
        fuse = Fuse(step)
        engine = HookedEngine(bare)
        hooked = evolve(engine, after_write=fuse) if after else evolve(engine, before_write=fuse)
        first = ReadModels(story, hooked, places, plain.seals)
        try:
            asyncio.run(first.rebuild())
        except Killed:
            second = ReadModels(story, bare, places, plain.seals)
            # Between the two, what is served is whole.
            assert asyncio.run(second.rows()) == expected
            asyncio.run(second.rebuild())
            asyncio.run(second.project())
            assert asyncio.run(second.rows()) == expected
            asyncio.run(second.verify())
            assert asyncio.run(tables_in_use(bare)) <= asyncio.run(tables_served(second))
            return True
        return False

    steps = 0
    while killed_at(steps):
        steps += 1
    assert steps > 3 * len(NAMES)


@define
class FusedDrafts:
    """Drafts whose folding is killed at the n-th write."""

    fuse: Fuse
    places: MemoryDrafts = field(factory=MemoryDrafts)

    @contextmanager
    def open(self, purpose: str, *, empty: bool = False) -> Iterator[TableEngine]:
        with self.places.open(purpose, empty=empty) as engine:
            yield HookedEngine(engine, before_write=self.fuse)

    def discard(self, purpose: str) -> None:
        self.places.discard(purpose)


def folds_after_a_kill(
    monkeypatch: pytest.MonkeyPatch, between: Callable[[ReadModels], None] = lambda models: None
) -> tuple[int, int]:
    """How many writes the whole fold takes, and how many are left after most were done."""
    monkeypatch.setattr(drafting, "MOST_FILED", 2)
    models = ReadModels(a_bit_of_everything(), MemoryEngine())
    whole = FusedDrafts(Fuse(1_000_000))
    asyncio.run(evolve(models, places=whole).rebuild())
    broken = FusedDrafts(Fuse(whole.fuse.steps * 3 // 4))
    with pytest.raises(Killed):
        asyncio.run(evolve(models, places=broken).rebuild())
    between(models)
    broken.fuse = Fuse(1_000_000)
    again = evolve(models, places=broken)
    asyncio.run(again.rebuild())
    asyncio.run(again.project())
    plain = ReadModels(models.story, MemoryEngine(), seals=models.seals)
    asyncio.run(plain.project())
    assert asyncio.run(again.rows()) == asyncio.run(plain.rows())
    return whole.fuse.steps, broken.fuse.steps


def test_a_fold_that_was_killed_is_gone_on_with(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, rest = folds_after_a_kill(monkeypatch)
    assert rest < whole / 2


def test_a_program_that_folds_otherwise_starts_over(monkeypatch: pytest.MonkeyPatch) -> None:
    def upgraded(models: ReadModels) -> None:
        newer = evolve(HOLDINGS["registry"], version=2)
        monkeypatch.setattr(drafting, "HOLDINGS", {**HOLDINGS, "registry": newer})

    whole, rest = folds_after_a_kill(monkeypatch, upgraded)
    assert rest == whole


def test_a_draft_of_another_log_is_not_gone_on_with(monkeypatch: pytest.MonkeyPatch) -> None:
    def restored(models: ReadModels) -> None:
        """The log comes back with other facts at the same positions."""
        facts = models.story.facts
        facts[:] = [evolve(one, event_id=bytes(16), by="someone else") for one in facts]

    whole, rest = folds_after_a_kill(monkeypatch, restored)
    assert rest == whole


def test_a_draft_file_outlives_its_process_and_is_gone_in_the_end(tmp_path: Path) -> None:
    places = DraftFiles(tmp_path)
    models = ReadModels(a_bit_of_everything(), MemoryEngine(), places)
    with places.open("rebuild") as engine:
        asyncio.run(models.drafts.folding(engine).fold(NAMES, upto=5))
    with places.open("rebuild") as engine:
        assert asyncio.run(engine.reached("registry")) == 5
    asyncio.run(models.rebuild())
    assert not [*tmp_path.rglob("*.db")]


# While it serves.


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
            await asyncio.sleep(0)
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
        story.evaluate(State.CRITICAL, hour=12)
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

    monkeypatch.setattr("adapters.tables.pointers.LOOKED_FOR_EVERY", 0)
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
        stray = {"PK": f"facets#{ORDERS}", "SK": "STATE", "position": 99, "card": {}}
        table = PROJECTION_STATE.of_generation(2)
        await models.engine.ensure([table])
        await models.engine.write("stray", [Put(table.name, stray)], upto=1)
        (rebuilt,) = await models.rebuild("signal-board")
        assert rebuilt.generation == 3

    asyncio.run(go())
