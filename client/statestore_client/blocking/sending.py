"""Streams and batches for programs without asyncio: outcomes come as futures of threads."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, Self

from statestore_client.batches import AsyncBatches
from statestore_client.blocking.loop_thread import LoopThread
from statestore_client.blocking.waiting import Waiting, waits
from statestore_client.models.signals import SignalUpdate
from statestore_client.outcomes import Outcome
from statestore_client.streams import AsyncSignalStream


class Batches(Waiting[AsyncBatches]):
    """See AsyncBatches. Any number of threads may add."""

    flush = waits(AsyncBatches.flush)
    close = waits(AsyncBatches.close)

    def add(self, update: SignalUpdate) -> Future[Outcome]:
        """Waits while too many are without an outcome.

        A callback of the future runs in the client's own thread, and must not wait for it.
        """
        return _of_threads(self._thread, self._awaited.add, update)

    def __enter__(self) -> Self:
        self._thread.run(self._awaited.__aenter__())
        return self

    __exit__ = waits(AsyncBatches.__aexit__)


class SignalStream(Waiting[AsyncSignalStream]):
    """See AsyncSignalStream. Any number of threads may send."""

    drain = waits(AsyncSignalStream.drain)
    close = waits(AsyncSignalStream.close)

    def send(self, update: SignalUpdate) -> Future[Outcome]:
        """Waits while too many are without an answer.

        A callback of the future runs in the client's own thread, and must not wait for it.
        """
        return _of_threads(self._thread, self._awaited.send, update)

    def __enter__(self) -> Self:
        self._thread.run(self._awaited.__aenter__())
        return self

    __exit__ = waits(AsyncSignalStream.__aexit__)


Send = Callable[[SignalUpdate], Coroutine[Any, Any, asyncio.Future[Outcome]]]


def _of_threads(thread: LoopThread, send: Send, update: SignalUpdate) -> Future[Outcome]:
    told: Future[Outcome] = Future()
    # It is on its way: cancelling would change nothing.
    told.set_running_or_notify_cancel()

    async def sending() -> None:
        outcome = await send(update)
        outcome.add_done_callback(lambda done: told.set_result(done.result()))

    thread.run(sending())
    return told
