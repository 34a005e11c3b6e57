"""Throwing away what has ended, from the command line."""

from adapters.sqlite.engine import SqliteEngine
from adapters.sqlite.evidence_cache import SqliteEvidenceCache
from adapters.sqlite.evidence_file import EvidenceFile
from adapters.system.clock import SystemClock
from adapters.tables.pointers import Pointers
from application.ports.clock import Clock
from application.sweeping import Sweeper
from entrypoints.grpc.evidence_answers import evidence_told
from entrypoints.places import evidence_file, store_file
from entrypoints.settings import Engine, Settings
from entrypoints.tables.choosing import NoTables
from entrypoints.tables.sqlite_stock import SqliteStock


async def sweep(settings: Settings) -> int | None:
    """How many rows went; nothing where the tables do it by themselves.

    Raises:
        NoTables: Nothing is kept where the settings point.
        FolderInUse: Another process owns the data folder.
    """
    if settings.engine is Engine.DYNAMODB:
        return None
    if settings.engine is Engine.MEMORY:
        raise NoTables("memory: it ends with its process")
    if not store_file(settings).exists():
        raise NoTables(str(store_file(settings)))
    with SqliteStock(settings).opened() as database:
        engine, clock = SqliteEngine(database), SystemClock()
        # An engine sweeps the tables it knows of: it learns here which generations are read.
        await Pointers(engine, clock).numbers()
        return await Sweeper(engine, clock).sweep() + await _evidence_swept(settings, clock)


async def _evidence_swept(settings: Settings, clock: Clock) -> int:
    path = evidence_file(settings)
    if not path.exists():
        return 0
    file = EvidenceFile(path, settings.busy_timeout_seconds)
    cache = SqliteEvidenceCache(file, clock, evidence_told, settings.kept_for.evidence)
    try:
        return await cache.sweep()
    finally:
        cache.close()
