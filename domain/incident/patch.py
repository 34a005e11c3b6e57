"""Changing an incident in several ways at once: all of them happen, or none."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import reduce

from attrs import frozen

from domain.errors import NotFound
from domain.ids import EvidenceId, FailureSignature, IncidentId, SignalType
from domain.incident.facts import IncidentFact, Reopened
from domain.incident.incident import REOPENED_WITHIN, Incident
from domain.incident.reservations import must_be_free, settled
from domain.incident.severity import Severity
from domain.incident.values import IncidentStatus, Notifications, Resolution
from domain.stream_categories import incident_stream, signal_stream
from domain.streams import Decision, States

Step = Callable[[Incident], Sequence[IncidentFact]]


@frozen
class Assignment:
    """Who looks after it from now on; nobody, where there is no name."""

    oncall_user: str | None


@frozen
class Snooze:
    """Until when nobody need look at it; awake again, where there is no moment."""

    until: datetime | None
    because: str | None = None


@frozen
class Change:
    """What shall become different. It is applied in the order of the fields, resolving last."""

    reopen: bool = False
    because: str | None = None
    acknowledge: bool = False
    assign: Assignment | None = None
    severity: Severity | None = None
    signals: tuple[SignalType, ...] = ()
    signatures: tuple[FailureSignature, ...] = ()
    evidence: tuple[EvidenceId, ...] = ()
    notifications: Notifications | None = None
    rca_summary: str | None = None
    note: str | None = None
    snooze: Snooze | None = None
    resolution: Resolution | None = None

    def steps(self, at: datetime, within: timedelta) -> Iterator[Step]:
        if self.reopen:
            yield lambda incident: incident.reopen(self.because, at=at, within=within)
        if self.acknowledge:
            yield lambda incident: incident.acknowledge(at=at)
        if (to := self.assign) is not None:
            yield lambda incident: incident.assign(to.oncall_user)
        if (severity := self.severity) is not None:
            yield lambda incident: incident.change_severity(severity)
        yield lambda incident: incident.attach_signals(self.signals)
        yield lambda incident: incident.attach_signatures(self.signatures)
        yield lambda incident: incident.attach_evidence(self.evidence)
        yield from self._words()
        if (resolution := self.resolution) is not None:
            yield lambda incident: incident.resolve(resolution, at=at)

    def _words(self) -> Iterator[Step]:
        if (notifications := self.notifications) is not None:
            yield lambda incident: incident.link_notifications(notifications)
        if (summary := self.rca_summary) is not None:
            yield lambda incident: incident.explain(summary)
        if (text := self.note) is not None:
            yield lambda incident: incident.note(text)
        if (snooze := self.snooze) is not None:
            yield lambda incident: _snoozed(incident, snooze)


def _snoozed(incident: Incident, snooze: Snooze) -> Sequence[IncidentFact]:
    if snooze.until is None:
        return incident.wake(snooze.because)
    return incident.snooze(snooze.until, snooze.because)


def change(
    states: States,
    name: IncidentId,
    wanted: Change,
    *,
    expected_version: int,
    at: datetime,
    within: timedelta = REOPENED_WITHIN,
) -> Decision:
    """Decide all that is wanted, with what follows for slots and signals.

    Raises:
        NotFound: There is no such incident.
        VersionMismatch: It is not at the expected version.
        Impossible: Its status does not allow one of the changes, or another incident holds a slot.
        Unread: More streams must be read.
    """
    incident = states[incident_stream(name)]
    if incident.status is IncidentStatus.UNOPENED:
        raise NotFound("incident", name)
    incident.must_be_at(expected_version)
    facts: list[IncidentFact] = []
    for step in wanted.steps(at, within):
        new = step(incident)
        incident = reduce(Incident.after, new, incident)
        facts += new
    if any(isinstance(fact, Reopened) for fact in facts):
        must_be_free(states, name, states[incident_stream(name)], "reopen")
    named = [signal_stream(incident.dataset, signal) for signal in wanted.signals]
    return settled(states, name, facts, also=named if incident.is_open else ())
