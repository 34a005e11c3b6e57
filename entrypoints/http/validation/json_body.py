"""The body of a request as JSON: what may come in, and reading it into a model."""

import re
from collections.abc import Awaitable, Callable
from typing import Annotated, Any

import orjson
from fastapi import Depends, Request

from entrypoints.http.errors import JSON_ALONE, MalformedJson, UnsupportedMedia
from entrypoints.http.validation.models import M, Read, read

DEEPEST = 64

_JSON = re.compile(r"application/(?:[a-z0-9!#$&^_.+-]+\+)?json", re.IGNORECASE)
# What curl says when it is told nothing: the runbook's commands are meant to work as written.
_CURL = "application/x-www-form-urlencoded"


async def json_document(request: Request) -> Any:
    """The body, parsed.

    Raises:
        UnsupportedMedia: It says that it is not JSON.
        MalformedJson: It is not JSON.
    """
    _must_be_json(request)
    raw = await request.body()
    try:
        document = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise MalformedJson(str(error)) from None
    if raw.count(b"[") + raw.count(b"{") > DEEPEST and is_deep(document):
        raise MalformedJson(f"it is nested more than {DEEPEST} levels deep")
    return document


JsonDocument = Annotated[Any, Depends(json_document)]


def reader(model: type[M]) -> Callable[[Any], Awaitable[Read[M]]]:
    """A dependency that reads the body into the model."""

    async def read_body(document: JsonDocument) -> Read[M]:
        return read(model, document)

    return read_body


def _must_be_json(request: Request) -> None:
    encoding = request.headers.get("content-encoding", "identity")
    if encoding.lower() != "identity":
        raise UnsupportedMedia(f"the content encoding {encoding[:100]}")
    kind = content_kind(request)
    if kind and kind.lower() != _CURL:
        must_say_json(request)


def must_say_json(request: Request, takes: str = JSON_ALONE) -> None:
    """Raises UnsupportedMedia if it says something else, or nothing."""
    kind = content_kind(request)
    if not _JSON.fullmatch(kind):
        what = f"the content type {kind[:100]}" if kind else "a body without a content type"
        raise UnsupportedMedia(what, takes)


def content_kind(request: Request) -> str:
    """The content type, without its parameters."""
    return request.headers.get("content-type", "").partition(";")[0].strip()


def is_deep(document: Any) -> bool:
    """Whether it is nested deeper than anything that is meant."""
    level = [document] if isinstance(document, dict | list) else []
    for _ in range(DEEPEST):
        level = [inner for outer in level for inner in _inside(outer)]
        if not level:
            return False
    return True


def _inside(value: Any) -> Any:
    if isinstance(value, dict):
        return [inner for inner in value.values() if isinstance(inner, dict | list)]
    return [inner for inner in value if isinstance(inner, dict | list)]
