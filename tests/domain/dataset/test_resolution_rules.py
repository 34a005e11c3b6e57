"""From a topic and a payload to a dataset (S0-093..S0-098)."""

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.dataset.resolution_rules import (
    Condition,
    ConditionOperator,
    FieldValues,
    OwnedRule,
    Resolution,
    ResolutionType,
    Rule,
    matches,
    resolve,
)
from domain.ids import DatasetUrn

ORDERS = DatasetUrn("urn:dp:orders:order_created:v1")
REFUNDS = DatasetUrn("urn:dp:orders:refund:v1")
OTHERS = DatasetUrn("urn:dp:orders:other:v1")
TOPIC = "raw.orders.events"


def payload(found: Mapping[str, Sequence[object]] | None = None) -> FieldValues:
    return lambda path: (found or {}).get(path, [])


def exact(
    owner: DatasetUrn, *, topic: str = TOPIC, priority: int = 100, name: str = "default"
) -> OwnedRule:
    return OwnedRule(owner, Rule(name, topic, ResolutionType.EXACT, priority))


def wildcard(
    owner: DatasetUrn, pattern: str, *, priority: int = 100, name: str = "default"
) -> OwnedRule:
    return OwnedRule(owner, Rule(name, pattern, ResolutionType.WILDCARD, priority))


def conditional(
    *conditions: Condition,
    default: DatasetUrn | None = None,
    pattern: str = TOPIC,
    priority: int = 50,
) -> OwnedRule:
    rule = Rule("by-type", pattern, ResolutionType.CONDITIONAL, priority, conditions, default)
    return OwnedRule(OTHERS, rule)


CREATED = Condition("$.event_type", ConditionOperator.EQUALS, ORDERS, "ORDER_CREATED")
REFUNDED = Condition("$.event_type", ConditionOperator.EQUALS, REFUNDS, "REFUNDED")


def event(kind: object) -> FieldValues:
    return payload({"$.event_type": [kind]})


# The three kinds of rules


def test_an_exact_rule_names_its_owner_for_its_topic_only() -> None:
    assert resolve([exact(ORDERS)], TOPIC, payload()).dataset == ORDERS
    assert resolve([exact(ORDERS)], TOPIC + "s", payload()).dataset is None


def test_a_wildcard_rule_names_its_owner_for_every_topic_that_matches() -> None:
    rule = wildcard(ORDERS, "raw.orders.*")
    assert resolve([rule], "raw.orders.eu.events", payload()).dataset == ORDERS
    assert resolve([rule], "raw.payments.events", payload()).dataset is None


def test_the_first_condition_that_holds_names_the_dataset() -> None:
    rule = conditional(CREATED, REFUNDED, default=OTHERS)
    assert resolve([rule], TOPIC, event("ORDER_CREATED")).dataset == ORDERS
    assert resolve([rule], TOPIC, event("REFUNDED")).dataset == REFUNDS
    both = payload({"$.event_type": ["REFUNDED", "ORDER_CREATED"]})
    assert resolve([rule], TOPIC, both).dataset == ORDERS


def test_the_default_is_used_when_no_condition_holds() -> None:
    rule = conditional(CREATED, default=OTHERS)
    assert resolve([rule], TOPIC, event("SHIPPED")).dataset == OTHERS


def test_without_a_default_the_next_rule_is_asked() -> None:
    rules = [conditional(CREATED, priority=100), exact(REFUNDS, priority=1)]
    assert resolve(rules, TOPIC, event("SHIPPED")).dataset == REFUNDS
    assert resolve(rules[:1], TOPIC, event("SHIPPED")).dataset is None


def test_no_rule_names_no_dataset() -> None:
    assert resolve([], TOPIC, payload()) == Resolution(None, [])


# Operators

ANSWERS: list[tuple[ConditionOperator, object, list[object], bool]] = [
    (ConditionOperator.EQUALS, "a", ["a"], True),
    (ConditionOperator.EQUALS, "a", ["b", "a"], True),
    (ConditionOperator.EQUALS, "a", ["A"], False),
    (ConditionOperator.EQUALS, "a", [], False),
    (ConditionOperator.EQUALS, 1, [1.0], True),
    (ConditionOperator.EQUALS, 1, [True], False),
    (ConditionOperator.EQUALS, True, [True], True),
    (ConditionOperator.EQUALS, "1", [1], False),
    (ConditionOperator.NOT_EQUALS, "a", ["b"], True),
    (ConditionOperator.NOT_EQUALS, "a", ["b", "a"], False),
    (ConditionOperator.NOT_EQUALS, "a", [], False),
    (ConditionOperator.NOT_EQUALS, 1, [True], True),
    (ConditionOperator.IN, ["a", "b"], ["b"], True),
    (ConditionOperator.IN, ("a", "b"), ["b"], True),
    (ConditionOperator.IN, ["a", "b"], ["c"], False),
    (ConditionOperator.IN, [1], [True], False),
    (ConditionOperator.IN, "abc", ["a"], False),
    (ConditionOperator.NOT_IN, ["a", "b"], ["c"], True),
    (ConditionOperator.NOT_IN, ["a", "b"], ["c", "a"], False),
    (ConditionOperator.NOT_IN, ["a", "b"], [], False),
    (ConditionOperator.EXISTS, None, [None], True),
    (ConditionOperator.EXISTS, None, [], False),
    (ConditionOperator.NOT_EXISTS, None, [], True),
    (ConditionOperator.NOT_EXISTS, None, ["a"], False),
    (ConditionOperator.GREATER_THAN, 5, [6], True),
    (ConditionOperator.GREATER_THAN, 5, [5], False),
    (ConditionOperator.GREATER_THAN, 5, [4, 5.5], True),
    (ConditionOperator.GREATER_THAN, "2026-01-01", ["2026-01-02"], True),
    (ConditionOperator.GREATER_THAN, 5, ["6"], False),
    (ConditionOperator.GREATER_THAN, 0, [True], False),
    (ConditionOperator.GREATER_THAN, 0, [None], False),
    (ConditionOperator.LESS_THAN, 5, [4.5], True),
    (ConditionOperator.LESS_THAN, 5, [5], False),
    (ConditionOperator.LESS_THAN, "b", ["a"], True),
    (ConditionOperator.LESS_THAN, 5, [False], False),
    (ConditionOperator.STARTS_WITH, "ab", ["abc"], True),
    (ConditionOperator.STARTS_WITH, "bc", ["abc"], False),
    (ConditionOperator.ENDS_WITH, "bc", ["abc"], True),
    (ConditionOperator.ENDS_WITH, "ab", ["abc"], False),
    (ConditionOperator.CONTAINS, "b", ["abc"], True),
    (ConditionOperator.CONTAINS, "abcd", ["abc"], False),
    (ConditionOperator.CONTAINS, "b", [["b"]], False),
]


@pytest.mark.parametrize(("operator", "value", "found", "holds"), ANSWERS)
def test_an_operator_compares_what_is_found_with_its_value(
    operator: ConditionOperator, value: object, found: list[object], holds: bool
) -> None:
    condition = Condition("$.a", operator, ORDERS, value)
    assert condition.holds(payload({"$.a": found, "$.b": ["a"]})) is holds


def test_every_operator_was_tried() -> None:
    assert {operator for operator, *_ in ANSWERS} == {*ConditionOperator}


# Who wins


def test_a_higher_priority_wins_over_everything_else() -> None:
    rules = [exact(ORDERS, priority=50), wildcard(REFUNDS, "*", priority=51)]
    assert resolve(rules, TOPIC, payload()).dataset == REFUNDS


def test_an_exact_rule_of_priority_100_wins_over_a_conditional_one_of_50() -> None:
    rules = [conditional(default=REFUNDS, priority=50), exact(ORDERS, priority=100)]
    assert resolve(rules, TOPIC, payload()).dataset == ORDERS


def test_of_equal_priority_a_literal_topic_wins_over_a_longer_pattern() -> None:
    rules = [wildcard(REFUNDS, TOPIC + "*"), exact(ORDERS)]
    assert resolve(rules, TOPIC, payload()).dataset == ORDERS


def test_of_two_patterns_the_one_with_the_longer_literal_part_wins() -> None:
    rules = [wildcard(REFUNDS, "raw.****"), wildcard(ORDERS, "raw.orders.*")]
    assert resolve(rules, TOPIC, payload()).dataset == ORDERS


def test_of_two_alike_the_name_decides_and_then_the_owner() -> None:
    names = [exact(REFUNDS, name="a"), exact(ORDERS, name="b")]
    assert resolve(names, TOPIC, payload()).dataset == REFUNDS
    owners = [exact(REFUNDS), exact(ORDERS)]
    assert resolve(owners, TOPIC, payload()).dataset == min(ORDERS, REFUNDS)


owned_rules = st.lists(
    st.builds(
        OwnedRule,
        st.sampled_from([ORDERS, REFUNDS, OTHERS]),
        st.builds(
            Rule,
            name=st.sampled_from(["a", "b"]),
            topic_pattern=st.sampled_from([TOPIC, "raw.*", "*.events", "*", "other"]),
            resolution_type=st.sampled_from(ResolutionType),
            priority=st.sampled_from([1, 2]),
            conditions=st.sampled_from([(), (CREATED,), (REFUNDED, CREATED)]),
            default_dataset_urn=st.sampled_from([None, OTHERS]),
        ),
    ),
    max_size=6,
    unique_by=lambda owned: (owned.owner, owned.rule.name),
)


@settings(max_examples=150, deadline=None)
@given(owned_rules.flatmap(lambda rules: st.tuples(st.just(rules), st.permutations(rules))))
def test_the_order_of_the_rules_does_not_matter(
    orders: tuple[Sequence[OwnedRule], Sequence[OwnedRule]],
) -> None:
    one, other = (resolve(rules, TOPIC, event("ORDER_CREATED")) for rules in orders)
    assert one == other


@settings(max_examples=100, deadline=None)
@given(owned_rules)
def test_the_steps_end_with_the_rule_that_won_and_ask_only_rules_that_match(
    rules: Sequence[OwnedRule],
) -> None:
    told = resolve(rules, TOPIC, event("ORDER_CREATED"))
    assert [step.dataset for step in told.steps[:-1]] == [None] * (len(told.steps) - 1)
    assert told.dataset == (told.steps[-1].dataset if told.steps else None)
    asked = [step.rule for step in told.steps]
    assert all(matches(owned.rule.topic_pattern, TOPIC) for owned in asked)
    matching = [owned for owned in rules if matches(owned.rule.topic_pattern, TOPIC)]
    assert told.dataset is not None or len(asked) == len(matching)


# Why


def test_the_steps_tell_why() -> None:
    rules = [
        conditional(CREATED, priority=100),
        conditional(CREATED, REFUNDED, pattern="raw.*", priority=90),
        exact(ORDERS, priority=1),
    ]
    told = resolve(rules, TOPIC, event("REFUNDED"))
    assert [(step.rule, step.dataset, step.reason) for step in told.steps] == [
        (rules[0], None, "no condition holds and there is no default"),
        (rules[1], REFUNDS, "condition 2 holds: $.event_type EQUALS"),
    ]


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        (exact(ORDERS), "raw.orders.events is the topic"),
        (wildcard(ORDERS, "raw.*"), "raw.* matches the topic"),
        (conditional(default=ORDERS), "no condition holds; the default applies"),
    ],
)
def test_every_kind_of_rule_says_why_it_won(rule: OwnedRule, reason: str) -> None:
    assert resolve([rule], TOPIC, payload()).steps[-1].reason == reason


# Patterns


@pytest.mark.parametrize(
    ("pattern", "topic", "match"),
    [
        ("raw.orders.*", "raw.orders.", True),
        ("raw.orders.*", "raw.orders", False),
        ("*", "", True),
        ("a*a", "a", False),
        ("a*a", "aa", True),
        ("*ab*ab*", "abab", True),
        ("*ab*ab*", "aabb", False),
        ("*ab*b", "ab", False),
        ("raw.orders", "raw-orders", False),
        ("", "", True),
    ],
)
def test_a_star_stands_for_any_run_of_characters(pattern: str, topic: str, match: bool) -> None:
    assert matches(pattern, topic) is match


@settings(max_examples=400, deadline=None)
@given(st.text("ab*", max_size=8), st.text("ab", max_size=8))
def test_patterns_match_as_file_names_do(pattern: str, topic: str) -> None:
    assert matches(pattern, topic) == fnmatchcase(topic, pattern)


def test_a_pattern_made_to_be_slow_is_decided_at_once() -> None:
    assert not matches("*a" * 5 + "*b", "a" * 100_000)
