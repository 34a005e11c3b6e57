"""Evaluations are told apart by what they say, not by how it happens to be written."""

from datetime import timedelta
from typing import Any

import pytest
from attrs import evolve

from domain.ids import EvidenceId, FailureSignature
from domain.signal.evaluation import (
    IN_BREACH,
    Confidence,
    Evaluation,
    Metrics,
    Producer,
    SignalStateEnum,
)
from tests.domain.signal.evaluations import NOON

FULL = Evaluation(
    state=SignalStateEnum.CRITICAL,
    score=0.25,
    window_start=NOON,
    window_end=NOON + timedelta(minutes=5),
    metrics=Metrics(4, 1, 3),
    evaluated_at=NOON + timedelta(minutes=6),
    window_type="TUMBLING_5MIN",
    slo_threshold=0.95,
    failure_signature=FailureSignature("MISSING_FIELD:customer_id"),
    top_producer=Producer("orders-api", "1.2.3", Confidence.HIGH),
    evidence_sample=(EvidenceId("evd-01HQ4X8Z3M5K7N9P2R4T6V8W0Y"),),
)


def test_the_digest_is_the_same_in_every_release() -> None:
    """It decides which verdict wins: if it changed, stored signals would show something else."""
    assert FULL.digest() == "089e44f27e401419"


@pytest.mark.parametrize(
    "change",
    [
        {"state": SignalStateEnum.WARNING},
        {"score": 0.5},
        {"window_start": NOON - timedelta(milliseconds=1)},
        {"window_end": NOON + timedelta(minutes=6)},
        {"metrics": Metrics(4, 2, 2)},
        {"evaluated_at": NOON + timedelta(minutes=7)},
        {"window_type": None},
        {"slo_threshold": None},
        {"failure_signature": FailureSignature("MISSING_FIELD:order_id")},
        {"top_producer": Producer("orders-api", "1.2.3", Confidence.LOW)},
        {"top_producer": None},
        {"evidence_sample": ()},
    ],
    ids=str,
)
def test_whatever_differs_shows_in_the_digest(change: dict[str, Any]) -> None:
    assert evolve(FULL, **change).digest() != FULL.digest()


@pytest.mark.parametrize(("one", "other"), [(0.0, -0.0), (1.0, 1), (0.0, 0)])
def test_equal_numbers_have_equal_digests(one: float, other: float) -> None:
    assert evolve(FULL, score=one) == evolve(FULL, score=other)
    assert evolve(FULL, score=one).digest() == evolve(FULL, score=other).digest()
    thresholds = (evolve(FULL, slo_threshold=each).digest() for each in (one, other))
    assert len({*thresholds}) == 1


def test_warning_and_critical_are_breaches() -> None:
    assert {SignalStateEnum.WARNING, SignalStateEnum.CRITICAL} == IN_BREACH
