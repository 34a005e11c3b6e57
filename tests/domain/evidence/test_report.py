"""What a report of evidence says must not contradict itself. (The rest: over HTTP and gRPC.)"""

import pytest

from domain.errors import Invalid, Violation
from domain.evidence.report import EvidenceReport
from tests.domain.evidence.test_validated_values import NOON, RIGHT


def wrong(report: EvidenceReport) -> list[tuple[str, str]]:
    return [(one.field, one.code) for one in report.violations(at=NOON)]


def test_what_passed_has_failed_at_no_gate() -> None:
    assert wrong(RIGHT._replace(result="PASS")) == [("validation", "INCONSISTENT")]


@pytest.mark.parametrize(
    "report",
    [
        RIGHT,
        RIGHT._replace(failed_gates=()),
        RIGHT._replace(result="PASS", failed_gates=()),
        RIGHT._replace(result="PASS", failed_gates=(), reason_codes=()),
    ],
)
def test_reasons_may_be_given_or_not(report: EvidenceReport) -> None:
    assert wrong(report) == []


def test_unreadable_fields_are_violations_and_come_first() -> None:
    unreadable = (Violation("created_at", "MALFORMED", "must be a moment"),)
    worse = RIGHT._replace(payload_size_bytes=-1, unreadable=unreadable)
    assert wrong(worse) == [("created_at", "MALFORMED"), ("payload_size_bytes", "OUT_OF_RANGE")]


@pytest.mark.parametrize(
    "report",
    [
        RIGHT._replace(evidence_id=None),
        RIGHT._replace(dataset_urn=None),
        RIGHT._replace(created_at=None),
        RIGHT._replace(result=None),
    ],
)
def test_a_report_without_a_required_field_is_no_evidence(report: EvidenceReport) -> None:
    with pytest.raises(Invalid):
        report.evidence(recorded_at=NOON)
