"""The engine on DynamoDB: several processes share the log and the tables."""

from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any

from attrs import frozen

from adapters.eventstore.export.transfer import Target
from adapters.eventstore.mapper import Mapper
from adapters.row_layouts.catalogue import BESIDE_READ_MODELS, CATALOGUE, EVIDENCE_CACHE
from entrypoints.cli.log.open_log import Tools
from entrypoints.cli.tables.declared import log_table
from entrypoints.cli.tables.inventory import Stock
from entrypoints.settings.loading import Settings
from entrypoints.wiring.locations import key_file, log_location

if TYPE_CHECKING:
    from entrypoints.container import Container

# The adapters of DynamoDB are slow to import: no other engine waits for them.


@frozen
class DynamoDbEngine:
    is_durable: bool = True
    is_shared: bool = True
    expires_rows: bool = True

    def describe(self, settings: Settings) -> str:
        tables = f"tables {settings.table_prefix}observability-…"
        return f"DynamoDB table {settings.dynamodb_table}, {tables}"

    def missing(self, settings: Settings) -> str | None:
        return None

    def has_personal_keys(self, settings: Settings) -> bool:
        return key_file(settings).exists()

    def store_id(self, settings: Settings, log: Any) -> str:
        return f"{settings.table_prefix}{log.identity.log_id}"

    def claim(self, container: "Container") -> None:
        container.folder()

    async def open_log(self, container: "Container") -> None:
        self.claim(container)
        # An unusable place for blobs is reported before a table is made.
        await container.log().payloads.check()
        await prepare_log(container.settings())
        await container.log().open()

    async def make_tables(self, container: "Container") -> None:
        may_create = container.settings().create_tables
        beside = BESIDE_READ_MODELS if may_create else (EVIDENCE_CACHE,)
        await container.bare_tables().ensure([*CATALOGUE, *beside])

    async def close(self, container: "Container") -> None:
        try:
            await container.snapshot_store().settle()
            await container.log().close()
            await container.log().table.transport.close()
        finally:
            container.folder().release()

    def tables(self, settings: Settings) -> Stock:
        from entrypoints.cli.tables.dynamodb_tables import DynamoStock

        return DynamoStock(settings)

    def read_log(self, settings: Settings, mapper: Mapper) -> AbstractAsyncContextManager[Tools]:
        from entrypoints.cli.log import dynamodb

        return dynamodb.reading(settings, mapper)

    def import_log(self, settings: Settings) -> AbstractAsyncContextManager[Target]:
        from entrypoints.cli.log import dynamodb

        return dynamodb.importing(settings)


async def prepare_log(settings: Settings) -> None:
    """Make the log's table if it is missing and may be made. Raises Unavailable."""
    from adapters.dynamodb.log.opening import prepare

    await prepare(
        log_location(settings), may_create=settings.create_tables, declared=log_table(settings)
    )
