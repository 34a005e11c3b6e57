"""Making one object of several in a folder, when there are many of about the same size."""

import heapq
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

from attrs import frozen

from adapters.evidence_archive.names import Stored
from adapters.evidence_archive.objects import FULL, Gone, Objects
from adapters.evidence_archive.sealing import Row, all_rows


@frozen
class Merging:
    """Each row is written again once for every factor of `fan_in` that its hour grows by."""

    objects: Objects
    fan_in: int = 8

    async def __call__(
        self,
        folder: str,
        key: Callable[[Row], str],
        recorded: Callable[[Row], int] = lambda row: 0,
    ) -> None:
        while some := self._alike(await self.objects.listed(folder)):
            try:
                inputs = [await self.objects.whole(one) for one in some]
            except Gone:
                return  # Others are merging here.
            rows = heapq.merge(*(all_rows(top, data) for top, data in inputs), key=key)
            await self.objects.write(folder, _once(rows, key), key, recorded)
            await self.objects.delete(some)

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


def _once(rows: Iterable[Row], key: Callable[[Row], str]) -> Iterator[Row]:
    """A crash may have left the same row in two objects."""
    before = ""
    for row in rows:
        if (this := key(row)) != before:
            yield row
        before = this
