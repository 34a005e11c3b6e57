"""What lies in the shared cache, dropped by what the log says."""

from collections.abc import Sequence

from attrs import frozen

from adapters.caching.changed_names import ChangedNames
from adapters.caching.guarded import GuardedCache
from application.errors import NotReadable
from application.recorded import Recorded


@frozen
class CachedCopies:
    shared: GuardedCache
    changed: ChangedNames

    async def drop(self, facts: Sequence[Recorded]) -> None:
        try:
            names = await self.changed.of(facts)
        except NotReadable:
            # What is not understood may have changed anything.
            await self.clear()
        else:
            await self.shared.drop_surely(names)

    async def clear(self) -> None:
        await self.shared.clear_surely()
