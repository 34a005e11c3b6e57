"""What callers send about resolution rules."""

from typing import Any

from domain.dataset.resolution_rules import Condition, ConditionOperator, ResolutionType, Rule
from domain.dataset.rule_validation import MOST_CONDITIONS, RuleReport
from domain.ids import DatasetUrn
from domain.validation import required
from entrypoints.grpc.fields.fields import enum_or_none, no_more_than, present, said, unknown
from entrypoints.grpc.fields.json_values import parse_value
from entrypoints.grpc.messages import datasets_pb2 as pb
from entrypoints.interfaces.rule_defaults import likely_operator, likely_type, usual_priority
from entrypoints.interfaces.sent import Sent, unreadable


def rule_report(sent: pb.ResolutionRule) -> RuleReport:
    """The rule as it was sent, with what cannot be read of it."""
    default = said(sent.default_dataset_urn)
    kind = enum_or_none(sent.resolution_type, ResolutionType) or likely_type(
        sent.topic_pattern, conditional=bool(sent.conditions or default)
    )
    priority = present(sent, "priority")
    conditions = [
        _condition(f"conditions[{index}]", one)
        for index, one in enumerate(no_more_than(MOST_CONDITIONS, sent.conditions))
    ]
    rule = Rule(
        name=sent.name,
        topic_pattern=sent.topic_pattern,
        resolution_type=kind,
        priority=usual_priority(kind) if priority is None else priority,
        conditions=tuple(one.value for one in conditions),
        default_dataset_urn=DatasetUrn(default) if default else None,
    )
    own = (
        *unknown("resolution_type", sent.resolution_type, ResolutionType),
        *required("topic_pattern", sent.topic_pattern),
        *required("resolution_type", sent.resolution_type),
    )
    return RuleReport(rule, (*own, *unreadable(*conditions)))


def _condition(place: str, sent: pb.Condition) -> Sent[Condition]:
    value: Sent[Any] = Sent(None)
    if sent.HasField("value"):
        value = parse_value(sent.value, f"{place}.value")
    condition = Condition(
        field=sent.field,
        operator=enum_or_none(sent.operator, ConditionOperator) or likely_operator(value.value),
        dataset_urn=DatasetUrn(sent.dataset_urn),
        value=value.value,
    )
    violations = (
        *unknown(f"{place}.operator", sent.operator, ConditionOperator),
        *required(f"{place}.field", sent.field),
        *required(f"{place}.operator", sent.operator),
        *required(f"{place}.dataset_urn", sent.dataset_urn),
        *value.violations,
    )
    return Sent(condition, violations)
