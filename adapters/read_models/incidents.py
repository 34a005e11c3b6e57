"""Incidents as dashboards and on-call people see them, read from their rows."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from attrs import frozen

from adapters.eventstore.sealing.seals import Seals
from adapters.read_models.partition_ranges import Stretch, Stretches
from adapters.row_layouts.catalogue import DATASET_TIME_INDEX, INCIDENT_INDEX, STATUS_SEVERITY_INDEX
from adapters.row_layouts.engine import Row, RowReads
from adapters.row_layouts.expiry import alive, living
from adapters.row_layouts.incident_rows import from_row, of_dataset, of_status, rank_of, row_key
from adapters.row_layouts.projection_state_rows import faults_from_row, faults_key
from application.incidents.read_model import (
    IncidentFilter,
    IncidentKey,
    IncidentView,
    OpenFaultsKey,
)
from application.ports.clock import Clock
from application.reads.paging import Page, PageRequest
from domain.ids import DatasetUrn, IncidentId
from domain.incident.severity import Severity
from domain.incident.values import UNRESOLVED, IncidentStatus
from domain.timestamps import stamp

_LISTED = (*UNRESOLVED, IncidentStatus.RESOLVED)
_WHOLE_MOMENT = "$"
"""Follows `#`: sorts after every incident of a moment, and before the next moment."""


@frozen
class TableIncidents:
    engine: RowReads
    seals: Seals
    clock: Clock

    async def find(self, incident: IncidentId) -> IncidentView | None:
        return next(iter(await self._cards([incident])), None)

    async def find_many(
        self, incidents: Collection[IncidentId]
    ) -> Mapping[IncidentId, IncidentView]:
        return {card.incident: card for card in await self._cards(incidents)}

    async def matching(self, wanted: IncidentFilter, page: PageRequest) -> Page[IncidentView]:
        now = self.clock.now()
        found = await self._listing(wanted).page(
            page, lambda row: alive(row, now) and _fits(row, wanted)
        )
        return found.map(lambda row: from_row(row, self.seals))

    async def open_of(self, dataset: DatasetUrn) -> Sequence[IncidentView]:
        rows = await self.engine.get([faults_key(OpenFaultsKey(dataset))])
        named = dict.fromkeys(name for row in rows for name in faults_from_row(row).held.values())
        cards = [card for card in await self._cards([*named]) if card.status in UNRESOLVED]
        return sorted(cards, key=lambda card: (card.severity, card.created_at, card.incident))

    async def _cards(self, incidents: Collection[IncidentId]) -> Sequence[IncidentView]:
        rows = await self.engine.get([row_key(IncidentKey(name)) for name in incidents])
        return [from_row(row, self.seals) for row in living(rows, self.clock)]

    def _listing(self, wanted: IncidentFilter) -> Stretches:
        if wanted.dataset is not None:
            part = _newest_first(wanted.dataset, wanted)
            return Stretches(self.engine, INCIDENT_INDEX, DATASET_TIME_INDEX, [part])
        parts = list(_worst_first(wanted))
        return Stretches(self.engine, INCIDENT_INDEX, STATUS_SEVERITY_INDEX, parts)


def _newest_first(dataset: DatasetUrn, wanted: IncidentFilter) -> Stretch:
    return Stretch(
        of_dataset(dataset),
        descending=True,
        start=stamp(wanted.until) + _WHOLE_MOMENT if wanted.until else None,
        stop=stamp(wanted.since) if wanted.since else None,
    )


def _worst_first(wanted: IncidentFilter) -> Iterator[Stretch]:
    for status in _LISTED:
        if status in (wanted.statuses or _LISTED):
            for rank in _ranks(wanted):
                yield Stretch(
                    of_status(status),
                    begins_with=rank,
                    start=rank + stamp(wanted.since) if wanted.since else None,
                    stop=rank + stamp(wanted.until) + _WHOLE_MOMENT if wanted.until else None,
                )


def _ranks(wanted: IncidentFilter) -> Sequence[str]:
    """A span of time lies together within a severity only."""
    if not (wanted.severities or wanted.since or wanted.until):
        return [""]
    return [rank_of(one) for one in Severity if one in (wanted.severities or tuple(Severity))]


def _fits(row: Row, wanted: IncidentFilter) -> bool:
    return (
        (not wanted.statuses or row["status"] in wanted.statuses)
        and (not wanted.severities or row["severity"] in wanted.severities)
        and wanted.owner_team in (None, row["owner_team"])
    )
