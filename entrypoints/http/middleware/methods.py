"""Which methods a path knows, and HEAD wherever there is GET."""

from attrs import frozen
from starlette.requests import Request
from starlette.routing import compile_path
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEAD_ONLY = "statestore.head_only"
"""In the scope of a request whose answer's body nobody will read."""


def allowed(request: Request) -> dict[str, str]:
    """The Allow header for a path: the framework itself would name one route's methods only."""
    known: set[str] = set()
    for path, operations in request.app.openapi()["paths"].items():
        if compile_path(path)[0].match(request.scope["path"]):
            known |= {method.upper() for method in operations}
    if "GET" in known:
        known.add("HEAD")
    return {"Allow": ", ".join(sorted(known))} if known else {}


@frozen
class HeadAsGet:
    """Answers HEAD as GET, without the body."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self.app(scope, receive, send)
            return

        async def send_headers(message: Message) -> None:
            if message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        # A copy: the server still has to know that it was HEAD, and the log which route it was.
        asked = {**scope, "method": "GET", HEAD_ONLY: True}
        try:
            await self.app(asked, receive, send_headers)
        finally:
            scope["route"] = asked.get("route")
