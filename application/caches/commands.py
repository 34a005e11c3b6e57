"""Looking after the caches."""

from attrs import frozen

from application.caches.ports import Caches, CacheStatus, Cleared
from application.caller import Caller
from application.ports.access import Access


@frozen
class ReadCaches:
    """Hit rates, sizes and latencies of each layer (S0-224)."""

    caches: Caches
    access: Access

    async def __call__(self, *, by: Caller) -> CacheStatus:
        await self.access.permit(by, "cache:read", "*")
        return await self.caches.status()


@frozen
class ClearCaches:
    caches: Caches
    access: Access

    async def __call__(self, *, by: Caller) -> Cleared:
        await self.access.permit(by, "cache:clear", "*")
        return await self.caches.clear()
