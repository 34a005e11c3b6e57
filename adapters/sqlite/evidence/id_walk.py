"""
Going through all ids of an evidence cache, past what cannot be read.

A page that is damaged hides whatever lies on it, and a row that is damaged may lead astray. So
ranges of keys are asked for, and of a range that cannot be read its halves. Where something is
wrong with the table, the index of ids is gone through as well: it may know of rows that the table
does not show.
"""

import asyncio
from bisect import bisect_right
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from attrs import define, field, frozen
from ulid import ULID

from application.errors import Damaged
from domain.ids import EvidenceId

SLICE = 500
"""Rows that are read or written at once: others come in between."""
MOST_ROW, MOST_ID = 2**63 - 1, 2**128 - 1
MOST_IN_VAIN = 20_000
"""Ranges that cannot be read, before the rest is given up: at the root of a tree nothing can be."""

_BEFORE_ALL = "evd-"

Row = tuple[int, EvidenceId | None]
"""The number that SQLite gave it, and its id, if that is one."""
Keyed = Sequence[tuple[int, Row]]
"""By a number in whose order they are stored, the one of the row itself or one made of its id."""


def number_of(name: str) -> int:
    """Ids in the order of these numbers are in the order of their letters.

    Raises:
        ValueError: It is no id.
    """
    return int(ULID.from_str(name.removeprefix(_BEFORE_ALL)))


def id_of(number: int) -> str:
    """What begins before all others for a negative number."""
    return f"{_BEFORE_ALL}{ULID.from_int(number)}" if number >= 0 else _BEFORE_ALL


@define
class Tree:
    """The table or an index."""

    read: Callable[[int, int, int], Keyed]
    """Reads what comes after one key and up to another, as many at most."""
    most: int
    is_whole: bool = field(default=True, init=False)
    """Whether all that was asked for until now could be read."""

    async def rows(self) -> AsyncIterator[Sequence[Row]]:
        ranges, in_vain = [(-1, self.most)], 0
        while ranges:
            low, high = ranges.pop()
            await asyncio.sleep(0)  # Others of the event loop have their turn.
            try:
                found = self._read(low, high)
            except Damaged:
                in_vain += 1
                if high - low > 1 and in_vain < MOST_IN_VAIN:
                    middle = (low + high) // 2
                    ranges += [(middle, high), (low, middle)]
                else:
                    self.is_whole = False
                continue
            if len(found) == SLICE:
                ranges.append((found[-1][0], high))
            yield [row for _, row in found]

    def _read(self, low: int, high: int) -> Keyed:
        """Raises Damaged also if what is found is not in its order: it would never end."""
        # Of one key nothing more is read: what comes after it may be what cannot be.
        found = self.read(low, high, SLICE if high - low > 1 else 1)
        keys = [low, *(key for key, _ in found)]
        if any(before >= after for before, after in pairwise(keys)):
            raise Damaged("the file of the evidence cache", "its rows are not in their order")
        return found


@frozen
class Numbers:
    """Numbers of rows that came in their order. Hardly any are left out: their ranges are kept."""

    _firsts: list[int] = field(factory=list, init=False)
    _lasts: list[int] = field(factory=list, init=False)

    def add(self, number: int) -> None:
        if self._lasts and number == self._lasts[-1] + 1:
            self._lasts[-1] = number
        else:
            self._firsts.append(number)
            self._lasts.append(number)

    def __contains__(self, number: int) -> bool:
        at = bisect_right(self._firsts, number) - 1
        return at >= 0 and number <= self._lasts[at]


async def all_ids(
    table: Tree, index: Tree, *, is_suspect: bool
) -> AsyncIterator[Sequence[EvidenceId]]:
    """Each once.

    Raises:
        Damaged: After all that can be read, if there may be more.
    """
    seen, is_whole = Numbers(), True
    async for rows in table.rows():
        is_whole = is_whole and all(name is not None for _, name in rows)
        yield [*_noted(rows, seen)]
    is_whole = is_whole and table.is_whole
    if is_whole and not is_suspect:
        return
    async for rows in index.rows():
        yield [name for number, name in rows if name is not None and number not in seen]
    if not (is_whole or index.is_whole):
        raise Damaged("the file of the evidence cache", "some of it cannot be read")


def _noted(rows: Sequence[Row], seen: Numbers) -> Iterator[EvidenceId]:
    for number, name in rows:
        if name is not None:
            seen.add(number)
            yield name


def told_as_id(stored: Any) -> EvidenceId | None:
    """A damaged file may hold anything, whatever its schema says."""
    try:
        return EvidenceId(stored.decode()) if isinstance(stored, bytes) else None
    except UnicodeDecodeError:
        return None
