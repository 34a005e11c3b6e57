"""All there is about an incident in one request (S0-209)."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TypeVar

import strawberry
from strawberry import UNSET

from application.reads.demand import Answer
from application.root_cause import context as root_cause
from application.violations import refuse_any
from domain.errors import NotFound, Violation
from entrypoints.graphql.answer_info import AnswerInfo
from entrypoints.graphql.arguments import AsOf, MinPosition
from entrypoints.graphql.consistency import Asked, Found
from entrypoints.graphql.context import Info
from entrypoints.graphql.evidence.types import Evidence
from entrypoints.graphql.incidents.context_types import (
    ConfigChange,
    ContextPart,
    DatasetBlastRadius,
    DatasetEntities,
    Deploy,
    LikelyCause,
    MissingPart,
    RelatedIncident,
    SignalHistoryExcerpt,
    Suspect,
)
from entrypoints.graphql.incidents.types import Incident
from entrypoints.interfaces.context_verdicts import MOST_SUSPECTS, missing_parts, verdict
from entrypoints.interfaces.names import incident_named

T = TypeVar("T")
A = TypeVar("A")


@strawberry.type(
    description="All there is about an incident. A part that is null, or not whole, is named in "
    "missing."
)
class IncidentContext:
    complete: bool = strawberry.field(description="Whether no part is missing.")
    missing: list[MissingPart]
    parts: list[ContextPart] = strawberry.field(description="How old those are that are there.")
    likely_cause: LikelyCause
    incident: Incident
    opened_at: datetime
    breach_start: datetime | None = strawberry.field(
        description="Where the first window in breach began; when it opened if none did."
    )
    evidence: list[Evidence] | None
    missing_evidence_ids: list[str] | None
    unavailable_evidence_ids: list[str] | None = strawberry.field(
        description="Not at hand, and the archive did not answer in time: they may be there or not."
    )
    writers: list[DatasetEntities] | None
    readers: list[DatasetEntities] | None
    blast_radius_at_opening: list[DatasetBlastRadius] | None
    blast_radius_current: list[DatasetBlastRadius] | None
    signals: list[SignalHistoryExcerpt] | None
    config_changes: list[ConfigChange] | None
    more_config_changes: bool | None = strawberry.field(
        description="Whether there may be earlier ones that were not looked at."
    )
    deploys: list[Deploy] | None
    more_deploys: bool | None = strawberry.field(
        description="Whether there may be earlier ones that were not looked at."
    )
    related: list[RelatedIncident] | None
    more_related: bool | None = strawberry.field(
        description="Whether there are open incidents that were not looked at, or not in full."
    )
    answer: AnswerInfo

    @classmethod
    def of(cls, context: root_cause.Context, at: Asked) -> "IncidentContext":
        parts = context.parts
        answer = Answer(context.incident, context.position, 0.0, context.as_of)
        return cls(
            complete=context.complete,
            missing=[
                MissingPart(part=one.part, code=one.code, reason=one.reason)
                for one in missing_parts(context)
            ],
            parts=[
                ContextPart(part=name, source=part.source, age_seconds=part.age_seconds)
                for name, part in parts.each()
                if part.told is not None
            ],
            likely_cause=_cause(context.cause),
            incident=Incident.of(Found(context.incident, at, answer)),
            opened_at=context.opened,
            breach_start=parts.breach.told.start if parts.breach.told else None,
            evidence=_each(parts.evidence.map(lambda one: one.found).told, Evidence.of),
            missing_evidence_ids=_each(parts.evidence.map(lambda one: one.missing).told, str),
            unavailable_evidence_ids=_each(parts.evidence.map(lambda one: one.unread).told, str),
            writers=_each(parts.writers.told, DatasetEntities.of),
            readers=_each(parts.readers.told, DatasetEntities.of),
            blast_radius_at_opening=_each(
                parts.blast_radius_at_opening.map(lambda one: one.items()).told,
                lambda one: DatasetBlastRadius.of(*one),
            ),
            blast_radius_current=_each(
                parts.blast_radius_current.map(lambda one: one.items()).told,
                lambda one: DatasetBlastRadius.of(*one),
            ),
            signals=_each(parts.signals.told, SignalHistoryExcerpt.of),
            config_changes=_each(
                parts.config_changes.map(lambda one: one.changes).told, ConfigChange.of
            ),
            more_config_changes=parts.config_changes.map(lambda one: one.more).told,
            deploys=_each(parts.deploys.map(lambda one: one.deploys).told, Deploy.of),
            more_deploys=parts.deploys.map(lambda one: one.more).told,
            related=_each(
                parts.related.map(lambda one: one.incidents).told,
                lambda one: RelatedIncident.of(Found(one, at, answer)),
            ),
            more_related=parts.related.map(lambda one: one.more).told,
            answer=AnswerInfo.of(answer),
        )


def _each(told: Iterable[T] | None, show: Callable[[T], A]) -> list[A] | None:
    return None if told is None else [show(one) for one in told]


def _cause(cause: root_cause.Cause) -> LikelyCause:
    likeliest = cause.suspicion.likeliest
    return LikelyCause(
        verdict=verdict(cause),
        producer_id=likeliest.producer_id if likeliest else None,
        suspects=[Suspect.of(one) for one in cause.suspicion.suspects[:MOST_SUSPECTS]],
        without=list(cause.without),
    )


@strawberry.type
class ContextQueries:
    @strawberry.field(
        description="All there is about an incident, and who most likely caused it; null if there "
        "is no such incident. The incident is as it is now; what is late is left out and named."
    )
    async def incident_context(
        self,
        info: Info,
        incident_id: strawberry.ID,
        as_of: AsOf = UNSET,
        min_position: MinPosition = UNSET,
    ) -> IncidentContext | None:
        context, found = info.context, list[Violation]()
        at = context.at(as_of, min_position, found)
        name = incident_named(incident_id, found)
        refuse_any(found)
        try:
            told = await context.use.read_context(name, at.demand, by=context.by)
        except NotFound:
            return None
        return IncidentContext.of(told, at)
