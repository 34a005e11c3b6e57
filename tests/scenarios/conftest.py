"""A scene for each engine and each interface that steps are taken through."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from tests.scale import FULL

pytest.register_assert_rewrite("tests.scenarios.scene")

from tests.scenarios.scene import INTERFACES, Scene  # noqa: E402  # rewritten from here on
from tests.scenarios.scene import scene as opened  # noqa: E402

ENGINES = ("memory", "embedded", "dynamodb")
EACH_ONCE = list(zip(ENGINES, INTERFACES, strict=True))
EVERY = list(product(ENGINES, INTERFACES))


@pytest.fixture(params=EVERY if FULL else EACH_ONCE, ids="-".join)
def scene(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Scene]:
    engine, through = request.param
    with opened(engine, tmp_path, through) as one:
        yield one
