"""The read model of signals."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from attrs import frozen

from application.reads.paging import Page, PageRequest
from domain.dataset.tier import Tier
from domain.ids import DatasetUrn, SignalType
from domain.signal.evaluation import Evaluation, SignalStateEnum


@frozen(cache_hash=True)
class SignalKey:
    dataset: DatasetUrn
    signal_type: SignalType


@frozen
class SignalsOf:
    dataset: DatasetUrn

    def holds(self, key: object) -> bool:
        return isinstance(key, SignalKey) and key.dataset == self.dataset


@frozen
class SignalView:
    """A signal now: the latest window's evaluation, and how it came to stand there."""

    dataset: DatasetUrn
    signal_type: SignalType
    evaluation: Evaluation
    state: SignalStateEnum
    previous_state: SignalStateEnum | None
    state_changed_at: datetime
    breach_start: datetime | None
    tier: Tier
    owner_team: str
    last_updated: datetime
    version: int
    incident_id: str | None = None
    ends_at: datetime | None = None
    """When the view expires: some time after its dataset was retired."""


class SignalReadModel(Protocol):
    async def find(self, dataset: DatasetUrn, signal_type: SignalType) -> SignalView | None:
        """Return the view, None if the signal was never evaluated."""
        ...

    async def find_many(self, signals: Collection[SignalKey]) -> Mapping[SignalKey, SignalView]:
        """Return the views of many signals at once, of those that were ever evaluated."""
        ...

    async def of_dataset(self, dataset: DatasetUrn) -> Sequence[SignalView]:
        """Return all signals of a dataset, by signal type."""
        ...

    async def not_ok(
        self,
        state: SignalStateEnum,
        page: PageRequest,
        *,
        tier: Tier | None = None,
        owner_team: str | None = None,
    ) -> Page[SignalView]:
        """Return the signals in a state other than OK, the most important tier first."""
        ...
