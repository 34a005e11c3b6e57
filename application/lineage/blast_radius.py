"""How far an incident reaches: when it opened, and now."""

from collections.abc import Sequence

from attrs import frozen

from application.caller import Caller
from application.incidents.queries import ReadIncident
from application.lineage.impact import Impact, ReadImpact
from application.ports.access import Access
from application.reads.reader import Boards
from domain.ids import DatasetUrn, EntityId, FailureSignature, IncidentId
from domain.lineage.blast_radius import BlastRadius, field_of


@frozen
class MeasureBlastRadius:
    """Walk downstream from the fields that the signatures name.

    Where nobody is declared to read a field, the whole dataset is taken: lineage by column is not
    declared everywhere.
    """

    impact: ReadImpact

    async def __call__(
        self, dataset: DatasetUrn, signatures: tuple[FailureSignature, ...], *, by: Caller
    ) -> BlastRadius:
        impact = await self.impact.settled(by)
        by_field = await walks_by_field(impact, dataset, signatures)
        return radius_of(by_field or [await impact.walked(dataset)])


async def walks_by_field(
    impact: ReadImpact, dataset: DatasetUrn, signatures: tuple[FailureSignature, ...]
) -> Sequence[Impact]:
    """What lies downstream of the fields that somebody is declared to read."""
    walks = [await impact.walked(dataset, field_of(one)) for one in signatures]
    return [walk for walk in walks if walk.entities]


def radius_of(walks: Sequence[Impact]) -> BlastRadius:
    """Each entity counts once, however often it is met and whoever else has its name."""
    nearest: dict[EntityId, tuple[int, str]] = {}
    for affected in (one for walk in walks for one in walk.entities):
        entity, place = affected.entity, (affected.distance, affected.entity.name)
        nearest[entity.entity_id] = min(place, nearest.get(entity.entity_id, place))
    names = [name for _, name in sorted(nearest.values())]
    return BlastRadius.of(names, {tier for walk in walks for tier in walk.tiers.values()})


@frozen
class ThenAndNow:
    incident: IncidentId
    dataset: DatasetUrn
    then: BlastRadius | None
    """Nothing if it could not be measured."""
    now: BlastRadius


@frozen
class ReadBlastRadius:
    """What an incident affected when it opened, and what it would affect now."""

    boards: Boards
    access: Access

    async def __call__(self, incident: IncidentId, *, by: Caller) -> ThenAndNow:
        """Raises NotFound if there is no such incident."""
        card = await ReadIncident(self.boards, self.access)(incident, by=by)
        measure = MeasureBlastRadius(ReadImpact(self.boards, self.access))
        now = await measure(card.dataset, card.signatures, by=by)
        return ThenAndNow(incident, card.dataset, card.blast_radius, now)
