"""Blobs in memory: the twin of the durable ones, for fast tests."""

from collections.abc import Sequence
from datetime import UTC, datetime

from attrs import field, frozen

from adapters.blobs.store import checked


@frozen
class MemoryBlobs:
    _held: dict[str, bytes] = field(factory=dict)
    _put_at: dict[str, datetime] = field(factory=dict)

    async def put(self, name: str, data: bytes) -> None:
        self._held[checked(name)] = data
        self._put_at[name] = datetime.now(UTC)

    async def get(self, name: str) -> bytes | None:
        return self._held.get(checked(name))

    async def part(self, name: str, start: int, length: int) -> bytes | None:
        held = self._held.get(checked(name))
        return None if held is None else held[start : start + length]

    async def delete(self, name: str) -> None:
        self._held.pop(checked(name), None)

    async def names(self, prefix: str = "", *, before: datetime | None = None) -> Sequence[str]:
        return sorted(
            name
            for name in self._held
            if name.startswith(prefix) and (before is None or self._put_at[name] < before)
        )
