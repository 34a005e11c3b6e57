"""DynamoDB Local for one benchmark: started when it is first asked, gone afterwards."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from adapters.dynamodb.log.log import DynamoLog
from adapters.dynamodb.transport.capacity_meter import CapacityMeter
from tests.adapters.dynamodb.log.logs import open_log, retrying, sends_once, shared_table
from tests.adapters.dynamodb.support import dynamodb_local
from tests.adapters.dynamodb.support.fixtures import client


@contextmanager
def dynamodb() -> Iterator[None]:
    """The next benchmark gets a server of its own: nothing remembers this one's address."""
    try:
        yield
    finally:
        dynamodb_local.end()
        client.cache_clear()
        shared_table.cache_clear()


@asynccontextmanager
async def plain_log() -> AsyncIterator[DynamoLog]:
    """A new log, as a server has it."""
    async with open_log(dynamodb_local.unused_table("bench")) as log:
        yield log


@asynccontextmanager
async def metered_log(name: str | None = None) -> AsyncIterator[tuple[DynamoLog, CapacityMeter]]:
    """A log, a new one unless named, and what its calls cost by AWS's rules."""
    meter = CapacityMeter(retrying(sends_once()))
    async with open_log(name or dynamodb_local.unused_table("bench"), meter) as log:
        yield log, meter


def on_tables_of_its_own(folder: Path) -> dict[str, str]:
    """What a store needs to be told to stand on DynamoDB Local, log and rows."""
    return {
        "STATESTORE_ENGINE": "dynamodb",
        "STATESTORE_DATA_DIR": str(folder),
        "STATESTORE_DYNAMODB_ENDPOINT_URL": dynamodb_local.endpoint(),
        "STATESTORE_TABLE_PREFIX": dynamodb_local.unused_table("bench") + "-",
        "STATESTORE_PROVISIONED_TABLES": "none",
    }
