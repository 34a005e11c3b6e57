"""Reading incidents: one, those that fit, and how one came about."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import datetime, timedelta

from attrs import frozen

from application.caller import Caller
from application.incidents.read_model import IncidentFilter, IncidentView, card_after
from application.ports.access import Access
from application.projections.incidents import INCIDENT_BOARD
from application.reads.consistency import Reads
from application.reads.demand import NOTHING, Answer, Demand
from application.reads.paging import Page, PageRequest
from application.reads.reader import StreamReads
from application.recorded import Recorded
from domain.errors import NotFound
from domain.ids import IncidentId
from domain.incident.incident import IncidentFact
from domain.retention import KEPT_FOR
from domain.stream_categories import incident_stream
from domain.validation import LARGEST_INTEGER

_PAGE = 200


@frozen
class ReadIncident:
    """The incident as it is now: folded from its facts, never a stale one."""

    reads: Reads
    access: Access
    kept: timedelta = KEPT_FOR.incidents

    async def __call__(
        self,
        incident: IncidentId,
        *,
        demand: Demand = NOTHING,
        by: Caller,
        version: int | None = None,
    ) -> Answer[IncidentView]:
        """With a version, the incident as it was then. Raises NotFound if there is none."""
        await self.access.permit(by, "incident:read", incident)
        reader = await self.reads.open(demand, by=by)
        return reader.answer(await folded(reader.streams, incident, self.kept, upto=version))


async def folded(
    streams: StreamReads, incident: IncidentId, kept: timedelta, *, upto: int | None = None
) -> IncidentView:
    """The incident by its facts. Raises NotFound if there is none."""
    card: IncidentView | None = None
    async for recorded in _facts(streams, incident, upto):
        card = card_after(card, recorded, kept)
    if card is None:
        raise NotFound("incident", incident)
    return card


async def _facts(
    streams: StreamReads, incident: IncidentId, upto: int | None
) -> AsyncIterator[Recorded]:
    """Page by page, so that others have their turn between those of a long life."""
    reached, last = 0, LARGEST_INTEGER if upto is None else upto
    while reached < last:
        page = await streams.facts(
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

    reads: Reads
    access: Access

    async def __call__(
        self, names: Sequence[IncidentId], *, demand: Demand = NOTHING, by: Caller
    ) -> Answer[Sequence[IncidentView | None]]:
        """The cards in the order of the names; nothing where there is none."""
        for name in names:
            await self.access.permit(by, "incident:read", name)
        reader = await self.reads.open(demand, by=by, projections=[INCIDENT_BOARD])
        cards = await reader.incidents.find_many(names)
        return reader.answer([cards.get(name) for name in names])


@frozen
class ListIncidents:
    reads: Reads
    access: Access

    async def __call__(
        self, wanted: IncidentFilter, page: PageRequest, *, demand: Demand = NOTHING, by: Caller
    ) -> Answer[Page[IncidentView]]:
        await self.access.permit(by, "incident:read", wanted.dataset or "*")
        reader = await self.reads.open(demand, by=by, projections=[INCIDENT_BOARD])
        return reader.answer(await reader.incidents.matching(wanted, page))


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

    reads: Reads
    access: Access

    async def __call__(
        self, incident: IncidentId, page: PageRequest, *, demand: Demand = NOTHING, by: Caller
    ) -> Answer[Page[Happening]]:
        """Raises NotFound if there is no such incident."""
        await self.access.permit(by, "incident:read", incident)
        stream = incident_stream(incident)
        start = int(page.after[0]) if page.after else 0
        reader = await self.reads.open(demand, by=by)
        facts = await reader.streams.facts(stream, after=start, limit=page.size + 1)
        if not facts and not start:
            raise NotFound("incident", incident)
        shown = [_happening(recorded) for recorded in facts[: page.size]]
        places = [(str(one.version),) for one in shown]
        more = places[-1] if len(facts) > page.size else None
        return reader.answer(Page(shown, more, places))


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
