"""The tables of a store on DynamoDB, the log's among them."""

from collections.abc import Awaitable, Mapping, Sequence
from typing import Any, TypeVar

from attrs import frozen

from adapters.dynamodb.log.opening import table_at
from adapters.dynamodb.rows.engine import DynamoEngine
from adapters.dynamodb.tables.creation import ensure_tables, look_at_tables
from adapters.dynamodb.tables.table_differences import (
    Found,
    TableDiffers,
    TableMissing,
    billing_of,
    every_difference,
    stream_of,
)
from adapters.dynamodb.transport.connecting import table_client
from adapters.dynamodb.transport.errors import DynamoError
from adapters.generations.generation_tables import Numbers
from adapters.generations.pointers import served
from adapters.row_layouts.catalogue import PROJECTION_STATE, Table
from application.errors import Unavailable
from entrypoints.cli.tables.declared import declared_tables
from entrypoints.cli.tables.inventory import Entry, Stocked
from entrypoints.cli.tables.served_generations import tables_read
from entrypoints.settings.loading import Settings
from entrypoints.wiring.locations import log_location, row_tables

WHERE = "DynamoDB"

T = TypeVar("T")


@frozen
class DynamoStock:
    settings: Settings

    @property
    def tables(self) -> Sequence[Table]:
        return declared_tables(self.settings)

    async def look(self, tables: Sequence[Table]) -> Sequence[Entry]:
        read = tables_read(tables, await self._numbers(), self.settings.table_prefix)
        looked_at = await self._found([one.table for one in read])
        return [
            Entry(one.table, None if found is None else _stocked(one.table, found), one.generation)
            for one, found in zip(read, looked_at, strict=True)
        ]

    async def create(self, tables: Sequence[Table]) -> Sequence[tuple[Table, bool]]:
        """Also switches on what tables that are there lack of copies, stream and tags."""
        ensuring = ensure_tables(self._client(), tables, may_create=True, complete=True)
        return [(one.table, one.made) for one in await self._answered(ensuring)]

    async def _numbers(self) -> Numbers:
        (pointers,) = await self._found([PROJECTION_STATE.prefixed(self.settings.table_prefix)])
        if pointers is None:
            return {}
        transport = table_at(log_location(self.settings)).transport
        try:
            return await served(DynamoEngine(transport, row_tables(self.settings)))
        finally:
            await transport.close()

    async def _found(self, tables: Sequence[Table]) -> Sequence[Found | None]:
        return await self._answered(look_at_tables(self._client(), tables))

    def _client(self) -> Any:
        try:
            return table_client(endpoint_url=self.settings.dynamodb_endpoint_url)
        except (DynamoError, ValueError) as error:
            raise Unavailable(WHERE, str(error)) from error

    async def _answered(self, call: Awaitable[T]) -> T:
        try:
            return await call
        except (DynamoError, TableDiffers, TableMissing) as error:
            raise Unavailable(WHERE, str(error)) from error


def _stocked(table: Table, found: Found) -> Stocked:
    described = found.described
    return Stocked(
        status=described["TableStatus"],
        rows=described.get("ItemCount", 0),
        bytes=described.get("TableSizeBytes", 0),
        differences=tuple(every_difference(table, found)),
        estimated=True,
        more=_more(found),
    )


def _more(found: Found) -> Mapping[str, Any]:
    described = found.described
    units = described.get("ProvisionedThroughput", {})
    indexes = described.get("GlobalSecondaryIndexes", ())
    return {
        "arn": described["TableArn"],
        "billing": billing_of(described),
        "read_units": units.get("ReadCapacityUnits"),
        "write_units": units.get("WriteCapacityUnits"),
        "indexes": {
            one["IndexName"]: {
                "status": one.get("IndexStatus"),
                "rows": one.get("ItemCount"),
                "bytes": one.get("IndexSizeBytes"),
            }
            for one in indexes
        },
        "ttl": found.ttl,
        "point_in_time_recovery": found.restorable,
        "stream": stream_of(described),
        "stream_arn": described.get("LatestStreamArn"),
        "tags": None if found.tags is None else dict(found.tags),
    }
