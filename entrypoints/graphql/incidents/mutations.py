"""
What people on call do with incidents every day.

Each answers with the incident as it was changed, and where in the log that stands. One that fails
is null with an error beside it, and the others in the same document happen all the same.
"""

from datetime import datetime
from typing import Annotated

import strawberry
from strawberry import UNSET

from domain.incident.patch import IncidentPatch, ReportedResolution, Snooze
from domain.incident.values import IncidentStatus
from entrypoints.graphql.arguments import said
from entrypoints.graphql.context import Info
from entrypoints.graphql.enums import ResolutionReason
from entrypoints.graphql.incidents.changes import Changing, IncidentPayload

ExpectedVersion = Annotated[
    int | None,
    strawberry.argument(
        description="The version of the incident that this was decided on; another one is answered "
        "with VERSION_CONFLICT and currentVersion. Nothing, or -1: any."
    ),
]
IdempotencyKey = Annotated[
    str | None,
    strawberry.argument(
        description="1 to 200 printable characters. The same change again with the same key is "
        "answered as before and done once."
    ),
]
Because = Annotated[str | None, strawberry.argument(description="Stands in the timeline.")]


@strawberry.input(description="How an incident ended.")
class ResolutionInput:
    root_cause: str
    mitigation: str | None = UNSET
    resolved_by: str | None = UNSET
    reason: ResolutionReason | None = strawberry.field(
        default=UNSET, description="OTHER if nothing is said, FALSE_POSITIVE if it was one."
    )
    false_positive: bool | None = UNSET

    def reported(self) -> ReportedResolution:
        return ReportedResolution(
            self.root_cause,
            said(self.mitigation),
            said(self.resolved_by),
            said(self.false_positive),
            said(self.reason),
        )


@strawberry.type(description="What can be changed.")
class Mutation:
    @strawberry.mutation(description="Say that somebody looks after it.")
    async def acknowledge_incident(
        self,
        info: Info,
        incident_id: strawberry.ID,
        note: Because = UNSET,
        expected_version: ExpectedVersion = UNSET,
        idempotency_key: IdempotencyKey = UNSET,
    ) -> IncidentPayload | None:
        changing = Changing.of(info, incident_id, expected_version, idempotency_key)
        return await changing.patched(
            IncidentPatch(status=IncidentStatus.ACKNOWLEDGED, note=said(note))
        )

    @strawberry.mutation(description="Say who looks after it; null: nobody.")
    async def assign_incident(
        self,
        info: Info,
        incident_id: strawberry.ID,
        oncall_user: str | None,
        note: Because = UNSET,
        expected_version: ExpectedVersion = UNSET,
        idempotency_key: IdempotencyKey = UNSET,
    ) -> IncidentPayload | None:
        changing = Changing.of(info, incident_id, expected_version, idempotency_key)
        return await changing.patched(
            IncidentPatch(assigns=True, oncall_user=oncall_user, note=said(note))
        )

    @strawberry.mutation(description="Let nobody look at it before a moment, 30 days at most.")
    async def snooze_incident(
        self,
        info: Info,
        incident_id: strawberry.ID,
        until: datetime,
        reason: Because = UNSET,
        expected_version: ExpectedVersion = UNSET,
        idempotency_key: IdempotencyKey = UNSET,
    ) -> IncidentPayload | None:
        changing = Changing.of(info, incident_id, expected_version, idempotency_key)
        snooze = Snooze(until, said(reason))
        return await changing.done(info.context.use.snooze_incident, snooze=snooze)

    @strawberry.mutation(description="End a snooze early.")
    async def end_incident_snooze(
        self,
        info: Info,
        incident_id: strawberry.ID,
        expected_version: ExpectedVersion = UNSET,
        idempotency_key: IdempotencyKey = UNSET,
    ) -> IncidentPayload | None:
        changing = Changing.of(info, incident_id, expected_version, idempotency_key)
        return await changing.done(info.context.use.snooze_incident, snooze=Snooze(None))

    @strawberry.mutation(description="Say that it is over, and why it was.")
    async def resolve_incident(
        self,
        info: Info,
        incident_id: strawberry.ID,
        resolution: ResolutionInput,
        note: Because = UNSET,
        expected_version: ExpectedVersion = UNSET,
        idempotency_key: IdempotencyKey = UNSET,
    ) -> IncidentPayload | None:
        changing = Changing.of(info, incident_id, expected_version, idempotency_key)
        return await changing.patched(
            IncidentPatch(
                status=IncidentStatus.RESOLVED, resolution=resolution.reported(), note=said(note)
            )
        )

    @strawberry.mutation(description="Open it again, within the reopening window.")
    async def reopen_incident(
        self,
        info: Info,
        incident_id: strawberry.ID,
        reason: Because = UNSET,
        expected_version: ExpectedVersion = UNSET,
        idempotency_key: IdempotencyKey = UNSET,
    ) -> IncidentPayload | None:
        changing = Changing.of(info, incident_id, expected_version, idempotency_key)
        return await changing.done(info.context.use.reopen_incident, reason=said(reason))

    @strawberry.mutation(description="Add a note to its timeline.")
    async def add_incident_note(
        self,
        info: Info,
        incident_id: strawberry.ID,
        note: str,
        expected_version: ExpectedVersion = UNSET,
        idempotency_key: IdempotencyKey = UNSET,
    ) -> IncidentPayload | None:
        changing = Changing.of(info, incident_id, expected_version, idempotency_key)
        return await changing.patched(IncidentPatch(note=note))
