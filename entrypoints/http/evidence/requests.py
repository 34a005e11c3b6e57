"""What whoever checks records sends as evidence: the item, and reading many of them."""

import asyncio
from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from attrs import frozen
from pydantic import ConfigDict, Field, ValidationError

from domain.errors import Invalid, Violation
from domain.evidence.evidence import Verdict
from domain.evidence.report import MOST_REASONS, EvidenceReport
from entrypoints.http.datasets.requests import Urn
from entrypoints.http.description.examples import EVIDENCE
from entrypoints.http.signals.requests import Count, EvidenceName, ProducerInfo
from entrypoints.http.validation.json_body import is_deep
from entrypoints.http.validation.models import Body, read
from entrypoints.http.validation.timestamps import Moment
from entrypoints.interfaces.evidence_input import WHOLE

AT_ONCE = 500
"""Items that are read while all other requests wait."""

Digest = Annotated[str, Field(json_schema_extra={"pattern": "^(sha256:[0-9a-f]{64})?$"})]
Result = Annotated[str, Field(json_schema_extra={"enum": [str(one) for one in Verdict]})]
Gate = Annotated[str, Field(json_schema_extra={"pattern": "^[A-Z_][A-Z0-9_]*$", "maxLength": 64})]
ReasonCode = Annotated[
    str,
    Field(json_schema_extra={"pattern": "^[A-Z][A-Z0-9_]*:[A-Za-z0-9_$@*]+$", "maxLength": 200}),
]


class ValidationResultRequest(Body):
    required = ("result",)

    result: Result | None = None
    failed_gates: list[Gate] | None = Field(None, json_schema_extra={"maxItems": MOST_REASONS})
    reason_codes: list[ReasonCode] | None = Field(
        None,
        description="REASON_CODE:field",
        json_schema_extra={"maxItems": MOST_REASONS},
    )


class SourceInfoRequest(Body):
    """Where the record was read."""

    required = ("topic",)

    topic: str | None = Field(None, json_schema_extra={"minLength": 1, "maxLength": 249})
    partition: int | None = Field(None, json_schema_extra={"minimum": 0, "maximum": 2**31 - 1})
    offset: Count | None = None


class FingerprintsRequest(Body):
    schema_fingerprint: Digest | None = None
    payload_hash: Digest | None = None


class OtelContextRequest(Body):
    trace_id: str | None = Field(None, json_schema_extra={"pattern": "^([0-9a-f]{32})?$"})
    span_id: str | None = Field(None, json_schema_extra={"pattern": "^([0-9a-f]{16})?$"})


class EvidenceRequest(Body):
    """What one record looked like when it was checked."""

    model_config = ConfigDict(json_schema_extra={"examples": [EVIDENCE]})

    required = ("evidence_id", "dataset_urn", "created_at", "validation")

    evidence_id: EvidenceName | None = None
    dataset_urn: Urn | None = None
    created_at: Moment | None = None
    validation: ValidationResultRequest | None = None
    producer: ProducerInfo | None = None
    source: SourceInfoRequest | None = None
    fingerprints: FingerprintsRequest | None = None
    otel: OtelContextRequest | None = None
    payload_ref: str | None = Field(
        None, description="Where the payload itself lies.", json_schema_extra={"maxLength": 1_024}
    )
    payload_size_bytes: Count | None = None
    recorded_at: Any = Field(None, description="Ignored: it is when the store accepts it.")
    archived: Any = Field(None, description="Ignored: so what was read can be put again.")

    def report(self, unreadable: tuple[Violation, ...] = ()) -> EvidenceReport:
        validation, producer = self.validation or _UNTOLD, self.producer or _NOBODY
        source, prints = self.source or _NOWHERE, self.fingerprints or _NO_PRINTS
        otel = self.otel or _NO_TRACE
        return EvidenceReport(
            self.evidence_id,
            self.dataset_urn,
            self.created_at,
            validation.result,
            tuple(validation.failed_gates or ()),
            tuple(validation.reason_codes or ()),
            producer.producer_id,
            producer.version,
            producer.confidence,
            source.topic,
            source.partition,
            source.offset,
            prints.schema_fingerprint,
            prints.payload_hash,
            otel.trace_id,
            otel.span_id,
            self.payload_ref,
            self.payload_size_bytes,
            unreadable,
        )


_UNTOLD, _NOBODY, _NOWHERE = ValidationResultRequest(), ProducerInfo(), SourceInfoRequest()
_NO_PRINTS, _NO_TRACE = FingerprintsRequest(), OtelContextRequest()


@frozen
class Unread:
    """Stands for an item of which nothing could be read."""

    reason: str


async def items(documents: Iterable[Any]) -> Sequence[EvidenceReport]:
    reports: list[EvidenceReport] = []
    for index, document in enumerate(documents):
        if index % AT_ONCE == AT_ONCE - 1:
            await asyncio.sleep(0)
        try:
            reports.append(EvidenceRequest.model_validate(document).report())
        except ValidationError:
            reports.append(_with_mistakes(document))
    return reports


def _with_mistakes(document: Any) -> EvidenceReport:
    """As much as can be read of it."""
    if isinstance(document, Unread):
        return _unread(Violation(WHOLE, "MALFORMED", document.reason))
    if is_deep(document):
        return _unread(Violation(WHOLE, "MALFORMED", "is nested too deeply"))
    try:
        sent = read(EvidenceRequest, document, place=WHOLE)
    except Invalid as error:
        return _unread(*error.violations)
    return sent.body.report(tuple(sent.violations))


def _unread(*violations: Violation) -> EvidenceReport:
    return EvidenceReport(unreadable=violations)
