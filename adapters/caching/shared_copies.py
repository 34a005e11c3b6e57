"""What lies in the shared cache, dropped by what the log says."""

from collections.abc import Sequence

from attrs import frozen

from adapters.caching.changed_names import ChangedNames
from adapters.caching.guarded import GuardedCache
from application.errors import Unavailable
from application.recorded import Recorded


@frozen
class CachedCopies:
    shared: GuardedCache
    changed: ChangedNames

    async def drop(self, facts: Sequence[Recorded]) -> None:
        await self.shared.drop_surely(await self.changed.of(facts))

    async def told(self) -> int | None:
        return await self.shared.told()

    async def remember(self, upto: int, *, after: int | None) -> None:
        if not await self.shared.tell_surely(upto, after=after):
            raise Unavailable("the shared cache", "it went back, or was told by somebody else")

    async def clear(self) -> None:
        await self.shared.clear_surely()
