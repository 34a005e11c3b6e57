"""Surroundings in which DynamoDB Local is the only DynamoDB there is."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.adapters.dynamodb.support import dynamodb_local
from tests.adapters.dynamodb.support.fixtures import CREDENTIALS, REGION


def variables() -> dict[str, str]:
    """What a process needs to be told to use DynamoDB Local."""
    return {
        "AWS_REGION": REGION,
        "AWS_ACCESS_KEY_ID": CREDENTIALS.access_key,
        "AWS_SECRET_ACCESS_KEY": CREDENTIALS.secret_key,
        "AWS_EC2_METADATA_DISABLED": "true",
    }


@contextmanager
def surroundings() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in variables().items():
            patch.setenv(name, value)
        yield


def library_environment(table: str, **more: str) -> dict[str, str]:
    """What the eventsourcing library needs to be told."""
    return {
        "PERSISTENCE_MODULE": "adapters.eventsourcing_library.dynamodb",
        "DYNAMODB_TABLE": table,
        "DYNAMODB_ENDPOINT_URL": dynamodb_local.endpoint(),
        **more,
    }
