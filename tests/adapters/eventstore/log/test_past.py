"""Where the log and its streams stood at an earlier time, on every engine."""

import asyncio
from datetime import datetime, timedelta
from random import Random

from adapters.eventstore.log import Append, Log
from tests.adapters.eventstore.engines import Clock
from tests.adapters.eventstore.log.appends import append, event

MILLISECOND = timedelta(milliseconds=1)


def position_at(log: Log, moment: datetime) -> int:
    return asyncio.run(log.position_at(moment))


def version_at(log: Log, stream: str, position: int) -> int | None:
    return asyncio.run(log.version_at(stream, position))


def test_an_empty_log_was_always_empty(log: Log, clock: Clock) -> None:
    assert position_at(log, clock.at) == 0
    assert version_at(log, "a-1", 0) is None
    assert version_at(log, "a-1", 7) is None


def test_a_moment_counts_what_was_recorded_at_it(log: Log, clock: Clock) -> None:
    at = log.submit(append("a-1", 1, 2)).result().recorded_at
    clock.move(seconds=1)
    later = log.submit(append("a-1", 3)).result().recorded_at

    assert position_at(log, at - MILLISECOND) == 0
    assert position_at(log, at) == 2
    assert position_at(log, later - MILLISECOND) == 2
    assert position_at(log, later) == 3
    assert position_at(log, later + timedelta(days=1)) == 3


def test_a_position_may_lie_within_an_append(log: Log) -> None:
    log.submit(
        Append([event("a-1", 0), event("b-1", 1), event("a-1", 1), event("a-1", 2)])
    ).result()
    log.submit(append("a-1", 3, 4)).result()

    assert [version_at(log, "a-1", p) for p in range(7)] == [None, 0, 0, 1, 2, 3, 4]
    assert [version_at(log, "b-1", p) for p in range(7)] == [None, None, 1, 1, 1, 1, 1]


def test_a_stream_that_never_was_has_no_version(log: Log) -> None:
    log.submit(append("a-1", 1)).result()

    assert version_at(log, "b-1", 1) is None


def test_any_past_is_found(log: Log, clock: Clock) -> None:
    """Compared with looking through everything, for streams that begin at 0 and at 1."""
    dice, last = Random(26), {"a-1": 0, "b-1": -1, "c-1": 0}
    for _ in range(40):
        stream = dice.choice(sorted(last))
        versions = range(last[stream] + 1, last[stream] + 1 + dice.randint(1, 4))
        log.submit(append(stream, *versions)).result()
        last[stream] = versions[-1]
        clock.move(milliseconds=dice.choice([0, 0, 1, 1500]))
    entries = asyncio.run(log.read(0, 1_000))

    for moment in {entry.recorded_at for entry in entries}:
        for asked in (moment - MILLISECOND, moment, moment + MILLISECOND):
            expected = sum(entry.recorded_at <= asked for entry in entries)
            assert position_at(log, asked) == expected
    for stream in last:
        for position in range(0, len(entries) + 1, 3):
            before = [e.version for e in entries if e.stream == stream and e.position <= position]
            assert version_at(log, stream, position) == (before[-1] if before else None)
