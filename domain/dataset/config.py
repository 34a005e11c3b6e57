"""A dataset as it is registered: its settings, version by version, and its resolution rules."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import assert_never

from attrs import evolve, field, frozen

from domain.dataset.resolution_rules import Rule
from domain.dataset.settings import Settings
from domain.errors import AlreadyExists, Impossible, NotFound, VersionMismatch
from domain.ids import DatasetUrn
from domain.versions import ANY_VERSION

MOST_RULES = 100


class DatasetStatus(StrEnum):
    UNREGISTERED = "UNREGISTERED"
    ACTIVE = "ACTIVE"
    RETIRED = "RETIRED"


# Facts. Names and fields are the storage format: to change one, add an upcast.


@frozen
class Registered:
    dataset: DatasetUrn
    settings: Settings


@frozen
class Reconfigured:
    """The named fields have new values; what `to` says about other fields means nothing."""

    fields: tuple[str, ...]
    to: Settings
    config_version: int


@frozen
class Retired:
    pass


@frozen
class Restored:
    pass


@frozen
class RuleAdded:
    rule: Rule


@frozen
class RuleChanged:
    rule: Rule


@frozen
class RuleRemoved:
    name: str


DatasetFact = Registered | Reconfigured | Retired | Restored | RuleAdded | RuleChanged | RuleRemoved


@frozen
class DatasetConfig:
    status: DatasetStatus = DatasetStatus.UNREGISTERED
    config_version: int = 0
    settings: Settings = field(factory=Settings)
    rules: Mapping[str, Rule] = field(factory=dict)

    # Decisions: what may happen next. Repeating one yields no facts.

    def register(self, dataset: DatasetUrn, settings: Settings) -> Sequence[DatasetFact]:
        if self.status is not DatasetStatus.UNREGISTERED:
            raise AlreadyExists("dataset", dataset, version=self.config_version)
        return [Registered(dataset, settings)]

    def reconfigure(
        self, named: Sequence[str], to: Settings, *, expected_version: int
    ) -> Sequence[DatasetFact]:
        """Give the named fields the values they have in `to`."""
        self._must_be_active("update")
        self.at(expected_version)
        changed = tuple(
            name
            for name in dict.fromkeys(named)
            if getattr(to, name) != getattr(self.settings, name)
        )
        if not changed:
            return []
        return [Reconfigured(changed, _only(changed, to), self.config_version + 1)]

    def retire(self) -> Sequence[DatasetFact]:
        self._must_be_registered("retire")
        return [] if self.status is DatasetStatus.RETIRED else [Retired()]

    def restore(self) -> Sequence[DatasetFact]:
        self._must_be_registered("restore")
        return [] if self.status is DatasetStatus.ACTIVE else [Restored()]

    def at(self, expected_version: int, status: DatasetStatus | None = None) -> "DatasetConfig":
        """Raises VersionMismatch if the configuration is at another version or status."""
        elsewhere = expected_version not in (ANY_VERSION, self.config_version)
        if elsewhere or status not in (None, self.status):
            raise VersionMismatch("dataset", expected_version, self.config_version)
        return self

    def add_rule(self, rule: Rule) -> Sequence[DatasetFact]:
        self._must_be_active("add a resolution rule to")
        if rule.name in self.rules:
            if self.rules[rule.name] == rule:
                return []
            raise AlreadyExists("resolution rule", rule.name, version=self.config_version)
        if len(self.rules) >= MOST_RULES:
            limit = f"at its limit of {MOST_RULES} rules"
            raise Impossible("dataset", self.status, "add a rule to", limit)
        return [RuleAdded(rule)]

    def change_rule(self, rule: Rule) -> Sequence[DatasetFact]:
        self._must_be_active("change a resolution rule of")
        if rule.name not in self.rules:
            raise NotFound("resolution rule", rule.name)
        return [] if self.rules[rule.name] == rule else [RuleChanged(rule)]

    def remove_rule(self, name: str) -> Sequence[DatasetFact]:
        self._must_be_active("remove a resolution rule of")
        if name not in self.rules:
            raise NotFound("resolution rule", name)
        return [RuleRemoved(name)]

    def free_rule_name(self) -> str:
        """The name of a rule whose author did not give one."""
        if "default" not in self.rules:
            return "default"
        return next(
            name for n in range(2, MOST_RULES + 3) if (name := f"default-{n}") not in self.rules
        )

    def _must_be_registered(self, attempted: str) -> None:
        if self.status is DatasetStatus.UNREGISTERED:
            raise Impossible("dataset", self.status, attempted)

    def _must_be_active(self, attempted: str) -> None:
        if self.status is not DatasetStatus.ACTIVE:
            raise Impossible("dataset", self.status, attempted)

    # Evolution: what has happened. Never refuses.

    def after(self, fact: DatasetFact) -> "DatasetConfig":
        match fact:
            case Registered():
                return DatasetConfig(DatasetStatus.ACTIVE, 1, fact.settings)
            case Reconfigured():
                settings = reconfigured(self.settings, fact)
                return evolve(self, config_version=fact.config_version, settings=settings)
            case Retired():
                return evolve(self, status=DatasetStatus.RETIRED)
            case Restored():
                return evolve(self, status=DatasetStatus.ACTIVE)
            case RuleAdded(rule) | RuleChanged(rule):
                return evolve(self, rules={**self.rules, rule.name: rule})
            case RuleRemoved(name):
                rest = {other: rule for other, rule in self.rules.items() if other != name}
                return evolve(self, rules=rest)
            case _:
                assert_never(fact)


def reconfigured(settings: Settings, fact: Reconfigured) -> Settings:
    return evolve(settings, **{name: getattr(fact.to, name) for name in fact.fields})


def _only(named: Sequence[str], settings: Settings) -> Settings:
    return Settings(**{name: getattr(settings, name) for name in named})
