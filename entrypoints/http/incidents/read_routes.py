"""Looking incidents up: one, those that fit, and how one came about."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response

from application.incidents.read_model import IncidentFilter
from application.violations import refuse_any
from domain.incident.severity import Severity
from domain.incident.values import IncidentStatus
from entrypoints.http.authentication import By
from entrypoints.http.dependencies import PageSecret, Use
from entrypoints.http.description.responses import ETAG, reads
from entrypoints.http.incidents.responses import (
    Incident,
    IncidentImpactResponse,
    IncidentListResponse,
    TimelineEntry,
    TimelineResponse,
    incident_tag,
)
from entrypoints.http.validation.consistency import At, StrongAt
from entrypoints.http.validation.names import API, URN_SCHEMA, IncidentInPath, OwnerFilter
from entrypoints.http.validation.paging import PageSize, PageToken
from entrypoints.http.validation.timestamps import moment_parameter
from entrypoints.interfaces.names import dataset_named, incident_named
from entrypoints.interfaces.page_tokens import Pages
from entrypoints.interfaces.timestamps import refuse_backwards

router = APIRouter(prefix=API, tags=["incidents"])

Shown = Literal["OPEN", "ACKNOWLEDGED", "RESOLVED"]
Since = Annotated[
    str | None,
    Query(
        alias="from", description="Opened then or later.", json_schema_extra={"format": "date-time"}
    ),
]
Until = Annotated[
    str | None,
    Query(
        alias="to", description="Opened then or earlier.", json_schema_extra={"format": "date-time"}
    ),
]


@router.get(
    "/incidents",
    operation_id="listIncidents",
    summary="List incidents",
    description="Open ones first, then acknowledged, then resolved ones; within these the most "
    "severe and the oldest first. Those of one dataset come the newest first.",
    responses=reads(),
)
async def list_all(
    by: By,
    use: Use,
    secret: PageSecret,
    at: At,
    status: Annotated[list[Shown], Query(description="May be repeated.")] = [],  # noqa: B006  # FastAPI copies it
    severity: Annotated[list[Severity], Query(description="May be repeated.")] = [],  # noqa: B006
    dataset_urn: Annotated[str | None, Query(json_schema_extra=URN_SCHEMA)] = None,
    owner_team: OwnerFilter = None,
    since: Since = None,
    until: Until = None,
    page_token: PageToken = None,
    page_size: PageSize = 50,
) -> IncidentListResponse:
    found = [*at.violations]
    statuses, severities = sorted(set(status)), sorted(set(severity))
    asked = ("incidents", statuses, severities, dataset_urn, owner_team, since, until, at.moment)
    pages = Pages(secret, asked)
    wanted = IncidentFilter(
        statuses=tuple(map(IncidentStatus, statuses)),
        severities=tuple(severities),
        dataset=None if dataset_urn is None else dataset_named(dataset_urn, found),
        owner_team=owner_team,
        since=moment_parameter("from", since, found),
        until=moment_parameter("to", until, found),
    )
    refuse_backwards(wanted.since, wanted.until, found)
    request = pages.request(page_size, page_token, found)
    refuse_any(found)
    page = at.of(await use.list_incidents(wanted, request, demand=at.demand, by=by))
    return IncidentListResponse(
        incidents=[Incident.model_validate(card) for card in page.items],
        next_page_token=pages.token(page.next),
    )


@router.get(
    "/incidents/{incident_id}",
    operation_id="getIncident",
    summary="Get incident details",
    description="Always as it is now, unless a moment is asked about.",
    responses=reads(404, headers=ETAG),
)
async def get(
    response: Response,
    by: By,
    incident_id: IncidentInPath,
    use: Use,
    at: StrongAt,
) -> Incident:
    name = at.about(incident_named, incident_id)
    card = at.of(await use.read_incident(name, demand=at.demand, by=by))
    response.headers["ETag"] = incident_tag(card)
    return Incident.model_validate(card)


@router.get(
    "/incidents/{incident_id}/timeline",
    operation_id="getIncidentTimeline",
    summary="Who did what, when",
    responses=reads(404),
)
async def timeline(
    by: By,
    incident_id: IncidentInPath,
    use: Use,
    secret: PageSecret,
    at: At,
    page_token: PageToken = None,
    page_size: PageSize = 50,
) -> TimelineResponse:
    found = [*at.violations]
    name = incident_named(incident_id, found)
    pages = Pages(secret, ("timeline", incident_id, at.moment))
    request = pages.request(page_size, page_token, found)
    refuse_any(found)
    page = at.of(await use.read_timeline(name, request, demand=at.demand, by=by))
    return TimelineResponse(
        incident_id=name,
        timeline=[TimelineEntry.model_validate(one) for one in page.items],
        next_page_token=pages.token(page.next),
    )


@router.get(
    "/incidents/{incident_id}/impact",
    operation_id="getIncidentImpact",
    summary="Who is affected: when it opened, and now",
    responses=reads(404),
)
async def impact(
    by: By,
    incident_id: IncidentInPath,
    use: Use,
    at: At,
) -> IncidentImpactResponse:
    name = at.about(incident_named, incident_id)
    return IncidentImpactResponse.model_validate(
        at.of(await use.read_blast_radius(name, demand=at.demand, by=by))
    )
