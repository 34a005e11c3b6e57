"""
The latest state of streams, as items of the log's table.

    N#<app>#latest:<kind>#<stream>   0   version, schema, generation, e or blob: the state
    N#<app>                          0   generation

Throwing all of them away is one write: those of an earlier generation do not count.
"""

import asyncio
import hashlib
import zlib
from contextlib import suppress

from attrs import define, field

from adapters.dynamodb.items.item_table import surroundings
from adapters.dynamodb.items.typed_values import Key, int_of, number, text_of
from adapters.dynamodb.log.log import DynamoLog
from adapters.dynamodb.log.packing import Damaged
from adapters.dynamodb.transport.transport import Item, Operation
from adapters.eventstore.snapshots import Snapshot
from application.errors import TooMuch, Unavailable

_NOT_NEWER = (
    "attribute_not_exists(PK) OR generation < :generation "
    "OR (generation = :generation AND version <= :version)"
)


@define
class DynamoSnapshots:
    """Belongs to the event loop of its log."""

    log: DynamoLog
    _keeping: set[asyncio.Task[None]] = field(factory=set)

    async def latest(self, stream: str, kind: str) -> Snapshot | None:
        item, generation = await asyncio.gather(
            # An old one will do: the stream is folded on from it.
            self.log.table.get(self._key(stream, kind), strong=False),
            self._generation_now(),
        )
        if item is None or int_of(item, "generation") != generation:
            return None
        # A hint that cannot be read is none: the stream is folded from its beginning.
        with suppress(Damaged, Unavailable, zlib.error):
            data = zlib.decompress(await self.log.payloads.of(item))
            return Snapshot(stream, kind, int_of(item, "schema"), int_of(item, "version"), data)
        return None

    def keep(self, snapshot: Snapshot) -> None:
        # Nobody waits for it: a snapshot that fails to be stored is only missing.
        task = asyncio.get_running_loop().create_task(self._keep_quietly(snapshot))
        self._keeping.add(task)
        task.add_done_callback(self._keeping.discard)

    async def clear(self) -> None:
        await self.settle()
        add = {
            "TableName": self.log.table.name,
            "Key": self._all.item(),
            "UpdateExpression": "ADD generation :one",
            "ExpressionAttributeValues": {":one": number(1)},
        }
        with surroundings("the snapshots"):
            await self.log.table.transport.call(Operation.UPDATE_ITEM, add)

    async def settle(self) -> None:
        """Wait for what is being kept."""
        while self._keeping:
            await asyncio.wait(self._keeping)

    async def _keep_quietly(self, snapshot: Snapshot) -> None:
        # Among others: the condition failed, because a newer one is there.
        with suppress(TooMuch, Unavailable):
            await self._keep(snapshot)

    async def _keep(self, snapshot: Snapshot) -> None:
        # Asked each time: another process may have thrown all of them away.
        generation = await self._generation_now()
        payload = await self.log.payloads.put(zlib.compress(snapshot.data), self._blob(snapshot))
        item = {
            **self._key(snapshot.stream, snapshot.kind).item(),
            "schema": number(snapshot.schema),
            "version": number(snapshot.version),
            "generation": number(generation),
            **payload,
        }
        put = {
            "TableName": self.log.table.name,
            "Item": item,
            "ConditionExpression": _NOT_NEWER,
            "ExpressionAttributeValues": {
                ":generation": number(generation),
                ":version": number(snapshot.version),
            },
            "ReturnValues": "ALL_OLD",
        }
        with surroundings("the snapshots"):
            answer = await self.log.table.transport.call(Operation.PUT_ITEM, put)
        await self._drop(answer.get("Attributes", {}), item)

    async def _drop(self, before: Item, now: Item) -> None:
        """The state before may have been in a blob."""
        if "blob" in before and before["blob"] != now.get("blob"):
            await self.log.payloads.drop(text_of(before, "blob"))

    async def _generation_now(self) -> int:
        item = await self.log.table.get(self._all)
        return 0 if item is None else int_of(item, "generation")

    @property
    def _all(self) -> Key:
        return Key(f"N#{self.log.keys.app}", 0)

    def _key(self, stream: str, kind: str) -> Key:
        return Key(self.log.keys.snapshots(f"latest:{kind}", stream), 0)

    def _blob(self, snapshot: Snapshot) -> str:
        whose = hashlib.sha256(f"{snapshot.kind}\n{snapshot.stream}".encode()).hexdigest()
        return f"snapshots/{self.log.identity.log_id}/{whose}-{snapshot.version}"
