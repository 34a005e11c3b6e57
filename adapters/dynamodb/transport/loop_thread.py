"""An event loop on a thread of its own, for callers that have none."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import Future
from threading import Thread
from typing import Any, TypeVar

from application.errors import Unavailable

T = TypeVar("T")


class LoopThread:
    """Runs coroutines for other threads, until it is closed."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._loop = asyncio.new_event_loop()
        # A daemon: a process that forgot to close must still be able to end.
        self._thread = Thread(target=self._loop.run_forever, name=name, daemon=True)
        self._thread.start()

    @property
    def closed(self) -> bool:
        return self._loop.is_closed()

    def start(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Raises Unavailable once the thread is closed."""
        if self.closed:
            work.close()
            raise Unavailable(self._name, "it is closed")
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Wait for the result, holding the calling thread."""
        return self.start(work).result()

    def close(self) -> None:
        """End the loop. What still runs is cancelled."""
        if self.closed:
            return
        self.run(_cancel_others())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


async def _cancel_others() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
