"""Resolution rules as callers see them, and what resolving a topic came to."""

from application.datasets.resolution import Resolved
from application.datasets.resolution_read_model import RuleView
from domain.dataset.resolution_rules import Condition, Rule, Step
from domain.ids import DatasetUrn
from entrypoints.grpc.fields.json_values import value_told
from entrypoints.grpc.fields.timestamps import timestamp
from entrypoints.grpc.messages import datasets_pb2 as pb
from entrypoints.grpc.messages.common_pb2 import AnswerInfo, Violation


def rule_card_told(card: RuleView, answer: AnswerInfo | None = None) -> pb.ResolutionRule:
    told = rule_told(card.owner, card.rule, answer)
    told.created_at.CopyFrom(timestamp(card.created_at))
    told.updated_at.CopyFrom(timestamp(card.updated_at))
    return told


def rule_told(owner: DatasetUrn, rule: Rule, answer: AnswerInfo | None = None) -> pb.ResolutionRule:
    """A rule of which no dates are known yet."""
    return pb.ResolutionRule(
        name=rule.name,
        dataset_urn=owner,
        topic_pattern=rule.topic_pattern,
        resolution_type=rule.resolution_type,
        priority=rule.priority,
        conditions=map(_condition, rule.conditions),
        default_dataset_urn=rule.default_dataset_urn,
        answer=answer,
    )


def _condition(condition: Condition) -> pb.Condition:
    return pb.Condition(
        field=condition.field,
        operator=condition.operator,
        value=value_told(condition.value),
        dataset_urn=condition.dataset_urn,
    )


def resolved_told(topic: str, resolved: Resolved) -> pb.ResolveDatasetResponse:
    steps = [_step(step) for step in resolved.resolution.steps]
    found = resolved.resolution.dataset is not None
    return pb.ResolveDatasetResponse(
        topic=topic,
        dataset_urn=resolved.resolution.dataset,
        registered=resolved.dataset is not None,
        status=resolved.dataset.status if resolved.dataset else None,
        rule=steps[-1] if found else None,
        steps=steps,
        contract_violations=[
            Violation(field=one.field, code=one.code, message=one.message)
            for one in resolved.broken
        ],
    )


def _step(step: Step) -> pb.ResolutionStep:
    rule = step.rule.rule
    return pb.ResolutionStep(
        rule=rule.name,
        owner_urn=step.rule.owner,
        topic_pattern=rule.topic_pattern,
        resolution_type=rule.resolution_type,
        priority=rule.priority,
        dataset_urn=step.dataset,
        reason=step.reason,
    )
