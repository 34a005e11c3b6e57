"""Where the log ends, and streams as they were at an earlier position of it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from attrs import frozen

from application.recorded import Recorded
from domain.streams import StreamId


@frozen
class End:
    """The last position that was known so many seconds ago at most."""

    position: int
    seconds_ago: float = 0.0


class LogPositions(Protocol):
    async def head(self) -> int:
        """The last position of the log; 0 if it is empty."""
        ...

    async def end(self) -> End:
        """Where the log ended lately. It costs nothing while somebody follows the log."""
        ...

    async def position_at(self, moment: datetime) -> int:
        """The last position that was recorded at the moment or before; 0 if there is none."""
        ...


class History(Protocol):
    async def version_at(self, stream: StreamId, position: int) -> int:
        """How many facts the stream had at the position."""
        ...

    async def facts(self, stream: StreamId, *, after: int, upto: int) -> Sequence[Recorded]:
        """The facts of a stream with after < version <= upto, in order."""
        ...
