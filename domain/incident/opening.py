"""Opening an incident, or joining the one that is already open for the same fault."""

from collections.abc import Mapping
from datetime import datetime
from functools import reduce

from domain.errors import AlreadyExists
from domain.ids import FailureSignature, IncidentId
from domain.incident.decisions import Incident
from domain.incident.report import Case
from domain.incident.reservations import must_know, settled
from domain.incident.values import Concern, IncidentStatus
from domain.stream_categories import (
    dataset_stream,
    fault_stream,
    incident_stream,
    signal_stream,
)
from domain.streams import Decision, States


def open_or_join(states: States, case: Case, name: IncidentId, *, at: datetime) -> Decision:
    """Open the incident under the name, unless one is open for one of the case's faults.

    Raises:
        AlreadyExists: The name is taken.
        Unread: More streams must be read.
    """
    incident = states[incident_stream(name)]
    if incident.status is not IncidentStatus.UNOPENED:
        raise AlreadyExists("incident", name, version=incident.version)
    holder = joined(states, case)
    if holder is not None:
        return _join(states, case, holder)
    dataset = states[dataset_stream(case.dataset)]
    facts = incident.open(name, case, owner_team=dataset.settings.owner_team, at=at)
    return settled(states, name, facts)


def joined(states: States, case: Case) -> IncidentId | None:
    """The incident that is open for the first of the case's faults that has one."""
    return next((holder for holder in _holders(states, case).values() if holder), None)


def _join(states: States, case: Case, name: IncidentId) -> Decision:
    """Attach what is new. Faults that other incidents hold stay theirs."""
    must_know(states, [incident_stream(name)])
    incident = states[incident_stream(name)]
    free = [one for one, holder in _holders(states, case).items() if holder is None]
    facts = incident.join(Concern(case.dataset, case.signals, tuple(free)), case.evidence)
    about = reduce(Incident.after, facts, incident).about(case.dataset)
    named = [signal_stream(case.dataset, one) for one in case.signals if one in about.signals]
    return settled(states, name, facts, also=named)


def _holders(states: States, case: Case) -> Mapping[FailureSignature, IncidentId | None]:
    return {
        signature: states[fault_stream(case.dataset, signature)].holder
        for signature in case.signatures
    }
