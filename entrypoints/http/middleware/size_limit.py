"""Bodies have a largest size. A larger one is refused as soon as it is known to be, unread."""

from attrs import frozen
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from entrypoints.http.errors import TooLarge, trouble
from entrypoints.http.problems import problem_response

LARGEST_BODY = 1024 * 1024


@frozen
class SizeLimit:
    app: ASGIApp
    largest: int = LARGEST_BODY

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if _announced(scope) > self.largest:
            response = problem_response(Request(scope), trouble(TooLarge(self.largest)))
            await response(scope, receive, send)
            return
        left = self.largest

        async def receive_counted() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                raise TooLarge(self.largest)
            return message

        await self.app(scope, receive_counted, send)


def _announced(scope: Scope) -> int:
    for header, value in scope["headers"]:
        if header == b"content-length" and value.isdigit():
            return int(value)
    return 0
