"""Incidents: opening or joining, and changing."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Response

from application.incidents.read_model import IncidentView
from entrypoints.http.authentication import Writer
from entrypoints.http.dependencies import Use
from entrypoints.http.description.responses import (
    ETAG,
    LOCATION,
    POSITION,
    REPLAY,
    answers,
    success,
    takes,
)
from entrypoints.http.incidents.requests import OpenIncidentRequest, UpdateIncidentRequest
from entrypoints.http.incidents.responses import Incident, IncidentOpenedResponse, incident_tag
from entrypoints.http.validation.json_body import reader
from entrypoints.http.validation.models import Read
from entrypoints.http.validation.names import API, IncidentInPath
from entrypoints.http.validation.preconditions import IfMatch, expected
from entrypoints.http.written import written
from entrypoints.interfaces.names import incident_named

router = APIRouter(prefix=API, tags=["incidents"])

_OPENED = success(POSITION, ETAG, LOCATION, REPLAY, status=201)
_JOINED: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "An incident is open for this fault already: what is new was attached.",
        "model": IncidentOpenedResponse,
        **success(POSITION, ETAG, LOCATION, REPLAY)[200],
    }
}


@router.post(
    "/incidents",
    operation_id="openIncident",
    summary="Open an incident, or join the one that is open for the same fault",
    description="There is at most one open incident for each dataset and failure signature.",
    status_code=201,
    responses=answers(409, body=True) | _OPENED | _JOINED,
    openapi_extra=takes(OpenIncidentRequest),
)
async def open_or_join(
    response: Response,
    by: Writer,
    sent: Annotated[Read[OpenIncidentRequest], Depends(reader(OpenIncidentRequest))],
    use: Use,
) -> IncidentOpenedResponse:
    opened = await use.open_incident(sent.body.report(), by=by, found=sent.found)
    if opened.joined:
        response.status_code = 200
    response.headers["Location"] = f"{API}/incidents/{opened.incident}"
    card = (await use.read_incident(opened.incident, by=by, version=opened.version)).value
    tell(response, card, opened.position, opened.replayed)
    return IncidentOpenedResponse.opened(card, joined=opened.joined)


@router.patch(
    "/incidents/{incident_id}",
    operation_id="updateIncident",
    summary="Update incident (status, assignment, RCA notes)",
    responses=answers(404, 409, 412, body=True) | success(POSITION, ETAG, REPLAY),
    openapi_extra=takes(UpdateIncidentRequest),
)
async def change(
    response: Response,
    by: Writer,
    incident_id: IncidentInPath,
    sent: Annotated[Read[UpdateIncidentRequest], Depends(reader(UpdateIncidentRequest))],
    use: Use,
    if_match: IfMatch = None,
) -> Incident:
    found = list(sent.found)
    name = incident_named(incident_id, found)
    wanted = expected(if_match, sent.body.expected_version, found)
    with wanted.checked():
        changed = await use.change_incident(
            name, sent.body.patch(wanted.version), by=by, found=found
        )
    card = (await use.read_incident(name, by=by, version=changed.version)).value
    tell(response, card, changed.position, changed.replayed)
    return Incident.model_validate(card)


def tell(response: Response, card: IncidentView, position: int, replayed: bool) -> None:
    written(response, position, replayed=replayed)
    response.headers["ETag"] = incident_tag(card)
