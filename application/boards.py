"""All that is read, as it stands at one moment: now, or an earlier one."""

from collections.abc import Collection, Sequence
from typing import Protocol

from attrs import field, frozen

from application.caller import Caller
from application.ports.incident_board import IncidentBoard
from application.ports.lineage_graph import LineageGraph
from application.ports.registry import Registry
from application.ports.resolution_map import DatasetRules
from application.ports.signal_board import SignalBoard
from application.projections.progress import Reached
from application.read_your_writes import Settlement
from application.recorded import Recorded
from domain.ids import StreamId


class Facts(Protocol):
    """Streams, for those who only read them."""

    async def version(self, stream: StreamId) -> int:
        """How many facts the stream has."""
        ...

    async def facts(
        self, stream: StreamId, *, after: int = 0, limit: int | None = None
    ) -> Sequence[Recorded]:
        """The facts of a stream with a version beyond `after`, in order."""
        ...


class Settling(Protocol):
    async def settle(self, by: Caller, projection: str, *about: str) -> Settlement:
        """Wait until the projection shows what the caller must see; tells how far it is.

        Only what it must see about these, or about everything if none is named.

        Raises:
            NotCaughtUp: It does not show a position that was asked for.
        """
        ...


@frozen
class Boards:
    signals: SignalBoard
    incidents: IncidentBoard
    registry: Registry
    rules: DatasetRules
    lineage: LineageGraph
    facts: Facts
    settling: Settling
    reached: Reached = field(factory=Reached)
    """How far they are at least, once they were waited for."""
    strong: "Boards | None" = None
    """The same, where all that was written is seen; nothing where that is always so."""

    async def settled(
        self, by: Caller, *projections: str, about: str | Collection[str] = ()
    ) -> "Boards":
        """The boards to read from, once the projections show what the caller must see.

        Raises:
            NotCaughtUp: One does not show a position that was asked for.
        """
        subjects = (about,) if isinstance(about, str) else about
        found = [await self.settling.settle(by, one, *subjects) for one in projections]
        least = min((one.reached for one in found), key=lambda reached: reached.position)
        strong = self.strong if any(one.strong for one in found) else None
        return (strong or self).watched(self.settling, least)

    def watched(self, settling: Settling, reached: Reached) -> "Boards":
        """The same boards. Every read asks for them, and `evolve` takes three times as long."""
        return Boards(
            self.signals,
            self.incidents,
            self.registry,
            self.rules,
            self.lineage,
            self.facts,
            settling,
            reached,
            self.strong,
        )
