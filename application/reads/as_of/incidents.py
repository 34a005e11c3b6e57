"""Incidents as they were."""

from collections.abc import Collection, Mapping, Sequence

from attrs import frozen

from application.incidents.read_model import IncidentFilter, IncidentView
from application.projections.incidents import INCIDENT_BOARD
from application.reads.as_of.snapshot import Past
from application.reads.paging import Page, PageRequest
from domain.ids import DatasetUrn, IncidentId
from domain.incident.fault_slot import Taken
from domain.stream_categories import incident_stream
from domain.streams import StreamId


@frozen
class PastIncidents:
    past: Past

    async def find(self, incident: IncidentId) -> IncidentView | None:
        scratch = await self.past.folded(INCIDENT_BOARD, [incident_stream(incident)])
        return await scratch.incidents.find(incident)

    async def find_many(
        self, incidents: Collection[IncidentId]
    ) -> Mapping[IncidentId, IncidentView]:
        scratch = await self.past.folded(INCIDENT_BOARD, map(incident_stream, incidents))
        return await scratch.incidents.find_many(incidents)

    async def matching(self, wanted: IncidentFilter, page: PageRequest) -> Page[IncidentView]:
        directory = await self.past.listed()
        streams = await directory.incidents(
            wanted.dataset, since=wanted.since, until=wanted.until, upto=self.past.position
        )
        return await (await self.past.folded(INCIDENT_BOARD, streams)).incidents.matching(
            wanted, page
        )

    async def open_of(self, dataset: DatasetUrn) -> Sequence[IncidentView]:
        directory = await self.past.listed()
        faults = await directory.faults(dataset, upto=self.past.position)
        taken = [one for fault in faults if (one := await self._holder(fault))]
        scratch = await self.past.folded(INCIDENT_BOARD, [*faults, *taken])
        return await scratch.incidents.open_of(dataset)

    async def _holder(self, fault: StreamId) -> StreamId | None:
        """The incident that had the fault's slot; it may be another dataset's."""
        last = await self.past.last_fact(fault)
        held = last is not None and isinstance(last.fact, Taken)
        return incident_stream(last.fact.incident) if last and held else None
