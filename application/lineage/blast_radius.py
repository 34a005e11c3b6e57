"""How far an incident reaches: when it opened, and now."""

from collections.abc import Sequence

from attrs import frozen

from application.caller import Caller
from application.incidents.queries import folded
from application.lineage.impact import Impact, impact_of
from application.ports.access import Access
from application.projections.lineage import LINEAGE_INDEX
from application.reads.consistency import Reads
from application.reads.demand import NOTHING, Answer, Demand
from application.reads.read_your_writes import LINEAGE
from application.reads.reader import Reader
from domain.ids import DatasetUrn, EntityId, FailureSignature, IncidentId
from domain.lineage.blast_radius import BlastRadius, field_of
from domain.retention import KEPT_FOR


@frozen
class MeasureBlastRadius:
    """Measures how far the failures of a dataset reach now, by the caller's own lineage too."""

    reads: Reads

    async def __call__(
        self, dataset: DatasetUrn, signatures: tuple[FailureSignature, ...], *, by: Caller
    ) -> BlastRadius:
        reader = await self.reads.open_now(by=by, projections=[LINEAGE_INDEX], about=[LINEAGE])
        return await measured(reader, dataset, signatures)


async def measured(
    reader: Reader, dataset: DatasetUrn, signatures: tuple[FailureSignature, ...]
) -> BlastRadius:
    """Walk downstream from the fields that the signatures name.

    Where nobody is declared to read a field, the whole dataset is taken: lineage by column is not
    declared everywhere.
    """
    by_field = await walks_by_field(reader, dataset, signatures)
    return radius_of(by_field or [await impact_of(reader, dataset)])


async def walks_by_field(
    reader: Reader, dataset: DatasetUrn, signatures: tuple[FailureSignature, ...]
) -> Sequence[Impact]:
    """What lies downstream of the fields that somebody is declared to read."""
    walks = [await impact_of(reader, dataset, field_of(one)) for one in signatures]
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

    reads: Reads
    access: Access

    async def __call__(
        self, incident: IncidentId, *, demand: Demand = NOTHING, by: Caller
    ) -> Answer[ThenAndNow]:
        """Raises NotFound if there is no such incident."""
        await self.access.permit(by, "incident:read", incident)
        reader = await self.reads.open(demand, by=by, projections=[LINEAGE_INDEX], about=[LINEAGE])
        card = await folded(reader.streams, incident, KEPT_FOR.incidents)
        now = await measured(reader, card.dataset, card.signatures)
        return reader.answer(ThenAndNow(incident, card.dataset, card.blast_radius, now))
