"""
An incident: one span of time in which a dataset broke its promise.

    UNOPENED ──open──▶ OPEN ──acknowledge──▶ ACKNOWLEDGED
                        ▲ └──────resolve──────┐ │ resolve
                        └──reopen── RESOLVED ◀┴─┘

While it is open (acknowledged or not), it holds the slots of its faults and its signals are
linked to it: `domain.claims` keeps that true. What people learn later (notes, a summary of the
causes, a ticket) may still be added once it is resolved.

An open incident can be merged into another open one: it is resolved as a duplicate, and the other
one is about its faults and signals from then on, until it is split off again. It can be snoozed:
nobody need look at it before a given moment.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from functools import reduce
from typing import TypeVar, assert_never

from attrs import evolve, field, frozen

from domain.blast_radius import BlastRadius
from domain.errors import AlreadyExists, Impossible, VersionMismatch
from domain.ids import DatasetUrn, EvidenceId, FailureSignature, IncidentId, SignalType
from domain.incident_parts import (
    Case,
    Concern,
    Implicated,
    Notifications,
    Reason,
    Resolution,
    every_concern,
)
from domain.kept_for import KEPT_FOR
from domain.severity import Severity
from domain.versions import ANY_VERSION

T = TypeVar("T")

NOWHERE = DatasetUrn("")
REOPENED_WITHIN = timedelta(days=7)
MOST_SIGNALS = 20
MOST_SIGNATURES = 20
MOST_EVIDENCE = 100
"""What comes later is not kept here: it is a sample."""
MOST_HELD = 60
"""Slots and signals of all that was merged into it: they change together, in one append."""


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
    """Signals of the incident's own dataset, where none is named."""

    signals: tuple[SignalType, ...]
    dataset: DatasetUrn | None = None


@frozen
class SignaturesAttached:
    """Faults of the incident's own dataset, where none is named."""

    signatures: tuple[FailureSignature, ...]
    dataset: DatasetUrn | None = None


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


@frozen
class Snoozed:
    until: datetime
    because: str | None = None


@frozen
class Woken:
    because: str | None = None


@frozen
class Merged:
    """It is a duplicate of another incident, which has absorbed it."""

    into: IncidentId
    at: datetime
    because: str | None = None


@frozen
class Absorbed:
    """Another incident was merged into this one; of its evidence, what is new here."""

    incident: IncidentId
    concerns: tuple[Concern, ...]
    evidence: tuple[EvidenceId, ...] = ()
    because: str | None = None


@frozen
class SplitOff:
    """It is on its own again."""

    origin: IncidentId
    at: datetime
    because: str | None = None


@frozen
class Released:
    """What was absorbed with the incident is its own again; evidence stays."""

    incident: IncidentId
    because: str | None = None


Course = Opened | Acknowledged | Resolved | Reopened | Merged | SplitOff
"""What an incident goes through."""

Growth = SignalsAttached | SignaturesAttached | EvidenceAttached | Absorbed | Released
"""What it is about."""

Words = Assigned | SeverityChanged | Noted | Explained | NotificationsLinked | Snoozed | Woken
"""What is said of it."""

IncidentFact = Course | Growth | Words


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
        known = self.about(self.dataset).signals
        new = _new(signals, known)
        if not new:
            return []
        self._must_have_room("signals", len(known) + len(new), MOST_SIGNALS)
        self._must_hold_at_most(len(new), "attach signals to")
        return [SignalsAttached(new)]

    def attach_signatures(self, signatures: Sequence[FailureSignature]) -> Sequence[IncidentFact]:
        known = self.about(self.dataset).signatures
        new = _new(signatures, known)
        if not new:
            return []
        self._must_have_room("signatures", len(known) + len(new), MOST_SIGNATURES)
        self._must_hold_at_most(len(new), "attach signatures to")
        return [SignaturesAttached(new)]

    def join(self, more: Concern, evidence: Sequence[EvidenceId]) -> Sequence[IncidentFact]:
        """Be about the signals and faults that are reported, too: as many as there is room for.

        Whoever reports a fault that has an incident joins it, however full that one is.
        """
        known, dataset = self.about(more.dataset), self._if_foreign(more.dataset)
        room = MOST_HELD - _count(self.concerns)
        signals = _new(more.signals, known.signals)
        signals = signals[: max(min(room, MOST_SIGNALS - len(known.signals)), 0)]
        signatures = _new(more.signatures, known.signatures)
        room = min(room - len(signals), MOST_SIGNATURES - len(known.signatures))
        signatures = signatures[: max(room, 0)]
        return [
            *([SignalsAttached(signals, dataset)] if signals else []),
            *([SignaturesAttached(signatures, dataset)] if signatures else []),
            *self.attach_evidence(evidence),
        ]

    def attach_evidence(self, evidence: Sequence[EvidenceId]) -> Sequence[IncidentFact]:
        new = _new(evidence, self.evidence)[: self._room_for_evidence]
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
            raise self._impossible("reopen")
        if self.merged_into is not None:
            raise self._impossible("reopen", f"merged into {self.merged_into}")
        if at - self.resolved_at > within:
            raise self._impossible("reopen", f"RESOLVED for more than {_in_words(within)}")
        return [Reopened(at, because)]

    def snooze(self, until: datetime, because: str | None = None) -> Sequence[IncidentFact]:
        self._must_be_open("snooze")
        return [] if until == self.snoozed_until else [Snoozed(until, because)]

    def wake(self, because: str | None = None) -> Sequence[IncidentFact]:
        self._must_be_opened("wake")
        return [] if self.snoozed_until is None else [Woken(because)]

    def merge(
        self, into: IncidentId, because: str | None = None, *, at: datetime
    ) -> Sequence[IncidentFact]:
        if self.merged_into == into:
            return []
        self._must_be_open("merge")
        return [Merged(into, at, because)]

    def absorb(
        self, name: IncidentId, other: "Incident", because: str | None = None
    ) -> Sequence[IncidentFact]:
        """Be about all that the other one is about, and as severe."""
        attempted = f"merge {name} into the other"
        self._must_be_open(attempted)
        self._must_hold_at_most(_count(other.concerns), attempted)
        evidence = _new(other.evidence, self.evidence)[: self._room_for_evidence]
        worse = other.severity < self.severity
        return [
            Absorbed(name, other.concerns, evidence, because),
            *([SeverityChanged(other.severity)] if worse else []),
        ]

    def split_off(
        self,
        because: str | None = None,
        *,
        at: datetime,
        within: timedelta = KEPT_FOR.incidents,
    ) -> Sequence[IncidentFact]:
        if self.merged_into is None or self.resolved_at is None:
            raise self._impossible("split off", f"{self.status}, not merged into another one")
        if at - self.resolved_at > within:
            raise self._impossible("split off", f"merged for more than {_in_words(within)}")
        return [SplitOff(self.merged_into, at, because)]

    def release(self, name: IncidentId, because: str | None = None) -> Sequence[IncidentFact]:
        """Give back what came with the other one, which is open again."""
        self._must_be_open(f"split {name} off the other")
        return [Released(name, because)]

    def must_be_at(self, expected_version: int) -> None:
        if expected_version not in (ANY_VERSION, self.version):
            raise VersionMismatch("incident", expected=expected_version, current=self.version)

    def _knows(self, known: object, said: object) -> bool:
        return self.status is not Status.UNOPENED and known == said

    def _must_be_opened(self, attempted: str) -> None:
        if self.status is Status.UNOPENED:
            raise self._impossible(attempted)

    def _must_be_open(self, attempted: str) -> None:
        if not self.is_open:
            raise self._impossible(attempted)

    def _must_have_room(self, what: str, count: int, most: int) -> None:
        self._must_be_open(f"attach {what} to")
        if count > most:
            raise self._impossible(f"attach {what} to", f"at its limit of {most} {what}")

    def _must_hold_at_most(self, more: int, attempted: str) -> None:
        if _count(self.concerns) + more > MOST_HELD:
            limit = f"at its limit of {MOST_HELD} signals and signatures"
            raise self._impossible(attempted, limit)

    def _impossible(self, attempted: str, because: str | None = None) -> Impossible:
        return Impossible("incident", self.status, attempted, because)

    @property
    def _room_for_evidence(self) -> int:
        return max(MOST_EVIDENCE - len(self.evidence), 0)

    def _if_foreign(self, dataset: DatasetUrn | None) -> DatasetUrn | None:
        return None if dataset == self.dataset else dataset

    # Evolution: what has happened. Never refuses.

    def after(self, fact: IncidentFact) -> "Incident":
        return evolve(self._after(fact), version=self.version + 1)

    def _after(self, fact: IncidentFact) -> "Incident":
        if isinstance(fact, Course):
            return self._moved(fact)
        if isinstance(fact, Growth):
            return self._grown(fact)
        return self._told(fact)

    def _moved(self, fact: Course) -> "Incident":
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
                return self._ended(resolution, at)
            case Merged(into, at):
                return evolve(self._ended(as_duplicate(into), at), merged_into=into)
            case Reopened() | SplitOff():
                return evolve(
                    self, status=Status.OPEN, resolution=None, resolved_at=None, merged_into=None
                )
            case _:
                assert_never(fact)

    def _ended(self, resolution: Resolution, at: datetime) -> "Incident":
        return evolve(
            self,
            status=Status.RESOLVED,
            resolution=resolution,
            resolved_at=at,
            snoozed_until=None,
        )

    def _grown(self, fact: Growth) -> "Incident":
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
    ) -> "Incident":
        if dataset is not None:
            more = Concern(dataset, signals, signatures)
            return evolve(self, elsewhere=(*self.elsewhere, more))
        return evolve(self, signals=self.signals + signals, signatures=self.signatures + signatures)

    def _told(self, fact: Words) -> "Incident":
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


def as_duplicate(of: IncidentId) -> Resolution:
    """How an incident ends that is merged into another one."""
    return Resolution(f"merged into {of}", reason=Reason.DUPLICATE)


def _count(concerns: Sequence[Concern]) -> int:
    return sum(len(one.signals) + len(one.signatures) for one in concerns)


def _new(said: Sequence[T], known: Sequence[T]) -> tuple[T, ...]:
    return tuple(one for one in dict.fromkeys(said) if one not in known)


def _sample(evidence: Sequence[EvidenceId]) -> tuple[EvidenceId, ...]:
    return tuple(dict.fromkeys(evidence))[:MOST_EVIDENCE]


def _in_words(span: timedelta) -> str:
    if span < timedelta(days=1):
        return str(span)
    return "1 day" if span.days == 1 else f"{span.days} days"
