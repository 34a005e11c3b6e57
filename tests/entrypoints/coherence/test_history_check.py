"""Every kind of violation is found in a history made for it, and a good history has none."""

import pytest
from attrs import evolve

from tests.entrypoints.coherence.history import (
    DROPS,
    SHARED,
    TABLES,
    Away,
    History,
    NotRead,
    Read,
    Span,
    Wrote,
)
from tests.entrypoints.coherence.history_check import Wrong, violations

FRESH = 10
WRITES = [
    Wrote("ann", "one", "signal", 1, 5, Span(0, 10)),
    Wrote("bob", "two", "signal", 2, 8, Span(20, 30)),
    Wrote("ann", "one", "other", 1, 9, Span(40, 50)),
]
AFTER = Span(100, 110)
GONE = [Away(SHARED, Span(200, 300)), Away(TABLES, Span(250, 400))]


def read(version: int, position: int, when: Span = AFTER, **more: object) -> Read:
    """By somebody who asked for nothing, at the process that acknowledged only version 1."""
    told = Read("cid", "one", "signal", version, position, 0, when)
    return evolve(told, **more)  # type: ignore[arg-type]


def found(*reads: Read, failures: list[NotRead] | None = None) -> set[Wrong]:
    history = History(WRITES, list(reads), failures or [], GONE)
    return {one.wrong for one in violations(history, fresh=FRESH)}


def test_a_good_history_has_nothing_wrong() -> None:
    good = [
        read(0, 0, Span(1, 9)),
        read(1, 7, Span(29, 35)),
        # The row was there before it was known that the table is that far.
        read(2, 7, Span(25, 28)),
        read(2, 9, asked=8, who="bob", process="two"),
        read(2, 8, Span(255, 258)),
        read(2, 8, Span(270, 280), stale=True),
        read(2, 8, Span(395, 405), stale=True),
        read(2, 9, Span(305, 310)),
        read(1, 9, about="other"),
    ]
    failed = NotRead("cid", "one", "signal", "UNAVAILABLE", Span(390, 410))
    assert found(*good, failures=[failed]) == set()


@pytest.mark.parametrize(
    ("wrong", "reads"),
    [
        (Wrong.OLDER_THAN_ASKED, [read(1, 7, asked=8)]),
        (Wrong.OLDER_THAN_TOLD, [read(1, 8)]),
        (Wrong.OLDER_THAN_OWN_WRITE, [read(1, 7, process="two")]),
        (Wrong.OLDER_THAN_OWN_WRITE, [read(0, 4, Span(11, 12))]),
        (Wrong.WENT_BACK, [read(2, 7), read(1, 7, Span(120, 130), asked=7)]),
        (Wrong.LEFT_BEHIND, [read(2, 7), read(1, 7, Span(130, 140))]),
        (Wrong.NEVER_WRITTEN, [read(3, 9)]),
        (Wrong.NEVER_WRITTEN, [read(2, 5, Span(11, 19))]),
        (Wrong.NOT_FLAGGED, [read(2, 8, Span(260, 299))]),
        (Wrong.FLAGGED_FOR_NOTHING, [read(2, 8, stale=True)]),
        (Wrong.FLAGGED_FOR_NOTHING, [read(2, 8, Span(210, 220), stale=True)]),
    ],
)
def test_what_is_wrong_is_found(wrong: Wrong, reads: list[Read]) -> None:
    assert found(*reads) == {wrong}


def test_whoever_does_not_carry_the_position_along_may_be_shown_older_things() -> None:
    assert found(read(2, 7), read(1, 7, Span(120, 130))) == set()


def test_whoever_began_before_a_change_may_keep_what_was_there_for_a_moment() -> None:
    slow = read(1, 7, Span(105, 150))
    assert found(read(2, 7), slow, read(1, 7, Span(160, 165))) == set()
    assert found(read(2, 7), slow, read(1, 7, Span(161, 165))) == {Wrong.LEFT_BEHIND}


def test_what_was_old_when_drops_were_lost_may_be_shown() -> None:
    """But not what became old later, or was old long before."""
    old = [read(2, 7), read(1, 7, Span(150, 160))]
    for gone, expected in (
        (Span(115, 140), set()),
        (Span(121, 140), {Wrong.LEFT_BEHIND}),
        (Span(90, 109), {Wrong.LEFT_BEHIND}),
    ):
        history = History(WRITES, old, [], [Away(DROPS, gone)])
        assert {one.wrong for one in violations(history, fresh=FRESH)} == expected


def test_a_read_that_fails_although_the_tables_are_there_is_found() -> None:
    failed = NotRead("cid", "one", "signal", "UNAVAILABLE", Span(210, 220))
    assert found(failures=[failed]) == {Wrong.NOT_ANSWERED}


def test_two_writes_of_one_version_are_found() -> None:
    history = History([*WRITES, evolve(WRITES[0], position=6)])
    assert [one.wrong for one in violations(history, fresh=FRESH)] == [Wrong.WRITTEN_TWICE]
