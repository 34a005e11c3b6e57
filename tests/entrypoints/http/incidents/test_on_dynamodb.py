"""Lists of incidents on DynamoDB: two indexes, in pages."""

from collections.abc import Iterator

import pytest

from tests.entrypoints.http.api import Api, serving
from tests.entrypoints.http.incidents.test_changes import test_many_changes_at_once, test_reopening
from tests.entrypoints.http.incidents.test_reads import test_lists, test_pages

__all__ = ["test_lists", "test_many_changes_at_once", "test_pages", "test_reopening"]

pytestmark = pytest.mark.usefixtures("orders")


@pytest.fixture
def api() -> Iterator[Api]:
    with serving("dynamodb") as served:
        yield served
