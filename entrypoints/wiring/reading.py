"""What answers are read from, now and of the past."""

from dependency_injector import providers

from adapters.memory.scratch import MemoryScratches
from adapters.read_models.datasets import TableRegistry
from adapters.read_models.dead_letters import TableDeadLetters
from adapters.read_models.incidents import TableIncidentBoard
from adapters.read_models.lineage import TableLineageGraph
from adapters.read_models.resolution_rules import TableResolutionMap
from adapters.read_models.signals import TableSignalBoard
from adapters.read_models.stream_directory import TableDirectory
from application.reads.as_of.snapshot import Past
from application.reads.demand import Reads
from application.reads.read_your_writes import Twins
from application.reads.reader import Boards, NoCopies
from entrypoints.wiring import caches
from entrypoints.wiring.facts import Facts
from entrypoints.wiring.foundation import Ground
from entrypoints.wiring.projections import folded_anew
from entrypoints.wiring.read_models import ReadModels


class Reading(ReadModels):
    board = providers.Singleton(
        TableSignalBoard, ReadModels.table_engine, Ground.clock, ReadModels.hot_datasets
    )
    incident_board = providers.Singleton(
        TableIncidentBoard, ReadModels.table_engine, Facts.seals, Ground.clock
    )
    registry = providers.Singleton(TableRegistry, ReadModels.table_engine, Facts.seals)
    resolution_map = providers.Singleton(TableResolutionMap, ReadModels.table_engine)
    lineage_graph = providers.Singleton(TableLineageGraph, ReadModels.table_engine, Ground.clock)
    dead_letters = providers.Singleton(TableDeadLetters, ReadModels.table_engine)

    # What was waited for is read from these, and so is what decisions rest on.
    strong_board = providers.Singleton(
        TableSignalBoard, ReadModels.strong_tables, Ground.clock, ReadModels.hot_datasets
    )
    strong_incident_board = providers.Singleton(
        TableIncidentBoard, ReadModels.strong_tables, Facts.seals, Ground.clock
    )
    strong_registry = providers.Singleton(TableRegistry, ReadModels.strong_tables, Facts.seals)
    strong_resolution_map = providers.Singleton(TableResolutionMap, ReadModels.strong_tables)
    strong_boards = providers.Singleton(
        Boards,
        strong_board,
        strong_incident_board,
        strong_registry,
        strong_resolution_map,
        providers.Singleton(TableLineageGraph, ReadModels.strong_tables, Ground.clock),
        ReadModels.streams,
        ReadModels.own_writes,
        copies=providers.Singleton(NoCopies),
    )
    cached_boards = providers.Singleton(
        caches.cached_boards,
        ReadModels.row_cache,
        ReadModels.pointers,
        ReadModels.table_engine,
        ReadModels.strong_tables,
        board,
        registry,
    )
    boards = providers.Singleton(
        Boards,
        board,
        incident_board,
        registry,
        resolution_map,
        lineage_graph,
        ReadModels.streams,
        ReadModels.own_writes,
        strong=strong_boards,
        cached=cached_boards,
        copies=providers.Callable(lambda cached: cached or NoCopies(), cached_boards),
    )

    # Read beside the boards
    registry_twins = providers.Singleton(
        Twins,
        registry,
        strong_registry,
        providers.Callable(lambda cached: cached and cached.registry, cached_boards),
    )
    resolution_map_twins = providers.Singleton(
        Twins,
        resolution_map,
        strong_resolution_map,
        providers.Callable(lambda cached: cached and cached.rules, cached_boards),
    )
    dead_letter_twins = providers.Singleton(
        Twins, dead_letters, providers.Singleton(TableDeadLetters, ReadModels.strong_tables)
    )

    # The past
    past = providers.Factory(
        Past,
        providers.Singleton(folded_anew, ReadModels.kept_for),
        Facts.history,
        providers.Singleton(TableDirectory, ReadModels.strong_tables),
        providers.Singleton(MemoryScratches, Facts.seals),
        ReadModels.progress,
        Ground.settings.provided.read_patience_seconds,
    )
    reads = providers.Singleton(
        Reads,
        boards,
        ReadModels.own_writes,
        Facts.feed,
        Facts.history,
        past.provider,
        Ground.clock,
    )
