"""Where events go, as the settings say."""

from collections.abc import Iterator, Mapping
from typing import Protocol

from adapters.webhooks.configuration import read_webhooks, webhooks_said
from application.delivery.event import EventType
from application.delivery.retry_policy import Manners
from application.delivery.sink import EventSink
from application.ports.clock import Clock
from entrypoints.settings.loading import EventsFrom, Settings


class OpenSink(EventSink, Protocol):
    async def close(self) -> None:
        """Let go of connections and threads."""
        ...


Sinks = Mapping[str, OpenSink]


def sinks(settings: Settings, clock: Clock) -> Sinks:
    """Every sink by its name. Nothing is sent yet.

    Raises:
        Unavailable: The settings of AWS cannot be used.
    """
    return {sink.name: sink for sink in _sinks(settings, clock)}


def _sinks(settings: Settings, clock: Clock) -> Iterator[OpenSink]:
    if settings.sns_topic_arn is not None:
        from adapters.sns.sink import open_sns

        yield open_sns(settings.sns_topic_arn)
    if settings.event_bus is not None:
        from adapters.eventbridge.sink import open_eventbridge

        yield open_eventbridge(settings.event_bus)
    if settings.webhooks is not None:
        from adapters.webhooks.sink import WebhookSink

        for webhook in read_webhooks(webhooks_said(settings.webhooks.get_secret_value())):
            yield WebhookSink(webhook, clock, settings.events_timeout_seconds)


def types_wanted(sink: EventSink) -> frozenset[EventType]:
    """Topics and buses let each subscriber choose; a webhook is asked beforehand."""
    from adapters.webhooks.sink import WebhookSink

    return sink.webhook.types if isinstance(sink, WebhookSink) else frozenset(EventType)


def manners(settings: Settings) -> Manners:
    return Manners(
        tries=settings.events_max_attempts,
        longest_pause=settings.events_max_backoff_seconds,
        from_the_beginning=settings.events_from is EventsFrom.BEGINNING,
    )
