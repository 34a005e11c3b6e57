"""Which streams there ever were, read from their rows."""

from collections.abc import Sequence
from datetime import datetime

from attrs import frozen

from adapters.row_layouts.catalogue import PROJECTION_STATE
from adapters.row_layouts.engine import RowReads
from adapters.row_layouts.stream_directory_rows import (
    checkpoint_from_row,
    checkpoints,
    shelf,
    version_sk,
)
from application.errors import TooWide
from application.maintenance.stream_directory import Checkpoint, Shelf
from domain.ids import DatasetUrn, EntityId, Place, SignalType
from domain.streams import StreamId
from domain.timestamps import stamp

MOST = 2_000
_PAGE = 500
_WHOLE_MOMENT = "$"
"""Follows `#`: sorts after every incident of a moment, and before the next moment."""


@frozen
class TableDirectory:
    engine: RowReads
    most: int = MOST

    async def datasets(self, *, upto: int) -> Sequence[StreamId]:
        return await self._listed(shelf(Shelf.DATASETS), upto, "datasets")

    async def signals(self, datasets: Sequence[DatasetUrn], *, upto: int) -> Sequence[StreamId]:
        partitions = [shelf(Shelf.SIGNALS, dataset) for dataset in datasets]
        return await self._of_many(partitions, upto, "signals")

    async def faults(self, dataset: DatasetUrn, *, upto: int) -> Sequence[StreamId]:
        return await self._listed(shelf(Shelf.FAULTS, dataset), upto, "faults")

    async def incidents(
        self,
        dataset: DatasetUrn | None,
        *,
        since: datetime | None,
        until: datetime | None,
        upto: int,
    ) -> Sequence[StreamId]:
        return await self._listed(
            shelf(Shelf.INCIDENTS, dataset or ""),
            upto,
            "incidents",
            after=stamp(since) if since else "",
            before=stamp(until) + _WHOLE_MOMENT if until else None,
        )

    async def declared_at(self, places: Sequence[Place]) -> Sequence[StreamId]:
        return await self._of_many([shelf(Shelf.DECLARED_AT, one) for one in places])

    async def written_at(self, places: Sequence[Place]) -> Sequence[StreamId]:
        return await self._of_many([shelf(Shelf.WRITTEN_AT, one) for one in places])

    async def declared_by(self, entities: Sequence[EntityId]) -> Sequence[StreamId]:
        return await self._of_many([shelf(Shelf.DECLARED_BY, one) for one in entities])

    async def checkpoint(
        self, dataset: DatasetUrn, signal_type: SignalType, *, version: int
    ) -> Checkpoint | None:
        page = await self.engine.query(
            PROJECTION_STATE.name,
            checkpoints(dataset, signal_type),
            descending=True,
            limit=1,
            after=(version_sk(version + 1),),
        )
        return checkpoint_from_row(page.rows[0]) if page.rows else None

    async def _listed(
        self, partition: str, upto: int, what: str, *, after: str = "", before: str | None = None
    ) -> Sequence[StreamId]:
        """Page by page, until there are too many."""
        found: list[StreamId] = []
        more: tuple[str, ...] | None = (after,) if after else None
        while True:
            page = await self.engine.query(
                PROJECTION_STATE.name, partition, limit=_PAGE, after=more
            )
            rows = [row for row in page.rows if before is None or row["SK"] < before]
            found += [StreamId(row["stream"]) for row in rows if row["position"] <= upto]
            if len(found) > self.most:
                raise TooWide(what, self.most)
            if page.next is None or len(rows) < len(page.rows):
                return found
            more = page.next

    async def _of_many(
        self, partitions: Sequence[str], upto: int | None = None, what: str = "specs"
    ) -> Sequence[StreamId]:
        if not partitions:
            return []
        unique = list(dict.fromkeys(partitions))
        page = await self.engine.query_many(PROJECTION_STATE.name, unique, limit=10 * self.most)
        rows = [row for row in page.rows if upto is None or row["position"] <= upto]
        found = list(dict.fromkeys(StreamId(row["stream"]) for row in rows))
        if len(found) > self.most or page.next is not None:
            raise TooWide(what, self.most)
        return found
