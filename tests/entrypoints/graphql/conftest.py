"""The application and its schema, afresh for each test."""

from collections.abc import Iterator

import pytest

from tests.entrypoints.graphql.asking import Schema
from tests.entrypoints.http.api import Api, serving


@pytest.fixture
def api() -> Iterator[Api]:
    with serving() as served:
        yield served


@pytest.fixture
def asked(api: Api) -> Schema:
    return Schema(api)
