"""
Asking for several things at once, and going on with what came in time.

What is late is cancelled and waited for until it has stopped: nothing goes on behind the answer.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from attrs import frozen

from application.errors import ApplicationError, Unavailable
from application.root_cause.part import AnyPart, Part
from domain.errors import NotFound

T = TypeVar("T")


@frozen
class Wanted:
    source: str
    ask: Callable[[], Awaitable[AnyPart]]
    so_far: Callable[[], AnyPart | None] = lambda: None
    """What came of it in time, if it is late and something did."""


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
    return {name: _part(tasks[name], one) for name, one in wanted.items()}


async def in_time(asked: Coroutine[Any, Any, T], time_up: "asyncio.Future[None]") -> T:
    """What must be there. Raises Unavailable if it does not come in time."""
    task = asyncio.ensure_future(asked)
    try:
        waiting: set[asyncio.Future[Any]] = {task, time_up}
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise Unavailable("the incident", "it could not be read in time")
    finally:
        await stopped(task)
    return task.result()


async def together(asked: Iterable[Coroutine[Any, Any, T]]) -> Sequence[T]:
    """What each of them answers, in order. If one fails, the others are stopped."""
    tasks = [asyncio.ensure_future(one) for one in asked]
    try:
        return [await task for task in tasks]
    finally:
        await stopped(*tasks)


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


def _part(task: "asyncio.Future[AnyPart]", wanted: Wanted) -> AnyPart:
    if not task.cancelled():
        return task.result()
    return wanted.so_far() or Part.too_late(wanted.source)
