"""Batches that are not sorted into segments yet, and what is in them."""

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence

from attrs import define, field, frozen
from cachetools import LRUCache

from adapters.evidence_archive.object_format import Span, Top, all_rows, blocks_of, sealed, top_of
from adapters.evidence_archive.object_names import BATCHES, Namer, Stored
from adapters.evidence_archive.objects import Gone, Objects
from adapters.evidence_archive.rows import CREATED, DATASET, ID, RECORDED, Row, place
from application.errors import Damaged, NotReadable
from domain.ids import DatasetUrn, EvidenceId

_ROWS_HELD = 300_000

Order = tuple[int, str]
"""When evidence was recorded, and in which batch: of several with an id the least counts."""


@frozen
class Batch:
    """What is held of a batch: where each evidence in it is to be found."""

    stored: Stored
    top: Top
    ids: Mapping[EvidenceId, tuple[int, int]]
    """When it was recorded, and in which block."""
    datasets: Mapping[str, Sequence[tuple[str, int]]]
    """The places of its evidence, and in which block."""
    oldest: int

    def order(self, name: EvidenceId) -> Order:
        return (self.ids[name][0], self.stored.name)


def described(stored: Stored, top: Top, rows: Iterable[Row]) -> Batch:
    ids: dict[EvidenceId, tuple[int, int]] = {}
    datasets: dict[str, list[tuple[str, int]]] = {}
    oldest: int | None = None
    following = iter(rows)
    for number, span in enumerate(top.spans):
        for _ in range(span.rows):
            row = next(following)
            ids[row[ID]] = (row[RECORDED], number)
            datasets.setdefault(row[DATASET], []).append((place(row), number))
            oldest = row[CREATED] if oldest is None else min(oldest, row[CREATED])
    return Batch(stored, top, ids, datasets, oldest or 0)


def made_batch(namer: Namer, rows: Sequence[Row]) -> tuple[Batch, bytes]:
    """One object, however much there is: all of it is kept, or nothing."""
    stem = namer.stem(BATCHES)
    data = sealed(stem, blocks_of(rows, place))
    latest = max(row[RECORDED] for row in rows)
    stored = namer.named(stem, latest=latest, rows=len(rows), size=len(data))
    return described(stored, top_of(stored.name, stem, data), rows), data


@define
class Pending:
    objects: Objects
    _held: "LRUCache[str, Batch]" = field(
        factory=lambda: LRUCache(_ROWS_HELD, getsizeof=lambda batch: len(batch.ids) + 1)
    )

    def hold(self, batch: Batch) -> None:
        if len(batch.ids) < _ROWS_HELD:
            self._held[batch.stored.name] = batch

    def let_go(self, names: Iterable[Stored]) -> None:
        for one in names:
            self._held.pop(one.name, None)

    async def names(self) -> Sequence[Stored]:
        return [one for one in await self.objects.listed(BATCHES) if one.folder == BATCHES]

    async def all(self) -> Sequence[Batch]:
        """All there are. One that is gone by now is in segments that are listed after this."""
        names = await self.names()
        for name in self._held.keys() - {one.name for one in names}:
            self._held.pop(name, None)
        found = await asyncio.gather(*map(self._batch, names))
        return [batch for batch in found if batch is not None]

    async def readable(self) -> Sequence[Batch]:
        """All but the damaged ones: nobody knows what is in those."""
        found = await asyncio.gather(*map(self._if_readable, await self.names()))
        return [batch for batch in found if batch is not None]

    async def rows(self, first: Mapping[EvidenceId, Batch]) -> Mapping[EvidenceId, Row]:
        """The rows of ids, each from its batch; a block is read once."""
        blocks: dict[tuple[str, int], tuple[Batch, Span]] = {}
        for name, batch in first.items():
            number = batch.ids[name][1]
            blocks[batch.stored.name, number] = (batch, batch.top.spans[number])
        found = await asyncio.gather(
            *(self.objects.rows(batch.top, span) for batch, span in blocks.values())
        )
        return {
            EvidenceId(row[ID]): row
            for (batch, _), rows in zip(blocks.values(), found, strict=True)
            for row in rows
            if first.get(row[ID]) is batch
        }

    async def _if_readable(self, one: Stored) -> Batch | None:
        try:
            return await self._batch(one)
        except (Damaged, NotReadable):
            return None

    async def _batch(self, one: Stored) -> Batch | None:
        held = self._held.get(one.name)
        if held is None:
            try:
                top, data = await self.objects.whole(one)
            except Gone:
                return None
            held = await asyncio.to_thread(lambda: described(one, top, all_rows(top, data)))
            self.hold(held)
        return held


def first_of(batches: Sequence[Batch], ids: Collection[EvidenceId]) -> Mapping[EvidenceId, Batch]:
    """Which batch counts for each id that is in any of them."""
    best: dict[EvidenceId, tuple[Order, Batch]] = {}
    wanted = set(ids)
    for batch in batches:
        for name in batch.ids.keys() & wanted:
            order = batch.order(name)
            if name not in best or order < best[name][0]:
                best[name] = (order, batch)
    return {name: batch for name, (_, batch) in best.items()}


def counts(
    row: Row,
    batch: Stored,
    sorted_ones: Mapping[EvidenceId, Row],
    first: Mapping[EvidenceId, Batch],
) -> bool:
    """Whether a row of a batch is what its id stands for: segments were heard first."""
    name = EvidenceId(row[ID])
    if name in sorted_ones:
        return sorted_ones[name] == row
    return name not in first or first[name].stored.name == batch.name


def places_of(batch: Batch, dataset: DatasetUrn) -> Sequence[tuple[str, int]]:
    return batch.datasets.get(dataset, ())
