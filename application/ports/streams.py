"""Streams of facts: loaded, decided upon and appended to, several at once if need be."""

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import Any, Protocol, TypeVar

from attrs import frozen

from application.caller import Caller
from application.recorded import Recorded
from domain.streams import Decision, States, Stream, StreamId

S = TypeVar("S")


@frozen
class Committed:
    """The states after the decision, and where the log stood when they were."""

    states: States
    position: int
    at: datetime | None
    """When it was recorded; nothing if there was nothing to record."""
    replayed: bool = False
    """Whether this answers a request that had been answered before."""


class Streams(Protocol):
    async def transact(
        self,
        reads: Collection[Stream[Any]],
        decide: Callable[[States], Decision],
        *,
        by: Caller,
        advisory: Collection[StreamId] = (),
    ) -> Committed:
        """Load the streams, decide, append what was decided to all of them at once.

        A stream that is read and not written must not move until the append, unless it is
        advisory. When another writer was faster, the decision is made again. With a request key
        in `by`, a repeated request is not decided again: it is answered with the states it led to
        the first time.

        Raises:
            Contended: The race was lost too often.
            KeyReused: The request key came with another content before.
            Unavailable: Nothing can be appended now.
        """
        ...

    async def state(self, stream: Stream[S]) -> S:
        """The stream's state now, never a stale one."""
        ...

    async def version(self, stream: StreamId) -> int:
        """How many facts the stream has now."""
        ...

    async def facts(
        self, stream: StreamId, *, after: int = 0, limit: int | None = None
    ) -> Sequence[Recorded]:
        """The facts of a stream with a version beyond `after`, in order."""
        ...
