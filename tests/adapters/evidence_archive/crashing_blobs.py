"""A blob store whose process dies at a chosen step."""

from collections.abc import Sequence
from datetime import datetime

from attrs import define

from adapters.blobs.store import BlobStore


class Died(Exception):
    """Nothing more is heard of the process."""


@define
class MortalBlobs:
    """Dies before or after so many puts and deletes."""

    blobs: BlobStore
    steps: int
    after: bool = False
    is_dead: bool = False

    async def put(self, name: str, data: bytes) -> None:
        self._step()
        await self.blobs.put(name, data)
        self._stepped()

    async def get(self, name: str) -> bytes | None:
        self._alive()
        return await self.blobs.get(name)

    async def part(self, name: str, start: int, length: int) -> bytes | None:
        self._alive()
        return await self.blobs.part(name, start, length)

    async def delete(self, name: str) -> None:
        self._step()
        await self.blobs.delete(name)
        self._stepped()

    async def names(self, prefix: str = "", *, before: datetime | None = None) -> Sequence[str]:
        self._alive()
        return await self.blobs.names(prefix, before=before)

    def _step(self) -> None:
        self._alive()
        self.steps -= 1
        if self.steps < 0 and not self.after:
            self.is_dead = True
            raise Died

    def _stepped(self) -> None:
        if self.steps < 0 and self.after:
            self.is_dead = True
            raise Died

    def _alive(self) -> None:
        if self.is_dead:
            raise Died
