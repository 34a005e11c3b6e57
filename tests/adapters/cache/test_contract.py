"""What any shared cache promises: in memory, on Redis, on a Redis cluster (S0-196, S0-222)."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import pytest
from attrs import define

from adapters.cache.entry import Copy, Entry
from adapters.cache.shared_cache import SharedCache
from adapters.memory.shared_cache import MemorySharedCache
from adapters.redis.cache import RedisCache, connect
from adapters.system.ulids import Ulids
from application.projections.progress import Reached

NOON = datetime(2026, 1, 15, 12, tzinfo=UTC)


@define
class Clock:
    at: datetime = NOON

    def now(self) -> datetime:
        return self.at


def entry(position: int, value: str = "x") -> Entry:
    row = {"PK": "p", "SK": "s", "value": value, "number": 1.5, "none": None}
    return Entry((row,), Reached(position, NOON), NOON)


Story = Callable[[SharedCache, Clock], Awaitable[None]]
Told = Callable[[Story], None]


@asynccontextmanager
async def opened(
    kind: str, request: pytest.FixtureRequest, clock: Clock
) -> AsyncIterator[SharedCache]:
    if kind == "memory":
        yield MemorySharedCache(clock)
        return
    is_cluster = kind == "cluster"
    url = request.getfixturevalue("cluster") if is_cluster else request.getfixturevalue("redis").url
    # Long enough for a busy machine: the time is not what these are about.
    cache = RedisCache(
        connect(url, cluster=is_cluster, timeout=10), Ulids().text(), clock, timeout=10
    )
    try:
        yield cache
    finally:
        await cache.close()


@pytest.fixture(params=["memory", "redis", "cluster"])
def told(request: pytest.FixtureRequest) -> Told:
    def tell(story: Story) -> None:
        async def run() -> None:
            clock = Clock()
            async with opened(request.param, request, clock) as cache:
                await story(cache, clock)

        asyncio.run(run())

    return tell


def test_what_was_put_is_there(told: Told) -> None:
    async def story(cache: SharedCache, clock: Clock) -> None:
        many = {f"ss:urn:{n}": entry(n + 1, str(n)) for n in range(50)}
        await cache.put(many)
        found = await cache.get([*many, "ss:nobody"])
        assert found == {name: Copy(one, fresh=True) for name, one in many.items()}
        assert await cache.size() == 50

    told(story)


def test_what_is_older_never_replaces_what_is_newer(told: Told) -> None:
    async def story(cache: SharedCache, clock: Clock) -> None:
        await cache.put({"a": entry(7, "new")})
        await cache.put({"a": entry(6, "old")})
        assert (await cache.get(["a"]))["a"].entry == entry(7, "new")

    told(story)


def test_what_was_read_before_a_change_cannot_be_put_after_it(told: Told) -> None:
    """The race: a reader reads, the row changes, the reader puts."""

    async def story(cache: SharedCache, clock: Clock) -> None:
        await cache.drop({"a": 7})
        await cache.put({"a": entry(6, "old")})
        assert not (await cache.get(["a"])).get("a")
        await cache.put({"a": entry(7, "new")})
        assert (await cache.get(["a"]))["a"] == Copy(entry(7, "new"), fresh=True)

    told(story)


def test_what_was_dropped_is_left_as_a_stale_copy(told: Told) -> None:
    async def story(cache: SharedCache, clock: Clock) -> None:
        await cache.put({"a": entry(3)})
        await cache.drop({"a": 4})
        await cache.drop({"a": 2})
        assert (await cache.get(["a"]))["a"] == Copy(entry(3), fresh=False)

    told(story)


def test_a_drop_does_not_touch_what_is_newer(told: Told) -> None:
    async def story(cache: SharedCache, clock: Clock) -> None:
        await cache.put({"a": entry(9)})
        await cache.drop({"a": 9})
        assert (await cache.get(["a"]))["a"].fresh

    told(story)


def test_after_five_minutes_it_is_stale_and_still_there(told: Told) -> None:
    """T11: what Redis has thrown away could not be shown when all else fails."""

    async def story(cache: SharedCache, clock: Clock) -> None:
        await cache.put({"a": entry(3)})
        clock.at = NOON + timedelta(minutes=4, seconds=59)
        assert (await cache.get(["a"]))["a"].fresh
        clock.at = NOON + timedelta(minutes=5)
        assert (await cache.get(["a"]))["a"] == Copy(entry(3), fresh=False)

    told(story)


def test_clearing_forgets_all(told: Told) -> None:
    async def story(cache: SharedCache, clock: Clock) -> None:
        await cache.put({f"a{n}": entry(3) for n in range(7)})
        assert await cache.clear() == 7
        assert not await cache.get(["a1"])
        assert await cache.size() == 0

    told(story)


def test_it_remembers_up_to_where_it_was_told_until_it_is_cleared(told: Told) -> None:
    async def story(cache: SharedCache, clock: Clock) -> None:
        assert await cache.told("") is None
        assert not await cache.tell("", 7, after=3)
        assert await cache.tell("", 0, after=None)
        assert await cache.told("") == 0
        assert not await cache.tell("", 7, after=None)
        assert await cache.tell("", 7, after=0)
        assert not await cache.tell("", 9, after=0)
        assert await cache.told(":of-others") is None
        assert await cache.told("") == 7
        await cache.clear()
        assert await cache.told("") is None

    told(story)


def test_to_look_whether_changes_are_taken_changes_nothing(told: Told) -> None:
    async def story(cache: SharedCache, clock: Clock) -> None:
        await cache.put({"a": entry(3)})
        await cache.check()
        assert (await cache.get(["a"]))["a"].fresh
        assert await cache.size() == 1

    told(story)
