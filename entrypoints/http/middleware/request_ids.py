"""
Every request has an id: the caller's (`X-Request-Id`), or a fresh one if it sends none that can
be used. It is on every answer and in every log line.
"""

from collections.abc import Callable

import structlog
from attrs import frozen
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from entrypoints.interfaces.credentials import usable_request_id

HEADER = b"x-request-id"

_KEY = "statestore.request_id"


def request_id(request: Request) -> str:
    name: str = request.scope.get(_KEY, "")
    return name


@frozen
class RequestIds:
    app: ASGIApp
    new_id: Callable[[], str]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        name = scope[_KEY] = _given(scope) or self.new_id()

        async def send_with_id(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["X-Request-Id"] = name
            await send(message)

        with structlog.contextvars.bound_contextvars(request_id=name):
            await self.app(scope, receive, send_with_id)


def _given(scope: Scope) -> str | None:
    for header, value in scope["headers"]:
        if header == HEADER:
            return usable_request_id(value.decode("latin-1"))
    return None
