"""
Places in an order that only grows, and finding one by when it was reached.

What was seen once never changes, so it is remembered: the more is asked about the past, the fewer
reads it takes.
"""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Awaitable, Callable

from attrs import define, field, frozen


@frozen
class Mark:
    """Places `first` to `last`, which were all reached at the same time, whatever time is."""

    at: int
    first: int
    last: int


@define
class Landmarks:
    most: int = 1_000
    _known: list[Mark] = field(factory=list)

    def note(self, mark: Mark) -> None:
        at = bisect_left(self._known, mark.first, key=_first)
        if at == len(self._known) or self._known[at].first != mark.first:
            insort(self._known, mark, key=_first)
        if len(self._known) > self.most:
            # The rest still leads to the neighbourhood of those that are dropped.
            del self._known[::2]

    def around(self, at: int) -> tuple[Mark | None, Mark | None]:
        """The last one known that was reached by then, and the first one that was not."""
        after = bisect_right(self._known, at, key=lambda mark: mark.at)
        return (
            self._known[after - 1] if after else None,
            self._known[after] if after < len(self._known) else None,
        )

    async def last_by(
        self, at: int, begin: Mark, end: Mark, look: Callable[[int], Awaitable[Mark]]
    ) -> Mark:
        """The last mark that was reached by then; `begin` was, and `end` was not.

        `look` tells the mark that holds a place. Where it must lie is estimated, as if places were
        reached evenly; where that does not help, what is left is halved.
        """
        before, after = self.around(at)
        below, above = before or begin, after or end
        estimates = True
        while (left := above.first - below.last - 1) > 0:
            share = _share(at, below, above) if estimates and below is not begin else 0.5
            mark = await look(below.last + 1 + min(int(left * share), left - 1))
            self.note(mark)
            below, above = (mark, above) if mark.at <= at else (below, mark)
            estimates = 2 * (above.first - below.last - 1) <= left
        return below


def _first(mark: Mark) -> int:
    return mark.first


def _share(at: int, below: Mark, above: Mark) -> float:
    return (at - below.at) / (above.at - below.at)
