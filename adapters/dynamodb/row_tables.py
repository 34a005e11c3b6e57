"""
The tables of the rows on DynamoDB: made if they are missing and that is allowed.

Each is called as in the catalogue, after a prefix that keeps stores of one account apart.
"""

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from attrs import frozen
from botocore.exceptions import BotoCoreError, ClientError

from adapters.dynamodb.errors import DynamoError
from adapters.dynamodb.log_table import TableDiffers, TableMissing
from adapters.tables.catalogue import Billing, Table
from application.errors import Unavailable

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

READY_SECONDS = 120.0
LOOK_SECONDS = 0.2


@frozen
class RowTables:
    client: Callable[[], "DynamoDBClient"]
    prefix: str = ""
    may_create: bool = True

    def name(self, table: str) -> str:
        return self.prefix + table

    async def ensure(self, tables: Sequence[Table]) -> None:
        """Raises Unavailable if one is missing and may not be made, or is another one."""
        await asyncio.to_thread(self._translated, self._ensure, tables)

    async def drop(self, tables: Sequence[Table]) -> None:
        await asyncio.to_thread(self._translated, self._drop, tables)

    def _translated(self, work: Callable[[Sequence[Table]], None], tables: Sequence[Table]) -> None:
        try:
            work(tables)
        except (BotoCoreError, ClientError, DynamoError, TableDiffers, TableMissing) as error:
            raise Unavailable("a table of the read models", str(error)) from error

    def _ensure(self, tables: Sequence[Table]) -> None:
        made = [table for table in tables if self._described(table) is None and self._create(table)]
        for table in tables:
            self._until(self._is_ready, table)
        for table in made:
            self._let_rows_expire(table)
        for table in tables:
            found = tuple(differences(table, self._described(table) or {}))
            if found:
                raise TableDiffers(self.name(table.name), found)

    def _create(self, table: Table) -> bool:
        if not self.may_create:
            raise TableMissing(self.name(table.name))
        try:
            self.client().create_table(**description(table, self.name(table.name)))
        except self.client().exceptions.ResourceInUseException:
            return False  # Another process was faster: its table is as good.
        return True

    def _let_rows_expire(self, table: Table) -> None:
        if table.ttl is not None:
            self.client().update_time_to_live(
                TableName=self.name(table.name),
                TimeToLiveSpecification={"Enabled": True, "AttributeName": table.ttl},
            )

    def _drop(self, tables: Sequence[Table]) -> None:
        there = [table for table in tables if self._described(table) is not None]
        for table in there:
            self.client().delete_table(TableName=self.name(table.name))
        for table in there:
            self._until(self._is_gone, table)

    def _is_ready(self, table: Table) -> bool:
        return (self._described(table) or {}).get("TableStatus") in ("ACTIVE", "UPDATING")

    def _is_gone(self, table: Table) -> bool:
        return self._described(table) is None

    def _described(self, table: Table) -> dict[str, Any] | None:
        client = self.client()
        try:
            return dict(client.describe_table(TableName=self.name(table.name))["Table"])
        except client.exceptions.ResourceNotFoundException:
            return None

    def _until(self, holds: Callable[[Table], bool], table: Table) -> None:
        ends = time.monotonic() + READY_SECONDS
        while not holds(table):
            if time.monotonic() >= ends:
                raise Unavailable(f"the table {self.name(table.name)}", "it is not ready")
            time.sleep(LOOK_SECONDS)


def description(table: Table, name: str) -> Any:
    """How the table is made: on demand, so that nothing is throttled unmeasured (T6)."""
    indexed = [part for index in table.indexes for part in (index.hash, index.range)]
    return {
        "TableName": name,
        "BillingMode": str(Billing.ON_DEMAND),
        "KeySchema": _keys(table.hash, table.range),
        "AttributeDefinitions": [
            {"AttributeName": part, "AttributeType": "S"}
            for part in dict.fromkeys((table.hash, table.range, *indexed))
        ],
        **({"GlobalSecondaryIndexes": list(_indexes(table))} if table.indexes else {}),
    }


def differences(table: Table, described: dict[str, Any]) -> Iterator[str]:
    """In which keys and indexes the table is not as it must be, in words."""
    if described["KeySchema"] != _keys(table.hash, table.range):
        yield f"its key must be {table.hash} and {table.range}"
    for attribute in described["AttributeDefinitions"]:
        if attribute["AttributeType"] != "S":
            yield f"its key {attribute['AttributeName']} must be a string"
    there = {one["IndexName"]: one for one in described.get("GlobalSecondaryIndexes", ())}
    for index in table.indexes:
        found = there.get(index.name, {})
        if found.get("KeySchema") != _keys(index.hash, index.range):
            yield f"its index {index.name} must be on {index.hash} and {index.range}"


def _indexes(table: Table) -> Iterator[dict[str, Any]]:
    for index in table.indexes:
        yield {
            "IndexName": index.name,
            "KeySchema": _keys(index.hash, index.range),
            "Projection": {"ProjectionType": index.projection},
        }


def _keys(hash_key: str, range_key: str) -> list[dict[str, str]]:
    return [
        {"AttributeName": hash_key, "KeyType": "HASH"},
        {"AttributeName": range_key, "KeyType": "RANGE"},
    ]
