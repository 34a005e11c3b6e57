"""The event log in a DynamoDB table."""

import asyncio
import uuid
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from datetime import UTC, datetime

from attrs import frozen

from adapters.blobs.store import BlobStore
from adapters.dynamodb.items.item_table import ItemTable
from adapters.dynamodb.log.companions import Companion
from adapters.dynamodb.log.draft import MOST_STREAMS, streams_of
from adapters.dynamodb.log.group_commit import WHAT, GroupStore, Queued
from adapters.dynamodb.log.identity import Identity, identify
from adapters.dynamodb.log.keys import Keys
from adapters.dynamodb.log.payloads import Payloads
from adapters.dynamodb.log.stream_bases import StreamBases
from adapters.dynamodb.log.tail import LogEnd
from adapters.dynamodb.log.turn_lease import TurnLease
from adapters.dynamodb.log.turn_polling import Manners
from adapters.dynamodb.log.turns import Turns
from adapters.dynamodb.log.uncontended_streams import OwnRun
from adapters.dynamodb.log.writer import LogWriter
from adapters.dynamodb.log_reading.damage_aware_reader import SureReader, undamaged
from adapters.dynamodb.log_reading.earlier_positions import EarlierPlaces
from adapters.dynamodb.log_reading.log_reader import LogReader
from adapters.dynamodb.log_reading.stream_reader import StreamReader, Wanted
from adapters.eventstore.appending.continuation import refuse_empty
from adapters.eventstore.appending.head_watch import HeadWatch
from adapters.eventstore.appending.stream_heads import StreamHeads
from adapters.eventstore.appending.write_outcomes import Failed, tell
from adapters.eventstore.log import Append, LogEntry, Receipt
from adapters.eventstore.milliseconds import milliseconds
from application.errors import TooMuch, Unavailable
from application.reads.history import End


def utc_now() -> datetime:
    return datetime.now(UTC)


def new_batch_id() -> bytes:
    return uuid.uuid4().bytes


@frozen
class Opened:
    """The parts of a log that is open, on the event loop that they belong to."""

    loop: asyncio.AbstractEventLoop
    identity: Identity
    reader: LogReader
    streams: StreamReader
    writer: LogWriter
    end: LogEnd
    earlier: EarlierPlaces


class DynamoLog:
    """One application's log. Applications of different names in one table do not meet.

    It belongs to the event loop that opened it; `submit` may be called from any thread. Guard
    version 0 means that the stream does not exist: streams that are guarded begin at 1. An append
    without events is refused with a ValueError, one to more streams than a transaction holds with
    TooMuch. Events that are too large for the table go to the blob store before they are committed;
    if there is none, they are refused with TooMuch, too.
    """

    def __init__(
        self,
        table: ItemTable,
        name: str = "statestore",
        *,
        now: Callable[[], datetime] = utc_now,
        hot_streams: int = 50_000,
        block_size: int = 1_000_000,
        patience: float = 10.0,
        blobs: BlobStore | None = None,
        manners: Manners | None = None,
    ) -> None:
        self.table = table
        self.keys = Keys(name, block_size)
        self.watch = HeadWatch()
        self._now = now
        self._hot_streams = hot_streams
        self._patience = patience
        self._manners = manners or Manners()
        self.payloads = Payloads(blobs)
        self._opened: Opened | None = None

    # Opening and closing.

    async def open(self, *, find_end: bool = True) -> Identity:
        """Find or begin the log. A new log's block size is the one given; an old one keeps its own.

        Whoever looks for damage does not want the end found now: it may be what is missing.

        Raises:
            Unavailable: The table does not answer, or is not there.
        """
        identity = await identify(self.table, self.keys, uuid.uuid4().hex)
        self.keys = Keys(self.keys.application, identity.block_size)
        reader = LogReader(self.table, self.keys, self.payloads)
        streams = StreamReader(self.table, self.keys, reader)
        end = LogEnd(reader, self.watch)
        lease = TurnLease(self.table, self.keys.lease, uuid.uuid4().hex)
        turns = Turns(lease, self._manners)
        store = GroupStore(
            reader,
            StreamBases(streams, StreamHeads(self._hot_streams)),
            OwnRun(StreamHeads(self._hot_streams)),
            end,
            turns,
            now=self._now,
            new_id=new_batch_id,
            patience=self._patience,
            stage_under=identity.blobs,
        )
        writer = LogWriter(store, end, turns, self._patience)
        if find_end:
            await end.refresh()
        loop = asyncio.get_running_loop()
        self._opened = Opened(
            loop, identity, reader, streams, writer, end, EarlierPlaces(reader, streams)
        )
        return identity

    async def close(self) -> None:
        """Store what waits and accept nothing more. The transport stays open."""
        if self._opened is not None:
            await self._opened.writer.close()
            await self._opened.reader.close()
            self._opened = None

    # The log.

    def submit(self, append: Append, companions: Sequence[Companion] = ()) -> Future[Receipt]:
        """Companions are stored in the same transaction, or their refusal is raised."""
        self._refuse_unstorable(append, len(companions))
        future: Future[Receipt] = Future()
        self._put(Queued(append, future, companions), from_elsewhere=True)
        return future

    async def append(self, append: Append) -> Receipt:
        self._refuse_unstorable(append)
        future: asyncio.Future[Receipt] = asyncio.get_running_loop().create_future()
        self._put(Queued(append, future))
        return await future

    async def last_version(self, stream: str) -> int | None:
        return await self._parts.streams.last_version(stream)

    async def stream(
        self,
        stream: str,
        *,
        after: int = -1,
        upto: int | None = None,
        limit: int | None = None,
        newest_first: bool = False,
    ) -> Sequence[LogEntry]:
        wanted = Wanted(after, upto, limit, newest_first)
        with undamaged():
            return await self._parts.streams.read(stream, wanted)

    async def read(self, after: int, limit: int) -> Sequence[LogEntry]:
        parts = self._parts
        return await SureReader(parts.reader, parts.end).read(max(after, 0), limit)

    async def position_at(self, moment: datetime) -> int:
        ms, end = milliseconds(moment), self._parts.end
        head = await end.known()
        # Times never decrease: what was recorded since cannot be earlier.
        head = head if head.ms > ms else await end.refresh()
        return await self._parts.earlier.position_at(ms, head)

    async def version_at(self, stream: str, position: int) -> int | None:
        with undamaged():
            return await self._parts.earlier.version_at(stream, position)

    async def head(self) -> int:
        return (await self._parts.end.refresh()).position

    async def end(self) -> End:
        return await self._parts.end.lately()

    async def beyond(self, position: int, *, timeout: float) -> bool:
        return await self._parts.end.beyond(position, timeout=timeout)

    def head_now(self) -> int:
        """The last position that this process has heard of."""
        return self._parts.end.position

    @property
    def identity(self) -> Identity:
        return self._parts.identity

    @property
    def reader(self) -> LogReader:
        return self._parts.reader

    @property
    def _parts(self) -> Opened:
        if self._opened is None:
            raise Unavailable(WHAT, "it is closed")
        return self._opened

    def _put(self, queued: Queued, *, from_elsewhere: bool = False) -> None:
        try:
            parts = self._parts
            if from_elsewhere:
                parts.loop.call_soon_threadsafe(parts.writer.put, queued)
            else:
                parts.writer.put(queued)
        except (Unavailable, RuntimeError):
            # A closed event loop raises RuntimeError.
            tell([(queued.waiting, Failed(Unavailable(WHAT, "it is closed")))])

    def _refuse_unstorable(self, append: Append, companions: int = 0) -> None:
        """One append must not spoil a group, so what DynamoDB would refuse never gets there."""
        refuse_empty(append)
        streams = streams_of(append)
        most = MOST_STREAMS - companions
        if len(streams) > most:
            # All are written or checked by one transaction, or the append would not be atomic.
            raise TooMuch(f"an append to {len(streams)} streams", f"a transaction holds {most}")
        for stream in streams:
            self.keys.stream(stream)
        for event in append.events:
            event.name.encode()
