"""Streams and batches for programs without asyncio: outcomes come as futures of threads."""

import asyncio
import threading
from concurrent.futures import Future
from typing import Any, Generic, Protocol, Self, TypeVar

from statestore_client.blocking.generation import Waiting, waits
from statestore_client.blocking.loop_thread import LoopThread
from statestore_client.errors import StateStoreError, Unavailable
from statestore_client.streaming.batches import AsyncBatches, Said
from statestore_client.streaming.send_queue import Item, Told
from statestore_client.streaming.streams import AsyncStream


class Taking(Protocol):
    """What is handed something on the loop, after it was prepared anywhere."""

    most_waiting: int

    def must_work(self) -> None: ...

    def prepared(self, said: Any, /) -> Any: ...

    async def take(self, item: Any, /) -> asyncio.Future[Any]: ...


Takes = TypeVar("Takes", bound=Taking)


class Sending(Waiting[Takes], Generic[Takes, Said, Told]):
    """Hands over to the loop without waiting for it, in order, while there is room."""

    def __init__(self, awaited: Takes, thread: LoopThread) -> None:
        super().__init__(awaited, thread)
        self._room = threading.Semaphore(awaited.most_waiting)

    def _hand_over(self, said: Said) -> Future[Told | StateStoreError]:
        item = self._awaited.prepared(said)
        self._thread.must_run()
        self._awaited.must_work()
        self._room.acquire()
        told: Future[Told | StateStoreError] = Future()
        told.add_done_callback(lambda _: self._room.release())
        # It is on its way: cancelling would change nothing.
        told.set_running_or_notify_cancel()
        try:
            self._thread.begin(self._taken(item, told))
        except RuntimeError:
            self._room.release()
            raise
        return told

    async def _taken(self, item: Any, told: Future[Told | StateStoreError]) -> None:
        try:
            outcome = await self._awaited.take(item)
        except StateStoreError as error:
            told.set_result(error)
        except RuntimeError as closed:
            told.set_result(Unavailable(str(closed)))
        else:
            outcome.add_done_callback(lambda done: told.set_result(done.result()))


class Batches(Sending[AsyncBatches[Said, Item, Told], Said, Told], Generic[Said, Item, Told]):
    """See AsyncBatches. Any number of threads may add."""

    flush = waits(AsyncBatches.flush)
    close = waits(AsyncBatches.close)
    __exit__ = waits(AsyncBatches.__aexit__)

    def __enter__(self) -> Self:
        self._thread.run(self._awaited.__aenter__())
        return self

    def add(self, said: Said) -> Future[Told | StateStoreError]:
        """Waits while too many are without an outcome.

        A callback of the future runs in the client's own thread, and must not wait for it.
        """
        return self._hand_over(said)


class Stream(Sending[AsyncStream[Said, Item, Told], Said, Told], Generic[Said, Item, Told]):
    """See AsyncStream. Any number of threads may send."""

    drain = waits(AsyncStream.drain)
    close = waits(AsyncStream.close)
    __exit__ = waits(AsyncStream.__aexit__)

    def __enter__(self) -> Self:
        self._thread.run(self._awaited.__aenter__())
        return self

    def send(self, said: Said) -> Future[Told | StateStoreError]:
        """Waits while too many are without an answer.

        A callback of the future runs in the client's own thread, and must not wait for it.
        """
        return self._hand_over(said)
