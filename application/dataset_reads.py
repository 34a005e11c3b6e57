"""Looking datasets up."""

from attrs import frozen

from application.caller import Caller
from application.paging import Page, PageRequest
from application.ports.access import Access
from application.ports.registry import DatasetCard, DatasetFilter, Registry
from application.read_your_writes import OwnWrites
from domain.errors import NotFound
from domain.ids import DatasetUrn


@frozen
class ReadDataset:
    registry: Registry
    access: Access
    own_writes: OwnWrites

    async def __call__(
        self, dataset: DatasetUrn, version: int | None = None, *, by: Caller
    ) -> DatasetCard:
        """Raises NotFound if there is no such dataset or version."""
        await self.access.permit(by, "dataset:read", dataset)
        await self.own_writes.settle(by, "registry", dataset)
        card = await self.registry.dataset(dataset)
        if card is None:
            raise NotFound("dataset", dataset)
        if version in (None, card.config_version):
            return card
        old = await self.registry.dataset(dataset, version)
        if old is None:
            raise NotFound("dataset version", f"{dataset} version {version}")
        return old


@frozen
class ListDatasets:
    registry: Registry
    access: Access
    own_writes: OwnWrites

    async def __call__(
        self, wanted: DatasetFilter, page: PageRequest, *, by: Caller
    ) -> Page[DatasetCard]:
        await self.access.permit(by, "dataset:read", "*")
        await self.own_writes.settle(by, "registry")
        return await self.registry.datasets(wanted, page)


@frozen
class ListVersions:
    registry: Registry
    access: Access
    own_writes: OwnWrites

    async def __call__(
        self, dataset: DatasetUrn, page: PageRequest, *, by: Caller
    ) -> Page[DatasetCard]:
        """Raises NotFound if there is no such dataset."""
        await self.access.permit(by, "dataset:read", dataset)
        await self.own_writes.settle(by, "registry", dataset)
        if await self.registry.dataset(dataset) is None:
            raise NotFound("dataset", dataset)
        return await self.registry.versions(dataset, page)
