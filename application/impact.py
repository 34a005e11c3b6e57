"""What lies downstream of a dataset or of one of its columns."""

import asyncio
from collections.abc import Mapping, Sequence

from attrs import define, frozen

from application.caller import Caller
from application.paging import PageRequest
from application.ports.access import Access
from application.ports.lineage_graph import LineageGraph
from application.ports.registry import Registry
from application.read_your_writes import OwnWrites
from domain.ids import DatasetUrn, EntityId, Place
from domain.impact import (
    DEPTH,
    MOST_ENTITIES,
    AffectedDataset,
    AffectedEntity,
    Reading,
    Walk,
    Writing,
)
from domain.tier import Tier

MOST_LINKS = 20_000
"""So many declarations are looked at for one answer; the rest of a denser graph is left out."""

BREATH = 50
"""After so many lookups others have their turn."""


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

    graph: LineageGraph
    registry: Registry
    access: Access
    own_writes: OwnWrites

    async def __call__(
        self,
        dataset: DatasetUrn,
        column: str | None = None,
        *,
        depth: int = DEPTH,
        by: Caller,
    ) -> Impact:
        await self.access.permit(by, "lineage:read", dataset)
        await self.own_writes.settle(by, "registry")
        await self.own_writes.settle(by, "lineage-index")
        walk = await self._walk(Walk.of(dataset, column), depth)
        datasets = walk.datasets()
        tiers = await self.registry.tiers([one.dataset for one in datasets])
        return Impact(walk.readers(), datasets, tiers, walk.truncated, bool(walk.frontier))

    async def _walk(self, walk: Walk, depth: int) -> Walk:
        budget = Budget()
        while walk.frontier and walk.distance < depth:
            readings = await self._readings(walk.frontier, budget)
            walk = walk.meet(readings, partial=budget.overdrawn)
            writings = await self._writings(walk.met, budget)
            walk = walk.follow(writings, partial=budget.overdrawn)
        return walk

    async def _readings(
        self, places: Sequence[Place], budget: "Budget"
    ) -> Mapping[Place, Sequence[Reading]]:
        found: dict[Place, Sequence[Reading]] = {}
        for place in places:
            if not await budget.allows():
                break
            page = await self.graph.readers(place, PageRequest(min(MOST_ENTITIES, budget.left)))
            found[place] = [Reading(one.entity, one.confidence) for one in page.items]
            budget.spend(len(page.items), more=page.next is not None)
        return found

    async def _writings(
        self, entities: Sequence[EntityId], budget: "Budget"
    ) -> Mapping[EntityId, Sequence[Writing]]:
        found: dict[EntityId, Sequence[Writing]] = {}
        for entity in entities:
            if not await budget.allows():
                break
            found[entity] = await self.graph.written_by(entity, most=budget.left)
            budget.spend(len(found[entity]))
        return found


@define
class Budget:
    """How many declarations may still be looked at."""

    left: int = MOST_LINKS
    overdrawn: bool = False
    """Whether something was not looked at."""
    _lookups: int = 0

    async def allows(self) -> bool:
        """Whether to look on; now and then others have their turn first."""
        self._lookups += 1
        if self._lookups % BREATH == 0:
            await asyncio.sleep(0)
        return self.left > 0

    def spend(self, links: int, *, more: bool = False) -> None:
        self.left -= links
        self.overdrawn = self.overdrawn or more or self.left <= 0
