"""
Reading the log so that nobody waits in silence at a place that cannot be read.

A batch that is not seen is usually on its way, and there at the next look. If it stays away
although the log goes on behind it, it is missing.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from attrs import frozen

from adapters.dynamodb.log.packing import Damaged
from adapters.dynamodb.log.tail import LogEnd
from adapters.dynamodb.log_reading.log_reader import FIRST_PAUSE, LOOKS, LogReader
from adapters.eventstore.log import LogEntry
from application.errors import Unavailable

WHAT = "the log"


@contextmanager
def undamaged() -> Iterator[None]:
    """Damage has a name of its own only for those who look for it."""
    try:
        yield
    except Damaged as damaged:
        raise Unavailable(WHAT, str(damaged)) from damaged


@frozen
class SureReader:
    reader: LogReader
    end: LogEnd

    async def read(self, after: int, limit: int) -> list[LogEntry]:
        """Entries with position > after, at most `limit`; nothing only where the log ends.

        Raises:
            Unavailable: There are such entries, and they cannot be seen, or are damaged.
        """
        for look in range(LOOKS):
            with undamaged():
                entries = await self.reader.read(after, limit)
            if entries or limit <= 0 or self.end.position <= after:
                return entries
            await asyncio.sleep(FIRST_PAUSE * 2**look)
        raise Unavailable(WHAT, f"position {after + 1} cannot be seen")
