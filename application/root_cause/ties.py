"""Who writes and reads the incident's datasets, and how far it reaches."""

from collections.abc import Mapping, Sequence

from attrs import frozen

from application.blast_radius import MeasureBlastRadius
from application.boards import Boards
from application.caller import Caller
from application.impact import ReadImpact
from application.lineage import ReadReaders, ReadWriters
from application.paging import PageRequest
from application.ports.access import Access
from application.ports.lineage_graph import LineageEntry
from domain.blast_radius import BlastRadius
from domain.ids import DatasetUrn, Place, ProducerId, spec_parts
from domain.incident_parts import Concern

MOST_ENTITIES = 200
"""Of one dataset."""


@frozen
class Tied:
    """The entities at a dataset; those are the first if there are more."""

    dataset: DatasetUrn
    entries: Sequence[LineageEntry]
    more: bool

    @property
    def producers(self) -> Sequence[ProducerId]:
        """Who declared them."""
        specs = [one for entry in self.entries for one in (entry.spec_id, *entry.other_specs)]
        return [spec_parts(spec)[0] for spec in specs]


@frozen
class ReadTies:
    """The writers or the readers of several datasets."""

    boards: Boards
    access: Access
    reading: type[ReadWriters] | type[ReadReaders]

    async def __call__(self, datasets: Sequence[DatasetUrn], *, by: Caller) -> Sequence[Tied]:
        read = self.reading(self.boards, self.access)
        pages = [
            (one, await read(Place(one), PageRequest(MOST_ENTITIES), by=by)) for one in datasets
        ]
        return [Tied(one, page.items, page.next is not None) for one, page in pages]


Radii = Mapping[DatasetUrn, BlastRadius]


@frozen
class MeasureRadii:
    """How far the failures of each dataset reach."""

    boards: Boards
    access: Access

    async def __call__(self, concerns: Sequence[Concern], *, by: Caller) -> Radii:
        measure = MeasureBlastRadius(ReadImpact(self.boards, self.access))
        for one in concerns:
            await self.access.permit(by, "lineage:read", one.dataset)
        return {one.dataset: await measure(one.dataset, one.signatures, by=by) for one in concerns}
