"""The shared cache, or none: whatever happens to it, whoever reads goes on without it."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any, TypeVar

from attrs import Factory, define, evolve, field

from adapters.cache.circuit_breaker import Breaker
from adapters.cache.entry import Copy, Entry
from adapters.cache.shared_cache import SharedCache
from application.errors import Unavailable

T = TypeVar("T")

AT_ONCE = 100
MOST_PUTTING = 64
CLOSED_WITHIN = 1.0


@define
class GuardedCache:
    """Whoever reads, puts or folds is told of no trouble. What one who folds could not drop is
    dropped later by one who makes sure of it (`drop_surely`), as the log says.

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
        if self._takes_no_changes:
            self._look_behind()
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
        """As far as that goes now; whoever folds does not wait for more."""
        for some in _pieces(names):
            if not await _tried(self.dropping, partial(self._dropped, some)):
                return

    async def drop_surely(self, names: Mapping[str, int]) -> None:
        """Whatever is known of the cache: that it is back shows first to one who asks it.

        Raises:
            Unavailable: Not all of them were dropped.
        """
        for some in _pieces(names):
            await self._surely(partial(self.cache.drop, some))

    async def told(self, of: str) -> int | None:
        """Raises Unavailable if it does not answer."""
        return await self.cache.told(of)

    async def tell_surely(self, of: str, upto: int, *, after: int | None) -> bool:
        """Raises Unavailable if nobody knows whether it remembers that."""
        return await self._surely(partial(self.cache.tell, of, upto, after=after))

    async def clear_surely(self) -> None:
        """Raises Unavailable if not all is forgotten."""
        await self._surely(self.cache.clear)

    async def clear(self) -> int | None:
        """How much there was; nothing if it does not answer, and is not cleared."""
        return await _tried(self.dropping, self.cache.clear)

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

    def _look_behind(self) -> None:
        """Whoever reads may be the only one here: none who folds would ever see that it is back."""
        if self.dropping.trouble and self.dropping.allows():
            looked = _outcome(self.dropping, self.cache.check)
            self._behind.add(self._spawned(looked))

    async def _dropped(self, names: Mapping[str, int]) -> bool:
        await self.cache.drop(names)
        return True

    async def _surely(self, change: Callable[[], Awaitable[T]]) -> T:
        try:
            told = await change()
        except Unavailable as error:
            self.dropping.failed(str(error))
            raise
        self.dropping.succeeded()
        return told

    def _spawned(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        task = asyncio.create_task(work)
        task.add_done_callback(self._behind.discard)
        return task


def _pieces(names: Mapping[str, int]) -> Iterator[Mapping[str, int]]:
    """Each so small that it is answered in time."""
    left = iter(names.items())
    while some := dict(islice(left, AT_ONCE)):
        yield some


async def _tried(breaker: Breaker, call: Callable[[], Awaitable[T]]) -> T | None:
    return await _outcome(breaker, call) if breaker.allows() else None


async def _outcome(breaker: Breaker, call: Callable[[], Awaitable[T]]) -> T | None:
    """For one who is allowed to try."""
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
