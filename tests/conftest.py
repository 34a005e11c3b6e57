"""What a whole run of the tests shares."""

from collections.abc import Iterator

import pytest

from tests.adapters.dynamodb import local


@pytest.fixture(scope="session", autouse=True)
def dynamodb_local_ends() -> Iterator[None]:
    """Whoever started the shared server, it stops with the run."""
    yield
    local.end()
