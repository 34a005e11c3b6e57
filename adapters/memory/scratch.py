"""Cards in memory that are made for one answer, behind the same boards as all others."""

from datetime import datetime

from attrs import frozen

from adapters.eventstore.sealing import Seals
from adapters.memory.engine import MemoryEngine
from adapters.tables.cards import TableCards
from adapters.tables.incident_board import TableIncidentBoard
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

    def __call__(self, at: datetime) -> Scratch:
        engine, clock = MemoryEngine(), StandingClock(at)
        return Scratch(
            cards=TableCards(engine, self.seals),
            signals=TableSignalBoard(engine, clock),
            incidents=TableIncidentBoard(engine, self.seals, clock),
            registry=TableRegistry(engine, self.seals),
            rules=TableResolutionMap(engine),
            lineage=TableLineageGraph(engine, clock),
        )
