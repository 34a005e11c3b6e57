"""Streams as long as they were."""

from collections.abc import Sequence

from attrs import frozen

from application.reads.as_of.snapshot import Past
from application.recorded import Recorded
from domain.streams import StreamId


@frozen
class PastFacts:
    past: Past

    async def version(self, stream: StreamId) -> int:
        return await self.past.history.version_at(stream, self.past.position)

    async def facts(
        self, stream: StreamId, *, after: int = 0, limit: int | None = None
    ) -> Sequence[Recorded]:
        last = await self.version(stream)
        upto = last if limit is None else min(last, after + limit)
        return await self.past.history.facts(stream, after=after, upto=upto)
