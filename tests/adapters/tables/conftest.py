"""An engine of every kind."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.tables.engine import TableEngine
from tests.adapters.tables.engines import KINDS


@pytest.fixture(params=KINDS)
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[TableEngine]:
    with KINDS[request.param].open(tmp_path) as opened:
        yield opened
