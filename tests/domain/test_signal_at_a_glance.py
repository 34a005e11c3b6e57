"""A glance never takes a wrong report for a right one, and knows the usual ones."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from attrs import evolve, fields
from hypothesis import given
from hypothesis import strategies as st

from domain.signal_at_a_glance import is_right
from domain.signal_contract import ReportedMetrics, ReportedProducer, SignalReport
from tests.domain.evaluations import HOUR, NOON
from tests.domain.test_signal_contract import CRITICAL, OK

TICK = timedelta(microseconds=1)
MOMENTS = [
    None,
    NOON.replace(tzinfo=None),
    NOON - HOUR,
    NOON - HOUR - timedelta(milliseconds=1),
    NOON - HOUR + timedelta(microseconds=999),
    NOON + HOUR,
    NOON + HOUR + TICK,
    datetime(1970, 1, 1, tzinfo=UTC),
    datetime(1970, 1, 1, tzinfo=UTC) - TICK,
    NOON.astimezone(timezone(timedelta(hours=2))),
]
SHARES = [None, 0.0, 1.0, -0.1, 1.1, float("nan"), float("inf")]
OTHERS: dict[str, list[Any]] = {
    "dataset_urn": ["", "urn:dp:orders", OK.dataset_urn + "\n"],
    "signal_type": ["", "FRESHNES", "CUSTOM_X", "CUSTOM_", "VOLUME\n"],
    "state": [None, "", "ok", "UNKNOWN", "WARNING", "CRITICAL"],
    "score": SHARES,
    "slo_threshold": SHARES,
    "window_start": MOMENTS,
    "window_end": MOMENTS,
    "window_type": [None, "", "TUMBLING_5MIN", "tumbling", "A" * 65],
    "metrics": [
        None,
        ReportedMetrics(10, None, 0),
        ReportedMetrics(None, 1, 0),
        ReportedMetrics(10, 5, 5),
        ReportedMetrics(10, 5, 6),
        ReportedMetrics(10, -1, 0),
        ReportedMetrics(10, 0, -1),
        ReportedMetrics(-1, 0, 0),
        ReportedMetrics(2**53, 0, 0),
        ReportedMetrics(2**53 - 1, 2**53 - 1, 0),
    ],
    "failure_signature": [None, "", "MISSING_FIELD:customer_id", "nonsense"],
    "top_producer": [None, ReportedProducer(), CRITICAL.top_producer],
    "evidence_sample": [(), ("evd-1",), CRITICAL.evidence_sample, CRITICAL.evidence_sample * 11],
    "evaluated_at": MOMENTS,
    "expected_version": [None, -2, -1, 0, 7],
}


def is_never_wrong(report: SignalReport) -> bool:
    return not is_right(report, NOON) or not report.violations(at=NOON)


def test_all_fields_are_looked_at() -> None:
    assert set(OTHERS) == {one.name for one in fields(SignalReport)}


@pytest.mark.parametrize("field", OTHERS)
def test_no_other_value_of_a_field_is_taken_for_a_right_one(field: str) -> None:
    for value in OTHERS[field]:
        assert is_never_wrong(evolve(OK, **{field: value})), value


@given(st.fixed_dictionaries({}, optional={k: st.sampled_from(v) for k, v in OTHERS.items()}))
def test_no_wrong_report_is_taken_for_a_right_one(other: dict[str, Any]) -> None:
    assert is_never_wrong(evolve(OK, **other))


@pytest.mark.parametrize(
    "other",
    [
        {},
        {"slo_threshold": 0.95, "window_type": "TUMBLING_5MIN", "expected_version": 7},
        {"evaluated_at": NOON + HOUR, "signal_type": "CUSTOM_X"},
        {"window_start": NOON - timedelta(milliseconds=1), "score": 0.0},
    ],
    ids=["short", "full", "late", "brief"],
)
def test_the_usual_report_is_known(other: dict[str, Any]) -> None:
    assert is_right(evolve(OK, **other), NOON)
