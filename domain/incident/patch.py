"""
Changing an incident in several ways at once: all of them happen, or none.

`IncidentPatch` is what a caller sends, `Change` what it means, `change` the decision.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import reduce

from attrs import frozen

from domain.errors import Invalid, NotFound, Violation
from domain.ids import EvidenceId, FailureSignature, IncidentId, SignalType
from domain.incident.decisions import REOPENED_WITHIN, Incident
from domain.incident.incident import IncidentFact, Reopened
from domain.incident.reservations import must_be_free, settled
from domain.incident.severity import Severity
from domain.incident.validation import (
    LONGEST_NOTE,
    LONGEST_PERSON,
    evidence_violations,
    one_of,
    signal_violations,
    signature_violations,
)
from domain.incident.values import IncidentStatus, Notifications, Resolution, ResolutionReason
from domain.stream_categories import incident_stream, signal_stream
from domain.streams import Decision, States
from domain.validation import lines, not_blank, required, text
from domain.versions import ANY_VERSION

LONGEST_SUMMARY = 10_000
LONGEST_SNOOZE = timedelta(days=30)

Step = Callable[[Incident], Sequence[IncidentFact]]


@frozen
class Assignment:
    """Who looks after it from now on; nobody, where there is no name."""

    oncall_user: str | None


@frozen
class Snooze:
    """Until when nobody need look at it; awake again, where there is no moment."""

    until: datetime | None
    reason: str | None = None


@frozen
class Change:
    """What shall become different. It is applied in the order of the fields, resolving last."""

    reopen: bool = False
    reason: str | None = None
    acknowledge: bool = False
    assign: Assignment | None = None
    severity: Severity | None = None
    signals: tuple[SignalType, ...] = ()
    signatures: tuple[FailureSignature, ...] = ()
    evidence: tuple[EvidenceId, ...] = ()
    notifications: Notifications | None = None
    rca_summary: str | None = None
    note: str | None = None
    snooze: Snooze | None = None
    resolution: Resolution | None = None

    def steps(self, at: datetime, within: timedelta) -> Iterator[Step]:
        if self.reopen:
            yield lambda incident: incident.reopen(self.reason, at=at, within=within)
        if self.acknowledge:
            yield lambda incident: incident.acknowledge(at=at)
        if (to := self.assign) is not None:
            yield lambda incident: incident.assign(to.oncall_user)
        if (severity := self.severity) is not None:
            yield lambda incident: incident.change_severity(severity)
        yield lambda incident: incident.attach_signals(self.signals)
        yield lambda incident: incident.attach_signatures(self.signatures)
        yield lambda incident: incident.attach_evidence(self.evidence)
        yield from self._words()
        if (resolution := self.resolution) is not None:
            yield lambda incident: incident.resolve(resolution, at=at)

    def _words(self) -> Iterator[Step]:
        if (notifications := self.notifications) is not None:
            yield lambda incident: incident.link_notifications(notifications)
        if (summary := self.rca_summary) is not None:
            yield lambda incident: incident.explain(summary)
        if (text := self.note) is not None:
            yield lambda incident: incident.note(text)
        if (snooze := self.snooze) is not None:
            yield lambda incident: _snoozed(incident, snooze)


@frozen
class ReportedResolution:
    root_cause: str | None = None
    mitigation: str | None = None
    resolved_by: str | None = None
    false_positive: bool | None = None
    reason: str | None = None

    def violations(self, field: str) -> Iterator[Violation]:
        yield from required(f"{field}.root_cause", self.root_cause)
        yield from lines(f"{field}.root_cause", self.root_cause, most=LONGEST_NOTE)
        yield from lines(f"{field}.mitigation", self.mitigation, most=LONGEST_NOTE)
        yield from text(f"{field}.resolved_by", self.resolved_by, most=LONGEST_PERSON)
        yield from one_of(f"{field}.reason", self.reason, list(ResolutionReason))
        if None not in (self.reason, self.false_positive) and self._contradicts_itself():
            said = "must be true exactly if the reason is FALSE_POSITIVE"
            yield Violation(f"{field}.false_positive", "INCONSISTENT", said)

    def _contradicts_itself(self) -> bool:
        return self.false_positive is not (self.reason == ResolutionReason.FALSE_POSITIVE)

    def resolution(self) -> Resolution:
        implied = ResolutionReason.FALSE_POSITIVE if self.false_positive else ResolutionReason.OTHER
        reason = ResolutionReason(self.reason) if self.reason else implied
        return Resolution(
            root_cause=self.root_cause or "",
            mitigation=self.mitigation,
            resolved_by=self.resolved_by or None,
            false_positive=reason is ResolutionReason.FALSE_POSITIVE,
            reason=reason,
        )


@frozen
class IncidentPatch:
    """A change as it was sent. What is nothing is left as it is, but for the assignment."""

    status: str | None = None
    severity: str | None = None
    assigns: bool = False
    oncall_user: str | None = None
    signal_types: tuple[str, ...] = ()
    failure_signatures: tuple[str, ...] = ()
    evidence_sample: tuple[str, ...] = ()
    notifications: Notifications | None = None
    rca_summary: str | None = None
    note: str | None = None
    resolution: ReportedResolution | None = None
    expected_version: int = ANY_VERSION

    def parse(self) -> Change:
        """Return the change that is meant.

        Raises:
            Invalid: With every violation.
        """
        if violations := list(self._violations()):
            raise Invalid(violations)
        return Change(
            reopen=self.status == IncidentStatus.OPEN,
            acknowledge=self.status == IncidentStatus.ACKNOWLEDGED,
            assign=Assignment(self.oncall_user or None) if self.assigns else None,
            severity=Severity(self.severity) if self.severity else None,
            signals=tuple(map(SignalType, self.signal_types)),
            signatures=tuple(map(FailureSignature, self.failure_signatures)),
            evidence=tuple(map(EvidenceId, self.evidence_sample)),
            notifications=self.notifications,
            rca_summary=self.rca_summary or None,
            note=self.note or None,
            resolution=self.resolution.resolution() if self.resolution else None,
        )

    def _violations(self) -> Iterator[Violation]:
        yield from one_of(
            "status", self.status, [s for s in IncidentStatus if s is not IncidentStatus.UNOPENED]
        )
        yield from one_of("severity", self.severity, list(Severity))
        yield from text("oncall_user", self.oncall_user, most=LONGEST_PERSON)
        yield from signal_violations(self.signal_types)
        yield from signature_violations(self.failure_signatures)
        yield from evidence_violations(self.evidence_sample)
        if self.notifications is not None:
            yield from _notifications(self.notifications)
        yield from lines("rca_summary", self.rca_summary, most=LONGEST_SUMMARY)
        yield from lines("note", self.note, most=LONGEST_NOTE)
        yield from not_blank("note", self.note)
        yield from self._resolution()

    def _resolution(self) -> Iterator[Violation]:
        if self.status == IncidentStatus.RESOLVED:
            yield from required("resolution", self.resolution)
        elif self.resolution is not None:
            yield Violation("resolution", "INCONSISTENT", "must come with the status RESOLVED")
        if self.resolution is not None:
            yield from self.resolution.violations("resolution")


def snooze_violations(snooze: Snooze, *, at: datetime) -> Iterator[Violation]:
    """Everything that is wrong with a wish to snooze, made at a moment."""
    yield from lines("reason", snooze.reason, most=LONGEST_NOTE)
    if snooze.until is None:
        return
    if snooze.until <= at:
        yield Violation("until", "IN_THE_PAST", "must be later than now")
    if snooze.until > at + LONGEST_SNOOZE:
        said = f"must be within {LONGEST_SNOOZE.days} days from now"
        yield Violation("until", "OUT_OF_RANGE", said)


def _notifications(said: Notifications) -> Iterator[Violation]:
    place = "notification_state"
    yield from text(f"{place}.pagerduty_incident_id", said.pagerduty_incident_id, most=200)
    yield from text(f"{place}.slack_thread_ts", said.slack_thread_ts, most=200)
    yield from text(f"{place}.jira_ticket", said.jira_ticket, most=200)


def _snoozed(incident: Incident, snooze: Snooze) -> Sequence[IncidentFact]:
    if snooze.until is None:
        return incident.wake(snooze.reason)
    return incident.snooze(snooze.until, snooze.reason)


def change(
    states: States,
    name: IncidentId,
    wanted: Change,
    *,
    expected_version: int,
    at: datetime,
    within: timedelta = REOPENED_WITHIN,
) -> Decision:
    """Decide all that is wanted, with what follows for slots and signals.

    Raises:
        NotFound: There is no such incident.
        VersionMismatch: It is not at the expected version.
        Impossible: Its status does not allow one of the changes, or another incident holds a slot.
        Unread: More streams must be read.
    """
    incident = states[incident_stream(name)]
    if incident.status is IncidentStatus.UNOPENED:
        raise NotFound("incident", name)
    incident.must_be_at(expected_version)
    facts: list[IncidentFact] = []
    for step in wanted.steps(at, within):
        new = step(incident)
        incident = reduce(Incident.after, new, incident)
        facts += new
    if any(isinstance(fact, Reopened) for fact in facts):
        must_be_free(states, name, states[incident_stream(name)], "reopen")
    named = [signal_stream(incident.dataset, signal) for signal in wanted.signals]
    return settled(states, name, facts, also=named if incident.is_open else ())
