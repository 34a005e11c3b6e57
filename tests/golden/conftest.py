"""`pytest tests/golden --update-golden`, which is `make golden`, records the structure anew."""

import pytest

from tests.golden.golden import Golden

OPTION = "--update-golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(OPTION, action="store_true", help="Record the golden files anew.")


@pytest.fixture(scope="session")
def golden(request: pytest.FixtureRequest) -> Golden:
    return Golden(bool(request.config.getoption(OPTION, default=False)))
