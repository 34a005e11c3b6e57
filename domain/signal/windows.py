"""
How a signal stands, derived from the windows seen so far.

The windows are taken in the order of (end, start), never in the order of arrival:

    OK   OK   CRITICAL   WARNING   OK
              ^ breach_start: where the first window in breach began
                         ^ changed_at: where the first window of the present state ended

A breach begins with a WARNING or CRITICAL window and ends with the next OK one. UNKNOWN neither
begins nor ends a breach. What lies further back than the horizon does not count, unless
windows without a longer pause lead from there to the present.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from attrs import frozen

from domain.signal.evaluation import IN_BREACH, Evaluation, SignalStateEnum

Place = tuple[datetime, datetime]
"""A window's (end, start): what windows are ordered by."""

_TICK = timedelta(milliseconds=1)


@frozen
class Seen:
    """What must be remembered of a window: its place, its verdict, every evaluation accepted."""

    end: datetime
    start: datetime
    state: SignalStateEnum
    evaluated_at: datetime
    digest: str
    outdone: frozenset[str] = frozenset()

    @classmethod
    def of(cls, evaluation: Evaluation, digest: str) -> "Seen":
        return cls(
            evaluation.window_end,
            evaluation.window_start,
            evaluation.state,
            evaluation.evaluated_at,
            digest,
        )

    @property
    def place(self) -> Place:
        return (self.end, self.start)

    def knows(self, digest: str) -> bool:
        return digest == self.digest or digest in self.outdone

    def joined(self, other: "Seen") -> "Seen":
        """One window, evaluated twice: the greatest (evaluated_at, digest) wins."""
        winner, loser = (
            (other, self)
            if (other.evaluated_at, other.digest) > (self.evaluated_at, self.digest)
            else (self, other)
        )
        outdone = winner.outdone | loser.outdone | {loser.digest}
        return Seen(
            winner.end, winner.start, winner.state, winner.evaluated_at, winner.digest, outdone
        )


def find(windows: Sequence[Seen], place: Place) -> Seen | None:
    if not windows or place > windows[-1].place:
        return None
    index = bisect_left(windows, place, key=lambda seen: seen.place)
    if index < len(windows) and windows[index].place == place:
        return windows[index]
    return None


def inserted(windows: tuple[Seen, ...], seen: Seen) -> tuple[Seen, ...]:
    """The windows in order with one more, or with one of them evaluated once more."""
    index = bisect_left(windows, seen.place, key=lambda other: other.place)
    if index < len(windows) and windows[index].place == seen.place:
        return (*windows[:index], windows[index].joined(seen), *windows[index + 1 :])
    return (*windows[:index], seen, *windows[index:])


def said_after(known: Seen | None, at: datetime) -> datetime:
    """The moment of a verdict that shall outdo what is known of the window."""
    return at if known is None else max(at, known.evaluated_at + _TICK)


@frozen
class Standing:
    """The state after some window, and since when."""

    state: SignalStateEnum
    previous_state: SignalStateEnum | None
    changed_at: datetime
    breach_start: datetime | None
    until: datetime

    def then(self, seen: Seen) -> "Standing":
        breach_start = _breach_start(self.breach_start, seen)
        if seen.state is self.state:
            return Standing(
                self.state, self.previous_state, self.changed_at, breach_start, seen.end
            )
        return Standing(seen.state, self.state, seen.end, breach_start, seen.end)

    def reaches(self, seen: Seen, horizon: timedelta) -> bool:
        return seen.end - self.until <= horizon

    def looks_like(self, other: "Standing | None") -> bool:
        """Equal in all that is shown; `until` only says how far it was computed."""
        return other is not None and (
            self.state is other.state
            and self.previous_state is other.previous_state
            and self.changed_at == other.changed_at
            and self.breach_start == other.breach_start
        )


def step(before: Standing | None, seen: Seen, horizon: timedelta) -> Standing:
    if before is None or not before.reaches(seen, horizon):
        return Standing(seen.state, None, seen.end, _breach_start(None, seen), seen.end)
    return before.then(seen)


def stand(before: Standing | None, windows: Iterable[Seen], horizon: timedelta) -> Standing | None:
    for seen in windows:
        before = step(before, seen, horizon)
    return before


def _breach_start(since: datetime | None, seen: Seen) -> datetime | None:
    if seen.state is SignalStateEnum.OK:
        return None
    if since is None and seen.state in IN_BREACH:
        return seen.start
    return since
