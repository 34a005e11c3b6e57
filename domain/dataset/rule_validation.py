"""A resolution rule as sent, and its validation (S0-090..S0-097)."""

import re
from collections.abc import Callable, Iterator

from attrs import evolve, frozen

from domain.dataset.resolution_rules import Condition, ConditionOperator, ResolutionType, Rule
from domain.errors import Violation
from domain.ids import is_dataset_urn
from domain.validation import integer, number, required, text
from domain.violations import refuse_any

PathProblem = Callable[[str], str | None]
"""Tells why a JSONPath cannot be used; the engine that will follow it knows."""

MOST_CONDITIONS = 50
MOST_CHOICES = 100
MOST_STARS = 5
LONGEST_PATH = 200
LONGEST_VALUE = 500

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")
_TOPIC = re.compile(r"[A-Za-z0-9._*-]{1,249}")


@frozen
class RuleReport:
    """A rule as it was sent: nothing is checked yet. One that is added may have no name."""

    rule: Rule
    unreadable: tuple[Violation, ...] = ()
    """What the interface could not read."""

    def parse(self, path_problem: PathProblem, *, unnamed: str = "") -> Rule:
        """The rule, called `unnamed` if it was sent without a name.

        Raises:
            Invalid: With every violation, those of unreadable fields included.
        """
        rule = self.rule if self.rule.name else evolve(self.rule, name=unnamed)
        refuse_any(self.unreadable, _violations(rule, path_problem))
        return rule


def _violations(rule: Rule, path_problem: PathProblem) -> Iterator[Violation]:
    if not _NAME.fullmatch(rule.name):
        allowed = "must have 1 to 100 letters, digits, _, . and -, and begin with a letter or digit"
        yield Violation("name", "MALFORMED", allowed)
    yield from _topic(rule)
    yield from integer("priority", rule.priority, least=0, most=1000)
    if rule.resolution_type is ResolutionType.CONDITIONAL:
        yield from _conditional(rule, path_problem)
    else:
        yield from _unconditional(rule)


def _topic(rule: Rule) -> Iterator[Violation]:
    field, pattern, stars = "topic_pattern", rule.topic_pattern, rule.topic_pattern.count("*")
    if not _TOPIC.fullmatch(pattern):
        yield Violation(field, "MALFORMED", "must have 1 to 249 letters, digits, ., _, - and *")
    if stars > MOST_STARS:
        yield Violation(field, "TOO_MANY", f"must have at most {MOST_STARS} *")
    if rule.resolution_type is ResolutionType.EXACT and stars:
        yield Violation(field, "INCONSISTENT", "must name one topic; with a * use WILDCARD")
    if rule.resolution_type is ResolutionType.WILDCARD and not stars:
        yield Violation(field, "INCONSISTENT", "must have a *; to name one topic use EXACT")


def _unconditional(rule: Rule) -> Iterator[Violation]:
    only = f"must be left out: {rule.resolution_type} rules are without conditions"
    if rule.conditions:
        yield Violation("conditions", "INCONSISTENT", only)
    if rule.default_dataset_urn is not None:
        yield Violation("default_dataset_urn", "INCONSISTENT", only)


def _conditional(rule: Rule, path_problem: PathProblem) -> Iterator[Violation]:
    default = rule.default_dataset_urn
    if not rule.conditions and default is None:
        yield Violation("conditions", "REQUIRED", "are required where there is no default")
    if len(rule.conditions) > MOST_CONDITIONS:
        yield Violation("conditions", "TOO_MANY", f"must be at most {MOST_CONDITIONS}")
    for index, condition in enumerate(rule.conditions[:MOST_CONDITIONS]):
        yield from _condition(f"conditions[{index}]", condition, path_problem)
    if default is not None:
        yield from _urn("default_dataset_urn", default)


def _condition(place: str, condition: Condition, path_problem: PathProblem) -> Iterator[Violation]:
    field = f"{place}.field"
    broken = [
        *required(field, condition.field),
        *text(field, condition.field, most=LONGEST_PATH),
    ]
    yield from broken
    if not broken and (problem := path_problem(condition.field)) is not None:
        yield Violation(field, "MALFORMED", problem)
    yield from _urn(f"{place}.dataset_urn", condition.dataset_urn)
    yield from _value(f"{place}.value", condition.operator, condition.value)


def _urn(field: str, urn: str) -> Iterator[Violation]:
    if not is_dataset_urn(urn):
        yield Violation(field, "MALFORMED", "must look like urn:dp:<domain>:<name>:v<n>")


def _value(field: str, operator: ConditionOperator, value: object) -> Iterator[Violation]:
    match operator:
        case ConditionOperator.EXISTS | ConditionOperator.NOT_EXISTS:
            if value is not None:
                yield Violation(field, "INCONSISTENT", f"must be left out for {operator}")
        case _ if value is None:
            yield from required(field, value)
        case ConditionOperator.EQUALS | ConditionOperator.NOT_EQUALS:
            yield from _scalar(field, value)
        case ConditionOperator.IN | ConditionOperator.NOT_IN:
            yield from _choices(field, value)
        case ConditionOperator.GREATER_THAN | ConditionOperator.LESS_THAN:
            yield from _comparable(field, value)
        case (
            ConditionOperator.STARTS_WITH | ConditionOperator.ENDS_WITH | ConditionOperator.CONTAINS
        ):
            yield from _part(field, value)


def _scalar(field: str, value: object) -> Iterator[Violation]:
    match value:
        case bool():
            pass
        case str():
            yield from text(field, value, most=LONGEST_VALUE)
        case int() | float():
            yield from number(field, value)
        case _:
            yield Violation(field, "WRONG_TYPE", "must be a text, a number, true or false")


def _choices(field: str, value: object) -> Iterator[Violation]:
    if not isinstance(value, list | tuple) or not value:
        yield Violation(field, "WRONG_TYPE", "must be a list with at least one value")
        return
    if len(value) > MOST_CHOICES:
        yield Violation(field, "TOO_MANY", f"must have at most {MOST_CHOICES} values")
    for index, choice in enumerate(value[:MOST_CHOICES]):
        yield from _scalar(f"{field}[{index}]", choice)


def _comparable(field: str, value: object) -> Iterator[Violation]:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        yield Violation(field, "WRONG_TYPE", "must be a number or a text")
    else:
        yield from _scalar(field, value)


def _part(field: str, value: object) -> Iterator[Violation]:
    if not isinstance(value, str) or not value:
        yield Violation(field, "WRONG_TYPE", "must be a text that is not empty")
    else:
        yield from _scalar(field, value)
