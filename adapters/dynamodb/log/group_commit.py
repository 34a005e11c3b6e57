"""
Storing a group of appends in one transaction.

A conflict fails only its own append. Nothing is believed of what is remembered here: conditions in
the transaction check it, and what fails them is read again.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from attrs import define, evolve, field, frozen

from adapters.dynamodb.log.batches import MOST_PARTS, Batch, parts
from adapters.dynamodb.log.companions import Companion
from adapters.dynamodb.log.draft import MOST_ACTIONS, Draft, Place
from adapters.dynamodb.log.packing import packed
from adapters.dynamodb.log.stream_bases import StreamBases
from adapters.dynamodb.log.tail import LogEnd
from adapters.dynamodb.log.transaction import Transaction, lost, transaction
from adapters.dynamodb.log.turns import Turns
from adapters.dynamodb.log.uncontended_streams import OwnRun
from adapters.dynamodb.log_reading.log_reader import Head, LogReader
from adapters.dynamodb.retry.backoff import BackingOff
from adapters.dynamodb.transport.errors import Canceled, NotApplied
from adapters.dynamodb.transport.errors import OutcomeUnknown as Undecided
from adapters.eventstore.appending.write_outcomes import Failed, Waiting
from adapters.eventstore.log import Append, Receipt
from adapters.eventstore.milliseconds import milliseconds, moment
from application.errors import OutcomeUnknown, Unavailable

WHAT = "the event log"


@frozen
class Queued:
    """An append that waits. One with companions gets a transaction of its own."""

    append: Append
    waiting: Waiting
    companions: Sequence[Companion] = ()
    since: float = field(factory=time.monotonic)


@frozen
class Drafted:
    """A draft, and for each append of the group its place or why it has none."""

    draft: Draft
    outcomes: Sequence[Place | Failed]

    def told(self, batch: Batch) -> list[Receipt | Failed]:
        at = moment(batch.ms)
        return [
            one
            if isinstance(one, Failed)
            else Receipt(batch.first + one.offset, batch.first + one.offset + one.n - 1, at)
            for one in self.outcomes
        ]

    @property
    def conflicts(self) -> list[Receipt | Failed]:
        return [one for one in self.outcomes if isinstance(one, Failed)]


@define
class GroupStore:
    _reader: LogReader
    _bases: StreamBases
    _run: OwnRun
    _end: LogEnd
    _turns: Turns
    _now: Callable[[], datetime]
    _new_id: Callable[[], bytes]
    _patience: float
    _stage_under: str
    """The beginning of the names of blobs."""

    async def stored(self, group: Sequence[Queued]) -> list[Receipt | Failed]:
        """Try until every append of the group is stored or refused.

        Raises:
            Unavailable: DynamoDB refused, or the time was up; nothing was stored.
            OutcomeUnknown: It may or may not have been stored.
        """
        attempts = BackingOff(self._patience)
        appends = [one.append for one in group]
        companions = [companion for one in group for companion in one.companions]
        suspects: frozenset[str] = frozenset()
        while True:
            drafted = await self._drafted(appends, suspects)
            if not drafted.draft.placed:
                return drafted.conflicts
            sent = await self._transaction(drafted.draft, companions)
            try:
                if await self._sent(sent, deadline=attempts.left()):
                    self._keep(sent, drafted.draft)
                    return drafted.told(sent.batch)
            except Canceled as canceled:
                suspects |= await self._learned(canceled, sent)
            await self._reader.payloads.drop(sent.batch.blob)
            await attempts.pause(WHAT)

    async def _sent(self, sent: Transaction, *, deadline: float) -> bool:
        """Whether the transaction was stored; False if somebody else has taken its position."""
        try:
            await self._reader.table.transact(sent.actions, token=sent.token, deadline=deadline)
        except Canceled as canceled:
            if lost(canceled, sent).mine:
                return True
            raise
        except NotApplied as error:
            raise Unavailable(WHAT, str(error)) from error
        except Undecided as error:
            return await self._decided(sent, error)
        return True

    async def _decided(self, sent: Transaction, error: Undecided) -> bool:
        """Find out by the batch's id: once somebody holds the position, nobody else ever will."""
        try:
            holder = await self._reader.holder(sent.batch.first)
        except Unavailable as unreachable:
            raise OutcomeUnknown(WHAT, str(unreachable)) from error
        if holder is None:
            raise OutcomeUnknown(WHAT, str(error)) from error
        if holder != sent.batch.batch_id:
            await self._end.refresh()
        return holder == sent.batch.batch_id

    async def _learned(self, canceled: Canceled, sent: Transaction) -> frozenset[str]:
        """Forget what turned out to be wrong; the streams to read again."""
        why = lost(canceled, sent)
        if why.hopeless:
            raise Unavailable(WHAT, str(canceled)) from canceled
        if why.companions:
            raise why.companions[0].refusal()
        if why.position or why.in_the_way:
            # Racing those who take turns would be lost again and again.
            self._turns.met_others()
            await self._turns.come()
            # Whoever was only in the way has most likely taken the position by now.
            await self._end.refresh()
        return why.streams

    def _keep(self, sent: Transaction, draft: Draft) -> None:
        self._bases.remember(draft.moved)
        self._run.went_on(draft, sent.batch.last)
        block = self._reader.keys.block_of(sent.batch.first)
        self._end.moved(Head(sent.batch.last, sent.batch.ms, block))

    # Working it out.

    async def _drafted(self, group: Sequence[Append], suspects: Iterable[str]) -> Drafted:
        """A draft in which no append is refused on the strength of what was only remembered."""
        known = await self._bases.known(group, suspects)
        while True:
            draft = Draft(known.last)
            outcomes = [draft.add(append) for append in group]
            doubtful = known.doubtful(group, outcomes)
            if not doubtful:
                return Drafted(draft, outcomes)
            await known.read(doubtful)

    async def _transaction(self, draft: Draft, companions: Sequence[Companion]) -> Transaction:
        head = await self._end.known()
        keys = self._reader.keys
        batch = await self._batch(draft, head, MOST_ACTIONS - draft.actions - len(companions))
        return transaction(
            draft,
            batch,
            keys,
            self._reader.table,
            unmoved=self._run.vouches_for(draft, head.position),
            opens_block=keys.block_of(batch.first) != head.block,
            companions=companions,
        )

    async def _batch(self, draft: Draft, head: Head, actions_left: int) -> Batch:
        ms = max(head.ms, milliseconds(self._now()))
        batch = Batch(head.position + 1, len(draft.placed), ms, self._new_id(), b"")
        content = await packed(draft.placed, batch.where)
        if parts(content) <= min(MOST_PARTS, actions_left - 1):
            return evolve(batch, content=content)
        name = f"{self._stage_under}/{batch.batch_id.hex()}"
        return evolve(batch, blob=await self._reader.payloads.stage(content, name))
