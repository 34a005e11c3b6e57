"""
What callers of several processes wrote and read, in the order of one clock, and what was away then.

The clock is the machine's own monotonic one. `history_check` says what is wrong with a history.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition

from attrs import define, field, frozen

SHARED, TABLES = "the shared cache", "the tables"
DROPS = "drops"
"""Away from when the shared cache forgets what was dropped until all is dropped from it again."""


@frozen
class Span:
    began: int
    ended: int

    def within(self, other: "Span") -> bool:
        return other.began <= self.began and self.ended <= other.ended

    def touches(self, other: "Span") -> bool:
        return self.began <= other.ended and other.began <= self.ended


@frozen
class Wrote:
    """An acknowledged write. Versions of what it is about count such writes, from 1."""

    who: str
    process: str
    about: str
    version: int
    position: int
    when: Span


@frozen
class Read:
    who: str
    process: str
    about: str
    version: int
    """0 if there was nothing yet."""
    position: int
    """How far it is, as it says itself."""
    asked: int
    """The position that it must show, as the caller asked; 0 if it asked for none."""
    when: Span
    stale: bool = False


@frozen
class NotRead:
    """A read that was answered with an error."""

    who: str
    process: str
    about: str
    code: str
    when: Span


@frozen
class Away:
    what: str
    when: Span


@define
class History:
    writes: list[Wrote] = field(factory=list)
    reads: list[Read] = field(factory=list)
    failures: list[NotRead] = field(factory=list)
    absences: list[Away] = field(factory=list)
    _grown: Condition = field(factory=Condition)

    def add(self, call: Wrote | Read | NotRead) -> None:
        with self._grown:
            match call:
                case Wrote():
                    self.writes.append(call)
                case Read():
                    self.reads.append(call)
                case NotRead():
                    self.failures.append(call)
            self._grown.notify_all()

    def __len__(self) -> int:
        return len(self.writes) + len(self.reads) + len(self.failures)

    def wait_for(self, more: int, *, timeout: float) -> None:
        """Until so many more calls were answered."""
        wanted = len(self) + more
        self.wait_until(lambda: len(self) >= wanted, timeout=timeout)

    def wait_until(self, holds: Callable[[], bool], *, timeout: float) -> None:
        with self._grown:
            assert self._grown.wait_for(holds, timeout), "it does not come to that"

    @contextmanager
    def away(self, what: str) -> Iterator[None]:
        began = now()
        try:
            yield
        finally:
            self.absences.append(Away(what, Span(began, now())))


def now() -> int:
    return time.monotonic_ns()
