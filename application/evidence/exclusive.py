"""Sorting and forgetting evidence is done by one at a time, of all who share an archive."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from attrs import define, field

from application.subscriptions.lease_holder import held, kept
from application.subscriptions.leases import Leases

LEASE = "evidence-upkeep"


@define
class Alone:
    leases: Leases
    _here: asyncio.Lock = field(factory=asyncio.Lock, init=False)

    @asynccontextmanager
    async def held(self) -> AsyncIterator[None]:
        """Wait for others to be done. Raises Unavailable if another process goes on for long."""
        async with self._here, held(self.leases, LEASE):
            yield

    async def if_free(self, work: Callable[[], Awaitable[object]]) -> None:
        """Do it unless another one is at it."""
        if self._here.locked():
            return
        async with self._here:
            if not await self.leases.hold(LEASE):
                return
            try:
                async with kept(self.leases, LEASE):
                    await work()
            finally:
                await self.leases.release(LEASE)
