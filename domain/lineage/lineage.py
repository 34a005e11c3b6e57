"""
What one producer declares: who writes and who reads which datasets and columns.

A producer declares with one spec at a time. A newer spec takes the place of the older one, in
whatever order they arrive: what counts is when a spec was made, then its commit, then its
content. So the same specs in any order, with repetitions, end in the same lineage.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import assert_never

from attrs import field, frozen

from domain.ids import ColumnUrn, EntityId, Place, ProducerId, SpecId, column_parts, spec_parts
from domain.retention import KEPT_FOR
from domain.signal.evaluation import Confidence
from domain.timestamps import stamp

TTL_SECONDS = int(KEPT_FOR.lineage.total_seconds())


class EntityType(StrEnum):
    SERVICE = "SERVICE"
    JOB = "JOB"
    LAMBDA = "LAMBDA"
    NOTEBOOK = "NOTEBOOK"


class Role(StrEnum):
    WRITER = "WRITER"
    READER = "READER"


class LineageSpecOutcome(StrEnum):
    """What became of a spec."""

    APPLIED = "applied"
    UNCHANGED = "unchanged"
    SUPERSEDED = "superseded"


@frozen
class Entity:
    """What writes or reads."""

    entity_id: EntityId
    name: str
    type: EntityType


@frozen
class Entry:
    """One line of a spec: an entity and the dataset or column that it writes or reads."""

    place: Place
    entity: Entity

    @property
    def key(self) -> tuple[Place, EntityId]:
        return self.place, self.entity.entity_id


@frozen
class Tie:
    """That an entity writes or reads a dataset or a column."""

    role: Role
    place: Place
    entity: EntityId


@frozen
class Entries:
    dataset_reads: tuple[Entry, ...] = ()
    dataset_writes: tuple[Entry, ...] = ()
    column_reads: tuple[Entry, ...] = ()
    column_writes: tuple[Entry, ...] = ()

    def ties(self) -> Mapping[Tie, Entity]:
        """All that follows: who writes or reads a column does so with its dataset, said or not."""
        return {
            Tie(role, entry.place, entry.entity.entity_id): entry.entity
            for role, entries in self._by_role()
            for entry in entries
        }

    def without(self, others: "Entries") -> "Entries":
        """The entries that the others do not have, whatever name they give the entity."""
        return Entries(
            _without(self.dataset_reads, others.dataset_reads),
            _without(self.dataset_writes, others.dataset_writes),
            _without(self.column_reads, others.column_reads),
            _without(self.column_writes, others.column_writes),
        )

    def ordered(self) -> "Entries":
        """The same entries in their one order: what was said, not in which order."""
        return Entries(
            _ordered(self.dataset_reads),
            _ordered(self.dataset_writes),
            _ordered(self.column_reads),
            _ordered(self.column_writes),
        )

    def _by_role(self) -> Iterator[tuple[Role, Sequence[Entry]]]:
        """What is said comes after what follows from it: its names count."""
        yield Role.READER, [_of_dataset(entry) for entry in self.column_reads]
        yield Role.WRITER, [_of_dataset(entry) for entry in self.column_writes]
        yield Role.READER, [*self.dataset_reads, *self.column_reads]
        yield Role.WRITER, [*self.dataset_writes, *self.column_writes]


@frozen
class Spec:
    """What a producer declared at one commit, and for how long it holds."""

    spec_id: SpecId
    commit: str
    confidence: Confidence
    updated_at: datetime
    ttl_seconds: int
    entries: Entries = field(factory=Entries)

    @property
    def producer(self) -> ProducerId:
        return spec_parts(self.spec_id)[0]

    @property
    def ends_at(self) -> datetime:
        return self.updated_at + timedelta(seconds=self.ttl_seconds)

    def is_after(self, other: "Spec") -> bool:
        """Whether this one takes the other's place; of two different specs exactly one does."""
        mine, theirs = (self.updated_at, self.commit), (other.updated_at, other.commit)
        return mine > theirs if mine != theirs else self.digest() > other.digest()

    def digest(self) -> str:
        """The same for the same content, on every machine and in every release."""
        entries = self.entries
        written = repr(
            (
                self.spec_id,
                self.commit,
                self.confidence.value,
                stamp(self.updated_at),
                self.ttl_seconds,
                _plain(entries.dataset_reads),
                _plain(entries.dataset_writes),
                _plain(entries.column_reads),
                _plain(entries.column_writes),
            )
        )
        return hashlib.blake2b(written.encode(), digest_size=16).hexdigest()


# Facts. Names and fields are the storage format: to change one, add an upcast.


@frozen
class Declared:
    """The spec holds from now on, and what the one before it said beyond that no longer does."""

    spec: Spec
    withdrawn: Entries = field(factory=Entries)


LineageFact = Declared


@frozen
class Lineage:
    """What one producer declares now."""

    spec: Spec | None = None

    # Decisions: what may happen next. Repeating one yields no facts.

    def declare(self, spec: Spec) -> Sequence[LineageFact]:
        if self.outcome(spec) is not LineageSpecOutcome.APPLIED:
            return []
        before = self.spec.entries if self.spec else Entries()
        return [Declared(spec, before.without(spec.entries))]

    def outcome(self, spec: Spec) -> LineageSpecOutcome:
        """What would become of the spec."""
        if self.spec is None or spec.is_after(self.spec):
            return LineageSpecOutcome.APPLIED
        return LineageSpecOutcome.UNCHANGED if spec == self.spec else LineageSpecOutcome.SUPERSEDED

    # Evolution: what has happened. Never refuses.

    def after(self, fact: LineageFact) -> "Lineage":
        match fact:
            case Declared(spec):
                return Lineage(spec)
            case _:
                assert_never(fact)


def _of_dataset(entry: Entry) -> Entry:
    dataset, _ = column_parts(ColumnUrn(entry.place))
    return Entry(Place(dataset), entry.entity)


def _without(entries: Sequence[Entry], others: Sequence[Entry]) -> tuple[Entry, ...]:
    kept = {entry.key for entry in others}
    return tuple(entry for entry in entries if entry.key not in kept)


def _ordered(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    return tuple(sorted(entries, key=lambda entry: entry.key))


def _plain(entries: Sequence[Entry]) -> Sequence[tuple[str, ...]]:
    return [
        (entry.place, entry.entity.entity_id, entry.entity.name, entry.entity.type.value)
        for entry in entries
    ]
