"""All that an archive shows, by every way of asking."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta

from application.evidence.archive import EvidenceArchive, EvidenceAsked
from application.reads.paging import Cursor, PageRequest
from domain.evidence.evidence import Evidence
from domain.ids import DatasetUrn, EvidenceId
from tests.adapters.evidence_archive.samples import START

ALWAYS = (START - timedelta(days=400), START + timedelta(days=400))


async def listed(
    archive: EvidenceArchive,
    dataset: DatasetUrn,
    span: tuple[datetime, datetime] = ALWAYS,
    size: int = 7,
) -> Sequence[Evidence]:
    """Page by page."""
    found: list[Evidence] = []
    after: Cursor | None = None
    while True:
        page = await archive.of_dataset(EvidenceAsked(dataset, *span), PageRequest(size, after))
        assert len(page.items) <= size
        found += page.items
        if page.next is None:
            return found
        assert len(page.items) == size
        after = page.next


async def recorded(archive: EvidenceArchive, at: datetime) -> Mapping[EvidenceId, Evidence]:
    return {one.evidence_id: one async for some in archive.recorded_since(at) for one in some}


async def shown(
    archive: EvidenceArchive, ids: Collection[EvidenceId], datasets: Collection[DatasetUrn]
) -> tuple[Mapping[EvidenceId, Evidence], Mapping[DatasetUrn, Sequence[Evidence]]]:
    """By name, and by dataset."""
    lists = {dataset: await listed(archive, dataset) for dataset in datasets}
    return await archive.named(ids), lists
