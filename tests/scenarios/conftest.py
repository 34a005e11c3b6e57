"""A scene for each engine and each interface that steps are taken through."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.scale import FULL

pytest.register_assert_rewrite("tests.scenarios.scene")

from tests.scenarios.scene import INTERFACES, Scene  # noqa: E402  # rewritten from here on
from tests.scenarios.scene import scene as opened  # noqa: E402

EVERY = [
    (engine, through) for engine in ("memory", "embedded", "dynamodb") for through in INTERFACES
]
SOME = [
    *(("memory", through) for through in INTERFACES),
    ("embedded", "grpc"),
    ("dynamodb", "graphql"),
]


@pytest.fixture(params=EVERY if FULL else SOME, ids="-".join)
def scene(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Scene]:
    engine, through = request.param
    with opened(engine, tmp_path, through) as one:
        yield one
