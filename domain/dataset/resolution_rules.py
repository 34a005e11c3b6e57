"""
From a raw topic and a payload to the dataset they belong to, without asking the producer.

The winner is the first rule, in this order, that names a dataset:

    1. higher priority
    2. a literal topic before a pattern
    3. the longer literal part of the pattern
    4. the rule's name, then the dataset that owns it

An EXACT rule names its dataset for one topic, a WILDCARD rule for all topics its pattern
matches (`*` stands for any run of characters). A CONDITIONAL rule looks at the payload: its first
condition that holds names the dataset, else its default does, else the next rule is asked.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum

from attrs import frozen

from domain.ids import DatasetUrn

FieldValues = Callable[[str], Sequence[object]]
"""Tells which values a JSONPath selects in the payload."""


class ResolutionType(StrEnum):
    EXACT = "EXACT"
    WILDCARD = "WILDCARD"
    CONDITIONAL = "CONDITIONAL"


class ConditionOperator(StrEnum):
    EQUALS = "EQUALS"
    NOT_EQUALS = "NOT_EQUALS"
    IN = "IN"
    NOT_IN = "NOT_IN"
    EXISTS = "EXISTS"
    NOT_EXISTS = "NOT_EXISTS"
    GREATER_THAN = "GREATER_THAN"
    LESS_THAN = "LESS_THAN"
    STARTS_WITH = "STARTS_WITH"
    ENDS_WITH = "ENDS_WITH"
    CONTAINS = "CONTAINS"


@frozen
class Condition:
    field: str
    operator: ConditionOperator
    dataset_urn: DatasetUrn
    value: object = None

    def holds(self, values: FieldValues) -> bool:
        return _VERDICTS[self.operator](values(self.field), self.value)


@frozen
class Rule:
    name: str
    topic_pattern: str
    resolution_type: ResolutionType
    priority: int
    conditions: tuple[Condition, ...] = ()
    default_dataset_urn: DatasetUrn | None = None


@frozen
class OwnedRule:
    """A rule and the dataset whose configuration it is part of."""

    owner: DatasetUrn
    rule: Rule


@frozen
class Step:
    """What one rule said."""

    rule: OwnedRule
    dataset: DatasetUrn | None
    reason: str


@frozen
class Resolution:
    """The dataset, if any rule named one, and the steps that led there; the last one won."""

    dataset: DatasetUrn | None
    steps: Sequence[Step]


def resolve(rules: Iterable[OwnedRule], topic: str, values: FieldValues) -> Resolution:
    steps: list[Step] = []
    for owned in sorted((r for r in rules if matches(r.rule.topic_pattern, topic)), key=_rank):
        steps.append(_ask(owned, topic, values))
        if steps[-1].dataset is not None:
            break
    return Resolution(steps[-1].dataset if steps else None, steps)


def matches(pattern: str, topic: str) -> bool:
    first, *rest = pattern.split("*")
    if not rest:
        return pattern == topic
    *middle, last = rest
    if len(first) + len(last) > len(topic) or not topic.startswith(first):
        return False
    # Leftmost finds decide in linear time what a regular expression may backtrack over.
    at, end = len(first), len(topic) - len(last)
    for part in middle:
        at = topic.find(part, at, end)
        if at < 0:
            return False
        at += len(part)
    return topic.endswith(last)


def _rank(owned: OwnedRule) -> tuple[int, bool, int, str, str]:
    pattern = owned.rule.topic_pattern
    literal = len(pattern.replace("*", ""))
    return (-owned.rule.priority, "*" in pattern, -literal, owned.rule.name, owned.owner)


def _ask(owned: OwnedRule, topic: str, values: FieldValues) -> Step:
    rule = owned.rule
    if rule.resolution_type is not ResolutionType.CONDITIONAL:
        how = "is the topic" if rule.topic_pattern == topic else "matches the topic"
        return Step(owned, owned.owner, f"{rule.topic_pattern} {how}")
    for number, condition in enumerate(rule.conditions, start=1):
        if condition.holds(values):
            said = f"condition {number} holds: {condition.field} {condition.operator}"
            return Step(owned, condition.dataset_urn, said)
    if rule.default_dataset_urn is not None:
        return Step(owned, rule.default_dataset_urn, "no condition holds; the default applies")
    return Step(owned, None, "no condition holds and there is no default")


def _same(one: object, other: object) -> bool:
    # JSON's true is not its 1, although Python's is.
    return isinstance(one, bool) == isinstance(other, bool) and one == other


def _among(one: object, others: object) -> bool:
    return isinstance(others, list | tuple) and any(_same(one, other) for other in others)


def _ordered(one: object, other: object) -> Iterator[tuple[float, float] | tuple[str, str]]:
    """The pair when it can be compared: two numbers or two texts."""
    if isinstance(one, str) and isinstance(other, str):
        yield one, other
    elif _is_number(one) and _is_number(other):
        yield one, other  # type: ignore[misc]  # both were just shown to be numbers


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _texts(one: object, other: object, test: Callable[[str, str], bool]) -> bool:
    return isinstance(one, str) and isinstance(other, str) and test(one, other)


_VERDICTS: dict[ConditionOperator, Callable[[Sequence[object], object], bool]] = {
    ConditionOperator.EQUALS: lambda found, value: any(_same(f, value) for f in found),
    ConditionOperator.NOT_EQUALS: lambda found, value: (
        bool(found) and not any(_same(f, value) for f in found)
    ),
    ConditionOperator.IN: lambda found, value: any(_among(f, value) for f in found),
    ConditionOperator.NOT_IN: lambda found, value: (
        bool(found) and not any(_among(f, value) for f in found)
    ),
    ConditionOperator.EXISTS: lambda found, value: bool(found),
    ConditionOperator.NOT_EXISTS: lambda found, value: not found,
    ConditionOperator.GREATER_THAN: lambda found, value: any(
        a > b  # type: ignore[operator]  # _ordered yields only pairs of one kind
        for f in found
        for a, b in _ordered(f, value)
    ),
    ConditionOperator.LESS_THAN: lambda found, value: any(
        a < b  # type: ignore[operator]  # _ordered yields only pairs of one kind
        for f in found
        for a, b in _ordered(f, value)
    ),
    ConditionOperator.STARTS_WITH: lambda found, value: any(
        _texts(f, value, str.startswith) for f in found
    ),
    ConditionOperator.ENDS_WITH: lambda found, value: any(
        _texts(f, value, str.endswith) for f in found
    ),
    ConditionOperator.CONTAINS: lambda found, value: any(
        _texts(f, value, str.__contains__) for f in found
    ),
}
