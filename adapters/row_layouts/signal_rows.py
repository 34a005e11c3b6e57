"""
Signals as rows of `observability-signal-state`.

    PK           SK                   breach_state  breach_rank                   ttl
    urn:dp:…:v1  CONTRACT_COMPLIANCE  CRITICAL      TIER_1#urn:dp:…:v1#CONTRACT…  (when retired)

The other attributes are those of the signal, flat. `state-tier-index` holds only the rows with
a `breach_state`: those of signals that are not OK (T4) and whose dataset is in service. Their rank
begins with the tier and ends with what no other row has. `ttl` and `ends_at` are there once the
dataset is retired. The state is written once: a card's state is that of the evaluation it shows.
Signals of hot datasets lie in shards (see `hot_datasets`).
"""

from typing import Any

from adapters.row_layouts.attributes import present
from adapters.row_layouts.catalogue import SIGNAL_STATE
from adapters.row_layouts.engine import Row, RowKey
from adapters.row_layouts.expiry import ttl
from adapters.row_layouts.hot_datasets import NONE_HOT, HotDatasets, dataset_at
from application.signals.read_model import SignalKey, SignalView
from domain.dataset.tier import Tier
from domain.ids import EvidenceId, FailureSignature, SignalType
from domain.signal.evaluation import Confidence, Evaluation, Metrics, Producer, SignalStateEnum
from domain.timestamps import moment, moment_or_none, stamp, stamp_or_none


def row_key(key: SignalKey, hot: HotDatasets = NONE_HOT) -> RowKey:
    return RowKey(SIGNAL_STATE.name, hot.partition(key), key.signal_type)


def key_of(row: Row) -> SignalKey:
    return SignalKey(dataset_at(row["PK"]), SignalType(row["SK"]))


# Writing.


def to_row(card: SignalView, position: int, hot: HotDatasets = NONE_HOT) -> Row:
    return present(
        {
            "PK": hot.partition(SignalKey(card.dataset, card.signal_type)),
            "SK": card.signal_type,
            "state": card.state.value,
            "previous_state": card.previous_state and card.previous_state.value,
            "state_changed_at": stamp(card.state_changed_at),
            "breach_start": stamp_or_none(card.breach_start),
            "incident_id": card.incident_id,
            "tier": card.tier.value,
            "owner_team": card.owner_team,
            "last_updated": stamp(card.last_updated),
            "version": card.version,
            "ttl": ttl(card.ends_at),
            "ends_at": stamp_or_none(card.ends_at),
            "position": position,
            **_verdict(card.evaluation),
            **_breach(card),
        }
    )


def _verdict(evaluation: Evaluation) -> dict[str, Any]:
    return {
        "score": evaluation.score,
        "slo_threshold": evaluation.slo_threshold,
        "window_start": stamp(evaluation.window_start),
        "window_end": stamp(evaluation.window_end),
        "window_type": evaluation.window_type,
        "evaluated_at": stamp(evaluation.evaluated_at),
        "metrics": _metrics(evaluation.metrics),
        "failure_signature": evaluation.failure_signature,
        "evidence_sample": list(evaluation.evidence_sample),
        **_producer(evaluation.top_producer),
    }


def _metrics(metrics: Metrics) -> dict[str, int]:
    return {
        "evidence_count": metrics.evidence_count,
        "pass_count": metrics.pass_count,
        "fail_count": metrics.fail_count,
    }


def _producer(producer: Producer | None) -> dict[str, Any]:
    if producer is None:
        return {}
    return {
        "top_producer": producer.producer_id,
        "top_producer_version": producer.version,
        "top_producer_confidence": producer.confidence and producer.confidence.value,
    }


def _breach(card: SignalView) -> dict[str, str]:
    if card.state is SignalStateEnum.OK or card.ends_at is not None:
        return {}
    return {
        "breach_state": card.state.value,
        "breach_rank": f"{rank_of(card.tier)}{card.dataset}#{card.signal_type}",
    }


def rank_of(tier: Tier) -> str:
    """What the ranks of a tier's signals begin with."""
    return f"{tier.value}#"


# Reading.


def from_row(row: Row) -> SignalView:
    evaluation, previous = _evaluation(row), row.get("previous_state")
    return SignalView(
        dataset=dataset_at(row["PK"]),
        signal_type=SignalType(row["SK"]),
        evaluation=evaluation,
        state=evaluation.state,
        previous_state=SignalStateEnum(previous) if previous else None,
        state_changed_at=moment(row["state_changed_at"]),
        breach_start=moment_or_none(row.get("breach_start")),
        tier=Tier(row["tier"]),
        owner_team=row["owner_team"],
        last_updated=moment(row["last_updated"]),
        version=int(row["version"]),
        incident_id=row.get("incident_id"),
        ends_at=moment_or_none(row.get("ends_at")),
    )


def _evaluation(row: Row) -> Evaluation:
    threshold, signature = row.get("slo_threshold"), row.get("failure_signature")
    return Evaluation(
        state=SignalStateEnum(row["state"]),
        score=float(row["score"]),
        window_start=moment(row["window_start"]),
        window_end=moment(row["window_end"]),
        metrics=Metrics(**{name: int(count) for name, count in row["metrics"].items()}),
        evaluated_at=moment(row["evaluated_at"]),
        window_type=row.get("window_type"),
        slo_threshold=None if threshold is None else float(threshold),
        failure_signature=None if signature is None else FailureSignature(signature),
        top_producer=_top_producer(row),
        evidence_sample=tuple(map(EvidenceId, row["evidence_sample"])),
    )


def _top_producer(row: Row) -> Producer | None:
    if "top_producer" not in row:
        return None
    confidence = row.get("top_producer_confidence")
    return Producer(
        row["top_producer"],
        row.get("top_producer_version"),
        Confidence(confidence) if confidence else None,
    )
