"""A story's past: as it is found through the directory, and by folding all that had happened."""

from collections.abc import Sequence
from datetime import datetime

from attrs import frozen

from adapters.eventstore.sealing.seals import Seals
from adapters.memory.engine import MemoryEngine
from adapters.memory.keys import MemoryKeys
from adapters.memory.scratch import MemoryScratches
from adapters.read_models.stream_directory import TableDirectory
from adapters.read_models.view_store import TableCards
from application.projections.datasets import DatasetCards
from application.projections.incidents import IncidentCards
from application.projections.lineage import LineageCards
from application.projections.progress import Progress, Reached
from application.projections.projection import Projection
from application.projections.resolution_rules import RuleCards
from application.projections.signals import SignalCards
from application.projections.stream_directory import DIRECTORY, StreamDirectory
from application.reads.as_of.snapshot import Past
from application.reads.history import History
from application.reads.scratch import Scratch
from application.recorded import Recorded
from domain.streams import StreamId
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

    def position_at(self, moment: datetime) -> int:
        return sum(fact.at <= moment for fact in self.facts_told)

    async def version_at(self, stream: StreamId, position: int) -> int:
        return sum(f.stream == stream for f in self.facts_told if f.position <= position)

    async def facts(self, stream: StreamId, *, after: int, upto: int) -> Sequence[Recorded]:
        found = [f for f in self.facts_told if f.stream == stream and after < f.version <= upto]
        self.read.extend(found)
        return found


async def past_of(
    facts: Sequence[Recorded],
    moment: datetime,
    most: int = 2_000,
    history: History | None = None,
    position: int | None = None,
) -> Past:
    """The past as it is found once everything was projected."""
    engine, seals, progress = MemoryEngine(), Seals(MemoryKeys()), Progress()
    await runner([*ALL, StreamDirectory()], facts, TableCards(engine, seals)).catch_up()
    progress.moved(DIRECTORY, Reached(len(facts)))
    told = ToldHistory(facts, [])
    return Past(
        ALL,
        history or told,
        TableDirectory(engine, most),
        MemoryScratches(seals),
        progress,
        0.0,
        told.position_at(moment) if position is None else position,
        moment,
    )


async def brute_force(facts: Sequence[Recorded], moment: datetime) -> Scratch:
    """All that had been recorded by then, folded from the beginning."""
    scratch = MemoryScratches(Seals(MemoryKeys()))(moment)
    before = [fact for fact in facts if fact.at <= moment]
    await runner(ALL, before, scratch.cards).catch_up()
    return scratch
