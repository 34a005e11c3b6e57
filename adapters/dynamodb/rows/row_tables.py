"""
The tables of the rows on DynamoDB: made if they are missing and that is allowed.

Each is called as in the catalogue, after a prefix that keeps stores of one account apart.
"""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from attrs import frozen

from adapters.dynamodb.tables.creation import ensure_tables
from adapters.dynamodb.tables.table_calls import translated
from adapters.dynamodb.tables.table_differences import TableDiffers, TableMissing
from adapters.dynamodb.transport.errors import DynamoError
from adapters.row_layouts.billing import billed
from adapters.row_layouts.catalogue import Table
from application.errors import Unavailable

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


@frozen
class RowTables:
    client: Callable[[], "DynamoDBClient"]
    prefix: str = ""
    may_create: bool = True
    provisioned: str | None = None
    """Which have provisioned capacity, as the setting says it."""

    def name(self, table: str) -> str:
        return self.prefix + table

    async def ensure(self, tables: Sequence[Table]) -> None:
        """Raises Unavailable if one is missing and may not be made, or is another one."""
        try:
            await ensure_tables(
                self.client(),
                billed(tables, self.provisioned),
                self.prefix,
                may_create=self.may_create,
            )
        except (DynamoError, TableDiffers, TableMissing, ValueError) as error:
            raise Unavailable("the tables of the read models", str(error)) from error

    async def drop(self, tables: Sequence[Table]) -> None:
        try:
            await asyncio.to_thread(partial(translated, partial(self._drop, tables)))
        except DynamoError as error:
            raise Unavailable("the tables of the read models", str(error)) from error

    def _drop(self, tables: Sequence[Table]) -> None:
        client = self.client()
        for table in tables:
            try:
                client.delete_table(TableName=self.name(table.name))
            except client.exceptions.ResourceNotFoundException:
                continue
            gone = client.get_waiter("table_not_exists")
            gone.wait(
                TableName=self.name(table.name), WaiterConfig={"Delay": 1, "MaxAttempts": 120}
            )
