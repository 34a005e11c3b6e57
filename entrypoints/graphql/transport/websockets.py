"""
GraphQL over websockets: the protocol `graphql-transport-ws`.

    client                      server
    connection_init   →
                      ←         connection_ack
    subscribe (id)    →
                      ←         next (id), again and again; or error (id)
    complete (id)     →    ←    complete (id)
    ping, pong        →    ←    ping, pong

Queries and mutations are answered, too. Who asks says so with the first message, as
`{"Authorization": "Bearer …"}`, because browsers cannot with the request; others may.
A socket is closed with the code that the protocol has for what went wrong.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from attrs import define, evolve, field
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from application.caller import Caller
from entrypoints.graphql.transport.execution import Answering
from entrypoints.graphql.transport.websocket_protocol import (
    Closing,
    Conversation,
    Message,
    received,
    said,
)
from entrypoints.interfaces.credentials import (
    Identities,
    Unauthenticated,
    bearer,
    usable_request_id,
    usable_trace,
)
from entrypoints.interfaces.event_streams import EventStreams
from entrypoints.interfaces.first_completed import first_of

PROTOCOL = "graphql-transport-ws"
INIT_SECONDS = 10.0
LAST_WORD = 1.0

NOT_ALLOWED_YET = 4401
FORBIDDEN = 4403
NOT_OUR_PROTOCOL = 4406
INIT_TOO_LATE = 4408
GOING_AWAY = 1001
TRY_LATER = 1013


@define
class Sockets:
    """No more than may listen to events; all others are asked to come later."""

    answering: Callable[[], Answering]
    identities: Callable[[], Identities]
    streams: Callable[[], EventStreams]
    new_id: Callable[[], str]
    open: int = field(default=0, init=False)

    async def listen(self, socket: WebSocket) -> None:
        ours = PROTOCOL in socket.scope["subprotocols"]
        self.open += 1
        try:
            await socket.accept(PROTOCOL if ours else None)
            if not ours:
                raise Closing(NOT_OUR_PROTOCOL, f"speak {PROTOCOL}")
            if self.open > self.streams().most:
                raise Closing(TRY_LATER, f"{self.open - 1} are connected already")
            await self._converse(socket)
        except Closing as closing:
            await _close(socket, closing)
        except WebSocketDisconnect:
            pass
        finally:
            self.open -= 1

    async def _converse(self, socket: WebSocket) -> None:
        """Raises Closing, or WebSocketDisconnect when the other side is gone."""
        streams = self.streams()
        by = await self._caller(socket)
        conversation = Conversation(socket, self.answering(), by, streams.slowest)
        await conversation.say({"type": "connection_ack"})
        await first_of(
            conversation.hold(), conversation.beat(streams.heartbeat), _stopping(streams.ended)
        )

    async def _caller(self, socket: WebSocket) -> Caller:
        """Who asks: the first message says so, or the request did."""
        try:
            async with asyncio.timeout(INIT_SECONDS):
                first = await received(socket)
        except TimeoutError:
            raise Closing(INIT_TOO_LATE, "Connection initialisation timeout") from None
        if first["type"] != "connection_init":
            raise Closing(NOT_ALLOWED_YET, "Unauthorized")
        headers = socket.headers
        try:
            known = bearer(_token(first) or headers.get("authorization", ""), self.identities())
        except Unauthenticated as error:
            raise Closing(FORBIDDEN, f"Forbidden: {error}") from None
        name = usable_request_id(headers.get("x-request-id", "")) or self.new_id()
        trace = usable_trace(headers.get("traceparent", ""))
        return evolve(known, correlation_id=name, trace=trace)


def _token(first: Message) -> str:
    payload = said(first, "payload", dict) or {}
    token = payload.get("Authorization") or payload.get("authorization")
    return token if isinstance(token, str) else ""


async def _stopping(ended: asyncio.Event) -> None:
    await ended.wait()
    raise Closing(GOING_AWAY, "the server stops")


async def _close(socket: WebSocket, closing: Closing) -> None:
    """Who reads nothing does not hear of it, either."""
    with suppress(TimeoutError, RuntimeError, WebSocketDisconnect):
        async with asyncio.timeout(LAST_WORD):
            if socket.application_state is WebSocketState.CONNECTED:
                await socket.close(closing.code, closing.reason)
