"""What rows were read into lately: the same few are asked for again and again."""

from collections.abc import Callable
from typing import Generic, TypeVar

from attrs import define, field

from adapters.row_layouts.catalogue import PK, SK
from adapters.row_layouts.engine import Row

T = TypeVar("T")

MOST = 5_000


@define
class Kept(Generic[T]):
    """Reads a row, unless it is the same as when it was read last.

    The whole row is compared, which costs a small part of reading it: whatever changes it, be it a
    rebuild or a repair, is seen. Nothing that was opened may be kept: who is erased would be shown.
    """

    read: Callable[[Row], T]
    most: int = MOST
    _kept: dict[tuple[str, str], tuple[Row, T]] = field(factory=dict, init=False)

    def of(self, row: Row) -> T:
        place = (row[PK], row[SK])
        known = self._kept.pop(place, None)
        # From a cache comes the very same row again: then there is nothing to compare.
        if known is None or (known[0] is not row and known[0] != row):
            known = (row, self.read(row))
        # The last ones are those that were asked for last.
        self._kept[place] = known
        while len(self._kept) > self.most:
            del self._kept[next(iter(self._kept))]
        return known[1]
