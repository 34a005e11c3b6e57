"""
Answers as server-sent events: the protocol `graphql-sse`, with a connection for each operation.

    event: next                   again and again for a subscription, once for all else
    data: {"data": …}

    :                             nothing happened, and the server lives

    event: complete
    data:

What was wrong with a question is told as an answer, too: browsers do not show the body of an
error to whoever listens.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import suppress

import orjson
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from entrypoints.graphql.transport.execution import Document
from entrypoints.http.middleware.methods import HEAD_ONLY
from entrypoints.http.streaming.event_stream import LAST_WORD, gone
from entrypoints.interfaces.event_streams import EventStreams
from entrypoints.interfaces.first_completed import first_of


class AnswerStream(Response):
    """Tells what the source tells, until somebody ends it."""

    media_type = "text/event-stream"

    def __init__(
        self, streams: EventStreams, source: AsyncGenerator[Document, None], headers: dict[str, str]
    ) -> None:
        super().__init__(headers={**headers, "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._streams, self._source = streams, source

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            headers = self.raw_headers
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            if not scope.get(HEAD_ONLY):
                ended = self._streams.ended.wait()
                await first_of(self._tell(send), self._beat(send), gone(receive), ended)
            with suppress(TimeoutError):
                async with asyncio.timeout(LAST_WORD):
                    await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            await self._source.aclose()

    async def _tell(self, send: Send) -> None:
        """Ends when all is told, or the reader reads nothing."""
        with suppress(TimeoutError):
            async for answer in self._source:
                await self._write(send, b"event: next\ndata: %b\n\n" % orjson.dumps(answer))
            await self._write(send, b"event: complete\ndata:\n\n")

    async def _beat(self, send: Send) -> None:
        with suppress(TimeoutError):
            while True:
                await asyncio.sleep(self._streams.heartbeat)
                await self._write(send, b":\n\n")

    async def _write(self, send: Send, text: bytes) -> None:
        async with asyncio.timeout(self._streams.slowest):
            await send({"type": "http.response.body", "body": text, "more_body": True})
