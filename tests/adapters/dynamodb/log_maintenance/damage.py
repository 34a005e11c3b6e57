"""Damage done by hand to the items of a log, as no program of ours would do it."""

from collections.abc import Callable
from typing import Any

from attrs import evolve, frozen

from adapters.dynamodb.items.scanning import scan
from adapters.dynamodb.items.typed_values import Key, binary, bytes_of, number
from adapters.dynamodb.log.batches import Batch
from adapters.dynamodb.log.log import DynamoLog
from adapters.dynamodb.log.packing import Placed, pack
from adapters.dynamodb.log.spans import read_span, span_item
from adapters.dynamodb.transport.transport import Item, Operation
from adapters.eventstore.log import NewEvent


@frozen
class Vandal:
    """Reads and writes the items of a log past every rule."""

    log: DynamoLog

    async def get(self, key: Key) -> Item:
        found = await self.log.table.get(key)
        assert found, f"nothing lies at {key}"
        return found

    async def put(self, item: Item) -> None:
        await self._call(Operation.PUT_ITEM, Item=item)

    async def delete(self, key: Key) -> None:
        await self.get(key)
        await self._call(Operation.DELETE_ITEM, Key=key.item())

    async def change(self, key: Key, **attributes: Any) -> None:
        await self.put({**await self.get(key), **attributes})

    async def leave_out(self, key: Key, attribute: str) -> None:
        item = dict(await self.get(key))
        del item[attribute]
        await self.put(item)

    async def change_byte(self, key: Key, at: int = -1) -> None:
        stored = bytearray(bytes_of(await self.get(key), "e"))
        stored[at] ^= 1
        await self.change(key, e=binary(bytes(stored)))

    async def span(self, stream: str, sk: int, *, last: int, batch: int) -> None:
        """A span that points into the log."""
        key = self.log.keys.span(stream, sk)
        await self.put({**key.item(), "last": number(last), "p": number(batch)})

    async def forge_span(self, stream: str, sk: int) -> None:
        """A span that is sound in itself, and holds other events than its batch."""
        key = self.log.keys.span(stream, sk)
        span = read_span(await self.get(key))
        placed = [
            Placed(entry.position - span.batch, evolve(entry.event, data=b"forged"))
            for entry in span.entries(stream)
        ]
        await self.put(span_item(key, stream, placed, batch=span.batch, ms=span.ms))

    async def rewrite(self, first: int, change: Callable[[NewEvent], NewEvent]) -> None:
        """Another batch at the same place, sound in itself."""
        batch = await self._batch(first)
        placed = [
            Placed(e.position - first, change(e.event))
            for e in await self.log.reader.entries(batch)
        ]
        await self._store(batch, placed)

    async def date_back(self, first: int) -> None:
        batch = await self._batch(first)
        placed = [Placed(e.position - first, e.event) for e in await self.log.reader.entries(batch)]
        await self._store(evolve(batch, ms=batch.ms - 1_000), placed)

    async def insert(self, first: int, *events: NewEvent) -> None:
        """A batch where no batch can begin."""
        placed = [Placed(offset, event) for offset, event in enumerate(events)]
        ms = (await self._batch(1)).ms
        await self._store(Batch(first, len(events), ms, b"vandal", b""), placed)

    async def items(self) -> list[Item]:
        """All of the table's items."""
        found = [item async for page in scan(self.log.table) for item in page]
        return sorted(found, key=lambda item: (item["PK"]["S"], float(item["SK"]["N"])))

    async def _batch(self, first: int) -> Batch:
        batch = await self.log.reader.batch(first)
        assert batch
        return batch

    async def _store(self, batch: Batch, placed: list[Placed]) -> None:
        for item in evolve(batch, content=pack(placed, batch.where)).items(self.log.keys):
            await self.put(item)

    async def _call(self, operation: Operation, **request: Any) -> None:
        table = self.log.table
        await table.transport.call(operation, {"TableName": table.name, **request})
