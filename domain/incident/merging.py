"""Merging an incident into another one, and splitting it off again."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from domain.errors import NotFound, Violation
from domain.ids import IncidentId, is_incident_id
from domain.incident.decisions import Incident
from domain.incident.reservations import must_know, settled_together
from domain.incident.validation import LONGEST_NOTE
from domain.incident.values import IncidentStatus
from domain.retention import KEPT_FOR
from domain.stream_categories import incident_stream
from domain.streams import Decision, States
from domain.validation import lines, required


def merge(
    states: States,
    name: IncidentId,
    into: IncidentId,
    reason: str | None,
    *,
    expected_version: int,
    at: datetime,
) -> Decision:
    """End an incident as a duplicate: the other one takes over its slots and signals.

    Raises:
        NotFound: There is no such incident.
        VersionMismatch: It is not at the expected version.
        Impossible: One of them is not open.
        Unread: More streams must be read.
    """
    incident, other = _known(states, name), _known(states, into)
    incident.must_be_at(expected_version)
    facts = incident.merge(into, reason, at=at)
    if not facts:
        return {}
    return settled_together(states, {name: facts, into: other.absorb(name, incident, reason)})


def split(
    states: States,
    name: IncidentId,
    reason: str | None,
    *,
    expected_version: int,
    at: datetime,
    within: timedelta = KEPT_FOR.incidents,
) -> Decision:
    """Open a merged incident again, with the slots and signals it came with.

    Raises:
        NotFound: There is no such incident.
        VersionMismatch: It is not at the expected version.
        Impossible: It is not merged, or has been for longer than that, or the one it was merged
            into is not open.
        Unread: More streams must be read.
    """
    incident = _known(states, name)
    incident.must_be_at(expected_version)
    facts = incident.split_off(reason, at=at, within=within)
    origin = incident.merged_into
    assert origin is not None, "only what is merged is split off"
    must_know(states, [incident_stream(origin)])
    released = _known(states, origin).release(name, reason)
    return settled_together(states, {name: facts, origin: released})


def merge_violations(
    incident: IncidentId, into: IncidentId, reason: str | None
) -> Iterator[Violation]:
    """Everything that is wrong with a wish to merge."""
    yield from required("into", into)
    if into and not is_incident_id(into):
        yield Violation("into", "MALFORMED", "must look like INC-7721 or INC-<ulid>")
    if into == incident:
        yield Violation("into", "INCONSISTENT", "must be another incident")
    yield from lines("reason", reason, most=LONGEST_NOTE)


def _known(states: States, name: IncidentId) -> Incident:
    incident = states[incident_stream(name)]
    if incident.status is IncidentStatus.UNOPENED:
        raise NotFound("incident", name)
    return incident
