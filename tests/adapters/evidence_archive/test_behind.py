"""Whoever brings evidence does not wait for the sorting of what came before."""

import asyncio
from typing import Any

from attrs import define, field

from adapters.memory.blobs import MemoryBlobs
from tests.adapters.evidence_archive.archives import over
from tests.adapters.evidence_archive.samples import evidence

MANY = 40
"""More than the archive asks of its blobs at once."""


@define
class SlowToDelete:
    """Nothing is deleted before it is let."""

    inner: MemoryBlobs = field(factory=MemoryBlobs)
    begun: asyncio.Event = field(factory=asyncio.Event)
    gate: asyncio.Event = field(factory=asyncio.Event)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def delete(self, name: str) -> None:
        self.begun.set()
        await self.gate.wait()
        await self.inner.delete(name)


def test_evidence_is_kept_and_read_while_many_batches_are_deleted() -> None:
    async def scene() -> None:
        blobs: Any = SlowToDelete()
        archive = over(blobs)
        names = [await archive.keep([evidence(n)]) for n in range(MANY)]
        sorting = asyncio.create_task(archive.compact(names))
        await blobs.begun.wait()
        later = evidence(MANY)
        async with asyncio.timeout(60):
            await archive.keep([later])
            assert await archive.named([later.evidence_id]) == {later.evidence_id: later}
        assert not sorting.done()
        blobs.gate.set()
        await sorting
        assert len(await archive.batches()) == 1

    asyncio.run(scene())
