"""Who wrote and read what."""

from collections.abc import Iterable, Sequence

from attrs import define, field

from application.lineage.read_model import LineageEntry, LineageGraph, Links
from application.projections.lineage import LINEAGE_INDEX
from application.reads.as_of.snapshot import Past
from application.reads.paging import Page, PageRequest
from application.reads.scratch import Scratch
from domain.ids import EntityId, Place
from domain.lineage.impact import Reading, Writing
from domain.streams import StreamId


@define
class PastLineage:
    """Grows while it is walked: no producer's lineage touches another's, so each is folded once."""

    past: Past
    _scratch: Scratch | None = None
    _folded: set[StreamId] = field(factory=set)

    async def writers(self, place: Place, page: PageRequest) -> Page[LineageEntry]:
        directory = await self.past.listed()
        graph = await self._with(await directory.written_at([place]))
        return await graph.writers(place, page)

    async def readers(self, place: Place, page: PageRequest) -> Page[LineageEntry]:
        return await (await self._at([place])).readers(place, page)

    async def readings(self, places: Sequence[Place], *, most: int) -> Links[Place, Reading]:
        return await (await self._at(places)).readings(places, most=most)

    async def writings(
        self, entities: Sequence[EntityId], *, most: int
    ) -> Links[EntityId, Writing]:
        directory = await self.past.listed()
        graph = await self._with(await directory.declared_by(entities))
        return await graph.writings(entities, most=most)

    async def _at(self, places: Sequence[Place]) -> LineageGraph:
        directory = await self.past.listed()
        return await self._with(await directory.declared_at(places))

    async def _with(self, streams: Iterable[StreamId]) -> LineageGraph:
        if self._scratch is None:
            self._scratch = self.past.scratches(self.past.at)
        fresh = set(streams) - self._folded
        await self.past.fold_into(self._scratch, LINEAGE_INDEX, sorted(fresh))
        self._folded |= fresh
        return self._scratch.lineage
