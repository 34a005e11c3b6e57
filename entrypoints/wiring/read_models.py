"""What the log is folded into, and how far the folding is."""

from collections.abc import Callable

from dependency_injector import providers

from adapters.generations.generation_tables import GenerationTables
from adapters.generations.pointers import Pointers
from adapters.read_models.strong_tables import StrongTables
from adapters.read_models.view_store import TableCards
from adapters.row_layouts.hot_datasets import HotDatasets
from application.projections.progress import Progress, Reached
from application.projections.quarantine import SetAsideFacts
from application.projections.remote_progress import Watcher
from application.projections.runner import projection_runner
from application.reads.read_your_writes import FollowedStreams, OwnWrites
from entrypoints.logs import fact_quarantined, projections_stalled
from entrypoints.wiring import caches
from entrypoints.wiring.engines import Engines
from entrypoints.wiring.facts import Facts
from entrypoints.wiring.foundation import Ground
from entrypoints.wiring.projections import all_projections


def _led_elsewhere(progress: Progress) -> Callable[[str, int], None]:
    """Takes note of how far tables are that are read from now on, of those that are followed."""

    def moved(projection: str, reached: int) -> None:
        if projection in progress.all():
            progress.moved(projection, Reached(reached))

    return moved


class ReadModels(Facts):
    progress = providers.Singleton(Progress)
    own_writes = providers.Singleton(
        OwnWrites, progress, patience=Ground.settings.provided.read_wait_seconds
    )
    streams = providers.Singleton(FollowedStreams, Facts.logged_streams, own_writes)

    # Tables
    pointers = providers.Singleton(
        Pointers, Engines.bare_tables, Ground.clock, providers.Callable(_led_elsewhere, progress)
    )
    table_engine = providers.Singleton(GenerationTables, Engines.bare_tables, pointers)
    # Only DynamoDB tells strong reads from others.
    strong_tables = providers.Selector(
        Ground.engine_name,
        embedded=table_engine,
        dynamodb=providers.Singleton(StrongTables, table_engine),
        memory=table_engine,
    )
    shared_cache = providers.Singleton(
        caches.shared_cache, Ground.settings, Engines.log, Ground.clock
    )
    row_cache = providers.Singleton(
        caches.row_cache, Ground.settings, strong_tables, progress, Ground.clock, shared_cache
    )
    row_writes = providers.Singleton(caches.row_writes, table_engine, pointers, row_cache)
    hot_datasets = providers.Singleton(HotDatasets, Ground.settings.provided.hot_patterns)
    cards = providers.Singleton(
        TableCards, table_engine, Facts.seals, hot_datasets, writes=row_writes
    )

    # Folding
    kept_for = Ground.settings.provided.kept_for
    projections = providers.Callable(all_projections, kept_for)
    projection_names = providers.Callable(
        lambda projections: [one.name for one in projections], projections
    )
    runner = providers.Singleton(
        projection_runner,
        projections,
        Facts.feed,
        cards,
        progress,
        on_trouble=providers.Object(projections_stalled),
        leases=Engines.leases,
        on_set_aside=providers.Object(fact_quarantined),
    )
    set_aside_facts = providers.Singleton(SetAsideFacts, projection_names, cards)
    watcher = providers.Singleton(
        Watcher,
        projection_names,
        cards,
        progress,
        providers.Callable(lambda runner: lambda: runner.handled_here, runner),
        providers.Object(projections_stalled),
    )
