"""Read models of a story with all that rebuilds and verifies them, on any table engine."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

import orjson
from attrs import define, field

from adapters.eventstore.inspection.progress import Silent
from adapters.eventstore.sealing.seals import Seals
from adapters.generations.drafts import DraftPlaces, FoldHere, TableDrafts
from adapters.generations.generation_tables import GenerationTables
from adapters.generations.pointers import Pointers
from adapters.generations.table_generations import TableGenerations, pages
from adapters.memory.drafts import MemoryDrafts
from adapters.memory.keys import MemoryKeys
from adapters.memory.leases import OwnLeases
from adapters.read_models.view_store import TableCards
from adapters.row_layouts.engine import RowKey, RowStore, TableEngine
from adapters.row_layouts.ownership import HOLDINGS
from application.caller import Caller
from application.maintenance.rebuild import Rebuild, Rebuilt
from application.maintenance.verify import FactTold, Verified, Verify
from application.projections.cutover import HandOver
from application.projections.datasets import DatasetCards
from application.projections.dead_letters import DeadLetterCards
from application.projections.incidents import IncidentCards
from application.projections.lineage import LineageCards
from application.projections.progress import Progress, Reached
from application.projections.resolution_rules import RuleCards
from application.projections.runner import projection_runner
from application.projections.signals import SignalCards
from application.projections.stream_directory import StreamDirectory
from application.projections.view_store import Cards
from application.subscriptions.lease import Leases
from application.subscriptions.subscription import Subscription
from domain.dataset.tier import Tier
from domain.ids import column_urn
from domain.incident.patch import Assignment
from domain.incident.severity import Severity
from domain.signal.evaluation import SignalStateEnum
from tests.application.projections.story import NOON, ORDERS, PAYMENTS, ListFeed, Story, registered
from tests.domain.lineage.specs import spec

ALL = (
    SignalCards(checkpoint_every=2),
    DatasetCards(),
    RuleCards(),
    LineageCards(),
    IncidentCards(),
    StreamDirectory(),
    DeadLetterCards(),
)
NAMES = [projection.name for projection in ALL]
JANE = Caller("jane", frozenset({"admin"}))

Rows = Mapping[RowKey, bytes]


class Everyone:
    async def permit(self, by: Caller, action: str, on: str) -> None: ...


@define
class StoodClock:
    at: datetime = NOON

    def now(self) -> datetime:
        return self.at


def plain_seals() -> Seals:
    """Seals that give the same token for the same value, so that rows can be compared as bytes."""
    return Seals(MemoryKeys(), random=bytes)


def a_bit_of_everything() -> Story:
    """Rows in every table, people among them."""
    story = registered(owner_email="owner@company.example").register(PAYMENTS)
    story.add_rule("raw.a.*").add_rule("raw.b", "s")
    places = [ORDERS, column_urn(ORDERS, "id")]
    lineage = [(place, "job:a") for place in places]
    story.declare(spec(reads=lineage, writes=lineage))
    for hour, state in enumerate(
        [SignalStateEnum.OK, SignalStateEnum.CRITICAL, SignalStateEnum.WARNING]
    ):
        story.evaluate(state, hour=hour).evaluate(state, hour=hour, dataset=PAYMENTS)
    story.open().change(severity=Severity.SEV_2, assign=Assignment("oncall@company.example"))
    story.reconfigure(tier=Tier.TIER_1).change_rule("raw.c.*").remove_rule("s")
    return story.retire(PAYMENTS)


def goes_on(story: Story) -> Story:
    return (
        story.evaluate(SignalStateEnum.OK, hour=9)
        .reconfigure(owner_team="second")
        .restore(PAYMENTS)
    )


@define
class ReadModels:
    story: Story
    engine: TableEngine
    places: DraftPlaces = field(factory=MemoryDrafts)
    seals: Seals = field(factory=plain_seals)
    work: Any = field(factory=Silent)
    at_once: int = 3
    leases: Leases = field(factory=OwnLeases)
    now: datetime = NOON
    progress: Progress = field(factory=Progress)
    pointers: Pointers = field(init=False)
    runner: Subscription = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.pointers = Pointers(self.engine, StoodClock(self.now), self._led_elsewhere)
        self.runner = projection_runner(ALL, self.feed, self.cards, self.progress)

    @property
    def feed(self) -> ListFeed:
        return ListFeed(self.story.facts)

    @property
    def tables(self) -> RowStore:
        return GenerationTables(self.engine, self.pointers)

    @property
    def cards(self) -> Cards:
        return TableCards(self.tables, self.seals)

    @property
    def generations(self) -> TableGenerations:
        return TableGenerations(self.engine, self.pointers, self.seals, self.at_once)

    @property
    def drafts(self) -> TableDrafts:
        by_name = {one.name: one for one in ALL}
        here = FoldHere(self.places, self.feed, by_name, self.seals)
        return TableDrafts(self.places, here, here.folding, self.generations, StoodClock(self.now))

    @property
    def hand_over(self) -> HandOver:
        by_name = {one.name: one for one in ALL}
        return HandOver(by_name, self.feed, self.cards, self.runner.at_rest, self.leases)

    def _led_elsewhere(self, projection: str, position: int) -> None:
        self.progress.moved(projection, Reached(position))

    # What is done.

    async def project(self) -> None:
        await self.runner.catch_up()

    async def rebuild(self, *names: str) -> list[Rebuilt]:
        rebuild = Rebuild(self.drafts, self.hand_over, Everyone())
        return [*await rebuild(names or NAMES, self.work, by=JANE)]

    async def verify(self, *names: str, repair: bool = False) -> list[Verified]:
        verify = Verify(
            self.drafts,
            self.generations,
            self.cards,
            self,
            self.hand_over,
            self.runner.at_rest,
            Everyone(),
        )
        return [*await verify(names or NAMES, self.work, repair=repair, by=JANE)]

    async def at(self, position: int) -> FactTold | None:
        """A fact of the story, as verify tells it."""
        if not 0 < position <= len(self.story.facts):
            return None
        fact = self.story.facts[position - 1]
        name = type(fact.fact).__name__
        return FactTold(position, fact.stream, fact.version, name, fact.at, fact.by)

    # What is there.

    async def rows(self) -> Rows:
        """Every row that is served, by the names of the catalogue."""
        serving = await self.generations.serving()
        return await rows_of(self.engine, lambda name: serving[name])


async def rows_of(engine: TableEngine, number: Callable[[str], int] = lambda name: 1) -> Rows:
    found: dict[RowKey, bytes] = {}
    for name, holding in HOLDINGS.items():
        for table in holding.places:
            async for rows in pages(engine, table, holding, 100, number(name)):
                for row in rows:
                    found[RowKey(table.name, row["PK"], row["SK"])] = orjson.dumps(
                        row, option=orjson.OPT_SORT_KEYS
                    )
    return found
