"""Redis that misbehaves, and what lies in it."""

import asyncio
from collections.abc import Iterator
from datetime import timedelta

import pytest

from adapters.cache.circuit_breaker import Breaker
from adapters.cache.guarded_cache import GuardedCache
from adapters.redis.cache import RedisCache, connect
from adapters.system.ulids import Ulids
from application.errors import Unavailable
from tests.adapters.cache.redis_servers import RedisServer, free_port, redis_server
from tests.adapters.cache.test_contract import Clock, entry


def cache_at(url: str, timeout: float = 10) -> RedisCache:
    return RedisCache(
        connect(url, cluster=False, timeout=timeout), Ulids().text(), Clock(), timeout=timeout
    )


@pytest.fixture
def own() -> Iterator[RedisServer]:
    """One that may be stopped."""
    with redis_server() as server:
        yield server


def test_keys_have_format_and_store_and_expire(redis: RedisServer) -> None:
    async def story() -> None:
        cache = cache_at(redis.url)
        await cache.put({"ss:urn:dp:a:b:v1:VOLUME": entry(3)})
        with redis.client as client:
            (key,) = client.keys(f"*{cache.store}*")
            assert key.decode() == f"statestore:1:{cache.store}:ss:urn:dp:a:b:v1:VOLUME"
            assert client.pttl(key) > timedelta(hours=23).total_seconds() * 1000
        await cache.close()

    asyncio.run(story())


@pytest.mark.parametrize(
    "garbage",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\x00",
        b'{"rows": 1, "position": "x"}',
        b'{"rows": [], "position": 1, "at": null, "read_at": "2026-01-15"}',
        b'{"rows": [], "position": 1, "at": "2026-01-15", "read_at": "2026-01-15T12:00:00Z"}',
        b'{"rows": [{"PK": "p"}], "position": 1, "at": null, "read_at": "2026-01-15T12:00:00Z"}',
    ],
)
def test_garbage_is_nothing(redis: RedisServer, garbage: bytes) -> None:
    async def story() -> None:
        cache = cache_at(redis.url)
        await cache.put({"good": entry(3)})
        with redis.client as client:
            client.hset(cache.prefix + "bad", mapping={"p": 1, "v": garbage})
            client.hset(cache.prefix + "worse", mapping={"r": "x", "v": garbage})
            client.set(cache.prefix + "other", "a text")
        assert (await cache.get(["bad", "worse", "other", "good"])).keys() == {"good"}
        await cache.close()

    asyncio.run(story())


def test_nobody_there_is_told_as_unavailable() -> None:
    async def story() -> None:
        cache = cache_at(f"redis://127.0.0.1:{free_port()}")
        for call in (cache.get(["a"]), cache.put({"a": entry(1)}), cache.drop({"a": 1})):
            with pytest.raises(Unavailable):
                await call
        await cache.close()

    asyncio.run(story())


def test_a_cluster_that_is_gone_is_told_as_unavailable() -> None:
    """Its client has errors of another kind."""

    async def story() -> None:
        client = connect(f"redis://127.0.0.1:{free_port()}", cluster=True, timeout=1)
        cache = RedisCache(client, "store", Clock(), timeout=1)
        calls = (cache.get(["a"]), cache.put({"a": entry(1)}), cache.size(), cache.clear())
        for call in calls:
            with pytest.raises(Unavailable):
                await call
        await cache.close()

    asyncio.run(story())


def test_many_at_once_are_no_trouble_for_a_cluster(cluster: str) -> None:
    """Its client refuses to open more connections than it may, rather than to wait for one."""

    async def story() -> None:
        client = connect(cluster, cluster=True, timeout=10)
        cache = RedisCache(client, Ulids().text(), Clock(), timeout=10)
        await cache.put({"a": entry(1)})
        found = await asyncio.gather(*(cache.get(["a"]) for _ in range(300)))
        assert all(one["a"].fresh for one in found)
        await cache.close()

    asyncio.run(story())


def test_one_that_does_not_answer_costs_no_more_than_the_timeout() -> None:
    async def story() -> None:
        async def nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.read()
            writer.close()

        silent = await asyncio.start_server(nothing, "127.0.0.1", 0)
        port = silent.sockets[0].getsockname()[1]
        cache = cache_at(f"redis://127.0.0.1:{port}", timeout=0.05)
        async with asyncio.timeout(5):
            with pytest.raises(Unavailable):
                await cache.get(["a"])
        await cache.close()
        silent.close()
        await silent.wait_closed()

    asyncio.run(story())


def test_a_full_one_keeps_nothing_and_harms_nothing(own: RedisServer) -> None:
    async def story() -> None:
        cache = cache_at(own.url)
        with own.client as client:
            client.config_set("maxmemory", "1")
        guarded = GuardedCache(cache)
        await guarded.put({"a": entry(1)})
        assert guarded.lost_puts == 1
        assert not await guarded.get(["a"])
        await guarded.close()

    asyncio.run(story())


def test_what_changes_is_dropped_from_a_full_one(own: RedisServer) -> None:
    async def story() -> None:
        cache = cache_at(own.url)
        await cache.put({"a": entry(1), "b": entry(1)})
        with own.client as client:
            client.config_set("maxmemory", "1")
        await cache.drop({"a": 2})
        found = await cache.get(["a", "b"])
        assert "a" not in found
        assert found["b"].fresh
        await cache.close()

    asyncio.run(story())


def test_drops_do_not_wait_for_a_full_one_to_take_something(own: RedisServer) -> None:
    async def story() -> None:
        guarded = GuardedCache(cache := cache_at(own.url), Breaker(failures=2, now=lambda: 0.0))
        await guarded.put({"a": entry(1)})
        with own.client as client:
            client.config_set("maxmemory", "1")
        for _ in range(2):
            await guarded.put({"b": entry(1)})
        assert "OOM" in str(guarded.trouble)
        await guarded.drop({"a": 2})
        assert "a" not in await cache.get(["a"])
        await guarded.close()

    asyncio.run(story())


def test_a_full_one_remembers_what_it_was_told(own: RedisServer) -> None:
    """Else whoever tells it would clear it again and again, or never come to an end."""

    async def story() -> None:
        cache = cache_at(own.url)
        assert await cache.tell("", 1, after=None)
        with own.client as client:
            client.config_set("maxmemory", "1")
        assert await cache.tell("", 1_000, after=1)
        assert await cache.told("") == 1_000
        await cache.clear()
        assert await cache.tell("", 2_000, after=None)
        assert await cache.told("") == 2_000
        await cache.close()

    asyncio.run(story())


def test_what_it_was_told_is_remembered_as_long_as_anything_is_kept(redis: RedisServer) -> None:
    async def story() -> None:
        cache = cache_at(redis.url)
        await cache.tell("", 1, after=None)
        with redis.client as client:
            client.pexpire(cache.prefix + "told", 60_000)
            await cache.told("")
            assert client.pttl(cache.prefix + "told") > 60_000
            client.delete(cache.prefix + "told")
            client.hset(cache.prefix + "told", mapping={"not": "ours"})
        assert await cache.told("") is None
        assert await cache.tell("", 2, after=None)
        assert await cache.told("") == 2
        await cache.close()

    asyncio.run(story())


def test_garbage_does_not_stand_in_the_way(redis: RedisServer) -> None:
    async def story() -> None:
        guarded = GuardedCache(cache := cache_at(redis.url))
        many = {f"n{number}": entry(1) for number in range(250)}
        await guarded.put(many)
        with redis.client as client:
            client.delete(cache.prefix + "n0", cache.prefix + "n1")
            client.set(cache.prefix + "n0", "a text")
            client.hset(cache.prefix + "n1", mapping={"p": "x", "r": "y", "v": "z"})
        await guarded.drop(dict.fromkeys(many, 2))
        assert not any(copy.fresh for copy in (await guarded.get(many)).values())
        await guarded.put(new := dict.fromkeys(many, entry(2)))
        assert {name: copy.fresh for name, copy in (await guarded.get(many)).items()} == (
            dict.fromkeys(new, True)
        )
        assert (guarded.lost_puts, guarded.trouble) == (0, None)
        await guarded.close()

    asyncio.run(story())


def test_one_that_takes_no_changes_is_told_and_shows_nothing_as_fresh(own: RedisServer) -> None:
    """It can be read, but nobody learns from it what has changed: such is a replica, for one."""

    async def story() -> None:
        now = 0.0
        breaker = Breaker(failures=2, pause=1.0, now=lambda: now)
        guarded = GuardedCache(cache := cache_at(own.url), breaker)
        await guarded.put({"a": entry(1)})
        with own.client as client:
            client.config_set("min-replicas-to-write", "1")
        with pytest.raises(Unavailable):
            await cache.check()
        for position in (2, 3):
            assert (await guarded.get(["a"]))["a"].fresh
            await guarded.drop({"b": position})
        assert guarded.trouble
        assert not (await guarded.get(["a"]))["a"].fresh
        with own.client as client:
            client.config_set("min-replicas-to-write", "0")
        now = 2.0
        await guarded.drop({"c": 4})
        assert not guarded.trouble
        assert (await guarded.get(["a"]))["a"].fresh
        await guarded.close()

    asyncio.run(story())


def test_one_that_is_back_with_what_it_had_takes_what_it_did_not_take(own: RedisServer) -> None:
    async def story() -> None:
        cache = cache_at(own.url)
        guarded = GuardedCache(cache, Breaker(failures=1, now=lambda: 0.0))
        await guarded.put({"a": entry(1)})
        with own.client as client:
            kept = client.dump(cache.prefix + "a")
        own.stop()
        with pytest.raises(Unavailable):
            await guarded.drop_surely({"a": 2})
        assert guarded.trouble
        own.start()
        with own.client as client:
            client.restore(cache.prefix + "a", 0, kept)
        await guarded.drop_surely({"a": 2})
        assert not guarded.trouble
        assert not (await guarded.get(["a"]))["a"].fresh
        await guarded.close()

    asyncio.run(story())


def test_a_restart_and_a_flush_are_survived(own: RedisServer) -> None:
    async def story() -> None:
        guarded = GuardedCache(cache_at(own.url), Breaker(failures=100))
        await guarded.put({"a": entry(1)})
        own.stop()
        own.start()
        # The connection of before is dead; the next one is not.
        await guarded.get(["a"])
        assert not await guarded.get(["a"])
        await guarded.put({"a": entry(2)})
        assert (await guarded.get(["a"]))["a"].entry == entry(2)
        with own.client as client:
            client.flushall()
        assert not await guarded.get(["a"])
        await guarded.close()

    asyncio.run(story())
