"""Dead letters, read from their rows."""

from attrs import frozen

from adapters.tables.catalogue import PROJECTION_STATE
from adapters.tables.dead_letter_rows import PARTITION, from_row, of_sink
from adapters.tables.engine import TableEngine
from application.paging import Page, PageRequest
from application.ports.dead_letters import DeadLetterCard


@frozen
class TableDeadLetters:
    engine: TableEngine

    async def letters(self, sink: str | None, page: PageRequest) -> Page[DeadLetterCard]:
        found = await self.engine.query(
            PROJECTION_STATE.name,
            PARTITION,
            begins_with=of_sink(sink) if sink else "",
            limit=page.size,
            after=page.after,
        )
        return Page([from_row(row) for row in found.rows], found.next)

    async def count(self, *, most: int) -> int:
        found = await self.engine.query(PROJECTION_STATE.name, PARTITION, limit=most)
        return len(found.rows)
