"""
Memory, SQLite and DynamoDB hold the same rows, whatever happens to those who fill them.

Two processes share each engine's tables. They fold in batches of any size and get in each other's
way; others die while what they wrote is still on its way, to arrive late, again, or never; and now
and then a projection is filled anew.
"""

import asyncio
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import orjson
from attrs import define, field, frozen
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from adapters.eventstore.sealing.seals import Seals
from adapters.generations.generation_tables import Fixed, GenerationTables
from adapters.memory.engine import MemoryEngine
from adapters.read_models.view_store import TableCards
from adapters.row_layouts.engine import TableEngine
from application.projections.progress import Progress
from application.projections.runner import projection_runner
from application.projections.view_store import Card, Cards, Key
from domain.errors import DomainError
from tests.adapters.row_layouts.engines import KINDS
from tests.application.projections.read_models import ALL, NAMES, ReadModels, Rows, plain_seals
from tests.application.projections.story import ListFeed, Story, folding_of
from tests.application.projections.test_any_story import chapters, told
from tests.support.scale import scaled

WHICH = st.integers(0, 1)


@frozen
class Filing:
    """Something that a process was about to write when it died."""

    cards: Cards
    projection: str
    changes: Mapping[Key, tuple[Card | None, int]]
    upto: int

    async def arrive(self) -> None:
        await self.cards.file(self.projection, self.changes, upto=self.upto)


@define
class DyingCards:
    """Cards of a process that dies as it files: nothing is there yet, all is on its way."""

    inner: Cards
    filings: list[Filing] = field(factory=list)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def file(
        self, projection: str, changes: Mapping[Key, tuple[Card | None, int]], *, upto: int
    ) -> None:
        self.filings.append(Filing(self.inner, projection, dict(changes), upto))


@define
class Tables:
    """One engine's tables, two processes that fill them, and what others left on its way."""

    story: Story
    engine: TableEngine
    seals: Seals
    processes: Sequence[ReadModels] = field(init=False)
    late: list[Sequence[Filing]] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        self.processes = [ReadModels(self.story, self.engine, seals=self.seals) for _ in range(2)]

    async def fold(self, which: int, most: int) -> None:
        models = self.processes[which]
        folding_of(models.runner).most_filed = most
        await models.runner.resume()
        await models.runner.step()

    async def both_fold(self, most: int) -> None:
        await asyncio.gather(self.fold(0, most), self.fold(1, most + 3))

    async def die_filing(self, which: int, most: int) -> None:
        numbers = await self.processes[which].pointers.numbers()
        tables = GenerationTables(self.engine, Fixed(dict(numbers)))
        cards = DyingCards(TableCards(tables, self.seals))
        feed = ListFeed(self.story.facts, most)
        runner = projection_runner(ALL, feed, cards, Progress())
        await runner.resume()
        await runner.step()
        self.late.append(cards.filings)

    async def arrive(self, number: int, *, again: bool) -> None:
        at = number % len(self.late)
        for filing in self.late[at] if again else self.late.pop(at):
            await filing.arrive()

    async def rebuild(self, which: int, name: str) -> None:
        await self.processes[which].rebuild(name)

    async def look(self, which: int) -> None:
        models = self.processes[which]
        await models.pointers.look(models.runner.at_rest)

    async def settled(self) -> Mapping[Any, Any]:
        for which in (0, 1):
            await self.look(which)
            await self.processes[which].project()
        return loaded(await self.processes[0].rows())


def loaded(rows: Rows) -> Mapping[Any, Any]:
    """DynamoDB keeps 1.0 as 1."""
    return {key: orjson.loads(row) for key, row in rows.items()}


class Engines(RuleBasedStateMachine):
    @initialize()
    def open(self) -> None:
        self.open_ones = ExitStack()
        folder = self.open_ones.enter_context(tempfile.TemporaryDirectory())
        self.story, self.seals = told([]), plain_seals()
        self.all = [
            Tables(self.story, self.open_ones.enter_context(kind.open(Path(folder))), self.seals)
            for kind in KINDS.values()
        ]

    def each(self, what: str, *args: Any, **more: Any) -> list[Any]:
        return [asyncio.run(getattr(one, what)(*args, **more)) for one in self.all]

    @rule(some=st.lists(chapters, min_size=1, max_size=5))
    def happens(self, some: list[tuple[Any, dict[str, Any]]]) -> None:
        for what, how in some:
            try:
                what(self.story, **how)
            except DomainError:
                continue

    @rule(which=WHICH, most=st.integers(1, 9))
    def one_folds(self, which: int, most: int) -> None:
        self.each("fold", which, most)

    @rule(most=st.integers(1, 9))
    def both_fold(self, most: int) -> None:
        self.each("both_fold", most)

    @rule(which=WHICH, most=st.integers(1, 9))
    def one_dies_filing(self, which: int, most: int) -> None:
        self.each("die_filing", which, most)

    @precondition(lambda self: self.all[0].late)
    @rule(number=st.integers(0, 9), again=st.booleans())
    def what_was_on_its_way_arrives(self, number: int, again: bool) -> None:
        self.each("arrive", number, again=again)

    @rule(which=WHICH, name=st.sampled_from(NAMES))
    def one_is_filled_anew(self, which: int, name: str) -> None:
        self.each("look", which)
        self.each("rebuild", which, name)

    @rule(which=WHICH)
    def one_learns_what_is_read(self, which: int) -> None:
        self.each("look", which)

    @rule()
    def rows_are_the_same(self) -> None:
        plain = ReadModels(self.story, MemoryEngine(), seals=self.seals)
        asyncio.run(plain.project())
        expected = loaded(asyncio.run(plain.rows()))
        for found in self.each("settled"):
            assert found == expected

    def teardown(self) -> None:
        if not hasattr(self, "all"):
            return
        try:
            self.rows_are_the_same()
            for tables in self.all:
                done = asyncio.run(tables.processes[0].verify())
                assert all(one.sound for one in done)
        finally:
            self.open_ones.close()


TestEngines = Engines.TestCase
TestEngines.settings = settings(
    max_examples=scaled(6, 100), stateful_step_count=scaled(12, 30), deadline=None
)
