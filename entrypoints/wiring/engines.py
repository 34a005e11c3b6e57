"""What is kept, and where: all that depends on the engine the settings choose."""

from datetime import timedelta
from typing import TYPE_CHECKING

from dependency_injector import providers

from adapters.generations.table_generations import PAGE
from adapters.key_file.key_file import KeyFile
from adapters.memory.drafts import MemoryDrafts
from adapters.memory.engine import MemoryEngine
from adapters.memory.evidence_archive import MemoryEvidenceArchive
from adapters.memory.evidence_cache import MemoryEvidenceCache
from adapters.memory.keys import MemoryKeys
from adapters.memory.leases import OwnLeases
from adapters.memory.log import MemoryLog
from adapters.memory.snapshots import MemorySnapshots
from adapters.sqlite.connection.database import Database
from adapters.sqlite.connection.folder_lock import FolderLock
from adapters.sqlite.evidence.cache import SqliteEvidenceCache
from adapters.sqlite.evidence.file import EvidenceFile
from adapters.sqlite.log.log import SqliteLog
from adapters.sqlite.log.snapshots import SqliteSnapshots
from adapters.sqlite.rows.engine import SqliteEngine
from application.errors import Unavailable
from application.evidence.cache import Telling
from application.ports.clock import Clock
from entrypoints.grpc.evidence.responses import evidence_told
from entrypoints.settings.loading import Settings
from entrypoints.wiring import dynamodb, locations
from entrypoints.wiring.foundation import Ground

if TYPE_CHECKING:
    from adapters.dynamodb.log.log import DynamoLog

BETWEEN_APPENDS = 32
"""Rows of a rebuild in one write: appends wait for the same writer."""

NOT_LISTED_YET = 10_000
"""Facts that an index of DynamoDB may lag behind: seconds under the heaviest load, minutes else."""

STILL_READ = timedelta(minutes=2)
"""Longer than any other process takes to learn of a new generation and to end a call, clocks that
differ included."""


def _database(settings: Settings) -> Database:
    return Database.open(locations.store_file(settings), busy_timeout=settings.busy_timeout_seconds)


def _evidence_cache(settings: Settings, clock: Clock, telling: Telling) -> SqliteEvidenceCache:
    file = EvidenceFile(locations.evidence_file(settings), settings.busy_timeout_seconds)
    return SqliteEvidenceCache(file, clock, telling, settings.kept_for.evidence)


def _opened_keys(settings: Settings, log: "SqliteLog | DynamoLog") -> KeyFile:
    """Raises Unavailable if there are facts, and the file they were sealed with is gone."""
    path = locations.key_file(settings)
    if log.head_now() and not path.exists():
        said = f"{path} is missing, and facts were sealed with it: restore it from a copy"
        raise Unavailable("the key file", said)
    return KeyFile.open(path)


class Engines(Ground):
    database = providers.Singleton(_database, Ground.settings)
    folder = providers.Singleton(FolderLock.take, Ground.settings.provided.data_dir)
    blobs = providers.Singleton(locations.blob_store, Ground.settings)

    # Facts
    log = providers.Selector(
        Ground.engine_name,
        embedded=providers.Singleton(SqliteLog, database, now=Ground.clock.provided.now),
        dynamodb=providers.Singleton(
            dynamodb.log, Ground.settings, now=Ground.clock.provided.now, blobs=blobs
        ),
        memory=providers.Singleton(MemoryLog, now=Ground.clock.provided.now),
    )
    keys = providers.Selector(
        Ground.engine_name,
        embedded=providers.Singleton(_opened_keys, Ground.settings, log),
        dynamodb=providers.Singleton(_opened_keys, Ground.settings, log),
        memory=providers.Singleton(MemoryKeys),
    )
    snapshot_store = providers.Selector(
        Ground.engine_name,
        embedded=providers.Singleton(SqliteSnapshots, database),
        dynamodb=providers.Singleton(dynamodb.snapshots, log),
        memory=providers.Singleton(MemorySnapshots),
    )
    facts_not_listed = providers.Selector(
        Ground.engine_name,
        embedded=providers.Object(0),
        dynamodb=providers.Object(NOT_LISTED_YET),
        memory=providers.Object(0),
    )

    # Rows
    row_tables = providers.Singleton(locations.row_tables, Ground.settings)
    # Every generation of every table; whoever reads or writes goes through `table_engine`.
    bare_tables = providers.Selector(
        Ground.engine_name,
        embedded=providers.Singleton(SqliteEngine, database),
        dynamodb=providers.Singleton(
            dynamodb.tables, log, row_tables, blobs=blobs, now=Ground.clock.provided.now
        ),
        memory=providers.Singleton(MemoryEngine),
    )
    rows_at_once = providers.Selector(
        Ground.engine_name,
        embedded=providers.Object(BETWEEN_APPENDS),
        dynamodb=providers.Object(PAGE),
        memory=providers.Object(PAGE),
    )
    generations_kept = providers.Selector(
        Ground.engine_name,
        embedded=providers.Object(timedelta()),
        dynamodb=providers.Object(STILL_READ),
        memory=providers.Object(timedelta()),
    )
    draft_places = providers.Selector(
        Ground.engine_name,
        embedded=providers.Singleton(locations.draft_files, Ground.settings),
        dynamodb=providers.Singleton(locations.draft_files, Ground.settings),
        memory=providers.Singleton(MemoryDrafts),
    )

    # Evidence
    evidence_telling = providers.Object(evidence_told)
    evidence_archive = providers.Selector(
        Ground.engine_name,
        embedded=providers.Singleton(locations.evidence_archive, Ground.settings, Ground.ulids),
        dynamodb=providers.Singleton(locations.evidence_archive, Ground.settings, Ground.ulids),
        memory=providers.Singleton(MemoryEvidenceArchive),
    )
    evidence_cache = providers.Selector(
        Ground.engine_name,
        embedded=providers.Singleton(
            _evidence_cache, Ground.settings, Ground.clock, evidence_telling
        ),
        dynamodb=providers.Singleton(
            dynamodb.evidence_cache,
            log,
            row_tables,
            Ground.clock,
            evidence_telling,
            Ground.settings.provided.kept_for.evidence,
        ),
        memory=providers.Singleton(
            MemoryEvidenceCache,
            Ground.clock,
            evidence_telling,
            Ground.settings.provided.kept_for.evidence,
        ),
    )

    # Who does what, where several processes share the tables
    leases = providers.Selector(
        Ground.engine_name,
        embedded=providers.Singleton(OwnLeases),
        dynamodb=providers.Singleton(dynamodb.leases, log, Ground.new_id),
        memory=providers.Singleton(OwnLeases),
    )
    # Apart from those that are spread among processes: what was begun is not given away.
    hand_over_leases = providers.Selector(
        Ground.engine_name,
        embedded=providers.Singleton(OwnLeases),
        dynamodb=providers.Singleton(dynamodb.leases, log, Ground.new_id),
        memory=providers.Singleton(OwnLeases),
    )
