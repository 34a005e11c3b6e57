"""
Whoever wrote something reads it: reads wait until the projections have caught up with the
caller's own last write. A read about one dataset waits only for writes about that dataset, so
that a busy writer does not slow down everything it reads.
"""

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TypeVar

from attrs import define, field, frozen

from application.caller import Caller
from application.ports.streams import Committed, Decision, States, Streams
from application.projections.progress import Progress, Reached
from application.recorded import Recorded
from domain.ids import StreamId, dataset_of
from domain.incident import Incident
from domain.lineage import Lineage

State = TypeVar("State")

_MOST_REMEMBERED = 100_000
_EVERYTHING = ""
LINEAGE = "lineage"


@define
class OwnWrites:
    """Remembers each caller's last write to this process, by what it was about."""

    progress: Progress
    patience: float = 2.0
    _last: OrderedDict[tuple[str, str], int] = field(factory=OrderedDict)

    def wrote(self, by: Caller, position: int, about: Iterable[str]) -> None:
        for subject in (*about, _EVERYTHING):
            key = (by.principal, subject)
            self._last[key] = max(position, self._last.get(key, 0))
            self._last.move_to_end(key)
        while len(self._last) > _MOST_REMEMBERED:
            self._last.popitem(last=False)

    def has_written(self, by: Caller) -> bool:
        return (by.principal, _EVERYTHING) in self._last

    async def settle(self, by: Caller, projection: str, about: str = _EVERYTHING) -> Reached:
        """Wait for the caller's last write, but not for ever; tells how far the projection is."""
        position = self._last.get((by.principal, about), 0)
        await self.progress.wait(projection, position, timeout=self.patience)
        return self.progress.reached(projection)


@frozen
class FollowedStreams:
    """Streams that take note of who wrote how far."""

    streams: Streams
    own_writes: OwnWrites

    async def transact(
        self,
        reads: States,
        decide: Callable[[States], Decision],
        *,
        by: Caller,
        advisory: Collection[StreamId] = (),
    ) -> Committed:
        committed = await self.streams.transact(reads, decide, by=by, advisory=advisory)
        if committed.at is not None or committed.replayed:
            self.own_writes.wrote(by, committed.position, _subjects(committed.states))
        return committed

    async def state(self, stream: StreamId, zero: State) -> State:
        return await self.streams.state(stream, zero)

    async def version(self, stream: StreamId) -> int:
        return await self.streams.version(stream)

    async def facts(
        self, stream: StreamId, *, after: int = 0, limit: int | None = None
    ) -> Sequence[Recorded]:
        return await self.streams.facts(stream, after=after, limit=limit)


def _subjects(states: States) -> set[str]:
    """The datasets that a decision was about, or that it was about lineage."""
    return {_subject(stream, state) for stream, state in states.items()}


def _subject(stream: StreamId, state: object) -> str:
    if isinstance(state, Lineage):
        return LINEAGE
    # An incident's stream does not name its own dataset.
    return state.dataset if isinstance(state, Incident) else dataset_of(stream)
