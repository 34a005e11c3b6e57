"""An incident, and when it was recorded that it was opened."""

from datetime import datetime, timedelta

from attrs import frozen

from application.caller import Caller
from application.incidents.queries import folded
from application.incidents.read_model import IncidentView
from application.ports.access import Access
from application.reads.consistency import Reads
from application.reads.demand import Answer, Demand
from domain.ids import IncidentId
from domain.stream_categories import incident_stream


@frozen
class OpenedIncident:
    card: IncidentView
    at: datetime
    """All that is as of then was there when the incident was opened."""


@frozen
class ReadOpened:
    reads: Reads
    access: Access
    kept: timedelta

    async def __call__(
        self, incident: IncidentId, *, demand: Demand, by: Caller
    ) -> Answer[OpenedIncident]:
        """Raises NotFound if there is no such incident."""
        await self.access.permit(by, "incident:read", incident)
        reader = await self.reads.open(demand, by=by)
        card = await folded(reader.streams, incident, self.kept)
        first = await reader.streams.facts(incident_stream(incident), limit=1)
        return reader.answer(OpenedIncident(card, first[0].at))
