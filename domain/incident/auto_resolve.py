"""
Whether an incident is over by itself, and whether one that was over is back.

An incident has healed when each of its signals was OK for so many windows in a row, up to its
latest one. Windows that were known when the incident was linked do not count: an incident that
somebody opens although the signals look fine is not over at once.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from attrs import frozen

from domain.ids import IncidentId
from domain.incident.decisions import Incident
from domain.incident.patch import Change, change
from domain.incident.reservations import must_know
from domain.incident.values import IncidentStatus, Resolution, ResolutionReason
from domain.signal.complete_history import SignalHistory
from domain.signal.evaluation import IN_BREACH, SignalStateEnum
from domain.signal.signal import BeyondMemory, Evaluated, SignalState
from domain.signal.windows import Seen
from domain.stream_categories import incident_stream
from domain.streams import Decision, States, Stream
from domain.versions import ANY_VERSION

MEANT = (
    ResolutionReason.FALSE_POSITIVE,
    ResolutionReason.EXPECTED_CHANGE,
    ResolutionReason.DUPLICATE,
)
"""Who resolved it for such a reason has said that it is nothing to come back to."""


def ok_windows(signal: SignalState, incident: IncidentId, *, wanted: int) -> int:
    """How many of the latest windows, at most as many as wanted, were OK since it was linked.

    Raises:
        BeyondMemory: Ask `ok_windows_ever`: the remembered windows are too few to tell.
    """
    since = _linked_since(signal, incident)
    count = _ok_in_a_row(reversed(signal.windows), since, wanted)
    summed_up = signal.before
    if count == wanted or count < len(signal.windows) or summed_up is None:
        return count
    if summed_up.state is not SignalStateEnum.OK or (
        since is not None and summed_up.until <= since
    ):
        return count
    raise BeyondMemory


def ok_windows_ever(history: SignalHistory, incident: IncidentId, *, wanted: int) -> int:
    """The same, from all windows there ever were."""
    return _ok_in_a_row(history.latest_first(), _linked_since(history.now, incident), wanted)


def _linked_since(signal: SignalState, incident: IncidentId) -> datetime | None:
    """Nothing if all windows count: the signal was first evaluated after it was attached."""
    return next((link.since for link in signal.links if link.incident == incident), None)


def _ok_in_a_row(latest_first: Iterable[Seen], since: datetime | None, wanted: int) -> int:
    count = 0
    for seen in latest_first:
        if count == wanted or seen.state is not SignalStateEnum.OK:
            break
        if since is not None and seen.end <= since:
            break
        count += 1
    return count


@frozen
class Recovery:
    """For how many windows each signal was OK, and at which versions that was found."""

    incident_version: int
    windows: Mapping[Stream[SignalState], int]
    versions: Mapping[Stream[SignalState], int]

    @property
    def resolution(self) -> Resolution:
        least = min(self.windows.values())
        count = f"{least} window{'s' if least > 1 else ''}"
        subject = "the signal was" if len(self.windows) == 1 else "every signal was"
        return Resolution(f"{subject} OK for {count} in a row", reason=ResolutionReason.SELF_HEALED)


def resolve_healed(
    states: States, name: IncidentId, recovery: Recovery, *, at: datetime
) -> Decision:
    """Resolve the incident, unless it or a signal has moved since its recovery was found.

    Raises:
        Unread: More streams must be read.
    """
    incident = states[incident_stream(name)]
    must_know(states, recovery.versions)
    moved = incident.version != recovery.incident_version or any(
        states[stream].version != version for stream, version in recovery.versions.items()
    )
    if moved or not incident.is_open:
        return {}
    wanted = Change(resolution=recovery.resolution)
    return change(states, name, wanted, expected_version=ANY_VERSION, at=at)


def may_be_a_relapse(fact: Evaluated) -> bool:
    """Whether a breach began with this fact. UNKNOWN windows within one do not end it."""
    moved = fact.moved
    if moved is None or moved.state not in IN_BREACH or moved.previous_state in IN_BREACH:
        return False
    # A late window that was fine may let the breach begin later than it seemed to.
    return moved.breach_start is not None and moved.breach_start >= fact.evaluation.window_start


def broke_anew(signal: SignalState) -> bool:
    """Whether the signal is in breach now, and was not the last time it was looked at before.

    After a pause longer than the horizon the standing begins anew: what is summed up tells.
    """
    standing = signal.standing
    if standing is None or standing.breach_start is None:
        return False
    if standing.previous_state is not None:
        return True
    return signal.before is not None and signal.before.state not in IN_BREACH


def may_come_back(
    incident: Incident, *, found_at: datetime, at: datetime, within: timedelta
) -> bool:
    """Whether a fault found at a moment is the resolved incident's own again."""
    if incident.status is not IncidentStatus.RESOLVED or incident.resolved_at is None:
        return False
    if incident.resolution is not None and incident.resolution.reason in MEANT:
        return False
    return incident.resolved_at < found_at and at - incident.resolved_at <= within
