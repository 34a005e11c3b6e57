"""
Any steps through any interfaces, in any order: all three tell the same of everything afterwards.

Nothing is said about which steps succeed. What is refused through one interface is refused with the
same words through the others, as far as they offer the step.
"""

from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from domain.timestamps import stamp
from tests.entrypoints.http.api import NOW, ORDERS, ORDERS_DATASET, update
from tests.scenarios.questions import PAYMENTS, SIGNAL, VOLUME
from tests.scenarios.requests import LATE, MISSING, PLAIN_DATASET, fault, spec
from tests.scenarios.scene import INTERFACES, Scene, Step, scene
from tests.support.scale import scaled

interfaces = st.sampled_from(INTERFACES)
datasets = st.sampled_from([ORDERS, PAYMENTS])
incidents = st.sampled_from(["INC-1", "INC-2"])
signal_types = st.sampled_from([SIGNAL, VOLUME])
states = st.sampled_from(["OK", "WARNING", "CRITICAL", "UNKNOWN"])
versions = st.sampled_from([-1, -1, 0, 1, 2, 3])
texts = st.none() | st.sampled_from(["", "reason", "schön\n😀", "x" * 10_001])
settings_said = st.fixed_dictionaries(
    {},
    optional={
        "tier": st.sampled_from(["TIER_1", "TIER_3", "TIER_9"]),
        "description": texts,
        "owner_team": st.sampled_from(["orders", "", "not a team"]),
        "retention_days": st.sampled_from([None, 1, 0, 365]),
        "pii_policy": st.none() | st.just({"scan_enabled": False}),
        "incident_policy": st.none() | st.just({"auto_resolve": False}),
    },
)
resolutions = st.fixed_dictionaries(
    {"root_cause": st.sampled_from(["a deploy", ""])},
    optional={
        "mitigation": texts,
        "resolved_by": st.sampled_from(["joe", None]),
        "reason": st.sampled_from(["FIXED", "FALSE_POSITIVE"]),
        "false_positive": st.just(True),
    },
)


class AnySteps(RuleBasedStateMachine):
    engine = "memory"

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.opened = scene(self.engine, Path(self.folder.name), INTERFACES[0])
        self.scene: Scene = self.opened.__enter__()

    def teardown(self) -> None:
        try:
            self.scene.look_back()
        finally:
            self.opened.__exit__(None, None, None)
            self.folder.cleanup()

    @initialize()
    def a_breach(self) -> None:
        """Enough for most steps to be possible."""
        http = self.scene.drivers["http"]
        http.register(ORDERS_DATASET)
        http.register(PLAIN_DATASET)
        http.report(ORDERS, SIGNAL, update(1, "CRITICAL"))
        http.open_incident(fault("INC-1"))
        http.open_incident(fault("INC-2", PAYMENTS, LATE))

    def take(self, through: str, step: Step) -> None:
        self.scene.through = through
        self.scene.tried(step)

    @rule(through=interfaces, urn=datasets)
    def register(self, through: str, urn: str) -> None:
        said = ORDERS_DATASET if urn == ORDERS else PLAIN_DATASET
        self.take(through, lambda by: by.register(said))

    @rule(through=interfaces, urn=datasets, said=settings_said, version=versions)
    def change_dataset(self, through: str, urn: str, said: Any, version: int) -> None:
        change = {**said, "expected_version": version}
        self.take(through, lambda by: by.change_dataset(urn, change))

    @rule(through=interfaces, urn=datasets)
    def retire(self, through: str, urn: str) -> None:
        self.take(through, lambda by: by.retire(urn))

    @rule(through=interfaces, urn=datasets)
    def restore(self, through: str, urn: str) -> None:
        self.take(through, lambda by: by.restore(urn))

    @rule(
        through=interfaces,
        urn=datasets,
        signal_type=signal_types,
        window=st.integers(0, 5),
        state=states,
        version=versions,
    )
    def report(
        self, through: str, urn: str, signal_type: str, window: int, state: str, version: int
    ) -> None:
        said = update(window, state, expected_version=version)
        self.take(through, lambda by: by.report(urn, signal_type, said))

    @rule(
        through=interfaces,
        name=incidents,
        urn=datasets,
        signature=st.sampled_from([MISSING, LATE, "nothing"]),
        severity=st.sampled_from(["SEV_1", "SEV_3", "SEV_4"]),
    )
    def open_incident(
        self, through: str, name: str, urn: str, signature: str, severity: str
    ) -> None:
        said = fault(name, urn, signature, severity=severity)
        self.take(through, lambda by: by.open_incident(said))

    @rule(through=interfaces, name=incidents, version=versions)
    def acknowledge(self, through: str, name: str, version: int) -> None:
        self.take(through, lambda by: by.acknowledge(name, expected_version=version))

    @rule(through=interfaces, name=incidents, user=st.sampled_from(["joe", None]))
    def assign(self, through: str, name: str, user: str | None) -> None:
        self.take(through, lambda by: by.assign(name, oncall_user=user))

    @rule(through=interfaces, name=incidents, hours=st.integers(-1, 721))
    def snooze(self, through: str, name: str, hours: int) -> None:
        until = stamp(NOW + timedelta(hours=hours))
        self.take(through, lambda by: by.snooze(name, until=until))

    @rule(through=interfaces, name=incidents)
    def wake(self, through: str, name: str) -> None:
        self.take(through, lambda by: by.wake(name))

    @rule(through=interfaces, name=incidents, resolution=resolutions)
    def resolve(self, through: str, name: str, resolution: Any) -> None:
        self.take(through, lambda by: by.resolve(name, resolution=resolution))

    @rule(through=interfaces, name=incidents, reason=texts)
    def reopen(self, through: str, name: str, reason: str | None) -> None:
        self.take(through, lambda by: by.reopen(name, reason=reason))

    @rule(through=interfaces, names=st.permutations(["INC-1", "INC-2"]))
    def merge(self, through: str, names: list[str]) -> None:
        self.take(through, lambda by: by.merge(names[0], into=names[1]))

    @rule(through=interfaces, name=incidents)
    def split(self, through: str, name: str) -> None:
        self.take(through, lambda by: by.split(name))

    @rule(through=interfaces, minutes=st.integers(0, 3), commit=st.sampled_from(["aaaaaaa", "bbb"]))
    def declare(self, through: str, minutes: int, commit: str) -> None:
        self.take(through, lambda by: by.declare(spec(commit, minutes)))


class AnyStepsOnDisk(AnySteps):
    engine = "embedded"


few = settings(
    max_examples=scaled(2, 40),
    stateful_step_count=scaled(10, 20),
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


def test_any_steps_in_memory() -> None:
    run_state_machine_as_test(AnySteps, settings=few)


def test_any_steps_on_disk() -> None:
    run_state_machine_as_test(AnyStepsOnDisk, settings=few)
