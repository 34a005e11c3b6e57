"""How far the failures of the incident's datasets reach, and what is made of these datasets."""

from collections.abc import Collection, Mapping, Sequence

from attrs import frozen

from application.caller import Caller
from application.lineage.blast_radius import radius_of, walks_by_field
from application.lineage.impact import Impact, impact_of
from application.ports.access import Access
from application.projections.lineage import LINEAGE_INDEX
from application.reads.consistency import Reads
from application.reads.demand import Answer, Demand
from application.reads.read_your_writes import LINEAGE
from domain.ids import DatasetUrn
from domain.incident.values import Concern
from domain.lineage.blast_radius import BlastRadius
from domain.lineage.impact import DEPTH, MOST_ENTITIES

_NEAR = 2
"""How far downstream incidents may have to do with one another."""


@frozen
class Reach:
    radius: BlastRadius
    truncated: bool | None
    """Whether there may be more than were counted; nothing where that was not recorded."""

    @classmethod
    def of(cls, walks: Sequence[Impact]) -> "Reach":
        return cls(radius_of(walks), any(walk.truncated for walk in walks))

    @classmethod
    def as_measured(cls, radius: BlastRadius) -> "Reach":
        return cls(radius, True if radius.downstream_count >= MOST_ENTITIES else None)


Radii = Mapping[DatasetUrn, Reach]


@frozen
class Downstream:
    radii: Radii
    near: Collection[DatasetUrn]
    """What is made of the datasets, or of what is made of them."""


@frozen
class WalkDownstream:
    """One walk for both: with hundreds of readers it is what takes longest."""

    reads: Reads
    access: Access

    async def __call__(
        self, concerns: Sequence[Concern], *, demand: Demand, by: Caller
    ) -> Answer[Downstream]:
        for one in concerns:
            await self.access.permit(by, "lineage:read", one.dataset)
        reader = await self.reads.open(demand, by=by, projections=[LINEAGE_INDEX], about=[LINEAGE])
        radii: dict[DatasetUrn, Reach] = {}
        near: set[DatasetUrn] = set()
        for one in concerns:
            by_field = await walks_by_field(reader, one.dataset, one.signatures)
            depth = _NEAR if by_field else DEPTH
            whole = await impact_of(reader, one.dataset, depth=depth)
            radii[one.dataset] = Reach.of(by_field or [whole])
            near |= {each.dataset for each in whole.datasets if each.distance <= _NEAR}
        return reader.answer(Downstream(radii, near))
