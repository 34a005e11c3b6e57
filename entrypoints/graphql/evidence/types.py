"""Evidence as dashboards see it."""

from collections.abc import Sequence
from datetime import datetime

import strawberry

from application.evidence import Shown
from domain.errors import Invalid, Violation
from domain.evidence import evidence as domain
from domain.ids import EvidenceId
from entrypoints.graphql.consistency import Asked
from entrypoints.graphql.enums import Verdict
from entrypoints.graphql.optional import told
from entrypoints.graphql.producers import ProducerInfo

MOST = 100
AT_FIRST = 10


@strawberry.type(description="Where a record was read.")
class EvidenceSource:
    topic: str
    partition: int
    offset: float = strawberry.field(description="Exact up to 2^53 - 1.")

    @classmethod
    def of(cls, source: domain.Source) -> "EvidenceSource":
        return cls(topic=source.topic, partition=source.partition, offset=float(source.offset))


@strawberry.type(description="What one record looked like when it was checked.")
class Evidence:
    evidence_id: strawberry.ID
    dataset_urn: str
    created_at: datetime
    recorded_at: datetime = strawberry.field(description="When the store accepted it.")
    archived: bool = strawberry.field(
        description="Whether it has expired and was read from the archive."
    )
    result: Verdict
    failed_gates: list[str]
    reason_codes: list[str] = strawberry.field(description="REASON_CODE:field.")
    producer: ProducerInfo | None
    source: EvidenceSource | None
    schema_fingerprint: str | None
    payload_hash: str | None
    trace_id: str | None
    span_id: str | None
    payload_ref: str | None = strawberry.field(description="Where the payload itself lies.")
    payload_size_bytes: float | None = strawberry.field(description="Exact up to 2^53 - 1.")

    @classmethod
    def of(cls, shown: Shown) -> "Evidence":
        one = shown.evidence
        return cls(
            evidence_id=strawberry.ID(one.evidence_id),
            dataset_urn=one.dataset,
            created_at=one.created_at,
            recorded_at=one.recorded_at,
            archived=shown.archived,
            result=one.verdict,
            failed_gates=list(one.failed_gates),
            reason_codes=list(one.reason_codes),
            producer=told(one.producer, ProducerInfo.of),
            source=told(one.source, EvidenceSource.of),
            schema_fingerprint=one.schema_fingerprint,
            payload_hash=one.payload_hash,
            trace_id=one.trace_id,
            span_id=one.span_id,
            payload_ref=one.payload_ref,
            payload_size_bytes=told(one.payload_size_bytes, float),
        )


@strawberry.type(description="A page of a dataset's evidence, the last created first.")
class EvidencePage:
    evidence: list[Evidence]
    has_next_page: bool
    end_cursor: str | None = strawberry.field(description="Go on after it for the next page.")


async def sampled(at: Asked, names: Sequence[str], first: int | None) -> list[Evidence]:
    """The first of the evidence that something names, without what is not there."""
    few = AT_FIRST if first is None else first
    if not 1 <= few <= MOST:
        raise Invalid([Violation("first", "OUT_OF_RANGE", f"must be 1 to {MOST}")])
    found = await at.evidence.load_many([EvidenceId(name) for name in names[:few]])
    return [Evidence.of(one) for one in found if one is not None]
