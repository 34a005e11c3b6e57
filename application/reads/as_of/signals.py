"""Signals as they were."""

from collections.abc import Collection, Mapping, Sequence

from attrs import frozen

from application.projections.datasets import REGISTRY
from application.projections.signals import SIGNAL_BOARD
from application.reads.as_of.snapshot import Past
from application.reads.paging import Page, PageRequest
from application.signals.read_model import SignalKey, SignalView
from domain.dataset.tier import Tier
from domain.ids import DatasetUrn, SignalType
from domain.signal.evaluation import SignalStateEnum
from domain.stream_categories import dataset_of, dataset_stream, signal_stream
from domain.streams import StreamId


@frozen
class PastSignals:
    past: Past

    async def find(self, dataset: DatasetUrn, signal_type: SignalType) -> SignalView | None:
        streams = (dataset_stream(dataset), signal_stream(dataset, signal_type))
        return await (await self.past.folded(SIGNAL_BOARD, streams)).signals.find(
            dataset, signal_type
        )

    async def find_many(self, signals: Collection[SignalKey]) -> Mapping[SignalKey, SignalView]:
        datasets = {dataset_stream(one.dataset) for one in signals}
        streams = [signal_stream(one.dataset, one.signal_type) for one in signals]
        scratch = await self.past.folded(SIGNAL_BOARD, [*datasets, *streams])
        return await scratch.signals.find_many(signals)

    async def of_dataset(self, dataset: DatasetUrn) -> Sequence[SignalView]:
        directory = await self.past.listed()
        streams = await directory.signals([dataset], upto=self.past.position)
        scratch = await self.past.folded(SIGNAL_BOARD, [dataset_stream(dataset), *streams])
        return await scratch.signals.of_dataset(dataset)

    async def not_ok(
        self,
        state: SignalStateEnum,
        page: PageRequest,
        *,
        tier: Tier | None = None,
        owner_team: str | None = None,
    ) -> Page[SignalView]:
        """Every signal of the datasets in question is folded: the index is of now."""
        datasets = await self._datasets(tier)
        directory = await self.past.listed()
        signals = await directory.signals(datasets, upto=self.past.position)
        concerned = {dataset_stream(dataset_of(one)) for one in signals}
        scratch = await self.past.folded(SIGNAL_BOARD, [*concerned, *signals])
        return await scratch.signals.not_ok(state, page, tier=tier, owner_team=owner_team)

    async def _datasets(self, tier: Tier | None) -> Sequence[DatasetUrn]:
        directory = await self.past.listed()
        streams: Sequence[StreamId] = await directory.datasets(upto=self.past.position)
        datasets = [dataset_of(stream) for stream in streams]
        if tier is None:
            return datasets
        tiers = await (await self.past.folded(REGISTRY, streams)).datasets.tiers(datasets)
        return [dataset for dataset in datasets if tiers.get(dataset) is tier]
