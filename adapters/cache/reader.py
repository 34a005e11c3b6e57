"""Readers of the caches, and the copies that are left when the tables do not answer."""

from collections.abc import Collection, Mapping

from attrs import frozen

from adapters.cache.cached_tables import CachedTables
from adapters.cache.entry import Entry
from adapters.cache.keys import name_of
from adapters.cache.row_cache import RowCache
from adapters.generations.generation_tables import Chosen
from adapters.read_models.reader import TableReader, TableReaders
from adapters.row_layouts.dataset_rows import row_key
from application.datasets.read_model import DatasetKey
from application.projections.progress import Reached
from application.reads.read_your_writes import Settlement
from application.reads.reader import DatasetCopy, Freshness
from domain.ids import DatasetUrn


@frozen
class CachedReader(TableReader):
    cache: RowCache
    chosen: Chosen
    least: int
    """The position that must be seen."""

    async def dataset_copies(
        self, datasets: Collection[DatasetUrn]
    ) -> Mapping[DatasetUrn, DatasetCopy]:
        copies = await self._copies(datasets)
        for dataset in datasets:
            copy = copies.get(dataset)
            self.freshness.note(copy.reached if copy else Reached(), stale=True)
        return copies

    async def _copies(self, datasets: Collection[DatasetUrn]) -> Mapping[DatasetUrn, DatasetCopy]:
        # The present generations cannot be asked for: the tables do not answer.
        numbers = self.chosen.known()
        if numbers is None:
            return {}
        wanted = {one: name_of(row_key(DatasetKey(one)), numbers) for one in datasets}
        names = {name: dataset for dataset, name in wanted.items() if name is not None}
        found = await self.cache.copies(list(names), least=self.least)
        return {names[name]: self._copy(entry) for name, entry in found.items()}

    def _copy(self, entry: Entry) -> DatasetCopy:
        card = self.datasets.card(entry.rows[0]) if entry.rows else None
        age = (self.parts.clock.now() - entry.read_at).total_seconds()
        return DatasetCopy(card, entry.reached, max(age, 0.0))


@frozen
class CachedReaders:
    """Rows that were read lately need not be read again, unless more must be seen."""

    tables: TableReaders
    cache: RowCache
    chosen: Chosen

    def open(self, settlement: Settlement, freshness: Freshness) -> CachedReader:
        rows = self.tables.rows(settlement)
        least = settlement.needed
        cached = CachedTables(rows, self.cache, self.chosen, least, freshness)
        return CachedReader(cached, freshness, self.tables.parts, self.cache, self.chosen, least)
