"""
Events as compact bytes: what is alike is compressed together, random ids lie raw beside it.

    format (1 byte)   checksum (4)   length of the ids (4)   ids   compressed(header, data, meta)

The header is JSON, a column for each thing: which stream, which version, which name, how long are
data, meta and id, and how far the event lies behind the batch's first position. The checksum
covers the place as well: bytes that were moved elsewhere are not believed.
"""

import asyncio
import struct
import zlib
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Any

import orjson
from attrs import define, frozen

from adapters.eventstore.log import NewEvent

FORMAT = 1

LARGEST_AT_ONCE = 100_000
"""More bytes than these are packed and unpacked on another thread: an event loop has to go on."""

_HEAD = struct.Struct(">BII")
_LENGTH = struct.Struct(">I")


@define
class Damaged(Exception):
    """Something stored is not what was written."""

    where: str
    reason: str

    def __str__(self) -> str:
        return f"{self.where} is damaged: {self.reason}"


@frozen
class Placed:
    """An event and how far it lies behind its batch's first position."""

    offset: int
    event: NewEvent


def pack(placed: Sequence[Placed], where: str) -> bytes:
    events = [one.event for one in placed]
    ids = b"".join([event.event_id for event in events])
    columns = orjson.dumps(_columns(placed, events))
    body = b"".join(
        [
            _LENGTH.pack(len(columns)),
            columns,
            *[event.data for event in events],
            *[event.meta for event in events],
        ]
    )
    rest = ids + zlib.compress(body)
    return _HEAD.pack(FORMAT, _checksum(where, rest), len(ids)) + rest


async def packed(placed: Sequence[Placed], where: str) -> bytes:
    """`pack`, without holding up the event loop for long."""
    if sum(len(one.event.data) for one in placed) <= LARGEST_AT_ONCE:
        return pack(placed, where)
    return await asyncio.to_thread(pack, placed, where)


def unpack(content: bytes, where: str) -> list[Placed]:
    """Raises Damaged if these are not the bytes that were packed for this place."""
    try:
        form, checksum, length = _HEAD.unpack_from(content)
        rest = content[_HEAD.size :]
        if form != FORMAT:
            raise Damaged(where, f"format {form} is not known to this release")
        if checksum != _checksum(where, rest):
            raise Damaged(where, "the checksum does not match")
        return list(_unpacked(rest[:length], zlib.decompress(rest[length:])))
    except (struct.error, zlib.error, ValueError, LookupError) as error:
        raise Damaged(where, repr(error)) from error


def _columns(placed: Sequence[Placed], events: Sequence[NewEvent]) -> dict[str, Any]:
    if len(placed) == 1:
        return _columns_of_one(placed[0])
    streams = {stream: at for at, stream in enumerate(dict.fromkeys(e.stream for e in events))}
    names = {name: at for at, name in enumerate(dict.fromkeys(e.name for e in events))}
    return {
        "streams": list(streams),
        "names": list(names),
        "s": [streams[event.stream] for event in events],
        "n": [names[event.name] for event in events],
        "v": [event.version for event in events],
        "o": [one.offset for one in placed],
        "d": [len(event.data) for event in events],
        "m": [len(event.meta) for event in events],
        "i": [len(event.event_id) for event in events],
    }


def _columns_of_one(placed: Placed) -> dict[str, Any]:
    """The same for a single event in a fifth of the time: nearly every span holds one."""
    event = placed.event
    return {
        "streams": [event.stream],
        "names": [event.name],
        "s": [0],
        "n": [0],
        "v": [event.version],
        "o": [placed.offset],
        "d": [len(event.data)],
        "m": [len(event.meta)],
        "i": [len(event.event_id)],
    }


def _unpacked(ids: bytes, body: bytes) -> Iterator[Placed]:
    (length,) = _LENGTH.unpack_from(body)
    after = _LENGTH.size + length
    of = orjson.loads(body[_LENGTH.size : after])
    data = _cut(body[after:], of["d"])
    meta = _cut(body[after + sum(of["d"]) :], of["m"])
    columns = zip(of["o"], of["s"], of["v"], of["n"], data, _cut(ids, of["i"]), meta, strict=True)
    for offset, stream, version, name, one, event_id, about in columns:
        event = NewEvent(of["streams"][stream], version, of["names"][name], one, event_id, about)
        yield Placed(offset, event)


def _cut(content: bytes, lengths: Sequence[int]) -> list[bytes]:
    return [content[start:end] for start, end in pairwise(accumulate(lengths, initial=0))]


def _checksum(where: str, content: bytes) -> int:
    return zlib.crc32(content, zlib.crc32(where.encode()))
