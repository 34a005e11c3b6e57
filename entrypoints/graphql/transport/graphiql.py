"""
GraphiQL: GraphQL for people with a browser, without anything from elsewhere.

Its files are fetched by `make graphiql`, by pinned checksum, and served from here. Without them
the page says how to get them.
"""

from functools import cache
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

_OURS = Path(__file__).parent / "assets"
FETCHED = Path(__file__).resolve().parents[3] / ".tools" / "graphiql"

_KINDS = {".css": "text/css", ".html": "text/html", ".js": "text/javascript"}
_WRITTEN = ("page.css", "page.js")
_BROUGHT = (
    "graphiql.min.css",
    "graphiql.min.js",
    "react.production.min.js",
    "react-dom.production.min.js",
)
# The one piece of style that the pinned GraphiQL writes into the page, where a menu opens.
_INLINE = "'sha256-nzTgYzXYDNe6BAHiiI7NNlfK8n/auuOAhh2t92YvuXo='"
_POLICY = (
    f"default-src 'none'; script-src 'self'; style-src 'self' {_INLINE}; font-src data:; "
    "img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)


def page() -> Response:
    return _served(_OURS / ("page.html" if is_fetched() else "missing.html"))


async def asset(request: Request) -> Response:
    name = request.path_params["name"]
    if name in _WRITTEN:
        return _served(_OURS / name)
    if name in _BROUGHT and is_fetched():
        return _served(FETCHED / name)
    raise HTTPException(404)


def is_fetched() -> bool:
    return all((FETCHED / name).is_file() for name in _BROUGHT)


def _served(path: Path) -> Response:
    headers = {
        "Cache-Control": "no-cache",
        "Content-Security-Policy": _POLICY,
        "Referrer-Policy": "no-referrer",
        "Vary": "Accept",
        "X-Content-Type-Options": "nosniff",
    }
    media_type = f"{_KINDS[path.suffix]}; charset=utf-8"
    return Response(_content(path), headers=headers, media_type=media_type)


@cache
def _content(path: Path) -> bytes:
    return path.read_bytes()
