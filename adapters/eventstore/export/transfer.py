"""
Moving a log through a file: out of one engine, into another.

An import stores every entry at its own position, with its own moment and id. It goes on where the
log ends, so that one that was interrupted can be run again.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Protocol

from attrs import define, frozen

from adapters.eventstore.export.file_format import Header
from adapters.eventstore.export.reader import ExportReader
from adapters.eventstore.export.writer import writing
from adapters.eventstore.inspection.progress import Progress
from adapters.eventstore.log import LogEntry

PAGE = 500
_MISSING = "it is missing in the log: look at it with log check"


class Source(Protocol):
    async def read(self, after: int, limit: int) -> Sequence[LogEntry]:
        """Entries with position > after, in order."""
        ...


class Target(Source, Protocol):
    """A log that takes entries over from another one. Nobody else may write to it meanwhile."""

    async def head(self) -> int:
        """The last position, 0 for an empty log."""
        ...

    async def store(self, entries: Sequence[LogEntry]) -> None:
        """Store entries as they are, positions and moments included, right behind the end.

        What is stored when this fails is a beginning of them.

        Raises:
            OutOfPlace: They do not follow what is there.
            StreamConflict: One of them does not continue its stream.
            Unavailable: The engine cannot write now.
            OutcomeUnknown: Some may or may not have been stored.
        """
        ...


@define
class OutOfPlace(Exception):
    """Entries do not follow each other, or do not follow what is there."""

    position: int
    reason: str

    def __str__(self) -> str:
        return f"position {self.position}: {self.reason}"


@frozen
class Imported:
    """How many entries were stored, and how many had been there before."""

    header: Header
    stored: int
    found: int


# Out.


async def export_log(source: Source, path: Path, header: Header, progress: Progress) -> None:
    """Write the header's positions to a file.

    Raises:
        OutOfPlace: One of them is missing in the log.
    """
    progress.begin("exporting", header.events)
    with writing(path, header) as file:
        reached = header.first - 1
        while reached < header.last:
            page = await source.read(reached, min(PAGE, header.last - reached))
            for expected, entry in enumerate(page, reached + 1):
                if entry.position != expected:
                    raise OutOfPlace(expected, _MISSING)
                file.add(entry)
            if not page:
                raise OutOfPlace(reached + 1, _MISSING)
            reached = page[-1].position
            progress.reached(reached - header.first + 1)


# In.


async def import_log(path: Path, target: Target, progress: Progress) -> Imported:
    """Take a whole file over, or what of it the log does not have yet.

    Raises:
        BadExport: The file was cut short or changed; nothing was stored.
        OutOfPlace: The log is neither empty nor a beginning of what the file holds.
    """
    header = _checked(path, progress)
    head = await target.head()
    await _refuse_another(path, header, target, head)
    progress.begin("importing", header.events)
    reached = min(max(head, header.first - 1), header.last)
    for page in _pages(path, reached):
        await target.store(page)
        progress.reached(page[-1].position - header.first + 1)
    return Imported(header, header.last - reached, reached - header.first + 1)


def _checked(path: Path, progress: Progress) -> Header:
    reader = ExportReader(path)
    header = reader.header()
    progress.begin("checking the file", header.events)
    for entry in reader.entries():
        progress.reached(entry.position - header.first + 1)
    return header


async def _refuse_another(path: Path, header: Header, target: Target, head: int) -> None:
    """The last entry that both have must be the same one."""
    if head < header.first - 1:
        said = f"the log ends at {head}, the file begins at {header.first}"
        raise OutOfPlace(header.first, said)
    common = min(head, header.last)
    if common < header.first:
        return
    stored = await target.read(common - 1, 1)
    for entry in ExportReader(path).entries():
        if entry.position == common:
            if list(stored) != [entry]:
                raise OutOfPlace(common, "the log has another event there")
            return


def _pages(path: Path, after: int) -> Iterator[list[LogEntry]]:
    entries = (entry for entry in ExportReader(path).entries() if entry.position > after)
    while page := list(islice(entries, PAGE)):
        yield page
