"""How many objects there are of an hour."""

import asyncio
from datetime import timedelta

from adapters.memory.blobs import MemoryBlobs
from tests.adapters.evidence_archive.archives import over
from tests.adapters.evidence_archive.contents import listed
from tests.adapters.evidence_archive.samples import ORDERS, evidence

HOUR, SECOND = timedelta(hours=1), timedelta(seconds=1)


def test_an_hour_has_few_objects_and_in_the_end_one() -> None:
    async def scene() -> None:
        blobs = MemoryBlobs()
        archive = over(blobs, fan_in=4)
        for n in range(62):
            await archive.compact([await archive.keep([evidence(n, created=SECOND * n)])])
            assert len(await blobs.names("segments/")) <= 9
            assert len(await blobs.names("ids/")) <= 9
        assert len(await blobs.names("segments/")) == 3 + 3 + 2
        later = [evidence(100 + n, created=2 * HOUR, made=2 * HOUR) for n in range(2)]
        await archive.compact([await archive.keep(later)])
        assert len(await blobs.names("segments/")) == 2
        assert len(await blobs.names("ids/")) == 2
        assert len(await listed(archive, ORDERS)) == 64

    asyncio.run(scene())
