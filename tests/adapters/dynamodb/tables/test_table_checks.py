"""
Copies and tags of tables, which DynamoDB Local knows nothing of.

moto stands in for these two calls alone; everything else about tables is tried on DynamoDB Local.
"""

import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from attrs import evolve, frozen
from moto.server import ThreadedMotoServer

from adapters.dynamodb.tables.creation import Making, ensure_tables, look_at_tables
from adapters.dynamodb.tables.table_calls import NotReady, TableCalls
from adapters.dynamodb.tables.table_description import description
from adapters.dynamodb.tables.table_differences import every_difference
from adapters.dynamodb.transport.errors import Away
from adapters.row_layouts.catalogue import DATASET_REGISTRY, HEALTH_CHECK, Table
from tests.adapters.dynamodb.support import dynamodb_local
from tests.adapters.dynamodb.support.fixtures import local_session

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


@pytest.fixture(scope="module")
def client() -> "Iterator[DynamoDBClient]":
    server = ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    try:
        yield local_session().client("dynamodb", endpoint_url=f"http://{host}:{port}")
    finally:
        server.stop()


@pytest.fixture
def table() -> Table:
    return evolve(DATASET_REGISTRY, name=dynamodb_local.unused_table("care"))


def told(client: "DynamoDBClient", table: Table) -> list[str]:
    (found,) = asyncio.run(look_at_tables(client, [table]))
    assert found is not None
    return list(every_difference(table, found))


def test_a_new_table_has_both(client: "DynamoDBClient", table: Table) -> None:
    asyncio.run(ensure_tables(client, [table], may_create=True))
    (found,) = asyncio.run(look_at_tables(client, [table]))
    assert found is not None
    assert found.restorable
    assert found.tags == {"application": "statestore", "classification": "CONFIDENTIAL"}
    assert told(client, table) == []


def test_what_is_missing_is_told_and_made_good_when_asked(
    client: "DynamoDBClient", table: Table
) -> None:
    """S0-290"""
    bare: Any = {key: value for key, value in description(table).items() if key != "Tags"}
    client.create_table(**bare, Tags=[{"Key": "classification", "Value": "PUBLIC"}])
    asyncio.run(ensure_tables(client, [table], may_create=True))
    assert told(client, table) == [
        "its point-in-time recovery is off, must be on",
        "its tag application is missing, must be statestore",
        "its tag classification is PUBLIC, must be CONFIDENTIAL",
    ]
    asyncio.run(ensure_tables(client, [table], may_create=True, complete=True))
    assert told(client, table) == []


def test_what_need_not_come_back_is_not_copied(client: "DynamoDBClient") -> None:
    table = evolve(HEALTH_CHECK, name=dynamodb_local.unused_table("care"))
    asyncio.run(ensure_tables(client, [table], may_create=True))
    (found,) = asyncio.run(look_at_tables(client, [table]))
    assert found is not None
    assert found.restorable is False
    assert told(client, table) == []


@frozen
class SlowBackups(TableCalls):
    """Backups of a new table are not ready at first, or never."""

    waits: list[str]

    def make_restorable(self) -> None:
        if self.waits:
            self.waits.pop()
            raise NotReady
        super().make_restorable()


@pytest.mark.parametrize(("looks", "ready"), [(3, True), (1000, False)])
def test_backups_that_are_not_ready_are_waited_for(
    client: "DynamoDBClient", table: Table, looks: int, ready: bool
) -> None:
    slept: list[float] = []
    slow = SlowBackups(client, table, ["not ready"] * looks)
    making = Making(slow, True, 10.0, now=lambda: sum(slept), sleep=slept.append)
    if ready:
        making.ensure()
        assert told(client, table) == []
        assert len(slept) == looks
    else:
        with pytest.raises(Away, match="backups are not ready"):
            making.ensure()
