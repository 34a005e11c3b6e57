"""A scene for each engine and each interface that steps are taken through."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from tests.support.scale import FULL

pytest.register_assert_rewrite("tests.scenarios.scene")

from tests.scenarios.scene import INTERFACES, Scene  # noqa: E402  # rewritten from here on
from tests.scenarios.scene import scene as opened  # noqa: E402

ENGINES = ("memory", "embedded", "dynamodb")
EACH_ONCE = list(zip(ENGINES, INTERFACES, strict=True))
EVERY = list(product(ENGINES, INTERFACES))
ON_DYNAMODB = ("test_a_dataset", "test_an_incident")
"""The stories that are worth the time there, unless everything is tried."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "scene" not in metafunc.fixturenames:
        return
    slow = metafunc.function.__name__ in ON_DYNAMODB
    some = [one for one in EACH_ONCE if slow or one[0] != "dynamodb"]
    metafunc.parametrize("scene", EVERY if FULL else some, ids="-".join, indirect=True)


@pytest.fixture
def scene(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Scene]:
    engine, through = request.param
    with opened(engine, tmp_path, through) as one:
        yield one
