"""Signal updates as engines send them: windows of five minutes, now and then a breach."""

from datetime import UTC, datetime, timedelta

from domain.evaluation import State
from domain.signal_contract import ReportedMetrics, ReportedProducer, SignalReport

WINDOW = timedelta(minutes=5)
FIRST_WINDOW = datetime(2026, 1, 1, tzinfo=UTC)
BREACH_EVERY = 10

_EVIDENCE = tuple(f"evd-01KCPM2E4ZXQ5WT7B8RN6HVD{n}Y" for n in "0123")


def dataset_urn(number: int) -> str:
    return f"urn:dp:orders:purchases-{number}:v1"


def report(dataset: str, signal_type: str, number: int) -> SignalReport:
    """The signal's evaluation of its window of this number; the first is number 0."""
    in_breach = number % BREACH_EVERY == BREACH_EVERY - 1
    return (
        _breach(dataset, signal_type, number) if in_breach else _fine(dataset, signal_type, number)
    )


def _fine(dataset: str, signal_type: str, number: int) -> SignalReport:
    end = FIRST_WINDOW + number * WINDOW
    return SignalReport(
        dataset,
        signal_type,
        State.OK.value,
        score=0.9987,
        slo_threshold=0.95,
        window_start=end - WINDOW,
        window_end=end,
        window_type="TUMBLING_5MIN",
        metrics=ReportedMetrics(12_500 + number, 12_480 + number, 20),
        expected_version=number,
    )


def _breach(dataset: str, signal_type: str, number: int) -> SignalReport:
    end = FIRST_WINDOW + number * WINDOW
    return SignalReport(
        dataset,
        signal_type,
        State.CRITICAL.value,
        score=0.8123,
        slo_threshold=0.95,
        window_start=end - WINDOW,
        window_end=end,
        window_type="TUMBLING_5MIN",
        metrics=ReportedMetrics(12_500 + number, 10_150 + number, 2_350),
        failure_signature="MISSING_FIELD:customer_id",
        top_producer=ReportedProducer("checkout-service", "2.14.3", "HIGH"),
        evidence_sample=_EVIDENCE,
        expected_version=number,
    )
