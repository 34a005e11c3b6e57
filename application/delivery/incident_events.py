"""
Incidents that were created, changed and resolved, for other systems (S0-253).

No event names a person: that somebody else is on call is told, not who.
"""

from collections.abc import Mapping
from typing import Any

from attrs import fields

from application.delivery.event import Event, EventType
from application.recorded import Recorded
from domain.ids import DatasetUrn
from domain.incident.incident import (
    Absorbed,
    Acknowledged,
    EvidenceAttached,
    IncidentFact,
    Merged,
    Noted,
    NotificationsLinked,
    Opened,
    Released,
    Reopened,
    Resolved,
    SeverityChanged,
    SignalsAttached,
    SignaturesAttached,
    Snoozed,
    SplitOff,
    Woken,
)
from domain.incident.values import IncidentStatus, Notifications, ResolutionReason
from domain.stream_categories import incident_of


def incident_event(recorded: Recorded, fact: IncidentFact, dataset: DatasetUrn) -> Event:
    """`dataset` is the incident's own, which only the first of its facts tells."""
    event_type, told = _told(fact)
    return Event(
        event_id=recorded.event_id.hex(),
        event_type=event_type,
        stream=recorded.stream,
        position=recorded.position,
        at=recorded.at,
        dataset=dataset,
        told={"incident_id": incident_of(recorded.stream), **told},
    )


def _told(fact: IncidentFact) -> tuple[EventType, Mapping[str, Any]]:
    match fact:
        case Opened():
            return EventType.INCIDENT_CREATED, {
                "severity": fact.severity.value,
                "signal_types": list(fact.signals),
                "owner_team": fact.owner_team,
            }
        case Resolved(resolution):
            return EventType.INCIDENT_RESOLVED, {"reason": resolution.reason.value}
        case Merged(into):
            duplicate = {"reason": ResolutionReason.DUPLICATE.value, "merged_into": into}
            return EventType.INCIDENT_RESOLVED, duplicate
        case Acknowledged():
            return _updated("status", status=IncidentStatus.ACKNOWLEDGED)
        case Reopened():
            return _updated("status", status=IncidentStatus.OPEN)
        case SplitOff():
            return _updated("status", "merged_into", status=IncidentStatus.OPEN)
        case SeverityChanged(severity):
            return _updated("severity", severity=severity)
        case NotificationsLinked(notifications):
            return _updated(*_named(notifications))
        case _:
            return _updated(_field(fact))


def _updated(*changed: str, **now: str) -> tuple[EventType, Mapping[str, Any]]:
    """What changed, as the API names it, and what it is now where that is short and harmless."""
    return EventType.INCIDENT_UPDATED, {"changed_fields": list(changed), **now}


def _named(notifications: Notifications) -> list[str]:
    names = [attribute.name for attribute in fields(Notifications)]
    return [f"notification_state.{name}" for name in names if getattr(notifications, name)]


_CHANGED: Mapping[type, str] = {
    Noted: "notes",
    SignalsAttached: "signal_types",
    SignaturesAttached: "failure_signatures",
    EvidenceAttached: "evidence_sample",
    Snoozed: "snoozed_until",
    Woken: "snoozed_until",
    Absorbed: "merged_incidents",
    Released: "merged_incidents",
}


def _field(fact: IncidentFact) -> str:
    """What the API calls the field that the fact sets: as the fact does, unless it is listed."""
    named: str = fields(type(fact))[0].name
    return _CHANGED.get(type(fact), named)
