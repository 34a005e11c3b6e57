"""Evidence: what one record looked like when it was checked."""

from dataclasses import dataclass
from datetime import datetime

from statestore_client.enums import Verdict
from statestore_client.models.answers import Producer


@dataclass(frozen=True, slots=True)
class Validation:
    result: Verdict
    failed_gates: tuple[str, ...] = ()
    reason_codes: tuple[str, ...] = ()
    """Each REASON_CODE:field."""


@dataclass(frozen=True, slots=True)
class EvidenceSource:
    """Where the record was read."""

    topic: str
    partition: int = 0
    offset: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprints:
    schema_fingerprint: str | None = None
    payload_hash: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OtelContext:
    trace_id: str | None = None
    span_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    evidence_id: str
    """`evd-<ulid>`."""
    dataset_urn: str
    created_at: datetime
    validation: Validation
    producer: Producer | None = None
    source: EvidenceSource | None = None
    fingerprints: Fingerprints | None = None
    otel: OtelContext | None = None
    payload_ref: str | None = None
    """Where the payload itself lies."""
    payload_size_bytes: int | None = None
    recorded_at: datetime | None = None
    """When the store accepted it. Not heard when evidence is put."""
    archived: bool = False
    """Whether it has expired and was read from the archive. Not heard when evidence is put."""
