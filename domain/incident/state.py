"""What is known of an incident: the fold of its facts."""

from collections.abc import Mapping
from datetime import datetime
from functools import reduce
from typing import Self, assert_never

from attrs import evolve, field, frozen

from domain.ids import DatasetUrn, EvidenceId, FailureSignature, IncidentId, SignalType
from domain.incident.facts import (
    Absorbed,
    Acknowledged,
    Assigned,
    Course,
    EvidenceAttached,
    Explained,
    Growth,
    IncidentFact,
    Merged,
    Noted,
    NotificationsLinked,
    Opened,
    Released,
    Reopened,
    Resolved,
    SeverityChanged,
    SignalsAttached,
    SignaturesAttached,
    Snoozed,
    SplitOff,
    Woken,
    Words,
)
from domain.incident.severity import Severity
from domain.incident.values import (
    UNRESOLVED,
    Concern,
    IncidentStatus,
    Notifications,
    Resolution,
    as_duplicate,
    every_concern,
)

NOWHERE = DatasetUrn("")


@frozen
class IncidentState:
    """`Incident` adds what may happen next."""

    status: IncidentStatus = IncidentStatus.UNOPENED
    version: int = 0
    dataset: DatasetUrn = NOWHERE
    signals: tuple[SignalType, ...] = ()
    signatures: tuple[FailureSignature, ...] = ()
    evidence: tuple[EvidenceId, ...] = ()
    severity: Severity = Severity.SEV_3
    oncall_user: str | None = None
    last_note: str | None = None
    rca_summary: str | None = None
    notifications: Notifications = field(factory=Notifications)
    resolution: Resolution | None = None
    resolved_at: datetime | None = None
    snoozed_until: datetime | None = None
    merged_into: IncidentId | None = None
    elsewhere: tuple[Concern, ...] = ()
    """What was attached of other datasets than its own."""
    absorbed: Mapping[IncidentId, tuple[Concern, ...]] = field(factory=dict)

    @property
    def is_open(self) -> bool:
        return self.status in UNRESOLVED

    @property
    def concerns(self) -> tuple[Concern, ...]:
        own = Concern(self.dataset, self.signals, self.signatures)
        return every_concern(own, self.elsewhere, self.absorbed)

    def about(self, dataset: DatasetUrn) -> Concern:
        """All it is about of a dataset."""
        of_it = [one for one in self.concerns if one.dataset == dataset]
        return reduce(Concern.joined, of_it, Concern(dataset))

    # Evolution: what has happened. Never refuses.

    def after(self, fact: IncidentFact) -> Self:
        return evolve(self._after(fact), version=self.version + 1)

    def _after(self, fact: IncidentFact) -> Self:
        if isinstance(fact, Course):
            return self._moved(fact)
        if isinstance(fact, Growth):
            return self._grown(fact)
        return self._told(fact)

    def _moved(self, fact: Course) -> Self:
        match fact:
            case Opened():
                return type(self)(
                    status=IncidentStatus.OPEN,
                    dataset=fact.dataset,
                    signals=fact.signals,
                    signatures=fact.signatures,
                    evidence=fact.evidence,
                    severity=fact.severity,
                )
            case Acknowledged():
                return evolve(self, status=IncidentStatus.ACKNOWLEDGED)
            case Resolved(resolution, at):
                return self._ended(resolution, at)
            case Merged(into, at):
                return evolve(self._ended(as_duplicate(into), at), merged_into=into)
            case Reopened() | SplitOff():
                return evolve(
                    self,
                    status=IncidentStatus.OPEN,
                    resolution=None,
                    resolved_at=None,
                    merged_into=None,
                )
            case _:
                assert_never(fact)

    def _ended(self, resolution: Resolution, at: datetime) -> Self:
        return evolve(
            self,
            status=IncidentStatus.RESOLVED,
            resolution=resolution,
            resolved_at=at,
            snoozed_until=None,
        )

    def _grown(self, fact: Growth) -> Self:
        match fact:
            case SignalsAttached(signals, dataset):
                return self._about_also(dataset, signals=signals)
            case SignaturesAttached(signatures, dataset):
                return self._about_also(dataset, signatures=signatures)
            case EvidenceAttached(evidence):
                return evolve(self, evidence=self.evidence + evidence)
            case Absorbed(incident, concerns, evidence):
                absorbed = {**self.absorbed, incident: concerns}
                return evolve(self, absorbed=absorbed, evidence=self.evidence + evidence)
            case Released(incident):
                rest = {name: was for name, was in self.absorbed.items() if name != incident}
                return evolve(self, absorbed=rest)
            case _:
                assert_never(fact)

    def _about_also(
        self,
        dataset: DatasetUrn | None,
        signals: tuple[SignalType, ...] = (),
        signatures: tuple[FailureSignature, ...] = (),
    ) -> Self:
        if dataset is not None:
            more = Concern(dataset, signals, signatures)
            return evolve(self, elsewhere=(*self.elsewhere, more))
        return evolve(self, signals=self.signals + signals, signatures=self.signatures + signatures)

    def _told(self, fact: Words) -> Self:
        match fact:
            case Assigned(oncall_user):
                return evolve(self, oncall_user=oncall_user)
            case SeverityChanged(severity):
                return evolve(self, severity=severity)
            case Noted(text):
                return evolve(self, last_note=text)
            case Explained(rca_summary):
                return evolve(self, rca_summary=rca_summary)
            case NotificationsLinked(notifications):
                return evolve(self, notifications=notifications.over(self.notifications))
            case Snoozed(until):
                return evolve(self, snoozed_until=until)
            case Woken():
                return evolve(self, snoozed_until=None)
            case _:
                assert_never(fact)
