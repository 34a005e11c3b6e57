"""The cache never takes an invalid report for a valid one, and knows the valid ones."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from domain.errors import Violation
from domain.evidence.report import EvidenceReport
from domain.evidence.validated_values import MOST_VALUES, ValidatedValueCache

NOON = datetime(2026, 1, 15, 12, tzinfo=UTC)
DIGEST = "sha256:" + "a" * 64

RIGHT = EvidenceReport(
    "evd-01HQXY8MNP4QR7ST9VW2XYZ456",
    "urn:dp:orders:order_created:v1",
    NOON,
    "FAIL",
    ("G4_CONTRACT",),
    ("MISSING_FIELD:user_id",),
    "svc",
    "v1",
    "HIGH",
    "orders",
    3,
    17,
    DIGEST,
    DIGEST,
    "0" * 32,
    "0" * 16,
    "s3://bucket/evd",
    100,
)

ANY_TEXT = st.none() | st.sampled_from(["", " ", "\n", "x" * 2_000, "é", DIGEST + "\n"])
ANY_NUMBER = st.none() | st.sampled_from([0, -1, 1, 2**31 - 1, 2**31, 2**53 - 1, 2**53])
ANY_TEXTS = st.sampled_from(
    [(), ("",), ("G4_CONTRACT",) * 51, ("A:b",), ("a b", "A:b"), ("X",) * 5]
)
ANY_MOMENT = st.none() | st.sampled_from(
    [
        NOON.replace(tzinfo=None),
        NOON + timedelta(hours=1),
        NOON + timedelta(hours=1, microseconds=1),
        datetime(1970, 1, 1, tzinfo=UTC),
        datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC),
        NOON.astimezone(timezone(timedelta(hours=2))),
    ]
)
LIKELY = {"result": st.sampled_from(["PASS", "FAIL", "pass", "MAYBE", ""])}


def _any(field: str) -> st.SearchStrategy[Any]:
    right = st.just(getattr(RIGHT, field))
    match field:
        case "created_at":
            return right | ANY_MOMENT
        case "failed_gates" | "reason_codes":
            return right | ANY_TEXTS
        case "unreadable":
            return right | st.just((Violation("created_at", "MALFORMED", "must be a moment"),))
        case "partition" | "offset" | "payload_size_bytes":
            return right | ANY_NUMBER
        case _:
            wrong = LIKELY.get(field, ANY_TEXT)
            return right | wrong | st.just(str(getattr(RIGHT, field)) + "\n")


ANY_REPORT = st.builds(EvidenceReport, **{field: _any(field) for field in EvidenceReport._fields})


def _with(field: str) -> st.SearchStrategy[EvidenceReport]:
    return _any(field).map(lambda value: RIGHT._replace(**{field: value}))


NEARLY_RIGHT = st.one_of([_with(field) for field in EvidenceReport._fields])


@given(st.lists(NEARLY_RIGHT | ANY_REPORT, min_size=1, max_size=20))
def test_a_report_that_is_known_valid_has_no_violations(reports: list[EvidenceReport]) -> None:
    """Whichever reports were added before."""
    cache = ValidatedValueCache()
    for report in reports * 2:
        nothing_wrong = not list(report.violations(at=NOON))
        if cache.is_known_valid(report, NOON):
            assert nothing_wrong
        elif nothing_wrong:
            cache.add(report)
            plain = len(report.failed_gates) + len(report.reason_codes) <= 4
            in_utc = report.created_at is not None and report.created_at.tzinfo is UTC
            assert cache.is_known_valid(report, NOON) is (plain and in_utc)


def test_a_stream_of_new_things_does_not_fill_the_memory() -> None:
    cache = ValidatedValueCache()
    for number in range(MOST_VALUES):
        cache.add(RIGHT._replace(topic=f"topic-{number}"))
    assert len(cache._valid) <= MOST_VALUES + 2
