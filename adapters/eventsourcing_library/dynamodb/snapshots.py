"""Snapshots of aggregates: any version, each stored once."""

from collections import Counter
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from eventsourcing.persistence import AggregateRecorder, IntegrityError, StoredEvent

from adapters.dynamodb.items.item_sizes import item_size
from adapters.dynamodb.log.companions import Companion
from adapters.dynamodb.log.draft import MOST_ACTIONS
from adapters.dynamodb.log_reading.stream_reader import Wanted
from adapters.dynamodb.log_records.snapshot_items import SnapshotItems, Sparse
from adapters.dynamodb.retry.transactions import store_all
from adapters.dynamodb.transport.loop_thread import LoopThread
from adapters.eventsourcing_library.shared.translation import (
    OriginatorIdType,
    library_errors,
    originator_id,
)

MOST_BYTES = 3_500_000
"""Of a transaction, which may hold 4 MB."""


class DynamoSnapshotRecorder(AggregateRecorder):
    """Stores snapshots; versions may be sparse, duplicates are refused.

    More of them than a transaction holds are stored by several, one after the other: when one is
    refused, those before it stay. They are hints, and sound each by itself.
    """

    def __init__(self, items: SnapshotItems, thread: LoopThread, ids: OriginatorIdType) -> None:
        self._items = items
        self._thread = thread
        self._ids: OriginatorIdType = ids

    def insert_events(
        self, stored_events: Sequence[StoredEvent], **kwargs: Any
    ) -> Sequence[int] | None:
        if stored_events:
            with library_errors():
                self._thread.run(self._insert(stored_events))
        return None

    async def _insert(self, stored_events: Sequence[StoredEvent]) -> None:
        _refuse_twice(stored_events)
        together: list[Companion] = []
        for stored in stored_events:
            put = await self._put(stored)
            if not _fit([*together, put]):
                await store_all(self._items.table, together)
                together = []
            together.append(put)
        await store_all(self._items.table, together)

    async def _put(self, stored: StoredEvent) -> Companion:
        stream, version = str(stored.originator_id), stored.originator_version
        item = await self._items.item(Sparse(stream, version, stored.topic, stored.state))
        return Companion(self._items.table.put_if_absent(item), lambda: _stored(stream, version))

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        wanted = Wanted(-1 if gt is None else gt, lte, limit, desc)
        with library_errors():
            found = self._thread.run(self._items.read(str(originator_id), wanted))
        return [self._stored(one) for one in found]

    def _stored(self, one: Sparse) -> StoredEvent:
        return StoredEvent(originator_id(one.stream, self._ids), one.version, one.name, one.data)


def _fit(puts: Sequence[Companion]) -> bool:
    """Whether a transaction holds them."""
    size = sum(item_size(put.action["Put"]["Item"]) for put in puts)
    return len(puts) <= MOST_ACTIONS and size <= MOST_BYTES


def _refuse_twice(stored_events: Sequence[StoredEvent]) -> None:
    """DynamoDB takes an item that is twice in a transaction for a mistake, not for a conflict."""
    keys = Counter((str(one.originator_id), one.originator_version) for one in stored_events)
    (key, times), *_ = keys.most_common(1)
    if times > 1:
        raise _stored(*key)


def _stored(stream: str, version: int) -> IntegrityError:
    return IntegrityError(f"a snapshot of {stream} at {version} is already stored")
