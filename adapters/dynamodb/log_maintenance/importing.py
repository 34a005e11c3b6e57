"""
Taking a log over from a file of another one, into DynamoDB.

A batch has one moment: entries that were recorded together and fit into a transaction make one.
Unlike an append, a batch is stored at its own position or not at all.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter

from attrs import define, evolve, field

from adapters.dynamodb.log.batches import MOST_PARTS, Batch, parts
from adapters.dynamodb.log.draft import MOST_ACTIONS, Draft, Room
from adapters.dynamodb.log.group_commit import WHAT
from adapters.dynamodb.log.log import DynamoLog, new_batch_id
from adapters.dynamodb.log.packing import packed
from adapters.dynamodb.log.stream_bases import StreamBases
from adapters.dynamodb.log.transaction import Lost, Transaction, lost, transaction
from adapters.dynamodb.log_reading.log_reader import Head
from adapters.dynamodb.log_reading.stream_reader import StreamReader
from adapters.dynamodb.retry.backoff import BackingOff
from adapters.dynamodb.retry.call_outcome import PASSING
from adapters.dynamodb.transport.errors import Canceled, NotApplied
from adapters.dynamodb.transport.errors import OutcomeUnknown as Undecided
from adapters.eventstore.appending.stream_heads import StreamHeads
from adapters.eventstore.appending.write_outcomes import Failed
from adapters.eventstore.export.transfer import OutOfPlace
from adapters.eventstore.log import Append, LogEntry
from adapters.eventstore.milliseconds import milliseconds
from application.errors import OutcomeUnknown, Unavailable

PATIENCE = 30.0


@define
class DynamoImport:
    """The log must be open. One import runs at a time, and nobody else writes."""

    log: DynamoLog
    hot_streams: int = 50_000
    _bases: StreamBases = field(init=False)
    _head: Head = field(factory=Head, init=False)

    def __attrs_post_init__(self) -> None:
        streams = StreamReader(self.log.table, self.log.keys, self.log.reader)
        self._bases = StreamBases(streams, StreamHeads(self.hot_streams))

    async def head(self) -> int:
        self._head = await self.log.reader.head(Head())
        return self._head.position

    async def read(self, after: int, limit: int) -> Sequence[LogEntry]:
        return await self.log.read(after, limit)

    async def store(self, entries: Sequence[LogEntry]) -> None:
        if self._head == Head():
            await self.head()
        for together in _transactions(entries):
            await self._stored(together)

    async def _stored(self, entries: Sequence[LogEntry]) -> None:
        self._refuse_out_of_place(entries[0])
        append, keys = Append([entry.event for entry in entries]), self.log.keys
        suspects: frozenset[str] = frozenset()
        while True:
            draft = await self._drafted(append, suspects)
            batch = await self._batch(entries, draft)
            block = keys.block_of(batch.first)
            opens_block = block != self._head.block
            sent = transaction(draft, batch, keys, self.log.table, opens_block=opens_block)
            wrong = await self._sent(sent)
            if not wrong:
                self._bases.remember(draft.moved)
                self._head = Head(batch.last, batch.ms, block)
                return
            # All of them together: reading one may push another out of memory.
            suspects |= wrong

    def _refuse_out_of_place(self, entry: LogEntry) -> None:
        if entry.position != self._head.position + 1:
            raise OutOfPlace(entry.position, f"the log ends at {self._head.position}")
        if milliseconds(entry.recorded_at) < self._head.ms:
            raise OutOfPlace(entry.position, "it was recorded before the one that precedes it")

    async def _drafted(self, append: Append, suspects: frozenset[str]) -> Draft:
        """Raises StreamConflict if the append does not continue its streams."""
        known = await self._bases.known([append], suspects)
        while True:
            draft = Draft(known.last)
            outcome = draft.add(append)
            if not isinstance(outcome, Failed):
                return draft
            doubtful = known.doubtful([append], [outcome])
            if not doubtful:
                raise outcome.error
            await known.read(doubtful)

    async def _batch(self, entries: Sequence[LogEntry], draft: Draft) -> Batch:
        ms = milliseconds(entries[0].recorded_at)
        batch = Batch(entries[0].position, len(entries), ms, new_batch_id(), b"")
        content = await packed(draft.placed, batch.where)
        if parts(content) <= min(MOST_PARTS, MOST_ACTIONS - draft.actions - 1):
            return evolve(batch, content=content)
        name = f"{self.log.identity.blobs}/{batch.batch_id.hex()}"
        return evolve(batch, blob=await self.log.payloads.stage(content, name))

    async def _sent(self, sent: Transaction) -> frozenset[str]:
        """The streams that are not where they were thought to be; none once it is stored."""
        attempts = BackingOff(PATIENCE)
        while True:
            try:
                await self.log.table.transact(
                    sent.actions, token=sent.token, deadline=attempts.left()
                )
            except Canceled as canceled:
                why = lost(canceled, sent)
                if not why.mine and not PASSING.issuperset(canceled.codes):
                    await self.log.payloads.drop(sent.batch.blob)
                    return _wrong_streams(why, sent)
                if not why.mine:
                    await attempts.pause(WHAT)
                    continue
            except NotApplied as error:
                raise Unavailable(WHAT, str(error)) from error
            except Undecided as error:
                await self._confirm(sent, error)
            return frozenset()

    async def _confirm(self, sent: Transaction, error: Undecided) -> None:
        """Once somebody holds the position, nobody else ever will."""
        if await self.log.reader.holder(sent.batch.first) != sent.batch.batch_id:
            raise OutcomeUnknown(WHAT, f"{error}; run the import again") from error


def _wrong_streams(why: Lost, sent: Transaction) -> frozenset[str]:
    if why.position or why.hopeless:
        said = "somebody else has written to the log meanwhile"
        raise OutOfPlace(sent.batch.first, said)
    return why.streams


def _transactions(entries: Sequence[LogEntry]) -> Iterator[list[LogEntry]]:
    """Entries of one moment that fit into one transaction."""
    for _, together in groupby(entries, key=attrgetter("recorded_at")):
        room, held = Room(), list[LogEntry]()
        for entry in together:
            one = Append([entry.event])
            if not room.takes(one):
                yield held
                room, held = Room(), []
                room.takes(one)
            held.append(entry)
        yield held
