"""Redis behind TLS (`rediss://`): who it is, is checked, and that it is another is told."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.cache.circuit_breaker import Breaker
from adapters.cache.guarded_cache import GuardedCache
from application.errors import Unavailable
from tests.adapters.cache.redis_servers import RedisServer
from tests.adapters.cache.test_contract import entry
from tests.adapters.cache.test_redis import cache_at
from tests.adapters.cache.tls import encrypted
from tests.support.certificates import certificate


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    return certificate(tmp_path)


@pytest.fixture
def port(redis: RedisServer, files: tuple[Path, Path]) -> Iterator[int]:
    with encrypted(redis.port, files) as listening:
        yield listening


def test_all_goes_through_tls(redis: RedisServer, port: int, files: tuple[Path, Path]) -> None:
    async def story() -> None:
        cache = cache_at(f"rediss://127.0.0.1:{port}/0?ssl_ca_certs={files[0]}")
        await cache.put({"a": entry(1), "b": entry(1)})
        await cache.drop({"a": 2})
        found = await cache.get(["a", "b", "c"])
        assert {name: copy.fresh for name, copy in found.items()} == {"a": False, "b": True}
        with redis.client as client:
            assert client.exists(cache.prefix + "a", cache.prefix + "b") == 2
        assert (await cache.size(), await cache.clear()) == (2, 2)
        await cache.close()

    asyncio.run(story())


def test_a_certificate_that_nobody_vouches_for_is_told(port: int) -> None:
    async def story() -> None:
        cache = cache_at(f"rediss://127.0.0.1:{port}")
        guarded = GuardedCache(cache, Breaker(failures=1))
        with pytest.raises(Unavailable, match="certificate verify failed: self-signed"):
            await cache.get(["a"])
        assert not await guarded.get(["a"])
        await guarded.put({"a": entry(1)})
        await guarded.drop({"a": 1})
        assert "certificate verify failed" in str(guarded.trouble)
        await guarded.close()

    asyncio.run(story())


def test_a_certificate_of_another_is_told(port: int, files: tuple[Path, Path]) -> None:
    async def story() -> None:
        cache = cache_at(f"rediss://localhost:{port}/0?ssl_ca_certs={files[0]}")
        with pytest.raises(Unavailable, match="not valid for 'localhost'"):
            await cache.get(["a"])
        await cache.close()

    asyncio.run(story())


def test_one_that_speaks_no_tls_is_told(redis: RedisServer) -> None:
    async def story() -> None:
        plain = cache_at(f"redis://127.0.0.1:{redis.port}", timeout=2)
        assert not await plain.get(["a"])
        cache = cache_at(f"rediss://127.0.0.1:{redis.port}", timeout=2)
        with pytest.raises(Unavailable):
            await cache.get(["a"])
        await plain.close()
        await cache.close()

    asyncio.run(story())
