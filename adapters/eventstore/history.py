"""Streams as they were, read from the log."""

from collections.abc import Sequence

from attrs import frozen

from adapters.eventstore.inspection.readability import readable
from adapters.eventstore.log import Log
from adapters.eventstore.mapper import Mapper
from application.recorded import Recorded
from domain.streams import StreamId


@frozen
class LogHistory:
    log: Log
    mapper: Mapper

    async def version_at(self, stream: StreamId, position: int) -> int:
        return await self.log.version_at(stream, position) or 0

    async def facts(self, stream: StreamId, *, after: int, upto: int) -> Sequence[Recorded]:
        entries = await self.log.stream(stream, after=after, upto=upto)
        with readable(stream):
            return [self.mapper.recorded(entry) for entry in entries]
