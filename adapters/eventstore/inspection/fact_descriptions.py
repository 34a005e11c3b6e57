"""Facts as people are told of them."""

from attrs import frozen

from adapters.eventstore.feed import Entries
from adapters.eventstore.inspection.readability import Readability
from adapters.eventstore.mapper import Mapper
from application.maintenance.verify import FactTold


@frozen
class LogFactsTold:
    log: Entries
    mapper: Mapper

    async def at(self, position: int) -> FactTold | None:
        if not 0 < position <= await self.log.head():
            return None
        (entry,) = await self.log.read(position - 1, 1)
        readable = Readability(self.mapper)(entry) is None
        return FactTold(
            position=entry.position,
            stream=entry.stream,
            version=entry.version,
            name=entry.name,
            at=entry.recorded_at,
            by=self.mapper.recorded(entry).by if readable else "",
        )
