"""Which evidence is pinned: that of open incidents which are severe (S0-327)."""

from collections.abc import Mapping

from attrs import frozen

from application.incidents.read_model import IncidentReadModel
from application.policies.open_incidents import open_incidents
from application.ports.streams import Streams
from domain.ids import EvidenceId, IncidentId
from domain.incident.severity import Severity
from domain.stream_categories import incident_stream

Pins = Mapping[IncidentId, frozenset[EvidenceId]]
"""What each incident holds. Several may hold the same."""

SEVERE = (Severity.SEV_1, Severity.SEV_2)


@frozen
class PinnedEvidence:
    board: IncidentReadModel
    """Tells which incidents are open; what they hold now, their streams tell."""
    streams: Streams

    async def all(self) -> Pins:
        names = [card.incident async for card in open_incidents(self.board)]
        held = {name: await self.of(name) for name in names}
        return {name: evidence for name, evidence in held.items() if evidence}

    async def of(self, name: IncidentId) -> frozenset[EvidenceId]:
        """What the incident holds; nothing unless it is open and severe."""
        one = await self.streams.state(incident_stream(name))
        severe = one.is_open and one.severity in SEVERE
        return frozenset(one.evidence) if severe else frozenset()


def all_held(pins: Pins) -> frozenset[EvidenceId]:
    return frozenset().union(*pins.values())
