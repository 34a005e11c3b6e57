"""
Updates without an end, and their answers.

What has arrived while updates were stored is taken together next. No more is read than there is
room for, and nothing is taken before the last answer was: whoever sends too fast or reads too
slowly waits, and holds a bounded number of updates here.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Sequence

from attrs import define, field

from application.errors import Unavailable
from application.signals.commands import UpdateSignals
from domain.errors import Invalid, Violation
from entrypoints.grpc.messages.signals_pb2 import (
    StreamSignalStateUpdatesRequest,
    StreamSignalStateUpdatesResponse,
    UpdateSignalStateRequest,
)
from entrypoints.grpc.server.call import Call
from entrypoints.grpc.signals.messages import outcome_fields, signal_report

WINDOW = 1_000
"""Updates that may be on their way without an answer."""

AT_ONCE = 500
"""Updates that are stored, and answered, together."""


@define
class Arrivals:
    """What was sent and not taken yet."""

    room: int = WINDOW - AT_ONCE
    waiting: deque[UpdateSignalStateRequest] = field(factory=deque)
    ended: bool = False
    reason: Exception | None = None
    changed: asyncio.Condition = field(factory=asyncio.Condition)

    async def read(self, requests: AsyncIterator[StreamSignalStateUpdatesRequest]) -> None:
        """Take what comes, a message whenever there is room."""
        try:
            async for request in requests:
                _refuse_too_many(request)
                await self._add(request.updates)
        except Exception as error:  # noqa: BLE001  # told once all before it is answered
            await self.end(error)
        else:
            await self.end()

    async def end(self, reason: Exception | None = None) -> None:
        """No more is taken; what arrived by now still is."""
        async with self.changed:
            if not self.ended:
                self.ended, self.reason = True, reason
            self.changed.notify_all()

    async def next(self) -> Sequence[UpdateSignalStateRequest]:
        """What waits, up to a limit; nothing once there will be no more.

        Raises why there is no more, if that is an error.
        """
        async with self.changed:
            await self.changed.wait_for(lambda: self.waiting or self.ended)
            taken = [self.waiting.popleft() for _ in range(min(len(self.waiting), AT_ONCE))]
            self.changed.notify_all()
        if not taken and self.reason is not None:
            raise self.reason
        return taken

    async def _add(self, updates: Sequence[UpdateSignalStateRequest]) -> None:
        async with self.changed:
            await self.changed.wait_for(lambda: self.ended or len(self.waiting) < self.room)
            if self.ended:
                return
            self.waiting.extend(updates)
            self.changed.notify_all()


def _refuse_too_many(request: StreamSignalStateUpdatesRequest) -> None:
    """A message that is small has room for millions of updates that say nothing."""
    if len(request.updates) > WINDOW:
        raise Invalid([Violation("updates", "TOO_MANY", f"must be at most {WINDOW}")])


async def acknowledged(
    updating: UpdateSignals,
    requests: AsyncIterator[StreamSignalStateUpdatesRequest],
    call: Call,
) -> AsyncIterator[StreamSignalStateUpdatesResponse]:
    """The answers, in the order of the updates. Raises Unavailable when the server stops."""
    arrivals, answered = Arrivals(), 0
    tasks = [
        asyncio.create_task(arrivals.read(requests)),
        asyncio.create_task(_end_with_the_server(arrivals, call)),
    ]
    try:
        while updates := await arrivals.next():
            # What was begun is done to its end, whether or not the caller hears of it.
            response = await call.calls.to_the_end(_answer(updating, updates, call))
            answered += len(updates)
            response.acknowledged, response.window = answered, WINDOW
            yield response
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)


async def _answer(
    updating: UpdateSignals, updates: Sequence[UpdateSignalStateRequest], call: Call
) -> StreamSignalStateUpdatesResponse:
    outcomes = await updating([signal_report(update) for update in updates], by=call.by)
    return StreamSignalStateUpdatesResponse(results=map(outcome_fields, outcomes))


async def _end_with_the_server(arrivals: Arrivals, call: Call) -> None:
    await call.calls.draining.wait()
    await arrivals.end(Unavailable("the state store", "it is stopping"))
