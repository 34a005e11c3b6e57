"""
What may happen to an incident next.

    UNOPENED ──open──▶ OPEN ──acknowledge──▶ ACKNOWLEDGED
                        ▲ └──────resolve──────┐ │ resolve
                        └──reopen── RESOLVED ◀┴─┘

While it is open (acknowledged or not), it holds the slots of its faults and its signals are
linked to it: `domain.incident.reservations` keeps that true. What people learn later (notes, a
summary of the causes, a ticket) may still be added once it is resolved.

An open incident can be merged into another open one: it is resolved as a duplicate, and the other
one is about its faults and signals from then on, until it is split off again. It can be snoozed:
nobody need look at it before a given moment.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import reduce
from typing import TypeVar

from attrs import frozen

from domain.errors import AlreadyExists, Impossible, VersionMismatch
from domain.ids import DatasetUrn, EvidenceId, FailureSignature, IncidentId, SignalType
from domain.incident import incident
from domain.incident.incident import IncidentFact, IncidentState
from domain.incident.report import Case
from domain.incident.severity import Severity
from domain.incident.values import Concern, IncidentStatus, Notifications, Resolution, every_concern
from domain.retention import KEPT_FOR
from domain.versions import ANY_VERSION

T = TypeVar("T")

REOPENED_WITHIN = timedelta(days=7)
MOST_SIGNALS = 20
MOST_SIGNATURES = 20
MOST_EVIDENCE = 100
"""What comes later is not kept here: it is a sample."""
MOST_HELD = 60
"""Slots and signals of all that was merged into it: they change together, in one append."""


@frozen
class Incident(IncidentState):
    """What may happen next, decided on what is known. Repeating a decision yields no facts."""

    @property
    def concerns(self) -> tuple[Concern, ...]:
        own = Concern(self.dataset, self.signals, self.signatures)
        return every_concern(own, self.elsewhere, self.absorbed)

    def about(self, dataset: DatasetUrn) -> Concern:
        """All it is about of a dataset."""
        of_it = [one for one in self.concerns if one.dataset == dataset]
        return reduce(Concern.joined, of_it, Concern(dataset))

    def open(
        self, name: IncidentId, case: Case, *, owner_team: str, at: datetime
    ) -> Sequence[IncidentFact]:
        if self.status is not IncidentStatus.UNOPENED:
            raise AlreadyExists("incident", name, version=self.version)
        primary = case.primary_evidence or next(iter(case.evidence), None)
        return [
            incident.Opened(
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
        if self.status is IncidentStatus.ACKNOWLEDGED:
            return []
        self._must_be_open("acknowledge")
        return [incident.Acknowledged(at)]

    def assign(self, oncall_user: str | None) -> Sequence[IncidentFact]:
        if self._knows(self.oncall_user, oncall_user):
            return []
        self._must_be_open("assign")
        return [incident.Assigned(oncall_user)]

    def change_severity(self, severity: Severity) -> Sequence[IncidentFact]:
        if self._knows(self.severity, severity):
            return []
        self._must_be_open("change the severity of")
        return [incident.SeverityChanged(severity)]

    def note(self, text: str) -> Sequence[IncidentFact]:
        self._must_be_opened("add a note to")
        return [] if text == self.last_note else [incident.Noted(text)]

    def explain(self, rca_summary: str) -> Sequence[IncidentFact]:
        self._must_be_opened("explain")
        return [] if rca_summary == self.rca_summary else [incident.Explained(rca_summary)]

    def link_notifications(self, notifications: Notifications) -> Sequence[IncidentFact]:
        self._must_be_opened("link notifications to")
        new = notifications.beyond(self.notifications)
        return [] if new == Notifications() else [incident.NotificationsLinked(new)]

    def attach_signals(self, signals: Sequence[SignalType]) -> Sequence[IncidentFact]:
        known = self.about(self.dataset).signals
        new = _new(signals, known)
        if not new:
            return []
        self._must_have_room("signals", len(known) + len(new), MOST_SIGNALS)
        self._must_hold_at_most(len(new), "attach signals to")
        return [incident.SignalsAttached(new)]

    def attach_signatures(self, signatures: Sequence[FailureSignature]) -> Sequence[IncidentFact]:
        known = self.about(self.dataset).signatures
        new = _new(signatures, known)
        if not new:
            return []
        self._must_have_room("signatures", len(known) + len(new), MOST_SIGNATURES)
        self._must_hold_at_most(len(new), "attach signatures to")
        return [incident.SignaturesAttached(new)]

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
            *([incident.SignalsAttached(signals, dataset)] if signals else []),
            *([incident.SignaturesAttached(signatures, dataset)] if signatures else []),
            *self.attach_evidence(evidence),
        ]

    def attach_evidence(self, evidence: Sequence[EvidenceId]) -> Sequence[IncidentFact]:
        new = _new(evidence, self.evidence)[: self._room_for_evidence]
        if not new:
            return []
        self._must_be_open("attach evidence to")
        return [incident.EvidenceAttached(new)]

    def resolve(self, resolution: Resolution, *, at: datetime) -> Sequence[IncidentFact]:
        if self.status is IncidentStatus.RESOLVED and resolution == self.resolution:
            return []
        self._must_be_open("resolve")
        return [incident.Resolved(resolution, at)]

    def reopen(
        self,
        reason: str | None = None,
        *,
        at: datetime,
        within: timedelta = REOPENED_WITHIN,
    ) -> Sequence[IncidentFact]:
        if self.status is IncidentStatus.OPEN:
            return []
        if self.status is not IncidentStatus.RESOLVED or self.resolved_at is None:
            raise self._impossible("reopen")
        if self.merged_into is not None:
            raise self._impossible("reopen", f"merged into {self.merged_into}")
        if at - self.resolved_at > within:
            raise self._impossible("reopen", f"RESOLVED for more than {_in_words(within)}")
        return [incident.Reopened(at, reason)]

    def snooze(self, until: datetime, reason: str | None = None) -> Sequence[IncidentFact]:
        self._must_be_open("snooze")
        return [] if until == self.snoozed_until else [incident.Snoozed(until, reason)]

    def wake(self, reason: str | None = None) -> Sequence[IncidentFact]:
        self._must_be_opened("wake")
        return [] if self.snoozed_until is None else [incident.Woken(reason)]

    def merge(
        self, into: IncidentId, reason: str | None = None, *, at: datetime
    ) -> Sequence[IncidentFact]:
        if self.merged_into == into:
            return []
        self._must_be_open("merge")
        return [incident.Merged(into, at, reason)]

    def absorb(
        self, name: IncidentId, other: "Incident", reason: str | None = None
    ) -> Sequence[IncidentFact]:
        """Be about all that the other one is about, and as severe."""
        attempted = f"merge {name} into the other"
        self._must_be_open(attempted)
        self._must_hold_at_most(_count(other.concerns), attempted)
        evidence = _new(other.evidence, self.evidence)[: self._room_for_evidence]
        worse = other.severity < self.severity
        return [
            incident.Absorbed(name, other.concerns, evidence, reason),
            *([incident.SeverityChanged(other.severity)] if worse else []),
        ]

    def split_off(
        self,
        reason: str | None = None,
        *,
        at: datetime,
        within: timedelta = KEPT_FOR.incidents,
    ) -> Sequence[IncidentFact]:
        if self.merged_into is None or self.resolved_at is None:
            raise self._impossible("split off", f"{self.status}, not merged into another one")
        if at - self.resolved_at > within:
            raise self._impossible("split off", f"merged for more than {_in_words(within)}")
        return [incident.SplitOff(self.merged_into, at, reason)]

    def release(self, name: IncidentId, reason: str | None = None) -> Sequence[IncidentFact]:
        """Give back what came with the other one, which is open again."""
        self._must_be_open(f"split {name} off the other")
        return [incident.Released(name, reason)]

    def must_be_at(self, expected_version: int) -> None:
        if expected_version not in (ANY_VERSION, self.version):
            raise VersionMismatch("incident", expected=expected_version, current=self.version)

    def _knows(self, known: object, said: object) -> bool:
        return self.status is not IncidentStatus.UNOPENED and known == said

    def _must_be_opened(self, attempted: str) -> None:
        if self.status is IncidentStatus.UNOPENED:
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

    def _impossible(self, attempted: str, reason: str | None = None) -> Impossible:
        return Impossible("incident", self.status, attempted, reason)

    @property
    def _room_for_evidence(self) -> int:
        return max(MOST_EVIDENCE - len(self.evidence), 0)

    def _if_foreign(self, dataset: DatasetUrn | None) -> DatasetUrn | None:
        return None if dataset == self.dataset else dataset


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
