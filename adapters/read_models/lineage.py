"""Who writes and reads what, read from their rows."""

from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from contextlib import aclosing

from attrs import frozen

from adapters.read_models.listing import LATER_READ, MOST_READ, foreign_cursor
from adapters.row_layouts.catalogue import PROJECTION_STATE
from adapters.row_layouts.engine import Row, RowReads
from adapters.row_layouts.expiry import alive, living
from adapters.row_layouts.lineage_rows import (
    beyond,
    reading_from_row,
    table_of,
    tie_from_row,
    tie_key_of,
    writer_key,
    writer_key_of,
    written_from_row,
    written_partition,
)
from application.lineage.read_model import LineageEntry, Links, WriterKey, entry_of
from application.ports.clock import Clock
from application.reads.paging import Cursor, Page, PageRequest
from domain.ids import EntityId, Place, is_entity_id
from domain.lineage.impact import Reading, Writing
from domain.lineage.lineage import Role


@frozen
class TableLineage:
    engine: RowReads
    clock: Clock

    async def writers(self, place: Place, page: PageRequest) -> Page[LineageEntry]:
        return await self._entries(Role.WRITER, place, page)

    async def readers(self, place: Place, page: PageRequest) -> Page[LineageEntry]:
        return await self._entries(Role.READER, place, page)

    async def readings(self, places: Sequence[Place], *, most: int) -> Links[Place, Reading]:
        tables: dict[str, list[Place]] = {}
        for place in places:
            tables.setdefault(table_of(Role.READER, place).name, []).append(place)
        found: dict[Place, list[Reading]] = {}
        looked_at, partial = 0, False
        for table, partitions in tables.items():
            page = await self.engine.query_many(table, partitions, limit=most - looked_at)
            looked_at, partial = looked_at + len(page.rows), partial or page.next is not None
            for row in living(page.rows, self.clock):
                found.setdefault(Place(row["PK"]), []).append(reading_from_row(row))
        return Links(found, looked_at, partial)

    async def writings(
        self, entities: Sequence[EntityId], *, most: int
    ) -> Links[EntityId, Writing]:
        wrote = await self._writers(entities)
        if not wrote:
            return Links({}, 0)
        partitions = [written_partition(entity) for entity in entities if entity in wrote]
        page = await self.engine.query_many(PROJECTION_STATE.name, partitions, limit=most)
        found: dict[EntityId, list[Writing]] = {}
        for row in living(page.rows, self.clock):
            card = written_from_row(row)
            found.setdefault(card.entity, []).append(card.writing)
        return Links(found, len(page.rows), page.next is not None)

    async def _writers(self, entities: Sequence[EntityId]) -> Collection[EntityId]:
        """Those who ever wrote something: each of them costs a query, and most are only readers."""
        rows = await self.engine.get([writer_key(WriterKey(entity)) for entity in entities])
        return {writer_key_of(row).entity for row in rows}

    async def _entries(self, role: Role, place: Place, page: PageRequest) -> Page[LineageEntry]:
        """The next entities, each with all its rows; a page ends between two entities."""
        now = self.clock.now()
        found: dict[EntityId, list[Row]] = {}
        last: EntityId | None = None
        read, most = 0, max(MOST_READ, page.size)
        async with aclosing(self._rows(role, place, page)) as rows:
            async for row in rows:
                entity = tie_key_of(row).tie.entity
                if last not in (None, entity) and (len(found) == page.size or read >= most):
                    return Page(_merged(found), (str(last),))
                last, read = entity, read + 1
                if alive(row, now):
                    found.setdefault(entity, []).append(row)
        return Page(_merged(found))

    async def _rows(self, role: Role, place: Place, page: PageRequest) -> AsyncGenerator[Row, None]:
        table, after, more = table_of(role, place).name, _after(role, page.after), True
        limit = page.size + 1
        while more:
            part = await self.engine.query(table, place, limit=limit, after=after)
            for row in part.rows:
                yield row
            after, more, limit = part.next, part.next is not None, max(limit, LATER_READ)


def _after(role: Role, cursor: Cursor | None) -> tuple[str, ...] | None:
    if cursor is None:
        return None
    if len(cursor) != 1 or not is_entity_id(cursor[0]):
        raise foreign_cursor()
    return (beyond(role, EntityId(cursor[0])),)


def _merged(found: Mapping[EntityId, Sequence[Row]]) -> Sequence[LineageEntry]:
    return [entry_of([tie_from_row(row) for row in rows]) for rows in found.values()]
