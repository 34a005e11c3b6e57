"""The application, afresh for each test."""

from collections.abc import Iterator

import pytest

from tests.entrypoints.http.api import Api, serving


@pytest.fixture
def api() -> Iterator[Api]:
    with serving() as served:
        yield served
