"""Signals as dashboards see them, read from their rows."""

from collections.abc import Collection, Mapping, Sequence

from attrs import field, frozen

from adapters.read_models.listing import Listing, whole_partitions
from adapters.read_models.parsed_rows import Kept
from adapters.row_layouts.catalogue import SIGNAL_STATE, STATE_TIER_INDEX
from adapters.row_layouts.engine import Row, RowReads
from adapters.row_layouts.expiry import alive, living
from adapters.row_layouts.hot_datasets import NONE_HOT, HotDatasets
from adapters.row_layouts.signal_rows import from_row, rank_of, row_key
from application.ports.clock import Clock
from application.reads.paging import Page, PageRequest
from application.signals.read_model import SignalKey, SignalView
from domain.dataset.tier import Tier
from domain.ids import DatasetUrn, SignalType
from domain.signal.evaluation import SignalStateEnum


@frozen
class TableSignals:
    engine: RowReads
    clock: Clock
    hot: HotDatasets = NONE_HOT
    read: Kept[SignalView] = field(factory=lambda: Kept(from_row), eq=False)

    async def find(self, dataset: DatasetUrn, signal_type: SignalType) -> SignalView | None:
        rows = await self.engine.get([row_key(SignalKey(dataset, signal_type), self.hot)])
        return next(map(self.read.of, living(rows, self.clock)), None)

    async def find_many(self, signals: Collection[SignalKey]) -> Mapping[SignalKey, SignalView]:
        rows = await self.engine.get([row_key(signal, self.hot) for signal in signals])
        return {SignalKey(card.dataset, card.signal_type): card for card in self._cards(rows)}

    async def of_dataset(self, dataset: DatasetUrn) -> Sequence[SignalView]:
        lie_in = self.hot.partitions(dataset)
        return self._cards(await whole_partitions(self.engine, SIGNAL_STATE.name, lie_in))

    async def not_ok(
        self,
        state: SignalStateEnum,
        page: PageRequest,
        *,
        tier: Tier | None = None,
        owner_team: str | None = None,
    ) -> Page[SignalView]:
        now = self.clock.now()
        found = await Listing(
            self.engine,
            SIGNAL_STATE,
            STATE_TIER_INDEX,
            partitions=[state.value],
            begins_with=rank_of(tier) if tier else "",
        ).page(page, lambda row: alive(row, now) and owner_team in (None, row["owner_team"]))
        return found.map(self.read.of)

    def _cards(self, rows: Sequence[Row]) -> Sequence[SignalView]:
        return [self.read.of(row) for row in living(rows, self.clock)]
