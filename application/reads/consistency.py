"""Opens readers that are as up to date as a request demands."""

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import Protocol

from attrs import frozen

from application.caller import Caller
from application.errors import NotCaughtUp, NotYet, Unavailable
from application.maintenance.stream_directory import Directory
from application.ports.clock import Clock
from application.projections.progress import Reached
from application.projections.stream_directory import DIRECTORY
from application.reads.as_of.reader import PastReader
from application.reads.as_of.snapshot import Past
from application.reads.demand import NOTHING, Demand
from application.reads.history import End, LogPositions
from application.reads.position import Position
from application.reads.read_your_writes import LINEAGE, OwnWrites, Settlement
from application.reads.reader import CurrentReader, Freshness, Reader
from domain.errors import Invalid, Violation


class CurrentReaders(Protocol):
    def open(self, settlement: Settlement, freshness: Freshness) -> CurrentReader:
        """A reader that shows what the settlement needs and notes how recent that is."""
        ...


@frozen
class Reads:
    readers: CurrentReaders
    own_writes: OwnWrites
    log: LogPositions
    past: Callable[[int, datetime], Past]
    clock: Clock

    async def open(
        self,
        demand: Demand,
        *,
        by: Caller,
        projections: Sequence[str] = (),
        about: Collection[str] = (),
    ) -> Reader:
        """Wait until the projections show what the caller must see, and open a reader.

        The caller must see its own last write about these subjects, or about anything if none is
        named, and what it demands. Streams need no projection.

        Raises:
            NotYet: The moment has not come.
            NotCaughtUp: A projection does not show the demanded position in time.
            Invalid: The position is none of this log.
        """
        end = await self._end(demand)
        _check(demand, end)
        if demand.as_of is not None:
            return await self._open_past(demand.as_of)
        if demand.strong and end is not None:
            return PastReader(self.past(end.position, self.clock.now()))
        least = demand.min_position.number if demand.min_position else 0
        return await self._open_current(end, least, by, projections, about)

    async def open_now(
        self, *, by: Caller, projections: Sequence[str], about: Collection[str] = ()
    ) -> CurrentReader:
        """Like `open`, for what can only be read as it is now."""
        return await self._open_current(await self._end(NOTHING), 0, by, projections, about)

    async def directory(self, demand: Demand, at: datetime, *, by: Caller) -> Directory:
        """The directory, once it knows the streams of a moment and those that must be seen.

        Raises:
            NotCaughtUp: It does not in time.
        """
        position = await self.log.position_at(at)
        if demand.as_of is None:
            await self.own_writes.settle(by, DIRECTORY, LINEAGE)
            least = demand.min_position.number if demand.min_position else 0
            head = await self.log.head() if demand.strong else 0
            position = max(position, least, head)
        return await self.past(position, at).listed()

    async def _end(self, demand: Demand) -> End | None:
        """The end as it was lately, unless the answer must rest on the one of this moment."""
        try:
            end = await self.log.end()
        except Unavailable:
            if demand != NOTHING:
                raise
            # Caches may have copies of what is asked for.
            return None
        wanted = demand.min_position
        if demand.strong or (wanted is not None and wanted.number > end.position):
            return End(await self.log.head())
        return end

    async def _open_past(self, moment: datetime) -> Reader:
        if moment > (now := self.clock.now()):
            raise NotYet(moment, now)
        position = await self.log.position_at(moment)
        return PastReader(self.past(position, moment), as_of=moment)

    async def _open_current(
        self,
        end: End | None,
        least: int,
        by: Caller,
        projections: Sequence[str],
        about: Collection[str],
    ) -> CurrentReader:
        # What is read from streams is as new as the log.
        settlement = Settlement(Reached(end.position) if end is not None else Reached())
        for number, projection in enumerate(projections):
            settled = await self.own_writes.settle(by, projection, *about)
            if least:
                settled = await self._reaching(least, settled, projection)
            settlement = settlement.beside(settled) if number else settled
        freshness = Freshness(settlement.reached, end, self.clock, least)
        return self.readers.open(settlement, freshness)

    async def _reaching(self, least: int, settled: Settlement, projection: str) -> Settlement:
        reached = settled.reached
        if reached.position < least:
            reached = await self._caught_up(projection, least)
        return Settlement(reached, strong=True, needed=max(settled.needed, least))

    async def _caught_up(self, projection: str, least: int) -> Reached:
        progress, patience = self.own_writes.progress, self.own_writes.patience
        if await progress.wait(projection, least, timeout=patience):
            return progress.reached(projection)
        raise NotCaughtUp(projection, progress.reached(projection).position, least)


def _check(demand: Demand, end: End | None) -> None:
    wanted = demand.min_position
    if wanted is None or end is None:
        return
    if (wanted.epoch, wanted.lane) != (Position(0).epoch, Position(0).lane):
        said = "must be a position of this log; this one is of another epoch"
        raise Invalid([Violation("min_position", "POSITION_OF_ANOTHER_LOG", said)])
    if wanted.number > end.position:
        said = "must be a position that this log has reached; was it restored from a copy?"
        raise Invalid([Violation("min_position", "POSITION_BEYOND_END", said)])
