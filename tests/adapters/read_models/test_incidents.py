"""The board of incidents over every engine (S0-064..S0-067, T26)."""

import asyncio
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import product
from typing import Any, cast

import pytest
from attrs import define

from adapters.eventstore.sealing.seals import Seals
from adapters.memory.keys import MemoryKeys
from adapters.read_models import listing
from adapters.read_models.incidents import TableIncidents
from adapters.row_layouts.catalogue import INCIDENT_INDEX, PROJECTION_STATE
from adapters.row_layouts.engine import Put, RowPage, RowStore, TableEngine
from adapters.row_layouts.incident_rows import to_row
from adapters.row_layouts.projection_state_rows import faults_to_row
from application.incidents.read_model import IncidentFilter, IncidentView, OpenFaults
from application.reads.paging import PageRequest
from domain.errors import Invalid
from domain.ids import FailureSignature, IncidentId
from domain.incident.severity import Severity
from domain.incident.values import IncidentStatus
from tests.adapters.row_layouts.sample_views import NOON, ORDERS, incident_card, urn

LISTED = (IncidentStatus.OPEN, IncidentStatus.ACKNOWLEDGED, IncidentStatus.RESOLVED)


@define
class SetClock:
    at: datetime = NOON

    def now(self) -> datetime:
        return self.at


@define
class Counting:
    """Tells how many rows were read through indexes."""

    engine: TableEngine
    rows: int = 0

    async def query_index(self, *args: Any, **more: Any) -> RowPage:
        page = await self.engine.query_index(*args, **more)
        self.rows += len(page.rows)
        return page

    def __getattr__(self, name: str) -> Any:
        return getattr(self.engine, name)


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def board(engine: TableEngine, clock: SetClock) -> TableIncidents:
    return TableIncidents(Counting(engine), Seals(MemoryKeys()), clock)


def file(board: TableIncidents, *cards: IncidentView, at: int = 1) -> None:
    rows = [Put(INCIDENT_INDEX.name, to_row(card, at, board.seals)) for card in cards]
    asyncio.run(cast(RowStore, board.engine).write("incident-index", rows, upto=at))


def listed(board: TableIncidents, size: int = 50, **wanted: Any) -> list[str]:
    """The names of all of them, page by page."""
    found: list[str] = []
    request = PageRequest(size)
    while True:
        page = asyncio.run(board.matching(IncidentFilter(**wanted), request))
        found += [card.incident for card in page.items]
        if page.next is None:
            return found
        assert len(page.items) == size
        request = PageRequest(size, page.next)


def some() -> list[IncidentView]:
    """Of every status and severity, one a day."""
    return [
        incident_card(
            f"INC-{day:02}",
            status=status,
            severity=severity,
            created_at=NOON + timedelta(days=day),
            dataset=ORDERS if day % 2 else urn(1),
            owner_team="mine" if day % 5 == 0 else "others",
        )
        for day, (status, severity, _) in enumerate(product(LISTED, Severity, range(2)))
    ]


def names(cards: Iterator[IncidentView] | list[IncidentView]) -> list[str]:
    return [card.incident for card in cards]


def test_one_by_its_name(board: TableIncidents) -> None:
    """S0-064"""
    card = incident_card(oncall_user="joe")
    file(board, card)
    assert asyncio.run(board.find(card.incident)) == card
    assert asyncio.run(board.find(IncidentId("INC-0"))) is None


def test_many_by_their_names(board: TableIncidents, clock: SetClock) -> None:
    """S0-182"""
    cards = [incident_card(f"INC-{number}") for number in range(120)]
    gone = incident_card("INC-gone", status=IncidentStatus.RESOLVED, ends_at=NOON)
    file(board, *cards, gone)
    clock.at = NOON + timedelta(seconds=1)
    wanted = [card.incident for card in reversed(cards)]
    found = asyncio.run(board.find_many([*wanted, gone.incident, IncidentId("INC-never")]))
    assert found == {card.incident: card for card in cards}
    assert asyncio.run(board.find_many([])) == {}


@pytest.mark.parametrize("size", [1, 4, 50])
def test_everything_the_worst_first(board: TableIncidents, size: int) -> None:
    cards = some()
    file(board, *cards)
    assert listed(board, size) == names(cards)


def test_active_sev_1_incidents(board: TableIncidents) -> None:
    """S0-066, S0-067"""
    file(board, *some())
    assert listed(board, statuses=(IncidentStatus.OPEN,)) == [f"INC-0{n}" for n in range(6)]
    worst = listed(board, statuses=(IncidentStatus.OPEN,), severities=(Severity.SEV_1,))
    assert worst == ["INC-00", "INC-01"]
    both = listed(
        board,
        1,
        statuses=(IncidentStatus.RESOLVED, IncidentStatus.OPEN),
        severities=(Severity.SEV_3,),
    )
    assert both == ["INC-04", "INC-05", "INC-16", "INC-17"]


@pytest.mark.parametrize("size", [1, 3, 50])
def test_a_span_of_time(board: TableIncidents, size: int) -> None:
    """S0-162: both ends included, nothing outside is read."""
    cards = some()
    file(board, *cards)
    since, until = NOON + timedelta(days=3), NOON + timedelta(days=13)
    assert listed(board, size, since=since, until=until) == names(cards[3:14])
    assert listed(board, size, since=since) == names(cards[3:])
    assert listed(board, size, until=until) == names(cards[:14])
    assert listed(board, size, since=until, until=since) == []
    later = timedelta(milliseconds=1)
    within = listed(board, size, since=since + later, until=until - later)
    assert within == names(cards[4:13])


@pytest.mark.parametrize("size", [1, 3, 50])
def test_a_datasets_incidents_newest_first(board: TableIncidents, size: int) -> None:
    """S0-065"""
    cards = some()
    file(board, *cards)
    mine = [card for card in reversed(cards) if card.dataset == ORDERS]
    assert listed(board, size, dataset=ORDERS) == names(mine)
    since, until = NOON + timedelta(days=3), NOON + timedelta(days=13)
    within = [card for card in mine if since <= card.created_at <= until]
    assert listed(board, size, dataset=ORDERS, since=since, until=until) == names(within)
    solved = [card for card in mine if card.status is IncidentStatus.RESOLVED]
    assert listed(board, size, dataset=ORDERS, statuses=(IncidentStatus.RESOLVED,)) == names(solved)
    assert listed(board, size, dataset=urn(9)) == []


@pytest.mark.parametrize("size", [1, 3])
def test_an_owners_incidents(board: TableIncidents, size: int) -> None:
    cards = some()
    file(board, *cards)
    expected = names([card for card in cards if card.owner_team == "mine"])
    assert listed(board, size, owner_team="mine") == expected


def test_a_span_is_not_searched_for(board: TableIncidents) -> None:
    cards = [
        incident_card(f"INC-{n:03}", created_at=NOON + timedelta(hours=n), dataset=urn(n % 2))
        for n in range(300)
    ]
    file(board, *cards)
    counting = board.engine
    assert isinstance(counting, Counting)
    span = {"since": NOON + timedelta(hours=200), "until": NOON + timedelta(hours=201)}
    assert listed(board, 5, **span) == ["INC-200", "INC-201"]
    assert listed(board, 5, dataset=urn(0), **span) == ["INC-200"]
    assert counting.rows <= 12


def test_a_change_of_status_moves_the_incident(board: TableIncidents) -> None:
    """S0-062"""
    file(board, incident_card(), at=1)
    file(board, incident_card(status=IncidentStatus.ACKNOWLEDGED, severity=Severity.SEV_2), at=2)
    assert listed(board, statuses=(IncidentStatus.OPEN,)) == []
    moved = listed(board, statuses=(IncidentStatus.ACKNOWLEDGED,), severities=(Severity.SEV_2,))
    assert moved == ["INC-7721"]


def test_expired_incidents_are_not_shown(board: TableIncidents, clock: SetClock) -> None:
    """T26: the row is still there."""
    ends_at = NOON + timedelta(days=365)
    ended = incident_card(status=IncidentStatus.RESOLVED, resolved_at=NOON, ends_at=ends_at)
    file(board, ended, incident_card("INC-2"))
    clock.at = NOON + timedelta(days=365) - timedelta(milliseconds=1)
    assert len(listed(board)) == 2
    clock.at = NOON + timedelta(days=365)
    assert listed(board) == listed(board, dataset=ORDERS) == ["INC-2"]
    assert asyncio.run(board.find(IncidentId("INC-7721"))) is None


def test_what_is_open_for_a_dataset(board: TableIncidents) -> None:
    """Read by name: what was resolved is not even looked at."""
    old, bad, done = (
        incident_card("INC-1", severity=Severity.SEV_2),
        incident_card("INC-2", created_at=NOON + timedelta(days=1)),
        incident_card("INC-3", status=IncidentStatus.RESOLVED),
    )
    file(board, old, bad, done)
    held = {
        FailureSignature(f"MISSING_FIELD:f{n}"): IncidentId(name)
        for n, name in enumerate(["INC-1", "INC-1", "INC-2", "INC-3", "INC-4"])
    }
    row = faults_to_row(OpenFaults(ORDERS, held), 2)
    asyncio.run(
        cast(RowStore, board.engine).write(
            "incident-index", [Put(PROJECTION_STATE.name, row)], upto=2
        )
    )
    assert asyncio.run(board.open_of(ORDERS)) == [bad, old]
    assert asyncio.run(board.open_of(urn(1))) == []


def test_a_search_that_finds_little_ends_and_can_go_on(
    board: TableIncidents, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "MOST_READ", 10)
    file(board, *some())
    after, pages = None, []
    for _ in range(2):
        wanted = IncidentFilter(owner_team="mine", statuses=LISTED)
        page = asyncio.run(board.matching(wanted, PageRequest(50, after)))
        pages.append(names(list(page.items)))
        after = page.next
    assert (pages, after) == ([["INC-00", "INC-05"], ["INC-10", "INC-15"]], None)


@pytest.mark.parametrize("after", [(), ("0",), ("9", "a", "b", "c"), ("x", "a", "b", "c")])
def test_a_cursor_of_another_list_is_refused(board: TableIncidents, after: tuple[str, ...]) -> None:
    with pytest.raises(Invalid):
        asyncio.run(board.matching(IncidentFilter(), PageRequest(10, after)))
