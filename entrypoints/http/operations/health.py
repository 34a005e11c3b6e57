"""Whether the process lives, whether it can be asked, and how it is."""

from typing import Literal

from fastapi import APIRouter, Response
from pydantic import BaseModel, Field

from application.caches.ports import Caches
from application.delivery.dead_letter_read_model import DeadLetterReadModel
from application.errors import Unavailable
from application.ports.clock import Clock
from application.projections.progress import Progress
from application.reads.position import Position
from application.subscriptions.feed import Feed
from application.subscriptions.lag import lag_of
from entrypoints.http.dependencies import Operated
from entrypoints.http.description.responses import problem
from entrypoints.interfaces.dependencies import Operations
from entrypoints.interfaces.readiness import behind

router = APIRouter(tags=["health"])

MOST_COUNTED = 1_000


class LivenessResponse(BaseModel):
    status: Literal["ok"] = "ok"


class FollowerHealth(BaseModel):
    position: str = Field(description="How far it is; an opaque token.")
    lag_events: int = Field(description="How many facts it has not taken yet.")
    lag_seconds: float = Field(description="How long the first of them has been waiting.")


class ProjectionHealth(FollowerHealth):
    quarantined: int = Field(
        description="How many facts it could not take; it shows what it would without them."
    )


class SinkHealth(FollowerHealth):
    error: str | None = Field(description="Why it takes no events now, if it does not.")


class CacheHealth(BaseModel):
    status: Literal["ok", "degraded"]
    error: str | None = Field(description="Why the shared cache is not used now, if so.")


class EvidenceHealth(BaseModel):
    """As far as this process knows. A cache that is not whole is filled; reads ask the archive."""

    status: Literal["ok", "degraded"]
    error: str | None = Field(description="What fails now and why, if so.")
    waiting: int = Field(description="Items that were taken and are not durable yet.")
    cache_complete: bool = Field(description="Whether the cache shows all that is recent.")
    batches_not_in_cache: int = Field(description="Batches that the cache lacks.")
    batches_damaged: int = Field(description="Those of them that cannot be put, for damage.")
    batches_not_compacted: int | None = Field(
        description="Batches that wait to be sorted into segments; null if not known."
    )


class HealthResponse(BaseModel):
    """`degraded`: answers may be old or lack facts, policies do not act, or evidence cannot be kept
    or read. `unavailable`: no answers.

    That a sink takes no events or the cache does not answer is told; the store does without.
    """

    status: Literal["ok", "degraded", "unavailable"]
    reason: str | None = Field(description="Why it is not ok.")
    engine: str = Field(examples=["embedded"])
    position: str | None = Field(description="The end of the log; an opaque token.")
    projections: dict[str, ProjectionHealth]
    policies: dict[str, FollowerHealth]
    sinks: dict[str, SinkHealth] = Field(
        description="Where events go, and how far each is; `redis` is told what to forget."
    )
    cache: CacheHealth = Field(description="Without the shared cache, reads take longer.")
    evidence: EvidenceHealth = Field(description="How evidence is kept.")
    dead_letters: int | None = Field(
        description="Events that sinks would not take, at most 1000 of them; null if not known."
    )


@router.get("/livez", operation_id="getLiveness", summary="Whether the process lives")
async def livez() -> LivenessResponse:
    return LivenessResponse()


@router.get(
    "/readyz",
    operation_id="getReadiness",
    summary="Whether the process can be asked",
    responses={503: problem(503)},
)
async def readyz(operated: Operated) -> LivenessResponse:
    reason = behind(operated.progress, await operated.feed.head())
    if reason is not None:
        raise Unavailable("the state store", reason)
    return LivenessResponse()


@router.get(
    "/health",
    operation_id="getHealth",
    summary="How the store is",
    responses={503: {"model": HealthResponse, "description": "It is not ok"}},
)
async def health(response: Response, operated: Operated) -> HealthResponse:
    feed, progress, policies = operated.feed, operated.progress, operated.policy_progress
    try:
        head = await feed.head()
        aside = {name: len(await operated.set_aside_facts.by(name)) for name in progress.all()}
        projections = await _followers(progress, head, feed, operated.clock)
        acting = await _followers(policies, head, feed, operated.clock)
        sending = await _sinks(operated.outbox_progress, head, feed, operated.clock)
    except Unavailable as error:
        response.status_code = 503
        return HealthResponse(
            status="unavailable",
            reason=str(error),
            engine=operated.engine,
            position=None,
            projections={},
            policies={},
            sinks={},
            cache=_cache(operated.caches),
            evidence=_evidence(operated),
            dead_letters=None,
        )
    reason = behind(progress, head) or _incomplete(aside) or _idle(policies) or _troubled(operated)
    response.status_code = 503 if reason else 200
    return HealthResponse(
        status="degraded" if reason else "ok",
        reason=reason,
        engine=operated.engine,
        position=Position(head).token(),
        projections={
            name: ProjectionHealth(**one.model_dump(), quarantined=aside[name])
            for name, one in projections.items()
        },
        policies=acting,
        sinks=sending,
        cache=_cache(operated.caches),
        evidence=_evidence(operated),
        dead_letters=await _counted(operated.dead_letters),
    )


def _cache(caches: Caches) -> CacheHealth:
    return CacheHealth(status="degraded" if caches.trouble else "ok", error=caches.trouble)


def _evidence(operated: Operations) -> EvidenceHealth:
    trouble, filler = operated.evidence_standing.trouble, operated.evidence_filler
    return EvidenceHealth(
        status="degraded" if trouble else "ok",
        error=trouble,
        waiting=operated.evidence_keeper.waiting,
        cache_complete=filler.is_whole,
        batches_not_in_cache=len(filler.lacking),
        batches_damaged=len(filler.unread),
        batches_not_compacted=operated.evidence_standing.unsorted,
    )


def _troubled(operated: Operations) -> str | None:
    trouble = operated.evidence_standing.trouble
    return f"evidence is in trouble: {trouble}" if trouble else None


def _idle(policies: Progress) -> str | None:
    """Why the policies do not act, if they do not. Whoever reads is not concerned."""
    return f"not all policies act: {policies.trouble}" if policies.trouble else None


def _incomplete(aside: dict[str, int]) -> str | None:
    """Which facts the read models lack, if any."""
    told = [f"{name} has set aside {count}" for name, count in sorted(aside.items()) if count]
    return f"not all facts could be folded: {', '.join(told)}" if told else None


async def _followers(
    progress: Progress, head: int, feed: Feed, clock: Clock
) -> dict[str, FollowerHealth]:
    return {
        name: await _follower(reached.position, head, feed, clock)
        for name, reached in sorted(progress.all().items())
    }


async def _follower(reached: int, head: int, feed: Feed, clock: Clock) -> FollowerHealth:
    lag = await lag_of(reached, head=head, feed=feed, now=clock.now())
    return FollowerHealth(
        position=Position(reached).token(), lag_events=lag.events, lag_seconds=lag.seconds
    )


async def _sinks(outboxes: Progress, head: int, feed: Feed, clock: Clock) -> dict[str, SinkHealth]:
    return {
        name: SinkHealth(**one.model_dump(), error=outboxes.trouble_of(name))
        for name, one in (await _followers(outboxes, head, feed, clock)).items()
    }


async def _counted(letters: DeadLetterReadModel) -> int | None:
    try:
        return await letters.count(most=MOST_COUNTED)
    except Unavailable:
        return None
