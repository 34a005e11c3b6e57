"""AWS as SNS sees it."""

from collections.abc import Iterator

import pytest

from tests.adapters.aws_stand_in import Aws, aws


@pytest.fixture(scope="session")
def stand_in() -> Iterator[Aws]:
    with aws() as made:
        yield made
