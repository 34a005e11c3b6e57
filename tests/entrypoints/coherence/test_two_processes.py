"""
Two servers with one log, one set of tables and one Redis, and callers who write and read at both.

Redis is flushed, stopped and started meanwhile; in the end it is away and the tables are, too. The
recorded history says whether anybody was shown anything older than was promised.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any
from urllib.parse import urlsplit

from application.reads.position import Position
from tests.adapters.cache.redis_servers import RedisServer, redis_server
from tests.adapters.dynamodb.support import dynamodb_local
from tests.client.faults import proxy
from tests.client.waiting import until
from tests.entrypoints.coherence.callers import AS_ADMIN, DATASETS, SIGNALS, Caller, settings
from tests.entrypoints.coherence.history import DROPS, SHARED, TABLES, History, now
from tests.entrypoints.coherence.history_check import violations
from tests.entrypoints.support.server import PATIENCE, Server, serving
from tests.support.scale import scaled

CALLERS = 6
CALLS = scaled(75, 5_000)
"""Of all callers together, in each part of the story."""
FRESH = 100_000_000
"""Nanoseconds for which a process shows what it read (STATESTORE_LOCAL_CACHE_TTL_MILLISECONDS)."""

Servers = Mapping[str, Server]


def test_nobody_is_shown_anything_older_than_was_promised(tmp_path: Path) -> None:
    history = History()
    with ExitStack() as running:
        redis = running.enter_context(redis_server())
        tables = running.enter_context(proxy.before(urlsplit(dynamodb_local.endpoint()).port or 0))
        given = settings(tmp_path, redis=redis.url, dynamodb=f"http://{tables.address}")
        servers = {
            name: running.enter_context(serving(tmp_path / name, **given))
            for name in ("one", "two")
        }
        Caller("registrar", servers, history).register("one")
        what_one_changes_is_dropped_for_the_other(servers, history)
        with calling(servers, history) as only_reads:
            history.wait_for(CALLS, timeout=PATIENCE)
            redis_is_flushed(redis, history)
            redis_starts_again(redis, servers, history)
            redis_is_missed_and_welcomed_back(redis, servers, history)
            nobody_writes_any_more(only_reads, history)
            all_is_flagged_without_redis_and_tables(redis, tables, history)
        every_layer_was_hit(servers)
    assert not violations(history, fresh=FRESH)


@contextmanager
def calling(servers: Servers, history: History) -> Iterator[Event]:
    """Callers at work; tells how to end the writing."""
    stopped, only_reads = Event(), Event()
    callers = [Caller(f"c{number}", servers, history) for number in range(CALLERS)]
    with ThreadPoolExecutor(CALLERS) as pool:
        at_work = [pool.submit(one.calls, stopped, only_reads) for one in callers]
        try:
            yield only_reads
        finally:
            stopped.set()
    for one in at_work:
        one.result()


def what_one_changes_is_dropped_for_the_other(servers: Servers, history: History) -> None:
    """Nobody reads the new one where it would be kept, and the reader has written nothing."""
    ann, bob = (Caller(name, servers, history) for name in ("ann", "bob"))
    for about in (DATASETS[0], SIGNALS[0]):
        for _ in range(3):
            version = ann.write("one", about)
            until(partial(all_is_folded, servers["two"]))
            until(partial(_shows, bob, about, version))


def _shows(caller: Caller, about: str, version: int) -> bool:
    return caller.version("two", about, carries=False) >= version


def all_is_folded(server: Server) -> bool:
    told = server.ask("GET", "/api/v1/projections", headers=AS_ADMIN).body["projections"]
    return all(one["lag_events"] == 0 for one in told)


def redis_is_flushed(redis: RedisServer, history: History) -> None:
    for _ in range(3):
        with history.away(DROPS), redis.client as client:
            client.flushall()
        history.wait_for(CALLS // 3, timeout=PATIENCE)


def redis_starts_again(redis: RedisServer, servers: Servers, history: History) -> None:
    """Too soon for anybody to give it up."""
    with history.away(DROPS):
        redis.stop()
        redis.start()
        is_used_by_all(servers, history)
    history.wait_for(CALLS, timeout=PATIENCE)


def redis_is_missed_and_welcomed_back(
    redis: RedisServer, servers: Servers, history: History
) -> None:
    with history.away(DROPS):
        redis.stop()
        with history.away(SHARED):
            until(lambda: caches_of(servers) == {"degraded"})
        redis.start()
        is_used_by_all(servers, history)
    history.wait_for(CALLS, timeout=PATIENCE)


def is_used_by_all(servers: Servers, history: History) -> None:
    """And is told of all that it was not told of by whoever folded it meanwhile."""
    until(lambda: caches_of(servers) == {"ok"})
    head = head_of(servers["one"])
    until(lambda: any(told_redis(server) >= head for server in servers.values()))


def head_of(server: Server) -> int:
    return Position.read(health_of(server)["position"]).number


def told_redis(server: Server) -> int:
    """How far Redis was told, as far as the server knows."""
    return Position.read(health_of(server)["sinks"]["redis"]["position"]).number


def nobody_writes_any_more(only_reads: Event, history: History) -> None:
    """A caller does one thing after another: whoever reads now has ended its last write."""
    only_reads.set()
    since = now()

    def all_read() -> bool:
        return len({one.who for one in history.reads if one.when.began > since}) == CALLERS

    history.wait_until(all_read, timeout=PATIENCE)


def all_is_flagged_without_redis_and_tables(
    redis: RedisServer, tables: proxy.Proxy, history: History
) -> None:
    history.wait_for(CALLS, timeout=PATIENCE)
    redis.stop()
    with history.away(TABLES):
        tables.refusing = True
        tables.cut()
        with history.away(SHARED):
            history.wait_until(lambda: stale_reads(history) >= CALLERS, timeout=PATIENCE)
        tables.refusing = False


def stale_reads(history: History) -> int:
    return sum(read.stale for read in history.reads)


def every_layer_was_hit(servers: Servers) -> None:
    hits = Counter[str]()
    for server in servers.values():
        told = server.ask("GET", "/api/v1/caches", headers=AS_ADMIN).body
        for one in told["layers"]:
            hits[one["layer"]] += one["hits"]
    assert {layer for layer, count in hits.items() if count} == {"l1", "l2", "store", "stale"}


def caches_of(servers: Servers) -> set[str]:
    return {health_of(server)["cache"]["status"] for server in servers.values()}


def health_of(server: Server) -> dict[str, Any]:
    told: dict[str, Any] = server.ask("GET", "/health", headers=AS_ADMIN).body
    return told
