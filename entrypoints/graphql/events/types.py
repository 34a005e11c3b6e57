"""Events, as those hear of them who listen."""

from datetime import datetime
from enum import StrEnum
from typing import Any

import strawberry

from application.delivery.event import Event
from application.reads.demand import Demand
from application.reads.position import Position
from application.signals.read_model import SignalKey
from domain.ids import IncidentId, SignalType
from entrypoints.graphql.consistency import Asked
from entrypoints.graphql.context import Info
from entrypoints.graphql.enums import SignalStateEnum
from entrypoints.graphql.incidents.types import Incident
from entrypoints.graphql.signals.types import SignalState

_POSITION = "Where it stands in the log: come back with it as `after`."


@strawberry.enum(description="What happened to an incident.")
class IncidentEventType(StrEnum):
    INCIDENT_CREATED = "INCIDENT_CREATED"
    INCIDENT_UPDATED = "INCIDENT_UPDATED"
    INCIDENT_RESOLVED = "INCIDENT_RESOLVED"


@strawberry.type(description="A signal that changed its state.")
class SignalChange:
    event: strawberry.Private[Event]
    event_id: str
    position: str = strawberry.field(description=_POSITION)
    recorded_at: datetime
    dataset_urn: str
    signal_type: str
    previous_state: SignalStateEnum
    state: SignalStateEnum
    failure_signature: str | None
    version: int = strawberry.field(description="Of the signal, with this change.")

    @strawberry.field(description="The signal by now, this change included.")
    async def signal(self, info: Info) -> SignalState | None:
        at = _since(info, self.event)
        key = SignalKey(self.event.dataset, SignalType(self.signal_type))
        found = await at.signals.load(key)
        return SignalState.of(found) if found else None

    @classmethod
    def of(cls, event: Event) -> "SignalChange":
        told = event.told
        return cls(
            **_any(event),
            signal_type=told["signal_type"],
            previous_state=SignalStateEnum(told["previous_state"]),
            state=SignalStateEnum(told["new_state"]),
            failure_signature=told["failure_signature"],
            version=told["version"],
        )


@strawberry.type(description="An incident that was created, changed or resolved.")
class IncidentChange:
    event: strawberry.Private[Event]
    event_id: str
    position: str = strawberry.field(description=_POSITION)
    recorded_at: datetime
    dataset_urn: str
    incident_id: strawberry.ID
    type: IncidentEventType
    changed_fields: list[str] = strawberry.field(
        description="What is different now, of an incident that was updated."
    )

    @strawberry.field(description="The incident by now, this change included.")
    async def incident(self, info: Info) -> Incident | None:
        found = await _since(info, self.event).incidents.load(IncidentId(self.incident_id))
        return Incident.of(found) if found else None

    @classmethod
    def of(cls, event: Event) -> "IncidentChange":
        return cls(
            **_any(event),
            incident_id=strawberry.ID(event.told["incident_id"]),
            type=IncidentEventType(event.event_type),
            changed_fields=list(event.told.get("changed_fields", ())),
        )


def _any(event: Event) -> dict[str, Any]:
    """What is told of every event."""
    return {
        "event": event,
        "event_id": event.event_id,
        "position": event.token,
        "recorded_at": event.at,
        "dataset_urn": event.dataset,
    }


def _since(info: Info, event: Event) -> Asked:
    return info.context.asked(Demand(min_position=Position(event.position)))
