"""What tests on DynamoDB Local stand on: credentials, a client, tables, a transport."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

import boto3
from attrs import frozen
from botocore.config import Config

from adapters.dynamodb.transport.http_transport import HttpTransport, Limits
from adapters.dynamodb.transport.signing import Credentials
from tests.adapters.dynamodb.support import dynamodb_local

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

REGION = "eu-central-1"
# DynamoDB Local accepts any; these are no one's.
CREDENTIALS = Credentials("local", "not-a-secret")
PATIENCE = 20.0
"""Seconds that a busy machine may take to answer; nothing waits for them to pass."""


@frozen
class FixedCredentials:
    held: Credentials = CREDENTIALS

    async def current(self) -> Credentials:
        return self.held


@cache
def client() -> "DynamoDBClient":
    """One for the whole process: making one takes longer than many calls."""
    made: DynamoDBClient = local_session().client(
        "dynamodb",
        endpoint_url=dynamodb_local.endpoint(),
        config=Config(read_timeout=PATIENCE, retries={"total_max_attempts": 1}),
    )
    return made


def local_session() -> boto3.Session:
    return boto3.Session(
        aws_access_key_id=CREDENTIALS.access_key,
        aws_secret_access_key=CREDENTIALS.secret_key,
        region_name=REGION,
    )


def new_table(name: str = "table") -> str:
    """An empty table with the keys PK (string) and SK (number)."""
    table = dynamodb_local.unused_table(name)
    client().create_table(
        TableName=table,
        KeySchema=[
            {"AttributeName": "PK", "KeyType": "HASH"},
            {"AttributeName": "SK", "KeyType": "RANGE"},
        ],
        AttributeDefinitions=[
            {"AttributeName": "PK", "AttributeType": "S"},
            {"AttributeName": "SK", "AttributeType": "N"},
        ],
        BillingMode="PAY_PER_REQUEST",
    )
    return table


@asynccontextmanager
async def http_transport(
    endpoint: str | None = None, ca_bundle: str | None = None
) -> AsyncIterator[HttpTransport]:
    transport = HttpTransport(
        endpoint or dynamodb_local.endpoint(),
        REGION,
        FixedCredentials(),
        Limits(timeout=PATIENCE),
        ca_bundle,
    )
    try:
        yield transport
    finally:
        await transport.close()


def item(pk: str, sk: int, **more: Any) -> dict[str, Any]:
    """An item of such a table; strings, whole numbers and bytes become attributes."""
    return {"PK": {"S": pk}, "SK": {"N": str(sk)}, **{name: _typed(v) for name, v in more.items()}}


def _typed(value: Any) -> dict[str, Any]:
    return {"N": str(value)} if isinstance(value, int) else {"S": value}
