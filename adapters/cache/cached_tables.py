"""Tables whose rows are read from the caches, for one who must see a certain position."""

from collections.abc import Sequence
from typing import Unpack

from attrs import frozen

from adapters.cache.keys import PROJECTIONS, Name, name_of
from adapters.cache.row_cache import RowCache
from adapters.generations.generation_tables import Chosen, Numbers
from adapters.row_layouts.catalogue import DATASET_RESOLUTION
from adapters.row_layouts.engine import Row, RowKey, RowPage, RowReads, Which
from application.errors import Unavailable
from application.reads.reader import Freshness


@frozen
class CachedTables:
    """Rows by key, and rules by partition, come from the caches; all else from the tables."""

    tables: RowReads
    cache: RowCache
    chosen: Chosen
    least: int
    freshness: Freshness

    async def get(self, keys: Sequence[RowKey], *, strong: bool = False) -> Sequence[Row]:
        if strong or not _all_cached(keys):
            return await self.tables.get(keys, strong=strong)
        return await self._read(keys)

    async def query(
        self, table: str, pk: str, *, strong: bool = False, **which: Unpack[Which]
    ) -> RowPage:
        if table != DATASET_RESOLUTION.name or strong or which:
            return await self.tables.query(table, pk, strong=strong, **which)
        return RowPage(await self._read([RowKey(table, pk)]))

    async def query_many(
        self, table: str, pks: Sequence[str], *, limit: int, strong: bool = False
    ) -> RowPage:
        return await self.tables.query_many(table, pks, limit=limit, strong=strong)

    async def query_index(
        self, table: str, index: str, hash_key: str, **which: Unpack[Which]
    ) -> RowPage:
        return await self.tables.query_index(table, index, hash_key, **which)

    async def _read(self, keys: Sequence[RowKey]) -> Sequence[Row]:
        try:
            numbers = await self.chosen.numbers()
        except Unavailable:
            known = self.chosen.known()
            if known is None:
                raise
            rows = await self.cache.stale(
                _names(keys, known), least=self.least, freshness=self.freshness
            )
            if rows is None:
                raise
            return rows
        return await self.cache.read(
            _names(keys, numbers), least=self.least, freshness=self.freshness
        )


def _all_cached(keys: Sequence[RowKey]) -> bool:
    for key in keys:  # noqa: SIM110  # every read asks, and a generator costs more
        if key.table not in PROJECTIONS:
            return False
    return True


def _names(keys: Sequence[RowKey], numbers: Numbers) -> Sequence[Name]:
    return [name for key in keys if (name := name_of(key, numbers)) is not None]
