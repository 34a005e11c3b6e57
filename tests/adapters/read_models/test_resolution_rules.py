"""Resolution rules over every engine (S0-093, S0-094)."""

import asyncio
from typing import cast

import pytest

from adapters.eventstore.sealing.seals import Seals
from adapters.memory.keys import MemoryKeys
from adapters.read_models.resolution_rules import TableRules
from adapters.read_models.view_store import TableCards
from adapters.row_layouts.engine import RowStore, TableEngine
from application.datasets.resolution_read_model import RuleBook, RuleBookKey, RuleView, TopicRuleKey
from tests.adapters.row_layouts.sample_views import ORDERS, rule_card, urn


@pytest.fixture
def rules(engine: TableEngine) -> TableRules:
    return TableRules(engine)


def file(rules: TableRules, *cards: RuleView) -> None:
    cabinet = TableCards(cast(RowStore, rules.engine), Seals(MemoryKeys()))
    changes = {TopicRuleKey(c.rule.topic_pattern, c.rule.name, c.owner): (c, 1) for c in cards}
    asyncio.run(cabinet.file("dataset-resolution", changes, upto=1))


@pytest.mark.parametrize(
    ("topic", "found"),
    [
        ("raw.orders.events", {"raw.orders.events", "raw.orders.*", "raw.*", "*", "*.events"}),
        ("raw.orders", {"raw.orders.*", "raw.*", "*", "*.events"}),
        ("raw", {"raw.orders.*", "raw.*", "*", "*.events"}),
        ("clean.events", {"clean.*.x", "*", "*.events"}),
        ("other", {"*", "*.events"}),
    ],
)
def test_three_queries_find_all_candidates_and_few_others(
    rules: TableRules, topic: str, found: set[str]
) -> None:
    patterns = ["raw.orders.events", "raw.orders.*", "raw.*", "clean.*.x", "*", "*.events"]
    file(rules, *(rule_card(pattern, name=f"r{n}") for n, pattern in enumerate(patterns)))
    candidates = asyncio.run(rules.rules_for(topic))
    assert {owned.rule.topic_pattern for owned in candidates} == found


def test_one_name_may_be_used_by_two_datasets(rules: TableRules) -> None:
    """T13"""
    file(rules, rule_card("raw.a", owner=urn(1)), rule_card("raw.a", owner=urn(2)))
    candidates = asyncio.run(rules.rules_for("raw.a"))
    assert {owned.owner for owned in candidates} == {urn(1), urn(2)}


def test_a_rule_found_in_two_ways_comes_once(rules: TableRules) -> None:
    file(rules, rule_card("raw.*"))
    assert len(asyncio.run(rules.rules_for("raw.*"))) == 1


def test_the_rules_of_a_dataset_by_name(rules: TableRules) -> None:
    cards = {name: rule_card("raw.a", name) for name in ("b", "a", "c")}
    cabinet = TableCards(cast(RowStore, rules.engine), Seals(MemoryKeys()))
    changes = {RuleBookKey(ORDERS): (RuleBook(ORDERS, cards), 1)}
    asyncio.run(cabinet.file("dataset-resolution", changes, upto=1))
    assert [card.rule.name for card in asyncio.run(rules.rules_of(ORDERS))] == ["a", "b", "c"]
    assert asyncio.run(rules.rules_of(urn(1))) == []
