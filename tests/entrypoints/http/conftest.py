"""The application, afresh for each test."""

from collections.abc import Iterator

import pytest

from tests.entrypoints.http.api import Api, serving, update


@pytest.fixture
def api() -> Iterator[Api]:
    with serving() as served:
        yield served


@pytest.fixture
def orders(api: Api) -> str:
    """A dataset in breach."""
    path = api.registered()
    told = api.put(f"{path}/signals/CONTRACT_COMPLIANCE", update(0, "CRITICAL"))
    assert told.status_code == 200
    return path
