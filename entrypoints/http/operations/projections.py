"""Read models from the inside: how far they are, filling them anew, proving them right."""

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Depends
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from adapters.row_layouts.ownership import HOLDINGS
from application.projections.projection import Projection
from application.reads.position import Position
from application.violations import refuse_any
from domain.errors import Violation
from entrypoints.http.authentication import By
from entrypoints.http.dependencies import Operated, Use
from entrypoints.http.description.responses import answers, takes
from entrypoints.http.streaming.progress_stream import MEDIA_TYPE, work_stream
from entrypoints.http.validation.json_body import reader
from entrypoints.http.validation.models import Body, Read
from entrypoints.http.validation.names import API
from entrypoints.interfaces import read_model_reports as told

router = APIRouter(prefix=f"{API}/projections", tags=["projections"])

Name = Annotated[str, Field(json_schema_extra={"enum": [*HOLDINGS]})]

_LINES: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Lines of JSON: `work` and `total` when a part begins, `reached` as it goes "
        "on, then `result`, or `error` with a sentence. The last line tells how it ended.",
        "content": {MEDIA_TYPE: {"schema": {"type": "string"}}},
    }
}


class ProjectionState(BaseModel):
    projection: str = Field(examples=["signal-state"])
    generation: int = Field(description="Which generation of its tables is read; 1 is the first.")
    position: str = Field(description="How far it is; an opaque token.")
    lag_events: int


class ProjectionsResponse(BaseModel):
    position: str = Field(description="The end of the log; an opaque token.")
    projections: list[ProjectionState]


class RebuildProjectionsRequest(Body):
    model_config = ConfigDict(json_schema_extra={"examples": [{"projections": ["signal-state"]}]})

    projections: list[Name] | None = Field(None, description="All, if none is named.")


class VerifyProjectionsRequest(Body):
    model_config = ConfigDict(json_schema_extra={"examples": [{"repair": False}]})

    projections: list[Name] | None = Field(None, description="All, if none is named.")
    repair: bool | None = Field(None, description="Whether what differs is replaced.")


@router.get(
    "",
    operation_id="listProjections",
    summary="How far the read models are, and which generation of their tables is read",
    responses=answers(),
)
async def states(
    by: By,
    operated: Operated,
) -> ProjectionsResponse:
    head, serving = await operated.feed.head(), await operated.generations.serving()
    reached = {name: operated.progress.reached(name).position for name in serving}
    return ProjectionsResponse(
        position=Position(head).token(),
        projections=[
            ProjectionState(
                projection=name,
                generation=number,
                position=Position(reached[name]).token(),
                lag_events=max(head - reached[name], 0),
            )
            for name, number in sorted(serving.items())
        ],
    )


@router.post(
    "/rebuild",
    operation_id="rebuildProjections",
    summary="Fill tables anew from the log while the old ones are read",
    response_class=StreamingResponse,
    responses={**answers(body=True), **_LINES},
    openapi_extra=takes(RebuildProjectionsRequest),
)
async def rebuild(
    by: By,
    sent: Annotated[Read[RebuildProjectionsRequest], Depends(reader(RebuildProjectionsRequest))],
    operated: Operated,
    use: Use,
) -> StreamingResponse:
    names = _named(sent, sent.body.projections, operated.projections)
    return await work_stream(lambda work: use.rebuild_projections(names, work, by=by), told.rebuilt)


@router.post(
    "/verify",
    operation_id="verifyProjections",
    summary="Compare every row with a fresh fold of the log",
    response_class=StreamingResponse,
    responses={**answers(body=True), **_LINES},
    openapi_extra=takes(VerifyProjectionsRequest),
)
async def verify(
    by: By,
    sent: Annotated[Read[VerifyProjectionsRequest], Depends(reader(VerifyProjectionsRequest))],
    operated: Operated,
    use: Use,
) -> StreamingResponse:
    names = _named(sent, sent.body.projections, operated.projections)
    repair = bool(sent.body.repair)
    return await work_stream(
        lambda work: use.verify_projections(names, work, repair=repair, by=by), told.verified
    )


def _named(
    sent: Read[Any], wanted: Sequence[str] | None, known: Sequence[Projection]
) -> Sequence[str]:
    names = [one.name for one in known]
    among = f"must be among {', '.join(names)}"
    unknown = [
        Violation(f"projections[{number}]", "UNKNOWN", among)
        for number, name in enumerate(wanted or ())
        if name not in names
    ]
    refuse_any(sent.found, unknown)
    return [name for name in names if not wanted or name in wanted]
