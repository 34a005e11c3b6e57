"""
What else is open that may have to do with an incident.

    SAME_DATASET    it is about one of the same datasets
    UPSTREAM        about a dataset that is read by whoever writes this one
    DOWNSTREAM      about a dataset that is made of this one, or of one that is
    SAME_PRODUCER   it implicates a producer that this one implicates, or that writes the dataset
"""

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from enum import StrEnum

from attrs import frozen

from application.caller import Caller
from application.errors import TooWide
from application.incidents.read_model import IncidentFilter, IncidentView
from application.lineage.impact import fetched
from application.lineage.read_model import Links
from application.ports.access import Access
from application.projections.incidents import INCIDENT_BOARD
from application.projections.lineage import LINEAGE_INDEX
from application.reads.consistency import Reads
from application.reads.demand import Answer, Demand
from application.reads.paging import PageRequest
from application.reads.reader import Reader
from application.root_cause.writers_and_readers import Tied
from domain.ids import DatasetUrn, EntityId, IncidentId, Place, ProducerId, dataset_at
from domain.incident.values import UNRESOLVED
from domain.lineage.impact import Reading
from domain.lineage.lineage import Declared, Role
from domain.root_cause.suspects import plain
from domain.stream_categories import lineage_stream

MOST_OPEN = 300
"""So many open incidents are looked at, the most severe first, besides those of the datasets."""
MOST_READINGS = 2_000
"""So many declarations of who reads their datasets are looked at."""
_PAGE = 100


class IncidentRelation(StrEnum):
    SAME_DATASET = "SAME_DATASET"
    UPSTREAM = "UPSTREAM"
    DOWNSTREAM = "DOWNSTREAM"
    SAME_PRODUCER = "SAME_PRODUCER"


@frozen
class RelatedIncident:
    card: IncidentView
    relations: tuple[IncidentRelation, ...]


@frozen
class Related:
    incidents: Sequence[RelatedIncident]
    """The nearest relation first, then the most severe, then the oldest."""
    more: bool
    """Whether there are open incidents that were not looked at, or not in every respect."""


@frozen
class ReadRelated:
    reads: Reads
    access: Access

    async def __call__(
        self,
        incident: IncidentView,
        writers: Sequence[Tied],
        downstream: Callable[[], Awaitable[Collection[DatasetUrn]]],
        *,
        demand: Demand,
        by: Caller,
    ) -> Answer[Related]:
        """What lies downstream is asked for last: finding that takes longest."""
        await self.access.permit(by, "incident:read", "*")
        reader = await self.reads.open(demand, by=by, projections=[INCIDENT_BOARD, LINEAGE_INDEX])
        found, more = await _open(reader, datasets_of(incident))
        others = [card for name, card in found.items() if name != incident.incident]
        upstream, partial = await _upstream(reader, writers, others)
        around = {
            IncidentRelation.SAME_DATASET: datasets_of(incident),
            IncidentRelation.UPSTREAM: upstream,
            IncidentRelation.DOWNSTREAM: await downstream(),
        }
        producers = _producers(incident, writers)
        related = [
            RelatedIncident(card, relations)
            for card in others
            if (relations := tuple(_relations(card, around, producers)))
        ]
        return reader.answer(Related(sorted(related, key=_nearness), more or partial))


async def _open(
    reader: Reader, datasets: Sequence[DatasetUrn]
) -> tuple[Mapping[IncidentId, IncidentView], bool]:
    own = [card for one in datasets for card in await reader.incidents.open_of(one)]
    found = {card.incident: card for card in own}
    page = PageRequest(_PAGE)
    for _ in range(MOST_OPEN // _PAGE):
        listed = await reader.incidents.matching(IncidentFilter(statuses=UNRESOLVED), page)
        found |= {card.incident: card for card in listed.items}
        if listed.next is None:
            return found, False
        page = PageRequest(_PAGE, listed.next)
    return found, True


async def _upstream(
    reader: Reader, writers: Sequence[Tied], others: Sequence[IncidentView]
) -> tuple[Collection[DatasetUrn], bool]:
    """Of what the others are about, what the writers read; and whether that may not be all.

    No index tells what an entity reads: it is asked who reads what the others are about. Where
    these are too many, what the producers that declare the writers say of them must do.
    """
    entities = {entity for tied in writers for entity in tied.entities}
    about = sorted({Place(one) for card in others for one in datasets_of(card)})
    if not entities or not about:
        return (), False
    read = await _readings(reader, about)
    found = {
        DatasetUrn(place)
        for place, readings in read.found.items()
        if any(reading.entity.entity_id in entities for reading in readings)
    }
    if read.partial:
        found |= await _said_of(reader, writers, entities)
    return found, read.partial


async def _readings(reader: Reader, places: Sequence[Place]) -> Links[Place, Reading]:
    try:
        return await fetched(reader.lineage.readings, places, MOST_READINGS)
    except TooWide:
        return Links({}, 0, partial=True)


async def _said_of(
    reader: Reader, writers: Sequence[Tied], entities: Collection[EntityId]
) -> set[DatasetUrn]:
    found: set[DatasetUrn] = set()
    for producer in sorted({one for tied in writers for one in tied.producers}):
        found |= await _read_by(reader, producer, entities)
    return found


async def _read_by(
    reader: Reader, producer: ProducerId, entities: Collection[EntityId]
) -> set[DatasetUrn]:
    stream = lineage_stream(producer)
    last = await reader.streams.version(stream)
    facts = await reader.streams.facts(stream, after=last - 1, limit=1) if last else ()
    return {
        dataset_at(tie.place)
        for recorded in facts
        if isinstance(recorded.fact, Declared)
        for tie in recorded.fact.spec.entries.ties()
        if tie.role is Role.READER and tie.entity in entities
    }


def _producers(incident: IncidentView, writers: Sequence[Tied]) -> set[str]:
    implicated = [incident.implicated.producer.producer_id] if incident.implicated else []
    entities = [entity for tied in writers for entity in tied.entities]
    return {plain(one) for one in (*implicated, *entities)}


def _relations(
    card: IncidentView,
    around: Mapping[IncidentRelation, Collection[DatasetUrn]],
    producers: Collection[str],
) -> Iterable[IncidentRelation]:
    about = set(datasets_of(card))
    yield from (relation for relation, datasets in around.items() if about & set(datasets))
    if card.implicated and plain(card.implicated.producer.producer_id) in producers:
        yield IncidentRelation.SAME_PRODUCER


def _nearness(related: RelatedIncident) -> tuple[int, str, object, str]:
    card = related.card
    nearest = list(IncidentRelation).index(related.relations[0])
    return nearest, card.severity, card.created_at, card.incident


def datasets_of(incident: IncidentView) -> Sequence[DatasetUrn]:
    """What an incident is about, its own dataset first, each once."""
    return list(dict.fromkeys(concern.dataset for concern in incident.concerns))
