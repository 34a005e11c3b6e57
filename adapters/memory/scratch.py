"""Views in memory for one answer, behind the same read models as all others."""

from collections.abc import Mapping
from datetime import datetime

from attrs import Factory, field, frozen

from adapters.eventstore.sealing.seals import Seals
from adapters.memory.engine import MemoryEngine
from adapters.read_models.datasets import TableDatasets
from adapters.read_models.incidents import TableIncidents
from adapters.read_models.lineage import TableLineage
from adapters.read_models.resolution_rules import TableRules
from adapters.read_models.signals import TableSignals
from adapters.read_models.view_store import TableCards
from adapters.row_layouts.hot_datasets import NONE_HOT
from adapters.row_layouts.layouts import Layout, layouts
from application.reads.scratch import Scratch


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
            signals=TableSignals(engine, clock),
            incidents=TableIncidents(engine, self.seals, clock),
            datasets=TableDatasets(engine, self.seals),
            rules=TableRules(engine),
            lineage=TableLineage(engine, clock),
        )
