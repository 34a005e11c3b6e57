"""What a shared cache that misbehaves costs those who do without it."""

import asyncio
from collections.abc import Collection, Mapping

import pytest
from attrs import define, field

import adapters.cache.guarded_cache as module
from adapters.cache.circuit_breaker import Breaker
from adapters.cache.entry import Copy, Entry
from adapters.cache.guarded_cache import GuardedCache
from adapters.memory.shared_cache import MemorySharedCache
from application.errors import Unavailable
from tests.adapters.cache.test_circuit_breaker import Time
from tests.adapters.cache.test_contract import Clock, entry


@define
class ToldCache(MemorySharedCache):
    """Refuses changes, or takes its time over them, as told."""

    clock: Clock = field(factory=Clock)
    refuses: bool = False
    released: asyncio.Event | None = None
    asked: int = 0
    closed: bool = False

    async def put(self, entries: Mapping[str, Entry]) -> None:
        if self.released is not None:
            await self.released.wait()
        await super().put(entries)

    async def drop(self, names: Mapping[str, int]) -> None:
        self._answer()
        await super().drop(names)

    async def check(self) -> None:
        self._answer()

    async def clear(self) -> int:
        self._answer()
        return await super().clear()

    async def close(self) -> None:
        self.closed = True

    def _answer(self) -> None:
        self.asked += 1
        if self.refuses:
            raise Unavailable("the shared cache", "refused")


MANY = {f"n{number}": 2 for number in range(250)}


def test_whoever_folds_asks_one_that_refuses_once_and_goes_on() -> None:
    async def story() -> None:
        guarded = GuardedCache(cache := ToldCache(refuses=True))
        await guarded.drop(MANY)
        assert cache.asked == 1
        cache.refuses = False
        await guarded.drop(MANY)
        assert cache._held.keys() == MANY.keys()

    asyncio.run(story())


def test_whoever_must_be_sure_is_told_and_asks_whatever_is_known() -> None:
    async def story() -> None:
        guarded = GuardedCache(cache := ToldCache(refuses=True), Breaker(failures=1, now=Time()))
        for surely in (guarded.drop_surely(MANY), guarded.clear_surely()):
            with pytest.raises(Unavailable):
                await surely
        assert guarded.trouble
        cache.refuses = False
        await guarded.drop({"n1": 1})
        assert not cache._held
        await guarded.drop_surely(MANY)
        assert cache._held.keys() == MANY.keys()
        assert not guarded.trouble
        await guarded.clear_surely()
        assert not cache._held

    asyncio.run(story())


def test_whoever_only_reads_sees_that_changes_are_taken_again() -> None:
    """It may have folded once, and never will again: somebody else does."""

    async def story() -> None:
        breaker = Breaker(failures=1, pause=1.0, now=(time := Time()))
        guarded = GuardedCache(cache := ToldCache(refuses=True), breaker)
        await cache.put({"a": entry(3)})
        await guarded.drop({"b": 2})
        time.at = 1.0
        assert not await is_fresh_after_a_look(guarded)
        cache.refuses = False
        # It was just looked at.
        assert not await is_fresh_after_a_look(guarded)
        time.at = 3.0
        assert await is_fresh_after_a_look(guarded)
        assert not guarded.trouble
        assert cache.asked == 3
        assert cache._held.keys() == {"a"}

    asyncio.run(story())


async def is_fresh_after_a_look(guarded: GuardedCache) -> bool:
    await guarded.get(["a"])
    await asyncio.gather(*guarded._behind)
    return (await guarded.get(["a"]))["a"].fresh


def test_closing_does_not_wait_for_what_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        monkeypatch.setattr(module, "CLOSED_WITHIN", 0.0)
        guarded = GuardedCache(cache := ToldCache(released=asyncio.Event()))
        guarded.put_behind({"a": entry(1)})
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
        guarded = GuardedCache(cache := ToldCache(), Breaker(failures=1))
        guarded.breaker.failed("gone")
        await guarded.close()
        assert cache.closed

    asyncio.run(story())
