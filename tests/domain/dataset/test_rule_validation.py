"""What a resolution rule may look like (S0-090..S0-097)."""

from collections.abc import Sequence
from typing import Any

import pytest
from attrs import evolve

from domain.dataset.resolution_rules import Condition, ConditionOperator, ResolutionType, Rule
from domain.dataset.rule_validation import RuleReport
from domain.errors import Invalid, Violation
from domain.ids import DatasetUrn

ORDERS = DatasetUrn("urn:dp:orders:order_created:v1")
NOWHERE = DatasetUrn("urn:dp:orders")

EXACT = Rule("default", "raw.orders.events", ResolutionType.EXACT, 100)
WILDCARD = Rule("default", "raw.orders.*", ResolutionType.WILDCARD, 50)
CONDITION = Condition("$.event_type", ConditionOperator.EQUALS, ORDERS, "ORDER_CREATED")
CONDITIONAL = Rule(
    "by-type", "raw.*", ResolutionType.CONDITIONAL, 50, (CONDITION,), default_dataset_urn=ORDERS
)


def no_path(path: str) -> str | None:
    return None if path.startswith("$") else "must begin with $"


def broken(rule: Rule) -> set[tuple[str, str]]:
    return {(each.field, each.code) for each in violations(rule)}


def violations(rule: Rule) -> Sequence[Violation]:
    try:
        RuleReport(rule).parse(no_path)
    except Invalid as invalid:
        return invalid.violations
    return ()


def asking(operator: ConditionOperator, value: object) -> Rule:
    return evolve(CONDITIONAL, conditions=(Condition("$.a", operator, ORDERS, value),))


@pytest.mark.parametrize(
    "rule",
    [
        EXACT,
        WILDCARD,
        CONDITIONAL,
        evolve(CONDITIONAL, topic_pattern="raw.orders"),
        evolve(CONDITIONAL, conditions=()),
        evolve(CONDITIONAL, default_dataset_urn=None),
        evolve(CONDITIONAL, conditions=(CONDITION,) * 50),
        evolve(EXACT, name="a" * 100, topic_pattern="a" * 249, priority=0),
        evolve(WILDCARD, topic_pattern="*****", priority=1000),
    ],
    ids=range(9),
)
def test_a_rule_that_keeps_the_contract_has_no_violations(rule: Rule) -> None:
    assert broken(rule) == set()


@pytest.mark.parametrize(
    ("rule", "change", "field", "code"),
    [
        (EXACT, {"name": ""}, "name", "MALFORMED"),
        (EXACT, {"name": "a" * 101}, "name", "MALFORMED"),
        (EXACT, {"name": ".a"}, "name", "MALFORMED"),
        (EXACT, {"name": "a#b"}, "name", "MALFORMED"),
        (EXACT, {"topic_pattern": ""}, "topic_pattern", "MALFORMED"),
        (EXACT, {"topic_pattern": "a" * 250}, "topic_pattern", "MALFORMED"),
        (EXACT, {"topic_pattern": "raw orders"}, "topic_pattern", "MALFORMED"),
        (EXACT, {"topic_pattern": "raw.*"}, "topic_pattern", "INCONSISTENT"),
        (WILDCARD, {"topic_pattern": "raw"}, "topic_pattern", "INCONSISTENT"),
        (WILDCARD, {"topic_pattern": "******"}, "topic_pattern", "TOO_MANY"),
        (EXACT, {"priority": -1}, "priority", "OUT_OF_RANGE"),
        (EXACT, {"priority": 1001}, "priority", "OUT_OF_RANGE"),
        (EXACT, {"conditions": (CONDITION,)}, "conditions", "INCONSISTENT"),
        (WILDCARD, {"conditions": (CONDITION,)}, "conditions", "INCONSISTENT"),
        (EXACT, {"default_dataset_urn": ORDERS}, "default_dataset_urn", "INCONSISTENT"),
        (WILDCARD, {"default_dataset_urn": ORDERS}, "default_dataset_urn", "INCONSISTENT"),
        (
            CONDITIONAL,
            {"conditions": (), "default_dataset_urn": None},
            "conditions",
            "REQUIRED",
        ),
        (CONDITIONAL, {"conditions": (CONDITION,) * 51}, "conditions", "TOO_MANY"),
        (CONDITIONAL, {"default_dataset_urn": NOWHERE}, "default_dataset_urn", "MALFORMED"),
        (
            CONDITIONAL,
            {"conditions": (CONDITION, evolve(CONDITION, dataset_urn=NOWHERE))},
            "conditions[1].dataset_urn",
            "MALFORMED",
        ),
        (
            CONDITIONAL,
            {"conditions": (evolve(CONDITION, field=""),)},
            "conditions[0].field",
            "REQUIRED",
        ),
        (
            CONDITIONAL,
            {"conditions": (evolve(CONDITION, field="a" * 201),)},
            "conditions[0].field",
            "TOO_LONG",
        ),
        (
            CONDITIONAL,
            {"conditions": (evolve(CONDITION, field="event_type"),)},
            "conditions[0].field",
            "MALFORMED",
        ),
    ],
)
def test_each_broken_promise_is_named(
    rule: Rule, change: dict[str, Any], field: str, code: str
) -> None:
    assert broken(evolve(rule, **change)) == {(field, code)}


SCALARS = ["text", "", 1, -1.5, True, 2**53 - 1, "x" * 500]


@pytest.mark.parametrize(
    ("operator", "values"),
    [
        (ConditionOperator.EQUALS, SCALARS),
        (ConditionOperator.NOT_EQUALS, SCALARS),
        (ConditionOperator.IN, [SCALARS, ("a",), [0] * 100]),
        (ConditionOperator.NOT_IN, [SCALARS]),
        (ConditionOperator.GREATER_THAN, [1, 1.5, "2026-01-01"]),
        (ConditionOperator.LESS_THAN, [1, 1.5, "2026-01-01"]),
        (ConditionOperator.STARTS_WITH, ["a", "x" * 500]),
        (ConditionOperator.ENDS_WITH, ["a"]),
        (ConditionOperator.CONTAINS, ["a"]),
        (ConditionOperator.EXISTS, [None]),
        (ConditionOperator.NOT_EXISTS, [None]),
    ],
)
def test_an_operator_takes_its_kind_of_value(
    operator: ConditionOperator, values: list[object]
) -> None:
    for value in values:
        assert broken(asking(operator, value)) == set()


@pytest.mark.parametrize(
    ("operator", "value", "field", "code"),
    [
        (ConditionOperator.EQUALS, None, "value", "REQUIRED"),
        (ConditionOperator.EQUALS, ["a"], "value", "WRONG_TYPE"),
        (ConditionOperator.EQUALS, float("nan"), "value", "OUT_OF_RANGE"),
        (ConditionOperator.EQUALS, 2**53, "value", "OUT_OF_RANGE"),
        (ConditionOperator.EQUALS, "x" * 501, "value", "TOO_LONG"),
        (ConditionOperator.NOT_EQUALS, {}, "value", "WRONG_TYPE"),
        (ConditionOperator.IN, None, "value", "REQUIRED"),
        (ConditionOperator.IN, [], "value", "WRONG_TYPE"),
        (ConditionOperator.IN, "abc", "value", "WRONG_TYPE"),
        (ConditionOperator.IN, ["a", ["b"]], "value[1]", "WRONG_TYPE"),
        (ConditionOperator.IN, ["a", None], "value[1]", "WRONG_TYPE"),
        (ConditionOperator.NOT_IN, [0] * 101, "value", "TOO_MANY"),
        (ConditionOperator.GREATER_THAN, True, "value", "WRONG_TYPE"),
        (ConditionOperator.GREATER_THAN, float("inf"), "value", "OUT_OF_RANGE"),
        (ConditionOperator.LESS_THAN, [1], "value", "WRONG_TYPE"),
        (ConditionOperator.LESS_THAN, None, "value", "REQUIRED"),
        (ConditionOperator.STARTS_WITH, "", "value", "WRONG_TYPE"),
        (ConditionOperator.ENDS_WITH, 1, "value", "WRONG_TYPE"),
        (ConditionOperator.CONTAINS, "x" * 501, "value", "TOO_LONG"),
        (ConditionOperator.EXISTS, True, "value", "INCONSISTENT"),
        (ConditionOperator.NOT_EXISTS, "", "value", "INCONSISTENT"),
    ],
)
def test_an_operator_refuses_other_values(
    operator: ConditionOperator, value: object, field: str, code: str
) -> None:
    assert broken(asking(operator, value)) == {(f"conditions[0].{field}", code)}


def test_an_exact_rule_with_a_star_is_told_to_be_a_wildcard() -> None:
    [violation] = violations(evolve(EXACT, topic_pattern="raw.*"))
    assert violation.message == "must name one topic; with a * use WILDCARD"


def test_all_violations_are_returned_at_once() -> None:
    rule = Rule("", "raw *", ResolutionType.EXACT, -1, (CONDITION,), NOWHERE)
    assert broken(rule) == {
        ("name", "MALFORMED"),
        ("topic_pattern", "MALFORMED"),
        ("topic_pattern", "INCONSISTENT"),
        ("priority", "OUT_OF_RANGE"),
        ("conditions", "INCONSISTENT"),
        ("default_dataset_urn", "INCONSISTENT"),
    }
    nothing = Condition("", ConditionOperator.IN, NOWHERE)
    assert broken(evolve(CONDITIONAL, conditions=(nothing,), default_dataset_urn=NOWHERE)) == {
        ("conditions[0].field", "REQUIRED"),
        ("conditions[0].dataset_urn", "MALFORMED"),
        ("conditions[0].value", "REQUIRED"),
        ("default_dataset_urn", "MALFORMED"),
    }


def test_a_rule_without_a_name_takes_the_one_that_stands_for_it() -> None:
    nameless = RuleReport(evolve(EXACT, name=""))
    assert nameless.parse(no_path, unnamed="default") == EXACT
    with pytest.raises(Invalid):
        nameless.parse(no_path)


def test_unreadable_fields_hide_what_follows_from_them() -> None:
    unreadable = (Violation("priority", "WRONG_TYPE", "must be a whole number"),)
    worse = RuleReport(evolve(EXACT, priority=-1, topic_pattern="a b"), unreadable)
    with pytest.raises(Invalid) as refused:
        worse.parse(no_path)
    assert [(one.field, one.code) for one in refused.value.violations] == [
        ("priority", "WRONG_TYPE"),
        ("topic_pattern", "MALFORMED"),
    ]
