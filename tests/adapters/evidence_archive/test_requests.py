"""How often S3 is asked: every request costs money and some twenty milliseconds."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from attrs import define, field

from adapters.blobs.s3 import S3Blobs
from application.evidence.archive import EvidenceAsked
from application.reads.paging import PageRequest
from tests.adapters.blobs.stores import s3
from tests.adapters.evidence_archive.archives import over
from tests.adapters.evidence_archive.samples import ORDERS, START, evidence, evidence_id

HOUR = timedelta(hours=1)
KEPT = [evidence(n, created=HOUR * (n % 2)) for n in range(400)]


@define
class Requests:
    blobs: S3Blobs
    _asked: Counter[str] = field(factory=Counter)

    def note(self, model: Any, **_: object) -> None:
        self._asked[model.name] += 1

    def since_last(self) -> dict[str, int]:
        told, self._asked = dict(self._asked), Counter()
        return told


@pytest.fixture
def requests(tmp_path: Path) -> Iterator[Requests]:
    made = Requests(s3(tmp_path))
    events = made.blobs.client.meta.events
    events.register("before-call.s3", made.note)
    yield made
    events.unregister("before-call.s3", made.note)


def test_keeping_is_one_request(requests: Requests) -> None:
    asyncio.run(over(requests.blobs).keep(KEPT))
    assert requests.since_last() == {"PutObject": 1}


def test_an_id_of_a_batch_is_two_listings_and_a_part(requests: Requests) -> None:
    async def scene() -> None:
        archive = over(requests.blobs)
        await archive.keep(KEPT)
        requests.since_last()
        # What batches and runs there are; the second time nobody knows of a run of the hour.
        await archive.named([evidence_id(1)])
        assert requests.since_last() == {"ListObjectsV2": 3, "GetObject": 1}
        await archive.named([evidence_id(2)])
        assert requests.since_last() == {"ListObjectsV2": 2}

    asyncio.run(scene())


def test_an_id_of_a_segment_is_one_part_once_its_hour_was_read(requests: Requests) -> None:
    async def scene() -> None:
        writer, reader = over(requests.blobs), over(requests.blobs, "p2")
        await writer.compact([await writer.keep(KEPT)])
        requests.since_last()
        # Run and segment: the listing, the index and the block of each.
        await reader.named([evidence_id(1)])
        assert requests.since_last() == {"ListObjectsV2": 2, "GetObject": 4}
        await reader.named([evidence_id(3)])
        assert requests.since_last() == {"GetObject": 1}
        await reader.named([evidence_id(n) for n in range(1, 400, 2)])
        blocks = requests.since_last()
        assert blocks.keys() == {"GetObject"}
        assert blocks["GetObject"] < 5

    asyncio.run(scene())


def test_a_page_reads_only_the_hours_that_are_asked_about(requests: Requests) -> None:
    async def scene() -> None:
        writer, reader = over(requests.blobs), over(requests.blobs, "p2")
        await writer.compact([await writer.keep(KEPT)])
        requests.since_last()
        page = await reader.of_dataset(
            EvidenceAsked(ORDERS, START, START + HOUR), PageRequest(size=10)
        )
        assert len(page.items) == 10
        assert requests.since_last() == {"ListObjectsV2": 2, "GetObject": 2}

    asyncio.run(scene())
