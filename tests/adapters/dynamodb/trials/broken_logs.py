"""
Logs that are wrong in one way each: a checker that does not find them out proves nothing.

Each is the real log with one part replaced.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import Any

from attrs import define, evolve, field, fields, frozen

from adapters.dynamodb.items.item_table import Range
from adapters.dynamodb.items.typed_values import bytes_of
from adapters.dynamodb.log.batches import Batch, whole_batches
from adapters.dynamodb.log.draft import Draft
from adapters.dynamodb.log.group_commit import GroupStore
from adapters.dynamodb.log.log import DynamoLog, Opened
from adapters.dynamodb.log.transaction import Transaction
from adapters.dynamodb.log.uncontended_streams import OwnRun
from adapters.dynamodb.log_reading.log_reader import LogReader
from adapters.dynamodb.log_reading.stream_reader import StreamReader
from adapters.dynamodb.transport.errors import DynamoError
from adapters.dynamodb.transport.transport import Operation, Transport
from adapters.eventstore.appending.stream_heads import StreamHeads
from tests.adapters.dynamodb.support.fast_retries import usual_layers

# Fresh tokens for every send, and no look whose batch it is that is in the way.


@define
class FreshTokens:
    inner: Transport
    dice: Random

    async def call(
        self, operation: Operation, request: Mapping[str, Any], *, deadline: float | None = None
    ) -> dict[str, Any]:
        if operation is Operation.TRANSACT_WRITE_ITEMS:
            request = {**request, "ClientRequestToken": self.dice.randbytes(16).hex()}
        return await self.inner.call(operation, request, deadline=deadline)

    async def close(self) -> None:
        await self.inner.close()


def fresh_tokens(sends_once: Transport, dice: Random) -> Transport:
    return usual_layers(FreshTokens(sends_once, dice), dice)


class Unconfirming(GroupStore):
    async def _sent(self, sent: Transaction, *, deadline: float) -> bool:
        nobodys = evolve(sent, batch=evolve(sent.batch, batch_id=b"nobody's"))
        return await super()._sent(nobodys, deadline=deadline)


def unconfirming(log: DynamoLog) -> None:
    stores_by(log, Unconfirming)


# Versions of streams that were read long ago.


@frozen
class Outdated(StreamReader):
    _once: dict[str, int | None] = field(factory=dict)

    async def last_version(self, stream: str) -> int | None:
        if stream not in self._once:
            self._once[stream] = await super().last_version(stream)
        return self._once[stream]


def outdated(log: DynamoLog) -> None:
    opened = opened_of(log)
    reader = Outdated(log.table, log.keys, opened.reader)
    opened.writer._store._bases.reader = reader


# Guards that are taken to hold whoever wrote since.


class Endless(OwnRun):
    def vouches_for(self, draft: Draft, head: int) -> set[str]:
        self._ends_at = head
        return super().vouches_for(draft, head)


def endless(log: DynamoLog) -> None:
    opened_of(log).writer._store._run = Endless(StreamHeads(1_000))


# Spans that are written after the transaction.


class SpansApart(GroupStore):
    async def _transaction(self, *given: Any) -> Transaction:
        whole = await super()._transaction(*given)
        self.spans = [action["Put"] for action in whole.actions if is_span(action)]
        kept = [
            (action, subject)
            for action, subject in zip(whole.actions, whole.subjects, strict=True)
            if not is_span(action)
        ]
        return Transaction(whole.batch, [one for one, _ in kept], [about for _, about in kept])

    async def _sent(self, sent: Transaction, *, deadline: float) -> bool:
        stored = await super()._sent(sent, deadline=deadline)
        for span in self.spans if stored else ():
            with suppress(DynamoError):
                await self._reader.table.transport.call(Operation.PUT_ITEM, span)
        return stored


def is_span(action: Mapping[str, Any]) -> bool:
    return "Put" in action and action["Put"]["Item"]["PK"]["S"].startswith("S#")


def spans_apart(log: DynamoLog) -> None:
    stores_by(log, SpansApart)


# Readers that take what they see for everything there is.


@frozen
class Careless(LogReader):
    async def _from(self, first: int, items: int) -> Sequence[Batch]:
        pk = self.keys.block(self.keys.block_of(first))
        async for page in self.table.pages(pk, Range(first=first), limit=items):
            found = list(whole_batches(page))
            return found if found and found[0].first == first else ()
        return ()


def careless(log: DynamoLog) -> None:
    log._opened = evolve(opened_of(log), reader=Careless(log.table, log.keys, log.payloads))


# Unknown outcomes that are resolved by a Query, which may show the batch before the spans.


@frozen
class ResolvesByQuery(LogReader):
    async def holder(self, first: int) -> bytes | None:
        item = await self.table.newest(self.keys.block(self.keys.block_of(first)), first)
        ours = item is not None and int(item["SK"]["N"]) == first
        return bytes_of(item, "id") if item is not None and ours else None


def resolves_by_query(log: DynamoLog) -> None:
    opened_of(log).writer._store._reader = ResolvesByQuery(log.table, log.keys, log.payloads)


def stores_by(log: DynamoLog, kind: type[GroupStore]) -> None:
    writer = opened_of(log).writer
    parts = {str(one.alias): getattr(writer._store, one.name) for one in fields(GroupStore)}
    writer._store = kind(**parts)


def opened_of(log: DynamoLog) -> Opened:
    return log._parts
