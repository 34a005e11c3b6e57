"""Boards on cached tables, and the copies that are left when the tables do not answer."""

from collections.abc import Collection, Mapping

from attrs import evolve, frozen

from adapters.cache.cached_tables import CachedTables
from adapters.cache.keys import name_of
from adapters.cache.row_cache import RowCache
from adapters.generations.generation_tables import Chosen
from adapters.read_models.datasets import TableRegistry
from adapters.read_models.resolution_rules import TableResolutionMap
from adapters.read_models.signals import TableSignalBoard
from adapters.row_layouts.dataset_rows import row_key
from adapters.row_layouts.engine import RowReads
from application.datasets.read_model import DatasetKey, Registry
from application.datasets.resolution_read_model import ResolutionMap
from application.projections.progress import Reached
from application.reads.read_your_writes import Settlement
from application.reads.reader import Boards, DatasetCopy, Noted
from domain.ids import DatasetUrn


@frozen
class CachedBoards:
    """Signals, datasets and rules by name come from the caches; whatever is listed does not."""

    cache: RowCache
    chosen: Chosen
    usual: RowReads
    strong: RowReads
    signals: TableSignalBoard
    registry_of_rows: TableRegistry

    def over(self, boards: Boards, settlement: Settlement, noted: Noted) -> Boards:
        tables = self._tables(settlement, noted)
        signals, registry = self.signals, self.registry_of_rows
        return Boards(
            TableSignalBoard(tables, signals.clock, signals.hot, signals.read),
            boards.incidents,
            TableRegistry(tables, registry.seals, registry.stored),
            boards.rules,
            boards.lineage,
            boards.facts,
            noted.told or boards.settling,
            settlement.reached,
            boards.strong,
            self,
            self,
            noted,
            settlement.needed,
        )

    def registry(self, settlement: Settlement) -> Registry:
        return evolve(self.registry_of_rows, engine=self._alone(settlement))

    def rules(self, settlement: Settlement) -> ResolutionMap:
        return TableResolutionMap(self._alone(settlement))

    async def of_datasets(
        self, datasets: Collection[DatasetUrn], *, least: int
    ) -> Mapping[DatasetUrn, DatasetCopy]:
        # Nobody can be asked which they are now: the tables do not answer.
        numbers = self.chosen.known()
        if numbers is None:
            return {}
        wanted = {one: name_of(row_key(DatasetKey(one)), numbers) for one in datasets}
        names = {name: dataset for dataset, name in wanted.items() if name is not None}
        found = await self.cache.copies(list(names), least=least)
        now = self.cache.clock.now()
        return {
            names[name]: DatasetCopy(
                self.registry_of_rows.card(entry.rows[0]) if entry.rows else None,
                entry.reached,
                max((now - entry.read_at).total_seconds(), 0.0),
            )
            for name, entry in found.items()
        }

    def _tables(self, settlement: Settlement, noted: Noted) -> CachedTables:
        beside = self.strong if settlement.strong else self.usual
        return CachedTables(beside, self.cache, self.chosen, settlement.needed, noted)

    def _alone(self, settlement: Settlement) -> CachedTables:
        return self._tables(settlement, Noted(Reached()))
