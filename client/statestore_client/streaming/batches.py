"""Collects what is to be sent and sends it together."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Generic, Self, TypeVar

from statestore_client.errors import StateStoreError, Unavailable
from statestore_client.streaming.send_queue import Item, Line, Standing, Told, ended

Said = TypeVar("Said")
Send = Callable[[Sequence[Item]], Awaitable[Sequence[Told | StateStoreError]]]


class AsyncBatches(Generic[Said, Item, Told]):
    """One batch is on its way at a time, so that the updates of a signal keep their order.

    What is left is sent when the `async with` block ends; if it ends with an error, what was not
    sent is not sent any more.
    """

    def __init__(
        self,
        prepare: Callable[[Said], Item],
        send: Send[Item, Told],
        size: int,
        every: float,
        most_waiting: int,
    ) -> None:
        self._prepare = prepare
        self._send = send
        self._size = size
        self._every = every
        self.most_waiting = most_waiting
        self._line = Line[Item, Told](most_waiting)
        self._added = asyncio.Queue[Standing[Item, Told] | None]()
        self._collected: list[Standing[Item, Told]] = []
        self._working: asyncio.Task[None] | None = None

    async def add(self, said: Said) -> asyncio.Future[Told | StateStoreError]:
        """Waits while too many are without an outcome. The future has the outcome of this one."""
        return await self.take(self.prepared(said))

    def prepared(self, said: Said) -> Item:
        """Raises ValueError if it cannot be sent."""
        return self._prepare(said)

    async def take(self, item: Item) -> asyncio.Future[Told | StateStoreError]:
        """`add`, for who has prepared it."""
        self.must_work()
        one = await self._line.enter(item)
        try:
            self.must_work()
        except RuntimeError:
            self._line.leave(one, Unavailable("the batches were closed before it was sent"))
            raise
        self._added.put_nowait(one)
        return one.outcome

    async def flush(self) -> None:
        """Waits until everything that was added has its outcome."""
        await self._line.empty()

    async def close(self) -> None:
        """Sends what is left."""
        if self._working is not None and not self._working.done():
            self._added.put_nowait(None)
            await ended(self._working)

    async def __aenter__(self) -> Self:
        self._working = asyncio.create_task(self._work(), name="statestore batches")
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if error is None:
            await self.close()
        elif self._working is not None:
            self._working.cancel()
            await asyncio.wait([self._working])

    def must_work(self) -> None:
        if self._working is None or self._working.done():
            raise RuntimeError("batches are open within `with`")

    async def _work(self) -> None:
        try:
            while await self._collect():
                await self._send_collected()
        finally:
            self._abandon()

    async def _collect(self) -> bool:
        """Whether there is something to send, or may be later."""
        first = await self._added.get()
        if first is None:
            return False
        self._collected.append(first)
        with suppress(TimeoutError):
            async with asyncio.timeout(self._every):
                while len(self._collected) < self._size:
                    one = await self._added.get()
                    if one is None:
                        # The end: what is collected goes out at once, and then it is seen again.
                        self._added.put_nowait(None)
                        break
                    self._collected.append(one)
        return True

    async def _send_collected(self) -> None:
        for one in self._collected:
            one.sent += 1
        try:
            outcomes = await self._send([one.item for one in self._collected])
        except StateStoreError as error:
            outcomes = [error] * len(self._collected)
        for one, outcome in zip(self._collected, outcomes, strict=True):
            self._line.leave(one, outcome)
        self._collected.clear()

    def _abandon(self) -> None:
        closed = Unavailable("the batches were closed before it was answered")
        while self._added.qsize():
            one = self._added.get_nowait()
            if one is not None:
                self._collected.append(one)
        for one in self._collected:
            self._line.leave(one, one.abandoned(closed))
        self._collected.clear()
