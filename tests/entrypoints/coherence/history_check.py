"""
Whether caches kept their promises (docs/caching.md), judged from what callers were told.

    of a read       it shows all that was written up to the position that the caller asked for,
                    and up to the one that it tells itself; nothing that nobody wrote
                    all that the same process acknowledged before: the callers are one principal
                    nothing older than its caller saw, if that one carries the position along
                    unless drops were lost, nothing older than anybody saw a moment before
    without Redis   it is answered all the same
    without both    what is shown is flagged, once it cannot be fresh any more
    flagged         the tables were away
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from enum import StrEnum, auto
from itertools import accumulate
from typing import TypeVar

from attrs import frozen

from tests.entrypoints.coherence.history import (
    DROPS,
    SHARED,
    TABLES,
    Away,
    History,
    Read,
    Span,
    Wrote,
)

Call = TypeVar("Call", Wrote, Read)


class Wrong(StrEnum):
    OLDER_THAN_ASKED = auto()
    OLDER_THAN_TOLD = auto()
    OLDER_THAN_OWN_WRITE = auto()
    WENT_BACK = auto()
    LEFT_BEHIND = auto()
    NEVER_WRITTEN = auto()
    WRITTEN_TWICE = auto()
    NOT_ANSWERED = auto()
    NOT_FLAGGED = auto()
    FLAGGED_FOR_NOTHING = auto()


@frozen
class Violation:
    wrong: Wrong
    what: str


def violations(history: History, *, fresh: int) -> list[Violation]:
    """Everything that is wrong; `fresh` is how long a process shows what it read, unasked (ns)."""
    writes = {about: Writes(of) for about, of in _by_subject(history.writes).items()}
    found = [*_twice(history.writes), *_went_back(history), *_left_behind(history, fresh)]
    for read in history.reads:
        found += _of_read(read, writes.get(read.about, Writes([])))
        found += _of_flag(read, history.absences, fresh)
    return [*found, *_unanswered(history)]


class Writes:
    """The writes about one thing, by the order of their positions and of their ends."""

    def __init__(self, writes: Sequence[Wrote]) -> None:
        ordered = sorted(writes, key=lambda one: one.position)
        self.positions = [one.position for one in ordered]
        self.versions = list(accumulate((one.version for one in ordered), max))
        self.all = writes

    def by(self, position: int) -> int:
        """The version that whoever sees the position must see."""
        count = bisect_right(self.positions, position)
        return self.versions[count - 1] if count else 0

    def acknowledged(self, process: str, before: int) -> int:
        ours = (w.version for w in self.all if w.process == process and w.when.ended < before)
        return max(ours, default=0)

    def begun(self, before: int) -> int:
        return sum(one.when.began <= before for one in self.all)


def _of_read(read: Read, writes: Writes) -> Iterator[Violation]:
    for wrong, least in (
        (Wrong.OLDER_THAN_ASKED, writes.by(read.asked)),
        (Wrong.OLDER_THAN_TOLD, writes.by(read.position)),
        (Wrong.OLDER_THAN_OWN_WRITE, writes.acknowledged(read.process, read.when.began)),
    ):
        if read.version < least:
            yield Violation(wrong, f"{read} must show {least}")
    if read.version > writes.begun(read.when.ended):
        yield Violation(Wrong.NEVER_WRITTEN, str(read))


def _twice(writes: Sequence[Wrote]) -> Iterator[Violation]:
    seen = set()
    for one in writes:
        if (one.about, one.version) in seen:
            yield Violation(Wrong.WRITTEN_TWICE, str(one))
        seen.add((one.about, one.version))


def _went_back(history: History) -> Iterator[Violation]:
    """For each caller: what it was told, in order, as long as it carries the position along."""
    seen: dict[tuple[str, str], list[Wrote | Read]] = defaultdict(list)
    calls: list[Wrote | Read] = [*history.writes, *history.reads]
    for call in sorted(calls, key=lambda one: one.when.began):
        before = seen[call.who, call.about]
        if isinstance(call, Read):
            for earlier in before:
                if earlier.position <= call.asked and call.version < earlier.version:
                    yield Violation(Wrong.WENT_BACK, f"{call} after {earlier}")
                    break
        before.append(call)


def _left_behind(history: History, fresh: int) -> Iterator[Violation]:
    """What anybody was shown is in the table, and all that is older was dropped before."""
    gone = [one.when for one in history.absences if one.what == DROPS]
    for reads in _by_subject(history.reads).values():
        for read in reads:
            newer = [one.when.ended for one in reads if one.version > read.version]
            if read.stale or not newer or min(newer) >= read.when.began - fresh:
                continue
            # Whoever began to read before that may have kept what is older, for a moment.
            shown = min(newer)
            kept = max(one.when.ended for one in reads if one.when.began <= shown) + fresh
            lost = any(shown <= span.ended and span.began <= kept for span in gone)
            if read.when.began > kept and not lost:
                yield Violation(Wrong.LEFT_BEHIND, f"{read}, although newer ones were shown")


def _of_flag(read: Read, absences: Sequence[Away], fresh: int) -> Iterator[Violation]:
    tables = [one.when for one in absences if one.what == TABLES]
    shared = [one.when for one in absences if one.what == SHARED]
    if read.stale and not any(read.when.touches(gone) for gone in tables):
        yield Violation(Wrong.FLAGGED_FOR_NOTHING, str(read))
    alone = Span(read.when.began - fresh, read.when.ended)
    without_both = all(any(alone.within(gone) for gone in spans) for spans in (tables, shared))
    if without_both and not read.stale:
        yield Violation(Wrong.NOT_FLAGGED, str(read))


def _unanswered(history: History) -> Iterator[Violation]:
    gone = [one.when for one in history.absences if one.what == TABLES]
    for failure in history.failures:
        if not any(failure.when.touches(span) for span in gone):
            yield Violation(Wrong.NOT_ANSWERED, str(failure))


def _by_subject(calls: Sequence[Call]) -> dict[str, list[Call]]:
    found = defaultdict(list)
    for one in calls:
        found[one.about].append(one)
    return found
