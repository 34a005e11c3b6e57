"""What the projections could not take."""

from fastapi import APIRouter
from pydantic import BaseModel, Field

from application.projections.quarantined_facts import SetAside
from application.reads.position import Position
from domain.timestamps import stamp
from entrypoints.http.authentication import By
from entrypoints.http.dependencies import Use
from entrypoints.http.description.responses import answers
from entrypoints.http.validation.names import API

router = APIRouter(prefix=API, tags=["health"])

MOST = 1_000


class QuarantinedFact(BaseModel):
    projection: str = Field(examples=["signal-state"])
    position: str = Field(description="Where the fact is in the log; an opaque token.")
    event_id: str
    recorded_at: str = Field(examples=["2026-01-15T10:00:00.000Z"])
    reason: str = Field(description="Why it could not be folded.")


class QuarantinedFactsResponse(BaseModel):
    """Each projection shows what it would show if these had never been recorded."""

    count: int
    facts: list[QuarantinedFact] = Field(description=f"The first {MOST:,} in the log's order.")


@router.get(
    "/projections/quarantined-facts",
    operation_id="listQuarantinedFacts",
    summary="The facts that projections could not take",
    responses=answers(),
)
async def set_aside(by: By, use: Use) -> QuarantinedFactsResponse:
    facts = await use.list_set_aside(by=by)
    return QuarantinedFactsResponse(
        count=len(facts), facts=[_answer(fact) for fact in facts[:MOST]]
    )


def _answer(fact: SetAside) -> QuarantinedFact:
    return QuarantinedFact(
        projection=fact.projection,
        position=Position(fact.position).token(),
        event_id=fact.event_id,
        recorded_at=stamp(fact.recorded_at),
        reason=fact.reason,
    )
