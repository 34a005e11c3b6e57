"""Readers: what one request reads from, now or as of an earlier moment."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol, TypeVar

from attrs import define, frozen

from application.datasets.read_model import DatasetReadModel, DatasetView
from application.datasets.resolution_read_model import ResolutionMap, RuleReadModel
from application.delivery.dead_letter_read_model import DeadLetterReadModel
from application.errors import NotCaughtUp
from application.incidents.read_model import IncidentReadModel
from application.lineage.read_model import LineageGraph
from application.ports.clock import Clock
from application.projections.progress import Reached
from application.reads.demand import Answer
from application.reads.history import End
from application.recorded import Recorded
from application.signals.read_model import SignalReadModel
from domain.ids import DatasetUrn
from domain.streams import StreamId

R = TypeVar("R")


class StreamReads(Protocol):
    async def version(self, stream: StreamId) -> int:
        """How many facts the stream has."""
        ...

    async def facts(
        self, stream: StreamId, *, after: int = 0, limit: int | None = None
    ) -> Sequence[Recorded]:
        """The facts of a stream with a version beyond `after`, in order."""
        ...


@frozen
class DatasetCopy:
    """A dataset as it was read so many seconds ago; no card if it was not registered."""

    card: DatasetView | None
    reached: Reached
    age_seconds: float


class Reader(Protocol):
    """The read models and streams of one request.

    Use cases do not know whether they read tables, caches or the past. How recent an answer is can
    only be said after reading: `position` and `answer` cover everything that was read until then.
    """

    @property
    def signals(self) -> SignalReadModel: ...

    @property
    def incidents(self) -> IncidentReadModel: ...

    @property
    def datasets(self) -> DatasetReadModel: ...

    @property
    def rules(self) -> RuleReadModel: ...

    @property
    def lineage(self) -> LineageGraph: ...

    @property
    def streams(self) -> StreamReads: ...

    @property
    def position(self) -> int:
        """The log position that everything read so far includes."""
        ...

    def answer(self, value: R) -> Answer[R]:
        """The value with position, age and staleness of everything read so far.

        Raises:
            NotCaughtUp: It does not include the position that was demanded.
        """
        ...

    async def dataset_copies(
        self, datasets: Collection[DatasetUrn]
    ) -> Mapping[DatasetUrn, DatasetCopy] | None:
        """Cached copies of datasets whose table does not answer, of those that have one.

        None where an error must be the answer. Otherwise the answer counts as stale, and as
        including nothing where a dataset has no copy.
        """
        ...


class CurrentReader(Reader, Protocol):
    """Reads the present, of which there are more read models than of the past."""

    @property
    def rules(self) -> ResolutionMap: ...

    @property
    def dead_letters(self) -> DeadLetterReadModel: ...


@define
class Freshness:
    """How recent everything is that a reader has read so far."""

    reached: Reached
    end: End | None
    """Of the log; None if it is not known."""
    clock: Clock
    min_position: int = 0
    is_stale: bool = False

    def note(self, reached: Reached, *, stale: bool = False) -> None:
        """Something was read that includes the facts up to there."""
        if reached.position < self.reached.position:
            self.reached = reached
        self.is_stale = self.is_stale or stale

    @property
    def age_seconds(self) -> float | None:
        if self.end is not None and self.reached.position >= self.end.position:
            return self.end.seconds_ago
        if self.reached.at is None:
            return None
        return max((self.clock.now() - self.reached.at).total_seconds(), 0.0)

    def answer(self, value: R) -> Answer[R]:
        position = self.reached.position
        if position < self.min_position:
            # Such as a default that was answered because nothing could be read.
            raise NotCaughtUp("what could be read", position, self.min_position)
        return Answer(value, position, self.age_seconds, stale=self.is_stale)
