"""Cards kept as rows: found, filed and taken away."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from attrs import frozen

from adapters.eventstore.sealing.seals import Seals
from adapters.memory.keys import MemoryKeys
from adapters.read_models.view_store import TableCards
from adapters.row_layouts.catalogue import DATASET_RESOLUTION
from adapters.row_layouts.engine import TableEngine
from application.datasets.read_model import DatasetKey
from application.datasets.resolution_read_model import RuleBook, RuleBookKey, TopicRuleKey
from application.delivery.dead_letter_read_model import DeadLetterView
from application.projections.signals import Facets, FacetsKey
from application.projections.view_store import Filed
from application.signals.read_model import SignalKey, SignalsOf
from domain.dataset.tier import Tier
from tests.adapters.row_layouts.sample_views import (
    FRESHNESS,
    NOON,
    ORDERS,
    dataset_card,
    rule_card,
    signal_card,
    tie_card,
    urn,
    written_card,
)

TIE, WRITTEN = tie_card(days=1), written_card("job:finance", ORDERS, "amount", ends_at=NOON)

LETTER = DeadLetterView("sns", "0af1", "INCIDENT_CREATED", 4, "it answered with 400", 1, NOON)

ONE_OF_EACH: Mapping[Any, Any] = {
    SignalKey(ORDERS, FRESHNESS): signal_card(ends_at=NOON),
    DatasetKey(ORDERS): dataset_card(version=2),
    DatasetKey(ORDERS, 1): dataset_card(archived_at=NOON),
    TopicRuleKey("raw.*", "default", ORDERS): rule_card("raw.*"),
    FacetsKey(ORDERS): Facets(ORDERS, Tier.TIER_1, "team"),
    RuleBookKey(ORDERS): RuleBook(ORDERS, {"default": rule_card("raw.*")}),
    TIE.key: TIE,
    WRITTEN.key: WRITTEN,
    LETTER.key: LETTER,
}


@pytest.fixture
def cards(engine: TableEngine) -> TableCards:
    return TableCards(engine, Seals(MemoryKeys()))


def file(cards: TableCards, changes: Mapping[Any, Any], *, at: int) -> None:
    changed = {key: (card, at) for key, card in changes.items()}
    asyncio.run(cards.file("projection", changed, upto=at))


def test_every_kind_of_card_is_found_under_its_key(cards: TableCards) -> None:
    """Also the one that has expired: facts still change it."""
    file(cards, ONE_OF_EACH, at=7)
    found = asyncio.run(cards.find(ONE_OF_EACH))
    assert found == {key: Filed(card, 7) for key, card in ONE_OF_EACH.items()}
    assert asyncio.run(cards.reached("projection")) == 7


def test_what_is_not_there_is_not_found(cards: TableCards) -> None:
    assert asyncio.run(cards.find(ONE_OF_EACH)) == {}
    assert asyncio.run(cards.reached("projection")) == 0


def test_each_card_keeps_the_position_it_was_changed_at(cards: TableCards) -> None:
    one, two = SignalKey(urn(1), FRESHNESS), SignalKey(urn(2), FRESHNESS)
    changes = {one: (signal_card(urn(1)), 3), two: (signal_card(urn(2)), 5)}
    asyncio.run(cards.file("projection", changes, upto=9))
    found = asyncio.run(cards.find([one, two]))
    assert {key: filed.position for key, filed in found.items()} == {one: 3, two: 5}


def test_a_group_holds_the_cards_of_one_dataset(cards: TableCards) -> None:
    names = [(1, "FRESHNESS"), (1, "VOLUME"), (2, "FRESHNESS")]
    signals = [signal_card(urn(number), name) for number, name in names]
    file(cards, {SignalKey(s.dataset, s.signal_type): s for s in signals}, at=1)
    found = asyncio.run(cards.group(SignalsOf(urn(1))))
    assert {key.signal_type for key in found} == {"FRESHNESS", "VOLUME"}
    assert all(SignalsOf(urn(1)).holds(key) for key in found)


def test_a_rule_goes_with_all_its_rows(cards: TableCards, engine: TableEngine) -> None:
    key = TopicRuleKey("raw.*", "default", ORDERS)
    partitions = ("TOPIC#raw.*", "WILDCARD#raw")

    def rows() -> list[int]:
        asked = [engine.query(DATASET_RESOLUTION.name, pk) for pk in partitions]
        return [len(asyncio.run(question).rows) for question in asked]

    file(cards, {key: rule_card("raw.*")}, at=1)
    assert rows() == [1, 1]
    file(cards, {key: None}, at=2)
    assert rows() == [0, 0]


def test_a_group_that_lies_nowhere_is_a_mistake(cards: TableCards) -> None:
    @frozen
    class Strangers:
        def holds(self, key: object) -> bool:
            return False

    with pytest.raises(TypeError):
        asyncio.run(cards.group(Strangers()))
