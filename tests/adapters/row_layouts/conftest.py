"""An engine of every kind."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.row_layouts.engine import TableEngine
from tests.adapters.row_layouts.engines import KINDS


@pytest.fixture(params=KINDS)
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[TableEngine]:
    with KINDS[request.param].open(tmp_path) as opened:
        yield opened
