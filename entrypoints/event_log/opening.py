"""
Opening the event log for a command, as the settings say.

Reading is possible beside a running server. What writes needs a SQLite folder for itself; a
DynamoDB table may be shared.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Protocol

from attrs import define, frozen

from adapters.dynamodb.capacity import Units
from adapters.dynamodb.capacity_meter import CapacityMeter
from adapters.dynamodb.importing import DynamoImport
from adapters.dynamodb.inspection import DynamoInspector
from adapters.dynamodb.item_table import ItemTable
from adapters.dynamodb.keys import Keys
from adapters.dynamodb.log import DynamoLog
from adapters.dynamodb.log_stats import dynamo_stats
from adapters.dynamodb.opening import table_at
from adapters.dynamodb.patience import Patience
from adapters.dynamodb.payloads import Payloads
from adapters.dynamodb.repair import DynamoMender
from adapters.eventstore.inspection import Inspector, Mender
from adapters.eventstore.log_stats import LogStats
from adapters.eventstore.mapper import Mapper
from adapters.eventstore.portable.moving import Source, Target
from adapters.eventstore.progress import Progress
from adapters.eventstore.readability import Readability
from adapters.sqlite.beside import LogBeside, read_file
from adapters.sqlite.database import Database
from adapters.sqlite.importing import SqliteImport
from adapters.sqlite.inspection import SqliteInspector, SqliteMender
from adapters.sqlite.log import SqliteLog
from adapters.sqlite.log_stats import sqlite_stats
from entrypoints.opening import prepare_log
from entrypoints.places import blob_store, log_location, store_file
from entrypoints.settings import Engine, Settings

APPLICATION = "statestore"

UNHURRIED = Patience(deadline=180.0, reply=60.0)
"""Whoever looks after a log waits longer than a caller: pages of a scan are large."""


@define
class NoLog(Exception):
    where: str

    def __str__(self) -> str:
        return f"there is no event log in {self.where}"


class ReadLog(Source, Protocol):
    async def head(self) -> int:
        """The last durable position, 0 for an empty log."""
        ...

    async def beyond(self, position: int, *, timeout: float) -> bool:
        """Wait until the head exceeds the position; False when the time is up first."""
        ...


@frozen
class Tools:
    """A log that is open for reading, and what can be asked about it."""

    where: str
    engine: Engine
    log_id: str | None
    epoch: int
    log: ReadLog
    inspector: Inspector
    mender: Mender | None
    """Nothing where mending needs the store for itself."""
    stats: Callable[[Progress], Awaitable[LogStats]]
    units: Callable[[], Units | None]
    """What this command has spent so far, where that is counted."""


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
            opened = _reading_dynamodb(settings, mapper)
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
            await Payloads(blob_store(settings)).check()
            await prepare_log(settings)
            async with _dynamo_log(settings, table_at(log_location(settings), UNHURRIED)) as log:
                yield DynamoImport(log)
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


@asynccontextmanager
async def _reading_dynamodb(settings: Settings, mapper: Mapper) -> AsyncIterator[Tools]:
    location = log_location(settings)
    meter = CapacityMeter(table_at(location, UNHURRIED).transport)
    table, where = ItemTable(meter, location.table), f"the table {location.table}"
    async with _dynamo_log(settings, table, must_exist=where) as log:
        yield Tools(
            where=where,
            engine=Engine.DYNAMODB,
            log_id=log.identity.log_id,
            epoch=log.keys.epoch,
            log=log,
            inspector=DynamoInspector(log.reader, Readability(mapper), log.identity.blobs),
            mender=DynamoMender(log.reader),
            stats=lambda progress: dynamo_stats(log.reader, progress),
            units=meter.total,
        )


@asynccontextmanager
async def _dynamo_log(
    settings: Settings, table: ItemTable, *, must_exist: str | None = None
) -> AsyncIterator[DynamoLog]:
    try:
        # Opening a log begins it; a command that only looks must not.
        if must_exist and await table.get(Keys(APPLICATION).identity) is None:
            raise NoLog(must_exist)
        log = DynamoLog(table, APPLICATION, blobs=blob_store(settings))
        await log.open(find_end=must_exist is None)
        yield log
        await log.close()
    finally:
        await table.transport.close()


def _database(settings: Settings) -> Database:
    return Database.open(store_file(settings), busy_timeout=settings.busy_timeout_seconds)
