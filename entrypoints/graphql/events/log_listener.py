"""Listening to the log for one subscription: one of so many, until it is closed."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from typing import Any, Generic, TypeVar

from attrs import define, field

from application.delivery.event import Event, EventType
from application.delivery.subscription import EventFilter
from application.violations import refuse_any
from domain.errors import Violation
from domain.ids import DatasetUrn
from entrypoints.graphql.context import Context
from entrypoints.interfaces.consistency import position_said
from entrypoints.interfaces.event_streams import EventStreams
from entrypoints.interfaces.names import dataset_named

MOST_DATASETS = 100

T = TypeVar("T")


@define(eq=False)
class Listening(Generic[T]):
    """What is told of events; whoever made one has entered, and it leaves when it is closed."""

    streams: EventStreams
    _told: AsyncGenerator[T, None]
    _left: bool = field(default=False, init=False)

    def __aiter__(self) -> "Listening[T]":
        return self

    async def __anext__(self) -> T:
        return await anext(self._told)

    async def aclose(self) -> None:
        # Also if nothing was ever asked for: then the generator itself would not know.
        if not self._left:
            self._left = True
            self.streams.leave()
        await self._told.aclose()


async def listening(
    context: Context,
    types: Iterable[EventType],
    datasets: frozenset[DatasetUrn],
    after: str | None,
    found: list[Violation],
    told: Callable[[Event], Awaitable[T | None]],
) -> Listening[T]:
    """Tells of what fits, unless there is nothing to tell of it.

    Raises:
        Invalid: There is no such position.
        Unavailable: Enough listen already.
    """
    position = position_said("after", after, found)
    refuse_any(found)
    hear, streams = context.use.listen_to_events, context.event_streams
    start = await hear.start(position, by=context.by)
    streams.enter()
    wanted = EventFilter(frozenset(types), datasets)
    source = hear.follow(start, wanted, patience=streams.heartbeat)
    return Listening(streams, _each(source, told))


async def _each(
    source: Any, told: Callable[[Event], Awaitable[T | None]]
) -> AsyncGenerator[T, None]:
    try:
        async for events, _ in source:
            for event in events:
                one = await told(event)
                if one is not None:
                    yield one
    finally:
        await source.aclose()


def datasets_named(field: str, urns: list[str], found: list[Violation]) -> frozenset[DatasetUrn]:
    if len(urns) > MOST_DATASETS:
        said = f"must be at most {MOST_DATASETS}"
        found.append(Violation(field, "TOO_MANY", said))
        return frozenset()
    return frozenset(dataset_named(urn, found) for urn in urns)
