"""
Read models folded anew, apart from those that are served.

A draft is folded from the log alone. It becomes a new generation of a projection's tables, or is
what the tables that are served are compared with.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Any, Protocol

from attrs import frozen

from application.maintenance.progress import LongWork
from application.projections.view_store import Cards


@frozen
class RowDifference:
    """A row that is not what the log says. Nothing stands for no row."""

    table: str
    key: tuple[str, ...]
    expected: Mapping[str, Any] | None
    found: Mapping[str, Any] | None

    def attributes(self) -> Sequence[tuple[str, Any, Any]]:
        """What differs: attribute, expected, found. Nothing if a whole row does."""
        if self.expected is None or self.found is None:
            return []
        names = dict.fromkeys((*self.expected, *self.found))
        pairs = [(name, self.expected.get(name), self.found.get(name)) for name in names]
        return [(name, one, other) for name, one, other in pairs if one != other]

    def positions(self) -> Sequence[int]:
        """Which facts are said to have written it: by the log, and by the row that was found."""
        rows = (self.expected, self.found)
        said = [row["position"] for row in rows if row is not None and "position" in row]
        return sorted({one for one in said if isinstance(one, int)})


class Generation(Protocol):
    """Tables of one projection beside those that are served."""

    @property
    def number(self) -> int: ...

    @property
    def cards(self) -> Cards: ...

    async def serve(self) -> None:
        """Let this one be read from now on, instead of the one that was."""
        ...


class Draft(Protocol):
    async def fold(self, projection: str, *, upto: int) -> None:
        """Fold in what is recorded up to the position."""
        ...

    async def reached(self, projection: str) -> int: ...

    async def as_generation(self, projection: str, work: LongWork) -> Generation:
        """A new generation that holds what the draft holds of the projection."""
        ...

    def differences(self, projection: str, work: LongWork) -> AsyncIterator[RowDifference]:
        """Where the tables that are served are not what the draft is.

        They may be of different times: what was written meanwhile differs, too.
        """
        ...

    async def again(
        self, projection: str, suspects: Sequence[RowDifference]
    ) -> Sequence[RowDifference]:
        """Those that differ still, as they differ now."""
        ...


class Drafts(Protocol):
    def folded(
        self, purpose: str, projections: Sequence[str], work: LongWork, *, afresh: bool
    ) -> AbstractAsyncContextManager[Draft]:
        """A draft that holds all that was recorded when this began.

        A draft that was left unfinished is gone on with, unless it is wanted afresh, or was begun
        on another log or by a program that folds otherwise.
        """
        ...

    async def discard(self, purpose: str) -> None:
        """Keep nothing of the draft."""
        ...


@frozen
class Left:
    """The generations before the one that is read, and until when others may still read them."""

    numbers: Sequence[int]
    until: datetime


class Generations(Protocol):
    async def serving(self) -> Mapping[str, int]:
        """Which generation of each projection is read now."""
        ...

    async def drop_old(self, projection: str) -> Sequence[int]:
        """Throw away the generations before the one that is read; returns their numbers.

        None, while other processes may still read the one before: the next time will do.
        """
        ...

    async def left(self, projection: str) -> Left | None:
        """Those that `drop_old` would throw away, now or later; nothing if there are none."""
        ...
