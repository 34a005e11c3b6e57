"""Holding a lease for as long as a piece of work takes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from application.errors import Unavailable
from application.ports.leases import Leases

RENEWED_EVERY = 1.0


@asynccontextmanager
async def held(leases: Leases, name: str) -> AsyncIterator[None]:
    """The lease is ours within, as far as anyone can tell.

    Raises:
        Unavailable: Another process holds it.
    """
    if not await leases.hold(name):
        raise Unavailable(name, "another process is at it")
    try:
        async with kept(leases, name):
            yield
    finally:
        await leases.release(name)


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
