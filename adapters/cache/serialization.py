"""Entries as bytes. The format has a number, which is part of every key: see `FORMAT`."""

from datetime import datetime
from typing import Any

import orjson

from adapters.cache.entry import Entry
from adapters.row_layouts.catalogue import PK, SK
from application.projections.progress import Reached
from domain.timestamps import moment, stamp

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
        at = None if said["at"] is None else _moment(said["at"])
        entry = Entry(tuple(rows), Reached(position, at), _moment(said["read_at"]))
    except (ValueError, TypeError, KeyError):
        return None
    is_one = isinstance(position, int) and all(map(_is_row, rows))
    return entry if is_one else None


def _moment(said: Any) -> datetime:
    found = moment(said)
    if found.tzinfo is None:
        raise ValueError(f"{said} is in no time zone")
    return found


def _is_row(said: Any) -> bool:
    return isinstance(said, dict) and PK in said and SK in said
