"""Everything that was recorded, in order, as projections read it."""

from collections.abc import Sequence
from typing import Protocol

from application.recorded import Recorded


class Feed(Protocol):
    async def read(self, after: int, limit: int) -> Sequence[Recorded]:
        """What was recorded beyond the position, in order."""
        ...

    async def head(self) -> int:
        """The last position, 0 when nothing was recorded."""
        ...

    async def beyond(self, position: int, *, timeout: float) -> bool:
        """Wait until something is recorded beyond the position; False when the time is up."""
        ...
