"""What an incident is described with."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from itertools import chain

from attrs import fields, frozen

from domain.ids import DatasetUrn, FailureSignature, IncidentId, SignalType
from domain.signal.evaluation import Producer


class IncidentStatus(StrEnum):
    UNOPENED = "UNOPENED"
    OPEN = "OPEN"
    ACKNOWLEDGED = "ACKNOWLEDGED"
    RESOLVED = "RESOLVED"


UNRESOLVED = (IncidentStatus.OPEN, IncidentStatus.ACKNOWLEDGED)


class ResolutionReason(StrEnum):
    """Why an incident ended."""

    FIXED = "FIXED"
    ROLLED_BACK = "ROLLED_BACK"
    SELF_HEALED = "SELF_HEALED"
    EXPECTED_CHANGE = "EXPECTED_CHANGE"
    FALSE_POSITIVE = "FALSE_POSITIVE"
    DUPLICATE = "DUPLICATE"
    OTHER = "OTHER"


@frozen
class Resolution:
    root_cause: str
    mitigation: str | None = None
    resolved_by: str | None = None
    false_positive: bool = False
    reason: ResolutionReason = ResolutionReason.OTHER


def as_duplicate(of: IncidentId) -> Resolution:
    """How an incident ends that is merged into another one."""
    return Resolution(f"merged into {of}", reason=ResolutionReason.DUPLICATE)


@frozen
class Implicated:
    """The producer that most likely caused it, and when it was deployed."""

    producer: Producer
    deployed_at: datetime | None = None


@frozen
class Notifications:
    """Where people talk about it: ids in other systems."""

    pagerduty_incident_id: str | None = None
    slack_thread_ts: str | None = None
    jira_ticket: str | None = None

    def over(self, earlier: "Notifications") -> "Notifications":
        """What is said here, and what was said earlier of the rest."""
        return Notifications(
            self.pagerduty_incident_id or earlier.pagerduty_incident_id,
            self.slack_thread_ts or earlier.slack_thread_ts,
            self.jira_ticket or earlier.jira_ticket,
        )

    def beyond(self, earlier: "Notifications") -> "Notifications":
        """Only what differs from what was said earlier."""
        names = [attribute.name for attribute in fields(Notifications)]
        changed = {
            name: value
            for name in names
            if (value := getattr(self, name)) and value != getattr(earlier, name)
        }
        return Notifications(**changed)


@frozen
class Concern:
    """What of a dataset an incident is about."""

    dataset: DatasetUrn
    signals: tuple[SignalType, ...] = ()
    signatures: tuple[FailureSignature, ...] = ()

    def joined(self, other: "Concern") -> "Concern":
        """Both, about the same dataset; what stands in both stands once."""
        return Concern(
            self.dataset,
            tuple(dict.fromkeys(self.signals + other.signals)),
            tuple(dict.fromkeys(self.signatures + other.signatures)),
        )


def every_concern(
    own: Concern,
    elsewhere: Iterable[Concern],
    absorbed: Mapping[IncidentId, Iterable[Concern]],
) -> tuple[Concern, ...]:
    """All an incident is about: its own dataset first, then what was attached and absorbed."""
    return (own, *elsewhere, *chain.from_iterable(absorbed.values()))
