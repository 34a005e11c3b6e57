"""Who writes and reads the incident's datasets."""

from collections.abc import Sequence

from attrs import frozen

from application.caller import Caller
from application.lineage.read_model import LineageEntry
from application.ports.access import Access
from application.projections.lineage import LINEAGE_INDEX
from application.reads.consistency import Reads
from application.reads.demand import Answer, Demand
from application.reads.paging import Page, PageRequest
from domain.ids import DatasetUrn, EntityId, Place, ProducerId, spec_parts
from domain.lineage.lineage import Role

MOST_ENTITIES = 200
"""Of one dataset."""

MOST_COUNTED = 2_000
"""Of one dataset, where it matters how many there are."""


@frozen
class Tied:
    """The entities at a dataset; those are the first if there are more."""

    dataset: DatasetUrn
    entries: Sequence[LineageEntry]
    more: bool
    others: Sequence[EntityId] = ()
    """The rest, where they were counted."""
    uncounted: bool = False
    """Whether there are still more."""

    @property
    def entities(self) -> Sequence[EntityId]:
        """All that are known."""
        return [*(entry.entity.entity_id for entry in self.entries), *self.others]

    @property
    def producers(self) -> Sequence[ProducerId]:
        """Who declared them."""
        specs = [one for entry in self.entries for one in (entry.spec_id, *entry.other_specs)]
        return [spec_parts(spec)[0] for spec in specs]


@frozen
class ReadTies:
    """The writers or the readers of several datasets."""

    reads: Reads
    access: Access
    role: Role
    most: int = MOST_ENTITIES

    async def __call__(
        self, datasets: Sequence[DatasetUrn], *, demand: Demand, by: Caller
    ) -> Answer[Sequence[Tied]]:
        for one in datasets:
            await self.access.permit(by, "lineage:read", one)
        reader = await self.reads.open(demand, by=by, projections=[LINEAGE_INDEX])
        lineage = reader.lineage
        find = lineage.writers if self.role is Role.WRITER else lineage.readers
        pages = [(one, await find(Place(one), PageRequest(self.most))) for one in datasets]
        return reader.answer([_tied(one, page) for one, page in pages])


def _tied(dataset: DatasetUrn, page: Page[LineageEntry]) -> Tied:
    shown, rest = page.items[:MOST_ENTITIES], page.items[MOST_ENTITIES:]
    uncounted = page.next is not None
    others = [entry.entity.entity_id for entry in rest]
    return Tied(dataset, shown, uncounted or bool(others), others, uncounted)
