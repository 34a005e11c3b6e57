"""The shared cache, or none: whatever happens to it, whoever reads goes on without it."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping
from contextlib import suppress
from itertools import islice
from typing import Any, TypeVar

from attrs import Factory, define, evolve, field

from adapters.caching.breaker import Breaker
from adapters.caching.entry import Copy, Entry
from adapters.caching.shared import SharedCache
from application.errors import Unavailable

T = TypeVar("T")

AT_ONCE = 100
MOST_OWED = 10_000
MOST_PUTTING = 64
CLOSED_WITHIN = 1.0


@define
class GuardedCache:
    """Never raises. What could not be dropped is owed, and dropped before all else later on.

    One that can be read but not changed is known by that: nothing in it is fresh, since what has
    changed could not be dropped from it by others either.
    """

    cache: SharedCache
    breaker: Breaker = field(factory=Breaker)
    """For whoever reads."""
    putting: Breaker = field(default=Factory(lambda self: evolve(self.breaker), takes_self=True))
    dropping: Breaker = field(default=Factory(lambda self: evolve(self.breaker), takes_self=True))
    """Alone: one that is full takes nothing, but what has changed can be dropped from it."""
    lost_puts: int = field(default=0, init=False)
    _owed: dict[str, int] = field(factory=dict, init=False)
    _owes_all: bool = field(default=False, init=False)
    _clears: bool = field(default=False, init=False)
    _paying: asyncio.Lock = field(factory=asyncio.Lock, init=False)
    _payment: "asyncio.Task[None] | None" = field(default=None, init=False)
    _behind: set[asyncio.Task[None]] = field(factory=set, init=False)

    @property
    def trouble(self) -> str | None:
        return self.breaker.trouble or self._takes_no_changes

    @property
    def _takes_no_changes(self) -> str | None:
        return self.dropping.trouble or self.putting.trouble

    async def get(self, names: Collection[str]) -> Mapping[str, Copy]:
        found: Mapping[str, Copy] | None = await _tried(self.breaker, lambda: self.cache.get(names))
        if found is None:
            return {}
        if self._owed or self._owes_all:
            self._pay_behind()
        if self._takes_no_changes:
            return {name: Copy(copy.entry, fresh=False) for name, copy in found.items()}
        return found

    async def put(self, entries: Mapping[str, Entry]) -> None:
        async def put() -> bool:
            await self.cache.put(entries)
            return True

        if not await _tried(self.putting, put):
            self.lost_puts += len(entries)

    def put_behind(self, entries: Mapping[str, Entry]) -> None:
        """Put without anybody waiting; not at all, if too many are at it."""
        if len(self._behind) < MOST_PUTTING:
            self._behind.add(self._spawned(self.put(entries)))
        else:
            self.lost_puts += len(entries)

    async def drop(self, names: Mapping[str, int]) -> None:
        for name, position in names.items():
            self._owed[name] = max(position, self._owed.get(name, 0))
        if len(self._owed) > MOST_OWED:
            self._owed.clear()
            self._owes_all = True
        if self._owes_all or self._clears:
            # That takes long, and whoever folds waits for this.
            self._pay_behind()
        else:
            await self.pay()

    async def pay(self) -> None:
        """Drop what is owed, as far as that goes now."""
        async with self._paying:
            if self._owes_all and not await self._cleared():
                return
            while self._owed and await self._paid(dict(islice(self._owed.items(), AT_ONCE))):
                pass

    async def clear(self) -> int | None:
        """How much there was; nothing if it does not answer: then it is done later."""
        told = await _tried(self.dropping, self.cache.clear)
        self._owes_all = self._owes_all or told is None
        return told

    async def size(self) -> int | None:
        """Nothing if it does not answer, or has too much to be counted."""
        if self.breaker.trouble:
            return None
        with suppress(Unavailable):
            return await self.cache.size()
        return None

    async def close(self) -> None:
        if self._behind:
            _, late = await asyncio.wait(self._behind, timeout=CLOSED_WITHIN)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        with suppress(Unavailable):
            await self.cache.close()

    async def _cleared(self) -> bool:
        # By the end all may be owed again.
        self._owes_all, self._clears, done = False, True, False
        try:
            done = await self.clear() is not None
        finally:
            self._clears, self._owes_all = False, self._owes_all or not done
        return done

    async def _paid(self, owed: Mapping[str, int]) -> bool:
        async def drop() -> bool:
            await self.cache.drop(owed)
            return True

        if not await _tried(self.dropping, drop):
            return False
        for name, position in owed.items():
            if self._owed.get(name) == position:
                del self._owed[name]
        return True

    def _pay_behind(self) -> None:
        if self._payment is None or self._payment.done():
            self._payment = self._spawned(self.pay())
            self._behind.add(self._payment)

    def _spawned(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        task = asyncio.create_task(work)
        task.add_done_callback(self._behind.discard)
        return task


async def _tried(breaker: Breaker, call: Callable[[], Awaitable[T]]) -> T | None:
    if not breaker.allows():
        return None
    try:
        told = await call()
    except Unavailable as error:
        breaker.failed(str(error))
        return None
    except BaseException:
        breaker.gave_up()
        raise
    breaker.succeeded()
    return told
