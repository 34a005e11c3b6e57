"""The log, read and written as facts."""

from dependency_injector import providers

from adapters.eventstore.feed import LogFeed, RecentFeed
from adapters.eventstore.history import LogHistory
from adapters.eventstore.mapper import Mapper
from adapters.eventstore.sealing.seals import Seals
from adapters.eventstore.snapshots import Snapshots
from adapters.eventstore.streams import LoggedStreams
from entrypoints.wiring.engines import Engines
from entrypoints.wiring.foundation import Ground


class Facts(Engines):
    seals = providers.Singleton(Seals, Engines.keys)
    mapper = providers.Singleton(Mapper.of_catalogue, seals)
    log_feed = providers.Singleton(LogFeed, Engines.log, mapper)
    feed = providers.Singleton(RecentFeed, log_feed)
    history = providers.Singleton(LogHistory, Engines.log, mapper)
    snapshots = providers.Singleton(
        Snapshots.of_catalogue,
        Engines.snapshot_store,
        seals,
        Ground.settings.provided.snapshot_every,
    )
    logged_streams = providers.Singleton(
        LoggedStreams,
        Engines.log,
        mapper,
        snapshots,
        Ground.ulids.provided.raw,
        Ground.settings.provided.stream_cache_entries,
    )
