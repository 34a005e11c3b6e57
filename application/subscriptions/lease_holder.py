"""Holding a lease for as long as a piece of work takes."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from math import inf

from attrs import define, field

from application.errors import Unavailable
from application.subscriptions.leases import Leases

RENEWED_EVERY = 1.0

LOOKS, LOOKED_EVERY = 10, 1.0
"""Long enough to see that a holder does not renew: it ended without a word, and its lease is free
after six seconds."""


@define
class Tenure:
    """A lease for whoever works in turns, for as long as it works: not renewed at every turn."""

    leases: Leases
    name: str
    renewed_after: float
    _held_at: float = field(default=-inf, init=False)

    async def is_ours(self) -> bool:
        now = asyncio.get_running_loop().time()
        if now - self._held_at >= self.renewed_after:
            held = await self.leases.hold(self.name)
            self._held_at = now if held else -inf
        return self._held_at > -inf


@asynccontextmanager
async def held(
    leases: Leases, name: str, on_wait: Callable[[], None] = lambda: None
) -> AsyncIterator[None]:
    """The lease is ours within, as far as anyone can tell.

    `on_wait` is told if another one has it: it may be gone, which shows after a while.

    Raises:
        Unavailable: Another process holds it and goes on doing so.
    """
    await _taken(leases, name, on_wait)
    try:
        async with kept(leases, name):
            yield
    finally:
        await leases.release(name)


async def _taken(leases: Leases, name: str, on_wait: Callable[[], None]) -> None:
    for look in range(LOOKS):
        if await leases.hold(name):
            return
        if look == 0:
            on_wait()
        if look < LOOKS - 1:
            await asyncio.sleep(LOOKED_EVERY)
    raise Unavailable(name, "another process is at it; try again when it is done")


@asynccontextmanager
async def kept(leases: Leases, name: str) -> AsyncIterator[None]:
    """A lease that is ours does not run out within, however long that takes."""
    renewing = asyncio.create_task(_renewed(leases, name))
    try:
        yield
    finally:
        renewing.cancel()
        await asyncio.gather(renewing, return_exceptions=True)


async def _renewed(leases: Leases, name: str) -> None:
    while True:
        await asyncio.sleep(RENEWED_EVERY)
        # It lasts for longer than that: there is time to try again.
        with suppress(Unavailable):
            await leases.hold(name)
