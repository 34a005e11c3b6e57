"""The register of datasets, read from its rows."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from attrs import field, frozen

from adapters.eventstore.sealing.seals import Seals
from adapters.read_models.listing import Listing, foreign_cursor
from adapters.read_models.parsed_rows import Kept
from adapters.row_layouts.catalogue import DATASET_REGISTRY, OWNER_INDEX, TIER_INDEX
from adapters.row_layouts.dataset_rows import edition_of, from_row, listed, row_key, stored_settings
from adapters.row_layouts.engine import Row, RowReads
from application.datasets.read_model import DatasetFilter, DatasetKey, DatasetView, Edition
from application.reads.paging import Cursor, Page, PageRequest
from domain.dataset.config import DatasetStatus
from domain.dataset.settings import Settings
from domain.dataset.tier import Tier
from domain.ids import DatasetUrn


@frozen
class TableDatasets:
    engine: RowReads
    seals: Seals
    stored: Kept[Settings] = field(factory=lambda: Kept(stored_settings), eq=False)

    async def find(self, dataset: DatasetUrn, version: int | None = None) -> DatasetView | None:
        # The latest first: by the time it is a later one, the version asked for is archived.
        latest = await self._one(DatasetKey(dataset))
        if latest is None or version in (None, latest.config_version):
            return latest
        return await self._one(DatasetKey(dataset, version))

    async def find_many(self, datasets: Collection[DatasetUrn]) -> Mapping[DatasetUrn, DatasetView]:
        cards = [self.card(row) for row in await self._latest(datasets)]
        return {card.dataset: card for card in cards}

    async def editions(self, datasets: Collection[DatasetUrn]) -> Mapping[DatasetUrn, Edition]:
        return {DatasetUrn(row["PK"]): edition_of(row) for row in await self._latest(datasets)}

    async def versions(self, dataset: DatasetUrn, page: PageRequest) -> Page[DatasetView]:
        if page.after is not None:
            return await self._archived(dataset, _version(page.after) - 1, page.size)
        latest = await self._one(DatasetKey(dataset))
        if latest is None:
            return Page([])
        older = await self._archived(dataset, latest.config_version - 1, page.size - 1)
        return Page([latest, *older.items], older.next)

    async def matching(self, wanted: DatasetFilter, page: PageRequest) -> Page[DatasetView]:
        found = await self._listing(wanted).page(
            page, lambda row: wanted.tier in (None, row["tier"])
        )
        return found.map(self.card)

    async def tiers(self, datasets: Iterable[DatasetUrn]) -> Mapping[DatasetUrn, Tier]:
        return {DatasetUrn(row["PK"]): Tier(row["tier"]) for row in await self._latest(datasets)}

    def _listing(self, wanted: DatasetFilter) -> Listing:
        status = DatasetStatus.RETIRED if wanted.retired else DatasetStatus.ACTIVE
        if wanted.owner_team is not None:
            owner = listed(status, wanted.owner_team)
            return Listing(self.engine, DATASET_REGISTRY, OWNER_INDEX, [owner])
        tiers = [listed(status, tier) for tier in ([wanted.tier] if wanted.tier else Tier)]
        return Listing(self.engine, DATASET_REGISTRY, TIER_INDEX, tiers)

    async def _archived(self, dataset: DatasetUrn, start: int, size: int) -> Page[DatasetView]:
        """Archived versions from `start` downwards: their keys are known, none is searched for."""
        numbers = range(start, max(start - size, 0), -1)
        cards = await self._many([DatasetKey(dataset, number) for number in numbers])
        last = start - len(numbers) + 1
        return Page(cards, (str(last),) if last > 1 else None)

    async def _latest(self, datasets: Iterable[DatasetUrn]) -> Sequence[Row]:
        return await self.engine.get([row_key(DatasetKey(dataset)) for dataset in datasets])

    def card(self, row: Row) -> DatasetView:
        return from_row(row, self.seals, self.stored.of)

    async def _one(self, key: DatasetKey) -> DatasetView | None:
        return next(iter(await self._many([key])), None)

    async def _many(self, keys: Sequence[DatasetKey]) -> Sequence[DatasetView]:
        rows = await self.engine.get([row_key(key) for key in keys])
        cards = [self.card(row) for row in rows]
        return sorted(cards, key=lambda card: card.config_version, reverse=True)


def _version(cursor: Cursor) -> int:
    if len(cursor) != 1 or not (cursor[0].isascii() and cursor[0].isdigit()):
        raise foreign_cursor()
    return int(cursor[0])
