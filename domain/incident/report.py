"""What opening and changing an incident takes, and every way in which it may be wrong (S0-240)."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta

from attrs import frozen

from domain.dataset.config import DatasetConfig, DatasetStatus
from domain.errors import Violation
from domain.ids import (
    SIGNAL_TYPES,
    DatasetUrn,
    EvidenceId,
    FailureSignature,
    IncidentId,
    SignalType,
    is_dataset_urn,
    is_evidence_id,
    is_failure_signature,
    is_incident_id,
    is_signal_type,
)
from domain.incident.patch import Assignment, Change, Snooze
from domain.incident.severity import Severity
from domain.incident.values import (
    Case,
    Implicated,
    IncidentStatus,
    Notifications,
    Reason,
    Resolution,
)
from domain.signal.evaluation import Confidence, Producer
from domain.timestamps import EARLIEST, to_millisecond
from domain.validation import lines, not_blank, required, text
from domain.versions import ANY_VERSION

MOST_AT_ONCE = 10
AHEAD = timedelta(hours=1)
LONGEST_TITLE = 500
LONGEST_NOTE = 4_000
LONGEST_SUMMARY = 10_000
LONGEST_PERSON = 254
LONGEST_SNOOZE = timedelta(days=30)


@frozen
class ReportedImplication:
    producer_id: str | None = None
    version: str | None = None
    confidence: str | None = None
    deployed_at: datetime | None = None

    def violations(self, field: str, at: datetime) -> Iterator[Violation]:
        yield from required(f"{field}.producer_id", self.producer_id)
        yield from text(f"{field}.producer_id", self.producer_id, most=200)
        yield from text(f"{field}.version", self.version, most=100)
        yield from _one_of(f"{field}.confidence", self.confidence, list(Confidence))
        if self.deployed_at is None:
            return
        if self.deployed_at > at + AHEAD:
            said = "must not be more than an hour ahead of the clock"
            yield Violation(f"{field}.deployed_at", "IN_THE_FUTURE", said)
        if self.deployed_at < EARLIEST:
            yield Violation(f"{field}.deployed_at", "OUT_OF_RANGE", "must not be before 1970")

    def implicated(self) -> Implicated:
        confidence = Confidence(self.confidence) if self.confidence else None
        deployed_at = to_millisecond(self.deployed_at) if self.deployed_at else None
        return Implicated(Producer(self.producer_id or "", self.version, confidence), deployed_at)


@frozen
class IncidentReport:
    """A request for an incident as it was sent: nothing is checked yet."""

    dataset_urn: str
    signal_types: tuple[str, ...] = ()
    failure_signatures: tuple[str, ...] = ()
    severity: str | None = None
    incident_id: str | None = None
    title: str | None = None
    implicated: ReportedImplication | None = None
    primary_evidence_id: str | None = None
    evidence_sample: tuple[str, ...] = ()

    def violations(self, *, at: datetime) -> Iterator[Violation]:
        """Everything that is wrong with the report by itself."""
        if self.incident_id is not None and not is_incident_id(self.incident_id):
            yield Violation("incident_id", "MALFORMED", "must look like INC-7721 or INC-<ulid>")
        if not is_dataset_urn(self.dataset_urn):
            said = "must look like urn:dp:domain:name:v1"
            yield Violation("primary_dataset_urn", "MALFORMED", said)
        yield from _signals(self.signal_types)
        yield from _at_least_one("signal_types", self.signal_types)
        yield from _signatures(self.failure_signatures)
        yield from _at_least_one("failure_signatures", self.failure_signatures)
        yield from required("severity", self.severity)
        yield from _one_of("severity", self.severity, list(Severity))
        yield from text("title", self.title, most=LONGEST_TITLE)
        yield from not_blank("title", self.title)
        if self.implicated is not None:
            yield from self.implicated.violations("implicated_producer", at)
        yield from _evidence(self.evidence_sample)
        if self.primary_evidence_id is not None and not is_evidence_id(self.primary_evidence_id):
            yield Violation("primary_evidence_id", "MALFORMED", "must look like evd-<ulid>")

    def case(self) -> Case:
        """The case that a report without violations means."""
        primary = self.primary_evidence_id
        return Case(
            dataset=DatasetUrn(self.dataset_urn),
            signals=tuple(dict.fromkeys(map(SignalType, self.signal_types))),
            signatures=tuple(dict.fromkeys(map(FailureSignature, self.failure_signatures))),
            severity=Severity(self.severity or ""),
            title=self.title,
            implicated=self.implicated.implicated() if self.implicated else None,
            evidence=tuple(dict.fromkeys(map(EvidenceId, self.evidence_sample))),
            primary_evidence=EvidenceId(primary) if primary else None,
        )


def unusable(dataset: DatasetConfig) -> Iterator[Violation]:
    """Why no incident can be opened for the dataset."""
    match dataset.status:
        case DatasetStatus.UNREGISTERED:
            said = "must be a registered dataset"
            yield Violation("primary_dataset_urn", "NOT_REGISTERED", said)
        case DatasetStatus.RETIRED:
            yield Violation("primary_dataset_urn", "RETIRED", "must not be a retired dataset")


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
        yield from _one_of(f"{field}.reason", self.reason, list(Reason))
        if None not in (self.reason, self.false_positive) and self._contradicts_itself():
            said = "must be true exactly if the reason is FALSE_POSITIVE"
            yield Violation(f"{field}.false_positive", "INCONSISTENT", said)

    def _contradicts_itself(self) -> bool:
        return self.false_positive is not (self.reason == Reason.FALSE_POSITIVE)

    def resolution(self) -> Resolution:
        implied = Reason.FALSE_POSITIVE if self.false_positive else Reason.OTHER
        reason = Reason(self.reason) if self.reason else implied
        return Resolution(
            root_cause=self.root_cause or "",
            mitigation=self.mitigation,
            resolved_by=self.resolved_by or None,
            false_positive=reason is Reason.FALSE_POSITIVE,
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

    def violations(self) -> Iterator[Violation]:
        """Everything that is wrong with the change by itself."""
        yield from _one_of(
            "status", self.status, [s for s in IncidentStatus if s is not IncidentStatus.UNOPENED]
        )
        yield from _one_of("severity", self.severity, list(Severity))
        yield from text("oncall_user", self.oncall_user, most=LONGEST_PERSON)
        yield from _signals(self.signal_types)
        yield from _signatures(self.failure_signatures)
        yield from _evidence(self.evidence_sample)
        if self.notifications is not None:
            yield from _notifications(self.notifications)
        yield from lines("rca_summary", self.rca_summary, most=LONGEST_SUMMARY)
        yield from lines("note", self.note, most=LONGEST_NOTE)
        yield from not_blank("note", self.note)
        yield from self._resolution()

    def change(self) -> Change:
        """The change that a patch without violations means."""
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

    def _resolution(self) -> Iterator[Violation]:
        if self.status == IncidentStatus.RESOLVED:
            yield from required("resolution", self.resolution)
        elif self.resolution is not None:
            yield Violation("resolution", "INCONSISTENT", "must come with the status RESOLVED")
        if self.resolution is not None:
            yield from self.resolution.violations("resolution")


def snooze_violations(snooze: Snooze, *, at: datetime) -> Iterator[Violation]:
    """Everything that is wrong with a wish to snooze, made at a moment."""
    yield from lines("because", snooze.because, most=LONGEST_NOTE)
    if snooze.until is None:
        return
    if snooze.until <= at:
        yield Violation("until", "IN_THE_PAST", "must be later than now")
    if snooze.until > at + LONGEST_SNOOZE:
        said = f"must be within {LONGEST_SNOOZE.days} days from now"
        yield Violation("until", "OUT_OF_RANGE", said)


def merge_violations(
    incident: IncidentId, into: IncidentId, because: str | None
) -> Iterator[Violation]:
    """Everything that is wrong with a wish to merge."""
    yield from required("into", into)
    if into and not is_incident_id(into):
        yield Violation("into", "MALFORMED", "must look like INC-7721 or INC-<ulid>")
    if into == incident:
        yield Violation("into", "INCONSISTENT", "must be another incident")
    yield from lines("because", because, most=LONGEST_NOTE)


def _signals(said: Sequence[str]) -> Iterator[Violation]:
    wanted = f"must be {', '.join(SIGNAL_TYPES)} or CUSTOM_<NAME>"
    yield from _each("signal_types", said, is_signal_type, "UNKNOWN_VALUE", wanted)


def _signatures(said: Sequence[str]) -> Iterator[Violation]:
    wanted = "must look like REASON_CODE:field"
    yield from _each("failure_signatures", said, is_failure_signature, "MALFORMED", wanted)


def _evidence(said: Sequence[str]) -> Iterator[Violation]:
    yield from _each(
        "evidence_sample", said, is_evidence_id, "MALFORMED", "must look like evd-<ulid>"
    )


def _notifications(said: Notifications) -> Iterator[Violation]:
    place = "notification_state"
    yield from text(f"{place}.pagerduty_incident_id", said.pagerduty_incident_id, most=200)
    yield from text(f"{place}.slack_thread_ts", said.slack_thread_ts, most=200)
    yield from text(f"{place}.jira_ticket", said.jira_ticket, most=200)


def _each(
    field: str, said: Sequence[str], good: Callable[[str], bool], code: str, wanted: str
) -> Iterator[Violation]:
    if len(said) > MOST_AT_ONCE:
        yield Violation(field, "TOO_MANY", f"must have at most {MOST_AT_ONCE} items")
        return
    for index, one in enumerate(said):
        if not good(one):
            yield Violation(f"{field}[{index}]", code, wanted)


def _at_least_one(field: str, said: Sequence[str]) -> Iterator[Violation]:
    if not said:
        yield Violation(field, "REQUIRED", "must have at least one item")


def _one_of(field: str, value: str | None, allowed: Sequence[str]) -> Iterator[Violation]:
    if value is not None and value not in allowed:
        yield Violation(field, "UNKNOWN_VALUE", f"must be {', '.join(allowed)}")
