"""What other systems are told, and what they could not be told."""

from collections.abc import Sequence

from dependency_injector import providers

from adapters.cache.invalidated_keys import ChangedNames
from application.delivery.event_factory import Announcements
from application.delivery.outbox import Outbox, outbox_subscription
from application.ports.clock import Clock
from application.ports.streams import Streams
from application.projections.progress import Progress
from application.subscriptions.subscription import Subscription, Subscriptions
from entrypoints.logs import event_dead_lettered, event_delivery_failed
from entrypoints.settings.loading import Settings
from entrypoints.wiring.caches import copies_outbox
from entrypoints.wiring.engines import Engines
from entrypoints.wiring.facts import Facts
from entrypoints.wiring.foundation import Ground
from entrypoints.wiring.read_models import ReadModels
from entrypoints.wiring.rebuilding import Renewal
from entrypoints.wiring.sinks import Sinks, manners, sinks, types_wanted


def _outboxes(
    sinks: Sinks,
    subscriptions: Subscriptions,
    announcements: Announcements,
    streams: Streams,
    clock: Clock,
    settings: Settings,
) -> Sequence[Subscription]:
    feed, agreed = subscriptions.feed, manners(settings)
    outboxes = [
        Outbox(
            one, feed, announcements, streams, clock, agreed, types_wanted(one), event_dead_lettered
        )
        for one in sinks.values()
    ]
    return [outbox_subscription(one, subscriptions) for one in outboxes]


def _all(sending: Sequence[Subscription], copies: Subscription | None) -> Sequence[Subscription]:
    return sending if copies is None else [*sending, copies]


class EventsOut(Renewal):
    announcements = providers.Singleton(Announcements, Facts.logged_streams)
    sinks = providers.Singleton(sinks, Ground.settings, Ground.clock)
    outbox_progress = providers.Singleton(Progress)
    outbox_subscriptions = providers.Singleton(
        Subscriptions,
        Facts.feed,
        ReadModels.cards,
        Engines.leases,
        outbox_progress,
        providers.Object(event_delivery_failed),
    )
    sending = providers.Singleton(
        _outboxes,
        sinks,
        outbox_subscriptions,
        announcements,
        Facts.logged_streams,
        Ground.clock,
        Ground.settings,
    )
    changed_names = providers.Singleton(
        ChangedNames,
        Facts.logged_streams,
        ReadModels.strong_tables,
        ReadModels.pointers,
        ReadModels.hot_datasets,
    )
    copies_outbox = providers.Singleton(
        copies_outbox,
        ReadModels.shared_cache,
        changed_names,
        outbox_subscriptions,
        ReadModels.projections,
        ReadModels.progress,
    )
    outboxes = providers.Singleton(_all, sending, copies_outbox)
