"""
Read your writes: reads wait until the projections include the caller's own last write. A read about
one dataset waits only for writes about that dataset, so that a busy writer does not slow down
everything it reads.

Tables with eventually consistent reads may return an older row for a moment after a write. So a row
that was waited for is read strongly, until a minute has passed.
"""

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from time import monotonic
from typing import Any, TypeVar

from attrs import define, field, frozen

from application.caller import Caller
from application.ports.streams import Committed, Streams
from application.projections.progress import Progress, Reached
from application.recorded import Recorded
from domain.incident.decisions import Incident
from domain.lineage.lineage import Lineage
from domain.stream_categories import dataset_of
from domain.streams import Decision, States, Stream, StreamId

S = TypeVar("S")

_MOST_REMEMBERED = 100_000
SEEN_BY_ALL = 60.0
"""Seconds after which every read includes a write."""
_EVERYTHING = ""
LINEAGE = "lineage"


@frozen
class Settlement:
    """How far a projection is, once it was waited for, and how it must be read."""

    reached: Reached
    strong: bool = False
    """Whether the caller's write may be so new that only a strong read includes it."""
    needed: int = 0
    """The position that an answer must include."""

    def beside(self, other: "Settlement") -> "Settlement":
        """Of two projections that are read together."""
        least = min(self.reached, other.reached, key=lambda reached: reached.position)
        return Settlement(least, self.strong or other.strong, max(self.needed, other.needed))


@define
class OwnWrites:
    """Remembers each caller's last write to this process, by what it was about."""

    progress: Progress
    patience: float = 2.0
    now: Callable[[], float] = monotonic
    _last: OrderedDict[tuple[str, str], int] = field(factory=OrderedDict)
    _shown: OrderedDict[tuple[str, str, str], tuple[int, float]] = field(factory=OrderedDict)
    """Since when a projection is known to include a caller's last write."""

    def wrote(self, by: Caller, position: int, about: Iterable[str]) -> None:
        for subject in (*about, _EVERYTHING):
            key = (by.principal, subject)
            self._last[key] = max(position, self._last.get(key, 0))
            self._last.move_to_end(key)
        _keep_newest(self._last)

    async def settle(self, by: Caller, projection: str, *about: str) -> Settlement:
        """Wait, for a limited time, until the projection includes the caller's last write about
        these subjects, or about anything if none is named.
        """
        written = self._written(by, about or (_EVERYTHING,))
        if not written:
            # Most callers read what others wrote.
            return Settlement(self.progress.reached(projection))
        await self.progress.wait(projection, max(written.values()), timeout=self.patience)
        reached = self.progress.reached(projection)
        new = (
            self._is_new((by.principal, subject, projection), position, reached)
            for subject, position in written.items()
        )
        return Settlement(reached, any(new), max(written.values(), default=0))

    def _written(self, by: Caller, about: Iterable[str]) -> Mapping[str, int]:
        """The caller's last writes about these, where there were any."""
        who = by.principal
        if (who, _EVERYTHING) not in self._last:
            # Each of its writes was noted as this, too, and last: no other is remembered longer.
            return {}
        return {one: last for one in about if (last := self._last.get((who, one), 0))}

    def _is_new(self, key: tuple[str, str, str], position: int, reached: Reached) -> bool:
        if reached.position < position:
            return True
        shown, since = self._shown.get(key, (0, 0.0))
        if shown < position:
            since = self.now()
            self._shown[key] = (position, since)
            self._shown.move_to_end(key)
            _keep_newest(self._shown)
        return self.now() - since < SEEN_BY_ALL


def _keep_newest(remembered: OrderedDict[Any, Any]) -> None:
    while len(remembered) > _MOST_REMEMBERED:
        remembered.popitem(last=False)


@frozen
class FollowedStreams:
    """Streams that take note of who wrote how far."""

    streams: Streams
    own_writes: OwnWrites

    async def transact(
        self,
        reads: Collection[Stream[Any]],
        decide: Callable[[States], Decision],
        *,
        by: Caller,
        advisory: Collection[StreamId] = (),
    ) -> Committed:
        committed = await self.streams.transact(reads, decide, by=by, advisory=advisory)
        if committed.at is not None or committed.replayed:
            self.own_writes.wrote(by, committed.position, _subjects(reads, committed.states))
        return committed

    async def state(self, stream: Stream[S]) -> S:
        return await self.streams.state(stream)

    async def version(self, stream: StreamId) -> int:
        return await self.streams.version(stream)

    async def facts(
        self, stream: StreamId, *, after: int = 0, limit: int | None = None
    ) -> Sequence[Recorded]:
        return await self.streams.facts(stream, after=after, limit=limit)


def _subjects(reads: Collection[Stream[Any]], states: States) -> set[str]:
    """The datasets that a decision was about, or that it was about lineage."""
    return {_subject(stream, states[stream]) for stream in reads}


def _subject(stream: StreamId, state: object) -> str:
    if isinstance(state, Lineage):
        return LINEAGE
    # An incident's stream does not name its own dataset.
    return state.dataset if isinstance(state, Incident) else dataset_of(stream)
