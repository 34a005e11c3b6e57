"""Engines with everything that they offer: the log, the library's recorders, and snapshots."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

from attrs import frozen
from eventsourcing.persistence import (
    AggregateRecorder,
    IntegrityError,
    ProcessRecorder,
    StoredEvent,
    Tracking,
)
from eventsourcing.popo import POPOTrackingRecorder

from adapters.blobs.directory import DirectoryBlobs
from adapters.dynamodb.log_records.snapshot_items import SnapshotItems
from adapters.dynamodb.log_records.snapshots import DynamoSnapshots
from adapters.dynamodb.log_records.upstream_checkpoints import DynamoTracking
from adapters.eventsourcing_library.dynamodb.blocking_log import BlockingDynamoLog
from adapters.eventsourcing_library.dynamodb.snapshots import DynamoSnapshotRecorder
from adapters.eventsourcing_library.dynamodb.tracking import DynamoProcessRecorder, Trackings
from adapters.eventsourcing_library.shared.recorders import LogApplicationRecorder
from adapters.eventsourcing_library.sqlite.snapshots import SnapshotTable, SqliteSnapshotRecorder
from adapters.eventsourcing_library.sqlite.tracking import SqliteProcessRecorder, TrackingTable
from adapters.eventstore.appending.head_watch import HeadWatch
from adapters.eventstore.log import Append, Log, LogEntry, Receipt, Scanned
from adapters.eventstore.snapshots import SnapshotStore
from adapters.memory.log import MemoryLog
from adapters.memory.snapshots import MemorySnapshots
from adapters.sqlite.connection.database import Database
from adapters.sqlite.log.log import SqliteLog
from adapters.sqlite.log.snapshots import SqliteSnapshots
from tests.adapters.dynamodb.log.logs import SnapshotsOnTheirThread, log_on_its_thread
from tests.adapters.eventstore.engines import Now

PURPOSE = "snapshots"


@frozen
class Whole:
    log: Log
    recorder: ProcessRecorder
    """The same log, as the library sees it."""
    sparse: AggregateRecorder
    """The library's snapshots, of any version."""
    states: SnapshotStore
    """The service's snapshots: the latest of each stream and kind."""
    settle: Callable[[], object] = lambda: None
    """Returns when the states that were kept can be seen."""


# In memory.


@frozen
class BlockingMemory:
    """The log in memory as recorders want it."""

    log: MemoryLog
    watch: HeadWatch

    def submit(self, append: Append) -> Future[Receipt]:
        return self.log.submit(append)

    def read_stream(
        self,
        stream: str,
        *,
        after: int = -1,
        upto: int | None = None,
        limit: int | None = None,
        newest_first: bool = False,
    ) -> Sequence[LogEntry]:
        entries = self.log._streams.get(stream, [])
        wanted = [e for e in entries if after < e.version and (upto is None or e.version <= upto)]
        return (wanted[::-1] if newest_first else wanted)[:limit]

    def read_entries(
        self, after: int, limit: int, *, upto: int | None = None, names: Sequence[str] = ()
    ) -> Scanned:
        end = None if upto is None else max(upto, 0)
        entries = self.log._entries[max(after, 0) : end]
        return Scanned([e for e in entries if not names or e.name in names][:limit], 0)

    def head_now(self) -> int:
        return len(self.log._entries)


class MemoryProcessRecorder(POPOTrackingRecorder, LogApplicationRecorder, ProcessRecorder):
    def __init__(self, log: BlockingMemory) -> None:
        POPOTrackingRecorder.__init__(self)
        LogApplicationRecorder.__init__(self, log, "text")

    def insert_events(
        self, stored_events: Sequence[StoredEvent], **kwargs: Any
    ) -> Sequence[int] | None:
        tracking: Tracking | None = kwargs.get("tracking")
        if tracking is not None:
            self._assert_tracking_uniqueness(tracking)
        inserted = LogApplicationRecorder.insert_events(self, stored_events)
        if tracking is not None:
            self._insert_tracking(tracking)
        return inserted


class MemorySparse(AggregateRecorder):
    """The library's own keeps snapshots in the order in which they came."""

    def __init__(self) -> None:
        self._kept: dict[tuple[UUID | str, int], StoredEvent] = {}

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> None:
        new = {(one.originator_id, one.originator_version): one for one in stored_events}
        if len(new) < len(stored_events) or new.keys() & self._kept.keys():
            raise IntegrityError("a snapshot is already stored")
        self._kept.update(new)

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        found = sorted(
            version
            for stream, version in self._kept
            if stream == originator_id
            and (gt is None or version > gt)
            and (lte is None or version <= lte)
        )
        wanted = (found[::-1] if desc else found)[:limit]
        return [self._kept[originator_id, version] for version in wanted]


@contextmanager
def memory(folder: Path, now: Now) -> Iterator[Whole]:
    log = MemoryLog(now=now)
    recorder = MemoryProcessRecorder(BlockingMemory(log, HeadWatch()))
    yield Whole(log, recorder, MemorySparse(), MemorySnapshots())


@contextmanager
def sqlite(folder: Path, now: Now) -> Iterator[Whole]:
    with Database.open(folder / "log.db") as database:
        log = SqliteLog(database, now=now, hot_streams=2)
        tracking = TrackingTable(database, log.application)
        snapshots = SnapshotTable(database, log.application, PURPOSE)
        for table in (tracking, snapshots):
            database.submit(table.create).result()
        yield Whole(
            log,
            SqliteProcessRecorder(log, "text", tracking),
            SqliteSnapshotRecorder(snapshots, "text"),
            SqliteSnapshots(database),
            # One writer: whatever is awaited behind them comes later.
            settle=lambda: database.submit(lambda connection: None).result(),
        )


@contextmanager
def dynamodb(folder: Path, now: Now) -> Iterator[Whole]:
    # Few hot streams and tiny blocks: what is rare in production happens in every test.
    blobs = DirectoryBlobs(folder / "blobs")
    with log_on_its_thread(
        str(folder), now=now, hot_streams=2, block_size=7, blobs=blobs
    ) as opened:
        log, thread = opened.inner, opened.thread
        trackings = Trackings(DynamoTracking(log.table, log.keys), thread)
        items = SnapshotItems(log.table, log.keys, log.payloads, PURPOSE)
        yield Whole(
            opened,
            DynamoProcessRecorder(BlockingDynamoLog(log, thread), "text", trackings),
            DynamoSnapshotRecorder(items, thread, "text"),
            SnapshotsOnTheirThread(DynamoSnapshots(log), thread),
        )


WHOLE: dict[str, Callable[[Path, Now], AbstractContextManager[Whole]]] = {
    "memory": memory,
    "sqlite": sqlite,
    "dynamodb": dynamodb,
}
