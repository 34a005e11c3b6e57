"""Doing several things until one of them ends."""

import asyncio
from collections.abc import Awaitable


async def first_of(*endings: Awaitable[object]) -> None:
    """Return, or raise, as the first of them does; the others are ended."""
    tasks = [asyncio.ensure_future(one) for one in endings]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
