"""What a report of evidence says must not contradict itself. (The rest: over HTTP and gRPC.)"""

import pytest

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
