"""Opening incidents, changing them, opening them again, and putting them together."""

from collections.abc import Callable, Sequence
from datetime import timedelta

from attrs import evolve, frozen

from application.blast_radius import MeasureBlastRadius
from application.caller import Caller
from application.errors import Contended, Unavailable
from application.growing_reads import decide_together
from application.ports.access import Access
from application.ports.clock import Clock
from application.ports.streams import Committed, Decision, States, Streams
from application.requests import Answered, Request, request_stream
from application.violations import refuse_any
from domain.changing import Change, Snooze, change
from domain.dataset_config import DatasetConfig
from domain.errors import Violation
from domain.fault import Fault
from domain.ids import (
    DatasetUrn,
    IncidentId,
    StreamId,
    dataset_stream,
    incident_of,
    incident_stream,
    is_dataset_urn,
    signal_stream,
)
from domain.incident_contract import (
    LONGEST_NOTE,
    IncidentPatch,
    IncidentReport,
    merge_violations,
    snooze_violations,
    unusable,
)
from domain.incident_parts import Case
from domain.kept_for import KEPT_FOR
from domain.merging import merge, split
from domain.opening import joined, open_or_join
from domain.versions import ANY_VERSION
from domain.violations import lines

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
        await self._check(report, found)
        case = await self._measured(report.case(), by)
        name = IncidentId(report.incident_id or f"INC-{self.new_id()}")
        for _ in range(MOST_ATTEMPTS):
            opened = await self._answered(by) or await self._open(case, name, by)
            if opened is not None:
                return opened
        raise Contended((incident_stream(name),), MOST_ATTEMPTS)

    async def _check(self, report: IncidentReport, found: Sequence[Violation]) -> None:
        problems = list(report.violations(at=self.clock.now()))
        if not (found or problems):
            return
        if is_dataset_urn(report.dataset_urn):
            stream = dataset_stream(DatasetUrn(report.dataset_urn))
            problems += unusable(await self.streams.state(stream, DatasetConfig()))
        refuse_any(found, problems)

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
        if (await self.streams.state(stream, Request())).answer_to(by.request) is None:
            return None
        (recorded,) = await self.streams.facts(stream)
        return _as_before(recorded.fact, recorded.position)


def _concerned(case: Case, name: IncidentId) -> Sequence[StreamId]:
    return [
        incident_stream(name),
        dataset_stream(case.dataset),
        *(Fault(case.dataset, signature).slot for signature in case.signatures),
        *(signal_stream(case.dataset, signal) for signal in case.signals),
    ]


def _as_before(answered: Answered, position: int) -> IncidentOpened:
    # Whoever joined an incident had read another name too, under which nothing was opened.
    versions = {s: n for s, n in answered.versions.items() if s.startswith("incident-")}
    ((stream, version),) = ((stream, n) for stream, n in versions.items() if n)
    joined = len(versions) > 1
    return IncidentOpened(incident_of(stream), joined, version, position, replayed=True)


@frozen
class IncidentChanged:
    incident: IncidentId
    version: int
    position: int
    replayed: bool


@frozen
class ChangeIncident:
    """Change an incident in several ways at once: all of them happen, or none."""

    streams: Streams
    access: Access
    clock: Clock
    reopened_within: timedelta

    async def __call__(
        self,
        incident: IncidentId,
        patch: IncidentPatch,
        *,
        by: Caller,
        found: Sequence[Violation] = (),
    ) -> IncidentChanged:
        """Raises NotFound, VersionMismatch, or Impossible if the status does not allow it."""
        await self.access.permit(by, "incident:update", incident)
        refuse_any(found, patch.violations())
        return await self.decided(incident, patch.change(), patch.expected_version, by)

    async def decided(
        self, incident: IncidentId, wanted: Change, expected_version: int, by: Caller
    ) -> IncidentChanged:
        at, stream = self.clock.now(), incident_stream(incident)
        committed = await decide_together(
            self.streams,
            [stream],
            lambda states: change(
                states,
                incident,
                wanted,
                expected_version=expected_version,
                at=at,
                within=self.reopened_within,
            ),
            by=by,
        )
        return _changed(incident, committed)


@frozen
class ReopenIncident:
    """Open a resolved incident again, with its slots and links."""

    changing: ChangeIncident

    async def __call__(
        self,
        incident: IncidentId,
        because: str | None,
        *,
        by: Caller,
        expected_version: int = ANY_VERSION,
        found: Sequence[Violation] = (),
    ) -> IncidentChanged:
        """Raises Impossible if it is too late, or another incident is open for its fault."""
        await self.changing.access.permit(by, "incident:reopen", incident)
        refuse_any(found, lines("because", because, most=LONGEST_NOTE))
        wanted = Change(reopen=True, because=because or None)
        return await self.changing.decided(incident, wanted, expected_version, by)


@frozen
class SnoozeIncident:
    """Let nobody look at an open incident before a moment, or from now on again."""

    changing: ChangeIncident

    async def __call__(
        self,
        incident: IncidentId,
        snooze: Snooze,
        *,
        by: Caller,
        expected_version: int = ANY_VERSION,
        found: Sequence[Violation] = (),
    ) -> IncidentChanged:
        """Raises Impossible if it is not open."""
        await self.changing.access.permit(by, "incident:snooze", incident)
        refuse_any(found, snooze_violations(snooze, at=self.changing.clock.now()))
        return await self.changing.decided(incident, Change(snooze=snooze), expected_version, by)


@frozen
class MergeIncident:
    """End an incident as a duplicate of another one, which is about its faults from then on."""

    streams: Streams
    access: Access
    clock: Clock

    async def __call__(
        self,
        incident: IncidentId,
        into: IncidentId,
        because: str | None,
        *,
        by: Caller,
        expected_version: int = ANY_VERSION,
        found: Sequence[Violation] = (),
    ) -> IncidentChanged:
        """Raises NotFound, VersionMismatch, or Impossible if one of them is not open."""
        await self.access.permit(by, "incident:merge", incident)
        refuse_any(found, merge_violations(incident, into, because))
        at = self.clock.now()
        committed = await decide_together(
            self.streams,
            [incident_stream(incident), incident_stream(into)],
            lambda states: merge(
                states, incident, into, because, expected_version=expected_version, at=at
            ),
            by=by,
        )
        return _changed(incident, committed)


@frozen
class SplitIncident:
    """Open a merged incident again, apart from the one it was merged into."""

    streams: Streams
    access: Access
    clock: Clock
    kept: timedelta = KEPT_FOR.incidents
    """Afterwards its card may be gone, and it stays as it is."""

    async def __call__(
        self,
        incident: IncidentId,
        because: str | None,
        *,
        by: Caller,
        expected_version: int = ANY_VERSION,
        found: Sequence[Violation] = (),
    ) -> IncidentChanged:
        """Raises Impossible if it is not merged, was so too long ago, or the other is not open."""
        await self.access.permit(by, "incident:split", incident)
        refuse_any(found, lines("because", because, most=LONGEST_NOTE))
        at = self.clock.now()
        committed = await decide_together(
            self.streams,
            [incident_stream(incident)],
            lambda states: split(
                states,
                incident,
                because,
                expected_version=expected_version,
                at=at,
                within=self.kept,
            ),
            by=by,
        )
        return _changed(incident, committed)


def _changed(incident: IncidentId, committed: Committed) -> IncidentChanged:
    version = committed.states[incident_stream(incident)].version
    return IncidentChanged(incident, version, committed.position, committed.replayed)
