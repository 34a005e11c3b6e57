"""The application and its schema, afresh for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.entrypoints.graphql.schema_client import Schema
from tests.entrypoints.http.api import ENGINE, Api, serving

ENGINES = ("memory", "embedded") if ENGINE == "memory" else (ENGINE,)


@pytest.fixture(params=ENGINES)
def api(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Api]:
    with serving(request.param, STATESTORE_DATA_DIR=str(tmp_path)) as served:
        yield served


@pytest.fixture
def asked(api: Api) -> Schema:
    return Schema(api)
