"""Signals on the board: what was found, and the tier and owner of the dataset (S0-038..S0-041)."""

from datetime import timedelta

import pytest

from adapters.row_layouts.signal_rows import row_key
from application.projections.signals import SignalCards
from application.signals.read_model import SignalKey, SignalView
from domain.dataset.tier import Tier
from domain.ids import SignalType
from domain.incident.values import Resolution
from domain.retention import KEPT_FOR
from domain.signal.evaluation import SignalStateEnum
from tests.application.projections.story import (
    FRESHNESS,
    NOON,
    ORDERS,
    PAYMENTS,
    VOLUME,
    Story,
    WatchedCards,
    evaluation,
    registered,
    run,
)

BATCHES = pytest.mark.parametrize("most", [1, 2, 1000], ids="{}_a_batch".format)
"""A fact at a time, a few, all of them: no card may depend on it."""


def shown(story: Story, most: int = 1000, signal_type: SignalType = FRESHNESS) -> SignalView:
    card: SignalView = run(SignalCards(), story, most=most).card(SignalKey(ORDERS, signal_type))
    return card


def test_the_first_evaluation() -> None:
    story = registered().evaluate(SignalStateEnum.OK)
    assert shown(story) == SignalView(
        dataset=ORDERS,
        signal_type=FRESHNESS,
        evaluation=evaluation(SignalStateEnum.OK, 0),
        state=SignalStateEnum.OK,
        previous_state=None,
        state_changed_at=NOON,
        breach_start=None,
        tier=Tier.TIER_2,
        owner_team="first",
        last_updated=story.now,
        version=1,
    )


@BATCHES
def test_a_breach(most: int) -> None:
    """S0-040, S0-041"""
    story = (
        registered().evaluate(SignalStateEnum.OK, hour=0).evaluate(SignalStateEnum.CRITICAL, hour=1)
    )
    card = shown(story, most)
    assert (card.state, card.previous_state) == (SignalStateEnum.CRITICAL, SignalStateEnum.OK)
    assert (card.breach_start, card.state_changed_at) == (NOON, NOON + timedelta(hours=1))
    assert card.version == 2


@BATCHES
def test_the_same_state_again_changes_only_the_evaluation(most: int) -> None:
    """S0-040"""
    story = registered().evaluate(SignalStateEnum.CRITICAL, hour=0)
    before = shown(story, most)
    card = shown(story.evaluate(SignalStateEnum.CRITICAL, hour=1), most)
    assert card.evaluation == evaluation(SignalStateEnum.CRITICAL, 1)
    assert (card.state_changed_at, card.breach_start) == (
        before.state_changed_at,
        before.breach_start,
    )
    assert (card.version, card.last_updated) == (2, story.now)


@BATCHES
def test_back_to_ok_ends_the_breach(most: int) -> None:
    """S0-041"""
    story = (
        registered().evaluate(SignalStateEnum.CRITICAL, hour=0).evaluate(SignalStateEnum.OK, hour=1)
    )
    card = shown(story, most)
    assert (card.state, card.previous_state, card.breach_start) == (
        SignalStateEnum.OK,
        SignalStateEnum.CRITICAL,
        None,
    )


@BATCHES
def test_a_late_window_counts_but_does_not_show(most: int) -> None:
    story = (
        registered().evaluate(SignalStateEnum.OK, hour=5).evaluate(SignalStateEnum.CRITICAL, hour=4)
    )
    card = shown(story, most)
    assert card.evaluation == evaluation(SignalStateEnum.OK, 5)
    assert (card.state, card.previous_state, card.version) == (
        SignalStateEnum.OK,
        SignalStateEnum.CRITICAL,
        2,
    )


# What comes from the dataset.


@BATCHES
def test_tier_and_owner_follow_the_dataset(most: int) -> None:
    """S0-038: onto signals that exist, of the same and of an earlier batch."""
    story = registered().evaluate().evaluate(signal_type=VOLUME)
    story.reconfigure(tier=Tier.TIER_1, owner_team="second")
    for signal_type in (FRESHNESS, VOLUME):
        card = shown(story, most, signal_type)
        assert (card.tier, card.owner_team) == (Tier.TIER_1, "second")


@BATCHES
def test_a_change_of_the_tier_leaves_the_owner(most: int) -> None:
    card = shown(registered().evaluate().reconfigure(tier=Tier.TIER_1), most)
    assert (card.tier, card.owner_team) == (Tier.TIER_1, "first")


@BATCHES
def test_signals_that_come_later_take_what_holds_then(most: int) -> None:
    story = registered().reconfigure(owner_team="second").evaluate()
    assert shown(story, most).owner_team == "second"


@BATCHES
def test_what_does_not_concern_signals_leaves_them_alone(most: int) -> None:
    story = registered().evaluate()
    before = len(story.facts)
    cards = run(SignalCards(), story.reconfigure(description="new"), most=most)
    assert cards.now()[SignalKey(ORDERS, FRESHNESS)].position == before


@BATCHES
def test_other_datasets_keep_theirs(most: int) -> None:
    story = registered().evaluate().register(PAYMENTS, owner_team="others")
    story.reconfigure(PAYMENTS, owner_team="changed")
    assert shown(story, most).owner_team == "first"


# Retirement.


@BATCHES
def test_retiring_a_dataset_ends_its_signals_some_time_later(most: int) -> None:
    """S0-029, T2: the time starts when the dataset is retired."""
    story = registered().evaluate().retire()
    card = shown(story, most)
    assert card.ends_at == story.now + KEPT_FOR.signals
    assert timedelta(days=30) == KEPT_FOR.signals


@BATCHES
def test_restoring_it_keeps_them(most: int) -> None:
    assert shown(registered().evaluate().retire().restore(), most).ends_at is None


@BATCHES
def test_how_long_they_are_kept_is_a_policy(most: int) -> None:
    story = registered().evaluate().retire()
    cards = run(SignalCards(kept=timedelta(days=2)), story, most=most)
    assert cards.card(SignalKey(ORDERS, FRESHNESS)).ends_at == story.now + timedelta(days=2)


ENDED = {"days": 30}


def swept(story: Story, most: int) -> WatchedCards:
    """The story so far, with the row of its signal thrown away by the engine."""
    cards = run(SignalCards(), story, most=most)
    cards.throw_away(row_key(SignalKey(ORDERS, FRESHNESS)))
    return cards


@BATCHES
@pytest.mark.parametrize("thrown_away", [True, False])
def test_what_ended_before_the_dataset_was_restored_stays_away(
    most: int, thrown_away: bool
) -> None:
    """Whether the engine has thrown the row away by then must make no difference."""
    story = registered().evaluate().retire()
    cards = swept(story, most) if thrown_away else run(SignalCards(), story, most=most)
    story.wait(**ENDED).restore()
    run(SignalCards(), story, cards, most=most)
    assert cards.card(SignalKey(ORDERS, FRESHNESS)) is None
    run(SignalCards(), story.evaluate(SignalStateEnum.CRITICAL, hour=1), cards, most=most)
    card = cards.card(SignalKey(ORDERS, FRESHNESS))
    assert (card.state, card.ends_at, card.version) == (SignalStateEnum.CRITICAL, None, 2)


@BATCHES
@pytest.mark.parametrize("thrown_away", [True, False])
def test_an_incident_that_outlives_its_signal_can_be_resolved(most: int, thrown_away: bool) -> None:
    story = registered().evaluate(SignalStateEnum.CRITICAL).open().retire()
    cards = swept(story, most) if thrown_away else run(SignalCards(), story, most=most)
    story.wait(**ENDED).change(resolution=Resolution("x"))
    run(SignalCards(), story, cards, most=most)
    assert story.now > NOON + timedelta(**ENDED)
    card = cards.card(SignalKey(ORDERS, FRESHNESS))
    assert card is None if thrown_away else card.ends_at < story.now


@BATCHES
def test_a_signal_that_is_evaluated_after_retirement_ends_too(most: int) -> None:
    story = registered().retire()
    retired_at = story.now
    assert shown(story.evaluate(), most).ends_at == retired_at + KEPT_FOR.signals
