"""Incidents: reading them, what happened to them, and who is affected."""

from collections.abc import AsyncIterator, Iterable
from datetime import datetime
from typing import Unpack

from statestore_client.enums import IncidentStatus, Severity
from statestore_client.messages import incidents_pb2 as pb
from statestore_client.models.incidents import Incident, IncidentImpact, TimelineEntry
from statestore_client.options import Reading
from statestore_client.transport.calls import Calls
from statestore_client.transport.translation import put, told


class IncidentReads:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def get(self, incident_id: str, **how: Unpack[Reading]) -> Incident:
        """Always as it is now, unless a moment is asked about."""
        request = pb.GetIncidentRequest(incident_id=incident_id)
        path = "IncidentService/GetIncident"
        return told(Incident, await self._calls.read(path, request, pb.Incident, how))

    async def list(
        self,
        *,
        statuses: Iterable[IncidentStatus] = (),
        severities: Iterable[Severity] = (),
        dataset_urn: str | None = None,
        owner_team: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        page_size: int = 0,
        **how: Unpack[Reading],
    ) -> AsyncIterator[Incident]:
        """Incidents opened within the span, page by page."""
        request = pb.ListIncidentsRequest(
            statuses=statuses,
            severities=severities,
            dataset_urn=dataset_urn or "",
            owner_team=owner_team or "",
            page_size=page_size,
        )
        put(request, "from", since)
        put(request, "to", until)
        async for page in self._calls.pages(
            "IncidentService/ListIncidents", request, pb.ListIncidentsResponse, how
        ):
            for one in page.incidents:
                yield told(Incident, one)

    async def timeline(
        self, incident_id: str, *, page_size: int = 0, **how: Unpack[Reading]
    ) -> AsyncIterator[TimelineEntry]:
        """Who did what, when, the oldest first."""
        request = pb.GetIncidentTimelineRequest(incident_id=incident_id, page_size=page_size)
        async for page in self._calls.pages(
            "IncidentService/GetIncidentTimeline", request, pb.GetIncidentTimelineResponse, how
        ):
            for one in page.timeline:
                yield told(TimelineEntry, one)

    async def impact(self, incident_id: str, **how: Unpack[Reading]) -> IncidentImpact:
        """Who is affected: when it opened, and now."""
        request = pb.GetIncidentImpactRequest(incident_id=incident_id)
        path = "IncidentService/GetIncidentImpact"
        answer = await self._calls.read(path, request, pb.IncidentImpact, how)
        return told(IncidentImpact, answer)
