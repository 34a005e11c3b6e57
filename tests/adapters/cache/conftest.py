from collections.abc import Iterator

import pytest

from tests.adapters.cache.redis_servers import RedisServer, redis_cluster, redis_server


@pytest.fixture(scope="session")
def redis() -> Iterator[RedisServer]:
    with redis_server() as server:
        yield server


@pytest.fixture(scope="session")
def cluster() -> Iterator[str]:
    with redis_cluster() as url:
        yield url
