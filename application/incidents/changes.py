"""Changing incidents, opening them again, and letting nobody look at them for a while."""

from collections.abc import Sequence
from datetime import timedelta

from attrs import frozen

from application.caller import Caller
from application.discovering_transactions import decide_together
from application.ports.access import Access
from application.ports.clock import Clock
from application.ports.streams import Committed, Streams
from application.violations import parsed, refuse_any
from domain.errors import Violation
from domain.ids import IncidentId
from domain.incident.patch import (
    Change,
    IncidentPatch,
    Snooze,
    change,
    snooze_violations,
)
from domain.incident.validation import LONGEST_NOTE
from domain.stream_categories import incident_stream
from domain.validation import lines
from domain.versions import ANY_VERSION


@frozen
class IncidentChanged:
    incident: IncidentId
    version: int
    position: int
    replayed: bool


def changed(incident: IncidentId, committed: Committed) -> IncidentChanged:
    version = committed.states[incident_stream(incident)].version
    return IncidentChanged(incident, version, committed.position, committed.replayed)


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
        wanted = parsed(patch.parse, found)
        return await self.decided(incident, wanted, patch.expected_version, by)

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
        return changed(incident, committed)


@frozen
class ReopenIncident:
    """Open a resolved incident again, with its slots and links."""

    changing: ChangeIncident

    async def __call__(
        self,
        incident: IncidentId,
        reason: str | None,
        *,
        by: Caller,
        expected_version: int = ANY_VERSION,
        found: Sequence[Violation] = (),
    ) -> IncidentChanged:
        """Raises Impossible if it is too late, or another incident is open for its fault."""
        await self.changing.access.permit(by, "incident:reopen", incident)
        refuse_any(found, lines("reason", reason, most=LONGEST_NOTE))
        wanted = Change(reopen=True, reason=reason or None)
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
