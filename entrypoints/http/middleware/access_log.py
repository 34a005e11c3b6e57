"""A log line for each request: who is slow, what fails, under which id."""

import time

import structlog
from attrs import frozen
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_log = structlog.get_logger()

_PROBES = ("/livez", "/readyz", "/health")


@frozen
class AccessLog:
    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        status, began = 0, time.perf_counter()

        async def send_and_note(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, send_and_note)
        finally:
            _tell(scope, status, time.perf_counter() - began)


def _tell(scope: Scope, status: int, seconds: float) -> None:
    # Probes come every few seconds and drown the rest.
    tell = _log.debug if scope["path"] in _PROBES and status < 400 else _log.info
    tell(
        "http_request_completed",
        method=scope["method"],
        path=_template(scope, status),
        status=status,
        duration_ms=round(seconds * 1000, 2),
    )


def _template(scope: Scope, status: int) -> str:
    """The path as it was declared: names of datasets would make each line a kind of its own."""
    declared: str | None = getattr(scope.get("route"), "path", None)
    return declared or ("(no such path)" if status == 404 else "(no such method)")
