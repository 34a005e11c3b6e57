"""The register of datasets as it was, and the rules that they had."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from attrs import frozen

from application.datasets.read_model import DatasetFilter, DatasetView, Edition
from application.datasets.resolution_read_model import RuleView
from application.projections.datasets import REGISTRY
from application.projections.resolution_rules import RESOLUTION_MAP
from application.reads.as_of.snapshot import Past
from application.reads.paging import Page, PageRequest
from application.reads.scratch import Scratch
from domain.dataset.tier import Tier
from domain.ids import DatasetUrn
from domain.stream_categories import dataset_stream


@frozen
class PastDatasets:
    past: Past

    async def find(self, dataset: DatasetUrn, version: int | None = None) -> DatasetView | None:
        scratch = await self.past.folded(REGISTRY, [dataset_stream(dataset)])
        return await scratch.datasets.find(dataset, version)

    async def find_many(self, datasets: Collection[DatasetUrn]) -> Mapping[DatasetUrn, DatasetView]:
        return await (await self._folded(datasets)).datasets.find_many(datasets)

    async def editions(self, datasets: Collection[DatasetUrn]) -> Mapping[DatasetUrn, Edition]:
        return await (await self._folded(datasets)).datasets.editions(datasets)

    async def versions(self, dataset: DatasetUrn, page: PageRequest) -> Page[DatasetView]:
        scratch = await self.past.folded(REGISTRY, [dataset_stream(dataset)])
        return await scratch.datasets.versions(dataset, page)

    async def matching(self, wanted: DatasetFilter, page: PageRequest) -> Page[DatasetView]:
        directory = await self.past.listed()
        scratch = await self.past.folded(
            REGISTRY, await directory.datasets(upto=self.past.position)
        )
        return await scratch.datasets.matching(wanted, page)

    async def tiers(self, datasets: Iterable[DatasetUrn]) -> Mapping[DatasetUrn, Tier]:
        wanted = list(datasets)
        return await (await self._folded(wanted)).datasets.tiers(wanted)

    async def _folded(self, datasets: Iterable[DatasetUrn]) -> Scratch:
        return await self.past.folded(REGISTRY, map(dataset_stream, datasets))


@frozen
class PastRules:
    past: Past

    async def rules_of(self, dataset: DatasetUrn) -> Sequence[RuleView]:
        scratch = await self.past.folded(RESOLUTION_MAP, [dataset_stream(dataset)])
        return await scratch.rules.rules_of(dataset)
