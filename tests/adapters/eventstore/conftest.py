"""A log on every engine."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.eventstore.log import Log
from tests.adapters.eventstore.engines import ENGINES, Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=ENGINES)
def log(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Iterator[Log]:
    with ENGINES[request.param].open(tmp_path, clock) as opened:
        yield opened
