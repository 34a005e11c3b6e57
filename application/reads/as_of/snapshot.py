"""
The log up to a position, folded for one answer.

Only the streams that the answer is about are read, by the same projections and through the same
read models as those of now. Of some streams the last fact says all; a signal's are read from its
last checkpoint on.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from datetime import datetime

from attrs import define, field

from application.errors import NotCaughtUp
from application.maintenance.stream_directory import Directory
from application.projections.batch import Batch
from application.projections.progress import Progress
from application.projections.projection import Projection
from application.projections.stream_directory import DIRECTORY
from application.projections.view_store import Filed, Key
from application.reads.history import History
from application.reads.scratch import Scratch, Scratches
from application.recorded import Recorded
from application.signals.read_model import SignalKey
from domain.stream_categories import dataset_of, signal_of
from domain.streams import StreamId

_LAST_SAYS_ALL = ("fault", "lineage")
_PAGE = 200
_TURN = 10
"""Streams after which others have their turn: many take a while."""


@define
class Past:
    projections: Sequence[Projection]
    history: History
    directory: Directory
    scratches: Scratches
    progress: Progress
    patience: float
    position: int
    at: datetime
    _folded: dict[tuple[str, tuple[StreamId, ...]], Scratch] = field(factory=dict)
    _folds: int = 0

    async def listed(self) -> Directory:
        """The directory, once it knows all streams that there were.

        Raises:
            NotCaughtUp: It does not in time.
        """
        if not await self.progress.wait(DIRECTORY, self.position, timeout=self.patience):
            reached = self.progress.reached(DIRECTORY).position
            raise NotCaughtUp(DIRECTORY, reached, self.position)
        return self.directory

    async def folded(self, projection: str, streams: Iterable[StreamId]) -> Scratch:
        """What these streams come to in a projection; the same ones are folded once."""
        wanted = (projection, tuple(sorted(set(streams))))
        if wanted not in self._folded:
            scratch = self.scratches(self.at)
            await self.fold_into(scratch, *wanted)
            self._folded[wanted] = scratch
        return self._folded[wanted]

    async def fold_into(
        self, scratch: Scratch, projection: str, streams: Iterable[StreamId]
    ) -> None:
        """Add what these streams come to; none of them may have been folded in before."""
        facts: list[Recorded] = []
        seeds: dict[Key, Filed] = {}
        for number, stream in enumerate(streams, start=1):
            facts += [fact async for fact in self._facts(stream, seeds)]
            if number % _TURN == 0:
                await asyncio.sleep(0)
        by = next(one for one in self.projections if one.name == projection)
        await self._fold(scratch, by, sorted(facts, key=lambda fact: fact.position), seeds)

    async def last_fact(self, stream: StreamId) -> Recorded | None:
        last = await self.history.version_at(stream, self.position)
        found = await self.history.facts(stream, after=last - 1, upto=last) if last else ()
        return found[0] if found else None

    async def _facts(self, stream: StreamId, seeds: dict[Key, Filed]) -> AsyncIterator[Recorded]:
        last = await self.history.version_at(stream, self.position)
        after = await self._start(stream, last, seeds)
        while after < last:
            upto = min(after + _PAGE, last)
            for recorded in await self.history.facts(stream, after=after, upto=upto):
                yield recorded
            after = upto

    async def _start(self, stream: StreamId, last: int, seeds: dict[Key, Filed]) -> int:
        """The version after which facts must be read; what came before may be seeded."""
        category = stream.partition("-")[0]
        if category in _LAST_SAYS_ALL:
            return max(last - 1, 0)
        if category != "signal" or not last:
            return 0
        key = SignalKey(dataset_of(stream), signal_of(stream))
        found = await self.directory.checkpoint(key.dataset, key.signal_type, version=last)
        if found is None:
            return 0
        seeds[key] = Filed(found.card, found.position)
        return found.version

    async def _fold(
        self,
        scratch: Scratch,
        projection: Projection,
        facts: Sequence[Recorded],
        seeds: Mapping[Key, Filed],
    ) -> None:
        if not facts and not seeds:
            return
        batch = await Batch.of(projection, facts, scratch.cards, seeds)
        batch.filed = {**seeds, **batch.filed}
        for number, fact in enumerate(batch.facts, start=1):
            batch.fold(projection, fact)
            if number % _PAGE == 0:
                await asyncio.sleep(0)
        unchanged = {key: (seed.card, seed.position) for key, seed in seeds.items()}
        # What is filed under one name must go on where it was left; this may go back.
        self._folds += 1
        name = f"{projection.name} {self._folds}"
        await scratch.cards.file(name, {**unchanged, **batch.changes}, upto=self.position)
