"""Who writes and reads what, over every engine (S0-195, T26)."""

import asyncio
from datetime import timedelta
from typing import Any, cast

import pytest
from attrs import define, evolve, field

from adapters.eventstore.sealing.seals import Seals
from adapters.memory.keys import MemoryKeys
from adapters.read_models.lineage import TableLineage
from adapters.read_models.listing import MOST_READ
from adapters.read_models.view_store import TableCards
from adapters.row_layouts.engine import RowStore, TableEngine
from application.lineage.read_model import LineageEntry, TieView, WriterView, WrittenView
from application.reads.paging import Page, PageRequest
from domain.errors import Invalid
from domain.ids import EntityId, Place
from domain.lineage.impact import Writing
from domain.lineage.lineage import Role
from domain.signal.evaluation import Confidence
from tests.adapters.row_layouts.sample_views import NOON, ORDERS, tie_card, urn, written_card
from tests.application.store import StandingClock

DAY = timedelta(days=1)
COLUMN = f"urn:col:{ORDERS}:customer_id"
ALL = PageRequest()
HIGH, MEDIUM, LOW = Confidence.HIGH, Confidence.MEDIUM, Confidence.LOW


@pytest.fixture
def graph(engine: TableEngine) -> TableLineage:
    return TableLineage(engine, StandingClock(NOON))


def file(graph: TableLineage, *cards: TieView | WrittenView) -> None:
    cabinet = TableCards(cast(RowStore, graph.engine), Seals(MemoryKeys()))
    writers = [WriterView(card.entity) for card in cards if isinstance(card, WrittenView)]
    filed = {card.key: (card, 1) for card in (*cards, *writers)}
    asyncio.run(cabinet.file("lineage-index", filed, upto=1))


def readers(
    graph: TableLineage, place: str = ORDERS, page: PageRequest = ALL
) -> Page[LineageEntry]:
    return asyncio.run(graph.readers(Place(place), page))


def names(page: Page[LineageEntry]) -> list[str]:
    return [entry.entity.entity_id for entry in page.items]


def test_each_place_has_its_own_writers_and_readers(graph: TableLineage) -> None:
    file(
        graph,
        tie_card("r"),
        tie_card("w", role=Role.WRITER),
        tie_card("cr", place=COLUMN),
        tie_card("cw", place=COLUMN, role=Role.WRITER),
    )
    assert names(readers(graph)) == ["r"]
    assert names(readers(graph, COLUMN)) == ["cr"]
    for place, writer in ((ORDERS, "w"), (COLUMN, "cw")):
        assert names(asyncio.run(graph.writers(Place(place), PageRequest()))) == [writer]
    assert names(readers(graph, urn(1))) == []


def test_an_entry_tells_what_was_declared(graph: TableLineage) -> None:
    card = tie_card()
    file(graph, card)
    (entry,) = readers(graph).items
    assert entry == LineageEntry(
        card.entity, HIGH, card.spec_id, card.commit, NOON, NOON + 90 * DAY
    )


def test_of_several_declarations_the_surest_then_the_latest_counts(
    graph: TableLineage,
) -> None:
    file(
        graph,
        tie_card(producer="a", confidence=LOW, updated_at=NOON, days=99),
        tie_card(producer="b", confidence=MEDIUM, updated_at=NOON - 2 * DAY),
        tie_card(producer="c", confidence=MEDIUM, updated_at=NOON - DAY),
    )
    (entry,) = readers(graph).items
    assert entry.spec_id == "lspec:c:git:9f31c2d"
    assert (entry.confidence, entry.updated_at) == (MEDIUM, NOON - DAY)
    assert entry.ends_at == NOON + 99 * DAY
    assert entry.other_specs == ("lspec:a:git:9f31c2d", "lspec:b:git:9f31c2d")


def test_what_has_ended_is_not_shown(graph: TableLineage) -> None:
    """T26: also where the engine has not thrown it away yet."""
    ended: dict[str, Any] = {"updated_at": NOON - 30 * DAY, "days": 30}
    file(
        graph,
        tie_card("gone", **ended),
        tie_card("there", producer="a", **ended),
        tie_card("there", producer="b", confidence=LOW),
        tie_card("just", updated_at=NOON - 30 * DAY + timedelta(milliseconds=1), days=30),
        written_card("gone", ends_at=NOON),
        written_card("there", ends_at=NOON + DAY),
    )
    assert names(readers(graph)) == ["just", "there"]
    assert readers(graph).items[1].confidence is LOW
    assert readers(graph).items[1].other_specs == ()
    written = asyncio.run(graph.writings([EntityId("gone"), EntityId("there")], most=9))
    assert set(written.found) == {"there"}
    read = asyncio.run(graph.readings([Place(ORDERS)], most=9))
    assert [one.entity.entity_id for one in read.found[Place(ORDERS)]] == ["just", "there"]


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_pages_end_between_entities(graph: TableLineage, size: int) -> None:
    ids = ["a", "a-b", "a.b", "a:b", "a_b", "ab", "b"]
    file(graph, *(tie_card(name, producer=p) for name in ids for p in ("p", "q", "r")))
    found: list[LineageEntry] = []
    cursor = None
    while True:
        page = readers(graph, page=PageRequest(size, cursor))
        found += page.items
        assert len(page.items) <= size
        cursor = page.next
        if cursor is None:
            break
    assert [entry.entity.entity_id for entry in found] == ids
    assert {len(entry.other_specs) for entry in found} == {2}


def test_no_page_looks_at_endless_rows(graph: TableLineage) -> None:
    gone = [
        tie_card(f"n{number:05}", updated_at=NOON - 2 * DAY, days=1)
        for number in range(MOST_READ + 5)
    ]
    file(graph, *gone, tie_card("z"))
    first = readers(graph, page=PageRequest(5))
    assert (names(first), first.next) == ([], (f"n{MOST_READ - 1:05}",))
    assert names(readers(graph, page=PageRequest(5, first.next))) == ["z"]


@pytest.mark.parametrize("cursor", [(), ("a", "b"), ("no good",)])
def test_a_cursor_of_another_list_is_refused(graph: TableLineage, cursor: tuple[str, ...]) -> None:
    with pytest.raises(Invalid):
        readers(graph, page=PageRequest(5, cursor))


def test_what_entities_write(graph: TableLineage) -> None:
    file(
        graph,
        written_card("a", urn(1), "x", "y"),
        written_card("a", urn(2)),
        written_card("a", urn(2), producer="other"),
        written_card("a:b", urn(3)),
        written_card("c", urn(4)),
    )
    a, c, nobody = EntityId("a"), EntityId("c"), EntityId("d")
    every = asyncio.run(graph.writings([c, a, nobody], most=4))
    assert every.found == {
        a: [Writing(urn(1), HIGH, ("x", "y")), Writing(urn(2), HIGH), Writing(urn(2), HIGH)],
        c: [Writing(urn(4), HIGH)],
    }
    assert (every.looked_at, every.partial) == (4, False)
    some = asyncio.run(graph.writings([c, a], most=3))
    assert (len(some.found[a]), some.looked_at, some.partial) == (2, 3, True)


def test_who_reads_datasets_and_columns(graph: TableLineage) -> None:
    file(
        graph,
        tie_card("a"),
        tie_card("b", place=COLUMN, confidence=LOW),
        tie_card("c", place=urn(1)),
        tie_card("w", role=Role.WRITER),
    )
    places = [Place(ORDERS), Place(COLUMN), Place(urn(2))]
    every = asyncio.run(graph.readings(places, most=2))
    assert {
        place: [one.entity.entity_id for one in found] for place, found in every.found.items()
    } == {
        ORDERS: ["a"],
        COLUMN: ["b"],
    }
    assert every.found[Place(COLUMN)][0].confidence is LOW
    assert (every.looked_at, every.partial) == (2, False)
    for most in (0, 1):
        cut = asyncio.run(graph.readings(places, most=most))
        assert (cut.looked_at, cut.partial) == (most, True)


def test_whoever_writes_nothing_costs_no_query(graph: TableLineage) -> None:
    """Hundreds may read a dataset, and a query each would take long on DynamoDB."""
    file(graph, written_card("job:a"))
    counted: Any = Counted(graph.engine)
    names = [EntityId(name) for name in ("job:a", "job:b", "job:c")]
    links = asyncio.run(evolve(graph, engine=counted).writings(names, most=10))
    assert list(links.found) == ["job:a"]
    assert counted.partitions == ["entity-writes#job:a"]


@define
class Counted:
    """Stands before an engine and notes which partitions were queried."""

    engine: Any
    partitions: list[str] = field(factory=list)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.engine, name)

    async def query_many(self, table: str, pks: list[str], *, limit: int) -> Any:
        self.partitions += pks
        return await self.engine.query_many(table, pks, limit=limit)
