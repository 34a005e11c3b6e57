"""Resolution rules as rows (S0-090..S0-096)."""

from typing import Any

import orjson
from hypothesis import example, given

from adapters.row_layouts.rule_rows import candidates, from_row, key_of, row_keys, to_rows
from application.datasets.resolution_read_model import RuleView, TopicRuleKey
from domain.dataset.resolution_rules import (
    Condition,
    ConditionOperator,
    ResolutionType,
    Rule,
    matches,
)
from domain.ids import DatasetUrn
from domain.timestamps import moment
from tests.adapters.row_layouts.sample_views import ORDERS, patterns, rule_card, rule_cards, topics

CANCELLED = DatasetUrn("urn:dp:orders:order_cancelled:v1")
UNKNOWN = DatasetUrn("urn:dp:orders:unknown:v1")
CREATED_AT, UPDATED_AT = "2025-06-15T08:30:00.000Z", "2026-01-10T14:22:00.000Z"

EXACT_ITEM: dict[str, Any] = {
    "PK": "TOPIC#raw.orders.events",
    "SK": "RULE#default#urn:dp:orders:order_created:v1",
    "topic_pattern": "raw.orders.events",
    "resolution_type": "EXACT",
    "dataset_urn": "urn:dp:orders:order_created:v1",
    "priority": 100,
    "created_at": CREATED_AT,
    "updated_at": UPDATED_AT,
}

CONDITIONAL_ITEM: dict[str, Any] = {
    "PK": "TOPIC#raw.orders.*",
    "SK": "RULE#by-event-type#urn:dp:orders:order_created:v1",
    "topic_pattern": "raw.orders.*",
    "resolution_type": "CONDITIONAL",
    "conditions": [
        {
            "field": "$.event_type",
            "operator": "EQUALS",
            "value": "order_created",
            "dataset_urn": "urn:dp:orders:order_created:v1",
        },
        {
            "field": "$.event_type",
            "operator": "EQUALS",
            "value": "order_cancelled",
            "dataset_urn": "urn:dp:orders:order_cancelled:v1",
        },
    ],
    "default_dataset_urn": "urn:dp:orders:unknown:v1",
    "priority": 50,
    "created_at": CREATED_AT,
    "updated_at": UPDATED_AT,
}


def written(rule: Rule) -> RuleView:
    return RuleView(ORDERS, rule, moment(CREATED_AT), moment(UPDATED_AT))


def test_the_seeds_exact_rule() -> None:
    """S0-091..S0-093; two datasets may use one name, so the owner is part of the key (T13)."""
    card = written(Rule("default", "raw.orders.events", ResolutionType.EXACT, 100))
    ours = {"rule_name": "default", "owner_urn": ORDERS, "position": 3}
    assert to_rows(card, 3) == [EXACT_ITEM | ours]


def test_the_seeds_conditional_rule_and_its_place_in_the_directory() -> None:
    """S0-094..S0-096"""
    conditions = (
        Condition("$.event_type", ConditionOperator.EQUALS, ORDERS, "order_created"),
        Condition("$.event_type", ConditionOperator.EQUALS, CANCELLED, "order_cancelled"),
    )
    rule = Rule(
        "by-event-type", "raw.orders.*", ResolutionType.CONDITIONAL, 50, conditions, UNKNOWN
    )
    by_topic = CONDITIONAL_ITEM | {
        "rule_name": "by-event-type",
        "owner_urn": ORDERS,
        "position": 3,
    }
    directory = {"PK": "WILDCARD#raw", "SK": f"{by_topic['SK']}#raw.orders.*"}
    assert to_rows(written(rule), 3) == [by_topic, by_topic | directory]


@given(rule_cards)
def test_a_card_comes_back_from_each_of_its_rows(card: RuleView) -> None:
    for row in to_rows(card, 1):
        assert from_row(orjson.loads(orjson.dumps(row))) == card


@given(rule_cards)
def test_rows_lie_where_their_key_says_and_hold_no_null(card: RuleView) -> None:
    key = TopicRuleKey(card.rule.topic_pattern, card.rule.name, card.owner)
    rows = to_rows(card, 1)
    assert [(row["PK"], row["SK"]) for row in rows] == [(k.pk, k.sk) for k in row_keys(key)]
    assert all(key_of(row) == key and None not in row.values() for row in rows)


@given(patterns, topics)
@example("raw*", "rawhide.x")
@example("raw.*", "raw.x")
@example("*.x", "raw.x")
def test_three_partitions_hold_every_rule_that_matches(pattern: str, topic: str) -> None:
    if matches(pattern, topic):
        places = {row["PK"] for row in to_rows(rule_card(pattern), 1)}
        assert places & set(candidates(topic))


def test_one_name_used_by_two_datasets_is_two_rows() -> None:
    """T13"""
    rows = [to_rows(rule_card("raw.*", owner=owner), 1) for owner in (ORDERS, CANCELLED)]
    keys = {(row["PK"], row["SK"]) for pair in rows for row in pair}
    assert len(keys) == 4


def test_a_rule_that_moves_within_its_directory_never_shares_a_row_with_its_past() -> None:
    """Else one of put and delete, at the same position, would undo the other."""
    keys = [row_keys(TopicRuleKey(p, "default", ORDERS)) for p in ("raw.a.*", "raw.b.*")]
    assert not set(keys[0]) & set(keys[1])
