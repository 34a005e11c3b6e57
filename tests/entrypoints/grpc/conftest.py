"""The application, afresh for each test."""

from collections.abc import Iterator

import pytest

from tests.entrypoints.grpc.both import Both, both_served


@pytest.fixture
def both() -> Iterator[Both]:
    with both_served() as served:
        yield served
