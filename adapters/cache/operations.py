"""The caches, looked after; also where there are none."""

from attrs import frozen

from adapters.cache.row_cache import RowCache
from application.caches.ports import CacheStatus, Cleared, SharedStatus

NO_ANSWER = "the shared cache did not answer"


@frozen
class CachesLookedAfter:
    cache: RowCache | None

    @property
    def trouble(self) -> str | None:
        shared = self.cache and self.cache.shared
        return shared.trouble if shared else None

    async def status(self) -> CacheStatus:
        if self.cache is None:
            return CacheStatus(0, 0, None, ())
        shared = self.cache.shared
        told = SharedStatus(await shared.size(), shared.trouble) if shared else None
        local = self.cache.local
        return CacheStatus(len(local), local.most, told, self.cache.counts.tallies())

    async def clear(self) -> Cleared:
        if self.cache is None:
            return Cleared(0, None)
        local, shared = self.cache.local.clear(), self.cache.shared
        told = await shared.clear() if shared else None
        late = shared is not None and told is None
        return Cleared(local, told, (self.trouble or NO_ANSWER) if late else None)
