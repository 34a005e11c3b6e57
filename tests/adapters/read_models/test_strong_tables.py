"""Read models over tables that show what is old, unless they are read strongly."""

import asyncio
from collections.abc import Sequence

from attrs import evolve

from adapters.eventstore.sealing.seals import Seals
from adapters.memory.keys import MemoryKeys
from adapters.read_models.incidents import TableIncidents
from adapters.read_models.signals import TableSignals
from adapters.read_models.strong_tables import StrongTables
from adapters.row_layouts.catalogue import INCIDENT_INDEX, SIGNAL_STATE
from adapters.row_layouts.engine import Delete, Put
from adapters.row_layouts.incident_rows import to_row as incident_row
from adapters.row_layouts.signal_rows import to_row
from application.incidents.read_model import IncidentFilter, IncidentView
from application.reads.paging import PageRequest
from application.signals.read_model import SignalKey, SignalView
from domain.dataset.tier import Tier
from domain.incident.severity import Severity
from domain.incident.values import IncidentStatus
from domain.signal.evaluation import SignalStateEnum
from tests.adapters.row_layouts.lagging_engine import LaggingEngine, gone
from tests.adapters.row_layouts.sample_views import NOON, ORDERS, incident_card, signal_card, urn
from tests.application.store import StandingClock

SEALS = Seals(MemoryKeys())
CLOCK = StandingClock(NOON)


def signals(cards: Sequence[SignalView], at: int) -> list[Put]:
    return [Put(SIGNAL_STATE.name, to_row(card, at)) for card in cards]


async def lagging(before: Sequence[Put], after: Sequence[Put | Delete]) -> StrongTables:
    engine = LaggingEngine()
    await engine.write("p", before, upto=1)
    await engine.lag()
    await engine.write("p", after, upto=2)
    return StrongTables(engine)


def test_by_key_and_by_partition_all_is_seen() -> None:
    async def story() -> None:
        old = signal_card(ORDERS)
        new = evolve(old, version=old.version + 1)
        tables = await lagging(signals([old], 1), signals([new], 2))
        stale = TableSignals(tables.tables, CLOCK)
        board = TableSignals(tables, CLOCK)

        key = SignalKey(ORDERS, old.signal_type)
        assert await stale.find(ORDERS, old.signal_type) == old
        assert await stale.find_many([key]) == {key: old}
        assert await board.find(ORDERS, old.signal_type) == new
        assert await board.find_many([key]) == {key: new}
        assert await board.of_dataset(ORDERS) == [new]

    asyncio.run(story())


def test_an_index_names_no_row_older_than_it_is() -> None:
    """Of five that were critical, one changed, one moved within the list, two left it."""

    async def story() -> None:
        old = [signal_card(urn(n)) for n in range(5)]
        changed = evolve(old[1], version=old[1].version + 1)
        moved = evolve(old[2], tier=Tier.TIER_3)
        better = evolve(old[3], state=SignalStateEnum.WARNING)
        deleted = gone(SIGNAL_STATE.name, to_row(old[4], 1), 2)
        tables = await lagging(signals(old, 1), [*signals([changed, moved, better], 2), deleted])
        board = TableSignals(tables, CLOCK)

        found = await board.not_ok(SignalStateEnum.CRITICAL, PageRequest(10))
        assert found.items == [old[0], changed, moved]
        of_tier = await board.not_ok(SignalStateEnum.CRITICAL, PageRequest(10), tier=old[2].tier)
        assert of_tier.items == [old[0], changed]

    asyncio.run(story())


def test_pages_meet_everyone_once_while_rows_move() -> None:
    async def story() -> None:
        old = [signal_card(urn(n)) for n in range(12)]
        moved = [evolve(card, tier=Tier.TIER_3) for card in old[::3]]
        tables = await lagging(signals(old, 1), signals(moved, 2))
        board = TableSignals(tables, CLOCK)

        met: list[str] = []
        after = None
        while True:
            page = await board.not_ok(SignalStateEnum.CRITICAL, PageRequest(2, after))
            met += [card.dataset for card in page.items]
            after = page.next
            if after is None:
                break
        assert met == [card.dataset for card in old]

    asyncio.run(story())


def test_an_incident_is_never_listed_as_it_was() -> None:
    def row(card: IncidentView, at: int) -> Put:
        return Put(INCIDENT_INDEX.name, incident_row(card, at, SEALS))

    async def story() -> None:
        old = incident_card("INC-1", severity=Severity.SEV_3)
        worse = evolve(old, severity=Severity.SEV_1)
        done = incident_card("INC-2")
        tables = await lagging(
            [row(old, 1), row(done, 1)],
            [row(worse, 2), row(evolve(done, status=IncidentStatus.RESOLVED), 2)],
        )
        board = TableIncidents(tables, SEALS, CLOCK)

        now_open = await board.matching(
            IncidentFilter(statuses=(IncidentStatus.OPEN,)), PageRequest(10)
        )
        assert now_open.items == [worse]
        of_dataset = await board.matching(IncidentFilter(dataset=ORDERS), PageRequest(10))
        assert {card.incident: card.status for card in of_dataset.items} == {
            "INC-1": IncidentStatus.OPEN,
            "INC-2": IncidentStatus.RESOLVED,
        }

    asyncio.run(story())
