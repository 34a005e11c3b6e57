"""What an incident is described with."""

import strawberry

from domain.incident import values
from domain.lineage import blast_radius
from entrypoints.graphql.enums import Impact, ResolutionReason


@strawberry.type(description="Who depends on the data, as it was when the incident opened.")
class BlastRadius:
    downstream_count: int
    downstream_services: list[str] = strawberry.field(
        description="The nearest of them, at most 100."
    )
    estimated_impact: Impact

    @classmethod
    def of(cls, radius: blast_radius.BlastRadius) -> "BlastRadius":
        return cls(
            downstream_count=radius.downstream_count,
            downstream_services=list(radius.downstream_services),
            estimated_impact=radius.estimated_impact,
        )


@strawberry.type(description="Where people talk about it: ids in other systems.")
class NotificationState:
    pagerduty_incident_id: str | None
    slack_thread_ts: str | None
    jira_ticket: str | None

    @classmethod
    def of(cls, told: values.Notifications) -> "NotificationState":
        return cls(
            pagerduty_incident_id=told.pagerduty_incident_id,
            slack_thread_ts=told.slack_thread_ts,
            jira_ticket=told.jira_ticket,
        )


@strawberry.type(description="How an incident ended.")
class Resolution:
    root_cause: str
    mitigation: str | None
    resolved_by: str | None
    false_positive: bool
    reason: ResolutionReason

    @classmethod
    def of(cls, resolution: values.Resolution) -> "Resolution":
        return cls(
            root_cause=resolution.root_cause,
            mitigation=resolution.mitigation,
            resolved_by=resolution.resolved_by,
            false_positive=resolution.false_positive,
            reason=resolution.reason,
        )


@strawberry.type(description="What of a dataset an incident is about.")
class Concern:
    dataset_urn: str
    signal_types: list[str]
    failure_signatures: list[str]

    @classmethod
    def of(cls, concern: values.Concern) -> "Concern":
        return cls(
            dataset_urn=concern.dataset,
            signal_types=list(concern.signals),
            failure_signatures=list(concern.signatures),
        )
