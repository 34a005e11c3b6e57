"""
The form of every object in the archive: rows in blocks, an index of the blocks, a trailer.

    block block … index trailer

A block is JSON rows, compressed, small enough to be read for the sake of one row. The index says
where each block lies, its checksum, and the keys of its first and last row. The trailer has a fixed
size, says which format this is, and where the index starts. Every byte is under a checksum.
"""

import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import orjson
from attrs import field, frozen

from application.errors import Damaged, NotReadable

Row = list[Any]

FORMAT = 1
RAW_BLOCK = 64 * 1024

_MAGIC = b"SSEVID"
_TOLD = struct.Struct(">6sHII")
_CHECK = struct.Struct(">I")
TRAILER = _TOLD.size + _CHECK.size
_LEVEL = 1
"""A sixth larger than the usual 6, in a third of the time."""


@frozen
class Block:
    data: bytes
    rows: int
    first: str
    last: str


@frozen
class Span:
    """Where a block lies."""

    start: int
    length: int
    checksum: int
    rows: int
    first: str
    last: str


@frozen
class Top:
    """What is known about an object without its rows."""

    name: str
    spans: Sequence[Span]
    lasts: Sequence[str] = field(eq=False, repr=False)


def blocks_of(rows: Iterable[Row], key: Callable[[Row], str]) -> Iterator[Block]:
    waiting: list[Row] = []
    written: list[bytes] = []
    size = 0
    for row in rows:
        waiting.append(row)
        written.append(orjson.dumps(row))
        size += len(written[-1])
        if size >= RAW_BLOCK:
            yield _block(waiting, written, key)
            waiting, written, size = [], [], 0
    if waiting:
        yield _block(waiting, written, key)


def _block(rows: list[Row], written: list[bytes], key: Callable[[Row], str]) -> Block:
    data = zlib.compress(b"[" + b",".join(written) + b"]", _LEVEL)
    return Block(data, len(rows), key(rows[0]), key(rows[-1]))


def sealed(stem: str, blocks: Iterable[Block]) -> bytes:
    """The whole object. It says under which name it was put, so that no other is taken for it."""
    start, spans, parts = 0, [], []
    for block in blocks:
        checksum = zlib.crc32(block.data)
        spans.append((start, len(block.data), checksum, block.rows, block.first, block.last))
        parts.append(block.data)
        start += len(block.data)
    index = zlib.compress(orjson.dumps([stem, spans]), _LEVEL)
    told = _TOLD.pack(_MAGIC, FORMAT, len(index), zlib.crc32(index))
    return b"".join((*parts, index, told, _CHECK.pack(zlib.crc32(told))))


def index_length(name: str, tail: bytes) -> int:
    """How many bytes before the trailer are the index, as the trailer says."""
    return _trailer(name, tail)[0]


def top_of(name: str, stem: str, tail: bytes) -> Top:
    """The index, from an end of the object that holds all of it."""
    length, checksum = _trailer(name, tail)
    index = tail[-TRAILER - length : -TRAILER]
    if len(index) != length or zlib.crc32(index) != checksum:
        raise damaged(name, "its index is not what was written")
    told, spans = orjson.loads(zlib.decompress(index))
    if told != stem:
        raise damaged(name, f"it was written as {told}")
    return Top(name, [Span(*span) for span in spans], [span[-1] for span in spans])


def rows_of(name: str, span: Span, data: bytes) -> list[Row]:
    if len(data) != span.length or zlib.crc32(data) != span.checksum:
        raise damaged(name, f"the block at {span.start} is not what was written")
    rows: list[Row] = orjson.loads(zlib.decompress(data))
    return rows


def all_rows(top: Top, whole: bytes) -> Iterator[Row]:
    """Row by row, a block at a time."""
    for span in top.spans:
        yield from rows_of(top.name, span, whole[span.start : span.start + span.length])


def damaged(name: str, reason: str) -> Damaged:
    return Damaged(f"{name} in the evidence archive", f"{reason}: restore it from a copy")


def _trailer(name: str, tail: bytes) -> tuple[int, int]:
    told, check = tail[-TRAILER : -_CHECK.size], tail[-_CHECK.size :]
    if len(tail) < TRAILER or _CHECK.pack(zlib.crc32(told)) != check:
        raise damaged(name, "it does not end as it was written")
    magic, version, length, checksum = _TOLD.unpack(told)
    if magic != _MAGIC or version != FORMAT:
        raise NotReadable(f"{name} in the evidence archive", f"it has the format {version}")
    return length, checksum
