"""What happened to an incident, in the words of the interfaces."""

import re
from collections.abc import Mapping
from datetime import datetime
from enum import Enum
from typing import Any, get_args

from attrs import asdict

from domain.incident import incident
from domain.incident.incident import IncidentFact
from domain.timestamps import stamp

_FACTS = get_args(IncidentFact)

_NAMES = {
    incident.Noted: "NOTE_ADDED",
    incident.Explained: "RCA_SUMMARIZED",
    incident.Woken: "SNOOZE_ENDED",
    incident.Absorbed: "MERGED_IN",
    incident.SplitOff: "SPLIT",
    incident.Released: "MERGE_UNDONE",
}

HAPPENED: Mapping[type, str] = {
    fact: _NAMES.get(fact) or re.sub(r"(?<=[a-z])(?=[A-Z])", "_", fact.__name__).upper()
    for fact in vars(incident).values()
    if fact in _FACTS
}
"""The event types, in the order of the classes: SEVERITY_CHANGED of SeverityChanged."""

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
