"""The board of signals over every engine (S0-042..S0-045, T26)."""

import asyncio
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, cast

import pytest
from attrs import define

from adapters.read_models import listing
from adapters.read_models.signals import TableSignals
from adapters.row_layouts.catalogue import SIGNAL_STATE
from adapters.row_layouts.engine import Delete, Put, RowKey, RowStore, TableEngine
from adapters.row_layouts.signal_rows import to_row
from application.reads.paging import PageRequest
from application.signals.read_model import SignalKey, SignalView
from domain.dataset.tier import Tier
from domain.errors import Invalid
from domain.ids import SignalType
from domain.signal.evaluation import SignalStateEnum
from tests.adapters.row_layouts.sample_views import FRESHNESS, NOON, ORDERS, signal_card, urn


@define
class SetClock:
    at: datetime = NOON

    def now(self) -> datetime:
        return self.at


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def board(engine: TableEngine, clock: SetClock) -> TableSignals:
    return TableSignals(engine, clock)


def file(board: TableSignals, *cards: SignalView, at: int = 1) -> None:
    rows = [Put(SIGNAL_STATE.name, to_row(card, at)) for card in cards]
    asyncio.run(cast(RowStore, board.engine).write("signal-state", rows, upto=at))


def not_ok(
    board: TableSignals,
    state: SignalStateEnum = SignalStateEnum.CRITICAL,
    size: int = 50,
    **wanted: Any,
) -> list[SignalView]:
    """All of them, page by page."""
    page = asyncio.run(board.not_ok(state, PageRequest(size), **wanted))
    found = list(page.items)
    while page.next is not None:
        assert len(page.items) == size
        page = asyncio.run(board.not_ok(state, PageRequest(size, page.next), **wanted))
        found += page.items
    return found


def of_all_tiers(numbers: Iterable[int], **given: Any) -> list[SignalView]:
    return [signal_card(urn(n), tier=list(Tier)[n % 3], **given) for n in numbers]


def ordered(cards: Iterable[SignalView]) -> list[SignalView]:
    return sorted(cards, key=lambda card: (card.tier, card.dataset, card.signal_type))


def test_one_signal(board: TableSignals) -> None:
    """S0-042"""
    file(board, signal_card())
    assert asyncio.run(board.find(ORDERS, FRESHNESS)) == signal_card()
    assert asyncio.run(board.find(ORDERS, SignalType("VOLUME"))) is None


def test_many_signals_of_many_datasets_in_one_read(board: TableSignals, clock: SetClock) -> None:
    """S0-212. More than DynamoDB reads at once; some twice, some that are not there."""
    cards = [signal_card(urn(n), name) for n in range(75) for name in (FRESHNESS, "VOLUME")]
    ended = signal_card(urn(80), ends_at=NOON)
    file(board, *cards, ended, signal_card(urn(81)))
    clock.at = NOON + timedelta(seconds=1)
    expected = {SignalKey(card.dataset, card.signal_type): card for card in cards}
    never = [SignalKey(urn(n), SignalType("PII")) for n in (1, 99)]

    wanted = [*expected, *never, SignalKey(ended.dataset, FRESHNESS), *expected]
    assert asyncio.run(board.find_many(wanted)) == expected
    assert asyncio.run(board.find_many([])) == {}


def test_all_signals_of_a_dataset_by_type(board: TableSignals) -> None:
    """S0-043"""
    cards = [signal_card(signal_type=name) for name in ("VOLUME", "CUSTOM_X", "FRESHNESS")]
    file(board, *cards, signal_card(urn(1)))
    found = asyncio.run(board.of_dataset(ORDERS))
    assert [card.signal_type for card in found] == ["CUSTOM_X", "FRESHNESS", "VOLUME"]


@pytest.mark.parametrize("size", [1, 7, 30, 31])
def test_what_is_not_ok_comes_by_tier_in_pages(board: TableSignals, size: int) -> None:
    cards = of_all_tiers(range(30))
    file(board, *cards)
    assert not_ok(board, size=size) == ordered(cards)


def test_a_tier_of_its_own(board: TableSignals) -> None:
    """S0-044"""
    cards = of_all_tiers(range(12))
    file(board, *cards)
    wanted = [card for card in cards if card.tier is Tier.TIER_1]
    assert not_ok(board, size=3, tier=Tier.TIER_1) == ordered(wanted)


def test_states_are_apart_and_ok_is_not_listed(board: TableSignals) -> None:
    """S0-045, T4"""
    file(board, *(signal_card(urn(n), state=state) for n, state in enumerate(SignalStateEnum)))
    for state in SignalStateEnum:
        expected = [] if state is SignalStateEnum.OK else [state]
        assert [card.state for card in not_ok(board, state)] == expected


def test_a_signal_that_recovers_leaves_the_list(board: TableSignals) -> None:
    file(board, signal_card(), at=1)
    file(board, signal_card(state=SignalStateEnum.OK), at=2)
    assert not_ok(board) == []


@pytest.mark.parametrize("size", [1, 4])
def test_an_owners_signals_fill_their_pages(board: TableSignals, size: int) -> None:
    """The owner has no index: the reading goes on until the page is full."""
    mine = of_all_tiers(range(0, 260, 20), owner_team="mine")
    others = of_all_tiers((n for n in range(260) if n % 20), owner_team="others")
    file(board, *mine, *others)
    assert not_ok(board, size=size, owner_team="mine") == ordered(mine)


def test_a_search_that_finds_little_ends_and_can_go_on(
    board: TableSignals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "MOST_READ", 10)
    mine = signal_card(urn(25), owner_team="mine")
    file(board, mine, *(signal_card(urn(n), owner_team="others") for n in range(25)))
    pages, after = [], None
    for _ in range(3):
        request = PageRequest(5, after)
        page = asyncio.run(board.not_ok(SignalStateEnum.CRITICAL, request, owner_team="mine"))
        pages.append(list(page.items))
        after = page.next
    assert (pages, after) == ([[], [], [mine]], None)


def test_expired_signals_are_not_shown(board: TableSignals, clock: SetClock) -> None:
    """T26: the row is still there."""
    ends_at = NOON + timedelta(days=30)
    file(board, signal_card(ends_at=ends_at), signal_card(signal_type="VOLUME"))
    clock.at = ends_at - timedelta(milliseconds=1)
    assert len(asyncio.run(board.of_dataset(ORDERS))) == 2
    clock.at = ends_at
    assert asyncio.run(board.find(ORDERS, FRESHNESS)) is None
    assert [c.signal_type for c in asyncio.run(board.of_dataset(ORDERS))] == ["VOLUME"]
    assert [c.signal_type for c in not_ok(board, size=1)] == ["VOLUME"]


def test_pages_are_stable_while_rows_come_and_go(board: TableSignals) -> None:
    cards = [signal_card(urn(n)) for n in range(0, 40, 2)]
    file(board, *cards, at=1)
    first = asyncio.run(board.not_ok(SignalStateEnum.CRITICAL, PageRequest(10)))
    new = [signal_card(urn(n)) for n in (1, 5, 19, 21)]
    last = first.items[-1]
    gone = Delete(RowKey(SIGNAL_STATE.name, last.dataset, last.signal_type), 9)
    puts = [Put(SIGNAL_STATE.name, to_row(card, 2)) for card in new]
    asyncio.run(cast(RowStore, board.engine).write("signal-state", [*puts, gone], upto=2))
    rest = asyncio.run(board.not_ok(SignalStateEnum.CRITICAL, PageRequest(100, first.next)))
    seen = [card.dataset for card in [*first.items, *rest.items]]
    assert seen == [urn(n) for n in (*range(0, 20, 2), 19, 20, 21, *range(22, 40, 2))]


@pytest.mark.parametrize("after", [(), ("OK",), ("CRITICAL", "x"), ("WARNING", "x", "y", "z")])
def test_a_cursor_of_another_list_is_refused(board: TableSignals, after: tuple[str, ...]) -> None:
    with pytest.raises(Invalid):
        asyncio.run(board.not_ok(SignalStateEnum.CRITICAL, PageRequest(10, after)))
