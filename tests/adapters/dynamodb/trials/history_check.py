"""
Whether a log kept its promises, judged from outside: a history against what the log holds.

    of the log      positions without gaps, versions of each stream without gaps, time that never
                    runs backwards, nothing twice, nothing that nobody appended
    of an append    acknowledged: there, once, where its receipt says, behind all that were
                    acknowledged before it began; refused: not there; any: whole or not at all
                    stored: what it guards stood where it said
    of a conflict   somebody was in the way
    of a read       no gaps, nothing but what the log holds, all that was acknowledged before it
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum, auto
from itertools import pairwise

from attrs import frozen

from adapters.eventstore.log import Append, LogEntry, NewEvent, Receipt, StreamConflict
from tests.adapters.dynamodb.support.log_contents import Acknowledged, Kept
from tests.adapters.dynamodb.trials.history import Attempt, History, LogRead, StreamRead


class Wrong(StrEnum):
    POSITION_GAP = auto()
    VERSION_GAP = auto()
    TIME_BACKWARDS = auto()
    DUPLICATED = auto()
    PHANTOM = auto()
    LOST = auto()
    MISPLACED = auto()
    OUT_OF_ORDER = auto()
    REFUSED_BUT_VISIBLE = auto()
    TORN = auto()
    BROKEN_GUARD = auto()
    GROUNDLESS_CONFLICT = auto()
    UNTRUE_READ = auto()
    STALE_READ = auto()


@frozen
class Violation:
    wrong: Wrong
    what: str


def violations(history: History, log: Sequence[LogEntry]) -> list[Violation]:
    """Everything that is wrong; `log` is all of it, read in peace after the history ended."""
    kept = Kept(log)
    found = [*_in_the_log(kept, history.attempts), *_out_of_order(kept, history.attempts)]
    for attempt in history.attempts:
        found += _of_attempt(kept, attempt)
    acknowledged = Acknowledged(history.attempts)
    found += _groundless(kept, history.attempts, acknowledged)
    for read in history.reads:
        found += _of_read(kept, read, acknowledged)
    return found


# The log.


def _in_the_log(kept: Kept, attempts: Sequence[Attempt]) -> Iterator[Violation]:
    for number, entry in enumerate(kept.log, 1):
        if entry.position != number:
            yield Violation(Wrong.POSITION_GAP, f"position {entry.position} is number {number}")
    for before, entry in pairwise(kept.log):
        if entry.recorded_at < before.recorded_at:
            yield Violation(Wrong.TIME_BACKWARDS, f"at position {entry.position}")
    for stream, entries in kept.streams.items():
        versions = [entry.version for entry in entries]
        if versions != list(range(1, len(versions) + 1)):
            yield Violation(Wrong.VERSION_GAP, f"{stream} has the versions {versions}")
    yield from _strangers(kept, attempts)


def _strangers(kept: Kept, attempts: Sequence[Attempt]) -> Iterator[Violation]:
    appended = {event.event_id: event for one in attempts for event in one.append.events}
    for event_id, entries in kept.at.items():
        if len(entries) > 1:
            yield Violation(Wrong.DUPLICATED, f"{_name(event_id)} is stored {len(entries)} times")
        for entry in entries:
            if appended.get(event_id) != _event(entry):
                yield Violation(Wrong.PHANTOM, f"nobody appended what is at {entry.position}")


def _event(entry: LogEntry) -> NewEvent:
    return NewEvent(entry.stream, entry.version, entry.name, entry.data, entry.event_id, entry.meta)


# Appends.


def _of_attempt(kept: Kept, attempt: Attempt) -> Iterator[Violation]:
    places, size = kept.places(attempt.append), len(attempt.append.events)
    positions = [entry.position for entry in places]
    what = f"{_names(attempt.append)}, told {attempt.outcome}, is at {positions}"
    if isinstance(attempt.outcome, Receipt):
        yield from _of_receipt(attempt.outcome, places, size, what)
    elif attempt.refused and places:
        yield Violation(Wrong.REFUSED_BUT_VISIBLE, what)
    if places and positions != list(range(positions[0], positions[0] + size)):
        yield Violation(Wrong.TORN, what)
    for guard in attempt.append.guards if places else ():
        if kept.version(guard.stream, before=positions[0]) != guard.version:
            yield Violation(Wrong.BROKEN_GUARD, f"{what}, although {guard.stream} had moved")


def _of_receipt(
    receipt: Receipt, places: Sequence[LogEntry], size: int, what: str
) -> Iterator[Violation]:
    if len(places) < size:
        yield Violation(Wrong.LOST, what)
    told = [(position, receipt.recorded_at) for position in range(receipt.first, receipt.last + 1)]
    if places and [(entry.position, entry.recorded_at) for entry in places] != told:
        yield Violation(Wrong.MISPLACED, what)


def _out_of_order(kept: Kept, attempts: Iterable[Attempt]) -> Iterator[Violation]:
    """What was acknowledged before another append began lies before it."""
    placed = [(kept.places(one.append), one) for one in attempts]
    stored = [(places[0].position, one) for places, one in placed if places]
    latest = 0
    for _, one in sorted(stored, key=lambda at: at[0]):
        if one.acknowledged and one.ended is not None and one.ended < latest:
            yield Violation(Wrong.OUT_OF_ORDER, f"{_names(one.append)} lies behind a later one")
        latest = max(latest, one.began)


def _groundless(
    kept: Kept, attempts: Sequence[Attempt], acknowledged: Acknowledged
) -> Iterator[Violation]:
    """Conflicts of appends whose streams stood where they should all the while."""
    began = {e.event_id: one.began for one in attempts for e in one.append.events}
    for one in attempts:
        if not isinstance(one.outcome, StreamConflict) or one.ended is None:
            continue
        stream, expected = one.outcome.stream, _expected(one.append, one.outcome.stream)
        moved = any(
            entry.version > expected and began.get(entry.event_id, 0) < one.ended
            for entry in kept.streams[stream]
        )
        if not moved and acknowledged.version(stream, one.began) >= expected:
            yield Violation(Wrong.GROUNDLESS_CONFLICT, f"{_names(one.append)}: {one.outcome}")


def _expected(append: Append, stream: str) -> int:
    """The version at which the append takes the stream to be."""
    written = [event.version for event in append.events if event.stream == stream]
    guarded = [guard.version for guard in append.guards if guard.stream == stream]
    return written[0] - 1 if written else guarded[0]


# Reads.


def _of_read(
    kept: Kept, read: LogRead | StreamRead, acknowledged: Acknowledged
) -> Iterator[Violation]:
    if isinstance(read, LogRead):
        whole, what = kept.log[read.after :], f"a read of the log after {read.after}"
        due = acknowledged.position(read.began) - read.after
    else:
        whole, what = kept.streams[read.stream], f"a read of {read.stream}"
        due = acknowledged.version(read.stream, read.began)
    seen = list(read.entries)
    if isinstance(read, StreamRead) and read.newest_first:
        seen.reverse()
    if seen != list(whole[: len(seen)]):
        yield Violation(Wrong.UNTRUE_READ, f"{what} saw {[_place(one) for one in seen]}")
    if len(seen) < due:
        yield Violation(Wrong.STALE_READ, f"{what} saw {len(seen)}, {due} were acknowledged")


def _place(entry: LogEntry) -> str:
    return f"{entry.position}={entry.stream}/{entry.version}"


def _names(append: Append) -> str:
    return ", ".join(_name(event.event_id) for event in append.events)


def _name(event_id: bytes) -> str:
    return event_id.decode(errors="replace")
