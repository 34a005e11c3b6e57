"""
Evidence: what one record looked like when it was checked (S0-103..S0-109), and what is kept of it.

Every FAIL is kept, and a share of what passed (S0-316). Which share depends on the id alone: the
same evidence is kept or left out wherever and however often it is sent.
"""

from datetime import datetime
from enum import StrEnum
from hashlib import blake2b

from attrs import frozen

from domain.ids import DatasetUrn, EvidenceId
from domain.signal.evaluation import Producer

_RANGE = 2**64


class Verdict(StrEnum):
    PASS = "PASS"
    FAIL = "FAIL"


@frozen
class Source:
    """Where the record was read."""

    topic: str
    partition: int
    offset: int


@frozen
class Evidence:
    """Never changes: whatever comes later under the same id is not heard."""

    evidence_id: EvidenceId
    dataset: DatasetUrn
    created_at: datetime
    recorded_at: datetime
    """When the store accepted it."""
    verdict: Verdict
    failed_gates: tuple[str, ...] = ()
    reason_codes: tuple[str, ...] = ()
    producer: Producer | None = None
    source: Source | None = None
    schema_fingerprint: str | None = None
    payload_hash: str | None = None
    trace_id: str | None = None
    span_id: str | None = None
    payload_ref: str | None = None
    """Where the payload itself lies; the store has never seen it."""
    payload_size_bytes: int | None = None


def is_kept(name: str, verdict: str, pass_rate: float) -> bool:
    """Whether evidence is part of the sample. A higher rate keeps all that a lower one does."""
    if verdict != Verdict.PASS:
        return True
    return int.from_bytes(blake2b(name.encode(), digest_size=8).digest()) < pass_rate * _RANGE
