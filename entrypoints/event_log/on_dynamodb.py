"""The event log on DynamoDB, opened for a command: a table may be shared with servers."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

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
from adapters.eventstore.mapper import Mapper
from adapters.eventstore.portable.moving import Target
from adapters.eventstore.readability import Readability
from entrypoints.event_log.tools import APPLICATION, NoLog, Tools
from entrypoints.opening import prepare_log
from entrypoints.places import blob_store, log_location
from entrypoints.settings import Engine, Settings

UNHURRIED = Patience(deadline=180.0, reply=60.0)
"""Whoever looks after a log waits longer than a caller: pages of a scan are large."""


@asynccontextmanager
async def reading(settings: Settings, mapper: Mapper) -> AsyncIterator[Tools]:
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
async def importing(settings: Settings) -> AsyncIterator[Target]:
    await Payloads(blob_store(settings)).check()
    await prepare_log(settings)
    async with _dynamo_log(settings, table_at(log_location(settings), UNHURRIED)) as log:
        yield DynamoImport(log)


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
