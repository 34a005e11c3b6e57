"""What lies downstream of a dataset or of one of its columns."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

from attrs import frozen

from application.caller import Caller
from application.lineage.read_model import LineageGraph, Links
from application.ports.access import Access
from application.projections.datasets import REGISTRY
from application.projections.lineage import LINEAGE_INDEX
from application.reads.consistency import Reads
from application.reads.demand import NOTHING, Answer, Demand
from application.reads.reader import Reader
from domain.dataset.tier import Tier
from domain.ids import DatasetUrn
from domain.lineage.impact import DEPTH, AffectedDataset, AffectedEntity, Walk

MOST_LINKS = 20_000
"""So many declarations are looked at for one answer; the rest of a denser graph is left out."""

PORTION = 100
"""So many datasets or entities are looked up at once."""

K = TypeVar("K")
V = TypeVar("V")


@frozen
class Impact:
    entities: Sequence[AffectedEntity]
    datasets: Sequence[AffectedDataset]
    tiers: Mapping[DatasetUrn, Tier]
    """The tiers of those datasets that are registered."""
    truncated: bool
    """Whether something was left out because there was too much."""
    depth_limit_reached: bool
    """Whether there are datasets left whose readers were not looked at."""


@frozen
class ReadImpact:
    """Walk downstream, level by level; by column when one is named."""

    reads: Reads
    access: Access

    async def __call__(
        self,
        dataset: DatasetUrn,
        column: str | None = None,
        *,
        depth: int = DEPTH,
        demand: Demand = NOTHING,
        by: Caller,
    ) -> Answer[Impact]:
        await self.access.permit(by, "lineage:read", dataset)
        reader = await self.reads.open(demand, by=by, projections=[REGISTRY, LINEAGE_INDEX])
        return reader.answer(await impact_of(reader, dataset, column, depth=depth))


async def impact_of(
    reader: Reader, dataset: DatasetUrn, column: str | None = None, *, depth: int = DEPTH
) -> Impact:
    """The impact by the lineage that the reader shows."""
    walk = await _walked(reader.lineage, Walk.of(dataset, column), depth)
    datasets = walk.datasets()
    tiers = await reader.datasets.tiers([one.dataset for one in datasets])
    return Impact(walk.readers(), datasets, tiers, walk.truncated, bool(walk.frontier))


async def _walked(lineage: LineageGraph, walk: Walk, depth: int) -> Walk:
    left = MOST_LINKS
    while walk.frontier and walk.distance < depth:
        readings = await fetched(lineage.readings, walk.frontier, left)
        left -= readings.looked_at
        walk = walk.meet(readings.found, partial=readings.partial)
        writings = await fetched(lineage.writings, walk.met, left)
        left -= writings.looked_at
        walk = walk.follow(writings.found, partial=writings.partial)
    return walk


class Fetch(Protocol[K, V]):
    async def __call__(self, names: Sequence[K], /, *, most: int) -> Links[K, V]: ...


async def fetched(fetch: Fetch[K, V], names: Sequence[K], most: int) -> Links[K, V]:
    """Fetch in portions, so that others have their turn in between."""
    found: dict[K, Sequence[V]] = {}
    looked_at = 0
    for start in range(0, len(names), PORTION):
        links = await fetch(names[start : start + PORTION], most=most - looked_at)
        found |= links.found
        looked_at += links.looked_at
        if links.partial:
            return Links(found, looked_at, partial=True)
        await asyncio.sleep(0)
    return Links(found, looked_at)
