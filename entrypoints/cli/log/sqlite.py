"""
The event log in a SQLite file, opened for a command.

Reading is possible beside a running server. Writing needs the folder.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from adapters.eventstore.export.transfer import Target
from adapters.eventstore.inspection.inspector import Mender
from adapters.eventstore.inspection.progress import Progress
from adapters.eventstore.inspection.readability import Readability
from adapters.eventstore.log_stats import LogStats
from adapters.eventstore.mapper import Mapper
from adapters.sqlite.connection.database import Database
from adapters.sqlite.log.importing import SqliteImport
from adapters.sqlite.log.inspection import SqliteInspector, SqliteMender
from adapters.sqlite.log.log import SqliteLog
from adapters.sqlite.log.read_only import LogBeside, read_file
from adapters.sqlite.log.stats import sqlite_stats
from entrypoints.cli.log.open_log import APPLICATION, NoLog, Tools
from entrypoints.settings.loading import Engine, Settings
from entrypoints.wiring.locations import store_file


@asynccontextmanager
async def importing(settings: Settings) -> AsyncIterator[Target]:
    with _database(settings) as database:
        yield SqliteImport(SqliteLog(database))


@asynccontextmanager
async def mending(settings: Settings, tools: Tools) -> AsyncIterator[Mender]:
    """Raises FolderInUse if another process owns the data folder."""
    if tools.mender is not None:
        yield tools.mender
        return
    with _database(settings) as database:
        yield SqliteMender(database)


@asynccontextmanager
async def reading(settings: Settings, mapper: Mapper) -> AsyncIterator[Tools]:
    path = store_file(settings)
    if not path.exists():
        raise NoLog(str(path))
    with read_file(path, busy_timeout=settings.busy_timeout_seconds) as file:
        log = LogBeside.of(file, APPLICATION)

        async def stats(progress: Progress) -> LogStats:
            progress.begin("reading the file")
            return sqlite_stats(log)

        yield Tools(
            where=str(path),
            engine=Engine.EMBEDDED,
            log_id=None,
            epoch=1,
            log=log,
            inspector=SqliteInspector(log, Readability(mapper)),
            mender=None,
            stats=stats,
            units=lambda: None,
        )


def _database(settings: Settings) -> Database:
    return Database.open(store_file(settings), busy_timeout=settings.busy_timeout_seconds)
