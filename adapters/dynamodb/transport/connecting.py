"""From where DynamoDB is and who we are to a transport, or boto3's client, that can be used."""

import os
from functools import partial
from typing import TYPE_CHECKING

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError

from adapters.dynamodb.retry.retry_policy import Patience
from adapters.dynamodb.retry.retrying import Retrying
from adapters.dynamodb.transport.credentials import SessionCredentials, aws_session
from adapters.dynamodb.transport.errors import Away
from adapters.dynamodb.transport.http_transport import HttpTransport, Limits

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

# Tables are made and looked at once, at the start: there is time.
_UNHURRIED = Config(
    connect_timeout=5, read_timeout=30, retries={"mode": "standard", "total_max_attempts": 5}
)


def connect(
    *,
    endpoint_url: str | None = None,
    region: str | None = None,
    profile: str | None = None,
    limits: Limits | None = None,
    patience: Patience | None = None,
) -> Retrying:
    """A transport to the endpoint, or to the one of the region (S2-56). Nothing is sent yet.

    Raises:
        Away: The surroundings name no region, or not this profile.
        ValueError: The endpoint is not a URL without a path.
    """
    session = aws_session(region=region, profile=profile)
    opens = partial(aws_session, region=session.region_name, profile=profile)
    credentials = SessionCredentials(opens)
    sends_once = HttpTransport(
        endpoint_url or usual_endpoint(session),
        session.region_name,
        credentials,
        limits or Limits(),
        os.environ.get("AWS_CA_BUNDLE") or None,
    )
    return Retrying(sends_once, credentials.refresh, patience or Patience())


def table_client(
    *, endpoint_url: str | None = None, region: str | None = None, profile: str | None = None
) -> "DynamoDBClient":
    """boto3's client, for tables. It waits: call it in a thread.

    Raises:
        Away: The surroundings name no region, or not this profile.
    """
    session = aws_session(region=region, profile=profile)
    made: DynamoDBClient = session.client("dynamodb", endpoint_url=endpoint_url, config=_UNHURRIED)
    return made


def usual_endpoint(session: boto3.Session) -> str:
    """What botocore would call: the region's, or what AWS_ENDPOINT_URL_DYNAMODB says."""
    try:
        return str(session.client("dynamodb").meta.endpoint_url)
    except BotoCoreError as error:
        raise Away(str(error)) from error
