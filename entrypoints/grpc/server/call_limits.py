"""The calls on their way: how many there may be, and what is let end whatever becomes of them."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import structlog
from attrs import define, field

from entrypoints.grpc.server.errors import TooManyCalls, is_expected

T = TypeVar("T")

_log = structlog.get_logger()


@define
class Calls:
    most: int
    on_their_way: int = 0
    draining: asyncio.Event = field(factory=asyncio.Event)
    writing: set[asyncio.Task[Any]] = field(factory=set)
    unheard: int = 0
    """Writes whose callers have gone. They count until they are done: whoever calls again and
    again with too little time makes no more of them than there may be calls."""

    def enter(self) -> None:
        """Raises TooManyCalls if no more may come."""
        if self.on_their_way + self.unheard >= self.most:
            raise TooManyCalls(self.most)
        self.on_their_way += 1

    def leave(self) -> None:
        self.on_their_way -= 1

    async def to_the_end(self, writing: Coroutine[Any, Any, T]) -> T:
        """Do a write that was begun, though the caller goes away or its time is over.

        So no caller's patience decides what is stored: all of what was asked, or nothing.
        """
        task = asyncio.create_task(writing)
        self.writing.add(task)
        task.add_done_callback(self.writing.discard)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            self.unheard += 1
            task.add_done_callback(self._done_unheard)
            raise

    async def ended(self, within: float) -> None:
        """Wait for writes whose callers have gone."""
        if self.writing:
            await asyncio.wait(self.writing, timeout=within)

    def _done_unheard(self, task: asyncio.Task[Any]) -> None:
        self.unheard -= 1
        _tell_of_what_nobody_hears(task)


def _tell_of_what_nobody_hears(task: asyncio.Task[Any]) -> None:
    error = None if task.cancelled() else task.exception()
    if isinstance(error, Exception) and not is_expected(error):
        _log.error("task_failed", after="the caller went away", exc_info=error)
