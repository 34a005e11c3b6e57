"""Readers of the tables: the read models of one request, on its rows."""

from collections.abc import Collection, Mapping
from typing import TypeVar

from attrs import field, frozen

from adapters.eventstore.sealing.seals import Seals
from adapters.read_models.datasets import TableDatasets
from adapters.read_models.dead_letters import TableDeadLetters
from adapters.read_models.incidents import TableIncidents
from adapters.read_models.lineage import TableLineage
from adapters.read_models.parsed_rows import Kept
from adapters.read_models.resolution_rules import TableRules
from adapters.read_models.signals import TableSignals
from adapters.row_layouts.dataset_rows import stored_settings
from adapters.row_layouts.engine import RowReads
from adapters.row_layouts.hot_datasets import NONE_HOT, HotDatasets
from adapters.row_layouts.signal_rows import from_row
from application.ports.clock import Clock
from application.projections.progress import Reached
from application.reads.demand import Answer
from application.reads.read_your_writes import Settlement
from application.reads.reader import DatasetCopy, Freshness, StreamReads
from application.signals.read_model import SignalView
from domain.dataset.settings import Settings
from domain.ids import DatasetUrn

R = TypeVar("R")


@frozen
class ReaderParts:
    """What all readers have in common, beside their rows."""

    streams: StreamReads
    seals: Seals
    clock: Clock
    hot: HotDatasets = NONE_HOT
    signals: Kept[SignalView] = field(factory=lambda: Kept(from_row), eq=False)
    settings: Kept[Settings] = field(factory=lambda: Kept(stored_settings), eq=False)


@frozen
class TableReader:
    rows: RowReads
    freshness: Freshness
    parts: ReaderParts

    @property
    def signals(self) -> TableSignals:
        parts = self.parts
        return TableSignals(self.rows, parts.clock, parts.hot, parts.signals)

    @property
    def incidents(self) -> TableIncidents:
        return TableIncidents(self.rows, self.parts.seals, self.parts.clock)

    @property
    def datasets(self) -> TableDatasets:
        return TableDatasets(self.rows, self.parts.seals, self.parts.settings)

    @property
    def rules(self) -> TableRules:
        return TableRules(self.rows)

    @property
    def lineage(self) -> TableLineage:
        return TableLineage(self.rows, self.parts.clock)

    @property
    def dead_letters(self) -> TableDeadLetters:
        return TableDeadLetters(self.rows)

    @property
    def streams(self) -> StreamReads:
        return self.parts.streams

    @property
    def position(self) -> int:
        return self.freshness.reached.position

    def answer(self, value: R) -> Answer[R]:
        return self.freshness.answer(value)

    async def dataset_copies(
        self, datasets: Collection[DatasetUrn]
    ) -> Mapping[DatasetUrn, DatasetCopy]:
        """Without caches there are none."""
        self.freshness.note(Reached(), stale=True)
        return {}


@frozen
class TableReaders:
    usual: RowReads
    strong: RowReads
    parts: ReaderParts

    def rows(self, settlement: Settlement) -> RowReads:
        return self.strong if settlement.strong else self.usual

    def open(self, settlement: Settlement, freshness: Freshness) -> TableReader:
        return TableReader(self.rows(settlement), freshness, self.parts)
