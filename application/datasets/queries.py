"""Looking datasets up."""

from collections.abc import Sequence

from attrs import frozen

from application.caller import Caller
from application.datasets.read_model import DatasetCard, DatasetFilter
from application.ports.access import Access
from application.reads.paging import Page, PageRequest
from application.reads.reader import Boards
from domain.errors import NotFound
from domain.ids import DatasetUrn


@frozen
class ReadDataset:
    boards: Boards
    access: Access

    async def __call__(
        self, dataset: DatasetUrn, version: int | None = None, *, by: Caller
    ) -> DatasetCard:
        """Raises NotFound if there is no such dataset or version."""
        await self.access.permit(by, "dataset:read", dataset)
        boards = await self.boards.settled(by, "registry", about=dataset)
        card = await boards.registry.dataset(dataset)
        if card is None:
            raise NotFound("dataset", dataset)
        if version in (None, card.config_version):
            return card
        old = await boards.registry.dataset(dataset, version)
        if old is None:
            raise NotFound("dataset version", f"{dataset} version {version}")
        return old


@frozen
class ReadDatasets:
    """Many datasets in one read."""

    boards: Boards
    access: Access

    async def __call__(
        self, names: Sequence[DatasetUrn], *, by: Caller
    ) -> Sequence[DatasetCard | None]:
        """The cards in the order of the names; nothing where a dataset is not registered."""
        for name in names:
            await self.access.permit(by, "dataset:read", name)
        boards = await self.boards.settled(by, "registry", about=names)
        cards = await boards.registry.named(names)
        return [cards.get(name) for name in names]


@frozen
class ListDatasets:
    boards: Boards
    access: Access

    async def __call__(
        self, wanted: DatasetFilter, page: PageRequest, *, by: Caller
    ) -> Page[DatasetCard]:
        await self.access.permit(by, "dataset:read", "*")
        boards = await self.boards.settled(by, "registry")
        return await boards.registry.datasets(wanted, page)


@frozen
class ListVersions:
    boards: Boards
    access: Access

    async def __call__(
        self, dataset: DatasetUrn, page: PageRequest, *, by: Caller
    ) -> Page[DatasetCard]:
        """Raises NotFound if there is no such dataset."""
        await self.access.permit(by, "dataset:read", dataset)
        boards = await self.boards.settled(by, "registry", about=dataset)
        if await boards.registry.dataset(dataset) is None:
            raise NotFound("dataset", dataset)
        return await boards.registry.versions(dataset, page)
