"""The end of the log as this process knows it, and noticing that others have moved it."""

import asyncio

from attrs import evolve

from adapters.dynamodb.log_reading.log_reader import Head, LogReader
from adapters.eventstore.appending.head_watch import HeadWatch
from adapters.eventstore.appending.write_outcomes import tell
from application.reads.history import End

FIRST_LOOK, LONGEST_LOOK = 0.05, 1.0
"""Seconds between looks for what other processes write: soon after some news, seldom when idle."""


class LogEnd:
    def __init__(self, reader: LogReader, watch: HeadWatch) -> None:
        self._reader = reader
        self._watch = watch
        self._head: Head | None = None
        self._interval = FIRST_LOOK
        self._next_look = 0.0
        self._seen_at: float | None = None

    @property
    def position(self) -> int:
        """The last position this process has heard of."""
        return 0 if self._head is None else self._head.position

    async def known(self) -> Head:
        """The end as it was last seen. It may have moved since."""
        return self._head or await self.refresh()

    async def refresh(self) -> Head:
        """The end as it is now."""
        asked_at = _now()
        head = await self._readable(await self._reader.head(self._head or Head()))
        self.moved(head)
        self._seen_at = asked_at
        return head

    async def lately(self) -> End:
        """The end as it was seen lately; looked for where nobody waits for the log to grow."""
        if self._seen_at is None or _now() - self._seen_at > 2 * LONGEST_LOOK:
            await self.refresh()
        return End(self.position, _now() - (self._seen_at or 0.0))

    def moved(self, head: Head) -> None:
        """Wake who waits for this; an end that was seen earlier changes nothing."""
        if self._head is None or head.position > self._head.position:
            self._head = head
            tell(self._watch.reached(head.position))

    async def _readable(self, head: Head) -> Head:
        """The end, or the place before its last batch while only some parts of that can be seen.

        An append behind such a batch could be acknowledged although no reader gets to it yet.
        """
        if head.in_parts is None or head.position <= self.position:
            return head
        if await self._reader.batch(head.in_parts) is not None:
            return head
        return evolve(head, position=head.in_parts - 1, in_parts=None)

    async def beyond(self, position: int, *, timeout: float) -> bool:
        """Own appends wake at once; those of other processes are looked for now and then."""
        clock = asyncio.get_running_loop().time
        ends = clock() + timeout
        while True:
            wait = min(ends, self._next_look) - clock()
            if await self._watch.beyond(position, lambda: self.position, max(wait, 0)):
                return True
            if clock() >= ends:
                return False
            await self._look(clock())

    async def _look(self, now: float) -> None:
        # However many wait, one of them looks.
        if now < self._next_look:
            return
        self._next_look = now + self._interval
        if await self._reader.grew(await self.known()):
            await self.refresh()
            self._interval = FIRST_LOOK
        else:
            self._seen_at = now
            self._interval = min(2 * self._interval, LONGEST_LOOK)


def _now() -> float:
    return asyncio.get_running_loop().time()
