"""Cards in memory that are made for one answer, behind the same boards as all others."""

from collections.abc import Mapping
from datetime import datetime

from attrs import Factory, field, frozen

from adapters.eventstore.sealing import Seals
from adapters.memory.engine import MemoryEngine
from adapters.tables.cards import TableCards
from adapters.tables.hot_datasets import NONE_HOT
from adapters.tables.incident_board import TableIncidentBoard
from adapters.tables.layouts import Layout, layouts
from adapters.tables.lineage_graph import TableLineageGraph
from adapters.tables.registry import TableRegistry
from adapters.tables.resolution_map import TableResolutionMap
from adapters.tables.signal_board import TableSignalBoard
from application.ports.scratch import Scratch


@frozen
class StandingClock:
    at: datetime

    def now(self) -> datetime:
        return self.at


@frozen
class MemoryScratches:
    seals: Seals
    _layouts: Mapping[type, Layout] = field(
        init=False, default=Factory(lambda self: layouts(self.seals, NONE_HOT), takes_self=True)
    )

    def __call__(self, at: datetime) -> Scratch:
        engine, clock = MemoryEngine(), StandingClock(at)
        return Scratch(
            cards=TableCards(engine, self.seals, layouts=self._layouts),
            signals=TableSignalBoard(engine, clock),
            incidents=TableIncidentBoard(engine, self.seals, clock),
            registry=TableRegistry(engine, self.seals),
            rules=TableResolutionMap(engine),
            lineage=TableLineageGraph(engine, clock),
        )
