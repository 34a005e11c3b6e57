"""What a shared cache that misbehaves costs those who do without it."""

import asyncio
from collections.abc import Collection, Mapping

import pytest
from attrs import define, field

import adapters.caching.guarded as module
from adapters.caching.breaker import Breaker
from adapters.caching.entry import Copy
from adapters.caching.guarded import GuardedCache
from adapters.memory.shared_cache import MemorySharedCache
from application.errors import Unavailable
from tests.adapters.caching.test_breaker import Time
from tests.adapters.caching.test_contract import Clock, entry
from tests.turns import others_go_on


@define
class SlowCache(MemorySharedCache):
    """Takes its time over changes."""

    clock: Clock = field(factory=Clock)
    released: asyncio.Event = field(factory=asyncio.Event)
    refuses: bool = False
    closed: bool = False

    async def drop(self, names: Mapping[str, int]) -> None:
        if self.refuses:
            raise Unavailable("the shared cache", "refused")
        await self.released.wait()
        await super().drop(names)

    async def clear(self) -> int:
        await self.released.wait()
        return await super().clear()

    async def close(self) -> None:
        self.closed = True


def test_readers_do_not_pile_up_behind_what_is_owed() -> None:
    async def story() -> None:
        guarded = GuardedCache(cache := SlowCache(refuses=True))
        await guarded.drop({"a": 1})
        cache.refuses = False
        for _ in range(50):
            await guarded.get(["a"])
        assert len(guarded._behind) == 1
        cache.released.set()
        await guarded.close()
        assert not guarded._owed

    asyncio.run(story())


def test_whoever_folds_does_not_wait_until_all_is_cleared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def story() -> None:
        monkeypatch.setattr(module, "MOST_OWED", 10)
        guarded = GuardedCache(cache := SlowCache(refuses=True))
        async with asyncio.timeout(5):
            await guarded.drop({f"n{number}": 1 for number in range(11)})
            await others_go_on()
            assert guarded._paying.locked()
            await guarded.drop({"last": 2})
        cache.refuses = False
        await guarded.put({"n1": entry(1)})
        cache.released.set()
        await guarded.close()
        assert not guarded._owed
        assert not guarded._owes_all
        assert cache._held.keys() == {"last"}

    asyncio.run(story())


def test_what_could_not_be_cleared_is_cleared_later() -> None:
    async def story() -> None:
        cache, time = SlowCache(), Time()
        guarded = GuardedCache(cache, Breaker(failures=1, now=time))
        await guarded.put({"a": entry(1)})
        guarded.dropping.failed("gone")
        assert await guarded.clear() is None
        time.at = 60.0
        cache.released.set()
        await guarded.get(["a"])
        await guarded.close()
        assert not cache._held
        assert not guarded.trouble

    asyncio.run(story())


def test_closing_does_not_wait_until_all_is_cleared(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        monkeypatch.setattr(module, "MOST_OWED", 0)
        monkeypatch.setattr(module, "CLOSED_WITHIN", 0.0)
        guarded = GuardedCache(cache := SlowCache())
        await guarded.drop({"a": 1})
        await guarded.close()
        assert cache.closed
        assert not guarded._behind

    async def in_time() -> None:
        async with asyncio.timeout(5):
            await story()

    asyncio.run(in_time())


def test_an_error_nobody_thought_of_does_not_keep_the_try_for_ever() -> None:
    class Odd(MemorySharedCache):
        async def get(self, names: Collection[str]) -> Mapping[str, Copy]:
            raise ZeroDivisionError

    async def story() -> None:
        breaker = Breaker(failures=1, pause=1.0, now=(time := Time()))
        guarded = GuardedCache(Odd(Clock()), breaker)
        breaker.failed("gone")
        time.at = 2.0
        for _ in range(2):
            with pytest.raises(ZeroDivisionError):
                await guarded.get(["a"])

    asyncio.run(story())


def test_what_does_not_answer_is_closed_all_the_same() -> None:
    async def story() -> None:
        guarded = GuardedCache(cache := SlowCache(), Breaker(failures=1))
        guarded.breaker.failed("gone")
        await guarded.close()
        assert cache.closed

    asyncio.run(story())
