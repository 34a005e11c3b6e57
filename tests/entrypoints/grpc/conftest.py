"""The application, afresh for each test."""

from collections.abc import Iterator

import pytest

from tests.entrypoints.grpc.support.both import Both, both_served
from tests.entrypoints.grpc.support.served import Served, served


@pytest.fixture
def store() -> Iterator[Served]:
    with served() as one:
        yield one


@pytest.fixture
def both() -> Iterator[Both]:
    with both_served() as one:
        yield one
