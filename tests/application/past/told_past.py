"""A story's past: as it is found through the directory, and by folding all that had happened."""

from collections.abc import Sequence
from datetime import datetime

from attrs import frozen

from adapters.eventstore.sealing import Seals
from adapters.memory.engine import MemoryEngine
from adapters.memory.keys import MemoryKeys
from adapters.memory.scratch import MemoryScratches
from adapters.tables.cards import TableCards
from adapters.tables.directory import TableDirectory
from application.past.past import Past
from application.ports.history import End, History
from application.ports.scratch import Scratch
from application.projections.directory import DIRECTORY, StreamDirectory
from application.projections.incident_board import IncidentCards
from application.projections.lineage_index import LineageCards
from application.projections.progress import Progress, Reached
from application.projections.projection import Projection
from application.projections.registry import DatasetCards
from application.projections.resolution_map import RuleCards
from application.projections.signal_board import SignalCards
from application.recorded import Recorded
from domain.ids import StreamId
from tests.application.projections.story import runner

ALL: Sequence[Projection] = (
    SignalCards(checkpoint_every=3),
    DatasetCards(),
    RuleCards(),
    LineageCards(),
    IncidentCards(),
)


@frozen
class ToldHistory:
    """A story, stream by stream. Every fact that is read is counted."""

    facts_told: Sequence[Recorded]
    read: list[Recorded]

    async def end(self) -> End:
        return End(len(self.facts_told))

    async def position_at(self, moment: datetime) -> int:
        return sum(fact.at <= moment for fact in self.facts_told)

    async def version_at(self, stream: StreamId, position: int) -> int:
        return sum(f.stream == stream for f in self.facts_told if f.position <= position)

    async def facts(self, stream: StreamId, *, after: int, upto: int) -> Sequence[Recorded]:
        found = [f for f in self.facts_told if f.stream == stream and after < f.version <= upto]
        self.read.extend(found)
        return found


async def past_of(
    facts: Sequence[Recorded], moment: datetime, most: int = 2_000, history: History | None = None
) -> Past:
    """The past as it is found once everything was projected."""
    engine, seals, progress = MemoryEngine(), Seals(MemoryKeys()), Progress()
    await runner([*ALL, StreamDirectory()], facts, TableCards(engine, seals)).catch_up()
    progress.moved(DIRECTORY, Reached(len(facts)))
    history = history or ToldHistory(facts, [])
    return Past(
        ALL,
        history,
        TableDirectory(engine, most),
        MemoryScratches(seals),
        progress,
        0.0,
        await history.position_at(moment),
        moment,
    )


async def brute_force(facts: Sequence[Recorded], moment: datetime) -> Scratch:
    """All that had been recorded by then, folded from the beginning."""
    scratch = MemoryScratches(Seals(MemoryKeys()))(moment)
    before = [fact for fact in facts if fact.at <= moment]
    await runner(ALL, before, scratch.cards).catch_up()
    return scratch
