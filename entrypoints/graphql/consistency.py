"""
How up to date an answer must be, or as of when, and what is asked so.

What belongs to something (a signal's dataset) is read in the same way as the thing itself, many
at once: however many rows a list has, it costs as many store calls as it has kinds of things.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, Generic, TypeVar

from attrs import define, field, frozen
from strawberry.dataloader import DataLoader

from application.caller import Caller
from application.datasets.read_model import DatasetView
from application.evidence import Shown
from application.evidence.archive import EvidenceAsked
from application.incidents.read_model import IncidentView
from application.reads.demand import Answer, Demand
from application.reads.paging import Page, PageRequest
from application.signals.read_model import SignalKey, SignalView
from application.use_cases import UseCases
from domain.ids import DatasetUrn, EvidenceId, IncidentId
from domain.timestamps import stamp

R = TypeVar("R")

EvidenceListed = tuple[EvidenceAsked, PageRequest]

MOST_AT_ONCE = 500
"""Things that are looked up in one read."""


@frozen
class Found(Generic[R]):
    """Something that was read, in which way, and what the answer was about."""

    what: R
    at: "Asked"
    answer: Answer[Any]


@define(eq=False)
class Asked:
    """What is asked in one way, within one request."""

    by: Caller
    use: UseCases
    demand: Demand
    datasets: DataLoader[DatasetUrn, Found[DatasetView] | None] = field(init=False)
    incidents: DataLoader[IncidentId, Found[IncidentView] | None] = field(init=False)
    signals: DataLoader[SignalKey, Found[SignalView] | None] = field(init=False)
    # It never changes: there is nothing that it could be as of.
    evidence: DataLoader[EvidenceId, Shown | None] = field(init=False)
    evidence_pages: DataLoader[EvidenceListed, Page[Shown]] = field(init=False)

    @datasets.default
    def _datasets(self) -> DataLoader[DatasetUrn, Found[DatasetView] | None]:
        return DataLoader(partial(self._many, self.use.read_datasets), MOST_AT_ONCE)

    @incidents.default
    def _incidents(self) -> DataLoader[IncidentId, Found[IncidentView] | None]:
        return DataLoader(partial(self._many, self.use.read_incidents), MOST_AT_ONCE)

    @signals.default
    def _signals(self) -> DataLoader[SignalKey, Found[SignalView] | None]:
        return DataLoader(partial(self._many, self.use.read_signals), MOST_AT_ONCE)

    @evidence.default
    def _evidence(self) -> DataLoader[EvidenceId, Shown | None]:
        return DataLoader(self._all_evidence, MOST_AT_ONCE)

    @evidence_pages.default
    def _evidence_pages(self) -> DataLoader[EvidenceListed, Page[Shown]]:
        return DataLoader(self._each_page, MOST_AT_ONCE)

    @property
    def moment(self) -> str | None:
        """What pages of one list have in common."""
        return stamp(self.demand.as_of) if self.demand.as_of else None

    def of(self, answer: Answer[R]) -> Found[R]:
        return Found(answer.value, self, answer)

    async def _all_evidence(self, names: Sequence[EvidenceId]) -> list[Shown | None]:
        shown = await self.use.read_evidence(names, by=self.by)
        return [shown.get(name) for name in names]

    async def _each_page(
        self, listed: Sequence[EvidenceListed]
    ) -> list[Page[Shown] | BaseException]:
        """Each list is read by itself, and once, however often its dataset is among the rows."""
        reading = [self.use.list_evidence(asked, page, by=self.by) for asked, page in listed]
        return await asyncio.gather(*reading, return_exceptions=True)

    async def _many(
        self, use_case: Callable[..., Awaitable[Answer[Sequence[R | None]]]], names: Sequence[Any]
    ) -> list[Found[R] | None]:
        answer = await use_case(names, demand=self.demand, by=self.by)
        return [None if one is None else Found(one, self, answer) for one in answer.value]
