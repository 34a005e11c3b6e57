"""Evidence as messages: what became of it, and what is shown."""

from collections.abc import Sequence
from typing import Any

from application.evidence import Fate, Outcome, Rejected, Shown
from domain.errors import Invalid
from domain.evidence.evidence import Evidence
from entrypoints.grpc.fields.timestamps import timestamp
from entrypoints.grpc.messages import evidence_pb2 as messages
from entrypoints.grpc.signals.messages import Fields, violation_message
from entrypoints.interfaces.error_table import told
from entrypoints.interfaces.evidence_input import causes

# Two answers are nearly all there are: made once, and copied into each message.
_KEPT: Fields = {"kept": True}
_LEFT_OUT: Fields = {}
# Looking them up in their enumeration would take longer than all else.
_IS_KEPT, _IS_LEFT_OUT = Fate.KEPT, Fate.SAMPLED_OUT


def outcome_message(outcome: Outcome) -> messages.PutEvidenceResponse:
    return messages.PutEvidenceResponse(**_fields(outcome))


def batch_message(outcomes: Sequence[Outcome]) -> messages.BatchPutEvidenceResponse:
    kept, left_out = outcomes.count(_IS_KEPT), outcomes.count(_IS_LEFT_OUT)
    return messages.BatchPutEvidenceResponse(
        results=[
            _LEFT_OUT if one is _IS_LEFT_OUT else _KEPT if one is _IS_KEPT else _fields(one)
            for one in outcomes
        ],
        stored_count=kept,
        sampled_out_count=left_out,
        failure_count=len(outcomes) - kept - left_out,
    )


def _fields(outcome: Outcome) -> Fields:
    if not isinstance(outcome, Rejected):
        return _KEPT if outcome is _IS_KEPT else _LEFT_OUT
    meant = told(Invalid(causes(outcome.violations)))
    return {
        "error_code": meant.code,
        "error_message": meant.detail,
        "violations": map(violation_message, meant.violations),
    }


def evidence_message(shown: Shown) -> messages.Evidence:
    return messages.Evidence(**evidence_fields(shown))


def evidence_told(one: Evidence, *, archived: bool = False) -> bytes:
    """A message on its way: what the cache keeps of evidence for those who ask over gRPC."""
    return evidence_message(Shown(one, archived)).SerializeToString()


def evidence_fields(shown: Shown) -> Fields:
    one = shown.evidence
    return {
        "evidence_id": one.evidence_id,
        "dataset_urn": one.dataset,
        "created_at": timestamp(one.created_at),
        "recorded_at": timestamp(one.recorded_at),
        "archived": shown.archived,
        "validation": {
            "result": one.verdict,
            "failed_gates": one.failed_gates,
            "reason_codes": one.reason_codes,
        },
        "payload_ref": one.payload_ref,
        "payload_size_bytes": one.payload_size_bytes,
        **_parts(one),
    }


def _parts(one: Evidence) -> Fields:
    """What need not have been told."""
    parts: dict[str, Any] = {}
    if producer := one.producer:
        parts["producer"] = {
            "producer_id": producer.producer_id,
            "version": producer.version,
            "confidence": producer.confidence,
        }
    if source := one.source:
        parts["source"] = {
            "topic": source.topic,
            "partition": source.partition,
            "offset": source.offset,
        }
    if one.schema_fingerprint or one.payload_hash:
        parts["fingerprints"] = {
            "schema_fingerprint": one.schema_fingerprint,
            "payload_hash": one.payload_hash,
        }
    if one.trace_id or one.span_id:
        parts["otel"] = {"trace_id": one.trace_id, "span_id": one.span_id}
    return parts
