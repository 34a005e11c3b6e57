"""
Evidence that is sorted: segments, and the runs that say for an id where to look.

A run says which dataset and moment an id belongs to, not which object it lies in: segments can be
merged without touching a run. A run may name what was forgotten since; then no segment has it.
"""

import asyncio
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from attrs import frozen

from adapters.evidence_archive.object_format import Span, Top
from adapters.evidence_archive.object_names import Stored, ids_folder, segment_folder
from adapters.evidence_archive.objects import Objects
from adapters.evidence_archive.rows import CREATED, DATASET, ID, Row, hour_of, place
from domain.ids import DatasetUrn, EvidenceId

_AFTER_ALL = "~"

Listed = set[str]
"""Folders that were listed since something began."""


def id_row(row: Row) -> Row:
    """What a run tells about evidence."""
    return [row[ID], row[DATASET], row[CREATED]]


def id_key(row: Row) -> str:
    return f"{row[0]}{row[2]:017}{row[1]}"


@frozen
class Where:
    """Where the evidence of an id would be, if it was not forgotten."""

    name: EvidenceId
    dataset: DatasetUrn
    created: int

    @property
    def folder(self) -> str:
        return segment_folder(self.dataset, hour_of(self.created))

    @property
    def key(self) -> str:
        return f"{self.created:017}{self.name}"


@frozen
class Segments:
    objects: Objects

    async def named(
        self, ids: Collection[EvidenceId], *, since: Listed | None
    ) -> Mapping[EvidenceId, Row]:
        """The rows that segments have under the ids.

        Folders are listed again, if `since` does not say that they were; without it, one that was
        listed ever is not: what others wrote meanwhile may be missing.
        """
        return await self._rows(await self._places(ids, since=since), since=since)

    async def _places(
        self, ids: Collection[EvidenceId], *, since: Listed | None
    ) -> Sequence[Where]:
        by_folder = defaultdict(list)
        for name in ids:
            by_folder[ids_folder(name)].append(name)
        found = await asyncio.gather(
            *(self._in_runs(folder, names, since) for folder, names in by_folder.items())
        )
        return [where for some in found for where in some]

    async def _in_runs(
        self, folder: str, ids: list[EvidenceId], since: Listed | None
    ) -> list[Where]:
        wanted, ranges = set(ids), [(name, name + _AFTER_ALL) for name in ids]
        return [
            Where(EvidenceId(row[0]), DatasetUrn(row[1]), row[2])
            for row in await self._look_up(folder, ranges, since)
            if row[0] in wanted
        ]

    async def _rows(
        self, places: Sequence[Where], *, since: Listed | None
    ) -> Mapping[EvidenceId, Row]:
        by_folder = defaultdict(list)
        for where in places:
            by_folder[where.folder].append(where)
        found = await asyncio.gather(
            *(self._in_segments(folder, some, since) for folder, some in by_folder.items())
        )
        return {EvidenceId(row[ID]): row for some in found for row in some}

    async def _in_segments(
        self, folder: str, places: list[Where], since: Listed | None
    ) -> list[Row]:
        wanted = {where.key for where in places}
        rows = await self._look_up(folder, [(key, key) for key in wanted], since)
        return [row for row in rows if place(row) in wanted]

    async def _look_up(
        self, folder: str, ranges: Sequence[tuple[str, str]], since: Listed | None
    ) -> list[Row]:
        """All rows of the blocks that may have something in one of the ranges."""
        afresh = since is not None and folder not in since
        names = await self.objects.remembered(folder, afresh=afresh)
        if since is not None:
            since.add(folder)
        tops = await asyncio.gather(*map(self.objects.top, names))
        blocks = [(top, span) for top in tops for span in _spans(top, ranges)]
        found = await asyncio.gather(*(self.objects.rows(top, span) for top, span in blocks))
        return [row for rows in found for row in rows]


def _spans(top: Top, ranges: Iterable[tuple[str, str]]) -> Iterator[Span]:
    numbers: set[int] = set()
    for low, high in ranges:
        number = bisect_left(top.lasts, low)
        while number < len(top.spans) and top.spans[number].first <= high:
            numbers.add(number)
            number += 1
    return (top.spans[number] for number in sorted(numbers))


def segments_of(names: Iterable[Stored]) -> Mapping[str, list[Stored]]:
    """By the folder they lie in: a dataset and an hour."""
    folders: dict[str, list[Stored]] = {}
    for one in names:
        folders.setdefault(one.folder, []).append(one)
    return folders
