"""The shared cache, or none: whatever happens to it, whoever reads goes on without it."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping
from itertools import islice
from typing import TypeVar

from attrs import define, field

from adapters.caching.breaker import Breaker
from adapters.caching.entry import Copy, Entry
from adapters.caching.shared import SharedCache
from application.errors import Unavailable

T = TypeVar("T")

AT_ONCE = 100
MOST_OWED = 10_000
MOST_PUTTING = 64


@define
class GuardedCache:
    """Never raises. What could not be dropped is owed, and dropped before all else later on."""

    cache: SharedCache
    breaker: Breaker = field(factory=Breaker)
    lost_puts: int = field(default=0, init=False)
    _owed: dict[str, int] = field(factory=dict, init=False)
    _owes_all: bool = field(default=False, init=False)
    _paying: asyncio.Lock = field(factory=asyncio.Lock, init=False)
    _behind: set[asyncio.Task[None]] = field(factory=set, init=False)

    @property
    def trouble(self) -> str | None:
        return self.breaker.trouble

    async def get(self, names: Collection[str]) -> Mapping[str, Copy]:
        found: Mapping[str, Copy] | None = await self._tried(lambda: self.cache.get(names))
        if found is not None and (self._owed or self._owes_all):
            self._spawn(self.pay())
        return found or {}

    async def put(self, entries: Mapping[str, Entry]) -> None:
        async def put() -> bool:
            await self.cache.put(entries)
            return True

        if not await self._tried(put):
            self.lost_puts += len(entries)

    def put_behind(self, entries: Mapping[str, Entry]) -> None:
        """Put without anybody waiting; not at all, if too many are at it."""
        if len(self._behind) < MOST_PUTTING:
            self._spawn(self.put(entries))
        else:
            self.lost_puts += len(entries)

    async def drop(self, names: Mapping[str, int]) -> None:
        for name, position in names.items():
            self._owed[name] = max(position, self._owed.get(name, 0))
        if len(self._owed) > MOST_OWED:
            self._owed.clear()
            self._owes_all = True
        await self.pay()

    async def pay(self) -> None:
        """Drop what is owed, as far as that goes now."""
        async with self._paying:
            if self._owes_all and await self._tried(self.cache.clear) is not None:
                self._owes_all = False
            while self._owed and await self._paid(dict(islice(self._owed.items(), AT_ONCE))):
                pass

    async def clear(self) -> int | None:
        """How much there was; nothing if it does not answer."""
        return await self._tried(self.cache.clear)

    async def size(self) -> int | None:
        return await self._tried(self.cache.size)

    async def close(self) -> None:
        await asyncio.gather(*self._behind)
        await self._tried(self.cache.close)

    async def _paid(self, owed: Mapping[str, int]) -> bool:
        async def drop() -> bool:
            await self.cache.drop(owed)
            return True

        if not await self._tried(drop):
            return False
        for name, position in owed.items():
            if self._owed.get(name) == position:
                del self._owed[name]
        return True

    async def _tried(self, call: Callable[[], Awaitable[T]]) -> T | None:
        if not self.breaker.allows():
            return None
        try:
            told = await call()
        except Unavailable as error:
            self.breaker.failed(str(error))
            return None
        except asyncio.CancelledError:
            self.breaker.gave_up()
            raise
        self.breaker.succeeded()
        return told

    def _spawn(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._behind.add(task)
        task.add_done_callback(self._behind.discard)
