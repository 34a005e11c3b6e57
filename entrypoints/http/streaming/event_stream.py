"""
Server-sent events: an answer that goes on until somebody ends it.

    retry: 2000                   how long to wait before asking again, in milliseconds
    id: MS4wLjQyMTY               where it begins

    id: MS4wLjQyMTc
    event: SIGNAL_STATE_CHANGED
    data: {"event_id": …}

    id: MS4wLjQyOTg               nothing that was wanted happened; it is this far now
    : still here

Nothing is held back for a reader: what it does not read stays in the log. One that reads nothing
for a while is let go, and can come back with the last id it saw.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress

import orjson
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from application.delivery.event import Event
from application.errors import ApplicationError
from application.reads.position import Position
from entrypoints.http.middleware.methods import HEAD_ONLY
from entrypoints.interfaces.event_streams import EventStreams
from entrypoints.interfaces.first_completed import first_of

RETRY_MILLISECONDS = 2_000
LAST_WORD = 1.0


class EventStream(Response):
    """Tells what the source tells. Whoever makes one has entered; it leaves at the end."""

    media_type = "text/event-stream"

    def __init__(
        self, streams: EventStreams, source: AsyncIterator[tuple[Sequence[Event], int]], start: int
    ) -> None:
        super().__init__(headers={"X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._streams, self._source, self._start = streams, source, start

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            headers = self.raw_headers
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            if not scope.get(HEAD_ONLY):
                await first_of(self._tell(send), gone(receive), self._streams.ended.wait())
            with suppress(TimeoutError):
                async with asyncio.timeout(LAST_WORD):
                    await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            self._streams.leave()

    async def _tell(self, send: Send) -> None:
        """Ends when the log cannot be read, or the reader reads nothing."""
        with suppress(ApplicationError, TimeoutError):
            token = Position(self._start).token()
            await self._write(send, f"retry: {RETRY_MILLISECONDS}\nid: {token}\n\n".encode())
            time = asyncio.get_running_loop().time
            told_at = time()
            async for events, reached in self._source:
                if events:
                    await self._write(send, b"".join(map(_written, events)))
                elif time() - told_at >= self._streams.heartbeat / 2:
                    token = Position(reached).token()
                    await self._write(send, f"id: {token}\n: still here\n\n".encode())
                else:
                    continue
                told_at = time()

    async def _write(self, send: Send, text: bytes) -> None:
        async with asyncio.timeout(self._streams.slowest):
            await send({"type": "http.response.body", "body": text, "more_body": True})


def _written(event: Event) -> bytes:
    body = orjson.dumps(event.document())
    return b"id: %b\nevent: %b\ndata: %b\n\n" % (
        event.token.encode(),
        event.event_type.encode(),
        body,
    )


async def gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
