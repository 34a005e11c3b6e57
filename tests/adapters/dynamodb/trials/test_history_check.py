"""Every kind of violation is found in a history made for it, and a good history has none."""

from datetime import UTC, datetime, timedelta

import pytest
from attrs import evolve

from adapters.eventstore.log import Append, Guard, LogEntry, NewEvent, Receipt, StreamConflict
from application.errors import OutcomeUnknown, Unavailable
from tests.adapters.dynamodb.trials.history import Attempt, History, LogRead, Outcome, StreamRead
from tests.adapters.dynamodb.trials.history_check import Wrong, violations

NOON = datetime(2026, 1, 15, 12, tzinfo=UTC)


def event(stream: str, version: int) -> NewEvent:
    return NewEvent(stream, version, "thing.happened", b"{}", f"{stream}/{version}".encode())


def entry(position: int, stream: str, version: int) -> LogEntry:
    at, new = NOON + timedelta(seconds=position), event(stream, version)
    return LogEntry(position, at, stream, version, new.name, new.data, new.event_id, new.meta)


def stored(position: int, stream: str, version: int, *, began: int, ended: int) -> Attempt:
    receipt = Receipt(position, position, NOON + timedelta(seconds=position))
    return Attempt(Append([event(stream, version)]), began, ended, receipt)


def told(outcome: Outcome | None, stream: str, version: int, *, began: int = 50) -> Attempt:
    return Attempt(Append([event(stream, version)]), began, began + 5, outcome)


LOG = [entry(1, "a", 1), entry(2, "b", 1), entry(3, "a", 2)]
ATTEMPTS = [
    stored(1, "a", 1, began=0, ended=10),
    stored(2, "b", 1, began=5, ended=20),
    stored(3, "a", 2, began=30, ended=40),
]


def found(*attempts: Attempt, log: list[LogEntry] | None = None, **more: object) -> set[Wrong]:
    """What is wrong with these attempts, next to the good ones."""
    history = History([*ATTEMPTS, *attempts], **more)  # type: ignore[arg-type]
    return {one.wrong for one in violations(history, LOG if log is None else log)}


def test_a_good_history_has_nothing_wrong() -> None:
    reads = [
        LogRead(25, 0, LOG[:2]),
        LogRead(25, 2, []),
        StreamRead(45, "a", [LOG[0], LOG[2]]),
        StreamRead(45, "a", [LOG[2], LOG[0]], newest_first=True),
        StreamRead(15, "b", []),
    ]
    refused = told(StreamConflict("a", 2, 2), "a", 2, began=35)
    refused = evolve(refused, append=Append([evolve(event("a", 2), event_id=b"another")]))
    assert found(refused, told(Unavailable("log", "x"), "c", 1), reads=reads) == set()


@pytest.mark.parametrize("outcome", [OutcomeUnknown("log", "x"), None])
def test_what_nobody_was_told_may_be_there_or_not(outcome: Outcome | None) -> None:
    assert found(told(outcome, "c", 1)) == set()
    assert found(told(outcome, "c", 1), log=[*LOG, entry(4, "c", 1)]) == set()


def test_what_was_acknowledged_must_be_there() -> None:
    lost = stored(4, "c", 1, began=50, ended=60)
    assert found(lost) == {Wrong.LOST}
    assert found(lost, log=[*LOG, entry(4, "c", 1)]) == set()


def test_it_must_be_where_the_receipt_says() -> None:
    assert found(stored(7, "c", 1, began=50, ended=60), log=[*LOG, entry(4, "c", 1)]) == {
        Wrong.MISPLACED
    }


@pytest.mark.parametrize("outcome", [StreamConflict("c", 1, 5), Unavailable("log", "x")])
def test_what_was_refused_must_not_be_there(outcome: Outcome) -> None:
    assert Wrong.REFUSED_BUT_VISIBLE in found(told(outcome, "c", 1), log=[*LOG, entry(4, "c", 1)])


def test_an_append_is_there_whole_or_not_at_all() -> None:
    both = Attempt(Append([event("c", 1), event("d", 1)]), 50, 60, OutcomeUnknown("log", "x"))
    assert found(both, log=[*LOG, entry(4, "c", 1)]) == {Wrong.TORN}
    assert found(both, log=[*LOG, entry(4, "c", 1), entry(5, "d", 1)]) == set()
    apart = [*LOG, entry(4, "c", 1), entry(5, "e", 1), entry(6, "d", 1)]
    assert found(both, told(None, "e", 1), log=apart) == {Wrong.TORN}


def test_nothing_is_there_twice() -> None:
    assert Wrong.DUPLICATED in found(log=[*LOG, evolve(LOG[1], position=4)])


def test_nothing_is_there_that_nobody_appended() -> None:
    assert found(log=[*LOG, entry(4, "c", 1)]) == {Wrong.PHANTOM}
    assert Wrong.PHANTOM in found(log=[*LOG[:2], evolve(LOG[2], data=b"other")])


def test_positions_have_no_gaps() -> None:
    assert found(told(None, "c", 1), log=[*LOG, entry(5, "c", 1)]) == {Wrong.POSITION_GAP}


def test_versions_have_no_gaps() -> None:
    assert found(told(None, "c", 2), log=[*LOG, entry(4, "c", 2)]) == {Wrong.VERSION_GAP}
    assert found(told(None, "a", 4), log=[*LOG, entry(4, "a", 4)]) == {Wrong.VERSION_GAP}


def test_time_does_not_run_backwards() -> None:
    late = evolve(entry(4, "c", 1), recorded_at=NOON)
    assert found(told(None, "c", 1), log=[*LOG, late]) == {Wrong.TIME_BACKWARDS}


def test_what_was_acknowledged_first_lies_first() -> None:
    early = stored(4, "c", 1, began=0, ended=25)
    assert found(early, log=[*LOG, entry(4, "c", 1)]) == {Wrong.OUT_OF_ORDER}
    assert found(evolve(early, ended=35), log=[*LOG, entry(4, "c", 1)]) == set()


@pytest.mark.parametrize(("guard", "broken"), [(Guard("a", 2), False), (Guard("a", 1), True)])
def test_what_is_guarded_has_not_moved(guard: Guard, broken: bool) -> None:
    attempt = stored(4, "c", 1, began=50, ended=60)
    attempt = evolve(attempt, append=evolve(attempt.append, guards=[guard]))
    wrong = {Wrong.BROKEN_GUARD} if broken else set()
    assert found(attempt, log=[*LOG, entry(4, "c", 1)]) == wrong


@pytest.mark.parametrize(
    ("append", "conflict", "began", "groundless"),
    [
        (Append([event("a", 3)]), StreamConflict("a", 3, 1), 50, True),
        (Append([event("a", 3)]), StreamConflict("a", 3, 1), 35, False),
        (Append([event("b", 1)]), StreamConflict("b", 1, 1), 3, False),
        (Append([event("c", 1)]), StreamConflict("c", 1, 4), 50, True),
        (Append([event("c", 1)], [Guard("a", 2)]), StreamConflict("a", 2, 1), 50, True),
        (Append([event("c", 1)], [Guard("a", 1)]), StreamConflict("a", 1, 2), 50, False),
        (Append([event("c", 1)], [Guard("z", 0)]), StreamConflict("z", 0, 1), 50, True),
    ],
)
def test_a_conflict_needs_somebody_in_the_way(
    append: Append, conflict: StreamConflict, began: int, groundless: bool
) -> None:
    renamed = [evolve(one, event_id=b"new " + one.event_id) for one in append.events]
    attempt = Attempt(evolve(append, events=renamed), began, began + 10, conflict)
    assert found(attempt) == ({Wrong.GROUNDLESS_CONFLICT} if groundless else set())


@pytest.mark.parametrize(
    ("read", "wrong"),
    [
        (LogRead(0, 0, [LOG[0], LOG[2]]), Wrong.UNTRUE_READ),
        (LogRead(0, 1, [LOG[2]]), Wrong.UNTRUE_READ),
        (LogRead(25, 0, LOG[:1]), Wrong.STALE_READ),
        (StreamRead(0, "a", [LOG[2]]), Wrong.UNTRUE_READ),
        (StreamRead(0, "a", [LOG[0], LOG[2]], newest_first=True), Wrong.UNTRUE_READ),
        (StreamRead(45, "a", [LOG[0]]), Wrong.STALE_READ),
        (StreamRead(45, "b", []), Wrong.STALE_READ),
    ],
)
def test_a_read_is_true_and_shows_what_was_acknowledged(
    read: LogRead | StreamRead, wrong: Wrong
) -> None:
    assert found(reads=[read]) == {wrong}
