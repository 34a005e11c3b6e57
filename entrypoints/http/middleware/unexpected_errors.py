"""What nobody expected: it is logged with all there is to know, and answered with nothing of it."""

import structlog
from attrs import frozen
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from entrypoints.http.problems import Trouble, problem_response

_log = structlog.get_logger()

INTERNAL = Trouble(500, "INTERNAL", "Something went wrong inside", "The log tells what it was.")


@frozen
class LastResort:
    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = False

        async def send_and_note(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self.app(scope, receive, send_and_note)
        except ClientDisconnect:
            _log.info("client_disconnected", path=scope["path"])
        except Exception:
            _log.exception("request_failed", method=scope["method"], path=scope["path"])
            if started:
                raise
            response = problem_response(Request(scope), INTERNAL)
            await response(scope, receive, send)
