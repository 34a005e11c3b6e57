"""Waiting in line: few looks at a whole turn, and an early end is noticed early."""

import asyncio
from collections.abc import Sequence

import pytest
from attrs import field, frozen
from hypothesis import given
from hypothesis import strategies as st

from adapters.dynamodb.items.item_table import ItemTable
from adapters.dynamodb.log.keys import Keys
from adapters.dynamodb.log.turn_lease import Seen, TurnLease
from adapters.dynamodb.log.turn_polling import Manners
from adapters.dynamodb.log.turns import Turns
from tests.adapters.dynamodb.support.scripted_transport import Scripted, Time

LOOK_TAKES = 0.002
MANNERS = Manners()
TURN = MANNERS.turn


@frozen
class Played(TurnLease):
    """A lease that is handed over at moments that are known beforehand, at last to us."""

    time: Time = field(kw_only=True)
    handovers: Sequence[float] = field(kw_only=True)
    looks: list[float] = field(factory=list, kw_only=True)

    async def take(self) -> bool:
        return False

    async def stand_in_line(self) -> None:
        """We stand behind as many as the lease is handed to before us."""

    async def look(self, *, strong: bool = True) -> Seen:
        self.time.at += LOOK_TAKES
        self.looks.append(self.time.at)
        passed = sum(at <= self.time.at for at in self.handovers)
        before = [f"other-{n}" for n in range(passed, len(self.handovers) - 1)]
        done = passed == len(self.handovers)
        return Seen(self.me if done else f"other-{passed - 1}", passed, [*before, self.me])

    async def take_over(self, seen: Seen) -> bool:
        return False


def waited(*turns: float) -> Played:
    """Wait until so many turns are over, as long as these; the first begins now."""
    time = Time()
    handovers = [time.at + sum(turns[: n + 1]) for n in range(len(turns))]
    table = ItemTable(Scripted([{}]), "t")
    lease = Played(table, Keys("a").lease, "me", time=time, handovers=handovers)
    turns_of_us = Turns(lease, MANNERS, now=time.now, sleep=time.sleep)
    turns_of_us.met_others()
    assert asyncio.run(turns_of_us.come())
    assert turns_of_us.is_ours == (handovers[-1] <= time.at)
    return lease


def late(lease: Played) -> float:
    """How long after the handover it was noticed."""
    return lease.looks[-1] - lease.handovers[-1]


@pytest.mark.parametrize("overdue", [0.0, 0.01, 0.02])
def test_a_whole_turn_costs_a_few_looks(overdue: float) -> None:
    lease = waited(TURN + overdue)
    assert len(lease.looks) <= 10
    assert late(lease) <= max(overdue, MANNERS.first_look) + 2 * LOOK_TAKES


@given(st.floats(0.0, 0.5))
def test_an_end_that_is_overdue_is_noticed_within_a_quarter_of_the_delay(overdue: float) -> None:
    assert late(waited(TURN + overdue)) <= max(overdue / 4, MANNERS.first_look) + 2 * LOOK_TAKES


@given(st.floats(0.0, 2 * TURN))
def test_an_end_is_noticed_soon_compared_with_how_long_it_was_waited_for(lasts: float) -> None:
    assert late(waited(lasts)) <= max(lasts, MANNERS.first_look) + 2 * LOOK_TAKES


@given(st.lists(st.floats(0.001, TURN + 0.02), min_size=2, max_size=5))
def test_whoever_is_further_back_follows_and_is_not_late_either(turns: list[float]) -> None:
    lease = waited(*turns)
    assert late(lease) <= max(sum(turns), MANNERS.longest_look) + 2 * LOOK_TAKES


def test_three_whole_turns_cost_a_few_looks_each() -> None:
    lease = waited(TURN + 0.01, TURN + 0.01, TURN + 0.01)
    assert len(lease.looks) <= 24
    assert late(lease) <= 0.02 + LOOK_TAKES


def test_an_owner_that_does_not_move_is_not_asked_all_the_time() -> None:
    lease = waited(60.0)
    assert len(lease.looks) <= 10 + MANNERS.gone / MANNERS.longest_look
    late_by = lease.looks[-1] - lease.looks[0] - MANNERS.gone
    assert 0 <= late_by <= MANNERS.longest_look + 2 * LOOK_TAKES
