"""Streams and batches for programs without asyncio: outcomes come as futures of threads."""

import asyncio
import threading
from concurrent.futures import Future
from typing import Protocol, Self, TypeVar

from statestore_client.batches import AsyncBatches
from statestore_client.blocking.loop_thread import LoopThread
from statestore_client.blocking.waiting import Waiting, waits
from statestore_client.errors import StateStoreError, Unavailable
from statestore_client.messages.signals_pb2 import UpdateSignalStateRequest
from statestore_client.models.signals import SignalUpdate
from statestore_client.outcomes import Outcome, to_request
from statestore_client.streams import AsyncSignalStream


class Taking(Protocol):
    """What takes updates on the loop."""

    most_waiting: int

    def must_work(self) -> None: ...

    async def take(
        self, update: SignalUpdate, request: UpdateSignalStateRequest
    ) -> asyncio.Future[Outcome]: ...


Takes = TypeVar("Takes", bound=Taking)


class Sending(Waiting[Takes]):
    """Hands updates over to the loop without waiting for it, in order, while there is room."""

    def __init__(self, awaited: Takes, thread: LoopThread) -> None:
        super().__init__(awaited, thread)
        self._room = threading.Semaphore(awaited.most_waiting)

    def _hand_over(self, update: SignalUpdate) -> Future[Outcome]:
        request = to_request(update)
        self._thread.must_run()
        self._awaited.must_work()
        self._room.acquire()
        told: Future[Outcome] = Future()
        told.add_done_callback(lambda _: self._room.release())
        # It is on its way: cancelling would change nothing.
        told.set_running_or_notify_cancel()
        try:
            self._thread.begin(self._taken(update, request, told))
        except RuntimeError:
            self._room.release()
            raise
        return told

    async def _taken(
        self, update: SignalUpdate, request: UpdateSignalStateRequest, told: Future[Outcome]
    ) -> None:
        try:
            outcome = await self._awaited.take(update, request)
        except StateStoreError as error:
            told.set_result(error)
        except RuntimeError as closed:
            told.set_result(Unavailable(str(closed)))
        else:
            outcome.add_done_callback(lambda done: told.set_result(done.result()))


class Batches(Sending[AsyncBatches]):
    """See AsyncBatches. Any number of threads may add."""

    flush = waits(AsyncBatches.flush)
    close = waits(AsyncBatches.close)
    __exit__ = waits(AsyncBatches.__aexit__)

    def __enter__(self) -> Self:
        self._thread.run(self._awaited.__aenter__())
        return self

    def add(self, update: SignalUpdate) -> Future[Outcome]:
        """Waits while too many are without an outcome.

        A callback of the future runs in the client's own thread, and must not wait for it.
        """
        return self._hand_over(update)


class SignalStream(Sending[AsyncSignalStream]):
    """See AsyncSignalStream. Any number of threads may send."""

    drain = waits(AsyncSignalStream.drain)
    close = waits(AsyncSignalStream.close)
    __exit__ = waits(AsyncSignalStream.__aexit__)

    def __enter__(self) -> Self:
        self._thread.run(self._awaited.__aenter__())
        return self

    def send(self, update: SignalUpdate) -> Future[Outcome]:
        """Waits while too many are without an answer.

        A callback of the future runs in the client's own thread, and must not wait for it.
        """
        return self._hand_over(update)
