"""Incidents to test with, and a world of streams in which decisions are made and recorded."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import reduce
from typing import Any

from attrs import define, field

from domain.dataset.config import DatasetConfig, Registered
from domain.dataset.settings import Settings
from domain.ids import DatasetUrn, EvidenceId, FailureSignature, IncidentId, SignalType
from domain.incident.decisions import REOPENED_WITHIN, Incident
from domain.incident.fault_slot import FaultSlot
from domain.incident.merging import merge, split
from domain.incident.opening import open_or_join
from domain.incident.patch import Change, change
from domain.incident.report import Case
from domain.incident.reservations import Unread
from domain.incident.severity import Severity
from domain.incident.values import Resolution, ResolutionReason
from domain.signal.evaluation import Evaluation, Metrics, SignalStateEnum
from domain.signal.signal import SignalState
from domain.stream_categories import dataset_stream, fault_stream, incident_stream, signal_stream
from domain.streams import Decision, States, Stream
from domain.versions import ANY_VERSION

NOON = datetime(2026, 1, 15, 12, tzinfo=UTC)
ORDERS = DatasetUrn("urn:dp:orders:order_created:v1")
PAYMENTS = DatasetUrn("urn:dp:payments:payment_processed:v1")
COMPLIANCE, FRESHNESS = SignalType("CONTRACT_COMPLIANCE"), SignalType("FRESHNESS")
MISSING = FailureSignature("MISSING_FIELD:customer_id")
LATE = FailureSignature("LATE_DATA:processed_at")
ONE, TWO = IncidentId("INC-1"), IncidentId("INC-2")
FIXED = Resolution("v3.17 dropped a field", "rolled back", reason=ResolutionReason.ROLLED_BACK)

ZEROS: Mapping[str, Any] = {
    "dataset": DatasetConfig(),
    "fault": FaultSlot(),
    "incident": Incident(),
    "signal": SignalState(),
}


def evidence(number: int) -> EvidenceId:
    return EvidenceId(f"evd-{number:026}")


def case(
    *signatures: FailureSignature,
    signals: Sequence[SignalType] = (COMPLIANCE,),
    dataset: DatasetUrn = ORDERS,
    **more: Any,
) -> Case:
    given: dict[str, Any] = {"severity": Severity.SEV_1, **more}
    return Case(dataset, tuple(signals), signatures or (MISSING,), **given)


@define
class World:
    """The streams there are. A decision is made on what was read and recorded all at once."""

    facts: dict[Stream[Any], list[Any]] = field(factory=dict)

    @classmethod
    def with_orders(cls, *evaluated: SignalType) -> "World":
        settings = Settings(owner_team="orders-platform")
        world = cls({dataset_stream(d): [Registered(d, settings)] for d in (ORDERS, PAYMENTS)})
        for signal in evaluated:
            world.evaluate(signal)
        return world

    def state(self, stream: Stream[Any]) -> Any:
        zero = ZEROS[stream.partition("-")[0]]
        return reduce(lambda state, fact: state.after(fact), self.facts.get(stream, ()), zero)

    def incident(self, name: IncidentId) -> Incident:
        found: Incident = self.state(incident_stream(name))
        return found

    def holder(
        self, signature: FailureSignature, dataset: DatasetUrn = ORDERS
    ) -> IncidentId | None:
        slot: FaultSlot = self.state(fault_stream(dataset, signature))
        return slot.holder

    def links(self, signal: SignalType, dataset: DatasetUrn = ORDERS) -> Sequence[IncidentId]:
        state: SignalState = self.state(signal_stream(dataset, signal))
        return state.incidents

    # What happens.

    def evaluate(self, signal: SignalType, dataset: DatasetUrn = ORDERS) -> None:
        stream = signal_stream(dataset, signal)
        said = Evaluation(
            SignalStateEnum.CRITICAL, 0.5, NOON - timedelta(hours=1), NOON, Metrics(10, 5, 5), NOON
        )
        facts = self.state(stream).evaluate(said, expected_version=-1)
        self.record({stream: facts})

    def open(self, name: IncidentId, case: Case, at: datetime = NOON) -> Decision:
        return self.happen(*opening(name, case, at))

    def change(
        self, name: IncidentId, wanted: Change, at: datetime = NOON, expected: int = ANY_VERSION
    ) -> Decision:
        return self.happen(*changing(name, wanted, at, expected))

    def merge(self, name: IncidentId, into: IncidentId, expected: int = ANY_VERSION) -> Decision:
        return self.happen(*merging(name, into, NOON, expected))

    def split(self, name: IncidentId, expected: int = ANY_VERSION) -> Decision:
        return self.happen(*splitting(name, NOON, expected))

    def happen(self, reads: Sequence[Stream[Any]], decide: "Decide") -> Decision:
        decision, _ = self.decided(reads, decide)
        self.record(decision)
        return {stream: facts for stream, facts in decision.items() if facts}

    def decided(
        self, reads: Sequence[Stream[Any]], decide: "Decide"
    ) -> tuple[Decision, Mapping[Stream[Any], int]]:
        """The decision, and the versions of the streams it was made on."""
        streams = list(reads)
        while True:
            try:
                decision = decide({stream: self.state(stream) for stream in streams})
            except Unread as more:
                streams += more.streams
            else:
                assert set(decision) <= set(streams)
                return decision, {stream: self.version(stream) for stream in streams}

    def version(self, stream: Stream[Any]) -> int:
        return len(self.facts.get(stream, ()))

    def record(self, decision: Decision) -> None:
        for stream, facts in decision.items():
            self.facts.setdefault(stream, []).extend(facts)


Decide = Callable[[States], Decision]


def opening(name: IncidentId, case: Case, at: datetime) -> tuple[Sequence[Stream[Any]], Decide]:
    reads = [
        incident_stream(name),
        dataset_stream(case.dataset),
        *(fault_stream(case.dataset, signature) for signature in case.signatures),
        *(signal_stream(case.dataset, signal) for signal in case.signals),
    ]
    return reads, lambda states: open_or_join(states, case, name, at=at)


def changing(
    name: IncidentId, wanted: Change, at: datetime, expected: int = ANY_VERSION
) -> tuple[Sequence[Stream[Any]], Decide]:
    return [incident_stream(name)], lambda states: change(
        states, name, wanted, expected_version=expected, at=at, within=REOPENED_WITHIN
    )


def merging(
    name: IncidentId, into: IncidentId, at: datetime, expected: int = ANY_VERSION
) -> tuple[Sequence[Stream[Any]], Decide]:
    return [incident_stream(name), incident_stream(into)], lambda states: merge(
        states, name, into, "one cause", expected_version=expected, at=at
    )


def splitting(
    name: IncidentId, at: datetime, expected: int = ANY_VERSION
) -> tuple[Sequence[Stream[Any]], Decide]:
    return [incident_stream(name)], lambda states: split(
        states, name, "two causes", expected_version=expected, at=at
    )
