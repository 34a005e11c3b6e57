"""A database for each test, in a file and in memory."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.sqlite.connection.database import Database


@pytest.fixture(params=["file", "memory"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    name = tmp_path / "data" / "test.db" if request.param == "file" else ":memory:"
    with Database.open(name) as database:
        database.submit(lambda c: c.execute("CREATE TABLE kept (value)")).result()
        yield database
