"""Moving the log through a file."""

from pathlib import Path

from attrs import define

from adapters.eventstore.export.file_format import Header
from adapters.eventstore.export.transfer import Imported, export_log, import_log
from adapters.eventstore.inspection.progress import Progress
from adapters.system.clock import SystemClock
from domain.timestamps import stamp
from entrypoints.cli.log.read_only_keys import closed_mapper
from entrypoints.engines.engine import engine_of
from entrypoints.settings.loading import Settings


@define
class NoSuchPositions(Exception):
    first: int
    last: int
    head: int

    def __str__(self) -> str:
        return f"there are no positions {self.first} to {self.last}: the log ends at {self.head}"


async def export(
    settings: Settings,
    path: Path,
    progress: Progress,
    *,
    first: int,
    last: int | None,
) -> Header:
    """Write the log, or a part of it, to a file.

    Raises:
        NoSuchPositions: The part is not in the log.
    """
    async with engine_of(settings).read_log(settings, closed_mapper()) as tools:
        head = await tools.log.head()
        upto = head if last is None else last
        if upto > head or first > upto + 1:
            raise NoSuchPositions(first, upto, head)
        created = stamp(SystemClock().now())
        header = Header(tools.engine, tools.log_id, tools.epoch, first, upto, created)
        await export_log(tools.log, path, header, progress)
        return header


async def take_over(settings: Settings, path: Path, progress: Progress) -> Imported:
    async with engine_of(settings).import_log(settings) as target:
        return await import_log(path, target, progress)
