"""The log's table is made or checked at the start (S2-55, S2-82, S2-85, S2-86)."""

import asyncio
from typing import Any

import pytest
from attrs import evolve
from botocore.config import Config

from adapters.dynamodb.errors import Away, Rejected
from adapters.dynamodb.log_table import LogTable, TableDiffers, TableMissing, differences
from adapters.dynamodb.tables import Making, ensure_table
from tests.adapters.dynamodb import local
from tests.adapters.dynamodb.ground import client, local_session, new_table


@pytest.fixture
def table() -> LogTable:
    return LogTable(local.unused_table("log"))


def ensure(table: LogTable, *, may_create: bool = True) -> None:
    asyncio.run(ensure_table(client(), table, may_create=may_create))


def test_a_missing_table_is_made_as_declared(table: LogTable) -> None:
    ensure(table)
    described = client().describe_table(TableName=table.name)["Table"]
    assert described["TableStatus"] == "ACTIVE"
    assert list(differences(table, dict(described), "ttl")) == []
    ttl = client().describe_time_to_live(TableName=table.name)["TimeToLiveDescription"]
    assert ttl == {"TimeToLiveStatus": "ENABLED", "AttributeName": "ttl"}


def test_a_table_that_is_there_is_left_alone(table: LogTable) -> None:
    ensure(table)
    item: Any = {"PK": {"S": "a"}, "SK": {"N": "1"}}
    client().put_item(TableName=table.name, Item=item)
    ensure(table)
    ensure(table, may_create=False)
    assert client().get_item(TableName=table.name, Key=item)["Item"] == item


def test_many_processes_may_start_at_once(table: LogTable) -> None:
    async def scene() -> None:
        await asyncio.gather(*(ensure_table(client(), table, may_create=True) for _ in range(8)))

    asyncio.run(scene())
    ensure(table, may_create=False)


def test_a_missing_table_is_not_made_unasked(table: LogTable) -> None:
    with pytest.raises(TableMissing, match="STATESTORE_CREATE_TABLES"):
        ensure(table, may_create=False)
    with pytest.raises(client().exceptions.ResourceNotFoundException):
        client().describe_table(TableName=table.name)


def test_a_creation_that_was_interrupted_is_finished() -> None:
    table = LogTable(new_table("log"))
    with pytest.raises(TableDiffers, match="time to live is off"):
        ensure(table, may_create=False)
    ensure(table)
    ensure(table, may_create=False)


@pytest.mark.parametrize("may_create", [True, False])
def test_all_differences_are_told_at_once(table: LogTable, may_create: bool) -> None:
    client().create_table(
        TableName=table.name,
        KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "B"}],
        ProvisionedThroughput={"ReadCapacityUnits": 1, "WriteCapacityUnits": 1},
    )
    client().update_time_to_live(
        TableName=table.name,
        TimeToLiveSpecification={"Enabled": True, "AttributeName": "ends"},
    )
    with pytest.raises(TableDiffers) as caught:
        ensure(table, may_create=may_create)
    assert caught.value.differences == (
        "its key is id (B), must be PK (S) and SK (N)",
        "its billing is PROVISIONED, must be PAY_PER_REQUEST",
        "its time to live is on ends, must be on ttl",
    )
    assert table.name in str(caught.value)


ON_DEMAND = {"BillingMode": "PAY_PER_REQUEST"}
PROVISIONED = {"ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}}


@pytest.mark.parametrize(("key", "billing"), [("id", ON_DEMAND), ("PK", PROVISIONED)])
def test_a_table_of_others_is_refused_and_stays_as_it_is(
    table: LogTable, key: str, billing: Any
) -> None:
    client().create_table(
        TableName=table.name,
        KeySchema=[
            {"AttributeName": key, "KeyType": "HASH"},
            {"AttributeName": "SK", "KeyType": "RANGE"},
        ],
        AttributeDefinitions=[
            {"AttributeName": key, "AttributeType": "S"},
            {"AttributeName": "SK", "AttributeType": "N"},
        ],
        **billing,
    )
    with pytest.raises(TableDiffers, match="time to live is off"):
        ensure(table)
    ttl = client().describe_time_to_live(TableName=table.name)["TimeToLiveDescription"]
    assert ttl["TimeToLiveStatus"] == "DISABLED"


def test_a_name_that_cannot_be_is_refused(table: LogTable) -> None:
    with pytest.raises(Rejected, match="Validation"):
        ensure(evolve(table, name="no spaces please"))


def test_dynamodb_that_is_not_there_is_told(table: LogTable) -> None:
    away = local_session().client(
        "dynamodb",
        endpoint_url=f"http://127.0.0.1:{local.free_port()}",
        config=Config(retries={"total_max_attempts": 1}),
    )
    with pytest.raises(Away):
        asyncio.run(ensure_table(away, table, may_create=True))


def test_a_table_that_does_not_get_ready_is_waited_for_until_the_deadline(
    table: LogTable,
) -> None:
    slept: list[float] = []
    making = Making(client(), table, True, ends=1.0, now=lambda: sum(slept), sleep=slept.append)
    with pytest.raises(Away, match="not ready"):
        making._until_active()
    assert 0.5 < sum(slept) < 1.0
