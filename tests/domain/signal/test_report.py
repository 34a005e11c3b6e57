"""What a signal engine may send (S0-232..S0-239)."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any, TypeVar

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.errors import Invalid, Violation
from domain.ids import SIGNAL_TYPES
from domain.signal.evaluation import Confidence, Evaluation, Metrics, Producer, SignalStateEnum
from domain.signal.report import ParsedReport, SignalReport
from tests.domain.signal.evaluations import HOUR, NOON

T = TypeVar("T")

DATASET = "urn:dp:orders:order_created:v1"
EVIDENCE = "evd-01HQ4X8Z3M5K7N9P2R4T6V8W0Y"
EARLIEST, TICK = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)

OK = SignalReport(
    dataset_urn=DATASET,
    signal_type="FRESHNESS",
    state="OK",
    score=1.0,
    window_start=NOON - HOUR,
    window_end=NOON,
    evidence_count=10,
    pass_count=10,
    fail_count=0,
    expected_version=-1,
)
CRITICAL = evolve(
    OK,
    state="CRITICAL",
    score=0.25,
    slo_threshold=0.95,
    window_type="TUMBLING_5MIN",
    evidence_count=10,
    pass_count=7,
    fail_count=3,
    failure_signature="MISSING_FIELD:customer_id",
    producer_id="orders-api",
    producer_version="1.2.3",
    confidence="HIGH",
    evidence_sample=(EVIDENCE,),
    evaluated_at=NOON + timedelta(seconds=1),
    expected_version=7,
)


def counts(counted: int | None, passed: int | None, failed: int | None) -> dict[str, Any]:
    return {"evidence_count": counted, "pass_count": passed, "fail_count": failed}


def producer(
    name: str | None = None, version: str | None = None, confidence: str | None = None
) -> dict[str, Any]:
    return {"producer_id": name, "producer_version": version, "confidence": confidence}


def parsed(report: SignalReport) -> ParsedReport:
    return report.parse(at=NOON)


def violations(report: SignalReport) -> list[Violation]:
    try:
        parsed(report)
    except Invalid as invalid:
        return [*invalid.violations]
    return []


def broken(report: SignalReport) -> set[tuple[str, str]]:
    return {(each.field, each.code) for each in violations(report)}


@pytest.mark.parametrize("report", [OK, CRITICAL], ids=["short", "full"])
def test_a_report_that_keeps_the_contract_has_no_violations(report: SignalReport) -> None:
    assert broken(report) == set()


BREAKS: list[tuple[dict[str, Any], str, str]] = [
    ({"dataset_urn": "dp:orders:order_created:v1"}, "dataset_urn", "MALFORMED"),
    ({"dataset_urn": DATASET + "\n"}, "dataset_urn", "MALFORMED"),
    ({"signal_type": "FRESHNES"}, "signal_type", "UNKNOWN_VALUE"),
    ({"signal_type": "CUSTOM_"}, "signal_type", "UNKNOWN_VALUE"),
    ({"signal_type": "VOLUME\n"}, "signal_type", "UNKNOWN_VALUE"),
    ({"state": None}, "state", "REQUIRED"),
    ({"state": "ok"}, "state", "UNKNOWN_VALUE"),
    ({"score": None}, "score", "REQUIRED"),
    ({"score": -0.01}, "score", "OUT_OF_RANGE"),
    ({"score": 1.01}, "score", "OUT_OF_RANGE"),
    ({"score": float("nan")}, "score", "OUT_OF_RANGE"),
    ({"score": 10**400}, "score", "OUT_OF_RANGE"),
    ({"slo_threshold": 1.01}, "slo_threshold", "OUT_OF_RANGE"),
    ({"slo_threshold": float("inf")}, "slo_threshold", "OUT_OF_RANGE"),
    ({"window_start": None}, "window_start", "REQUIRED"),
    ({"window_end": None}, "window_end", "REQUIRED"),
    ({"window_end": NOON - HOUR}, "window_end", "INVERTED"),
    ({"window_end": NOON - HOUR + timedelta(microseconds=999)}, "window_end", "INVERTED"),
    ({"window_end": NOON - 2 * HOUR}, "window_end", "INVERTED"),
    ({"window_end": NOON + HOUR * 1.01}, "window_end", "IN_THE_FUTURE"),
    ({"window_end": NOON + HOUR + TICK}, "window_end", "IN_THE_FUTURE"),
    ({"window_end": NOON.replace(tzinfo=None)}, "window_end", "MALFORMED"),
    ({"window_start": datetime(1969, 12, 31, tzinfo=UTC)}, "window_start", "OUT_OF_RANGE"),
    ({"window_start": NOON.replace(tzinfo=None) - HOUR}, "window_start", "MALFORMED"),
    ({"evaluated_at": NOON + HOUR * 1.01}, "evaluated_at", "IN_THE_FUTURE"),
    ({"evaluated_at": NOON + HOUR + TICK}, "evaluated_at", "IN_THE_FUTURE"),
    ({"evaluated_at": EARLIEST - TICK}, "evaluated_at", "OUT_OF_RANGE"),
    ({"evaluated_at": NOON.replace(tzinfo=None)}, "evaluated_at", "MALFORMED"),
    ({"window_type": "tumbling"}, "window_type", "MALFORMED"),
    ({"window_type": ""}, "window_type", "MALFORMED"),
    ({"window_type": "T" * 65}, "window_type", "MALFORMED"),
    (counts(None, None, None), "metrics", "REQUIRED"),
    (counts(None, 7, 3), "metrics.evidence_count", "REQUIRED"),
    (counts(10, None, 3), "metrics.pass_count", "REQUIRED"),
    (counts(10, 7, None), "metrics.fail_count", "REQUIRED"),
    (counts(10, 7, -1), "metrics.fail_count", "OUT_OF_RANGE"),
    (counts(2**53, 7, 3), "metrics.evidence_count", "OUT_OF_RANGE"),
    (counts(10, 7, 4), "metrics", "INCONSISTENT"),
    (counts(0, 1, 0), "metrics", "INCONSISTENT"),
    ({"failure_signature": None}, "failure_signature", "REQUIRED"),
    ({"failure_signature": ""}, "failure_signature", "REQUIRED"),
    ({"failure_signature": "customer_id"}, "failure_signature", "MALFORMED"),
    (producer(), "top_producer", "REQUIRED"),
    (producer(""), "top_producer.producer_id", "REQUIRED"),
    (producer(None, "1.2.3"), "top_producer.producer_id", "REQUIRED"),
    (producer("p" * 201), "top_producer.producer_id", "TOO_LONG"),
    (producer("p\x00"), "top_producer.producer_id", "MALFORMED"),
    (producer("p", "v" * 101), "top_producer.version", "TOO_LONG"),
    (
        producer("p", confidence="SURE"),
        "top_producer.confidence",
        "UNKNOWN_VALUE",
    ),
    ({"evidence_sample": ()}, "evidence_sample", "REQUIRED"),
    ({"evidence_sample": (EVIDENCE,) * 11}, "evidence_sample", "TOO_MANY"),
    ({"evidence_sample": (EVIDENCE, "evd-1")}, "evidence_sample[1]", "MALFORMED"),
    ({"expected_version": None}, "expected_version", "REQUIRED"),
    ({"expected_version": -2}, "expected_version", "OUT_OF_RANGE"),
]


@pytest.mark.parametrize(("change", "field", "code"), BREAKS)
def test_each_broken_promise_is_named(change: dict[str, Any], field: str, code: str) -> None:
    assert broken(evolve(CRITICAL, **change)) == {(field, code)}


@pytest.mark.parametrize(
    "change",
    [
        {"score": 0},
        {"score": 1},
        {"window_end": NOON + HOUR},
        {"window_end": NOON - HOUR + timedelta(milliseconds=1)},
        {"window_start": EARLIEST},
        {"evaluated_at": NOON + HOUR},
        {"window_type": "T" * 64},
        {"signal_type": "CUSTOM_LATE_REFUNDS"},
        counts(2**53 - 1, 0, 0),
        producer("p" * 200, "v" * 100),
        {"evidence_sample": (EVIDENCE,) * 10},
        {"expected_version": 0},
    ],
    ids=str,
)
def test_what_is_just_within_the_bounds_is_accepted(change: dict[str, Any]) -> None:
    assert broken(evolve(CRITICAL, **change)) == set()


@pytest.mark.parametrize(
    ("state", "needed"),
    [
        ("OK", set()),
        ("UNKNOWN", {"top_producer", "evidence_sample"}),
        ("WARNING", {"failure_signature", "top_producer", "evidence_sample"}),
        ("CRITICAL", {"failure_signature", "top_producer", "evidence_sample"}),
    ],
)
def test_a_state_other_than_ok_must_be_explained(state: str, needed: set[str]) -> None:
    assert broken(evolve(OK, state=state)) == {(field, "REQUIRED") for field in needed}


def test_all_violations_are_returned_at_once() -> None:
    assert broken(SignalReport("", "", producer_version="v" * 101)) == {
        ("dataset_urn", "MALFORMED"),
        ("signal_type", "UNKNOWN_VALUE"),
        ("state", "REQUIRED"),
        ("score", "REQUIRED"),
        ("window_start", "REQUIRED"),
        ("window_end", "REQUIRED"),
        ("metrics", "REQUIRED"),
        ("top_producer.producer_id", "REQUIRED"),
        ("top_producer.version", "TOO_LONG"),
        ("expected_version", "REQUIRED"),
    }


def test_violations_read_as_one_sentence() -> None:
    with pytest.raises(Invalid) as refused:
        parsed(evolve(OK, score=2, expected_version=None))
    assert str(refused.value) == (
        "score: must be a finite number from 0 to 1; expected_version: is required"
    )


def test_unreadable_fields_come_first_and_hide_what_follows_from_them() -> None:
    unreadable = (
        Violation("state", "WRONG_TYPE", "must be a text"),
        Violation("metrics.pass_count", "WRONG_TYPE", "must be a whole number"),
    )
    told = evolve(OK, state=None, pass_count=None, score=2, unreadable=unreadable)
    assert [(one.field, one.code) for one in violations(told)] == [
        ("state", "WRONG_TYPE"),
        ("metrics.pass_count", "WRONG_TYPE"),
        ("score", "OUT_OF_RANGE"),
    ]


def test_a_report_with_unreadable_fields_is_refused_even_if_the_rest_is_valid() -> None:
    unreadable = (Violation("If-Match", "MALFORMED", "must be one ETag"),)
    assert violations(evolve(OK, unreadable=unreadable)) == [*unreadable]


def test_at_most_two_hundred_violations_are_shown() -> None:
    unreadable = tuple(Violation(f"field_{n}", "UNKNOWN_FIELD", "") for n in range(300))
    assert violations(evolve(OK, score=2, unreadable=unreadable)) == [*unreadable[:200]]


# What an accepted report means


def test_a_report_means_an_evaluation() -> None:
    assert parsed(CRITICAL).evaluated(NOON) == Evaluation(
        state=SignalStateEnum.CRITICAL,
        score=0.25,
        window_start=NOON - HOUR,
        window_end=NOON,
        metrics=Metrics(10, 7, 3),
        evaluated_at=NOON,
        window_type="TUMBLING_5MIN",
        slo_threshold=0.95,
        failure_signature=CRITICAL.failure_signature,  # type: ignore[arg-type]  # its type is checked
        top_producer=Producer("orders-api", "1.2.3", Confidence.HIGH),
        evidence_sample=(EVIDENCE,),  # type: ignore[arg-type]  # its type is checked
    )


def test_a_report_names_its_signal_and_the_version_that_it_was_decided_on() -> None:
    told = parsed(CRITICAL)
    assert (told.dataset, told.signal_type) == (CRITICAL.dataset_urn, CRITICAL.signal_type)
    assert told.expected_version == 7
    assert told.window == (NOON, NOON - HOUR)


def test_a_window_was_evaluated_when_the_report_says_else_at_its_end_or_now() -> None:
    now, at_version_3 = NOON + HOUR, evolve(OK, expected_version=3)
    assert CRITICAL.parse(at=now).evaluation.evaluated_at == CRITICAL.evaluated_at
    assert OK.parse(at=now).evaluation.evaluated_at == NOON
    assert at_version_3.parse(at=now).evaluation.evaluated_at == now


@pytest.mark.parametrize(
    ("change", "is_latest"),
    [
        ({"expected_version": 3}, True),
        ({"expected_version": 0}, True),
        ({"expected_version": -1}, False),
        ({"expected_version": 3, "evaluated_at": NOON}, False),
    ],
)
def test_a_report_that_names_a_version_and_no_time_is_the_latest(
    change: dict[str, Any], is_latest: bool
) -> None:
    assert parsed(evolve(OK, **change)).is_latest is is_latest


def test_nothing_counted_means_zero() -> None:
    meant = parsed(evolve(OK, **counts(0, 0, 0), score=0)).evaluation
    assert (meant.metrics, meant.score) == (Metrics(0, 0, 0), 0.0)


def test_moments_of_an_evaluation_are_in_utc_and_end_at_milliseconds() -> None:
    finer = timedelta(microseconds=1)
    abroad = (NOON - HOUR + finer).astimezone(timezone(2 * HOUR))
    told = evolve(OK, window_start=abroad, window_end=NOON + finer)
    assert parsed(told).evaluation == parsed(OK).evaluation
    assert parsed(told).evaluated(NOON + finer) == parsed(OK).evaluated(NOON)
    assert parsed(told).evaluation.window_start.tzinfo is UTC


# Whatever is sent


def mostly(good: st.SearchStrategy[T], anything: st.SearchStrategy[T]) -> st.SearchStrategy[T]:
    return st.one_of(good, good, good, anything)


moments = st.integers(0, 10**9).map(lambda seconds: NOON - timedelta(seconds=seconds))
any_text = st.text(st.characters())
any_moment = st.datetimes(timezones=st.sampled_from([None, UTC, timezone(14 * HOUR)]))
any_number = st.floats() | st.integers() | st.just(10**400)

good_counts = st.builds(
    lambda good, bad, more: counts(good + bad + more, good, bad),
    *[st.integers(0, 2**50)] * 3,
)
good_producers = st.builds(
    producer,
    st.text("abc-", min_size=1, max_size=200),
    st.none() | st.text("0.1", max_size=100),
    st.none() | st.sampled_from([*Confidence]),
)


@st.composite
def good_reports(draw: st.DrawFn) -> SignalReport:
    start = draw(moments)
    return SignalReport(
        dataset_urn=DATASET,
        signal_type=draw(st.sampled_from(SIGNAL_TYPES)),
        state=draw(st.sampled_from(SignalStateEnum)),
        score=draw(st.floats(0, 1)),
        slo_threshold=draw(st.none() | st.floats(0, 1)),
        window_start=start,
        window_end=start + draw(st.timedeltas(timedelta(milliseconds=1), HOUR)),
        window_type=draw(st.none() | st.just("SLIDING_1H")),
        **draw(good_counts),
        failure_signature="LATE:created_at",
        **draw(good_producers),
        evidence_sample=(EVIDENCE,) * draw(st.integers(1, 10)),
        evaluated_at=draw(st.none() | moments),
        expected_version=draw(st.integers(-1)),
    )


any_reports = st.builds(
    lambda named, counted, **more: SignalReport(**named, **counted, **more),
    named=mostly(
        st.just(producer()) | good_producers, st.builds(producer, *[st.none() | any_text] * 3)
    ),
    counted=mostly(good_counts, st.builds(counts, *[st.none() | st.integers()] * 3)),
    dataset_urn=mostly(st.just(DATASET), any_text),
    signal_type=mostly(st.sampled_from(SIGNAL_TYPES), any_text),
    state=mostly(st.sampled_from([*SignalStateEnum]), st.none() | any_text),
    score=mostly(st.floats(0, 1), st.none() | any_number),
    slo_threshold=st.none() | any_number,
    window_start=mostly(moments, st.none() | any_moment),
    window_end=mostly(moments, st.none() | any_moment),
    window_type=st.none() | any_text,
    failure_signature=st.none() | any_text,
    evidence_sample=st.lists(any_text).map(tuple),
    evaluated_at=st.none() | any_moment,
    expected_version=mostly(st.integers(-1), st.none() | st.integers()),
)


@settings(max_examples=150, deadline=None)
@given(any_reports | good_reports())
def test_whatever_is_sent_is_refused_or_means_an_evaluation(report: SignalReport) -> None:
    try:
        meant = parsed(report).evaluation
    except Invalid:
        return
    assert meant.state == report.state
    assert meant.window_start < meant.window_end
    assert len(meant.digest()) == 16


@settings(max_examples=80, deadline=None)
@given(good_reports())
def test_whatever_keeps_the_contract_is_accepted(report: SignalReport) -> None:
    assert broken(report) == set()
