"""Throwing away what has ended, from the command line."""

from adapters.generations.pointers import Pointers
from adapters.sqlite.evidence.cache import SqliteEvidenceCache
from adapters.sqlite.evidence.file import EvidenceFile
from adapters.sqlite.rows.engine import SqliteEngine
from adapters.system.clock import SystemClock
from application.errors import Damaged
from application.maintenance.expiry import Sweeper
from application.ports.clock import Clock
from entrypoints.cli.tables.inventory import NoTables
from entrypoints.cli.tables.sqlite_tables import SqliteStock
from entrypoints.engines.engine import engine_of
from entrypoints.grpc.evidence.responses import evidence_told
from entrypoints.settings.loading import Settings
from entrypoints.wiring.locations import evidence_file


async def sweep(settings: Settings) -> int | None:
    """How many rows went; nothing where the tables do it by themselves.

    Raises:
        NoTables: Nothing is kept where the settings point.
        FolderInUse: Another process owns the data folder.
    """
    engine = engine_of(settings)
    if engine.expires_rows:
        return None
    if engine.missing(settings) is not None:
        raise NoTables(engine.describe(settings))
    with SqliteStock(settings).opened() as database:
        rows, clock = SqliteEngine(database), SystemClock()
        # An engine sweeps the tables it knows of: it learns here which generations are read.
        await Pointers(rows, clock).numbers()
        return await Sweeper(rows, clock).sweep() + await _evidence_swept(settings, clock)


async def _evidence_swept(settings: Settings, clock: Clock) -> int:
    path = evidence_file(settings)
    if not path.exists():
        return 0
    file = EvidenceFile(path, settings.busy_timeout_seconds)
    cache = SqliteEvidenceCache(file, clock, evidence_told, settings.kept_for.evidence)
    try:
        return await cache.sweep()
    except Damaged:
        return 0  # The next server drops all of it.
    finally:
        cache.close()
