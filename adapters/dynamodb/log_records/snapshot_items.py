"""
Snapshots as items: of any version, apart for each purpose.

    N#<app>#<purpose>#<stream>   version   name, e or blob: the state, compressed
"""

import uuid
import zlib

from attrs import frozen

from adapters.dynamodb.items.item_table import LARGEST_KEY, ItemTable, Range
from adapters.dynamodb.items.typed_values import Key, int_of, text, text_of
from adapters.dynamodb.log.keys import Keys
from adapters.dynamodb.log.payloads import Payloads
from adapters.dynamodb.log_reading.stream_reader import Wanted
from adapters.dynamodb.transport.transport import Item
from adapters.row_layouts.catalogue import SK

PAGE = 100


@frozen
class Sparse:
    """Something kept of a stream at one of its versions."""

    stream: str
    version: int
    name: str
    data: bytes


@frozen
class SnapshotItems:
    table: ItemTable
    keys: Keys
    payloads: Payloads
    purpose: str

    async def item(self, one: Sparse) -> Item:
        key = Key(self.keys.snapshots(self.purpose, one.stream), one.version)
        # A name of its own each time: what is refused in the end has replaced nothing.
        name = f"snapshots/{uuid.uuid4().hex}"
        payload = await self.payloads.put(zlib.compress(one.data), name)
        return {**key.item(), "name": text(one.name), **payload}

    async def read(self, stream: str, wanted: Wanted) -> list[Sparse]:
        found: list[Sparse] = []
        if wanted.limit == 0:
            return found
        last = LARGEST_KEY if wanted.upto is None else wanted.upto
        span = Range(wanted.after + 1, last, wanted.newest_first)
        if span.first > span.last:
            return found
        pk = self.keys.snapshots(self.purpose, stream)
        async for page in self.table.pages(pk, span, limit=min(wanted.limit or PAGE, PAGE)):
            found += [await self._read(stream, item) for item in page]
            if wanted.limit is not None and len(found) >= wanted.limit:
                break
        return found[: wanted.limit]

    async def _read(self, stream: str, item: Item) -> Sparse:
        data = zlib.decompress(await self.payloads.of(item))
        return Sparse(stream, int_of(item, SK), text_of(item, "name"), data)
