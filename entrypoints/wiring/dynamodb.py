"""What is kept on DynamoDB. Its libraries are slow to import: no other engine waits for them."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from adapters.blobs.store import BlobStore
from adapters.row_layouts.catalogue import EVIDENCE_CACHE
from application.evidence.cache import Telling
from application.ports.clock import Clock
from application.subscriptions.lease import Leases
from entrypoints.settings.loading import Settings
from entrypoints.wiring import locations

if TYPE_CHECKING:
    from adapters.dynamodb.evidence.cache import DynamoEvidenceCache
    from adapters.dynamodb.log.log import DynamoLog
    from adapters.dynamodb.log_records.snapshots import DynamoSnapshots
    from adapters.dynamodb.rows.engine import DynamoEngine
    from adapters.dynamodb.rows.row_tables import RowTables


def log(settings: Settings, *, now: Callable[[], datetime], blobs: BlobStore | None) -> "DynamoLog":
    from adapters.dynamodb.log.log import DynamoLog
    from adapters.dynamodb.log.opening import table_at

    return DynamoLog(table_at(locations.log_location(settings)), now=now, blobs=blobs)


def snapshots(log: "DynamoLog") -> "DynamoSnapshots":
    from adapters.dynamodb.log_records.snapshots import DynamoSnapshots

    return DynamoSnapshots(log)


def tables(
    log: "DynamoLog",
    row_tables: "RowTables",
    *,
    blobs: BlobStore | None,
    now: Callable[[], datetime],
) -> "DynamoEngine":
    from adapters.dynamodb.rows.engine import DynamoEngine

    return DynamoEngine(log.table.transport, row_tables, blobs=blobs, now=now)


def evidence_cache(
    log: "DynamoLog", row_tables: "RowTables", clock: Clock, telling: Telling, kept_for: timedelta
) -> "DynamoEvidenceCache":
    from adapters.dynamodb.evidence.cache import DynamoEvidenceCache

    name = row_tables.name(EVIDENCE_CACHE.name)
    return DynamoEvidenceCache(log.table.transport, name, clock, telling, kept_for)


def leases(log: "DynamoLog", me: Callable[[], str]) -> Leases:
    from adapters.dynamodb.log_records.leases import DynamoLeaseBoard
    from adapters.leases.shared import SharedLeases

    return SharedLeases(DynamoLeaseBoard(log.table, log.keys), me())
