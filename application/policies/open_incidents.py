"""Every incident that is open, page by page, for policies that begin."""

from collections.abc import AsyncIterator

from application.paging import PageRequest
from application.ports.incident_board import IncidentBoard, IncidentCard, IncidentFilter
from domain.incident_parts import UNRESOLVED

_PAGE = 100


async def open_incidents(board: IncidentBoard) -> AsyncIterator[IncidentCard]:
    after: tuple[str, ...] | None = None
    while True:
        page = await board.incidents(IncidentFilter(UNRESOLVED), PageRequest(_PAGE, after))
        for card in page.items:
            yield card
        if page.next is None:
            return
        after = page.next
