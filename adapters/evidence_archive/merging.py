"""Making one object of several in a folder, when there are many of about the same size."""

import asyncio
import heapq
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from attrs import define, field

from adapters.evidence_archive.object_format import Row, all_rows
from adapters.evidence_archive.object_names import Stored
from adapters.evidence_archive.objects import FULL, Gone, Objects
from application.errors import Damaged, NotReadable

_STILL_WRITTEN = 1
"""Hours before the present one that evidence still comes for."""

_ENDED_AT_ONCE = 100
"""Folders that are merged to the end after a sorting; the others wait for the next."""

_MOST_AT_ONCE = 16


@define
class Merging:
    """Each row is written again once for every factor of `fan_in` that its hour grows by.

    An hour that is well past is merged to the end: it is few objects for as long as it is kept.
    """

    objects: Objects
    key: Callable[[Row], str]
    recorded: Callable[[Row], int] = lambda row: 0
    fan_in: int = 8
    _open: set[str] = field(factory=set, init=False)

    async def __call__(self, written: Mapping[str, Sequence[Row]]) -> None:
        """Merge what has become many in folders that were written to."""
        if not written:
            return
        for some in _fours(sorted(written)):
            await asyncio.gather(*map(self._merge_alike, some))
        self._open |= written.keys()
        # Where most of it went: the ULID of an id may name any hour, however far ahead.
        now = _hour(max(written, key=lambda folder: len(written[folder])))
        ended = sorted(one for one in self._open if _hour(one) < now - _STILL_WRITTEN)
        for some in _fours(ended[:_ENDED_AT_ONCE]):
            await asyncio.gather(*map(self._merge_all, some))
            self._open -= set(some)

    async def _merge_alike(self, folder: str) -> None:
        while some := self._alike(await self.objects.listed(folder)):
            if not await self._merge(folder, some):
                return

    async def _merge_all(self, folder: str) -> None:
        small = [one for one in await self.objects.listed(folder) if one.size < FULL]
        for start in range(0, len(small), _MOST_AT_ONCE):
            some = small[start : start + _MOST_AT_ONCE]
            if len(some) > 1:
                await self._merge(folder, some)

    async def _merge(self, folder: str, some: Sequence[Stored]) -> bool:
        """Whether it was done: not if others are merging there, too, or if something is damaged.

        Damage is told to whoever reads it; until it is mended, all stays as it is.
        """
        try:
            inputs = [await self.objects.whole(one) for one in some]
            rows = heapq.merge(*(all_rows(top, data) for top, data in inputs), key=self.key)
            await self.objects.write(folder, _once(rows, self.key), self.key, self.recorded)
        except (Gone, Damaged, NotReadable):
            return False
        await self.objects.delete(some)
        return True

    def _alike(self, names: Sequence[Stored]) -> Sequence[Stored]:
        """The smallest of one size that are many enough, nothing if none are."""
        sizes: dict[int, list[Stored]] = defaultdict(list)
        for one in names:
            if one.size < FULL:
                sizes[self._size(one.rows)].append(one)
        many = [size for size, some in sizes.items() if len(some) >= self.fan_in]
        return sizes[min(many)][: self.fan_in] if many else ()

    def _size(self, rows: int) -> int:
        size = 0
        while rows >= self.fan_in:
            rows //= self.fan_in
            size += 1
        return size


def _hour(folder: str) -> int:
    return int(folder.rpartition("/")[2])


def _fours(folders: Sequence[str]) -> Iterator[Sequence[str]]:
    return (folders[start : start + 4] for start in range(0, len(folders), 4))


def _once(rows: Iterable[Row], key: Callable[[Row], str]) -> Iterator[Row]:
    """A crash may have left the same row in two objects."""
    before = ""
    for row in rows:
        if (this := key(row)) != before:
            yield row
        before = this
