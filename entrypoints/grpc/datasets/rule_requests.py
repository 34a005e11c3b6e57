"""What callers send about resolution rules."""

from domain.dataset.resolution_rules import Condition, Operator, ResolutionType, Rule
from domain.dataset.rule_validation import MOST_CONDITIONS
from domain.errors import Violation
from domain.ids import DatasetUrn
from domain.validation import required
from entrypoints.grpc.fields.fields import chosen, no_more_than, present, said
from entrypoints.grpc.fields.json_values import value_said
from entrypoints.grpc.messages import datasets_pb2 as pb
from entrypoints.interfaces.rule_defaults import likely_operator, likely_type, usual_priority


def rule_said(sent: pb.ResolutionRule, found: list[Violation]) -> Rule:
    default = said(sent.default_dataset_urn)
    conditional = bool(sent.conditions or default)
    kind = chosen("resolution_type", sent.resolution_type, ResolutionType, found)
    found += required("topic_pattern", sent.topic_pattern)
    found += required("resolution_type", sent.resolution_type)
    kind = kind or likely_type(sent.topic_pattern, conditional=conditional)
    priority = present(sent, "priority")
    return Rule(
        name=sent.name,
        topic_pattern=sent.topic_pattern,
        resolution_type=kind,
        priority=usual_priority(kind) if priority is None else priority,
        conditions=tuple(
            _condition(f"conditions[{index}]", one, found)
            for index, one in enumerate(no_more_than(MOST_CONDITIONS, sent.conditions))
        ),
        default_dataset_urn=DatasetUrn(default) if default else None,
    )


def _condition(place: str, sent: pb.Condition, found: list[Violation]) -> Condition:
    operator = chosen(f"{place}.operator", sent.operator, Operator, found)
    for name in ("field", "operator", "dataset_urn"):
        found += required(f"{place}.{name}", getattr(sent, name))
    value = value_said(sent.value, f"{place}.value", found) if sent.HasField("value") else None
    return Condition(
        field=sent.field,
        operator=operator or likely_operator(value),
        dataset_urn=DatasetUrn(sent.dataset_urn),
        value=value,
    )
