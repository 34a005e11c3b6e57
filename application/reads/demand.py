"""
How up to date an answer must be, or as of when.

    nothing asked      from the read models, at least with the caller's own last write
    min_position       from the read models, once they show a position; an error if not in time
    strong             folded from the streams concerned, with all that is recorded by now
    as of a moment     folded from the streams concerned, with all that was recorded by then
"""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from functools import cache
from typing import Any, Generic, ParamSpec, TypeVar

from attrs import define, fields, frozen

from application.caller import Caller
from application.errors import NotCaughtUp, NotYet, Unavailable
from application.maintenance.stream_directory import Directory
from application.ports.clock import Clock
from application.projections.progress import Reached
from application.projections.stream_directory import DIRECTORY
from application.reads.as_of.datasets import PastRegistry, PastRules
from application.reads.as_of.facts import PastFacts
from application.reads.as_of.incidents import PastIncidentBoard
from application.reads.as_of.lineage import PastLineageGraph
from application.reads.as_of.signals import PastSignalBoard
from application.reads.as_of.snapshot import Past
from application.reads.history import End, History
from application.reads.position import Position
from application.reads.read_your_writes import LINEAGE, OwnWrites, Settlement
from application.reads.reader import Boards
from application.subscriptions.feed import Feed
from domain.errors import Invalid, Violation

P = ParamSpec("P")
R = TypeVar("R")


@frozen
class Demand:
    as_of: datetime | None = None
    min_position: Position | None = None
    strong: bool = False


NOTHING = Demand()
_FAR_AWAY = 2**63


@frozen
class Answer(Generic[R]):
    """An answer, and what it is an answer about."""

    told: R
    position: int
    """All facts up to here are in it."""
    age_seconds: float | None
    """How old it may be at most, compared with the moment asked about; nothing if not known."""
    as_of: datetime | None = None
    stale: bool = False
    """Whether copies were shown of what could not be read."""


@frozen
class Reads:
    """Asks use cases about now or about the past: they have `boards`, and are given others."""

    boards: Boards
    own_writes: OwnWrites
    feed: Feed
    history: History
    past: Callable[[int, datetime], Past]
    clock: Clock

    async def ask(
        self,
        demand: Demand,
        use_case: Callable[P, Awaitable[R]],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> Answer[R]:
        """Raises, besides what the use case does:

        NotYet: The moment has not come.
        NotCaughtUp: The read models do not show in time what must be seen.
        Invalid: The position is none of this log.
        """
        try:
            end = await self._end(demand)
        except Unavailable:
            if demand != NOTHING:
                raise
            # There may be copies of what is asked for. How far the log is, nobody can say.
            end = End(_FAR_AWAY)
        _check(demand, end.position)
        if demand.as_of is not None:
            return await self._as_of(demand.as_of, use_case, *args, **kwargs)
        if demand.strong:
            past = _boards(self.past(end.position, self.clock.now()))
            return Answer(await _over(past, use_case)(*args, **kwargs), end.position, 0.0)
        floor = demand.min_position.number if demand.min_position else 0
        watch = Watch(self.own_writes, floor)
        now = self.boards.watched(watch, self.boards.reached)
        told = await _over(now, use_case)(*args, **kwargs)
        # What is read from streams is as new as the log.
        least = watch.least or Reached(end.position % _FAR_AWAY)
        if least.position < floor:
            # Such as a default that was told because nothing could be read.
            raise NotCaughtUp("what could be read", least.position, floor)
        return Answer(told, least.position, self._age(least, end), stale=watch.stale)

    async def directory(self, demand: Demand, at: datetime, *, by: Caller) -> Directory:
        """The directory, once it knows the streams of a moment and those that must be seen.

        Raises:
            NotCaughtUp: It does not in time.
        """
        position = await self.history.position_at(at)
        if demand.as_of is None:
            await self.own_writes.settle(by, DIRECTORY, LINEAGE)
            floor = demand.min_position.number if demand.min_position else 0
            head = (await self._end(demand)).position if demand.strong else 0
            position = max(position, floor, head)
        return await self.past(position, at).listed()

    async def _end(self, demand: Demand) -> End:
        """The end as it was lately, unless the answer must rest on the one of this moment."""
        end = await self.history.end()
        if demand is NOTHING:
            return end
        wanted = demand.min_position
        if demand.strong or (wanted is not None and wanted.number > end.position):
            return End(await self.feed.head())
        return end

    async def _as_of(
        self,
        moment: datetime,
        use_case: Callable[P, Awaitable[R]],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> Answer[R]:
        if moment > (now := self.clock.now()):
            raise NotYet(moment, now)
        position = await self.history.position_at(moment)
        past = _boards(self.past(position, moment))
        told = await _over(past, use_case)(*args, **kwargs)
        return Answer(told, position, 0.0, moment)

    def _age(self, reached: Reached, end: End) -> float | None:
        if reached.position >= end.position:
            return end.seconds_ago
        if reached.at is None:
            return None
        return max((self.clock.now() - reached.at).total_seconds(), 0.0)


def _check(demand: Demand, head: int) -> None:
    wanted = demand.min_position
    if wanted is None:
        return
    if (wanted.epoch, wanted.lane) != (Position(0).epoch, Position(0).lane):
        said = "must be a position of this log; this one is of another epoch"
        raise Invalid([Violation("min_position", "OTHER_EPOCH", said)])
    if wanted.number > head:
        said = "must be a position that this log has reached; was it restored from a copy?"
        raise Invalid([Violation("min_position", "BEYOND_HEAD", said)])


def _over(boards: Boards, use_case: Callable[P, Awaitable[R]]) -> Callable[P, Awaitable[R]]:
    """The same use case on other boards. Every read asks for it, and `evolve` takes longer."""
    untyped: Any = type(use_case)
    others = {told: getattr(use_case, name) for name, told in _others(untyped)}
    asked: Callable[P, Awaitable[R]] = untyped(boards=boards, **others)
    return asked


@cache
def _others(use_case: type[Any]) -> Sequence[tuple[str, str]]:
    """What a use case is made of besides its boards: what it is called there, and when made."""
    parts = [one for one in fields(use_case) if one.init and one.name != "boards"]
    return [(one.name, one.alias or one.name) for one in parts]


def _boards(past: Past) -> Boards:
    return Boards(
        signals=PastSignalBoard(past),
        incidents=PastIncidentBoard(past),
        registry=PastRegistry(past),
        rules=PastRules(past),
        lineage=PastLineageGraph(past),
        facts=PastFacts(past),
        settling=Still(Reached(past.position, past.at)),
    )


@frozen
class Still:
    """The past does not move: there is nothing to wait for."""

    reached: Reached

    async def settle(self, by: Caller, projection: str, *about: str) -> Settlement:
        return Settlement(self.reached)

    def noted(self, reached: Reached, *, stale: bool) -> None:
        """The past is not kept in caches."""


@define
class Watch:
    """Waits for the caller's own writes and for a position, and notes how far was read."""

    own_writes: OwnWrites
    floor: int
    least: Reached | None = None
    stale: bool = False

    def noted(self, reached: Reached, *, stale: bool) -> None:
        """What was read is only as far as this."""
        if self.least is None or reached.position < self.least.position:
            self.least = reached
        self.stale = self.stale or stale

    async def settle(self, by: Caller, projection: str, *about: str) -> Settlement:
        own = await self.own_writes.settle(by, projection, *about)
        if self.floor:
            own = await self._above_the_floor(own, projection)
        self.noted(own.reached, stale=False)
        return own

    async def _above_the_floor(self, own: Settlement, projection: str) -> Settlement:
        reached = own.reached
        if reached.position < self.floor:
            reached = await self._caught_up(projection)
        return Settlement(reached, strong=True, needed=max(own.needed, self.floor))

    async def _caught_up(self, projection: str) -> Reached:
        progress, patience = self.own_writes.progress, self.own_writes.patience
        if await progress.wait(projection, self.floor, timeout=patience):
            return progress.reached(projection)
        reached = progress.reached(projection).position
        raise NotCaughtUp(projection, reached, self.floor)
