"""Streams as they were at an earlier position of the log."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from application.recorded import Recorded
from domain.ids import StreamId


class History(Protocol):
    async def position_at(self, moment: datetime) -> int:
        """The last position that was recorded at the moment or before; 0 if there is none."""
        ...

    async def version_at(self, stream: StreamId, position: int) -> int:
        """How many facts the stream had at the position."""
        ...

    async def facts(self, stream: StreamId, *, after: int, upto: int) -> Sequence[Recorded]:
        """The facts of a stream with after < version <= upto, in order."""
        ...
