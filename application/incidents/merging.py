"""Putting incidents together, and taking them apart again."""

from collections.abc import Sequence
from datetime import timedelta

from attrs import frozen

from application.caller import Caller
from application.discovering_transactions import decide_together
from application.incidents.changes import IncidentChanged, changed
from application.ports.access import Access
from application.ports.clock import Clock
from application.ports.streams import Streams
from application.violations import refuse_any
from domain.errors import Violation
from domain.ids import IncidentId
from domain.incident.merging import merge, merge_violations, split
from domain.incident.validation import LONGEST_NOTE
from domain.retention import KEPT_FOR
from domain.stream_categories import incident_stream
from domain.validation import lines
from domain.versions import ANY_VERSION


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
        reason: str | None,
        *,
        by: Caller,
        expected_version: int = ANY_VERSION,
        found: Sequence[Violation] = (),
    ) -> IncidentChanged:
        """Raises NotFound, VersionMismatch, or Impossible if one of them is not open."""
        await self.access.permit(by, "incident:merge", incident)
        refuse_any(found, merge_violations(incident, into, reason))
        at = self.clock.now()
        committed = await decide_together(
            self.streams,
            [incident_stream(incident), incident_stream(into)],
            lambda states: merge(
                states, incident, into, reason, expected_version=expected_version, at=at
            ),
            by=by,
        )
        return changed(incident, committed)


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
        reason: str | None,
        *,
        by: Caller,
        expected_version: int = ANY_VERSION,
        found: Sequence[Violation] = (),
    ) -> IncidentChanged:
        """Raises Impossible if it is not merged, was so too long ago, or the other is not open."""
        await self.access.permit(by, "incident:split", incident)
        refuse_any(found, lines("reason", reason, most=LONGEST_NOTE))
        at = self.clock.now()
        committed = await decide_together(
            self.streams,
            [incident_stream(incident)],
            lambda states: split(
                states,
                incident,
                reason,
                expected_version=expected_version,
                at=at,
                within=self.kept,
            ),
            by=by,
        )
        return changed(incident, committed)
