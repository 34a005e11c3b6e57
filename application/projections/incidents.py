"""Every incident as the board shows it, and which of a dataset's faults have one."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, get_args

from attrs import evolve, frozen

from application.incidents.read_model import IncidentKey, IncidentView, OpenFaults, OpenFaultsKey
from application.projections.projection import Changes, View
from application.projections.view_store import Group, Key
from application.recorded import Recorded
from domain.ids import EvidenceId
from domain.incident import fault_slot, incident
from domain.incident.incident import IncidentFact
from domain.incident.values import Concern, IncidentStatus, Resolution, as_duplicate
from domain.retention import KEPT_FOR
from domain.stream_categories import dataset_of, incident_of, signature_of

INCIDENT_BOARD = "incident-board"

_INCIDENT_FACTS = get_args(IncidentFact)
_CONCERNED = frozenset({fault_slot.Taken, fault_slot.Freed, *_INCIDENT_FACTS})


@frozen
class IncidentCards:
    name: str = INCIDENT_BOARD
    kept: timedelta = KEPT_FOR.incidents
    """How long an incident is shown after it was resolved."""

    def concerns(self, fact: object, version: int) -> bool:
        return type(fact) in _CONCERNED

    def keys(self, recorded: Recorded) -> Iterable[Key]:
        match recorded.fact:
            case fault_slot.Taken() | fault_slot.Freed():
                yield OpenFaultsKey(dataset_of(recorded.stream))
            case fact if isinstance(fact, _INCIDENT_FACTS):
                yield IncidentKey(incident_of(recorded.stream))

    def groups(self, recorded: Recorded) -> Iterable[Group]:
        return ()

    def after(self, view: View, recorded: Recorded) -> Changes:
        for key in self.keys(recorded):
            if isinstance(key, IncidentKey):
                yield from self._incident(key, view.get(key), recorded)
            else:
                yield key, _faults_after(view.get(key) or OpenFaults(key.dataset), recorded)

    def _incident(self, key: IncidentKey, card: IncidentView | None, recorded: Recorded) -> Changes:
        # One that ended and was thrown away gets no new card: none is ever open again by then.
        if card is not None or isinstance(recorded.fact, incident.Opened):
            yield key, card_after(card, recorded, self.kept)


def card_after(
    card: IncidentView | None, recorded: Recorded, kept: timedelta = KEPT_FOR.incidents
) -> IncidentView:
    """The card after one more fact of its incident."""
    if isinstance(recorded.fact, incident.Opened):
        return _opened(recorded, recorded.fact)
    assert card is not None, f"{recorded.stream} does not begin with its opening"
    fact = recorded.fact
    changed = {**_moved(card, fact, kept), **_told(card, fact), **_attached(card, fact)}
    return evolve(card, updated_at=recorded.at, version=recorded.version, **changed)


def _opened(recorded: Recorded, fact: incident.Opened) -> IncidentView:
    return IncidentView(
        incident=incident_of(recorded.stream),
        status=IncidentStatus.OPEN,
        severity=fact.severity,
        title=fact.title,
        created_at=fact.at,
        updated_at=recorded.at,
        dataset=fact.dataset,
        signals=fact.signals,
        signatures=fact.signatures,
        owner_team=fact.owner_team,
        version=recorded.version,
        implicated=fact.implicated,
        primary_evidence=fact.primary_evidence,
        evidence=fact.evidence,
        blast_radius=fact.blast_radius,
    )


def _moved(card: IncidentView, fact: IncidentFact, kept: timedelta) -> dict[str, Any]:
    """What a fact does to the status."""
    match fact:
        case incident.Acknowledged(at):
            first = card.acknowledged_at or at
            return {"status": IncidentStatus.ACKNOWLEDGED, "acknowledged_at": first}
        case incident.Resolved(resolution, at):
            return _ended(resolution, at, kept)
        case incident.Merged(into, at):
            return {**_ended(as_duplicate(into), at, kept), "merged_into": into}
        case incident.Reopened() | incident.SplitOff():
            return {
                "status": IncidentStatus.OPEN,
                "resolution": None,
                "resolved_at": None,
                "merged_into": None,
                "ends_at": None,
            }
        case _:
            return {}


def _ended(resolution: Resolution, at: datetime, kept: timedelta) -> dict[str, Any]:
    return {
        "status": IncidentStatus.RESOLVED,
        "resolution": resolution,
        "resolved_at": at,
        "ends_at": at + kept,
        "snoozed_until": None,
    }


def _told(card: IncidentView, fact: IncidentFact) -> dict[str, Any]:
    """What a fact says beside the status. Notes stand in the timeline only."""
    match fact:
        case incident.Assigned(oncall_user):
            return {"oncall_user": oncall_user}
        case incident.SeverityChanged(severity):
            return {"severity": severity}
        case incident.Explained(rca_summary):
            return {"rca_summary": rca_summary}
        case incident.NotificationsLinked(notifications):
            return {"notifications": notifications.over(card.notifications)}
        case incident.Snoozed(until):
            return {"snoozed_until": until}
        case incident.Woken():
            return {"snoozed_until": None}
        case _:
            return {}


def _attached(card: IncidentView, fact: IncidentFact) -> dict[str, Any]:
    """What it is about from this fact on."""
    match fact:
        case incident.SignalsAttached(signals, None):
            return {"signals": card.signals + signals}
        case incident.SignaturesAttached(signatures, None):
            return {"signatures": card.signatures + signatures}
        case incident.SignalsAttached(signals, dataset) if dataset:
            return {"elsewhere": (*card.elsewhere, Concern(dataset, signals))}
        case incident.SignaturesAttached(signatures, dataset) if dataset:
            return {"elsewhere": (*card.elsewhere, Concern(dataset, (), signatures))}
        case incident.EvidenceAttached(evidence):
            return _with_evidence(card, evidence)
        case incident.Absorbed(name, concerns, evidence):
            absorbed = {**card.absorbed, name: concerns}
            return {"absorbed": absorbed, **_with_evidence(card, evidence)}
        case incident.Released(name):
            rest = {other: was for other, was in card.absorbed.items() if other != name}
            return {"absorbed": rest}
        case _:
            return {}


def _with_evidence(card: IncidentView, more: tuple[EvidenceId, ...]) -> dict[str, Any]:
    return {
        "evidence": card.evidence + more,
        "primary_evidence": card.primary_evidence or next(iter(more), None),
    }


def _faults_after(faults: OpenFaults, recorded: Recorded) -> OpenFaults:
    signature = signature_of(recorded.stream)
    held = {other: name for other, name in faults.held.items() if other != signature}
    if isinstance(recorded.fact, fault_slot.Taken):
        held[signature] = recorded.fact.incident
    return evolve(faults, held=held)
