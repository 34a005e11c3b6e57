"""Resolution rules, found by topic."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from attrs import field, frozen

from domain.dataset.resolution_rules import OwnedRule, Rule
from domain.ids import DatasetUrn


@frozen
class RuleBookKey:
    dataset: DatasetUrn


@frozen
class TopicRuleKey:
    topic_pattern: str
    name: str
    owner: DatasetUrn


@frozen
class RuleView:
    owner: DatasetUrn
    rule: Rule
    created_at: datetime
    updated_at: datetime


@frozen
class RuleBook:
    """The rules of one dataset. They resolve nothing while the dataset is retired."""

    dataset: DatasetUrn
    rules: Mapping[str, RuleView] = field(factory=dict)
    retired: bool = False


class RuleReadModel(Protocol):
    async def rules_of(self, dataset: DatasetUrn) -> Sequence[RuleView]:
        """Return a dataset's rules by name."""
        ...


class ResolutionMap(RuleReadModel, Protocol):
    async def rules_for(self, topic: str) -> Sequence[OwnedRule]:
        """Return every rule whose pattern may match the topic, in no order."""
        ...
