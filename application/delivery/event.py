"""
An event as other systems receive it: one recorded fact, in the words of the contract (S0-252..254).

    event_id        the same whenever and however often it is sent
    event_type      one of `EventType`
    schema_version  raised when a field changes its meaning or goes; new fields may come without
    position        where in the log it stands; an opaque token
    dataset_urn, …  what the type says
    timestamp       when it was recorded
"""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any

from attrs import frozen

from application.reads.position import Position
from domain.ids import DatasetUrn
from domain.streams import StreamId
from domain.timestamps import stamp

SCHEMA_VERSION = 1


class EventType(StrEnum):
    SIGNAL_STATE_CHANGED = "SIGNAL_STATE_CHANGED"
    INCIDENT_CREATED = "INCIDENT_CREATED"
    INCIDENT_UPDATED = "INCIDENT_UPDATED"
    INCIDENT_RESOLVED = "INCIDENT_RESOLVED"
    DATASET_CONFIG_CHANGED = "DATASET_CONFIG_CHANGED"


@frozen
class Event:
    """`told` is what the type says besides the dataset: plain JSON."""

    event_id: str
    event_type: EventType
    stream: StreamId
    position: int
    at: datetime
    dataset: DatasetUrn
    told: Mapping[str, Any]

    @property
    def token(self) -> str:
        return Position(self.position).token()

    @property
    def names_somebody(self) -> bool:
        """Whether it says who did it; all others name nobody."""
        return self.event_type is EventType.DATASET_CONFIG_CHANGED

    def document(self) -> dict[str, Any]:
        return {
            "event_id": self.event_id,
            "event_type": self.event_type.value,
            "schema_version": SCHEMA_VERSION,
            "position": self.token,
            "dataset_urn": self.dataset,
            **self.told,
            "timestamp": stamp(self.at),
        }
