"""A transport is made from the surroundings alone (S2-56, S2-87)."""

import asyncio
from pathlib import Path

import pytest

from adapters.dynamodb.retry.retry_policy import Patience
from adapters.dynamodb.retry.retrying import Retrying
from adapters.dynamodb.transport.connecting import connect, table_client
from adapters.dynamodb.transport.errors import Away
from adapters.dynamodb.transport.http_transport import HttpTransport
from adapters.dynamodb.transport.transport import Operation
from tests.adapters.dynamodb.support import dynamodb_local, no_credentials
from tests.adapters.dynamodb.support.fixtures import PATIENCE, item, new_table


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    no_credentials.empty(monkeypatch, tmp_path)


def endpoint_of(transport: Retrying) -> str:
    assert isinstance(transport.inner, HttpTransport)
    return transport.inner.endpoint


def test_the_environment_suffices_to_write_and_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_REGION", "eu-central-1")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "local")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "not-a-secret")

    async def scene() -> None:
        table, stored = new_table(), item("a", 1)
        transport = connect(
            endpoint_url=dynamodb_local.endpoint(), patience=Patience(reply=PATIENCE)
        )
        try:
            put = {"Put": {"TableName": table, "Item": stored}}
            await transport.call(Operation.TRANSACT_WRITE_ITEMS, {"TransactItems": [put]})
            batch = {"RequestItems": {table: {"Keys": [stored], "ConsistentRead": True}}}
            read = await transport.call(Operation.BATCH_GET_ITEM, batch)
        finally:
            await transport.close()
        assert read["Responses"][table] == [stored]

    asyncio.run(scene())


def test_the_environment_suffices_for_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "local")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "not-a-secret")
    table, client = new_table(), table_client(region="x-1", endpoint_url=dynamodb_local.endpoint())
    assert client.describe_table(TableName=table)["Table"]["TableName"] == table


def test_the_region_has_an_endpoint() -> None:
    transport = connect(region="cn-north-1")
    assert endpoint_of(transport) == "https://dynamodb.cn-north-1.amazonaws.com.cn"


def test_the_endpoint_can_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL_DYNAMODB", "http://127.0.0.1:1")
    assert endpoint_of(connect(region="eu-central-1")) == "http://127.0.0.1:1"
    named = connect(region="eu-central-1", endpoint_url="http://127.0.0.1:2")
    assert endpoint_of(named) == "http://127.0.0.1:2"


def test_without_credentials_nothing_is_sent() -> None:
    async def scene() -> None:
        transport = connect(
            region="eu-central-1",
            endpoint_url=dynamodb_local.endpoint(),
            patience=Patience(attempts=1),
        )
        try:
            await transport.call(Operation.GET_ITEM, {})
        finally:
            await transport.close()

    with pytest.raises(Away, match="no AWS credentials"):
        asyncio.run(scene())
