"""Resolution rules in JSON: what callers send and what they see."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from application.datasets.resolution_read_model import RuleView
from domain.dataset import resolution_rules as domain
from domain.dataset.resolution_rules import ConditionOperator, ResolutionType
from domain.ids import DatasetUrn
from domain.timestamps import stamp
from entrypoints.http.datasets.requests import Ignored, Urn
from entrypoints.http.datasets.settings_models import Chosen
from entrypoints.http.description.examples import CONDITIONAL_RULE, RULE
from entrypoints.http.validation.models import Body
from entrypoints.http.validation.timestamps import Stamp
from entrypoints.interfaces.rule_defaults import likely_operator, likely_type, usual_priority

Topic = Annotated[
    str, Field(json_schema_extra={"pattern": "^[A-Za-z0-9._*-]{1,249}$"}, examples=["raw.orders.*"])
]


class Condition(Body):
    """Names the dataset of payloads in which the field compares to the value."""

    required = ("field", "operator", "dataset_urn")

    field: str | None = Field(
        None,
        description="A JSONPath.",
        examples=["$.event_type"],
        json_schema_extra={"maxLength": 200},
    )
    operator: Annotated[ConditionOperator, Chosen] | None = None
    value: Any = Field(None, description="A list for IN and NOT_IN, nothing for EXISTS.")
    dataset_urn: Urn | None = None

    def to_domain(self) -> domain.Condition:
        return domain.Condition(
            field=self.field or "",
            operator=self.operator or likely_operator(self.value),
            dataset_urn=DatasetUrn(self.dataset_urn or ""),
            value=self.value,
        )


class ResolutionRuleRequest(Body):
    model_config = ConfigDict(json_schema_extra={"examples": [RULE, CONDITIONAL_RULE]})

    required = ("topic_pattern", "resolution_type")

    name: (
        Annotated[str, Field(json_schema_extra={"pattern": "^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$"})]
        | None
    ) = Field(None, description="A free one is chosen if there is none.")
    topic_pattern: Topic | None = None
    resolution_type: Annotated[ResolutionType, Chosen] | None = None
    priority: int | None = Field(
        None,
        description="The highest wins. 100 for EXACT and 50 for others, if nothing is said.",
        json_schema_extra={"minimum": 0, "maximum": 1000},
    )
    conditions: list[Condition] | None = None
    default_dataset_urn: Urn | None = None
    dataset_urn: str | None = Field(None, description="If sent, the one in the path.")
    created_at: Any = Ignored
    updated_at: Any = Ignored

    def rule(self, name: str) -> domain.Rule:
        default, pattern = self.default_dataset_urn, self.topic_pattern or ""
        conditional = bool(self.conditions or default)
        kind = self.resolution_type or likely_type(pattern, conditional=conditional)
        return domain.Rule(
            name=name,
            topic_pattern=pattern,
            resolution_type=kind,
            priority=usual_priority(kind) if self.priority is None else self.priority,
            conditions=tuple(one.to_domain() for one in self.conditions or ()),
            default_dataset_urn=None if default is None else DatasetUrn(default),
        )


class ResolutionRule(BaseModel):
    """Which topics belong to a dataset; `dataset_urn` is the one whose configuration it is in."""

    name: str
    dataset_urn: str
    topic_pattern: str
    resolution_type: ResolutionType
    priority: int
    conditions: list[Condition] | None
    default_dataset_urn: str | None
    created_at: Stamp | None = Field(description="Null right after a change, as the next one.")
    updated_at: Stamp | None

    @classmethod
    def of(cls, card: RuleView) -> "ResolutionRule":
        return cls.bare(card.owner, card.rule).model_copy(
            update={"created_at": stamp(card.created_at), "updated_at": stamp(card.updated_at)}
        )

    @classmethod
    def bare(cls, owner: DatasetUrn, rule: domain.Rule) -> "ResolutionRule":
        return cls(
            name=rule.name,
            dataset_urn=owner,
            topic_pattern=rule.topic_pattern,
            resolution_type=rule.resolution_type,
            priority=rule.priority,
            conditions=[_condition(one) for one in rule.conditions] or None,
            default_dataset_urn=rule.default_dataset_urn,
            created_at=None,
            updated_at=None,
        )


def _condition(one: domain.Condition) -> Condition:
    value = list(one.value) if isinstance(one.value, tuple) else one.value
    return Condition(
        field=one.field, operator=one.operator, value=value, dataset_urn=one.dataset_urn
    )


class ResolutionRulesResponse(BaseModel):
    rules: list[ResolutionRule]
