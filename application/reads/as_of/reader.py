"""A reader of the past: read models folded from the streams that a question is about."""

from collections.abc import Collection
from datetime import datetime
from typing import TypeVar

from attrs import Factory, field, frozen

from application.reads.as_of.datasets import PastDatasets, PastRules
from application.reads.as_of.facts import PastFacts
from application.reads.as_of.incidents import PastIncidents
from application.reads.as_of.lineage import PastLineage
from application.reads.as_of.signals import PastSignals
from application.reads.as_of.snapshot import Past
from application.reads.demand import Answer
from domain.ids import DatasetUrn

R = TypeVar("R")


@frozen
class PastReader:
    """Also for strong reads, whose moment is now. The past does not move: nothing is awaited."""

    past: Past
    as_of: datetime | None = field(default=None, kw_only=True)
    lineage: PastLineage = field(
        init=False, default=Factory(lambda self: PastLineage(self.past), takes_self=True)
    )

    @property
    def signals(self) -> PastSignals:
        return PastSignals(self.past)

    @property
    def incidents(self) -> PastIncidents:
        return PastIncidents(self.past)

    @property
    def datasets(self) -> PastDatasets:
        return PastDatasets(self.past)

    @property
    def rules(self) -> PastRules:
        return PastRules(self.past)

    @property
    def streams(self) -> PastFacts:
        return PastFacts(self.past)

    @property
    def position(self) -> int:
        return self.past.position

    def answer(self, value: R) -> Answer[R]:
        return Answer(value, self.past.position, 0.0, self.as_of)

    async def dataset_copies(self, datasets: Collection[DatasetUrn]) -> None:
        """The past is not kept in caches."""
