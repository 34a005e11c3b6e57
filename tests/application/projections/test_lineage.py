"""Who writes and reads what, and what an entity writes, folded from what producers declared."""

from datetime import timedelta
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from application.lineage.read_model import TieView, WriterView, WrittenView
from application.projections.lineage import LineageCards
from domain.ids import EntityId, column_urn
from domain.lineage.lineage import Spec
from domain.signal.evaluation import Confidence
from tests.application.projections.story import Story, run
from tests.domain.lineage.specs import INVOICES, NOON, ORDERS, REVENUE, spec, specs

BATCHES = pytest.mark.parametrize("most", [1, 2, 1000], ids="{}_a_batch".format)
HOUR = timedelta(hours=1)
AMOUNT = column_urn(INVOICES, "amount")


def cards(story: Story, most: int = 1000) -> list[Any]:
    return [filed.card for filed in run(LineageCards(), story, most=most).now().values()]


def ties(story: Story, most: int = 1000) -> set[tuple[str, str, str]]:
    return {
        (card.entity.entity_id, card.role, card.place)
        for card in cards(story, most)
        if isinstance(card, TieView)
    }


def writes(story: Story, most: int = 1000) -> set[tuple[str, str, tuple[str, ...]]]:
    return {
        (card.entity, card.writing.dataset, card.writing.columns)
        for card in cards(story, most)
        if isinstance(card, WrittenView)
    }


@BATCHES
def test_whoever_ever_wrote_is_known_for_it(most: int) -> None:
    story = Story().declare(spec(reads=[(ORDERS, "job:a")], writes=[(AMOUNT, "job:b")]))
    story.declare(spec(reads=[(ORDERS, "job:a"), (ORDERS, "job:b")], at=NOON + HOUR))
    assert [card for card in cards(story, most) if isinstance(card, WriterView)] == [
        WriterView(EntityId("job:b"))
    ]


def test_all_that_was_declared_is_on_the_card() -> None:
    declared = spec(reads=[(ORDERS, "job:a")], confidence=Confidence.LOW, ttl_seconds=86400)
    (card,) = cards(Story().declare(declared))
    assert (card.spec_id, card.commit) == (declared.spec_id, "9f31c2d")
    assert (card.confidence, card.updated_at) == (Confidence.LOW, NOON)
    assert card.ends_at == declared.ends_at == NOON + timedelta(days=1)


def test_a_column_brings_its_dataset_along() -> None:
    story = Story().declare(spec(reads=[(AMOUNT, "job:a")], writes=[(AMOUNT, "job:b")]))
    assert ties(story) == {
        ("job:a", "READER", AMOUNT),
        ("job:a", "READER", INVOICES),
        ("job:b", "WRITER", AMOUNT),
        ("job:b", "WRITER", INVOICES),
    }


def test_what_an_entity_writes_is_found_by_the_entity() -> None:
    story = Story().declare(
        spec(
            writes=[
                (ORDERS, "job:a"),
                (AMOUNT, "job:a"),
                (column_urn(INVOICES, "id"), "job:a"),
                (INVOICES, "job:b"),
            ]
        )
    )
    assert writes(story) == {
        ("job:a", ORDERS, ()),
        ("job:a", INVOICES, ("amount", "id")),
        ("job:b", INVOICES, ()),
    }


@BATCHES
def test_a_newer_spec_takes_away_what_it_no_longer_says(most: int) -> None:
    story = (
        Story()
        .declare(spec(reads=[(ORDERS, "job:a")], writes=[(AMOUNT, "job:a"), (REVENUE, "job:a")]))
        .declare(spec(writes=[(REVENUE, "job:a")], at=NOON + HOUR))
    )
    assert ties(story, most) == {("job:a", "WRITER", REVENUE)}
    assert writes(story, most) == {("job:a", REVENUE, ())}


@BATCHES
def test_a_withdrawn_column_leaves_the_dataset_that_is_still_declared(most: int) -> None:
    story = (
        Story()
        .declare(spec(writes=[(AMOUNT, "job:a")]))
        .declare(spec(writes=[(INVOICES, "job:a")], at=NOON + HOUR))
    )
    assert ties(story, most) == {("job:a", "WRITER", INVOICES)}
    assert writes(story, most) == {("job:a", INVOICES, ())}


@BATCHES
def test_what_comes_back_is_there_again(most: int) -> None:
    there = spec(reads=[(ORDERS, "job:a")])
    story = Story().declare(there).declare(spec(at=NOON + HOUR))
    assert ties(story, most) == set()
    story.declare(evolve(there, updated_at=NOON + 2 * HOUR))
    assert ties(story, most) == {("job:a", "READER", ORDERS)}


def test_producers_do_not_take_away_from_each_other() -> None:
    """T13"""
    story = (
        Story()
        .declare(spec(reads=[(ORDERS, "job:a")], producer="one"))
        .declare(spec(reads=[(ORDERS, "job:a")], producer="two"))
    )
    assert len(cards(story)) == 2
    story.declare(spec(producer="one", at=NOON + HOUR))
    assert [card.spec_id for card in cards(story)] == ["lspec:two:git:9f31c2d"]


@settings(deadline=None, max_examples=50)
@given(st.lists(specs("job:a") | specs("svc:b"), max_size=5), st.data())
def test_any_order_of_commits_ends_in_the_same_index(
    declared: list[Spec], data: st.DataObject
) -> None:
    """S0-246: cards, not positions; those tell when they came.

    Nor who ever wrote, which says only whom to ask for what they write: nobody may be left out.
    """

    def index(order: list[Spec]) -> dict[Any, Any]:
        story = Story()
        for one in order:
            story.declare(one)
        found = {key: filed.card for key, filed in run(LineageCards(), story).now().items()}
        wrote = {card.entity for card in found.values() if isinstance(card, WriterView)}
        assert {card.entity for card in found.values() if isinstance(card, WrittenView)} <= wrote
        return {key: card for key, card in found.items() if not isinstance(card, WriterView)}

    again = data.draw(st.permutations([*declared, *declared[:2]]))
    assert index(again) == index(declared)
