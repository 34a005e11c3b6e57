"""
Whoever wrote something reads it: reads wait until the projections have caught up with the
caller's own last write.
"""

from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from typing import TypeVar

from attrs import define, field, frozen

from application.caller import Caller
from application.ports.streams import Committed, Decision, States, Streams
from application.projections.progress import Progress, Reached
from application.recorded import Recorded
from domain.ids import StreamId

State = TypeVar("State")

_MOST_CALLERS = 10_000


@define
class OwnWrites:
    """Remembers each caller's last write to this process."""

    progress: Progress
    patience: float = 2.0
    _last: OrderedDict[str, int] = field(factory=OrderedDict)

    def wrote(self, by: Caller, position: int) -> None:
        self._last[by.principal] = max(position, self._last.get(by.principal, 0))
        self._last.move_to_end(by.principal)
        if len(self._last) > _MOST_CALLERS:
            self._last.popitem(last=False)

    async def settle(self, by: Caller, projection: str) -> Reached:
        """Wait for the caller's last write, but not for ever; tells how far the projection is."""
        position = self._last.get(by.principal, 0)
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
        if committed.at is not None:
            self.own_writes.wrote(by, committed.position)
        return committed

    async def state(self, stream: StreamId, zero: State) -> State:
        return await self.streams.state(stream, zero)

    async def version(self, stream: StreamId) -> int:
        return await self.streams.version(stream)

    async def facts(
        self, stream: StreamId, *, after: int = 0, limit: int | None = None
    ) -> Sequence[Recorded]:
        return await self.streams.facts(stream, after=after, limit=limit)
