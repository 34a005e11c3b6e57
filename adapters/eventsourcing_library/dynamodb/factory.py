"""The library's way to our recorders, configured by its environment variables."""

from eventsourcing.persistence import (
    AggregateRecorder,
    ApplicationRecorder,
    InfrastructureFactory,
    ProcessRecorder,
)
from eventsourcing.utils import Environment, EnvType

from adapters.blobs.opening import open_blobs
from adapters.dynamodb.items.item_table import ItemTable
from adapters.dynamodb.log.keys import Keys
from adapters.dynamodb.log.log import DynamoLog
from adapters.dynamodb.log.opening import Location, prepare, table_at
from adapters.dynamodb.log_records.snapshot_items import SnapshotItems
from adapters.dynamodb.log_records.upstream_checkpoints import DynamoTracking
from adapters.dynamodb.transport.loop_thread import LoopThread
from adapters.eventsourcing_library.dynamodb.blocking_log import BlockingDynamoLog
from adapters.eventsourcing_library.dynamodb.recorders import (
    DynamoAggregateRecorder,
    DynamoApplicationRecorder,
)
from adapters.eventsourcing_library.dynamodb.snapshots import DynamoSnapshotRecorder
from adapters.eventsourcing_library.dynamodb.tracking import (
    DynamoProcessRecorder,
    DynamoTrackingRecorder,
    Trackings,
)
from adapters.eventsourcing_library.shared.environment import (
    chosen,
    creates_tables,
    needed,
    originator_id_type,
)
from adapters.eventsourcing_library.shared.translation import library_errors


class Factory(InfrastructureFactory[DynamoTrackingRecorder]):
    """Recorders of one application, named by the environment, in one DynamoDB table.

    DYNAMODB_TABLE          the table; applications of different names may share it
    DYNAMODB_ENDPOINT_URL   where DynamoDB is, if not at the region's usual address
    DYNAMODB_BLOBS          for what is too large for the table: a folder, or `s3://bucket/prefix`
    ORIGINATOR_ID_TYPE      `uuid` (default) or `text`
    CREATE_TABLE            `no` when the table must exist already (default yes)

    Region and credentials come from the usual AWS settings (AWS_REGION, AWS_PROFILE, ...).
    """

    DYNAMODB_TABLE = "DYNAMODB_TABLE"
    DYNAMODB_ENDPOINT_URL = "DYNAMODB_ENDPOINT_URL"
    DYNAMODB_BLOBS = "DYNAMODB_BLOBS"

    def __init__(self, env: Environment | EnvType | None) -> None:
        super().__init__(env)
        self._ids = originator_id_type(self.env)
        self._name = self.env.name or "statestore"
        table = needed(self.env, self.DYNAMODB_TABLE, "table")
        location = Location(table, self.env.get(self.DYNAMODB_ENDPOINT_URL) or None)
        self._thread = LoopThread(f"the event log of {self._name}")
        try:
            with library_errors():
                self._log = self._thread.run(self._opened(location))
        except BaseException:
            self._thread.close()
            raise

    def aggregate_recorder(self, purpose: str = "events") -> AggregateRecorder:
        if purpose == "events":
            return DynamoAggregateRecorder(self._blocking_log(), self._ids)
        items = SnapshotItems(self._table, self._keys, self._log.payloads, purpose)
        return DynamoSnapshotRecorder(items, self._thread, self._ids)

    def application_recorder(self) -> ApplicationRecorder:
        kind = chosen(self.env, self.APPLICATION_RECORDER_TOPIC, DynamoApplicationRecorder)
        return kind(self._blocking_log(), self._ids)

    def tracking_recorder(
        self, tracking_recorder_class: type[DynamoTrackingRecorder] | None = None
    ) -> DynamoTrackingRecorder:
        kind = tracking_recorder_class or chosen(
            self.env, self.TRACKING_RECORDER_TOPIC, DynamoTrackingRecorder
        )
        return kind(self._trackings())

    def process_recorder(self) -> ProcessRecorder:
        kind = chosen(self.env, self.PROCESS_RECORDER_TOPIC, DynamoProcessRecorder)
        return kind(self._blocking_log(), self._ids, self._trackings())

    def close(self) -> None:
        """Store what waits, then let go of the connections."""
        if not self._thread.closed:
            self._thread.run(self._close())
            self._thread.close()

    # What the recorders stand on.

    async def _opened(self, location: Location) -> DynamoLog:
        blobs = self.env.get(self.DYNAMODB_BLOBS)
        log = DynamoLog(table_at(location), self._name, blobs=open_blobs(blobs) if blobs else None)
        await log.payloads.check()
        await prepare(location, may_create=creates_tables(self.env))
        await log.open()
        return log

    async def _close(self) -> None:
        await self._log.close()
        await self._table.transport.close()

    def _blocking_log(self) -> BlockingDynamoLog:
        return BlockingDynamoLog(self._log, self._thread)

    def _trackings(self) -> Trackings:
        return Trackings(DynamoTracking(self._table, self._keys), self._thread)

    @property
    def _table(self) -> ItemTable:
        return self._log.table

    @property
    def _keys(self) -> Keys:
        return self._log.keys
