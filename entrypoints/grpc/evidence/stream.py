"""
Batches of evidence without an end, each answered in its turn.

Some batches of a stream are kept at the same time, so that they share the archive's writes. No more
is read than may be on its way: whoever sends too fast or reads too slowly waits.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

from attrs import define, field

from application.errors import Unavailable
from entrypoints.grpc.messages.evidence_pb2 import (
    BatchPutEvidenceRequest,
    BatchPutEvidenceResponse,
)
from entrypoints.grpc.server.call import Call

WINDOW = 8
"""Batches that may be on their way without an answer."""

Requests = AsyncIterator[BatchPutEvidenceRequest]
Answer = asyncio.Future[BatchPutEvidenceResponse]
Put = Callable[[BatchPutEvidenceRequest], Coroutine[Any, Any, BatchPutEvidenceResponse]]


@define
class Turns:
    """The answers to come, in their order; nothing, or why not, once there will be no more."""

    room: asyncio.Semaphore = field(factory=lambda: asyncio.Semaphore(WINDOW))
    answers: asyncio.Queue[Answer | Exception | None] = field(factory=asyncio.Queue)
    begun: set[Answer] = field(factory=set)

    async def read(self, requests: Requests, put: Put) -> None:
        """Begin with what comes, a batch whenever there is room."""
        try:
            async for request in requests:
                await self.room.acquire()
                answer = asyncio.ensure_future(put(request))
                self.begun.add(answer)
                self.answers.put_nowait(answer)
        except Exception as error:  # noqa: BLE001  # told once all before it is answered
            self.answers.put_nowait(error)
        else:
            self.answers.put_nowait(None)

    async def next(self) -> BatchPutEvidenceResponse | None:
        """Raises why there is no more, if that is an error, or why a batch was not taken."""
        turn = await self.answers.get()
        if isinstance(turn, Exception):
            raise turn
        if turn is None:
            return None
        answer = await turn
        self.begun.discard(turn)
        return answer


async def answered(
    put: Put, requests: Requests, call: Call
) -> AsyncIterator[BatchPutEvidenceResponse]:
    """The answers, in the order of the batches. Raises Unavailable when the server stops."""

    async def to_the_end(request: BatchPutEvidenceRequest) -> BatchPutEvidenceResponse:
        # What was begun is done to its end, whether or not the caller hears of it.
        return await call.calls.to_the_end(put(request))

    turns = Turns()
    reading = asyncio.create_task(turns.read(requests, to_the_end))
    stopping = asyncio.create_task(_end_with_the_server(turns, reading, call))
    try:
        while (answer := await turns.next()) is not None:
            yield answer
            turns.room.release()
    finally:
        left: list[asyncio.Future[Any]] = [reading, stopping, *turns.begun]
        for one in left:
            one.cancel()
        await asyncio.gather(*left, return_exceptions=True)


async def _end_with_the_server(turns: Turns, reading: asyncio.Task[None], call: Call) -> None:
    await call.calls.draining.wait()
    reading.cancel()
    turns.answers.put_nowait(Unavailable("the state store", "it is stopping"))
