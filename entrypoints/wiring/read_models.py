"""What the log is folded into, and how far the folding is."""

from collections.abc import Callable

from dependency_injector import providers

from adapters.tables.cards import TableCards
from adapters.tables.generations import GenerationTables
from adapters.tables.hot_datasets import HotDatasets
from adapters.tables.pointers import Pointers
from adapters.tables.strong import StrongTables
from application.projections.progress import Progress, Reached
from application.projections.runner import Runner
from application.projections.watcher import Watcher
from application.read_your_writes import FollowedStreams, OwnWrites
from application.set_aside_facts import SetAsideFacts
from entrypoints import caches
from entrypoints.logs import fact_set_aside, projections_wait
from entrypoints.wiring.engines import Engines
from entrypoints.wiring.facts import Facts
from entrypoints.wiring.folds import all_projections
from entrypoints.wiring.ground import Ground


def _led_elsewhere(progress: Progress) -> Callable[[str, int], None]:
    """Takes note of how far tables are that are read from now on, of those that are followed."""

    def moved(projection: str, reached: int) -> None:
        if projection in progress.all():
            progress.moved(projection, Reached(reached))

    return moved


class ReadModels(Facts):
    progress = providers.Singleton(Progress)
    own_writes = providers.Singleton(
        OwnWrites, progress, patience=Ground.settings.provided.read_patience_seconds
    )
    streams = providers.Singleton(FollowedStreams, Facts.logged_streams, own_writes)

    # Tables
    pointers = providers.Singleton(
        Pointers, Engines.bare_tables, Ground.clock, providers.Callable(_led_elsewhere, progress)
    )
    serving_tables = providers.Singleton(GenerationTables, Engines.bare_tables, pointers)
    strong_tables = providers.Singleton(StrongTables, serving_tables)
    shared_cache = providers.Singleton(
        caches.shared_cache, Ground.settings, Engines.log, Ground.clock
    )
    row_cache = providers.Singleton(
        caches.row_cache, Ground.settings, strong_tables, progress, Ground.clock, shared_cache
    )
    table_engine = providers.Singleton(
        caches.told_of_changes, Engines.bare_tables, pointers, row_cache
    )
    hot_datasets = providers.Singleton(HotDatasets, Ground.settings.provided.hot_patterns)
    cards = providers.Singleton(TableCards, table_engine, Facts.seals, hot_datasets)

    # Folding
    kept_for = Ground.settings.provided.kept_for
    projections = providers.Callable(all_projections, kept_for)
    projection_names = providers.Callable(
        lambda projections: [one.name for one in projections], projections
    )
    runner = providers.Singleton(
        Runner,
        projections,
        Facts.feed,
        cards,
        progress,
        on_trouble=providers.Object(projections_wait),
        leases=Engines.leases,
        on_set_aside=providers.Object(fact_set_aside),
    )
    set_aside_facts = providers.Singleton(SetAsideFacts, projection_names, cards)
    watcher = providers.Singleton(
        Watcher,
        projection_names,
        cards,
        progress,
        providers.Callable(lambda runner: lambda: runner.folded_here, runner),
        providers.Object(projections_wait),
    )
