"""The log as projections read it: decoded facts in order."""

from collections.abc import Sequence

from attrs import frozen

from adapters.eventstore.log import Log
from adapters.eventstore.mapper import Mapper
from application.recorded import Recorded


@frozen
class LogFeed:
    log: Log
    mapper: Mapper

    async def read(self, after: int, limit: int) -> Sequence[Recorded]:
        return [self.mapper.recorded(entry) for entry in await self.log.read(after, limit)]

    async def head(self) -> int:
        return await self.log.head()

    async def beyond(self, position: int, *, timeout: float) -> bool:
        return await self.log.beyond(position, timeout=timeout)
