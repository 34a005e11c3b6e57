"""Looking incidents up: one, those that fit, how one came about, and whom it affects."""

from collections.abc import Iterator

from attrs import frozen

from application.incidents.read_model import IncidentFilter
from application.use_cases import UseCases
from application.violations import refuse_any
from domain.errors import Violation
from domain.incident.severity import Severity
from domain.incident.values import IncidentStatus
from domain.timestamps import stamp
from entrypoints.grpc.fields.fields import all_chosen, told
from entrypoints.grpc.fields.filters import team_said
from entrypoints.grpc.fields.paging import page_wanted, pages_of
from entrypoints.grpc.fields.timestamps import moment_said
from entrypoints.grpc.incidents.responses import happening_told, impact_told, incident_told
from entrypoints.grpc.messages import incidents_pb2 as pb
from entrypoints.grpc.server.call import Call, answered, demanded
from entrypoints.interfaces.names import dataset_named, incident_named
from entrypoints.interfaces.timestamps import refuse_backwards

SHOWN = [status for status in IncidentStatus if status is not IncidentStatus.UNOPENED]


@frozen
class IncidentReads:
    """The reading part of the IncidentService."""

    use: UseCases
    page_secret: bytes

    async def get_incident(self, request: pb.GetIncidentRequest, call: Call) -> pb.Incident:
        demand, found = demanded(request)
        name = incident_named(request.incident_id, found)
        refuse_any(found)
        card, answer = answered(await self.use.read_incident(name, demand=demand, by=call.by))
        return incident_told(card, answer)

    async def list_incidents(
        self, request: pb.ListIncidentsRequest, call: Call
    ) -> pb.ListIncidentsResponse:
        demand, found = demanded(request, single=False)
        wanted = _filter(request, found)
        pages = pages_of(self.page_secret, request, "incidents", *_asked(wanted))
        page = page_wanted(request, pages, found)
        refuse_any(found)
        shown, answer = answered(
            await self.use.list_incidents(wanted, page, demand=demand, by=call.by)
        )
        return pb.ListIncidentsResponse(
            incidents=map(incident_told, shown.items),
            next_page_token=pages.token(shown.next),
            answer=answer,
        )

    async def get_incident_timeline(
        self, request: pb.GetIncidentTimelineRequest, call: Call
    ) -> pb.GetIncidentTimelineResponse:
        demand, found = demanded(request, single=False)
        name = incident_named(request.incident_id, found)
        pages = pages_of(self.page_secret, request, "timeline", name)
        page = page_wanted(request, pages, found)
        refuse_any(found)
        shown, answer = answered(
            await self.use.read_timeline(name, page, demand=demand, by=call.by)
        )
        return pb.GetIncidentTimelineResponse(
            timeline=map(happening_told, shown.items),
            next_page_token=pages.token(shown.next),
            answer=answer,
        )

    async def get_incident_impact(
        self, request: pb.GetIncidentImpactRequest, call: Call
    ) -> pb.IncidentImpact:
        demand, found = demanded(request, single=False)
        name = incident_named(request.incident_id, found)
        refuse_any(found)
        shown, answer = answered(await self.use.read_blast_radius(name, demand=demand, by=call.by))
        return impact_told(shown, answer)


def _filter(request: pb.ListIncidentsRequest, found: list[Violation]) -> IncidentFilter:
    urn = request.dataset_urn
    wanted = IncidentFilter(
        statuses=all_chosen("statuses", request.statuses, SHOWN, found),
        severities=all_chosen("severities", request.severities, Severity, found),
        dataset=dataset_named(urn, found) if urn else None,
        owner_team=team_said(request.owner_team, found),
        since=moment_said(request, "from", found),
        until=moment_said(request, "to", found),
    )
    refuse_backwards(wanted.since, wanted.until, found)
    return wanted


def _asked(wanted: IncidentFilter) -> Iterator[object]:
    yield from (wanted.statuses, wanted.severities, wanted.dataset, wanted.owner_team)
    yield from (told(wanted.since, stamp), told(wanted.until, stamp))
