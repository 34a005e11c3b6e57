"""Entries as bytes. The format has a number, which is part of every key: see `FORMAT`."""

from datetime import datetime
from typing import Any

import orjson

from adapters.caching.entry import Entry
from application.projections.progress import Reached
from domain.moments import moment, stamp

FORMAT = 1
"""To be raised with every change of what is packed, rows included: then old ones are not read."""


def packed(entry: Entry) -> bytes:
    at = entry.reached.at
    return orjson.dumps(
        {
            "rows": list(entry.rows),
            "position": entry.position,
            "at": stamp(at) if at else None,
            "read_at": stamp(entry.read_at),
        }
    )


def unpacked(content: bytes) -> Entry | None:
    """The entry; nothing if that is none."""
    try:
        said = orjson.loads(content)
        rows, position = said["rows"], said["position"]
        reached = Reached(position, _moment_or_none(said["at"]))
        entry = Entry(tuple(rows), reached, moment(said["read_at"]))
    except (ValueError, TypeError, KeyError):
        return None
    is_one = isinstance(position, int) and all(isinstance(row, dict) for row in rows)
    return entry if is_one else None


def _moment_or_none(said: Any) -> datetime | None:
    return None if said is None else moment(said)
