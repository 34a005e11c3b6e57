"""Which streams there ever were, found by what they are about. Nothing in it ever ends."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from attrs import frozen

from application.signals.read_model import SignalView
from domain.ids import DatasetUrn, EntityId, Place, SignalType
from domain.streams import StreamId


class Shelf(StrEnum):
    """What streams are looked up by."""

    DATASETS = "datasets"
    SIGNALS = "signals"
    FAULTS = "fault-streams"
    INCIDENTS = "incidents"
    DECLARED_AT = "lineage-by-urn"
    DECLARED_BY = "lineage-by-entity"
    WRITTEN_AT = "written-by-urn"


@frozen
class ListedKey:
    shelf: Shelf
    about: str
    """The dataset, place or entity; nothing where all are listed together."""
    name: str
    """What the streams of a shelf are ordered by."""


@frozen
class Listed:
    key: ListedKey
    stream: StreamId


@frozen
class CheckpointKey:
    """A signal at a version of its stream."""

    dataset: DatasetUrn
    signal_type: SignalType
    version: int


@frozen
class Checkpoint:
    """A signal's card as it was right after a fact, so that none before it need be read."""

    card: SignalView
    version: int
    """Of the stream, not of the signal."""
    position: int


class Directory(Protocol):
    """Tells of streams that existed at a position, and only so many of them.

    Raises:
        TooWide: There were more.
    """

    async def datasets(self, *, upto: int) -> Sequence[StreamId]: ...

    async def signals(self, datasets: Sequence[DatasetUrn], *, upto: int) -> Sequence[StreamId]: ...

    async def faults(self, dataset: DatasetUrn, *, upto: int) -> Sequence[StreamId]: ...

    async def incidents(
        self,
        dataset: DatasetUrn | None,
        *,
        since: datetime | None,
        until: datetime | None,
        upto: int,
    ) -> Sequence[StreamId]:
        """Of a dataset or of all, those that were opened within the span, both ends included."""
        ...

    async def declared_at(self, places: Sequence[Place]) -> Sequence[StreamId]:
        """The lineage that ever named one of the places, at whatever position."""
        ...

    async def written_at(self, places: Sequence[Place]) -> Sequence[StreamId]:
        """The lineage that ever named one of the places as written, at whatever position."""
        ...

    async def declared_by(self, entities: Sequence[EntityId]) -> Sequence[StreamId]:
        """The lineage that ever named one of the entities as a writer, at whatever position."""
        ...

    async def checkpoint(
        self, dataset: DatasetUrn, signal_type: SignalType, *, version: int
    ) -> Checkpoint | None:
        """The last one up to a version of the signal's stream. A hint: there may be none."""
        ...
