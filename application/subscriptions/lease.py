"""Leases: which of several processes does a piece of work now."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Protocol

from attrs import define, field

from application.errors import Unavailable

RENEWED_EVERY = 1.0

LOOKS, LOOKED_EVERY = 10, 1.0
"""Long enough to see that a holder does not renew: it was killed, and its lease is free after six
seconds."""


class Leases(Protocol):
    """A lease keeps processes from doing the same work twice. No invariant rests on it: a process
    that was too slow to renew one may still be at work when another begins.
    """

    async def hold(self, name: str) -> bool:
        """Take the lease if it is free or its holder is gone, renew it if it is ours.

        Returns whether it is ours now. Call it again well within the time a lease lasts; most
        calls cost nothing.

        Raises:
            Unavailable: Its holder cannot be found out now.
        """
        ...

    async def release(self, name: str) -> None:
        """Let another process have it at once, if it is ours."""
        ...


@define
class Lease:
    """The lease of one piece of work."""

    leases: Leases | None
    """None where no other process does the work: the lease is always ours."""
    name: str
    _in_use: asyncio.Lock = field(factory=asyncio.Lock, init=False)
    """Leases are held by processes: within this one, a lock decides."""

    async def hold(self) -> bool:
        """Take or renew it; returns whether it is ours."""
        return self.leases is None or await self.leases.hold(self.name)

    async def release(self) -> None:
        if self.leases is not None:
            await self.leases.release(self.name)

    @asynccontextmanager
    async def renewed(self) -> AsyncIterator[None]:
        """A lease that is ours does not run out within, however long that takes."""
        tasks: list[asyncio.Task[None]] = []
        loop = asyncio.get_running_loop()
        # Most work is done before a task is needed.
        timer = loop.call_later(
            RENEWED_EVERY, lambda: tasks.append(loop.create_task(self._renew()))
        )
        try:
            yield
        finally:
            timer.cancel()
            for task in tasks:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)

    @asynccontextmanager
    async def exclusive(self, on_wait: Callable[[], None] = lambda: None) -> AsyncIterator[None]:
        """Wait until it is ours, and hold it within.

        `on_wait` is called if another process has it: that may be gone, which shows after a while.

        Raises:
            Unavailable: Another process holds it and goes on doing so.
        """
        async with self._in_use:
            await self._wait(on_wait)
            async with self._held():
                yield

    async def if_free(self, work: Callable[[], Awaitable[object]]) -> None:
        """Do the work exclusively, or not at all if it is being done."""
        if self._in_use.locked():
            return
        async with self._in_use:
            if await self.hold():
                async with self._held():
                    await work()

    @asynccontextmanager
    async def _held(self) -> AsyncIterator[None]:
        try:
            async with self.renewed():
                yield
        finally:
            await self.release()

    async def _wait(self, on_wait: Callable[[], None]) -> None:
        for look in range(LOOKS):
            if await self.hold():
                return
            if look == 0:
                on_wait()
            if look < LOOKS - 1:
                await asyncio.sleep(LOOKED_EVERY)
        raise Unavailable(self.name, "another process is at it; try again when it is done")

    async def _renew(self) -> None:
        while True:
            # It lasts for longer than until the next time.
            with suppress(Unavailable):
                await self.hold()
            await asyncio.sleep(RENEWED_EVERY)
