"""Incidents over random histories: slots and links always tell the truth."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import combinations
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from domain.errors import DomainError
from domain.ids import DatasetUrn, FailureSignature, IncidentId, SignalType
from domain.incident.decisions import Incident
from domain.incident.patch import Change
from domain.incident.reservations import faults
from domain.incident.values import Resolution
from domain.streams import Stream
from tests.domain.incident.incidents import (
    NOON,
    ORDERS,
    PAYMENTS,
    Decide,
    World,
    case,
    changing,
    merging,
    opening,
    splitting,
)

SIGNATURES = [FailureSignature(f"MISSING_FIELD:f{n}") for n in range(5)]
SIGNALS = [SignalType("FRESHNESS"), SignalType("VOLUME")]
NAMES = [IncidentId(f"INC-{n}") for n in range(4)]
DATASETS = [ORDERS, PAYMENTS]

signatures = st.lists(st.sampled_from(SIGNATURES), min_size=1, max_size=2, unique=True)
signals = st.lists(st.sampled_from(SIGNALS), min_size=1, max_size=2, unique=True)
names = st.sampled_from(NAMES)
datasets = st.sampled_from(DATASETS)
some = st.lists(st.sampled_from(SIGNATURES), max_size=2, unique=True).map(tuple)

Attempt = tuple[Sequence[Stream[Any]], Decide]

attempts: st.SearchStrategy[Any] = st.one_of(
    st.tuples(st.just("open"), names, signatures, signals, datasets),
    st.tuples(st.just("merge"), names, names).filter(lambda said: said[1] != said[2]),
    st.tuples(st.just("split"), names),
    st.tuples(st.just("attach"), names, some, signals),
    st.tuples(st.sampled_from(["resolve", "reopen"]), names, some, st.just([])),
)


class IncidentMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.world = World.with_orders()
        self.now = NOON

    @initialize(evaluated=st.lists(st.sampled_from(SIGNALS), unique=True))
    def begin(self, evaluated: Sequence[SignalType]) -> None:
        for signal in evaluated:
            self.world.evaluate(signal)

    @rule(signal=st.sampled_from(SIGNALS), dataset=datasets)
    def evaluate(self, signal: SignalType, dataset: DatasetUrn) -> None:
        self.world.evaluate(signal, dataset)

    @rule(days=st.integers(1, 5))
    def wait(self, days: int) -> None:
        self.now += timedelta(days=days)

    @rule(said=attempts)
    def attempt(self, said: Any) -> None:
        self.tried(said)

    @rule(said=attempts)
    def attempt_twice(self, said: Any) -> None:
        if self.tried(said):
            again = self.world.version
            before = {stream: again(stream) for stream in self.world.facts}
            self.tried(said)
            assert {stream: again(stream) for stream in self.world.facts} == before

    @rule(one=attempts, other=attempts)
    def race(self, one: Any, other: Any) -> None:
        """Both decide on the same facts; whoever is second finds them moved and decides again."""
        decided = []
        for said in (one, other):
            try:
                decided.append((said, *self.world.decided(*attempt(said, self.now))))
            except DomainError:
                continue
        for said, decision, versions in decided:
            if all(self.world.version(stream) == seen for stream, seen in versions.items()):
                self.world.record(decision)
            else:
                self.tried(said)

    def tried(self, said: Any) -> bool:
        try:
            self.world.happen(*attempt(said, self.now))
        except DomainError:
            return False
        return True

    @invariant()
    def no_two_open_incidents_share_a_fault(self) -> None:
        for one, other in combinations(self.open.values(), 2):
            assert not set(faults(one)) & set(faults(other))

    @invariant()
    def a_slot_is_held_by_the_open_incident_about_its_fault(self) -> None:
        slots = {(d, s): self.world.holder(s, d) for d in DATASETS for s in SIGNATURES}
        held = {slot: name for slot, name in slots.items() if name}
        told = {
            (fault.dataset, fault.signature): name
            for name, incident in self.open.items()
            for fault in faults(incident)
        }
        assert held == told

    @invariant()
    def signals_are_linked_to_open_incidents_about_them_only(self) -> None:
        for dataset in DATASETS:
            for signal in SIGNALS:
                links = self.world.links(signal, dataset)
                assert len(set(links)) == len(links)
                for name in links:
                    assert signal in self.open[name].about(dataset).signals

    @invariant()
    def what_is_merged_is_absorbed_by_the_other_one_until_that_is_split(self) -> None:
        for name in NAMES:
            incident = self.world.incident(name)
            if incident.merged_into:
                other = self.world.incident(incident.merged_into)
                assert other.absorbed[name] == incident.concerns

    @property
    def open(self) -> dict[IncidentId, Incident]:
        found = {name: self.world.incident(name) for name in NAMES}
        return {name: incident for name, incident in found.items() if incident.is_open}


def attempt(said: Any, now: datetime) -> Attempt:
    match said:
        case "open", name, signatures, signals, dataset:
            return opening(name, case(*signatures, signals=signals, dataset=dataset), now)
        case "merge", name, into:
            return merging(name, into, now)
        case "split", name:
            return splitting(name, now)
        case "attach", name, signatures, signals:
            return changing(name, Change(signatures=signatures, signals=tuple(signals)), now)
        case "resolve", name, signatures, _:
            wanted = Change(signatures=signatures, resolution=Resolution("x"))
            return changing(name, wanted, now)
        case _, name, signatures, _:
            return changing(name, Change(reopen=True, signatures=signatures), now)
    raise AssertionError(said)


TestIncidentMachine = IncidentMachine.TestCase
TestIncidentMachine.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)
