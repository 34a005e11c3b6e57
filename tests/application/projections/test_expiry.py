"""Throwing away what has ended changes nothing that anybody sees (S0-024, T26)."""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from attrs import define
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.eventstore.sealing.seals import Seals
from adapters.memory.engine import MemoryEngine
from adapters.memory.keys import MemoryKeys
from adapters.read_models.incidents import TableIncidents
from adapters.read_models.lineage import TableLineage
from adapters.read_models.signals import TableSignals
from adapters.read_models.view_store import TableCards
from application.incidents.read_model import IncidentFilter
from application.reads.paging import PageRequest
from application.recorded import Recorded
from domain.ids import EntityId, Place, column_urn
from domain.signal.evaluation import SignalStateEnum
from tests.application.projections.story import NOON, ONE, ORDERS, PAYMENTS, TWO, Story, runner
from tests.application.projections.test_any_story import ALL, chapters, told
from tests.domain.lineage.specs import INVOICES, REVENUE

EVERYTHING = PageRequest(200)
SHOWN = (ORDERS, INVOICES, REVENUE)
PLACES = [
    *map(Place, SHOWN),
    *(Place(column_urn(one, column)) for one in SHOWN for column in ("id", "amount")),
]
ENTITIES = [EntityId(name) for name in ("job:a", "svc:b", "c")]


@define
class Clock:
    at: datetime

    def now(self) -> datetime:
        return self.at


@define
class Shop:
    """Tables, the projections that fill them, and the boards that show them."""

    engine: MemoryEngine
    seals: Seals

    def fold(self, facts: Sequence[Recorded]) -> None:
        cards = TableCards(self.engine, self.seals)
        asyncio.run(runner(ALL, facts, cards, 5).catch_up())

    def sweep(self, at: datetime) -> None:
        asyncio.run(self.engine.sweep(at, most=10_000))

    def shown(self, at: datetime) -> list[Any]:
        """All that the boards show at that moment."""
        return asyncio.run(self._shown(Clock(at)))

    async def _shown(self, clock: Clock) -> list[Any]:
        signals = TableSignals(self.engine, clock)
        incidents = TableIncidents(self.engine, self.seals, clock)
        graph = TableLineage(self.engine, clock)
        return [
            *[await signals.of_dataset(one) for one in (ORDERS, PAYMENTS)],
            *[await signals.not_ok(state, EVERYTHING) for state in SignalStateEnum],
            await incidents.matching(IncidentFilter(), EVERYTHING),
            *[await incidents.find(one) for one in (ONE, TWO)],
            *[await incidents.open_of(one) for one in (ORDERS, PAYMENTS)],
            *[await graph.readers(place, EVERYTHING) for place in PLACES],
            *[await graph.writers(place, EVERYTHING) for place in PLACES],
            (await graph.readings(PLACES, most=999)).found,
            (await graph.writings(ENTITIES, most=999)).found,
        ]


def shop() -> Shop:
    return Shop(MemoryEngine(), Seals(MemoryKeys()))


endings = st.sampled_from(
    [
        (Story.evaluate, {"state": SignalStateEnum.CRITICAL}),
        (Story.retire, {}),
        (Story.restore, {}),
        (Story.wait, {"days": 31}),
        (Story.wait, {"days": 366}),
    ]
)
"""What comes together too rarely by chance: a signal, its end, and its dataset in service again."""
turns = st.booleans().flatmap(lambda often: endings if often else chapters)


@settings(max_examples=80, deadline=None)
@given(st.lists(turns, min_size=5, max_size=25), st.sets(st.integers(0, 30)))
def test_rows_that_ended_may_go_at_any_time(
    chapters: list[tuple[object, dict[str, object]]], spared: set[int]
) -> None:
    """Swept before each fact, but for some, up to the moment of that fact."""
    facts = told(chapters).facts
    whole, swept = shop(), shop()
    whole.fold(facts)
    for number, fact in enumerate(facts):
        if number not in spared:
            swept.sweep(fact.at)
        swept.fold(facts[: number + 1])
    for later in (0, 29, 31, 91, 366):
        at = facts[-1].at + timedelta(days=later)
        assert swept.shown(at) == whole.shown(at)


def test_the_state_of_a_dataset_in_service_never_ends() -> None:
    story = told([]).evaluate(SignalStateEnum.CRITICAL).open()
    one = shop()
    one.fold(story.facts)
    one.sweep(NOON + timedelta(days=10_000))
    assert one.shown(NOON) == one.shown(NOON + timedelta(days=10_000))
    (card,) = one.shown(NOON)[0]
    assert (card.state, card.incident_id, card.ends_at) == (SignalStateEnum.CRITICAL, ONE, None)
