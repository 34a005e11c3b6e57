"""The read model of datasets and their configuration."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Protocol

from attrs import frozen

from application.reads.paging import Page, PageRequest
from domain.dataset.config import DatasetStatus
from domain.dataset.settings import Settings
from domain.dataset.tier import Tier
from domain.ids import DatasetUrn


@frozen
class DatasetKey:
    """Names the present configuration, or an old one by its version."""

    dataset: DatasetUrn
    version: int | None = None


@frozen
class DatasetView:
    dataset: DatasetUrn
    status: DatasetStatus
    settings: Settings
    config_version: int
    created_at: datetime
    updated_at: datetime
    updated_by: str
    retired_at: datetime | None = None
    archived_at: datetime | None = None
    """When a newer version took its place; nothing for the present one."""


@frozen
class Edition:
    """Which configuration a dataset has: what is agreed is the same while this is."""

    config_version: int
    status: DatasetStatus


@frozen
class DatasetFilter:
    tier: Tier | None = None
    owner_team: str | None = None
    retired: bool = False


class DatasetReadModel(Protocol):
    async def find(self, dataset: DatasetUrn, version: int | None = None) -> DatasetView | None:
        """Return the configuration, None if there is no such dataset or version."""
        ...

    async def find_many(self, datasets: Collection[DatasetUrn]) -> Mapping[DatasetUrn, DatasetView]:
        """Return the present configurations of many datasets at once, of those registered."""
        ...

    async def editions(self, datasets: Collection[DatasetUrn]) -> Mapping[DatasetUrn, Edition]:
        """Return the versions of these configurations, without their settings."""
        ...

    async def versions(self, dataset: DatasetUrn, page: PageRequest) -> Page[DatasetView]:
        """Return all versions of a dataset's configuration, the latest first."""
        ...

    async def matching(self, wanted: DatasetFilter, page: PageRequest) -> Page[DatasetView]:
        """Return the datasets that fit, by tier and name."""
        ...

    async def tiers(self, datasets: Iterable[DatasetUrn]) -> Mapping[DatasetUrn, Tier]:
        """Return the tiers of those datasets that are registered, retired ones included."""
        ...
