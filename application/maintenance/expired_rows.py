"""What has ended and still takes up room."""

from datetime import datetime
from typing import Protocol


class Leftovers(Protocol):
    async def sweep(self, ended_by: datetime, *, most: int) -> int:
        """Throw away so many at most of those that ended by then, and tell how many it were.

        Raises:
            Unavailable: Nothing can be thrown away now, and nothing was.
        """
        ...
