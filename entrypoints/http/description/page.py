"""The API's description for people: one page, without anything from elsewhere."""

from functools import cache
from pathlib import Path

from fastapi import APIRouter, Response

router = APIRouter(include_in_schema=False)

_ASSETS = Path(__file__).parent / "assets"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


@router.get("/docs")
async def page() -> Response:
    return _asset("docs.html", "text/html; charset=utf-8")


@router.get("/docs/docs.js")
async def script() -> Response:
    return _asset("docs.js", "text/javascript; charset=utf-8")


@router.get("/docs/docs.css")
async def style() -> Response:
    return _asset("docs.css", "text/css; charset=utf-8")


def _asset(name: str, media_type: str) -> Response:
    headers = {"Content-Security-Policy": _POLICY, "X-Content-Type-Options": "nosniff"}
    return Response(_content(name), media_type=media_type, headers=headers)


@cache
def _content(name: str) -> bytes:
    return (_ASSETS / name).read_bytes()
