"""
The shared cache on Redis, one server or a cluster (S0-222).

    key                                      hash
    statestore:{format}:{store}:ss:{urn}:{type}  p  the position of the entry
                                                 r  at which position the name was dropped
                                                 v  the entry

    statestore:{format}:{store}:told{of}     up to where it was told what has changed

An entry is fresh while it is younger than five minutes and p >= r. Redis keeps it for much longer,
for when nothing else answers (T11). Both changes are scripts: what has a later position stays.
No command names two keys, so that any cluster takes them.
"""

import asyncio
from collections.abc import AsyncIterator, Collection, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from attrs import define, field
from redis.asyncio import BlockingConnectionPool, Redis, RedisCluster
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisClusterException, RedisError

from adapters.cache.entry import Copy, Entry
from adapters.cache.serialization import FORMAT, packed, unpacked
from application.errors import Unavailable
from application.ports.clock import Clock

# What is not ours under one of our keys is thrown away: it would stand in the way for ever.
_NUMBER = """
local function number(field)
  local found = tonumber(redis.pcall('HGET', KEYS[1], field) or '0')
  if not found then redis.call('DEL', KEYS[1]) end
  return found or 0
end
"""

_PUT = f"""{_NUMBER}
local p, r, new = number('p'), number('r'), tonumber(ARGV[1])
if new < p or new < r then return 0 end
redis.call('HSET', KEYS[1], 'p', ARGV[1], 'v', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
"""

# A full server takes no more, but what has changed must not be shown as fresh.
_DROP = f"""{_NUMBER}
local r, new = number('r'), tonumber(ARGV[1])
if new <= r then return 0 end
local done = redis.pcall('HSET', KEYS[1], 'r', ARGV[1])
if type(done) == 'table' and done.err then return redis.call('DEL', KEYS[1]) end
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 1
"""

_TOLD = """
redis.pcall('PEXPIRE', KEYS[1], ARGV[1])
return tonumber(redis.pcall('GET', KEYS[1]) or '')
"""

# A script that has changed something may go on doing so, also on a full server.
_TELL = """
if tonumber(redis.pcall('GET', KEYS[1]) or '') ~= tonumber(ARGV[1]) then return 0 end
redis.call('DEL', KEYS[1])
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1
"""

Client = Redis | RedisCluster

CONNECTIONS = 32
PAGE = 500
TOLD, CHECKED = "told", "checked"
"""Names like no entry has. Nothing is ever under the second."""
COUNTED_WITHIN = 2.0
"""Seconds. To count means to walk through all keys, also those of others."""


@define
class RedisCache:
    """Whoever reads, puts or drops is answered within the timeout."""

    client: Client
    store: str
    clock: Clock
    fresh_for: timedelta = timedelta(minutes=5)
    kept_for: timedelta = timedelta(days=1)
    timeout: float = 0.05
    _turns: asyncio.Semaphore = field(factory=lambda: asyncio.Semaphore(CONNECTIONS), init=False)
    """A cluster's client refuses whoever finds no connection, rather than let it wait."""

    @property
    def prefix(self) -> str:
        return f"statestore:{FORMAT}:{self.store}:"

    async def get(self, names: Collection[str]) -> Mapping[str, Copy]:
        with _translated():
            async with asyncio.timeout(self.timeout), self._turns:
                line: Any = self.client.pipeline(transaction=False)
                for name in names:
                    line.hmget(self.prefix + name, "v", "r")
                answers = await line.execute(raise_on_error=False)
        _refuse_all_failed(answers)
        found = zip(names, map(self._copy, answers), strict=True)
        return {name: copy for name, copy in found if copy is not None}

    async def put(self, entries: Mapping[str, Entry]) -> None:
        kept_for = _millis(self.kept_for)
        await self._evaluate(
            _PUT,
            {name: (one.position, packed(one), kept_for) for name, one in entries.items()},
        )

    async def drop(self, names: Mapping[str, int]) -> None:
        fresh_for = _millis(self.fresh_for)
        await self._evaluate(_DROP, {name: (at, fresh_for) for name, at in names.items()})

    async def told(self, of: str) -> int | None:
        # As long as somebody asks, it is kept: what is put meanwhile is kept as long.
        (told,) = await self._evaluate(_TOLD, {TOLD + of: (_millis(self.kept_for),)})
        return None if told is None else int(told)

    async def tell(self, of: str, upto: int, *, after: int | None) -> bool:
        was = "" if after is None else after
        (done,) = await self._evaluate(_TELL, {TOLD + of: (was, upto, _millis(self.kept_for))})
        return bool(done)

    async def check(self) -> None:
        # A drop that finds nothing to do is no change, and a replica would take it.
        with _translated():
            async with asyncio.timeout(self.timeout), self._turns:
                await self.client.execute_command("DEL", self.prefix + CHECKED)

    async def clear(self) -> int:
        with _translated():
            count = 0
            async for keys in self._pages():
                line: Any = self.client.pipeline(transaction=False)
                for key in keys:
                    line.execute_command("UNLINK", key)
                count += sum(await line.execute())
            return count

    async def size(self) -> int:
        with _translated():
            async with asyncio.timeout(COUNTED_WITHIN):
                return sum([len(keys) async for keys in self._pages()])

    async def close(self) -> None:
        with _translated():
            await self.client.aclose()

    async def _evaluate(self, script: str, of: Mapping[str, tuple[Any, ...]]) -> list[Any]:
        with _translated():
            async with asyncio.timeout(self.timeout), self._turns:
                line: Any = self.client.pipeline(transaction=False)
                for name, arguments in of.items():
                    line.eval(script, 1, self.prefix + name, *arguments)
                answers: list[Any] = await line.execute()
                return answers

    async def _pages(self) -> AsyncIterator[list[bytes]]:
        """All keys; each node of a cluster knows its own."""
        nodes: list[Any] = [self.client]
        if isinstance(self.client, RedisCluster):
            nodes = (await self.client.initialize()).get_primaries()
        wanted = ("MATCH", _literally(self.prefix) + "*", "COUNT", PAGE)
        for node in nodes:
            cursor = -1
            while cursor != 0:
                cursor, keys = await node.execute_command("SCAN", max(cursor, 0), *wanted)
                yield keys

    def _copy(self, answer: Any) -> Copy | None:
        """Nothing for what is not ours, such as a key of another type."""
        if isinstance(answer, Exception) or answer[0] is None:
            return None
        entry, dropped = unpacked(answer[0]), _number(answer[1])
        if entry is None or dropped is None:
            return None
        young = self.clock.now() - entry.read_at < self.fresh_for
        return Copy(entry, young and entry.position >= dropped)


def connect(url: str, *, cluster: bool, timeout: float) -> Client:
    """Nothing is opened before it is used, and nothing is tried twice: there is the table."""
    waits = {"socket_timeout": timeout, "socket_connect_timeout": timeout}
    retry = Retry(NoBackoff(), 0)
    if cluster:
        # Some more than there are turns, for whoever walks through all keys.
        return RedisCluster.from_url(url, retry=retry, max_connections=2 * CONNECTIONS, **waits)
    pool = BlockingConnectionPool.from_url(
        url, max_connections=CONNECTIONS, timeout=timeout, retry=retry, **waits
    )
    return Redis.from_pool(pool)


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except (RedisError, RedisClusterException, OSError, TimeoutError) as error:
        raise Unavailable("the shared cache", str(error) or type(error).__name__) from error


def _refuse_all_failed(answers: list[Any]) -> None:
    """One key may be of another type; a server that refuses everything is away."""
    if answers and all(isinstance(answer, Exception) for answer in answers):
        raise Unavailable("the shared cache", str(answers[0]))


def _number(said: bytes | None) -> int | None:
    try:
        return int(said or 0)
    except ValueError:
        return None


def _literally(prefix: str) -> str:
    return "".join(f"\\{sign}" if sign in "*?[]\\" else sign for sign in prefix)


def _millis(span: timedelta) -> int:
    return round(span.total_seconds() * 1000)
