"""Lists of incidents on DynamoDB: two indexes, in pages."""

from collections.abc import Iterator

import pytest

from tests.entrypoints.http.api import Api, serving
from tests.entrypoints.http.test_incidents import (
    orders,
    test_lists,
    test_many_changes_at_once,
    test_pages,
    test_reopening,
)

__all__ = ["orders", "test_lists", "test_many_changes_at_once", "test_pages", "test_reopening"]


@pytest.fixture
def api() -> Iterator[Api]:
    with serving("dynamodb") as served:
        yield served
