"""
Opening the event log for a command, as the settings say.

Reading is possible beside a running server. What writes needs a SQLite folder for itself; a
DynamoDB table may be shared.
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
async def reading(settings: Settings, mapper: Mapper) -> AsyncIterator[Tools]:
    """Open the log to read it. Nothing is created.

    Raises:
        NoLog: Nothing is kept where the settings point.
        Unavailable: The log cannot be read now.
    """
    match settings.engine:
        case Engine.EMBEDDED:
            opened = _reading_sqlite(settings, mapper)
        case Engine.DYNAMODB:
            from entrypoints.cli.log import dynamodb as on_dynamodb

            opened = on_dynamodb.reading(settings, mapper)
        case _:
            raise NoLog("memory: it ends with its process")
    async with opened as tools:
        yield tools


@asynccontextmanager
async def importing(settings: Settings) -> AsyncIterator[Target]:
    """Open the log to import into it; it is created if it is missing.

    Raises:
        FolderInUse: Another process owns the data folder.
        Unavailable: The log cannot be written now.
    """
    match settings.engine:
        case Engine.EMBEDDED:
            with _database(settings) as database:
                yield SqliteImport(SqliteLog(database))
        case Engine.DYNAMODB:
            from entrypoints.cli.log import dynamodb as on_dynamodb

            async with on_dynamodb.importing(settings) as target:
                yield target
        case _:
            raise NoLog("memory: it ends with its process")


@asynccontextmanager
async def mending(settings: Settings, tools: Tools) -> AsyncIterator[Mender]:
    """Raises FolderInUse if another process owns the data folder."""
    if tools.mender is not None:
        yield tools.mender
        return
    with _database(settings) as database:
        yield SqliteMender(database)


@asynccontextmanager
async def _reading_sqlite(settings: Settings, mapper: Mapper) -> AsyncIterator[Tools]:
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
