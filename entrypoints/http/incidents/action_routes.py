"""Incidents: opening again, snoozing, merging and splitting."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Annotated

from attrs import define, field
from fastapi import APIRouter, Depends, Response

from application.caller import Caller
from application.incidents.changes import IncidentChanged
from application.incidents.queries import ReadIncident
from domain.errors import Violation
from domain.ids import IncidentId
from domain.incident.patch import Snooze
from domain.versions import ANY_VERSION
from entrypoints.http.authentication import BodilessWriter, Writer
from entrypoints.http.dependencies import Use
from entrypoints.http.description.responses import ETAG, POSITION, REPLAY, answers, success, takes
from entrypoints.http.incidents.requests import (
    MergeIncidentRequest,
    ReopenIncidentRequest,
    SnoozeIncidentRequest,
    SplitIncidentRequest,
)
from entrypoints.http.incidents.responses import Incident
from entrypoints.http.incidents.routes import tell
from entrypoints.http.validation.json_body import reader
from entrypoints.http.validation.models import Read
from entrypoints.http.validation.names import API, IncidentInPath
from entrypoints.http.validation.preconditions import IfMatch, expected
from entrypoints.interfaces.names import incident_named

router = APIRouter(prefix=API, tags=["incidents"])

Act = Callable[..., Awaitable[IncidentChanged]]

_ANSWERS = answers(404, 409, 412, body=True) | success(POSITION, ETAG, REPLAY)


@router.post(
    "/incidents/{incident_id}/reopen",
    operation_id="reopenIncident",
    summary="Open a resolved incident again",
    description="Within the reopening window, unless another incident is open for one of its "
    "faults. What was merged into another incident is split off instead.",
    responses=_ANSWERS,
    openapi_extra=takes(ReopenIncidentRequest),
)
async def reopen(
    response: Response,
    by: Writer,
    incident_id: IncidentInPath,
    sent: Annotated[Read[ReopenIncidentRequest], Depends(reader(ReopenIncidentRequest))],
    use: Use,
    if_match: IfMatch = None,
) -> Incident:
    act = partial(use.reopen_incident, reason=sent.body.reason)
    on = _On(incident_id, if_match, sent.body.expected_version, [*sent.found])
    return await on.done(act, response, use.read_incident, by)


@router.post(
    "/incidents/{incident_id}/snooze",
    operation_id="snoozeIncident",
    summary="Let nobody look at an incident before a moment",
    responses=_ANSWERS,
    openapi_extra=takes(SnoozeIncidentRequest),
)
async def snooze(
    response: Response,
    by: Writer,
    incident_id: IncidentInPath,
    sent: Annotated[Read[SnoozeIncidentRequest], Depends(reader(SnoozeIncidentRequest))],
    use: Use,
    if_match: IfMatch = None,
) -> Incident:
    act = partial(use.snooze_incident, snooze=Snooze(sent.body.until, sent.body.reason))
    on = _On(incident_id, if_match, sent.body.expected_version, [*sent.found])
    return await on.done(act, response, use.read_incident, by)


@router.delete(
    "/incidents/{incident_id}/snooze",
    operation_id="endSnooze",
    summary="End a snooze early",
    responses=answers(404, 409, 412) | success(POSITION, ETAG, REPLAY),
)
async def wake(
    response: Response,
    by: BodilessWriter,
    incident_id: IncidentInPath,
    use: Use,
    if_match: IfMatch = None,
) -> Incident:
    act = partial(use.snooze_incident, snooze=Snooze(None))
    return await _On(incident_id, if_match).done(act, response, use.read_incident, by)


@router.post(
    "/incidents/{incident_id}/merge",
    operation_id="mergeIncident",
    summary="End an incident as a duplicate of another one",
    description="The other incident is about its faults and signals from then on.",
    responses=_ANSWERS,
    openapi_extra=takes(MergeIncidentRequest),
)
async def merge(
    response: Response,
    by: Writer,
    incident_id: IncidentInPath,
    sent: Annotated[Read[MergeIncidentRequest], Depends(reader(MergeIncidentRequest))],
    use: Use,
    if_match: IfMatch = None,
) -> Incident:
    into = IncidentId(sent.body.into or "")
    act = partial(use.merge_incident, into=into, reason=sent.body.reason)
    on = _On(incident_id, if_match, sent.body.expected_version, [*sent.found])
    return await on.done(act, response, use.read_incident, by)


@router.post(
    "/incidents/{incident_id}/split",
    operation_id="splitIncident",
    summary="Open a merged incident again, apart from the other one",
    description="It gets back the faults and signals it came with. The other one must be open.",
    responses=_ANSWERS,
    openapi_extra=takes(SplitIncidentRequest),
)
async def split(
    response: Response,
    by: Writer,
    incident_id: IncidentInPath,
    sent: Annotated[Read[SplitIncidentRequest], Depends(reader(SplitIncidentRequest))],
    use: Use,
    if_match: IfMatch = None,
) -> Incident:
    act = partial(use.split_incident, reason=sent.body.reason)
    on = _On(incident_id, if_match, sent.body.expected_version, [*sent.found])
    return await on.done(act, response, use.read_incident, by)


@define
class _On:
    """The incident that an action is about, and the version it was decided on."""

    incident_id: str
    if_match: str | None
    in_body: int | None = None
    found: list[Violation] = field(factory=list)

    async def done(
        self, act: Act, response: Response, reading: ReadIncident, by: Caller
    ) -> Incident:
        name = incident_named(self.incident_id, self.found)
        wanted = expected(self.if_match, self.in_body, self.found)
        version = ANY_VERSION if wanted.version is None else wanted.version
        with wanted.checked():
            changed = await act(name, by=by, expected_version=version, found=self.found)
        card = (await reading(name, by=by, version=changed.version)).value
        tell(response, card, changed.position, changed.replayed)
        return Incident.model_validate(card)
