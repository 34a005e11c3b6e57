"""Every incident as the board shows it, and which of a dataset's faults have one."""

from collections.abc import Iterable
from datetime import timedelta
from typing import get_args

from attrs import evolve, frozen

from application.incidents.read_model import (
    IncidentKey,
    IncidentView,
    OpenFaults,
    OpenFaultsKey,
    card_after,
)
from application.projections.projection import Changes, View
from application.projections.view_store import Group, Key
from application.recorded import Recorded
from domain.incident import fault_slot, incident
from domain.incident.incident import IncidentFact
from domain.retention import KEPT_FOR
from domain.stream_categories import dataset_of, incident_of, signature_of

INCIDENT_BOARD = "incident-index"

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


def _faults_after(faults: OpenFaults, recorded: Recorded) -> OpenFaults:
    signature = signature_of(recorded.stream)
    held = {other: name for other, name in faults.held.items() if other != signature}
    if isinstance(recorded.fact, fault_slot.Taken):
        held[signature] = recorded.fact.incident
    return evolve(faults, held=held)
