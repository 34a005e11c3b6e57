"""The tables of the rows are made as the catalogue says, or refused."""

import asyncio

import pytest

from adapters.dynamodb.row_tables import RowTables, differences
from adapters.tables.catalogue import DATASET_REGISTRY, INCIDENT_INDEX, SIGNAL_STATE, Table
from application.errors import Unavailable
from tests.adapters.dynamodb import local
from tests.adapters.dynamodb.ground import client, new_table


@pytest.fixture
def prefix() -> str:
    return f"{local.unused_table('tables')}-"


def ensure(prefix: str, *tables: Table, may_create: bool = True) -> None:
    asyncio.run(RowTables(client, prefix, may_create).ensure(tables))


@pytest.mark.parametrize("table", [SIGNAL_STATE, INCIDENT_INDEX, DATASET_REGISTRY])
def test_a_missing_table_is_made_with_keys_indexes_and_ttl(prefix: str, table: Table) -> None:
    ensure(prefix, table)
    described = dict(client().describe_table(TableName=prefix + table.name)["Table"])
    assert (described["TableStatus"], list(differences(table, described))) == ("ACTIVE", [])
    told = client().describe_time_to_live(TableName=prefix + table.name)["TimeToLiveDescription"]
    assert told.get("AttributeName") == table.ttl
    ensure(prefix, table, may_create=False)


def test_a_missing_table_is_not_made_unasked(prefix: str) -> None:
    with pytest.raises(Unavailable, match=f"{prefix}{SIGNAL_STATE.name} does not exist"):
        ensure(prefix, SIGNAL_STATE, may_create=False)


def test_another_table_of_the_name_is_refused_with_all_that_differs() -> None:
    kind = INCIDENT_INDEX
    wanted = Table(new_table(), kind.billing, kind.classification, kind.indexes)
    missing = "SK must be a string.*dataset-time-index.*status-severity-index"
    with pytest.raises(Unavailable, match=missing):
        ensure("", wanted)


def test_many_processes_may_start_at_once(prefix: str) -> None:
    async def scene() -> None:
        tables = RowTables(client, prefix)
        await asyncio.gather(*(tables.ensure([SIGNAL_STATE]) for _ in range(4)))

    asyncio.run(scene())
