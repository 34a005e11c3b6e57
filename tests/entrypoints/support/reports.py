"""Requests that a signal engine and an administrator send."""

from datetime import UTC, datetime, timedelta
from typing import Any

from domain.timestamps import stamp

NOON = datetime(2026, 1, 15, 12, tzinfo=UTC)


def dataset(urn: str, **more: Any) -> dict[str, Any]:
    return {
        "dataset_urn": urn,
        "display_name": "A dataset",
        "tier": "TIER_1",
        "owner_team": "platform",
        **more,
    }


def report(window: int, version: int, state: str = "OK", **more: Any) -> dict[str, Any]:
    """A report on the n-th window of five minutes."""
    end = NOON + timedelta(minutes=5 * window)
    explained = {
        "failure_signature": "LATE_DATA:processed_at",
        "top_producer": {"producer_id": "svc", "version": "v1", "confidence": "HIGH"},
        "evidence_sample": ["evd-01HQXY8MNP4QR7ST9VW2XYZ456"],
    }
    return {
        "state": state,
        "score": 0.5,
        "window_start": stamp(end - timedelta(minutes=5)),
        "window_end": stamp(end),
        "metrics": {"evidence_count": 10, "pass_count": 5, "fail_count": 5},
        "expected_version": version,
        **(explained if state != "OK" else {}),
        **more,
    }
