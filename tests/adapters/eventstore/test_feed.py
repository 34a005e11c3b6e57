"""Following the log: what several readers share, and what they must not."""

import asyncio
from collections.abc import Sequence

import pytest
from attrs import define, field
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.eventstore.feed import LogFeed, RecentFeed
from adapters.eventstore.log import Append, NewEvent
from adapters.eventstore.mapper import Mapper
from adapters.eventstore.sealing.seals import PersonalKey, Seals
from adapters.memory.keys import MemoryKeys
from adapters.memory.log import MemoryLog
from application.caller import Caller
from application.errors import Unavailable
from application.recorded import ERASED, Recorded, Unreadable
from domain.dataset.config import RuleRemoved
from domain.streams import StreamId

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


def test_who_only_looks_at_the_next_fact_does_not_make_others_read_one_by_one() -> None:
    written = Written()
    written.write(10)
    feed = written.feed(most=100)
    assert len(read(feed, 0, 1)) == 1
    assert len(read(feed, 0, 8)) == 8


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


def test_what_cannot_be_understood_is_shown_as_such_in_its_place() -> None:
    written = Written()
    written.write(2)
    for name, data in (("dataset.never_heard_of", b"{}"), ("dataset.rule_removed", b"no json")):
        version = asyncio.run(written.log.head()) + 1
        meta = asyncio.run(written.log.read(0, 1))[0].meta
        strange = NewEvent("dataset-x", version, name, data, b"id", meta)
        written.log.submit(Append([strange])).result()
    written.write(1)
    facts = read(written.feed(100), 0, 10)
    assert [one.position for one in facts] == [1, 2, 3, 4, 5]
    assert [type(one.fact) for one in facts[1:]] == [
        RuleRemoved,
        Unreadable,
        Unreadable,
        RuleRemoved,
    ]
    assert facts[2].fact == Unreadable(
        "dataset.never_heard_of", "it cannot be read (NotInCatalogue)"
    )
    assert (facts[2].stream, facts[2].version, facts[2].event_id) == ("dataset-x", 3, b"id")


def test_what_cannot_be_opened_for_now_is_not_shown_as_strange() -> None:
    class NoKeys(MemoryKeys):
        def key(self, key_id: str) -> PersonalKey | None:
            raise Unavailable("the key file", "it is away")

    written = Written()
    written.write(1)
    written.seals = Seals(NoKeys())
    with pytest.raises(Unavailable):
        read(written.feed(100), 0, 1)
