"""The event log on DynamoDB, opened for a command: a table may be shared with servers."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from adapters.dynamodb.items.item_table import ItemTable
from adapters.dynamodb.log.keys import Keys
from adapters.dynamodb.log.log import DynamoLog
from adapters.dynamodb.log.opening import table_at
from adapters.dynamodb.log.payloads import Payloads
from adapters.dynamodb.log_maintenance.importing import DynamoImport
from adapters.dynamodb.log_maintenance.inspection import DynamoInspector
from adapters.dynamodb.log_maintenance.repair import DynamoMender
from adapters.dynamodb.log_maintenance.stats import dynamo_stats
from adapters.dynamodb.retry.retry_policy import Patience
from adapters.dynamodb.transport.capacity_meter import CapacityMeter
from adapters.eventstore.export.transfer import Target
from adapters.eventstore.inspection.readability import Readability
from adapters.eventstore.mapper import Mapper
from entrypoints.cli.log.open_log import APPLICATION, NoLog, Tools
from entrypoints.engines.dynamodb import prepare_log
from entrypoints.settings.loading import Engine, Settings
from entrypoints.wiring.locations import blob_store, log_location

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
