"""Following the log: what several readers share, and what they must not."""

import asyncio
from collections.abc import Sequence

from attrs import define, field
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.eventstore.feed import LogFeed, RecentFeed
from adapters.eventstore.log import Append
from adapters.eventstore.mapper import Mapper
from adapters.eventstore.sealing import Seals
from adapters.memory.keys import MemoryKeys
from adapters.memory.log import MemoryLog
from application.caller import Caller
from application.recorded import ERASED, Recorded
from domain.dataset_config import RuleRemoved
from domain.ids import StreamId

JANE = Caller("jane@company.example")


@define
class Written:
    """A log of so many facts, and a feed that remembers few of them."""

    log: MemoryLog = field(factory=MemoryLog)
    seals: Seals = field(factory=lambda: Seals(MemoryKeys()))

    @property
    def mapper(self) -> Mapper:
        return Mapper.of_catalogue(self.seals)

    def write(self, count: int) -> None:
        for _ in range(count):
            version = asyncio.run(self.log.head()) + 1
            event = self.mapper.event(
                StreamId("dataset-x"), version, RuleRemoved(str(version)), event_id=b"", by=JANE
            )
            self.log.submit(Append([event])).result()

    def feed(self, most: int) -> RecentFeed:
        return RecentFeed(LogFeed(self.log, self.mapper), most)


def read(feed: RecentFeed, after: int, limit: int) -> Sequence[Recorded]:
    return asyncio.run(feed.read(after, limit))


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 12), st.integers(0, 40), st.integers(1, 15))),
    st.integers(1, 8),
)
def test_readers_get_what_the_log_has_however_they_read(
    steps: list[tuple[int, int, int]], most: int
) -> None:
    """Some of it at least, in order, without a gap: whoever wants more asks again."""
    written = Written()
    feed, bare = written.feed(most), LogFeed(written.log, written.mapper)
    for more, after, limit in steps:
        written.write(more)
        got, there = read(feed, after, limit), asyncio.run(bare.read(after, limit))
        assert list(got) == list(there[: len(got)])
        assert bool(got) == bool(there)


def test_what_was_read_is_decoded_once() -> None:
    written = Written()
    written.write(5)
    feed = written.feed(100)
    first = read(feed, 0, 3)
    assert [one is other for one, other in zip(first, read(feed, 0, 3), strict=True)] == [True] * 3
    assert [one.position for one in read(feed, 2, 10)] == [3]
    assert [one.position for one in read(feed, 3, 10)] == [4, 5]


def test_what_is_remembered_is_bounded() -> None:
    written = Written()
    written.write(50)
    feed = written.feed(5)
    for after in range(50):
        read(feed, after, 1)
    assert len(feed._recent) <= 10


def test_an_erased_person_is_not_remembered() -> None:
    written = Written()
    written.write(1)
    feed = written.feed(100)
    assert read(feed, 0, 1)[0].by == JANE.principal
    written.seals.forget(JANE.principal)
    feed.forget_all()
    assert read(feed, 0, 1)[0].by == ERASED
