"""Whether the process lives, whether it can be asked, and how it is."""

from collections.abc import Mapping
from typing import Annotated, Literal

from dependency_injector.wiring import inject
from fastapi import APIRouter, Response
from pydantic import BaseModel, Field

from application.errors import Unavailable
from application.ports.clock import Clock
from application.ports.dead_letters import DeadLetters
from application.ports.feed import Feed
from application.position import Position
from application.projections.progress import Progress, Reached
from entrypoints.http.documented import problem
from entrypoints.http.provided import provided

router = APIRouter(tags=["health"])

FAR_BEHIND = 1_000
"""Events by which a projection may lag and still be asked."""

MOST_COUNTED = 1_000

Log = Annotated[Feed, provided("feed")]
Projections = Annotated[Progress, provided("progress")]
Policies = Annotated[Progress, provided("policy_progress")]
Outboxes = Annotated[Progress, provided("outbox_progress")]


class Alive(BaseModel):
    status: Literal["ok"] = "ok"


class FollowerHealth(BaseModel):
    position: str = Field(description="How far it is; an opaque token.")
    lag_events: int
    lag_seconds: float | None = Field(
        description="How old what it shows may be; null if it has not said since the start."
    )


class SinkHealth(FollowerHealth):
    trouble: str | None = Field(description="Why it takes no events now, if it does not.")


class HealthResponse(BaseModel):
    """`degraded`: answers may be old, or policies do not act. `unavailable`: no answers.

    That a sink takes no events is told, and is no fault of the store's.
    """

    status: Literal["ok", "degraded", "unavailable"]
    reason: str | None = Field(description="Why it is not ok.")
    engine: str = Field(examples=["embedded"])
    position: str | None = Field(description="The end of the log; an opaque token.")
    projections: dict[str, FollowerHealth]
    policies: dict[str, FollowerHealth]
    sinks: dict[str, SinkHealth] = Field(description="Where events go, and how far each is.")
    dead_letters: int | None = Field(
        description="Events that sinks would not take, at most 1000 of them; null if not known."
    )


@router.get("/livez", operation_id="getLiveness", summary="Whether the process lives")
async def livez() -> Alive:
    return Alive()


@router.get(
    "/readyz",
    operation_id="getReadiness",
    summary="Whether the process can be asked",
    responses={503: problem(503)},
)
@inject
async def readyz(feed: Log, progress: Projections) -> Alive:
    reason = _behind(progress, await feed.head())
    if reason is not None:
        raise Unavailable("the state store", reason)
    return Alive()


@router.get(
    "/health",
    operation_id="getHealth",
    summary="How the store is",
    responses={503: {"model": HealthResponse, "description": "It is not ok"}},
)
@inject
async def health(
    response: Response,
    feed: Log,
    progress: Projections,
    policies: Policies,
    outboxes: Outboxes,
    letters: Annotated[DeadLetters, provided("dead_letters")],
    clock: Annotated[Clock, provided("clock")],
    engine: Annotated[str, provided("engine_name")],
) -> HealthResponse:
    try:
        head = await feed.head()
    except Unavailable as error:
        response.status_code = 503
        return HealthResponse(
            status="unavailable",
            reason=str(error),
            engine=engine,
            position=None,
            projections={},
            policies={},
            sinks={},
            dead_letters=None,
        )
    reason = _behind(progress, head) or _idle(policies)
    response.status_code = 503 if reason else 200
    return HealthResponse(
        status="degraded" if reason else "ok",
        reason=reason,
        engine=engine,
        position=Position(head).token(),
        projections=_followers(progress.all(), head, clock),
        policies=_followers(policies.all(), head, clock),
        sinks=_sinks(outboxes, head, clock),
        dead_letters=await _counted(letters),
    )


def _behind(progress: Progress, head: int) -> str | None:
    """Why the read models are too old to be asked, if they are."""
    if progress.trouble is not None:
        return f"not all read models follow the log: {progress.trouble}"
    reached = progress.all()
    if not reached:
        return "the projections have not started"
    slowest = min(reached, key=lambda name: reached[name].position)
    lag = head - reached[slowest].position
    return f"{slowest} is {lag} events behind" if lag > FAR_BEHIND else None


def _idle(policies: Progress) -> str | None:
    """Why the policies do not act, if they do not. Whoever reads is not concerned."""
    return f"not all policies act: {policies.trouble}" if policies.trouble else None


def _followers(
    reached: Mapping[str, Reached], head: int, clock: Clock
) -> dict[str, FollowerHealth]:
    return {
        name: FollowerHealth(
            position=Position(one.position).token(),
            lag_events=max(head - one.position, 0),
            lag_seconds=_seconds(one, head, clock),
        )
        for name, one in sorted(reached.items())
    }


def _sinks(outboxes: Progress, head: int, clock: Clock) -> dict[str, SinkHealth]:
    return {
        name: SinkHealth(**one.model_dump(), trouble=outboxes.trouble_of(name))
        for name, one in _followers(outboxes.all(), head, clock).items()
    }


async def _counted(letters: DeadLetters) -> int | None:
    try:
        return await letters.count(most=MOST_COUNTED)
    except Unavailable:
        return None


def _seconds(reached: Reached, head: int, clock: Clock) -> float | None:
    if reached.position >= head:
        return 0.0
    if reached.at is None:
        return None
    return max((clock.now() - reached.at).total_seconds(), 0.0)
