"""Evidence as callers see it, and what became of what they sent."""

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import BaseModel, Field

from application.evidence import Fate, Outcome, Rejected, Shown
from domain.errors import Invalid
from domain.evidence import evidence
from domain.evidence.evidence import Verdict
from domain.signal.evaluation import Confidence
from domain.timestamps import stamp
from entrypoints.http.datasets.responses import NextPage
from entrypoints.http.problems import Violation
from entrypoints.http.validation.timestamps import Stamp
from entrypoints.interfaces.error_table import told
from entrypoints.interfaces.evidence_input import causes

REFUSED = "REJECTED"


class EvidenceResult(BaseModel):
    """What became of one item."""

    evidence_id: str | None
    outcome: Literal["STORED", "SAMPLED_OUT", "REJECTED"] = Field(
        description="A PASS may be left out of the sample."
    )
    error_code: str | None = Field(None, examples=["VALIDATION"])
    error_message: str | None = None
    violations: list[Violation] = []


class PutEvidenceResponse(BaseModel):
    """The results in the order of the items."""

    results: list[EvidenceResult]
    stored_count: int
    sampled_out_count: int
    failure_count: int


def result(name: str | None, outcome: Outcome) -> dict[str, Any]:
    if not isinstance(outcome, Rejected):
        return {"evidence_id": name, "outcome": outcome.value}
    meant = told(Invalid(causes(outcome.violations)))
    return {
        "evidence_id": name,
        "outcome": REFUSED,
        "error_code": meant.code,
        "error_message": meant.detail,
        "violations": [
            {"field": one.field, "code": one.code, "message": one.message}
            for one in meant.violations
        ],
    }


def counted(results: Sequence[dict[str, Any]], outcomes: Sequence[Outcome]) -> dict[str, Any]:
    kept, left_out = outcomes.count(Fate.KEPT), outcomes.count(Fate.SAMPLED_OUT)
    return {
        "results": results,
        "stored_count": kept,
        "sampled_out_count": left_out,
        "failure_count": len(outcomes) - kept - left_out,
    }


class ValidationResult(BaseModel):
    result: Verdict
    failed_gates: list[str]
    reason_codes: list[str]


class EvidenceProducer(BaseModel):
    producer_id: str
    version: str | None
    confidence: Confidence | None


class SourceInfo(BaseModel):
    topic: str
    partition: int
    offset: int


class Fingerprints(BaseModel):
    schema_fingerprint: str | None
    payload_hash: str | None


class OtelContext(BaseModel):
    trace_id: str | None
    span_id: str | None


class Evidence(BaseModel):
    """What one record looked like when it was checked."""

    evidence_id: str
    dataset_urn: str
    created_at: Stamp
    recorded_at: Stamp = Field(description="When the store accepted it.")
    archived: bool = Field(description="Whether it has expired and was read from the archive.")
    validation: ValidationResult
    producer: EvidenceProducer | None
    source: SourceInfo | None
    fingerprints: Fingerprints | None
    otel: OtelContext | None
    payload_ref: str | None
    payload_size_bytes: int | None

    @classmethod
    def of(cls, shown: Shown) -> "Evidence":
        return cls.model_validate(shown_fields(shown))


class EvidenceLookupResponse(BaseModel):
    """In the order of the ids, without those that nobody knows."""

    evidence: list[Evidence]
    missing_ids: list[str] = Field(description="Never heard of, or left out of the sample.")


class EvidenceListResponse(BaseModel):
    """The last created first."""

    evidence: list[Evidence]
    next_page_token: NextPage = None


def shown_fields(shown: Shown) -> dict[str, Any]:
    one = shown.evidence
    return {
        "evidence_id": one.evidence_id,
        "dataset_urn": one.dataset,
        "created_at": stamp(one.created_at),
        "recorded_at": stamp(one.recorded_at),
        "archived": shown.archived,
        "validation": {
            "result": one.verdict,
            "failed_gates": list(one.failed_gates),
            "reason_codes": list(one.reason_codes),
        },
        **_parts(one),
        "payload_ref": one.payload_ref,
        "payload_size_bytes": one.payload_size_bytes,
    }


def _parts(one: evidence.Evidence) -> dict[str, Any]:
    """What need not have been told."""
    producer, source = one.producer, one.source
    prints = {"schema_fingerprint": one.schema_fingerprint, "payload_hash": one.payload_hash}
    otel = {"trace_id": one.trace_id, "span_id": one.span_id}
    return {
        "producer": producer
        and {
            "producer_id": producer.producer_id,
            "version": producer.version,
            "confidence": producer.confidence,
        },
        "source": source
        and {"topic": source.topic, "partition": source.partition, "offset": source.offset},
        "fingerprints": prints if any(prints.values()) else None,
        "otel": otel if any(otel.values()) else None,
    }
