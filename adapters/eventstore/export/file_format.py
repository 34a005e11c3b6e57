"""
A log as one file that moves between engines: gzip around JSON, a line for each thing.

    {"format": "statestore-log", "version": 1, "engine": …, "log": …, "epoch": …,
     "first": 1, "last": 17, "created_at": …}
    {"p": 1, "at": "2026-01-15T10:00:00.000Z", "s": stream, "v": 1, "n": name,
     "d": data, "i": event id (hex), "m": meta}
    {"events": 17, "sha256": of all lines before}

Data and meta are kept as the text they are, or as base64 (`d64`, `m64`) if they are none. Sealed
values stay sealed. Without the last line a file is not believed.
"""

from base64 import b64decode, b64encode
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import define, frozen

from adapters.eventstore.log import LogEntry
from domain.timestamps import moment, stamp

FORMAT, VERSION = "statestore-log", 1


@define
class BadExport(Exception):
    """The file is not what an export has written."""

    path: Path
    reason: str

    def __str__(self) -> str:
        return f"{self.path} cannot be used: {self.reason}"


@frozen
class Header:
    """Where the entries come from, and which they are: positions `first` to `last`."""

    engine: str
    log: str | None
    epoch: int
    first: int
    last: int
    created_at: str

    @property
    def events(self) -> int:
        return self.last - self.first + 1


# Lines.


def to_line(entry: LogEntry) -> dict[str, Any]:
    return {
        "p": entry.position,
        "at": stamp(entry.recorded_at),
        "s": entry.stream,
        "v": entry.version,
        "n": entry.name,
        **_written("d", entry.data),
        "i": entry.event_id.hex(),
        **_written("m", entry.meta),
    }


def to_entry(line: Mapping[str, Any]) -> LogEntry:
    return LogEntry(
        position=line["p"],
        recorded_at=moment(line["at"]),
        stream=line["s"],
        version=line["v"],
        name=line["n"],
        data=_read("d", line),
        event_id=bytes.fromhex(line["i"]),
        meta=_read("m", line),
    )


def _written(name: str, value: bytes) -> dict[str, str]:
    try:
        return {name: value.decode()}
    except UnicodeDecodeError:
        return {f"{name}64": b64encode(value).decode()}


def _read(name: str, line: Mapping[str, Any]) -> bytes:
    return line[name].encode() if name in line else b64decode(line[f"{name}64"])
