"""What lies in the shared cache, dropped by what the log says."""

from collections.abc import Sequence

from attrs import frozen

from adapters.cache.guarded_cache import GuardedCache
from adapters.cache.invalidated_keys import ChangedNames
from adapters.cache.keys import PROJECTIONS
from application.errors import Unavailable
from application.recorded import Recorded


@frozen
class CachedCopies:
    shared: GuardedCache
    changed: ChangedNames

    async def drop(self, facts: Sequence[Recorded]) -> None:
        await self.shared.drop_surely(await self.changed.of(facts))

    async def told(self) -> int | None:
        return await self.shared.told(await self._generations())

    async def remember(self, upto: int, *, after: int | None) -> None:
        if not await self.shared.tell_surely(await self._generations(), upto, after=after):
            raise Unavailable("the shared cache", "it went back, or was told by somebody else")

    async def clear(self) -> None:
        await self.shared.clear_surely()

    async def _generations(self) -> str:
        """Tables that were filled anew have other names, which were told nothing of."""
        numbers = await self.changed.chosen.numbers()
        cached = sorted(PROJECTIONS.values())
        return "".join(f":{name}@g{numbers[name]}" for name in cached if name in numbers)
