"""Rows of the evidence cache: each has a checksum, which is compared at every read."""

from zlib import crc32

import orjson

from adapters.evidence_archive.rows import from_row
from application.errors import Damaged
from domain.evidence.evidence import Evidence
from domain.timestamps import stamp


def checked_evidence(
    name: str, dataset: object, created_at: object, row: object, expected: object
) -> Evidence:
    """Raises Damaged if the row is damaged, or belongs to another dataset or time."""
    one = from_row(orjson.loads(checked_bytes(name, row, expected)))
    if (one.dataset, stamp(one.created_at)) != (dataset, created_at):
        raise Damaged(f"{name} in the evidence cache", "it lies where another belongs")
    return one


def checked_bytes(name: object, stored: object, expected: object) -> bytes:
    """Raises Damaged if the checksum differs."""
    # A damaged file may hold anything, whatever its schema says.
    if isinstance(name, str) and isinstance(stored, bytes) and checksum(name, stored) == expected:
        return stored
    raise Damaged(f"{name} in the evidence cache", "its checksum differs")


def checksum(name: str, stored: bytes) -> int:
    """Of the id as well: it is read from an index, which may lead to the row of another."""
    return crc32(stored, crc32(name.encode()))
