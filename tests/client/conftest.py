from collections.abc import Iterator

import pytest

from statestore_client import Retrying, StateStore
from tests.client.faults.scripted_server import Scripted, scripted

QUICK = Retrying(first_pause=0.001, longest_pause=0.002, most_tries=6)


@pytest.fixture
def script() -> Iterator[Scripted]:
    with scripted() as script:
        yield script


@pytest.fixture
def store(script: Scripted) -> Iterator[StateStore]:
    """A client of the scripted server, that does not wait long before it tries again."""
    with StateStore(script.address, token="a-token", retrying=QUICK) as store:
        yield store
