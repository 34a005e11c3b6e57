"""Putting the caches together, as far as the settings want them."""

import os
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from pathlib import Path

from adapters.caching.boards import CachedBoards
from adapters.caching.breaker import Breaker
from adapters.caching.changed_names import ChangedNames
from adapters.caching.guarded import GuardedCache
from adapters.caching.local import LocalCache
from adapters.caching.names import PROJECTIONS
from adapters.caching.row_cache import RowCache
from adapters.caching.shared_copies import CachedCopies
from adapters.caching.write_through import WriteThroughTables
from adapters.system.ulids import Ulids
from adapters.tables.engine import TableEngine
from adapters.tables.generations import Chosen, GenerationTables
from adapters.tables.registry import TableRegistry
from adapters.tables.signal_board import TableSignalBoard
from application.events_out.copies_outbox import CopiesOutbox
from application.ports.cards import Cards
from application.ports.clock import Clock
from application.ports.feed import Feed
from application.ports.leases import Leases
from application.projections.progress import Progress
from application.projections.projection import Projection
from entrypoints.logs import events_wait, shared_cache_changed, shared_cache_emptied
from entrypoints.settings import Engine, Settings

STORE_ID = "store-id"
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
            _store_id(settings, log),
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
    strong: TableEngine,
    progress: Progress,
    clock: Clock,
    shared: GuardedCache | None,
) -> RowCache | None:
    """Nothing if no layer is wanted."""
    if not settings.local_cache_entries and shared is None:
        return None
    local = LocalCache(settings.cache_milliseconds / 1000, settings.local_cache_entries)
    return RowCache(local, strong, progress, clock, shared)


def told_of_changes(bare: TableEngine, chosen: Chosen, cache: RowCache | None) -> GenerationTables:
    if cache is None:
        return GenerationTables(bare, chosen)
    return WriteThroughTables(bare, chosen, cache=cache)


def cached_boards(
    cache: RowCache | None,
    chosen: Chosen,
    usual: TableEngine,
    strong: TableEngine,
    signals: TableSignalBoard,
    registry: TableRegistry,
) -> CachedBoards | None:
    if cache is None:
        return None
    return CachedBoards(cache, chosen, usual, strong, signals, registry)


def copies_outbox(
    shared: GuardedCache | None,
    changed: ChangedNames,
    feed: Feed,
    cards: Cards,
    leases: Leases,
    projections: Sequence[Projection],
    boards: Progress,
    progress: Progress,
) -> CopiesOutbox | None:
    if shared is None:
        return None
    cached = [one for one in projections if one.name in PROJECTIONS.values()]
    copies = CachedCopies(shared, changed)
    return CopiesOutbox(
        REDIS,
        copies,
        feed,
        cards,
        leases,
        cached,
        boards,
        progress,
        on_trouble=events_wait,
        on_forgotten=shared_cache_emptied,
    )


def _store_id(settings: Settings, log: object) -> str:
    """Positions mean nothing in another log: what is cached of that one is not read."""
    from adapters.dynamodb.log import DynamoLog

    if isinstance(log, DynamoLog):
        return f"{settings.table_prefix}{log.identity.log_id}"
    if settings.engine is Engine.MEMORY:
        return Ulids().text()
    return _kept_id(settings.data_dir / STORE_ID)


def _kept_id(path: Path) -> str:
    """Written once; whoever is given a new folder has another one."""
    try:
        return path.read_text().strip()
    except FileNotFoundError:
        made = Ulids().text()
        beside = path.with_suffix(".new")
        with beside.open("w") as file:
            file.write(made)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
        return made
