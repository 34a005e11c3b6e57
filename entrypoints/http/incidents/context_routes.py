"""All there is about an incident in one answer, for whoever looks for its cause."""

from fastapi import APIRouter, Response

from application.reads.position import Position
from domain.timestamps import stamp
from entrypoints.http.authentication import By
from entrypoints.http.dependencies import Use
from entrypoints.http.description.responses import AS_OF_HEADER, POSITION_HEADER, reads
from entrypoints.http.incidents.context_responses import IncidentContextResponse
from entrypoints.http.validation.consistency import StrongAt
from entrypoints.http.validation.names import API, IncidentInPath
from entrypoints.interfaces.names import incident_named

router = APIRouter(prefix=API, tags=["incidents"])


@router.get(
    "/incidents/{incident_id}/context",
    operation_id="getIncidentContext",
    summary="All there is about an incident, and its most likely cause",
    description="The incident itself as it is now, and beside it: the evidence it names, who "
    "writes and reads the data, how far it reaches, how the signals came to fail, what was changed "
    "and deployed before, what else is open, and who most likely caused it. Each part says how old "
    "it may be. A part that is late or cannot be read is null and named in `missing`; the rest is "
    "right.",
    responses=reads(404),
)
async def context(
    response: Response,
    by: By,
    incident_id: IncidentInPath,
    use: Use,
    at: StrongAt,
) -> IncidentContextResponse:
    name = at.about(incident_named, incident_id)
    told = await use.read_context(name, at.demand, by=by)
    response.headers[POSITION_HEADER] = Position(told.position).token()
    if told.as_of is not None:
        response.headers[AS_OF_HEADER] = stamp(told.as_of)
    return IncidentContextResponse.of(told)
