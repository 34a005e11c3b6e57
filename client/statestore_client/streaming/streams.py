"""
Updates or evidence over one connection, without an end, answered in their order.

A bounded number may be without an answer. When the connection is lost, those that are without one
are sent again, in order. Nothing is done twice by that: see the dialogues.
"""

import asyncio
import time
from contextlib import suppress
from types import TracebackType
from typing import Any, Generic, Self

import grpc

from statestore_client.errors import OutcomeUnknown, ServerError, StateStoreError, Unavailable
from statestore_client.streaming.batches import Said
from statestore_client.streaming.exchange import Dialogue
from statestore_client.streaming.in_flight import InFlight
from statestore_client.streaming.send_queue import Item, Line, Told, ended
from statestore_client.transport.calls import Calls
from statestore_client.transport.failures import Failure, failure

_EOF: Any = grpc.aio.EOF  # type: ignore[attr-defined]  # missing in the stubs

_ENDED = Failure(Unavailable("the server ended the stream"), temporary=True, undone=False)
_TOO_MANY = Failure(ServerError("more answers came than were waited for"), undone=False)


class AsyncStream(Generic[Said, Item, Told]):
    def __init__(
        self,
        calls: Calls,
        dialogue: Dialogue[Said, Item, Told],
        most_waiting: int,
        answer_within: float,
        patience: float,
    ) -> None:
        self._calls = calls
        self._dialogue = dialogue
        self._within = answer_within
        self._patience = patience
        self.most_waiting = most_waiting
        self._line = Line[Item, Told](most_waiting)
        self._in_flight = InFlight[Item, Told](dialogue.bounds)
        self._closing = False
        self._changed = asyncio.Event()
        self._alarm: asyncio.Timeout | None = None
        self._progress = time.monotonic()
        self._failures = 0
        self._given_up: StateStoreError | None = None
        self._working: asyncio.Task[None] | None = None

    async def send(self, said: Said) -> asyncio.Future[Told | StateStoreError]:
        """Waits while too many are without an answer. The future has the outcome of this one.

        Raises:
            StateStoreError: The stream was given up; why.
        """
        return await self.take(self.prepared(said))

    def prepared(self, said: Said) -> Item:
        """Raises ValueError if it cannot be sent."""
        return self._dialogue.prepared(said)

    async def take(self, item: Item) -> asyncio.Future[Told | StateStoreError]:
        """`send`, for who has prepared it."""
        self.must_work()
        one = await self._line.enter(item)
        try:
            self.must_work()
        except (RuntimeError, StateStoreError):
            self._line.leave(one, Unavailable("the stream was closed before it was sent"))
            raise
        if not self._in_flight:
            self._progress = time.monotonic()
        self._in_flight.add(one)
        self._changed.set()
        return one.outcome

    async def drain(self) -> None:
        """Waits until everything that was sent has its outcome."""
        await self._line.empty()

    async def close(self) -> None:
        """Waits for the answers that are missing."""
        self._closing = True
        self._changed.set()
        await ended(self._working)

    async def __aenter__(self) -> Self:
        self._working = asyncio.create_task(self._work(), name="statestore stream")
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if error is None:
            await self.close()
        elif self._working is not None:
            self._working.cancel()
            await asyncio.wait([self._working])

    def must_work(self) -> None:
        if self._given_up is not None:
            raise self._given_up
        if self._working is None or self._working.done() or self._closing:
            raise RuntimeError("a stream is open within `with`")

    async def _work(self) -> None:
        last: StateStoreError = Unavailable("the stream was closed before it was answered")
        try:
            while await self._something_to_send():
                failed = await self._connected()
                if failed is not None and not await self._may_reconnect(failed):
                    self._given_up = last = failed.error
                    return
        finally:
            for one in self._in_flight.everything():
                self._line.leave(one, one.abandoned(last))

    async def _something_to_send(self) -> bool:
        """Waits for it; there will be nothing if the stream is closing."""
        while not self._in_flight:
            if self._closing:
                return False
            self._changed.clear()
            await self._changed.wait()
        return True

    async def _connected(self) -> Failure | None:
        """Send and hear until the connection ends; why it did, if anything is left to be done."""
        self._in_flight.begin()
        spoken = self._dialogue
        call = self._calls.channel.stream(spoken.path, spoken.request, spoken.answer)
        writing = asyncio.create_task(self._write(call), name="statestore stream writer")
        try:
            async with asyncio.timeout(None) as self._alarm:
                return await self._heard(call)
        except TimeoutError:
            late = Unavailable(f"no answer came within {self._within} seconds")
            return Failure(late, temporary=True, undone=False)
        except grpc.aio.AioRpcError as status:
            failed = failure(status)
            if self._dialogue.nothing_done(failed):
                self._in_flight.was_not_done()
            return failed
        finally:
            self._alarm = None
            writing.cancel()
            call.cancel()
            await asyncio.wait([writing])

    async def _write(self, call: Any) -> None:
        # Why a connection ended is told to who reads from it.
        with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            await self._write_all(call)

    async def _write_all(self, call: Any) -> None:
        while await self._room_to_write():
            waited_for = self._in_flight.unanswered
            taken = self._in_flight.next()
            if not waited_for:
                self._set_alarm()
            await call.write(self._dialogue.message([one.item for one in taken]))
        await call.done_writing()

    async def _room_to_write(self) -> bool:
        """Waits for something to send and for room; there will be neither if all is sent."""
        while not self._in_flight.may_send:
            if self._closing and self._in_flight.all_sent:
                return False
            self._changed.clear()
            await self._changed.wait()
        return True

    async def _heard(self, call: Any) -> Failure | None:
        while True:
            answer = await call.read()
            if answer is _EOF:
                return _ENDED if self._in_flight or not self._closing else None
            if len(answer.results) > self._in_flight.unanswered:
                return _TOO_MANY
            self._in_flight.widen(self._dialogue.window(answer))
            self._progress, self._failures = time.monotonic(), 0
            self._stop_alarm()
            for result in answer.results:
                await self._answer(result)
            self._set_alarm()
            self._changed.set()

    async def _answer(self, result: Any) -> None:
        """Looking up what it means has the patience of the stream, and all that fail in a row have
        it together."""
        one = self._in_flight.first()
        outcome = await self._dialogue.outcome(one, result, self._progress + self._patience)
        if not isinstance(outcome, OutcomeUnknown):
            self._progress = time.monotonic()
        self._in_flight.answered()
        self._line.leave(one, outcome)

    def _stop_alarm(self) -> None:
        """What an answer means may have to be looked up, which has a deadline of its own."""
        if self._alarm is not None and not self._alarm.expired():
            self._alarm.reschedule(None)

    def _set_alarm(self) -> None:
        """From now on, an answer must come in time, if one is missing."""
        if self._alarm is not None and not self._alarm.expired():
            when = asyncio.get_running_loop().time() + self._within
            self._alarm.reschedule(when if self._in_flight.unanswered else None)

    async def _may_reconnect(self, failed: Failure) -> bool:
        """Waits before that, the longer the more often it failed."""
        self._failures += 1
        pause = self._calls.retrying.pause(self._failures, failed.pause)
        if not self._in_flight:
            return True
        late = time.monotonic() + pause - self._progress > self._patience
        if late or not failed.temporary:
            return False
        await asyncio.sleep(pause)
        return True
