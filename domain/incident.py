"""
An incident: one span of time in which a dataset broke its promise.

    UNOPENED ──open──▶ OPEN ──acknowledge──▶ ACKNOWLEDGED
                        ▲ └──────resolve──────┐ │ resolve
                        └──reopen── RESOLVED ◀┴─┘

While it is open (acknowledged or not), it holds the slots of its faults and its signals are
linked to it: `domain.claims` keeps that true. What people learn later (notes, a summary of the
causes, a ticket) may still be added once it is resolved.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TypeVar, assert_never

from attrs import evolve, field, frozen

from domain.blast_radius import BlastRadius
from domain.errors import AlreadyExists, Impossible, VersionMismatch
from domain.ids import DatasetUrn, EvidenceId, FailureSignature, IncidentId, SignalType
from domain.incident_parts import Case, Implicated, Notifications, Resolution
from domain.severity import Severity
from domain.versions import ANY_VERSION

T = TypeVar("T")

NOWHERE = DatasetUrn("")
REOPENED_WITHIN = timedelta(days=7)
MOST_SIGNALS = 20
MOST_SIGNATURES = 20
MOST_EVIDENCE = 100
"""What comes later is not kept here: it is a sample."""


class Status(StrEnum):
    UNOPENED = "UNOPENED"
    OPEN = "OPEN"
    ACKNOWLEDGED = "ACKNOWLEDGED"
    RESOLVED = "RESOLVED"


UNRESOLVED = (Status.OPEN, Status.ACKNOWLEDGED)


# Facts. Names and fields are the storage format: to change one, add an upcast.


@frozen
class Opened:
    dataset: DatasetUrn
    signals: tuple[SignalType, ...]
    signatures: tuple[FailureSignature, ...]
    severity: Severity
    title: str
    owner_team: str
    at: datetime
    implicated: Implicated | None = None
    evidence: tuple[EvidenceId, ...] = ()
    primary_evidence: EvidenceId | None = None
    blast_radius: BlastRadius | None = None


@frozen
class Acknowledged:
    at: datetime


@frozen
class Assigned:
    """Nobody, where there is no name."""

    oncall_user: str | None


@frozen
class SeverityChanged:
    severity: Severity


@frozen
class Noted:
    text: str


@frozen
class Explained:
    rca_summary: str


@frozen
class NotificationsLinked:
    """Only what is new."""

    notifications: Notifications


@frozen
class SignalsAttached:
    signals: tuple[SignalType, ...]


@frozen
class SignaturesAttached:
    signatures: tuple[FailureSignature, ...]


@frozen
class EvidenceAttached:
    evidence: tuple[EvidenceId, ...]


@frozen
class Resolved:
    resolution: Resolution
    at: datetime


@frozen
class Reopened:
    at: datetime
    because: str | None = None


IncidentFact = (
    Opened
    | Acknowledged
    | Assigned
    | SeverityChanged
    | Noted
    | Explained
    | NotificationsLinked
    | SignalsAttached
    | SignaturesAttached
    | EvidenceAttached
    | Resolved
    | Reopened
)


@frozen
class Incident:
    status: Status = Status.UNOPENED
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

    @property
    def is_open(self) -> bool:
        return self.status in UNRESOLVED

    # Decisions: what may happen next. Repeating one yields no facts.

    def open(
        self, name: IncidentId, case: Case, *, owner_team: str, at: datetime
    ) -> Sequence[IncidentFact]:
        if self.status is not Status.UNOPENED:
            raise AlreadyExists("incident", name, version=self.version)
        primary = case.primary_evidence or next(iter(case.evidence), None)
        return [
            Opened(
                dataset=case.dataset,
                signals=case.signals,
                signatures=case.signatures,
                severity=case.severity,
                title=case.headline,
                owner_team=owner_team,
                at=at,
                implicated=case.implicated,
                evidence=_sample(((primary,) if primary else ()) + case.evidence),
                primary_evidence=primary,
                blast_radius=case.blast_radius,
            )
        ]

    def acknowledge(self, *, at: datetime) -> Sequence[IncidentFact]:
        if self.status is Status.ACKNOWLEDGED:
            return []
        self._must_be_open("acknowledge")
        return [Acknowledged(at)]

    def assign(self, oncall_user: str | None) -> Sequence[IncidentFact]:
        if self._knows(self.oncall_user, oncall_user):
            return []
        self._must_be_open("assign")
        return [Assigned(oncall_user)]

    def change_severity(self, severity: Severity) -> Sequence[IncidentFact]:
        if self._knows(self.severity, severity):
            return []
        self._must_be_open("change the severity of")
        return [SeverityChanged(severity)]

    def note(self, text: str) -> Sequence[IncidentFact]:
        self._must_be_opened("add a note to")
        return [] if text == self.last_note else [Noted(text)]

    def explain(self, rca_summary: str) -> Sequence[IncidentFact]:
        self._must_be_opened("explain")
        return [] if rca_summary == self.rca_summary else [Explained(rca_summary)]

    def link_notifications(self, notifications: Notifications) -> Sequence[IncidentFact]:
        self._must_be_opened("link notifications to")
        new = notifications.beyond(self.notifications)
        return [] if new == Notifications() else [NotificationsLinked(new)]

    def attach_signals(self, signals: Sequence[SignalType]) -> Sequence[IncidentFact]:
        new = _new(signals, self.signals)
        if not new:
            return []
        self._must_have_room("signals", len(self.signals) + len(new), MOST_SIGNALS)
        return [SignalsAttached(new)]

    def attach_signatures(self, signatures: Sequence[FailureSignature]) -> Sequence[IncidentFact]:
        new = _new(signatures, self.signatures)
        if not new:
            return []
        self._must_have_room("signatures", len(self.signatures) + len(new), MOST_SIGNATURES)
        return [SignaturesAttached(new)]

    def attach_evidence(self, evidence: Sequence[EvidenceId]) -> Sequence[IncidentFact]:
        new = _new(evidence, self.evidence)[: max(MOST_EVIDENCE - len(self.evidence), 0)]
        if not new:
            return []
        self._must_be_open("attach evidence to")
        return [EvidenceAttached(new)]

    def resolve(self, resolution: Resolution, *, at: datetime) -> Sequence[IncidentFact]:
        if self.status is Status.RESOLVED and resolution == self.resolution:
            return []
        self._must_be_open("resolve")
        return [Resolved(resolution, at)]

    def reopen(
        self,
        because: str | None = None,
        *,
        at: datetime,
        within: timedelta = REOPENED_WITHIN,
    ) -> Sequence[IncidentFact]:
        if self.status is Status.OPEN:
            return []
        if self.status is not Status.RESOLVED or self.resolved_at is None:
            raise Impossible("incident", self.status, "reopen")
        if at - self.resolved_at > within:
            raise Impossible("incident", f"RESOLVED for more than {_told(within)}", "reopen")
        return [Reopened(at, because)]

    def must_be_at(self, expected_version: int) -> None:
        if expected_version not in (ANY_VERSION, self.version):
            raise VersionMismatch("incident", expected=expected_version, current=self.version)

    def _knows(self, known: object, said: object) -> bool:
        return self.status is not Status.UNOPENED and known == said

    def _must_be_opened(self, attempted: str) -> None:
        if self.status is Status.UNOPENED:
            raise Impossible("incident", self.status, attempted)

    def _must_be_open(self, attempted: str) -> None:
        if not self.is_open:
            raise Impossible("incident", self.status, attempted)

    def _must_have_room(self, what: str, count: int, most: int) -> None:
        self._must_be_open(f"attach {what} to")
        if count > most:
            raise Impossible("incident", f"at its limit of {most} {what}", f"attach {what} to")

    # Evolution: what has happened. Never refuses.

    def after(self, fact: IncidentFact) -> "Incident":
        return evolve(self._after(fact), version=self.version + 1)

    def _after(self, fact: IncidentFact) -> "Incident":
        match fact:
            case Opened():
                return Incident(
                    status=Status.OPEN,
                    dataset=fact.dataset,
                    signals=fact.signals,
                    signatures=fact.signatures,
                    evidence=fact.evidence,
                    severity=fact.severity,
                )
            case Acknowledged():
                return evolve(self, status=Status.ACKNOWLEDGED)
            case Resolved(resolution, at):
                return evolve(self, status=Status.RESOLVED, resolution=resolution, resolved_at=at)
            case Reopened():
                return evolve(self, status=Status.OPEN, resolution=None, resolved_at=None)
            case SignalsAttached(signals):
                return evolve(self, signals=self.signals + signals)
            case SignaturesAttached(signatures):
                return evolve(self, signatures=self.signatures + signatures)
            case EvidenceAttached(evidence):
                return evolve(self, evidence=self.evidence + evidence)
            case _:
                return self._told(fact)

    def _told(
        self, fact: Assigned | SeverityChanged | Noted | Explained | NotificationsLinked
    ) -> "Incident":
        """What is only remembered in order not to record it twice."""
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
            case _:
                assert_never(fact)


def _new(said: Sequence[T], known: Sequence[T]) -> tuple[T, ...]:
    return tuple(one for one in dict.fromkeys(said) if one not in known)


def _sample(evidence: Sequence[EvidenceId]) -> tuple[EvidenceId, ...]:
    return tuple(dict.fromkeys(evidence))[:MOST_EVIDENCE]


def _told(span: timedelta) -> str:
    return f"{span.days} days" if span >= timedelta(days=1) else str(span)
