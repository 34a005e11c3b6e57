"""What answers are read from, now and of the past."""

from dependency_injector import providers

from adapters.memory.scratch import MemoryScratches
from adapters.read_models.dead_letters import TableDeadLetters
from adapters.read_models.incidents import TableIncidents
from adapters.read_models.reader import ReaderParts, TableReaders
from adapters.read_models.signals import TableSignals
from adapters.read_models.stream_directory import TableDirectory
from application.reads.as_of.snapshot import Past
from application.reads.consistency import Reads
from entrypoints.wiring import caches
from entrypoints.wiring.engines import Engines
from entrypoints.wiring.facts import Facts
from entrypoints.wiring.foundation import Ground
from entrypoints.wiring.projections import folded_anew
from entrypoints.wiring.read_models import ReadModels


class Reading(ReadModels):
    parts = providers.Singleton(
        ReaderParts, ReadModels.streams, Facts.seals, Ground.clock, ReadModels.hot_datasets
    )
    table_readers = providers.Singleton(
        TableReaders, ReadModels.table_engine, ReadModels.strong_tables, parts
    )
    readers = providers.Singleton(
        caches.readers, table_readers, ReadModels.row_cache, ReadModels.pointers
    )

    # Counted for the health report.
    dead_letters = providers.Singleton(TableDeadLetters, ReadModels.table_engine)

    # What decisions rest on is read strongly.
    strong_board = providers.Singleton(
        TableSignals, ReadModels.strong_tables, Ground.clock, ReadModels.hot_datasets
    )
    strong_incident_board = providers.Singleton(
        TableIncidents, ReadModels.strong_tables, Facts.seals, Ground.clock
    )

    # The past
    past = providers.Factory(
        Past,
        providers.Singleton(folded_anew, ReadModels.kept_for),
        Facts.history,
        providers.Singleton(TableDirectory, ReadModels.strong_tables),
        providers.Singleton(MemoryScratches, Facts.seals),
        ReadModels.progress,
        Ground.settings.provided.read_wait_seconds,
    )
    reads = providers.Singleton(
        Reads,
        readers,
        ReadModels.own_writes,
        Engines.log,
        past.provider,
        Ground.clock,
    )
