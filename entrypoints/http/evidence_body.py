"""
The body that evidence comes in: JSON, or a JSON document a line, each also compressed.

What is compressed may be a bomb: no more of it is taken out than would be taken in.
"""

import zlib
from collections.abc import Iterator, Sequence
from typing import Any

import orjson
from attrs import frozen
from fastapi import Request

from entrypoints.http.errors import MalformedJson, TooLarge, UnsupportedMedia
from entrypoints.http.evidence_requests import Unread
from entrypoints.http.json_body import content_kind, must_say_json

NDJSON = "application/x-ndjson"
LARGEST = 8 * 1024 * 1024
"""Bytes, once they are not compressed any more."""

_LINED = (NDJSON, "application/ndjson", "application/jsonl")
_GZIP = zlib.MAX_WBITS | 16


@frozen
class Sent:
    documents: Sequence[Any]
    """What could not be parsed is `Unread`."""
    lines: Sequence[int] | None = None
    """The lines they were on, if they came in lines."""


async def evidence_sent(request: Request) -> Sent:
    """
    Raises:
        UnsupportedMedia: It says that it is something else.
        MalformedJson: It is not JSON, or not compressed as it says.
        TooLarge: It is larger than is taken, once it is not compressed any more.
    """
    lined = content_kind(request).lower() in _LINED
    if not lined:
        must_say_json(request)
    raw = _plain(request, await request.body())
    return _lines(raw) if lined else Sent(_documents(raw))


def _documents(raw: bytes) -> Sequence[Any]:
    try:
        document = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise MalformedJson(str(error)) from None
    return document if isinstance(document, list) else [document]


def _lines(raw: bytes) -> Sent:
    told = [(number, line) for number, line in enumerate(raw.split(b"\n"), 1) if line.strip()]
    return Sent([_parsed(line) for _, line in told], [number for number, _ in told])


def _parsed(line: bytes) -> Any:
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError as error:
        return Unread(f"is not JSON: {error}")


def _plain(request: Request, raw: bytes) -> bytes:
    encoding = request.headers.get("content-encoding", "identity").strip().lower()
    if encoding == "identity":
        return raw
    if encoding not in ("gzip", "x-gzip"):
        raise UnsupportedMedia(f"the content encoding {encoding[:100]}")
    try:
        return b"".join(_inflated(raw))
    except zlib.error:
        raise MalformedJson("it is not compressed as it says") from None


def _inflated(raw: bytes) -> Iterator[bytes]:
    """Each member of the gzip, of which there may be several."""
    left = LARGEST
    while raw:
        member = zlib.decompressobj(_GZIP)
        plain = member.decompress(raw, left + 1)
        left -= len(plain)
        if left < 0:
            raise TooLarge(LARGEST)
        if not member.eof:
            raise MalformedJson("what is compressed ends too early")
        yield plain
        raw = member.unused_data
