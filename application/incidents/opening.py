"""Opening incidents."""

from collections.abc import Callable, Sequence
from typing import Any

from attrs import evolve, frozen

from application.caller import Caller
from application.discovering_transactions import decide_together
from application.errors import Contended, Unavailable
from application.idempotency import Answered, request_stream
from application.lineage.blast_radius import MeasureBlastRadius
from application.ports.access import Access
from application.ports.clock import Clock
from application.ports.streams import Streams
from application.violations import parsed, refuse_any
from domain.errors import Invalid, Violation
from domain.ids import DatasetUrn, IncidentId, is_dataset_urn
from domain.incident.opening import joined, open_or_join
from domain.incident.report import Case, IncidentReport, unusable
from domain.stream_categories import (
    INCIDENT,
    dataset_stream,
    fault_stream,
    incident_of,
    incident_stream,
    signal_stream,
)
from domain.streams import Decision, States, Stream, StreamId

MOST_ATTEMPTS = 10


@frozen
class IncidentOpened:
    """The incident that is open now, and whether it had been open before."""

    incident: IncidentId
    joined: bool
    version: int
    position: int
    replayed: bool = False


@frozen
class OpenIncident:
    """Open an incident for a fault, or join the one already open for it."""

    streams: Streams
    access: Access
    clock: Clock
    new_id: Callable[[], str]
    blast_radius: MeasureBlastRadius

    async def __call__(
        self, report: IncidentReport, *, by: Caller, found: Sequence[Violation] = ()
    ) -> IncidentOpened:
        """Raises AlreadyExists if the report names an incident that exists."""
        await self.access.permit(by, "incident:open", report.dataset_urn)
        case = await self._measured(await self._parsed(report, found), by)
        name = IncidentId(report.incident_id or f"INC-{self.new_id()}")
        for _ in range(MOST_ATTEMPTS):
            opened = await self._answered(by) or await self._open(case, name, by)
            if opened is not None:
                return opened
        raise Contended((incident_stream(name),), MOST_ATTEMPTS)

    async def _parsed(self, report: IncidentReport, found: Sequence[Violation]) -> Case:
        """The case; if the report is refused, whether its dataset is in service is told too."""
        at = self.clock.now()
        try:
            return parsed(lambda: report.parse(at=at), found)
        except Invalid as invalid:
            refuse_any(invalid.violations, await self._unusable(report.dataset_urn))
            raise

    async def _unusable(self, dataset: str) -> Sequence[Violation]:
        if not is_dataset_urn(dataset):
            return ()
        return [*unusable(await self.streams.state(dataset_stream(DatasetUrn(dataset))))]

    async def _measured(self, case: Case, by: Caller) -> Case:
        """With its blast radius, if the lineage can be asked: an incident does not wait for it."""
        try:
            radius = await self.blast_radius(case.dataset, case.signatures, by=by)
        except Unavailable:
            return case
        return evolve(case, blast_radius=radius)

    async def _open(self, case: Case, name: IncidentId, by: Caller) -> IncidentOpened | None:
        at, holders = self.clock.now(), list[IncidentId]()

        def decide(states: States) -> Decision:
            refuse_any(unusable(states[dataset_stream(case.dataset)]))
            holders[:] = [holder for holder in [joined(states, case)] if holder]
            return open_or_join(states, case, name, at=at)

        committed = await decide_together(self.streams, _concerned(case, name), decide, by=by)
        if committed.replayed:
            return None  # The same request was answered meanwhile: it tells how.
        incident = holders[0] if holders else name
        version = committed.states[incident_stream(incident)].version
        return IncidentOpened(incident, bool(holders), version, committed.position)

    async def _answered(self, by: Caller) -> IncidentOpened | None:
        """What the same request led to before."""
        if by.request is None:
            return None
        stream = request_stream(by, by.request)
        if (await self.streams.state(stream)).answer_to(by.request) is None:
            return None
        (recorded,) = await self.streams.facts(stream)
        return _as_before(recorded.fact, recorded.position)


def _concerned(case: Case, name: IncidentId) -> Sequence[Stream[Any]]:
    return [
        incident_stream(name),
        dataset_stream(case.dataset),
        *(fault_stream(case.dataset, signature) for signature in case.signatures),
        *(signal_stream(case.dataset, signal) for signal in case.signals),
    ]


def _as_before(answered: Answered, position: int) -> IncidentOpened:
    # Whoever joined an incident had read another name too, under which nothing was opened.
    versions = {s: n for s, n in answered.versions.items() if INCIDENT.has(s)}
    ((stream, version),) = ((stream, n) for stream, n in versions.items() if n)
    joined = len(versions) > 1
    return IncidentOpened(incident_of(StreamId(stream)), joined, version, position, replayed=True)
