"""Events as they are recorded, a line each."""

import asyncio
from collections.abc import AsyncIterator, Callable

import orjson
from attrs import frozen

from adapters.eventstore.export.file_format import to_line
from adapters.eventstore.inspection.readability import Readability
from adapters.eventstore.log import LogEntry
from adapters.eventstore.mapper import Mapper
from domain.timestamps import stamp
from entrypoints.cli.log.open_log import ReadLog
from entrypoints.engines.engine import engine_of
from entrypoints.settings.loading import Settings

PAGE = 500
LOOKS_FOR = 60.0
LONGEST_SUMMARY = 100
_SEALED = "sealed."


async def tail(
    settings: Settings,
    mapper: Mapper,
    tell: Callable[[str], None],
    *,
    last: int,
    follow: bool,
    as_json: bool,
) -> None:
    readable = Readable(mapper)
    async with engine_of(settings).read_log(settings, mapper) as tools:
        async for entry in entries(tools.log, last=last, follow=follow):
            tell(orjson.dumps(to_line(entry)).decode() if as_json else readable.line(entry))


async def entries(log: ReadLog, *, last: int, follow: bool) -> AsyncIterator[LogEntry]:
    """The last ones, then, if asked to follow, what is recorded from now on, without an end."""
    reached = max(await log.head() - last, 0)
    while True:
        page = await log.read(reached, PAGE)
        for entry in page:
            yield entry
            reached = entry.position
        if not page:
            if not follow:
                return
            await log.beyond(reached, timeout=LOOKS_FOR)
            await asyncio.sleep(0)


@frozen
class Readable:
    """Says an entry in one line. Who did it is opened, what else was sealed stays so."""

    mapper: Mapper

    def line(self, entry: LogEntry) -> str:
        where = f"{entry.position:>8}  {stamp(entry.recorded_at)}  {entry.stream}@{entry.version}"
        told = f"{where}  {entry.name}  {self._who(entry)}  {summary(entry.data)}"
        # What people wrote must not reach beyond its line, nor steer the terminal.
        return "".join(one if one.isprintable() else "·" for one in told).rstrip()

    def _who(self, entry: LogEntry) -> str:
        reason = Readability(self.mapper)(entry)
        return f"unreadable: {reason}" if reason else self.mapper.recorded(entry).by or "-"


def summary(data: bytes) -> str:
    """The first few values of a fact, as they are stored."""
    try:
        stored = orjson.loads(data)
    except ValueError:
        return f"{len(data)} bytes"
    if not isinstance(stored, dict):
        return _short(stored)
    told = " ".join(f"{name}={_short(value)}" for name, value in stored.items())
    return told if len(told) <= LONGEST_SUMMARY else told[: LONGEST_SUMMARY - 1] + "…"


def _short(value: object) -> str:
    if isinstance(value, str):
        return "(sealed)" if value.startswith(_SEALED) else value
    if isinstance(value, dict | list):
        return "{…}" if isinstance(value, dict) else f"[{len(value)}]"
    return orjson.dumps(value).decode()
