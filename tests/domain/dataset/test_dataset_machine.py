"""A dataset's configuration driven at random, beside a plain model of it."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from attrs import asdict, fields
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from domain.dataset.config import DatasetConfig, DatasetFact, DatasetStatus
from domain.dataset.resolution_rules import ResolutionType, Rule
from domain.dataset.settings import Settings, Source
from domain.dataset.tier import Tier
from domain.errors import AlreadyExists, DomainError, Impossible, NotFound, VersionMismatch
from domain.ids import DatasetUrn

ORDERS = DatasetUrn("urn:dp:orders:order_created:v1")

all_settings = st.builds(
    Settings,
    display_name=st.sampled_from(["Orders", "Payments"]),
    tier=st.sampled_from(Tier),
    owner_team=st.sampled_from(["orders", "payments"]),
    source=st.sampled_from([None, Source("KAFKA")]),
    retention_days=st.sampled_from([None, 90]),
)
field_names = st.lists(st.sampled_from([each.name for each in fields(Settings)]), unique=True)
rules = st.builds(
    Rule,
    name=st.sampled_from(["default", "other"]),
    topic_pattern=st.just("raw.orders"),
    resolution_type=st.just(ResolutionType.EXACT),
    priority=st.integers(0, 2),
)


class DatasetMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.config = DatasetConfig()
        self.facts: list[DatasetFact] = []
        self.status = DatasetStatus.UNREGISTERED
        self.version = 0
        self.settings: dict[str, Any] = asdict(Settings(), recurse=False)
        self.topics: dict[str, Rule] = {}

    # Some histories begin with what most of them need.
    @initialize(settings=all_settings, begin=st.booleans())
    def begin(self, settings: Settings, begin: bool) -> None:
        if begin:
            self.register(settings)

    @rule(settings=all_settings)
    def register(self, settings: Settings) -> None:
        def decide() -> Sequence[DatasetFact]:
            return self.config.register(ORDERS, settings)

        if self.status is not DatasetStatus.UNREGISTERED:
            self.refused(decide, AlreadyExists)
        else:
            self.recorded(decide, 1)
            self.status, self.version = DatasetStatus.ACTIVE, 1
            self.settings = asdict(settings, recurse=False)

    @rule(named=field_names, to=all_settings, ahead=st.sampled_from([None, 0, 0, -1, 1]))
    def reconfigure(self, named: list[str], to: Settings, ahead: int | None) -> None:
        expected = -1 if ahead is None else self.version + ahead

        def decide() -> Sequence[DatasetFact]:
            return self.config.reconfigure(named, to, expected_version=expected)

        changed = {n: getattr(to, n) for n in named if getattr(to, n) != self.settings[n]}
        if self.status is not DatasetStatus.ACTIVE:
            self.refused(decide, Impossible)
        elif expected not in (-1, self.version):
            self.refused(decide, VersionMismatch)
        else:
            self.recorded(decide, 1 if changed else 0)
            self.settings |= changed
            self.version += 1 if changed else 0

    @rule()
    def retire(self) -> None:
        self.switch(self.config.retire, DatasetStatus.RETIRED)

    @rule()
    def restore(self) -> None:
        self.switch(self.config.restore, DatasetStatus.ACTIVE)

    def switch(self, decide: Callable[[], Sequence[DatasetFact]], to: DatasetStatus) -> None:
        if self.status is DatasetStatus.UNREGISTERED:
            self.refused(decide, Impossible)
        else:
            self.recorded(decide, 0 if self.status is to else 1)
            self.status = to

    @rule(new=rules)
    def add_rule(self, new: Rule) -> None:
        def decide() -> Sequence[DatasetFact]:
            return self.config.add_rule(new)

        if self.status is not DatasetStatus.ACTIVE:
            self.refused(decide, Impossible)
        elif self.topics.get(new.name, new) != new:
            self.refused(decide, AlreadyExists)
        else:
            self.recorded(decide, 0 if new.name in self.topics else 1)
            self.topics[new.name] = new

    @rule(new=rules)
    def change_rule(self, new: Rule) -> None:
        def decide() -> Sequence[DatasetFact]:
            return self.config.change_rule(new)

        if self.status is not DatasetStatus.ACTIVE:
            self.refused(decide, Impossible)
        elif new.name not in self.topics:
            self.refused(decide, NotFound)
        else:
            self.recorded(decide, 0 if self.topics[new.name] == new else 1)
            self.topics[new.name] = new

    @rule(name=st.sampled_from(["default", "other"]))
    def remove_rule(self, name: str) -> None:
        def decide() -> Sequence[DatasetFact]:
            return self.config.remove_rule(name)

        if self.status is not DatasetStatus.ACTIVE:
            self.refused(decide, Impossible)
        elif name not in self.topics:
            self.refused(decide, NotFound)
        else:
            self.recorded(decide, 1)
            del self.topics[name]

    @invariant()
    def the_configuration_is_what_the_model_says(self) -> None:
        assert self.config.status is self.status
        assert self.config.config_version == self.version
        assert asdict(self.config.settings, recurse=False) == self.settings
        assert self.config.rules == self.topics

    @invariant()
    def folding_the_facts_again_gives_the_same_configuration(self) -> None:
        config = DatasetConfig()
        for fact in self.facts:
            config = config.after(fact)
        assert config == self.config

    def recorded(self, decide: Callable[[], Sequence[DatasetFact]], count: int) -> None:
        facts = decide()
        assert len(facts) == count
        for fact in facts:
            self.config = self.config.after(fact)
        self.facts += facts

    def refused(
        self, decide: Callable[[], Sequence[DatasetFact]], error: type[DomainError]
    ) -> None:
        with pytest.raises(error):
            decide()


TestDatasetMachine = DatasetMachine.TestCase
TestDatasetMachine.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)
