"""What lies downstream of a dataset or of one of its columns."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

from attrs import evolve, frozen

from application.caller import Caller
from application.lineage.read_model import Links
from application.ports.access import Access
from application.reads.read_your_writes import LINEAGE
from application.reads.reader import Boards
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
    beyond_depth: bool
    """Whether there are datasets left whose readers were not looked at."""


@frozen
class ReadImpact:
    """Walk downstream, level by level; by column when one is named."""

    boards: Boards
    access: Access

    async def __call__(
        self,
        dataset: DatasetUrn,
        column: str | None = None,
        *,
        depth: int = DEPTH,
        by: Caller,
    ) -> Impact:
        await self.access.permit(by, "lineage:read", dataset)
        boards = await self.boards.settled(by, "registry")
        settled = await evolve(self, boards=boards).settled(by)
        return await settled.walked(dataset, column, depth=depth)

    async def settled(self, by: Caller) -> "ReadImpact":
        """This, once it shows the lineage that the caller itself declared last, if it did."""
        return evolve(self, boards=await self.boards.settled(by, "lineage-index", about=LINEAGE))

    async def walked(
        self, dataset: DatasetUrn, column: str | None = None, *, depth: int = DEPTH
    ) -> Impact:
        """The impact by what is indexed, for those who may see it and cannot wait."""
        walk = await self._walk(Walk.of(dataset, column), depth)
        datasets = walk.datasets()
        tiers = await self.boards.registry.tiers([one.dataset for one in datasets])
        return Impact(walk.readers(), datasets, tiers, walk.truncated, bool(walk.frontier))

    async def _walk(self, walk: Walk, depth: int) -> Walk:
        left = MOST_LINKS
        while walk.frontier and walk.distance < depth:
            readings = await fetched(self.boards.lineage.readings, walk.frontier, left)
            left -= readings.looked_at
            walk = walk.meet(readings.found, partial=readings.partial)
            writings = await fetched(self.boards.lineage.writings, walk.met, left)
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
