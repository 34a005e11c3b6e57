"""
Rows that do not fit an item lie in the blob store, and the item says where (S0-022).

    PK  SK  position  ttl  <index attributes>  blob
                                               rows/<table>/<hash of the key>/<position>

Keys, indexes, conditions and expiry work as with any other item. A row with a number that DynamoDB
has not, but small enough, lies in the item as JSON (`json`). A blob is never changed: an item at a
later position refers to another one.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import orjson
from attrs import frozen

from adapters.blobs.store import BlobStore
from adapters.dynamodb.items.item_sizes import item_size
from adapters.dynamodb.items.typed_values import binary, bytes_of, text, text_of
from adapters.dynamodb.log.payloads import Payloads
from adapters.dynamodb.rows.row_items import POSITION, Unfit, row_item, row_of
from adapters.dynamodb.transport.transport import Item
from adapters.row_layouts.catalogue import PK, SK, Table
from adapters.row_layouts.engine import Row
from application.errors import TooMuch, Unavailable

LARGEST_ITEM = 400_000
"""Bytes, by DynamoDB's counting; it takes 409,600."""

_BLOB, _JSON = "blob", "json"


@frozen
class LargeRows:
    blobs: BlobStore | None = None

    async def item(self, table: Table, row: Row, physical: str) -> Item:
        """The row as an item that fits.

        Raises:
            Unavailable: It fits no item, and there is no blob store, or it does not answer.
        """
        try:
            whole = row_item(row)
        except Unfit:
            return await self._elsewhere(table, row, physical)
        # JSON is never shorter than what DynamoDB counts, and its length is quickly known.
        if len(orjson.dumps(whole)) <= LARGEST_ITEM or item_size(whole) <= LARGEST_ITEM:
            return whole
        return await self._elsewhere(table, row, physical)

    async def row(self, item: Item) -> Row:
        """The whole row.

        Raises:
            Damaged: Its blob is gone.
        """
        if _BLOB in item:
            return _loaded(await Payloads(self.blobs).fetch(text_of(item, _BLOB)))
        return _loaded(bytes_of(item, _JSON)) if _JSON in item else row_of(item)

    def beside(self, item: Item) -> Row:
        """What an item says itself of a row that it does not hold in attributes."""
        if _BLOB not in item and _JSON not in item:
            return {}
        return row_of({name: item[name] for name in item if name not in (_BLOB, _JSON)})

    async def forget(self, physical: str) -> None:
        """Drop the blobs of a table that is gone."""
        if self.blobs is not None:
            for name in await self.blobs.names(f"rows/{physical}/"):
                await self.blobs.delete(name)

    async def _elsewhere(self, table: Table, row: Row, physical: str) -> Item:
        stub, content = row_item(_stub(table, row)), orjson.dumps(row)
        if len(content) <= LARGEST_ITEM - item_size(stub) - len(_JSON):
            return {**stub, _JSON: binary(content)}
        try:
            name = await Payloads(self.blobs).stage(content, _name(row, physical))
        except TooMuch as error:
            # Its fact is stored: the projection waits until there is a place for the row.
            raise Unavailable(error.what, error.reason) from error
        return {**stub, _BLOB: text(name)}


def _stub(table: Table, row: Row) -> Mapping[str, Any]:
    """What DynamoDB itself needs of a row."""
    indexed = [name for index in table.indexes for name in (index.hash, index.range)]
    needed = (PK, SK, POSITION, *indexed, *([table.ttl] if table.ttl else ()))
    return {name: row[name] for name in needed if name in row}


def _name(row: Row, physical: str) -> str:
    key = sha256(f"{row[PK]}\0{row[SK]}".encode()).hexdigest()
    return f"rows/{physical}/{key}/{row[POSITION]}"


def _loaded(content: bytes) -> Row:
    row: Row = orjson.loads(content)
    return row
