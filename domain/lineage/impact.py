"""
What lies downstream of a dataset or a column: who reads it, what they write, who reads that, …

The walk goes level by level. Whoever walks fetches the neighbours; here is decided where to go
next and what it means:

    place      a dataset or a column that is affected
      ↓ meet   its readers are affected
    entity
      ↓ follow what a reader writes is affected: in a walk by column the columns that it is
    place      declared to write, or the whole dataset where no columns are declared

A walk by column knows which columns an entity reads and which it writes, not which come from
which: all that it writes is taken for affected. Nothing is visited twice, so cycles end.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from attrs import evolve, field, frozen

from domain.ids import ColumnUrn, DatasetUrn, EntityId, Place, column_parts, column_urn, is_column
from domain.lineage.lineage import Entity
from domain.signal.evaluation import Confidence

DEPTH = 10
DEEPEST = 20
MOST_ENTITIES = 1_000
MOST_PLACES = 2_000

_DOUBTS = {Confidence.HIGH: 0, Confidence.MEDIUM: 1, Confidence.LOW: 2}


def doubt(confidence: Confidence) -> int:
    """The less, the surer."""
    return _DOUBTS[confidence]


@frozen
class Reading:
    """That an entity reads a place."""

    entity: Entity
    confidence: Confidence


@frozen
class Writing:
    """That an entity writes a dataset: these columns of it, or nobody said which."""

    dataset: DatasetUrn
    confidence: Confidence
    columns: tuple[str, ...] = ()


@frozen
class AffectedEntity:
    entity: Entity
    distance: int
    """1 for those who read what was asked about, 2 for the readers of what they write, …"""
    via: Place
    """What it reads, on the shortest and then surest way."""
    confidence: Confidence
    """That of the least sure step on the way."""


@frozen
class AffectedPlace:
    place: Place
    distance: int
    through: EntityId
    """Who writes it."""
    confidence: Confidence


@frozen
class AffectedDataset:
    dataset: DatasetUrn
    distance: int
    through: EntityId
    confidence: Confidence
    columns: tuple[str, ...] | None
    """The columns that are affected; nothing when it is the dataset as a whole."""


@frozen
class Walk:
    """How far the walk has come."""

    start: Place
    frontier: Sequence[Place]
    """The places whose readers are to be met next."""
    distance: int = 0
    entities: Mapping[EntityId, AffectedEntity] = field(factory=dict)
    places: Mapping[Place, AffectedPlace] = field(factory=dict)
    met: Sequence[EntityId] = ()
    """The entities whose writes are to be followed next."""
    truncated: bool = False
    """Whether something was left out because there was too much."""

    @classmethod
    def of(cls, dataset: DatasetUrn, column: str | None = None) -> "Walk":
        start = Place(column_urn(dataset, column) if column is not None else dataset)
        return cls(start, [start])

    def meet(self, readings: Mapping[Place, Sequence[Reading]], *, partial: bool = False) -> "Walk":
        """Go on to the readers of the frontier; `partial` if there may be more of them."""
        found = _surest(
            (reading.entity.entity_id, self._reader(place, reading))
            for place in self.frontier
            for reading in readings.get(place, ())
            if reading.entity.entity_id not in self.entities
        )
        new = sorted(found)[: MOST_ENTITIES - len(self.entities)]
        return evolve(
            self,
            distance=self.distance + 1,
            frontier=(),
            met=new,
            entities={**self.entities, **{name: found[name] for name in new}},
            truncated=self.truncated or partial or len(new) < len(found),
        )

    def follow(
        self, writings: Mapping[EntityId, Sequence[Writing]], *, partial: bool = False
    ) -> "Walk":
        """Go on to what those who were met write; `partial` if that may be more."""
        found = _surest(
            (place, self._written(name, place, writing))
            for name in self.met
            for writing in writings.get(name, ())
            for place in self._places(writing)
            if place != self.start and place not in self.places
        )
        new = sorted(found)[: MOST_PLACES - len(self.places)]
        return evolve(
            self,
            met=(),
            frontier=new,
            places={**self.places, **{place: found[place] for place in new}},
            truncated=self.truncated or partial or len(new) < len(found),
        )

    def datasets(self) -> Sequence[AffectedDataset]:
        """The datasets downstream, the nearest first."""
        by_dataset: dict[DatasetUrn, list[AffectedPlace]] = {}
        for place in self.places.values():
            by_dataset.setdefault(_dataset_of(place.place), []).append(place)
        merged = [_merged(dataset, places) for dataset, places in by_dataset.items()]
        return sorted(merged, key=lambda one: (one.distance, one.dataset))

    def readers(self) -> Sequence[AffectedEntity]:
        """The entities downstream, the nearest first."""
        return sorted(self.entities.values(), key=lambda one: (one.distance, one.entity.entity_id))

    def _places(self, writing: Writing) -> Iterator[Place]:
        if is_column(self.start) and writing.columns:
            for column in writing.columns:
                yield Place(column_urn(writing.dataset, column))
        else:
            yield Place(writing.dataset)

    def _reader(self, place: Place, reading: Reading) -> AffectedEntity:
        before = self.places.get(place)
        sure = _weaker(reading.confidence, before.confidence if before else Confidence.HIGH)
        return AffectedEntity(reading.entity, self.distance + 1, place, sure)

    def _written(self, name: EntityId, place: Place, writing: Writing) -> AffectedPlace:
        sure = _weaker(writing.confidence, self.entities[name].confidence)
        return AffectedPlace(place, self.distance, name, sure)


K = TypeVar("K", EntityId, Place)
V = TypeVar("V", AffectedEntity, AffectedPlace)


def _surest(ways: Iterable[tuple[K, V]]) -> dict[K, V]:
    """Of several ways to the same thing the surest; names decide between equals."""
    best: dict[K, V] = {}
    for name, way in ways:
        if name not in best or _order(way) < _order(best[name]):
            best[name] = way
    return best


def _order(way: AffectedEntity | AffectedPlace) -> tuple[int, str]:
    last = way.via if isinstance(way, AffectedEntity) else way.through
    return doubt(way.confidence), last


def _weaker(one: Confidence, other: Confidence) -> Confidence:
    return max(one, other, key=doubt)


def _dataset_of(place: Place) -> DatasetUrn:
    return column_parts(ColumnUrn(place))[0] if is_column(place) else DatasetUrn(place)


def _merged(dataset: DatasetUrn, places: Sequence[AffectedPlace]) -> AffectedDataset:
    first = min(places, key=lambda one: (one.distance, *_order(one)))
    columns = [column_parts(ColumnUrn(one.place))[1] for one in places if is_column(one.place)]
    whole = len(columns) < len(places)
    return AffectedDataset(
        dataset,
        first.distance,
        first.through,
        first.confidence,
        columns=None if whole else tuple(sorted(columns)),
    )
