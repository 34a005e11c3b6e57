"""Who is told of events, and how."""

from enum import StrEnum

from pydantic import Field, SecretStr, field_validator

from adapters.webhooks.configuration import read_webhooks, webhooks_said
from entrypoints.settings.topic import Topic


class EventsFrom(StrEnum):
    NOW = "now"
    BEGINNING = "beginning"


class Telling(Topic):
    """Sinks, tries and the stream of events."""

    sns_topic_arn: str | None = Field(
        None,
        pattern=r"^arn:aws[a-z-]*:sns:[a-z0-9-]+:[0-9]{12}:[A-Za-z0-9_-]{1,256}(\.fifo)?$",
        description="The SNS topic that events are published to. Credentials come from the usual "
        "AWS settings.",
    )
    event_bus: str | None = Field(
        None,
        pattern=r"^[A-Za-z0-9._:/-]{1,256}$",
        description="The EventBridge bus that events are put on: a name or an ARN.",
    )
    webhooks: SecretStr | None = Field(
        None,
        description="Who is told of events over HTTP: a JSON list of webhooks, or the path of a "
        "private file with one.",
    )
    events_from: EventsFrom = Field(
        EventsFrom.NOW,
        description="Where a sink begins that is new: `now`, or at the `beginning` of the log.",
    )
    events_max_attempts: int = Field(
        10,
        ge=1,
        le=100,
        description="How often an event is tried that a sink refuses, before it is a dead letter.",
    )
    events_max_backoff_seconds: float = Field(
        300, ge=1, le=3600, description="The longest pause between two tries of an event."
    )
    events_timeout_seconds: float = Field(
        10, gt=0, le=60, description="How long the receiver of a webhook may take to answer."
    )
    max_event_streams: int = Field(
        100,
        ge=0,
        le=10_000,
        description="How many callers may listen to the stream of events at once, GraphQL "
        "subscriptions included.",
    )
    event_heartbeat_seconds: float = Field(
        15, gt=0, le=300, description="How often a stream says that it lives, if nothing happens."
    )

    @field_validator("webhooks")
    @classmethod
    def _must_be_a_list(cls, webhooks: SecretStr | None) -> SecretStr | None:
        if webhooks is not None:
            read_webhooks(webhooks_said(webhooks.get_secret_value()))
        return webhooks
