"""The archive of evidence from the inside: what it holds, proving, sorting and forgetting it."""

from datetime import timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Depends
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from application.violations import refuse_any
from domain.errors import Violation
from entrypoints.http.authentication import By
from entrypoints.http.dependencies import Use
from entrypoints.http.description.responses import answers, takes
from entrypoints.http.streaming.progress_stream import MEDIA_TYPE, work_stream
from entrypoints.http.validation.json_body import reader
from entrypoints.http.validation.models import Body, Read
from entrypoints.http.validation.names import API
from entrypoints.interfaces import evidence_reports as told

router = APIRouter(prefix=f"{API}/evidence-archive", tags=["evidence"])

LONGEST_HOURS = 24 * 366 * 100

_LINES: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Lines of JSON: `work` and `total` when a part begins, `reached` as it goes "
        "on, then `result`, or `error` with a sentence. The last line tells how it ended.",
        "content": {MEDIA_TYPE: {"schema": {"type": "string"}}},
    }
}


class EvidenceArchiveResponse(BaseModel):
    items: int
    segments: int
    batches: int = Field(description="What is not sorted into segments yet.")
    stored_bytes: int
    oldest: str | None = Field(description="The hour that the oldest of it was created in.")


class VerifyEvidenceRequest(Body):
    model_config = ConfigDict(json_schema_extra={"examples": [{"repair": False}]})

    repair: bool | None = Field(
        None,
        description="Whether a cache that differs is filled anew, if the archive has all that it "
        "shows.",
    )


class RebuildEvidenceRequest(Body):
    model_config = ConfigDict(json_schema_extra={"examples": [{"accept_loss": False}]})

    accept_loss: bool | None = Field(
        None,
        description="Whether the cache is dropped although the archive lacks what it shows, or a "
        "part of the archive cannot be read. Otherwise that is refused.",
    )


class PurgeEvidenceRequest(Body):
    model_config = ConfigDict(json_schema_extra={"examples": [{"older_than_hours": 2160}]})

    older_than_hours: int | None = Field(
        None,
        ge=1,
        le=LONGEST_HOURS,
        description="At least as long as evidence is at hand, and an hour. Required.",
    )


@router.get(
    "",
    operation_id="getEvidenceArchive",
    summary="How much the archive of evidence holds",
    responses=answers(),
)
async def count(by: By, use: Use) -> EvidenceArchiveResponse:
    return EvidenceArchiveResponse(**told.stock(await use.count_evidence(by=by)))


@router.post(
    "/rebuild",
    operation_id="rebuildEvidence",
    summary="Drop the cache of evidence and fill it from the archive",
    response_class=StreamingResponse,
    responses={**answers(body=True), **_LINES},
    openapi_extra=takes(RebuildEvidenceRequest),
)
async def rebuild(
    by: By,
    sent: Annotated[Read[RebuildEvidenceRequest], Depends(reader(RebuildEvidenceRequest))],
    use: Use,
) -> StreamingResponse:
    refuse_any(sent.found)
    accepts = bool(sent.body.accept_loss)
    return await work_stream(
        lambda work: use.rebuild_evidence(work, accept_loss=accepts, by=by), told.rebuilt
    )


@router.post(
    "/verify",
    operation_id="verifyEvidence",
    summary="Read all of the archive, and compare the cache of evidence with it",
    response_class=StreamingResponse,
    responses={**answers(body=True), **_LINES},
    openapi_extra=takes(VerifyEvidenceRequest),
)
async def verify(
    by: By,
    sent: Annotated[Read[VerifyEvidenceRequest], Depends(reader(VerifyEvidenceRequest))],
    use: Use,
) -> StreamingResponse:
    refuse_any(sent.found)
    repair = bool(sent.body.repair)
    return await work_stream(
        lambda work: use.verify_evidence(work, repair=repair, by=by), told.verified
    )


@router.post(
    "/compact",
    operation_id="compactEvidence",
    summary="Sort what was kept into segments, one for each dataset and hour",
    response_class=StreamingResponse,
    responses={**answers(), **_LINES},
)
async def compact(by: By, use: Use) -> StreamingResponse:
    return await work_stream(lambda work: use.compact_evidence(work, by=by), told.compacted)


@router.post(
    "/purge",
    operation_id="purgeEvidence",
    summary="Delete old evidence for ever, but not what severe incidents hold that are open",
    response_class=StreamingResponse,
    responses={**answers(body=True), **_LINES},
    openapi_extra=takes(PurgeEvidenceRequest),
)
async def forget(
    by: By,
    sent: Annotated[Read[PurgeEvidenceRequest], Depends(reader(PurgeEvidenceRequest))],
    use: Use,
) -> StreamingResponse:
    hours = sent.body.older_than_hours
    missing = [Violation("older_than_hours", "REQUIRED", "is required")]
    refuse_any(sent.found, missing if hours is None else ())
    older_than = timedelta(hours=hours or 0)
    return await work_stream(
        lambda work: use.forget_evidence(older_than, work, by=by), told.forgotten
    )
