"""
Asking for several things at once, and going on with what came in time.

What is late is cancelled and waited for until it has stopped: nothing goes on behind the answer.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from attrs import frozen

from application.errors import ApplicationError
from application.root_cause.part import AnyPart, Part
from domain.errors import NotFound


@frozen
class Wanted:
    source: str
    ask: Callable[[], Awaitable[AnyPart]]


async def gathered(
    wanted: Mapping[str, Wanted], time_up: "asyncio.Future[None]"
) -> Mapping[str, AnyPart]:
    """Each part as it came, or why it did not. Raises what is no trouble of the surroundings."""
    tasks = {name: asyncio.ensure_future(_answered(one)) for name, one in wanted.items()}
    pending: set[asyncio.Future[Any]] = set(tasks.values())
    try:
        while pending and not time_up.done():
            done, _ = await asyncio.wait({*pending, time_up}, return_when=asyncio.FIRST_COMPLETED)
            pending -= done
    finally:
        await stopped(*tasks.values())
    return {name: _part(tasks[name], one.source) for name, one in wanted.items()}


async def stopped(*tasks: "asyncio.Future[Any]") -> None:
    """Cancel what still goes on, and wait until it has ended."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _answered(wanted: Wanted) -> AnyPart:
    try:
        return await wanted.ask()
    except (ApplicationError, NotFound) as error:
        return Part.without(wanted.source, error)


def _part(task: "asyncio.Future[AnyPart]", source: str) -> AnyPart:
    return Part.too_late(source) if task.cancelled() else task.result()
