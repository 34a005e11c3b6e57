"""
A request for an incident and its validation (S0-240).

`IncidentReport` is what a caller sends, `Case` what it means.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from attrs import frozen

from domain.dataset.config import DatasetConfig, DatasetStatus
from domain.errors import Invalid, Violation
from domain.ids import (
    DatasetUrn,
    EvidenceId,
    FailureSignature,
    SignalType,
    is_dataset_urn,
    is_evidence_id,
    is_incident_id,
)
from domain.incident.severity import Severity
from domain.incident.validation import (
    evidence_violations,
    one_of,
    signal_violations,
    signature_violations,
)
from domain.incident.values import Implicated
from domain.lineage.blast_radius import BlastRadius
from domain.signal.evaluation import Confidence, Producer
from domain.timestamps import EARLIEST, to_millisecond
from domain.validation import not_blank, required, text

AHEAD = timedelta(hours=1)
LONGEST_TITLE = 500


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
        yield from one_of(f"{field}.confidence", self.confidence, list(Confidence))
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
class Case:
    """What is known of a failure when an incident is asked for."""

    dataset: DatasetUrn
    signals: tuple[SignalType, ...]
    signatures: tuple[FailureSignature, ...]
    severity: Severity
    title: str | None = None
    implicated: Implicated | None = None
    evidence: tuple[EvidenceId, ...] = ()
    primary_evidence: EvidenceId | None = None
    blast_radius: BlastRadius | None = None

    @property
    def headline(self) -> str:
        """The title, or one made as `{signal} on {dataset} - {signature}` (S0-241)."""
        if self.title:
            return self.title
        domain, name = self.dataset.split(":")[2:4]
        return f"{_breach(self.signals[0])} on {domain}:{name} - {self.signatures[0]}"


def _breach(signal: SignalType) -> str:
    """The design says `Contract breach` of CONTRACT_COMPLIANCE."""
    words = signal.removeprefix("CUSTOM_").removesuffix("_COMPLIANCE").replace("_", " ")
    return f"{words if words == 'PII' else words.capitalize()} breach"


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

    def parse(self, *, at: datetime) -> Case:
        """Return the case that is meant. Deploys may not lie far after the given moment.

        Raises:
            Invalid: With every violation.
        """
        if violations := list(self._violations(at)):
            raise Invalid(violations)
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

    def _violations(self, at: datetime) -> Iterator[Violation]:
        if self.incident_id is not None and not is_incident_id(self.incident_id):
            yield Violation("incident_id", "MALFORMED", "must look like INC-7721 or INC-<ulid>")
        if not is_dataset_urn(self.dataset_urn):
            said = "must look like urn:dp:domain:name:v1"
            yield Violation("primary_dataset_urn", "MALFORMED", said)
        yield from signal_violations(self.signal_types)
        yield from _at_least_one("signal_types", self.signal_types)
        yield from signature_violations(self.failure_signatures)
        yield from _at_least_one("failure_signatures", self.failure_signatures)
        yield from required("severity", self.severity)
        yield from one_of("severity", self.severity, list(Severity))
        yield from text("title", self.title, most=LONGEST_TITLE)
        yield from not_blank("title", self.title)
        if self.implicated is not None:
            yield from self.implicated.violations("implicated_producer", at)
        yield from evidence_violations(self.evidence_sample)
        if self.primary_evidence_id is not None and not is_evidence_id(self.primary_evidence_id):
            yield Violation("primary_evidence_id", "MALFORMED", "must look like evd-<ulid>")


def unusable(dataset: DatasetConfig) -> Iterator[Violation]:
    """Why no incident can be opened for the dataset."""
    match dataset.status:
        case DatasetStatus.UNREGISTERED:
            said = "must be a registered dataset"
            yield Violation("primary_dataset_urn", "NOT_REGISTERED", said)
        case DatasetStatus.RETIRED:
            yield Violation("primary_dataset_urn", "RETIRED", "must not be a retired dataset")


def _at_least_one(field: str, said: Sequence[str]) -> Iterator[Violation]:
    if not said:
        yield Violation(field, "REQUIRED", "must have at least one item")
