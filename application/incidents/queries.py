"""Reading incidents: one, those that fit, and how one came about."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import datetime, timedelta

from attrs import frozen

from application.caller import Caller
from application.incidents.read_model import IncidentCard, IncidentFilter
from application.ports.access import Access
from application.projections.incidents import card_after
from application.reads.paging import Page, PageRequest
from application.reads.reader import Boards
from application.recorded import Recorded
from domain.errors import NotFound
from domain.ids import IncidentId
from domain.incident.facts import IncidentFact
from domain.retention import KEPT_FOR
from domain.stream_categories import incident_stream
from domain.validation import LARGEST_INTEGER

_PAGE = 200


@frozen
class ReadIncident:
    """The incident as it is now: folded from its facts, never a stale one."""

    boards: Boards
    access: Access
    kept: timedelta = KEPT_FOR.incidents

    async def __call__(
        self, incident: IncidentId, *, by: Caller, version: int | None = None
    ) -> IncidentCard:
        """With a version, the incident as it was then. Raises NotFound if there is none."""
        await self.access.permit(by, "incident:read", incident)
        card: IncidentCard | None = None
        async for recorded in self._facts(incident, version):
            card = card_after(card, recorded, self.kept)
        if card is None:
            raise NotFound("incident", incident)
        return card

    async def _facts(self, incident: IncidentId, upto: int | None) -> AsyncIterator[Recorded]:
        """Page by page, so that others have their turn between those of a long life."""
        reached, last = 0, LARGEST_INTEGER if upto is None else upto
        while reached < last:
            page = await self.boards.facts.facts(
                incident_stream(incident), after=reached, limit=min(_PAGE, last - reached)
            )
            for recorded in page:
                yield recorded
            if len(page) < _PAGE:
                return
            reached = page[-1].version
            await asyncio.sleep(0)


@frozen
class ReadIncidents:
    """Many incidents in one read, as the board shows them."""

    boards: Boards
    access: Access

    async def __call__(
        self, names: Sequence[IncidentId], *, by: Caller
    ) -> Sequence[IncidentCard | None]:
        """The cards in the order of the names; nothing where there is none."""
        for name in names:
            await self.access.permit(by, "incident:read", name)
        boards = await self.boards.settled(by, "incident-board")
        cards = await boards.incidents.named(names)
        return [cards.get(name) for name in names]


@frozen
class ListIncidents:
    boards: Boards
    access: Access

    async def __call__(
        self, wanted: IncidentFilter, page: PageRequest, *, by: Caller
    ) -> Page[IncidentCard]:
        await self.access.permit(by, "incident:read", wanted.dataset or "*")
        boards = await self.boards.settled(by, "incident-board")
        return await boards.incidents.incidents(wanted, page)


@frozen
class Happening:
    """One fact of an incident: who, when, what."""

    at: datetime
    by: str
    fact: IncidentFact
    version: int
    position: int
    correlation_id: str
    event_id: bytes
    causation_id: str | None
    """Of the event that made a policy act; nothing if somebody asked for it."""


@frozen
class ReadTimeline:
    """Who did what, when: every fact of an incident, the oldest first."""

    boards: Boards
    access: Access

    async def __call__(
        self, incident: IncidentId, page: PageRequest, *, by: Caller
    ) -> Page[Happening]:
        """Raises NotFound if there is no such incident."""
        await self.access.permit(by, "incident:read", incident)
        stream = incident_stream(incident)
        start = int(page.after[0]) if page.after else 0
        facts = await self.boards.facts.facts(stream, after=start, limit=page.size + 1)
        if not facts and not start:
            raise NotFound("incident", incident)
        shown = [_happening(recorded) for recorded in facts[: page.size]]
        places = [(str(one.version),) for one in shown]
        return Page(shown, places[-1] if len(facts) > page.size else None, places)


def _happening(recorded: Recorded) -> Happening:
    return Happening(
        at=recorded.at,
        by=recorded.by,
        fact=recorded.fact,
        version=recorded.version,
        position=recorded.position,
        correlation_id=recorded.correlation_id,
        event_id=recorded.event_id,
        causation_id=recorded.causation_id,
    )
