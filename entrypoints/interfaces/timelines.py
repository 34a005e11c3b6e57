"""What happened to an incident, in the words of the interfaces."""

from collections.abc import Mapping
from datetime import datetime
from enum import Enum
from typing import Any

from attrs import asdict

from domain.incident import incident
from domain.incident.incident import IncidentFact
from domain.timestamps import stamp

HAPPENED: Mapping[type, str] = {
    incident.Opened: "OPENED",
    incident.Acknowledged: "ACKNOWLEDGED",
    incident.Assigned: "ASSIGNED",
    incident.SeverityChanged: "SEVERITY_CHANGED",
    incident.Noted: "NOTED",
    incident.Explained: "EXPLAINED",
    incident.NotificationsLinked: "NOTIFICATIONS_LINKED",
    incident.SignalsAttached: "SIGNALS_ATTACHED",
    incident.SignaturesAttached: "SIGNATURES_ATTACHED",
    incident.EvidenceAttached: "EVIDENCE_ATTACHED",
    incident.Resolved: "RESOLVED",
    incident.Reopened: "REOPENED",
    incident.Snoozed: "SNOOZED",
    incident.Woken: "WOKEN",
    incident.Merged: "MERGED",
    incident.Absorbed: "ABSORBED",
    incident.SplitOff: "SPLIT_OFF",
    incident.Released: "RELEASED",
}


_CALLED = {
    "dataset": "dataset_urn",
    "signals": "signal_types",
    "signatures": "failure_signatures",
    "implicated": "implicated_producer",
    "evidence": "evidence_sample",
    "primary_evidence": "primary_evidence_id",
    "notifications": "notification_state",
    "text": "note",
    "incident": "incident_id",
    "into": "merged_into",
    "until": "snoozed_until",
}
"""What the facts' fields are called everywhere else in the API."""


def details(fact: IncidentFact) -> dict[str, Any]:
    """What the fact says, as JSON knows it."""
    said = asdict(fact, value_serializer=_plain)
    if isinstance(fact, incident.Opened):
        said["primary_dataset_urn"] = said.pop("dataset")
        said["implicated"] = said["implicated"] and _implicated(said["implicated"])
    if isinstance(fact, incident.Absorbed):
        said["concerns"] = list(map(_renamed, said["concerns"]))
    return _renamed(said)


def _implicated(said: Mapping[str, Any]) -> dict[str, Any]:
    return {**said["producer"], "deployed_at": said["deployed_at"]}


def _renamed(said: Mapping[str, Any]) -> dict[str, Any]:
    return {_CALLED.get(name, name): value for name, value in said.items()}


def _plain(_: object, __: object, value: object) -> object:
    match value:
        case datetime():
            return stamp(value)
        case Enum():
            return value.value
        case tuple():
            return list(value)
        case _:
            return value
