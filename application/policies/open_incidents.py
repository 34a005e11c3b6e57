"""Every incident that is open, page by page, for policies that begin."""

from collections.abc import AsyncIterator

from application.incidents.read_model import IncidentFilter, IncidentReadModel, IncidentView
from application.reads.paging import PageRequest
from domain.incident.values import UNRESOLVED

_PAGE = 100


async def open_incidents(board: IncidentReadModel) -> AsyncIterator[IncidentView]:
    after: tuple[str, ...] | None = None
    while True:
        page = await board.matching(IncidentFilter(UNRESOLVED), PageRequest(_PAGE, after))
        for card in page.items:
            yield card
        if page.next is None:
            return
        after = page.next
