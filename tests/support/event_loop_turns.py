"""Turns of the event loop: no time passes, only what is ready goes on."""

import asyncio


async def others_go_on(turns: int = 1) -> None:
    """Let every task that is ready run as far as it can, so many times.

    A task that was just made has begun afterwards. Where a test is about what does not happen,
    nobody can tell that it did not: then the number is far larger than what it would take.
    """
    for _ in range(turns):
        await asyncio.sleep(0)
