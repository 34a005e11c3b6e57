"""Putting the caches together, as far as the settings want them."""

from collections.abc import Sequence
from datetime import timedelta
from functools import partial

from adapters.cache.circuit_breaker import Breaker
from adapters.cache.guarded_cache import GuardedCache
from adapters.cache.invalidated_keys import ChangedNames
from adapters.cache.invalidation import CachedCopies
from adapters.cache.keys import PROJECTIONS
from adapters.cache.local_cache import LocalCache
from adapters.cache.reader import CachedReaders
from adapters.cache.row_cache import RowCache
from adapters.cache.write_through import WriteThroughTables
from adapters.generations.generation_tables import Chosen
from adapters.read_models.reader import TableReaders
from adapters.row_layouts.engine import RowReads, RowWrites
from application.delivery.cache_invalidation import CopiesOutbox, invalidation_subscription
from application.ports.clock import Clock
from application.projections.progress import Progress
from application.projections.projection import Projection
from application.reads.consistency import CurrentReaders
from application.subscriptions.subscription import Subscription, Subscriptions
from entrypoints.engines.engine import engine_of
from entrypoints.logs import shared_cache_changed, shared_cache_cleared
from entrypoints.settings.loading import Settings

REDIS = "redis"
"""What the shared cache is called among the sinks."""


def shared_cache(settings: Settings, log: object, clock: Clock) -> GuardedCache | None:
    if settings.redis_url is None:
        return None
    from adapters.redis.cache import RedisCache, connect

    timeout = settings.redis_timeout_milliseconds / 1000
    url = settings.redis_url.get_secret_value()
    return GuardedCache(
        RedisCache(
            connect(url, cluster=settings.redis_cluster, timeout=timeout),
            engine_of(settings).store_id(settings, log),
            clock,
            fresh_for=timedelta(seconds=settings.redis_fresh_seconds),
            kept_for=timedelta(
                seconds=max(settings.redis_stale_hours * 3600, settings.redis_fresh_seconds)
            ),
            timeout=timeout,
        ),
        breaker=Breaker(on_change=partial(shared_cache_changed, "reading")),
        putting=Breaker(on_change=partial(shared_cache_changed, "putting")),
        dropping=Breaker(on_change=partial(shared_cache_changed, "dropping")),
    )


def row_cache(
    settings: Settings,
    strong: RowReads,
    progress: Progress,
    clock: Clock,
    shared: GuardedCache | None,
) -> RowCache | None:
    """Nothing if no layer is wanted."""
    if not settings.local_cache_size and shared is None:
        return None
    local = LocalCache(settings.local_cache_ttl_milliseconds / 1000, settings.local_cache_size)
    return RowCache(local, strong, progress, clock, shared)


def row_writes(tables: RowWrites, chosen: Chosen, cache: RowCache | None) -> RowWrites:
    return tables if cache is None else WriteThroughTables(tables, cache, chosen)


def readers(tables: TableReaders, cache: RowCache | None, chosen: Chosen) -> CurrentReaders:
    return tables if cache is None else CachedReaders(tables, cache, chosen)


def copies_outbox(
    shared: GuardedCache | None,
    changed: ChangedNames,
    subscriptions: Subscriptions,
    projections: Sequence[Projection],
    boards: Progress,
) -> Subscription | None:
    if shared is None:
        return None
    cached = [one for one in projections if one.name in PROJECTIONS.values()]
    copies = CachedCopies(shared, changed)
    handler = CopiesOutbox(REDIS, copies, cached, boards, shared_cache_cleared)
    return invalidation_subscription(handler, subscriptions)
