"""Resolution rules: which dataset a raw topic belongs to, and why."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from statestore_client.enums import DatasetStatus, Operator, ResolutionType
from statestore_client.models.answers import Answer, Violation


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """Names the dataset of payloads in which the field, a JSONPath, compares to the value."""

    field: str
    operator: Operator
    dataset_urn: str
    value: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A free name and a priority by type are chosen where none is said."""

    topic_pattern: str
    resolution_type: ResolutionType
    name: str | None = None
    priority: int | None = None
    conditions: tuple[Condition, ...] = ()
    default_dataset_urn: str | None = None
    dataset_urn: str | None = None
    """The dataset whose configuration it is in; told, as the moments are."""
    created_at: datetime | None = None
    updated_at: datetime | None = None
    answer: Answer | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolutionStep:
    """What one rule said."""

    rule: str
    owner_urn: str
    topic_pattern: str
    resolution_type: ResolutionType
    priority: int
    dataset_urn: str | None
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """The dataset of a topic and a payload: the rule that won, and all that were asked."""

    topic: str
    dataset_urn: str | None
    registered: bool
    status: DatasetStatus | None
    rule: ResolutionStep | None
    steps: tuple[ResolutionStep, ...]
    contract_violations: tuple[Violation, ...]
