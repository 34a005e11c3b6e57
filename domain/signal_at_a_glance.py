"""
Whether a report of a signal is right, at a glance.

Nearly all say that a signal is OK, and are right. Whoever is not sure here asks
`SignalReport.violations`, which says what is wrong and takes eight times as long.
"""

from datetime import UTC, datetime

from domain.evaluation import State
from domain.ids import is_dataset_urn, is_signal_type
from domain.moments import EARLIEST
from domain.signal_contract import SHORTEST_WINDOW, ReportedMetrics, SignalReport
from domain.versions import ANY_VERSION
from domain.violations import AHEAD, LARGEST_INTEGER, word


def is_right(report: SignalReport, at: datetime) -> bool:
    """Whether `violations` would find nothing. It is not always known: then it says no."""
    score, threshold = report.score, report.slo_threshold
    version, metrics = report.expected_version, report.metrics
    return (
        report.state == State.OK.value
        and not report.failure_signature
        and report.top_producer is None
        and not report.evidence_sample
        and score is not None
        and 0 <= score <= 1
        and (threshold is None or 0 <= threshold <= 1)
        and version is not None
        and version >= ANY_VERSION
        and metrics is not None
        and _adds_up(metrics)
        and _is_in_time(report, at + AHEAD)
        and not word("window_type", report.window_type)
        and is_signal_type(report.signal_type)
        and is_dataset_urn(report.dataset_urn)
    )


def _adds_up(metrics: ReportedMetrics) -> bool:
    all_, passed, failed = metrics.evidence_count, metrics.pass_count, metrics.fail_count
    if all_ is None or passed is None or failed is None:
        return False
    return passed >= 0 and failed >= 0 and passed + failed <= all_ <= LARGEST_INTEGER


def _is_in_time(report: SignalReport, latest: datetime) -> bool:
    start, end, evaluated = report.window_start, report.window_end, report.evaluated_at
    if start is None or end is None or start.tzinfo is not UTC or end.tzinfo is not UTC:
        return False
    if evaluated is not None and (
        evaluated.tzinfo is not UTC or not EARLIEST <= evaluated <= latest
    ):
        return False
    return start >= EARLIEST and end <= latest and end - start >= SHORTEST_WINDOW
