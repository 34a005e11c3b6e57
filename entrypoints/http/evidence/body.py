"""
The body that evidence comes in: JSON, or a JSON document a line, each also compressed.

What is compressed may be a bomb: no more of it is taken out than would be taken in, and what has
more in it than evidence can have is counted and refused unparsed. Others have their turn meanwhile.
"""

import asyncio
import re
import zlib
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import orjson
from attrs import frozen
from fastapi import Request

from application.violations import refuse_any
from domain.errors import Violation
from entrypoints.http.errors import MalformedGzip, MalformedJson, TooLarge, UnsupportedMedia
from entrypoints.http.evidence.requests import Unread
from entrypoints.http.validation.json_body import content_kind, must_say_json
from entrypoints.interfaces.evidence_input import MOST_ITEMS

NDJSON = "application/x-ndjson"
LARGEST = 8 * 1024 * 1024
"""Bytes, once they are not compressed any more."""
MOST_VALUES, MOST_NESTED = 120 * MOST_ITEMS, 20 * MOST_ITEMS
"""Values in one body, and how many of them are objects or lists, which cost the most; counted by
the signs before them. Items with more reasons than that are too large to be so many."""
SLICE = 16 * 1024
"""Compressed bytes that are read while all other requests wait."""

TAKES = "send application/json or application/x-ndjson, plain or with gzip"

_LINED = (NDJSON, "application/ndjson", "application/jsonl")
_GZIP = zlib.MAX_WBITS | 16
_LINE = re.compile(rb"\S[^\n]*")


@frozen
class Sent:
    documents: Sequence[Any]
    """What could not be parsed is `Unread`. Of too many lines, one more than may be sent."""
    lines: Sequence[int] | None = None
    """The lines they were on, if they came in lines."""


async def evidence_sent(request: Request) -> Sent:
    """
    Raises:
        UnsupportedMedia: It says that it is something else.
        MalformedGzip: It is not compressed as it says.
        MalformedJson: It is not JSON.
        TooLarge: It is larger than is taken, once it is not compressed any more.
        Invalid: It has more in it than is parsed.
    """
    lined = content_kind(request).lower() in _LINED
    if not lined:
        must_say_json(request, TAKES)
    raw = await _plain(request, await request.body())
    refuse_any(_values_found(raw))
    return _lines(raw) if lined else Sent(_documents(raw))


def _values_found(raw: bytes) -> Sequence[Violation]:
    nested = raw.count(b"{") + raw.count(b"[")
    if nested <= MOST_NESTED and nested + raw.count(b",") <= MOST_VALUES:
        return []
    said = f"must be at most {MOST_ITEMS}, with at most {MOST_VALUES} values in all"
    return [Violation("evidence", "TOO_MANY", f"{said}, {MOST_NESTED} of them objects or lists")]


def _documents(raw: bytes) -> Sequence[Any]:
    try:
        document = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise MalformedJson(str(error)) from None
    return document if isinstance(document, list) else [document]


def _lines(raw: bytes) -> Sent:
    told = list(islice(_numbered(raw), MOST_ITEMS + 1))
    return Sent([_parsed(line) for _, line in told], [number for number, _ in told])


def _numbered(raw: bytes) -> Iterator[tuple[int, bytes]]:
    """Each line that is not blank."""
    number, reached = 1, 0
    for found in _LINE.finditer(raw):
        number += raw.count(b"\n", reached, found.start())
        reached = found.start()
        yield number, found.group()


def _parsed(line: bytes) -> Any:
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError as error:
        return Unread(f"is not JSON: {error}")


async def _plain(request: Request, raw: bytes) -> bytes:
    encoding = request.headers.get("content-encoding", "identity").strip().lower()
    if encoding == "identity":
        return raw
    if encoding not in ("gzip", "x-gzip"):
        raise UnsupportedMedia(f"the content encoding {encoding[:100]}", TAKES)
    try:
        return await _inflated(raw)
    except zlib.error:
        raise MalformedGzip("it is not, or more follows after its end") from None


async def _inflated(raw: bytes) -> bytes:
    """All members of the gzip, of which there may be many."""
    plain, member = bytearray(), zlib.decompressobj(_GZIP)
    for start in range(0, len(raw), SLICE):
        await asyncio.sleep(0)
        rest = raw[start : start + SLICE]
        while rest:
            if member.eof:
                member = zlib.decompressobj(_GZIP)
            plain += member.decompress(rest, LARGEST + 1 - len(plain))
            if len(plain) > LARGEST:
                raise TooLarge(LARGEST)
            rest = member.unused_data
    if raw and not member.eof:
        raise MalformedGzip("it ends too early")
    return bytes(plain)
