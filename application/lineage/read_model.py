"""Who writes and reads a dataset or a column, and what else they write."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Generic, Protocol, TypeVar

from attrs import frozen

from application.reads.paging import Page, PageRequest
from domain.ids import DatasetUrn, EntityId, Place, ProducerId, SpecId, spec_parts
from domain.lineage.impact import Reading, Writing, doubt
from domain.lineage.lineage import Entity, Role, Tie
from domain.signal.evaluation import Confidence


@frozen
class TieKey:
    """Two producers may declare the same tie; each has a card of its own (T13)."""

    tie: Tie
    producer: ProducerId


@frozen
class TieView:
    """A tie as one producer declared it."""

    role: Role
    place: Place
    entity: Entity
    confidence: Confidence
    spec_id: SpecId
    commit: str
    updated_at: datetime
    ttl_seconds: int

    @property
    def key(self) -> TieKey:
        tie = Tie(self.role, self.place, self.entity.entity_id)
        return TieKey(tie, spec_parts(self.spec_id)[0])

    @property
    def ends_at(self) -> datetime:
        return self.updated_at + timedelta(seconds=self.ttl_seconds)


@frozen
class WrittenKey:
    entity: EntityId
    dataset: DatasetUrn
    producer: ProducerId


@frozen
class WrittenView:
    """A dataset that an entity writes, found by the entity; as one producer declared it."""

    entity: EntityId
    writing: Writing
    producer: ProducerId
    ends_at: datetime

    @property
    def key(self) -> WrittenKey:
        return WrittenKey(self.entity, self.writing.dataset, self.producer)


@frozen
class WriterKey:
    entity: EntityId


@frozen
class WriterView:
    """That an entity was ever declared to write something; of most readers there is none."""

    entity: EntityId

    @property
    def key(self) -> WriterKey:
        return WriterKey(self.entity)


@frozen
class LineageEntry:
    """An entity at a place, as the surest and then latest of its declarations says."""

    entity: Entity
    confidence: Confidence
    spec_id: SpecId
    commit: str
    updated_at: datetime
    ends_at: datetime
    """When the last of its declarations ends."""
    other_specs: tuple[SpecId, ...] = ()
    """The specs of other producers that declare the same."""


def entry_of(cards: Sequence[TieView]) -> LineageEntry:
    """What several declarations of one tie come to."""
    latest_first = sorted(cards, key=lambda card: (card.updated_at, card.spec_id), reverse=True)
    best, *others = sorted(latest_first, key=lambda card: doubt(card.confidence))
    return LineageEntry(
        entity=best.entity,
        confidence=best.confidence,
        spec_id=best.spec_id,
        commit=best.commit,
        updated_at=best.updated_at,
        ends_at=max(card.ends_at for card in cards),
        other_specs=tuple(sorted(card.spec_id for card in others)),
    )


K = TypeVar("K")
V = TypeVar("V")


@frozen
class Links(Generic[K, V]):
    """What was found of each; the same may be declared several times."""

    found: Mapping[K, Sequence[V]]
    looked_at: int
    """How many declarations were looked at, ended ones included."""
    partial: bool = False
    """Whether there are more that were not looked at."""


class LineageGraph(Protocol):
    """Shows only what has not ended."""

    async def writers(self, place: Place, page: PageRequest) -> Page[LineageEntry]:
        """Return who writes the dataset or column, each entity once, in the order of their ids."""
        ...

    async def readers(self, place: Place, page: PageRequest) -> Page[LineageEntry]:
        """Return who reads the dataset or column, each entity once, in the order of their ids."""
        ...

    async def readings(self, places: Sequence[Place], *, most: int) -> Links[Place, Reading]:
        """Return who reads the places, looking at so many declarations at most."""
        ...

    async def writings(
        self, entities: Sequence[EntityId], *, most: int
    ) -> Links[EntityId, Writing]:
        """Return what the entities write, looking at so many declarations at most."""
        ...
