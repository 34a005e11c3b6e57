"""Looking datasets up."""

from collections.abc import Sequence

from attrs import frozen

from application.caller import Caller
from application.datasets.read_model import DatasetFilter, DatasetView
from application.ports.access import Access
from application.projections.datasets import REGISTRY
from application.reads.consistency import Reads
from application.reads.demand import NOTHING, Answer, Demand
from application.reads.paging import Page, PageRequest
from domain.errors import NotFound
from domain.ids import DatasetUrn


@frozen
class ReadDataset:
    reads: Reads
    access: Access

    async def __call__(
        self,
        dataset: DatasetUrn,
        version: int | None = None,
        *,
        demand: Demand = NOTHING,
        by: Caller,
    ) -> Answer[DatasetView]:
        """Raises NotFound if there is no such dataset or version."""
        await self.access.permit(by, "dataset:read", dataset)
        reader = await self.reads.open(demand, by=by, projections=[REGISTRY], about=[dataset])
        card = await reader.datasets.find(dataset)
        if card is None:
            raise NotFound("dataset", dataset)
        if version in (None, card.config_version):
            return reader.answer(card)
        old = await reader.datasets.find(dataset, version)
        if old is None:
            raise NotFound("dataset version", f"{dataset} version {version}")
        return reader.answer(old)


@frozen
class ReadDatasets:
    """Many datasets in one read."""

    reads: Reads
    access: Access

    async def __call__(
        self, names: Sequence[DatasetUrn], *, demand: Demand = NOTHING, by: Caller
    ) -> Answer[Sequence[DatasetView | None]]:
        """The cards in the order of the names; nothing where a dataset is not registered."""
        for name in names:
            await self.access.permit(by, "dataset:read", name)
        reader = await self.reads.open(demand, by=by, projections=[REGISTRY], about=names)
        cards = await reader.datasets.find_many(names)
        return reader.answer([cards.get(name) for name in names])


@frozen
class ListDatasets:
    reads: Reads
    access: Access

    async def __call__(
        self, wanted: DatasetFilter, page: PageRequest, *, demand: Demand = NOTHING, by: Caller
    ) -> Answer[Page[DatasetView]]:
        await self.access.permit(by, "dataset:read", "*")
        reader = await self.reads.open(demand, by=by, projections=[REGISTRY])
        return reader.answer(await reader.datasets.matching(wanted, page))


@frozen
class ListVersions:
    reads: Reads
    access: Access

    async def __call__(
        self, dataset: DatasetUrn, page: PageRequest, *, demand: Demand = NOTHING, by: Caller
    ) -> Answer[Page[DatasetView]]:
        """Raises NotFound if there is no such dataset."""
        await self.access.permit(by, "dataset:read", dataset)
        reader = await self.reads.open(demand, by=by, projections=[REGISTRY], about=[dataset])
        if await reader.datasets.find(dataset) is None:
            raise NotFound("dataset", dataset)
        return reader.answer(await reader.datasets.versions(dataset, page))
