"""Tables are made or checked at the start (S2-55, S2-82, S2-85, S2-86, S0-120)."""

import asyncio
from typing import Any

import pytest
from attrs import evolve
from botocore.config import Config

from adapters.dynamodb.tables.creation import Ensured, Making, ensure_tables, look_at_tables
from adapters.dynamodb.tables.table_calls import TableCalls
from adapters.dynamodb.tables.table_description import description
from adapters.dynamodb.tables.table_differences import (
    Found,
    TableDiffers,
    TableMissing,
    billing_of,
    every_difference,
)
from adapters.dynamodb.transport.errors import Away, Rejected
from adapters.row_layouts.catalogue import (
    DATASET_REGISTRY,
    EVENT_LOG,
    EVERY_TABLE,
    INCIDENT_INDEX,
    Billing,
    Stream,
    Table,
    Throughput,
)
from tests.adapters.dynamodb.support import dynamodb_local
from tests.adapters.dynamodb.support.fixtures import client, local_session, new_table


@pytest.fixture
def table() -> Table:
    return evolve(EVENT_LOG, name=dynamodb_local.unused_table("log"))


def ensure(*tables: Table, may_create: bool = True, complete: bool = False) -> list[Ensured]:
    ensured = ensure_tables(client(), tables, may_create=may_create, complete=complete)
    return list(asyncio.run(ensured))


def look(table: Table) -> Found:
    (found,) = asyncio.run(look_at_tables(client(), [table]))
    assert found is not None
    return found


def test_a_missing_table_is_made_as_declared(table: Table) -> None:
    assert ensure(table) == [Ensured(table, made=True)]
    found = look(table)
    assert found.described["TableStatus"] == "ACTIVE"
    assert list(every_difference(table, found)) == []
    assert found.ttl == "ttl"
    assert found.described["StreamSpecification"]["StreamViewType"] == "KEYS_ONLY"


def test_all_tables_are_made_at_once_under_a_prefix() -> None:
    """S0-120, T1: the nine of the seed, the health check, the log and the projections' own."""
    prefix = dynamodb_local.unused_table("team") + "-"
    made = asyncio.run(ensure_tables(client(), EVERY_TABLE, prefix, may_create=True))
    assert [(one.table.name, one.made) for one in made] == [
        (prefix + table.name, True) for table in EVERY_TABLE
    ]
    again = asyncio.run(ensure_tables(client(), EVERY_TABLE, prefix, may_create=False))
    assert [one.made for one in again] == [False] * 12
    looked_at = asyncio.run(look_at_tables(client(), EVERY_TABLE, prefix))
    for table, found in zip(EVERY_TABLE, looked_at, strict=True):
        assert found is not None
        assert list(every_difference(table, found)) == []


def test_indexes_and_capacity_are_as_declared() -> None:
    """S0-070, S0-071, S0-217"""
    table = evolve(DATASET_REGISTRY, name=dynamodb_local.unused_table("registry"))
    ensure(table.provisioned(Throughput(read=7, write=3)))
    described = look(table).described
    units = described["ProvisionedThroughput"]
    assert (units["ReadCapacityUnits"], units["WriteCapacityUnits"]) == (7, 3)
    assert {
        index["IndexName"]: [key["AttributeName"] for key in index["KeySchema"]]
        for index in described["GlobalSecondaryIndexes"]
    } == {"tier-index": ["listed_tier", "PK"], "owner-index": ["listed_owner", "PK"]}
    units = described["GlobalSecondaryIndexes"][0]["ProvisionedThroughput"]
    assert (units["ReadCapacityUnits"], units["WriteCapacityUnits"]) == (7, 3)


def test_other_units_are_no_difference_but_another_way_of_paying_is() -> None:
    """Automatic scaling moves units. T6"""
    table = evolve(DATASET_REGISTRY, name=dynamodb_local.unused_table("registry"))
    ensure(table)
    ensure(table.provisioned(Throughput(read=700, write=300)))
    with pytest.raises(TableDiffers, match="billing is PROVISIONED, must be PAY_PER_REQUEST"):
        ensure(table.on_demand())


def test_differing_indexes_are_named() -> None:
    name = dynamodb_local.unused_table("incidents")
    ensure(evolve(INCIDENT_INDEX, name=name))
    first, second = INCIDENT_INDEX.indexes
    wanted = (evolve(first, range="created_at"), evolve(second, name="another-index"))
    with pytest.raises(TableDiffers) as caught:
        ensure(evolve(INCIDENT_INDEX, name=name, indexes=wanted))
    changed, missing, unknown = caught.value.differences
    assert changed == (
        "its index dataset-time-index is on GSI1PK (S) and GSI1SK (S), projecting ALL, "
        "must be on GSI1PK (S) and created_at (S), projecting ALL"
    )
    assert missing == (
        "its index another-index is missing, must be on GSI2PK (S) and GSI2SK (S), projecting ALL"
    )
    assert unknown == "it has an index status-severity-index, must have none of that name"


def bare(table: Table) -> Table:
    """The same table as another tool may have made it: without stream, tags and time to live."""
    without = description(evolve(table, stream=None))
    client().create_table(**{key: value for key, value in without.items() if key != "Tags"})
    return table


def test_what_only_falls_short_is_told_but_keeps_nobody_from_working(table: Table) -> None:
    ensure(bare(table))
    assert list(every_difference(table, look(table))) == [
        "its stream is off, must be KEYS_ONLY",
    ]


def test_what_falls_short_is_made_good_when_asked(table: Table) -> None:
    ensure(bare(table))
    assert ensure(table, complete=True) == [Ensured(table, made=False)]
    assert list(every_difference(table, look(table))) == []


def test_one_that_fails_lets_the_others_end(table: Table) -> None:
    strange = evolve(table, name="no spaces please")
    with pytest.raises(Rejected, match="Validation"):
        ensure(strange, table)
    ensure(table, may_create=False)


def test_several_may_make_it_good_at_once(table: Table) -> None:
    async def scene() -> None:
        ensuring = (
            ensure_tables(client(), [table], may_create=True, complete=True) for _ in range(8)
        )
        await asyncio.gather(*ensuring)

    bare(table)
    asyncio.run(scene())
    assert list(every_difference(table, look(table))) == []


def test_another_stream_is_left_alone(table: Table) -> None:
    ensure(evolve(table, stream=Stream.OLD_AND_NEW))
    ensure(table, complete=True)
    assert list(every_difference(table, look(table))) == [
        "its stream is NEW_AND_OLD_IMAGES, must be KEYS_ONLY"
    ]


def test_a_table_that_is_there_is_left_alone(table: Table) -> None:
    ensure(table)
    item: Any = {"PK": {"S": "a"}, "SK": {"N": "1"}}
    client().put_item(TableName=table.name, Item=item)
    ensure(table)
    ensure(table, may_create=False)
    assert client().get_item(TableName=table.name, Key=item)["Item"] == item


def test_many_processes_may_start_at_once(table: Table) -> None:
    async def scene() -> None:
        ensuring = (ensure_tables(client(), [table], may_create=True) for _ in range(8))
        told = await asyncio.gather(*ensuring)
        assert sum(one.made for (one,) in told) == 1

    asyncio.run(scene())
    ensure(table, may_create=False)


def test_a_missing_table_is_not_made_unasked(table: Table) -> None:
    with pytest.raises(TableMissing, match="STATESTORE_CREATE_TABLES"):
        ensure(table, may_create=False)
    with pytest.raises(client().exceptions.ResourceNotFoundException):
        client().describe_table(TableName=table.name)


def test_a_creation_that_was_interrupted_is_finished() -> None:
    table = evolve(EVENT_LOG, name=new_table("log"))
    with pytest.raises(TableDiffers, match="time to live is off"):
        ensure(table, may_create=False)
    ensure(table)
    ensure(table, may_create=False)


@pytest.mark.parametrize("may_create", [True, False])
def test_all_differences_are_told_at_once(table: Table, may_create: bool) -> None:
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
    table: Table, key: str, billing: Any
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


def test_a_name_that_cannot_be_is_refused(table: Table) -> None:
    with pytest.raises(Rejected, match="Validation"):
        ensure(evolve(table, name="no spaces please"))


def test_dynamodb_that_is_not_there_is_told(table: Table) -> None:
    away = local_session().client(
        "dynamodb",
        endpoint_url=f"http://127.0.0.1:{dynamodb_local.free_port()}",
        config=Config(retries={"total_max_attempts": 1}),
    )
    with pytest.raises(Away):
        asyncio.run(ensure_tables(away, [table], may_create=True))


def test_a_table_that_does_not_get_ready_is_waited_for_until_the_deadline(
    table: Table,
) -> None:
    slept: list[float] = []
    making = Making(
        TableCalls(client(), table), True, 1.0, now=lambda: sum(slept), sleep=slept.append
    )
    with pytest.raises(Away, match="not ready"):
        making._until_active()
    assert 0.5 < sum(slept) < 1.0


def test_a_rebuilt_table_may_be_paid_for_as_people_like() -> None:
    """It is made on demand, whatever is declared of the first one."""
    assert DATASET_REGISTRY.billing is Billing.PROVISIONED
    second = DATASET_REGISTRY.of_generation(2).prefixed(f"{dynamodb_local.unused_table('paid')}-")
    ensure(second)
    assert billing_of(look(second).described) == Billing.ON_DEMAND
    units: Any = {"ReadCapacityUnits": 25, "WriteCapacityUnits": 25}
    client().update_table(
        TableName=second.name,
        BillingMode="PROVISIONED",
        ProvisionedThroughput=units,
        GlobalSecondaryIndexUpdates=[
            {"Update": {"IndexName": index.name, "ProvisionedThroughput": units}}
            for index in second.indexes
        ],
    )
    ensure(second, may_create=False)
    assert billing_of(look(second).described) == Billing.PROVISIONED
