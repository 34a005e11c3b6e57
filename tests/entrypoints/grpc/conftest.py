"""The application, afresh for each test."""

from collections.abc import Iterator

import pytest

from tests.entrypoints.grpc.served import Served, served


@pytest.fixture
def store() -> Iterator[Served]:
    with served() as one:
        yield one
