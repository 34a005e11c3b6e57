"""All that is read, as it stands at one moment: now, or an earlier one."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from attrs import define, field, frozen

from application.caller import Caller
from application.datasets.read_model import DatasetCard, Registry
from application.datasets.resolution_read_model import DatasetRules
from application.incidents.read_model import IncidentBoard
from application.lineage.read_model import LineageGraph
from application.projections.progress import Reached
from application.reads.read_your_writes import Settlement
from application.recorded import Recorded
from application.signals.read_model import SignalBoard
from domain.ids import DatasetUrn
from domain.streams import StreamId


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

    def noted(self, reached: Reached, *, stale: bool) -> None:
        """What was read is only as far as this; stale, if only a copy was left of it."""
        ...


@define
class Noted:
    """How far all is at least that was read, and to whom that is told."""

    least: Reached
    told: Settling | None = None

    def __call__(self, reached: Reached, *, stale: bool = False) -> None:
        if reached.position < self.least.position:
            self.least = reached
        elif not stale:
            return
        if self.told is not None:
            self.told.noted(reached, stale=stale)


@frozen
class DatasetCopy:
    """What was known of a dataset so many seconds ago; no card if it was not registered."""

    card: DatasetCard | None
    reached: Reached
    age_seconds: float


class Cached(Protocol):
    """Boards that need not be read again for what was read lately."""

    def over(self, boards: "Boards", settlement: Settlement, noted: Noted) -> "Boards":
        """The same boards; what is older than the settlement needs is read again."""
        ...


class Copies(Protocol):
    async def of_datasets(
        self, datasets: Collection[DatasetUrn], *, least: int
    ) -> Mapping[DatasetUrn, DatasetCopy]:
        """What is left of datasets that cannot be read, and is not older than that."""
        ...


@frozen
class NoCopies:
    async def of_datasets(
        self, datasets: Collection[DatasetUrn], *, least: int
    ) -> Mapping[DatasetUrn, DatasetCopy]:
        return {}


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
    cached: Cached | None = None
    copies: Copies | None = None
    """What is left when the tables do not answer; nothing where an error is the answer then."""
    noted: Noted | None = None
    needed: int = 0
    """The position that must be seen, once that is known."""

    @property
    def shown(self) -> Reached:
        """How far all is at least that was read from them."""
        return self.reached if self.noted is None else self.noted.least

    async def settled(
        self, by: Caller, *projections: str, about: str | Collection[str] = ()
    ) -> "Boards":
        """The boards to read from, once the projections show what the caller must see.

        Raises:
            NotCaughtUp: One does not show a position that was asked for.
        """
        subjects = (about,) if isinstance(about, str) else about
        first, *others = projections
        settled = await self.settling.settle(by, first, *subjects)
        for other in others:
            settled = settled.beside(await self.settling.settle(by, other, *subjects))
        boards = (settled.strong and self.strong) or self
        if self.cached is None:
            return boards.watched(self.settling, settled.reached)
        return self.cached.over(boards, settled, Noted(settled.reached, self.settling))

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
            self.cached,
            self.copies,
        )
