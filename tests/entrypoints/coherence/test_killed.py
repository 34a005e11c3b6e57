"""
A server is killed while it tells Redis what is about to change, and one that could not tell it.

The other server folds nothing: what it shows rests on tables, Redis and positions alone.
"""

import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

from tests.adapters.cache.redis_servers import RedisServer, redis_server
from tests.adapters.dynamodb.support import dynamodb_local
from tests.client.faults import proxy
from tests.client.waiting import until
from tests.entrypoints.coherence.callers import SIGNALS, Caller, settings
from tests.entrypoints.coherence.history import History
from tests.entrypoints.coherence.history_check import violations
from tests.entrypoints.coherence.test_two_processes import FRESH, caches_of
from tests.entrypoints.support.server import PATIENCE, Server, serving

SHOWN, OTHER = SIGNALS[0], SIGNALS[1]
PATIENT = {"STATESTORE_REDIS_TIMEOUT_MILLISECONDS": "5000"}
"""Whoever tells Redis of a change waits that long for its answer before it writes the row."""


def test_whoever_is_killed_leaves_nothing_older_than_was_promised(tmp_path: Path) -> None:
    history, servers = History(), dict[str, Server]()
    with ExitStack() as running:
        redis = running.enter_context(redis_server())
        line = running.enter_context(proxy.before(redis.port))
        given = settings(tmp_path, redis=redis.url, dynamodb=dynamodb_local.endpoint())

        def start(name: str, **more: str) -> None:
            servers[name] = running.enter_context(serving(tmp_path / name, **given | more))

        start("first", STATESTORE_REDIS_URL=f"redis://{line.address}", **PATIENT)
        start("reader", STATESTORE_RUN_PROJECTIONS="off")
        ann, bob = (Caller(name, servers, history) for name in ("ann", "bob"))
        ann.register("first")
        it_is_killed_before_the_row_is_written(ann, bob, line, lambda: start("second", **PATIENT))
        it_is_killed_while_it_owes_redis(ann, bob, redis)
    assert not violations(history, fresh=FRESH)


def it_is_killed_before_the_row_is_written(
    ann: Caller, bob: Caller, line: proxy.Proxy, start_another: Callable[[], None]
) -> None:
    for about in (SHOWN, OTHER):
        ann.write("first", about)
        assert ann.version("reader", about) == bob.version("reader", about, carries=False) == 1
    line.losing = True
    ann.write("first", SHOWN)
    until(lambda: line.heard_while_losing > 0)
    ann.servers["first"].stop(signal.SIGKILL)
    assert [bob.version("reader", SHOWN, carries=False) for _ in range(3)] == [1, 1, 1]
    with ThreadPoolExecutor(1) as pool:
        # It waits until somebody has folded it.
        waiting = pool.submit(ann.version, "reader", SHOWN)
        start_another()
        assert waiting.result(PATIENCE) == 2
    assert bob.version("reader", SHOWN, carries=False) == 2


def it_is_killed_while_it_owes_redis(ann: Caller, bob: Caller, redis: RedisServer) -> None:
    """Redis comes back with what it had. The one that is left, which folds nothing, drops it: how
    far Redis was told lies in the tables, and what it was not told in the log.
    """
    with redis.client as client:
        client.save()
    redis.stop()
    for about in (OTHER, SHOWN):
        ann.write("second", about)
    assert ann.version("reader", SHOWN) == 3
    ann.servers["second"].stop(signal.SIGKILL)
    redis.start()
    reader = {"reader": ann.servers["reader"]}

    def is_used_again() -> bool:
        # Redis is tried again only when somebody reads.
        bob.version("reader", SHOWN, carries=False)
        return caches_of(reader) == {"ok"}

    until(is_used_again)
    # What this process has seen, it does not forget for what Redis says.
    assert bob.version("reader", SHOWN, carries=False) == 3
    until(lambda: bob.version("reader", OTHER, carries=False) == 2)
