"""Bytes inside an item, or in the blob store when an item would be too small for them (S2-11)."""

from typing import Any

from attrs import frozen

from adapters.blobs.store import BlobStore
from adapters.dynamodb.items.typed_values import binary, bytes_of, text, text_of
from adapters.dynamodb.log.packing import Damaged
from adapters.dynamodb.transport.transport import Item
from application.errors import TooMuch, Unavailable

LARGEST_INLINE = 350_000
_SETTING = "STATESTORE_BLOB_STORE, or DYNAMODB_BLOBS for the library"

_ASKED_FOR = "nothing"
"""A name under which there is nothing."""


@frozen
class Payloads:
    """`e` holds the bytes themselves, `blob` the name under which they are."""

    blobs: BlobStore | None = None

    async def check(self) -> None:
        """Raises Unavailable if there is a blob store, and it cannot be asked."""
        if self.blobs is not None:
            await self.blobs.get(_ASKED_FOR)

    async def put(self, data: bytes, name: str) -> dict[str, Any]:
        """The attribute for an item; the name is used if the bytes go elsewhere."""
        if len(data) <= LARGEST_INLINE:
            return {"e": binary(data)}
        return {"blob": text(await self.stage(data, name))}

    async def stage(self, data: bytes, name: str) -> str:
        """Keep the bytes in the blob store.

        Raises:
            TooMuch: There is none.
            Unavailable: It does not answer.
        """
        if self.blobs is None:
            raise TooMuch(f"{len(data)} bytes", f"no blob store is set ({_SETTING})")
        await self.blobs.put(name, data)
        return name

    async def of(self, item: Item) -> bytes:
        return await self.fetch(text_of(item, "blob")) if "blob" in item else bytes_of(item, "e")

    async def fetch(self, name: str) -> bytes:
        """Raises Damaged if the blob is gone."""
        if self.blobs is None:
            said = f"none is set ({_SETTING}), and {name} must be read from it"
            raise Unavailable("the blob store", said)
        found = await self.blobs.get(name)
        if found is None:
            raise Damaged(name, "the blob is missing, and the table refers to it")
        return found

    async def drop(self, name: str | None) -> None:
        if self.blobs is not None and name is not None:
            await self.blobs.delete(name)
