"""An incident, and when it was recorded that it was opened."""

from datetime import datetime, timedelta

from attrs import frozen

from application.caller import Caller
from application.incidents.queries import ReadIncident
from application.incidents.read_model import IncidentCard
from application.ports.access import Access
from application.reads.reader import Boards
from domain.ids import IncidentId
from domain.stream_categories import incident_stream


@frozen
class OpenedIncident:
    card: IncidentCard
    at: datetime
    """All that is as of then was there when the incident was opened."""


@frozen
class ReadOpened:
    boards: Boards
    access: Access
    kept: timedelta

    async def __call__(self, incident: IncidentId, *, by: Caller) -> OpenedIncident:
        """Raises NotFound if there is no such incident."""
        card = await ReadIncident(self.boards, self.access, self.kept)(incident, by=by)
        first = await self.boards.facts.facts(incident_stream(incident), limit=1)
        return OpenedIncident(card, first[0].at)
