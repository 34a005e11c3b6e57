"""What is said on one websocket, once it is known who asks."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from typing import Any

import orjson
import structlog
from attrs import define, field
from graphql import GraphQLError, OperationType
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from application.caller import Caller
from entrypoints.graphql.transport.execution import Answering, Document, errors_told
from entrypoints.graphql.transport.refusals import Refusal, coded
from entrypoints.graphql.transport.request import asked
from entrypoints.interfaces.error_table import INTERNAL

MOST_OPERATIONS = 100
"""On one socket at once."""
LONGEST_ID = 200
LONGEST_REASON = 100
"""Of a websocket's last frame, which has 123 bytes for it."""

BAD_MESSAGE = 4400
ID_TAKEN = 4409
TOO_MANY = 4429
TOO_SLOW = 1013

Message = Mapping[str, Any]

_log = structlog.get_logger()


@define
class Closing(Exception):
    """The socket must be closed."""

    code: int
    text: str

    @property
    def reason(self) -> str:
        return self.text.encode("ascii", "replace").decode()[:LONGEST_REASON]


@define(eq=False)
class Conversation:
    """Operations run side by side. Whoever reads nothing for a while is let go."""

    socket: WebSocket
    answering: Answering
    by: Caller
    slowest: float
    _running: dict[str, asyncio.Task[None]] = field(factory=dict, init=False)
    _broken: asyncio.Event = field(factory=asyncio.Event, init=False)

    async def hold(self) -> None:
        """Raises Closing, or WebSocketDisconnect when the other side is gone."""
        try:
            while True:
                await self._take(await received(self.socket))
        finally:
            running = list(self._running.values())
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)

    async def beat(self, seconds: float) -> None:
        """Say now and then that the server lives, until something cannot be said."""
        while not self._broken.is_set():
            try:
                async with asyncio.timeout(seconds):
                    await self._broken.wait()
            except TimeoutError:
                await self.say({"type": "ping"})
        raise Closing(TOO_SLOW, "what was said was not read")

    async def say(self, message: Message) -> None:
        """Raises Closing if it is not taken in time, WebSocketDisconnect if nobody is there."""
        must_stand(self.socket)
        try:
            async with asyncio.timeout(self.slowest):
                await self.socket.send_text(orjson.dumps(message).decode())
        except TimeoutError:
            self._broken.set()
            raise Closing(TOO_SLOW, "what was said was not read") from None

    async def _take(self, message: Message) -> None:
        match message["type"]:
            case "subscribe":
                self._begin(_id(message), said(message, "payload", dict) or {})
            case "complete":
                await self._end(_id(message))
            case "ping":
                await self.say({"type": "pong"})
            case "pong":
                pass
            case "connection_init":
                raise Closing(TOO_MANY, "Too many initialisation requests")
            case other:
                raise Closing(BAD_MESSAGE, f"there is no message of type {other}")

    def _begin(self, name: str, payload: Document) -> None:
        if name in self._running:
            raise Closing(ID_TAKEN, f"Subscriber for {name} already exists")
        if len(self._running) >= MOST_OPERATIONS:
            raise Closing(TOO_MANY, f"at most {MOST_OPERATIONS} operations at once")
        task = asyncio.create_task(self._run(name, payload))
        self._running[name] = task
        task.add_done_callback(lambda done: self._ended(name, done))

    async def _end(self, name: str) -> None:
        """Its name is free with the next message, so it must have ended by then."""
        if task := self._running.get(name):
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    def _ended(self, name: str, task: asyncio.Task[None]) -> None:
        del self._running[name]
        if not task.cancelled() and task.exception() is not None:
            self._broken.set()

    async def _run(self, name: str, payload: Document) -> None:
        try:
            await self._answer(name, payload)
        except Refusal as refused:
            await self._fail(name, refused.errors)
        except (Closing, WebSocketDisconnect):
            raise
        except Exception as error:  # noqa: BLE001  # the edge
            _log.error("request_failed", protocol="websocket", exc_info=error)
            await self._fail(name, [coded(INTERNAL.code, INTERNAL.title)])
        else:
            await self.say({"id": name, "type": "complete"})

    async def _fail(self, name: str, errors: Sequence[GraphQLError]) -> None:
        told = errors_told(errors, self.by.correlation_id)
        await self.say({"id": name, "type": "error", "payload": told})

    async def _answer(self, name: str, payload: Document) -> None:
        operation = self.answering.operation(asked(payload))
        if operation.kind is not OperationType.SUBSCRIPTION:
            await self._next(name, await self.answering.answer(operation, self.by))
            return
        async with aclosing(self.answering.answers(operation, self.by)) as answers:
            async for answer in answers:
                await self._next(name, answer)

    async def _next(self, name: str, answer: Document) -> None:
        await self.say({"id": name, "type": "next", "payload": answer})


async def received(socket: WebSocket) -> Message:
    """Raises Closing if it is not a message, WebSocketDisconnect when the other side is gone."""
    must_stand(socket)
    try:
        message = orjson.loads(await socket.receive_text())
    except (orjson.JSONDecodeError, KeyError):
        raise Closing(BAD_MESSAGE, "messages are JSON texts") from None
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise Closing(BAD_MESSAGE, "messages are objects with a type")
    return message


def must_stand(socket: WebSocket) -> None:
    """Raises WebSocketDisconnect if it broke when something else was said."""
    if socket.application_state is not WebSocketState.CONNECTED:
        raise WebSocketDisconnect(1006)


def said(message: Message, name: str, kind: type) -> Any:
    value = message.get(name)
    if value is not None and not isinstance(value, kind):
        raise Closing(BAD_MESSAGE, f"{name} is not what it must be")
    return value


def _id(message: Message) -> str:
    name: str | None = said(message, "id", str)
    if not name or len(name) > LONGEST_ID:
        raise Closing(BAD_MESSAGE, f"id must have 1 to {LONGEST_ID} characters")
    return name
