"""Small random logs, told append by append."""

from collections import defaultdict
from collections.abc import Sequence

from attrs import frozen
from hypothesis import strategies as st

from adapters.eventstore.log import Append, Log, LogEntry, NewEvent
from tests.adapters.eventstore.engines import Clock

STREAMS = ("a-1", "b-ü", "c-3")


@frozen
class Told:
    """An append, and how many milliseconds after the one before."""

    append: Append
    later: int


_events = st.tuples(
    st.sampled_from(STREAMS),
    st.sampled_from(["thing.happened", "thing.ended"]),
    st.binary(max_size=40) | st.just(b'{"a": 1}'),
    st.binary(min_size=16, max_size=16) | st.just(b""),
    st.binary(max_size=10),
)


@st.composite
def stories(draw: st.DrawFn, most: int = 6) -> Sequence[Told]:
    """Appends that continue their streams, which begin at 0 or 1."""
    begins = draw(st.integers(0, 1))
    last: defaultdict[str, int] = defaultdict(lambda: begins - 1)
    told = []
    for drawn in draw(st.lists(st.lists(_events, min_size=1, max_size=5), max_size=most)):
        events = []
        for stream, name, data, event_id, meta in drawn:
            last[stream] += 1
            events.append(NewEvent(stream, last[stream], name, data, event_id, meta))
        told.append(Told(Append(events), draw(st.integers(0, 2))))
    return told


async def tell(log: Log, clock: Clock, story: Sequence[Told]) -> None:
    for one in story:
        clock.move(milliseconds=one.later)
        await log.append(one.append)


async def whole(log: Log) -> list[LogEntry]:
    return list(await log.read(0, 10_000))
