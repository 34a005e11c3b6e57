"""Dead letters, read from their rows."""

from attrs import frozen

from adapters.row_layouts.catalogue import PROJECTION_STATE
from adapters.row_layouts.dead_letter_rows import PARTITION, from_row, of_sink
from adapters.row_layouts.engine import RowReads
from application.delivery.dead_letter_read_model import DeadLetterView
from application.reads.paging import Page, PageRequest


@frozen
class TableDeadLetters:
    engine: RowReads

    async def letters(self, sink: str | None, page: PageRequest) -> Page[DeadLetterView]:
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
