"""The page behind the one that a reader is busy with, fetched meanwhile."""

import asyncio
from collections import OrderedDict
from collections.abc import Coroutine, Sequence
from typing import Any

from adapters.dynamodb.log.batches import Batch
from application.errors import Unavailable

READERS = 4

Page = Sequence[Batch]


class PageAhead:
    """Pages that are on their way, by their first position, for the few readers that asked last.

    A page shows the log as it was when it was fetched: what follows it must be asked for anew.
    """

    def __init__(self, readers: int = READERS) -> None:
        self._readers = readers
        self._coming: OrderedDict[int, asyncio.Task[Page]] = OrderedDict()

    def fetch(self, first: int, fetching: Coroutine[Any, Any, Page]) -> None:
        self._drop(first)
        task = asyncio.create_task(fetching)
        # Perhaps nobody comes for it: then nobody wants to know how it failed, either.
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        self._coming[first] = task
        while len(self._coming) > self._readers:
            self._drop(next(iter(self._coming)))

    async def take(self, first: int) -> Page:
        """Nothing if it was not fetched, or could not be."""
        task = self._coming.pop(first, None)
        if task is None:
            return ()
        try:
            return await task
        except Unavailable:
            return ()

    async def close(self) -> None:
        coming = tuple(self._coming.values())
        for first in tuple(self._coming):
            self._drop(first)
        await asyncio.gather(*coming, return_exceptions=True)

    def _drop(self, first: int) -> None:
        task = self._coming.pop(first, None)
        if task is not None:
            task.cancel()
