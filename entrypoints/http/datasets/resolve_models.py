"""Resolving a topic in JSON: the question, and the answer with all its reasons."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from application.datasets.resolution import Resolved
from domain.dataset.config import DatasetStatus
from domain.dataset.resolution_rules import ResolutionType, Step
from entrypoints.http.description.examples import RESOLVE
from entrypoints.http.problems import Violation
from entrypoints.http.validation.models import Body


class ResolveRequest(Body):
    model_config = ConfigDict(json_schema_extra={"examples": [RESOLVE]})

    required = ("topic",)

    topic: str | None = Field(None, json_schema_extra={"minLength": 1, "maxLength": 249})
    payload: Any = Field(None, description="The record, as conditional rules look into it.")


class ResolutionStep(BaseModel):
    """What one rule said."""

    rule: str = Field(description="The rule's name.")
    owner_urn: str = Field(description="The dataset whose configuration the rule is in.")
    topic_pattern: str
    resolution_type: ResolutionType
    priority: int
    dataset_urn: str | None = Field(description="The dataset that the rule names, if any.")
    reason: str

    @classmethod
    def of(cls, step: Step) -> "ResolutionStep":
        rule = step.rule.rule
        return cls(
            rule=rule.name,
            owner_urn=step.rule.owner,
            topic_pattern=rule.topic_pattern,
            resolution_type=rule.resolution_type,
            priority=rule.priority,
            dataset_urn=step.dataset,
            reason=step.reason,
        )


class ResolveResponse(BaseModel):
    topic: str
    dataset_urn: str | None = Field(description="Null when no rule names a dataset.")
    registered: bool = Field(description="Whether the dataset is registered.")
    status: DatasetStatus | None = Field(json_schema_extra={"enum": ["ACTIVE", "RETIRED", None]})
    rule: ResolutionStep | None = Field(description="The rule that won, and why.")
    steps: list[ResolutionStep] = Field(description="All rules asked, in order.")
    contract_violations: list[Violation] = Field(
        description="How the payload breaks the dataset's contract."
    )

    @classmethod
    def of(cls, topic: str, resolved: Resolved) -> "ResolveResponse":
        steps = [ResolutionStep.of(step) for step in resolved.resolution.steps]
        found = resolved.resolution.dataset is not None
        return cls(
            topic=topic,
            dataset_urn=resolved.resolution.dataset,
            registered=resolved.dataset is not None,
            status=resolved.dataset.status if resolved.dataset else None,
            rule=steps[-1] if found else None,
            steps=steps,
            contract_violations=[Violation.of(one) for one in resolved.broken],
        )
