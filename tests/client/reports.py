"""What a signal engine reports."""

from datetime import UTC, datetime, timedelta
from typing import Any

from statestore_client import (
    ANY_VERSION,
    Confidence,
    Evaluation,
    Metrics,
    Producer,
    SignalUpdate,
    State,
)
from statestore_client.messages import signals_pb2 as pb
from statestore_client.streaming.outcomes import to_request

NOON = datetime(2026, 1, 15, 12, tzinfo=UTC)
ORDERS = "urn:dp:orders:order_created:v1"


def evaluation(window: int, state: State = State.OK, **other: Any) -> Evaluation:
    """Of the n-th window of five minutes after noon."""
    end = NOON + timedelta(minutes=5 * (window + 1))
    explained: dict[str, Any] = {
        "failure_signature": "LATE_DATA:processed_at",
        "top_producer": Producer("orders-svc", "v3.17", Confidence.HIGH),
        "evidence_sample": ("evd-01HQXY8MNP4QR7ST9VW2XYZ456",),
    }
    said: dict[str, Any] = {
        "state": state,
        "score": 0.5,
        "window_start": end - timedelta(minutes=5),
        "window_end": end,
        "metrics": Metrics(10, 5, 5),
        **({} if state is State.OK else explained),
        **other,
    }
    return Evaluation(**said)


def update(
    window: int,
    expected_version: int = ANY_VERSION,
    signal_type: str = "VOLUME",
    dataset_urn: str = ORDERS,
    **other: Any,
) -> SignalUpdate:
    return SignalUpdate(
        dataset_urn=dataset_urn,
        signal_type=signal_type,
        evaluation=evaluation(window, **other),
        expected_version=expected_version,
    )


def accepted(version: int = 1, position: str = "") -> pb.UpdateSignalStateResponse:
    return pb.UpdateSignalStateResponse(
        success=True, new_version=version, state="OK", is_current=True, position=position
    )


def conflict(current: int) -> pb.UpdateSignalStateResponse:
    return pb.UpdateSignalStateResponse(
        error_code="VERSION_CONFLICT", error_message="no", current_version=current
    )


def history(*versions: tuple[SignalUpdate, int]) -> pb.GetSignalHistoryResponse:
    """Each update, and the version that it made."""
    return pb.GetSignalHistoryResponse(
        evaluations=[
            {"evaluation": to_request(stored).state, "version": version}
            for stored, version in versions
        ]
    )


def standing(stored: SignalUpdate, version: int) -> pb.SignalState:
    return pb.SignalState(state=to_request(stored).state, version=version, answer={"position": "p"})
