"""
Signals as messages: reports in, states and outcomes out.

What lies within a message is told as fields rather than as a message of its own, which would be
copied into it: of many signals at once that takes half as long.
"""

from collections.abc import Iterable
from typing import Any

from application.incidents.read_model import IncidentView
from application.reads.position import Position
from application.signals.commands import Outcome, SignalUpdated
from application.signals.history import PastEvaluation as Past
from application.signals.queries import DatasetHealth as Health
from application.signals.read_model import SignalView
from domain.errors import Violation
from domain.signal.evaluation import Evaluation, Producer
from domain.signal.report import SignalReport
from entrypoints.grpc.fields.message_cache import Made
from entrypoints.grpc.fields.timestamps import parse_moment, timestamp
from entrypoints.grpc.messages import common_pb2, signals_pb2
from entrypoints.interfaces.error_table import told

Fields = dict[str, Any]
"""Of a message, by name."""


def signal_report(update: signals_pb2.UpdateSignalStateRequest) -> SignalReport:
    """The update as it was sent, with what cannot be read of it."""
    sent = update.state
    start, end = parse_moment(sent, "window_start"), parse_moment(sent, "window_end")
    evaluated_at = parse_moment(sent, "evaluated_at")
    metrics = sent.metrics if sent.HasField("metrics") else None
    producer = sent.top_producer if sent.HasField("top_producer") else None
    return SignalReport(
        dataset_urn=update.dataset_urn,
        signal_type=update.signal_type,
        state=sent.state or None,
        score=sent.score,
        slo_threshold=sent.slo_threshold if sent.HasField("slo_threshold") else None,
        window_start=start.value,
        window_end=end.value,
        window_type=sent.window_type or None,
        evidence_count=metrics.evidence_count if metrics else None,
        pass_count=metrics.pass_count if metrics else None,
        fail_count=metrics.fail_count if metrics else None,
        failure_signature=sent.failure_signature or None,
        # Empty, not left out, where a producer is sent: it must have an id.
        producer_id=producer.producer_id if producer else None,
        producer_version=producer.version or None if producer else None,
        confidence=producer.confidence or None if producer else None,
        evidence_sample=tuple(sent.evidence_sample),
        evaluated_at=evaluated_at.value,
        expected_version=update.expected_version,
        unreadable=(*start.violations, *end.violations, *evaluated_at.violations),
    )


def outcome_message(outcome: Outcome) -> signals_pb2.UpdateSignalStateResponse:
    return signals_pb2.UpdateSignalStateResponse(**outcome_fields(outcome))


def outcome_fields(outcome: Outcome) -> Fields:
    if isinstance(outcome, SignalUpdated):
        return _updated_fields(outcome)
    meant = told(outcome)
    return {
        "error_code": meant.code,
        "error_message": meant.detail,
        "violations": map(violation_message, meant.violations),
        "current_version": meant.data.get("current_version"),
    }


def _updated_fields(updated: SignalUpdated) -> Fields:
    standing = updated.standing
    return {
        "success": True,
        "new_version": updated.version,
        "position": Position(updated.position).token(),
        "state": standing.state,
        "previous_state": standing.previous_state,
        "state_changed_at": timestamp(standing.changed_at),
        "breach_start": timestamp(standing.breach_start) if standing.breach_start else None,
        "is_current": updated.is_current,
        "replayed": updated.replayed,
    }


def violation_message(violation: Violation) -> common_pb2.Violation:
    return common_pb2.Violation(
        field=violation.field, code=violation.code, message=violation.message
    )


def signal_message(card: SignalView, answer: common_pb2.AnswerInfo) -> signals_pb2.SignalState:
    message = signals_pb2.SignalState()
    message.CopyFrom(signal_part(card))
    message.answer.CopyFrom(answer)
    return message


def signal_part(card: SignalView) -> signals_pb2.SignalState:
    """To be copied into a message, never to be changed.

    Kept, because the same cards are told again and again, and copying takes a seventh of making.
    """
    return _SIGNALS.of(card)


def _made(card: SignalView) -> signals_pb2.SignalState:
    return signals_pb2.SignalState(**_signal_fields(card))


_SIGNALS = Made(_made)


def _signal_fields(card: SignalView) -> Fields:
    return {
        "dataset_urn": card.dataset,
        "signal_type": card.signal_type,
        "state": {
            **_evaluation_fields(card.evaluation),
            # How it stands, which need not be what its latest window says.
            "state": card.state,
            "breach_start": timestamp(card.breach_start) if card.breach_start else None,
            "incident_id": card.incident_id,
        },
        "version": card.version,
        "previous_state": card.previous_state,
        "state_changed_at": timestamp(card.state_changed_at),
        "tier": card.tier,
        "owner_team": card.owner_team,
        "last_updated": timestamp(card.last_updated),
        "ttl": int(card.ends_at.timestamp()) if card.ends_at else None,
    }


def _evaluation_fields(evaluation: Evaluation) -> Fields:
    metrics, producer = evaluation.metrics, evaluation.top_producer
    return {
        "state": evaluation.state,
        "score": evaluation.score,
        "slo_threshold": evaluation.slo_threshold,
        "window_start": timestamp(evaluation.window_start),
        "window_end": timestamp(evaluation.window_end),
        "window_type": evaluation.window_type,
        "metrics": {
            "evidence_count": metrics.evidence_count,
            "pass_count": metrics.pass_count,
            "fail_count": metrics.fail_count,
        },
        "failure_signature": evaluation.failure_signature,
        "top_producer": _producer_fields(producer) if producer else None,
        "evidence_sample": evaluation.evidence_sample,
        "evaluated_at": timestamp(evaluation.evaluated_at),
    }


def _producer_fields(producer: Producer) -> Fields:
    return {
        "producer_id": producer.producer_id,
        "version": producer.version,
        "confidence": producer.confidence,
    }


def past_message(past: Past) -> signals_pb2.PastEvaluation:
    return signals_pb2.PastEvaluation(
        evaluation=signals_pb2.SignalStateValue(**_evaluation_fields(past.evaluation)),
        recorded_at=timestamp(past.recorded_at),
        was_current=past.was_current,
        position=Position(past.position).token(),
        version=past.version,
    )


def health_message(health: Health, answer: common_pb2.AnswerInfo) -> signals_pb2.DatasetHealth:
    dataset = health.dataset
    return signals_pb2.DatasetHealth(
        dataset_urn=dataset.dataset,
        state=health.state,
        status=dataset.status,
        tier=dataset.settings.tier,
        owner_team=dataset.settings.owner_team,
        signals=map(signal_part, health.signals),
        incidents=_summaries(health.incidents),
        answer=answer,
    )


def _summaries(incidents: Iterable[IncidentView]) -> Iterable[signals_pb2.IncidentSummary]:
    return (
        signals_pb2.IncidentSummary(
            incident_id=card.incident,
            status=card.status,
            severity=card.severity,
            title=card.title,
            created_at=timestamp(card.created_at),
        )
        for card in incidents
    )
