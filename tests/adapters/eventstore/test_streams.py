"""Streams over a log: several at once, races, remembered states, request keys, snapshots."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from adapters.eventstore.catalogue import Catalogue, Entry
from adapters.eventstore.codec import Codec
from adapters.eventstore.history import LogHistory
from adapters.eventstore.log import Append, Log, LogEntry, NewEvent, Receipt, StreamConflict
from adapters.eventstore.mapper import Mapper
from adapters.eventstore.sealing import Seals
from adapters.eventstore.snapshots import Snapshot, Snapshots
from adapters.eventstore.streams import LoggedStreams
from adapters.memory.keys import MemoryKeys
from adapters.memory.log import MemoryLog
from adapters.memory.snapshots import MemorySnapshots
from application.caller import Caller, RequestKey
from application.errors import Contended, KeyReused, NotReadable
from application.ports.streams import Decision, States
from application.requests import Answered
from domain.errors import Refused
from domain.ids import StreamId
from tests.adapters.eventstore.engines import ENGINES, Clock

ONE, OTHER = StreamId("counter-one"), StreamId("counter-other")
ANN, BOB = Caller("ann"), Caller("bob")


@frozen
class Counted:
    by: int


@frozen
class Counter:
    total: int = 0
    facts: int = 0

    def after(self, fact: Counted) -> "Counter":
        return Counter(self.total + fact.by, self.facts + 1)


class TooHigh(Refused):
    pass


FACTS = Catalogue((Entry("counter.counted", Counted), Entry("request.answered", Answered)))
SNAPSHOTS = Catalogue((Entry("counter", Counter),))


def streams_on(
    log: Log, store: MemorySnapshots | None = None, every: int = 1_000_000, remembered: int = 1_000
) -> LoggedStreams:
    seals = Seals(MemoryKeys())
    ids = count(1)
    return LoggedStreams(
        log,
        Mapper(seals, Codec(FACTS, seals)),
        Snapshots(store or MemorySnapshots(), Codec(SNAPSHOTS, seals), every),
        lambda: next(ids).to_bytes(16, "big"),
        remembered,
    )


@pytest.fixture(params=ENGINES)
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Log]:
    with ENGINES[request.param].open(tmp_path, Clock()) as opened:
        yield opened


def counting(*by: int, stream: StreamId = ONE) -> Callable[[States], Decision]:
    return lambda states: {stream: [Counted(n) for n in by]}


async def total(streams: LoggedStreams, stream: StreamId = ONE) -> int:
    return (await streams.state(stream, Counter())).total


def run(story: Any) -> Any:
    return asyncio.run(story)


# Deciding


def test_what_was_decided_is_appended_to_all_streams_at_once(log: Log) -> None:
    async def story() -> None:
        streams = streams_on(log)
        committed = await streams.transact(
            {ONE: Counter(), OTHER: Counter()},
            lambda states: {ONE: [Counted(1)], OTHER: [Counted(2), Counted(3)]},
            by=ANN,
        )
        assert committed.states == {ONE: Counter(1, 1), OTHER: Counter(5, 2)}
        assert committed.position == await log.head() == 3
        assert committed.at is not None
        assert [(fact.stream, fact.version) for fact in await streams.facts(OTHER)] == [
            (OTHER, 1),
            (OTHER, 2),
        ]

    run(story())


def test_deciding_nothing_records_nothing(log: Log) -> None:
    async def story() -> None:
        committed = await streams_on(log).transact({ONE: Counter()}, counting(), by=ANN)
        assert committed.at is None
        assert await log.head() == 0

    run(story())


def test_a_refusal_records_nothing(log: Log) -> None:
    def refuse(states: States) -> Decision:
        raise TooHigh

    async def story() -> None:
        with pytest.raises(TooHigh):
            await streams_on(log).transact({ONE: Counter()}, refuse, by=ANN)
        assert await log.head() == 0

    run(story())


# Races: two LoggedStreams on one log are two processes with a memory each.


def test_the_loser_of_a_race_decides_again_on_what_the_winner_did(log: Log) -> None:
    async def story() -> None:
        mine, theirs = streams_on(log), streams_on(log)
        await mine.transact({ONE: Counter()}, counting(1), by=ANN)
        await theirs.transact({ONE: Counter()}, counting(10), by=BOB)
        seen: list[int] = []

        def decide(states: States) -> Decision:
            seen.append(states[ONE].total)
            return {ONE: [Counted(100)]}

        committed = await mine.transact({ONE: Counter()}, decide, by=ANN)
        assert seen == [1, 11]
        assert committed.states[ONE].total == 111

    run(story())


def test_a_guarded_stream_that_moved_makes_the_decision_anew(log: Log) -> None:
    async def story() -> None:
        mine, theirs = streams_on(log), streams_on(log)
        await mine.transact({OTHER: Counter()}, counting(1, stream=OTHER), by=ANN)
        await theirs.transact({OTHER: Counter()}, counting(1, stream=OTHER), by=BOB)
        seen: list[int] = []

        def decide(states: States) -> Decision:
            seen.append(states[OTHER].total)
            return {ONE: [Counted(1)]}

        await mine.transact({ONE: Counter(), OTHER: Counter()}, decide, by=ANN)
        assert seen == [1, 2]

    run(story())


def test_an_advisory_stream_may_move(log: Log) -> None:
    async def story() -> None:
        mine, theirs = streams_on(log), streams_on(log)
        await mine.transact({OTHER: Counter()}, counting(1, stream=OTHER), by=ANN)
        await theirs.transact({OTHER: Counter()}, counting(1, stream=OTHER), by=BOB)
        seen: list[int] = []

        def decide(states: States) -> Decision:
            seen.append(states[OTHER].total)
            return {ONE: [Counted(1)]}

        reads = {ONE: Counter(), OTHER: Counter()}
        await mine.transact(reads, decide, by=ANN, advisory=[OTHER])
        assert seen == [1]

    run(story())


def test_no_answer_rests_on_an_old_memory(log: Log) -> None:
    """Deciding nothing, and refusing, are believed only when the memory was fresh."""

    def up_to_ten(states: States) -> Decision:
        if states[ONE].total >= 10:
            raise TooHigh
        return {}

    async def story() -> None:
        mine, theirs = streams_on(log), streams_on(log)
        await mine.transact({ONE: Counter()}, counting(1), by=ANN)
        await theirs.transact({ONE: Counter()}, counting(20), by=BOB)
        with pytest.raises(TooHigh):
            await mine.transact({ONE: Counter()}, up_to_ten, by=ANN)
        await theirs.transact({ONE: Counter()}, counting(-20), by=BOB)
        assert (await mine.transact({ONE: Counter()}, up_to_ten, by=ANN)).at is None
        assert await total(mine) == 1

    run(story())


def test_many_callers_of_one_stream_all_get_their_turn(log: Log) -> None:
    async def story() -> None:
        streams = [streams_on(log), streams_on(log)]
        callers = [
            streams[n % 2].transact({ONE: Counter()}, counting(1), by=ANN) for n in range(60)
        ]
        await asyncio.gather(*callers)
        assert await total(streams_on(log)) == 60

    run(story())


class LosingLog(MemoryLog):
    """A log on which someone else is always faster."""

    async def append(self, append: Append) -> Receipt:
        raise StreamConflict(ONE, 1, 1)


def test_who_always_loses_is_told_so() -> None:
    with pytest.raises(Contended) as told:
        run(streams_on(LosingLog()).transact({ONE: Counter()}, counting(1), by=ANN))
    assert told.value.streams == (ONE,)


def test_facts_that_are_not_understood_are_not_left_out() -> None:
    log = MemoryLog()
    streams = streams_on(log)
    run(streams.transact({ONE: Counter()}, counting(1), by=ANN))
    (entry,) = run(log.read(0, 1))
    strange = NewEvent(ONE, 2, "counter.never_heard_of", b'{"secret": 1}', b"id", entry.meta)
    log.submit(Append([strange])).result()
    with pytest.raises(NotReadable, match="counter-one is not understood") as told:
        run(streams.facts(ONE))
    assert "secret" not in str(told.value)
    assert len(run(streams.facts(ONE, limit=1))) == 1
    with pytest.raises(NotReadable, match="counter-one is not understood"):
        run(streams_on(log).state(ONE, Counter()))
    history = LogHistory(log, streams.mapper)
    with pytest.raises(NotReadable, match="counter-one is not understood"):
        run(history.facts(ONE, after=1, upto=2))


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 2), st.integers(-3, 3))))
def test_remembered_states_equal_the_fold_of_the_log(
    moves: Sequence[tuple[int, int, int]],
) -> None:
    """Whoever writes what in whatever order: every answer is the fold of what was recorded."""

    async def story() -> None:
        log = MemoryLog()
        store = MemorySnapshots()
        processes = [streams_on(log, store, every=3, remembered=2) for _ in range(2)]
        model = dict.fromkeys(range(3), 0)
        for who, which, by in moves:
            stream = StreamId(f"counter-{which}")
            facts = (by,) if by else ()
            committed = await processes[who].transact(
                {stream: Counter()}, counting(*facts, stream=stream), by=ANN
            )
            model[which] += by
            assert committed.states[stream].total == model[which]
        for which, expected in model.items():
            fresh = streams_on(log)
            assert await total(fresh, StreamId(f"counter-{which}")) == expected

    run(story())


class ReadingLog(MemoryLog):
    """A log that counts the entries read from it."""

    def __init__(self) -> None:
        super().__init__()
        self.entries_read = 0

    async def stream(
        self, stream: str, *, after: int = -1, upto: int | None = None, limit: int | None = None
    ) -> Sequence[LogEntry]:
        page = await super().stream(stream, after=after, upto=upto, limit=limit)
        self.entries_read += len(page)
        return page


@frozen
class Ledger:
    """A state without snapshots."""

    entries: tuple[int, ...] = ()

    def after(self, fact: Counted) -> "Ledger":
        return Ledger((*self.entries, fact.by))


def test_a_state_without_snapshots_is_folded_once_for_a_burst() -> None:
    async def story() -> None:
        log = ReadingLog()
        streams = streams_on(log)
        await streams.transact({ONE: Counter()}, counting(*range(500)), by=ANN)
        for number in range(10):
            committed = await streams.transact({ONE: Ledger()}, counting(number), by=ANN)
            assert len(committed.states[ONE].entries) == 501 + number
        assert log.entries_read == 500

    run(story())


def test_a_replay_starts_from_what_is_remembered() -> None:
    async def story() -> None:
        log = ReadingLog()
        streams = streams_on(log)
        await streams.transact({ONE: Counter()}, counting(*range(500)), by=ANN)
        first = await streams.transact({ONE: Counter()}, counting(1), by=keyed("k"))
        log.entries_read = 0
        again = await streams.transact({ONE: Counter()}, counting(1), by=keyed("k"))
        assert again.states == first.states
        assert log.entries_read == 1

    run(story())


def test_heavy_states_take_more_of_the_memory() -> None:
    async def story() -> None:
        streams = streams_on(MemoryLog(), remembered=10)
        heavy = Catalogue((Entry("counter", Counter, weight=lambda state: 4),))
        streams.snapshots.codec.catalogue = heavy
        for number in range(5):
            stream = StreamId(f"counter-{number}")
            await streams.transact({stream: Counter()}, counting(1, stream=stream), by=ANN)
        assert len(streams._cache) == 2

    run(story())


# Request keys


def keyed(key: str, fingerprint: str = "f", who: str = "ann") -> Caller:
    return Caller(who, request=RequestKey(key, fingerprint))


def test_a_repeated_request_is_answered_as_the_first_time(log: Log) -> None:
    async def story() -> None:
        streams = streams_on(log)
        first = await streams.transact({ONE: Counter()}, counting(1), by=keyed("k"))
        await streams.transact({ONE: Counter()}, counting(5), by=ANN)
        again = await streams.transact({ONE: Counter()}, counting(1), by=keyed("k"))
        assert again.replayed
        assert again.states == first.states
        assert await total(streams) == 6

    run(story())


def test_a_request_key_is_stored_in_the_same_append(log: Log) -> None:
    async def story() -> None:
        await streams_on(log).transact({ONE: Counter()}, counting(1), by=keyed("k"))
        assert await log.head() == 2
        again = await streams_on(log).transact({ONE: Counter()}, counting(1), by=keyed("k"))
        assert again.replayed

    run(story())


def test_a_request_that_changes_nothing_is_remembered_too(log: Log) -> None:
    async def story() -> None:
        streams = streams_on(log)
        await streams.transact({ONE: Counter()}, counting(), by=keyed("k"))
        with pytest.raises(KeyReused):
            await streams.transact({ONE: Counter()}, counting(1), by=keyed("k", "other"))

    run(story())


def test_a_key_with_another_content_is_refused(log: Log) -> None:
    async def story() -> None:
        streams = streams_on(log)
        await streams.transact({ONE: Counter()}, counting(1), by=keyed("k"))
        with pytest.raises(KeyReused):
            await streams.transact({ONE: Counter()}, counting(2), by=keyed("k", "other"))
        assert await total(streams) == 1

    run(story())


def test_keys_belong_to_their_caller(log: Log) -> None:
    async def story() -> None:
        streams = streams_on(log)
        await streams.transact({ONE: Counter()}, counting(1), by=keyed("k"))
        await streams.transact({ONE: Counter()}, counting(2), by=keyed("k", "other", "bob"))
        assert await total(streams) == 3

    run(story())


def test_the_same_request_at_the_same_time_counts_once(log: Log) -> None:
    async def story() -> None:
        streams = streams_on(log)
        answers = await asyncio.gather(
            *(streams.transact({ONE: Counter()}, counting(1), by=keyed("k")) for _ in range(8))
        )
        assert [answer.states[ONE] for answer in answers] == [Counter(1, 1)] * 8
        assert sorted(answer.replayed for answer in answers) == [False] + [True] * 7
        assert await total(streams) == 1

    run(story())


def test_a_refused_request_may_be_repeated(log: Log) -> None:
    def refuse(states: States) -> Decision:
        raise TooHigh

    async def story() -> None:
        streams = streams_on(log)
        with pytest.raises(TooHigh):
            await streams.transact({ONE: Counter()}, refuse, by=keyed("k"))
        assert not (await streams.transact({ONE: Counter()}, counting(1), by=keyed("k"))).replayed

    run(story())


# Snapshots


def test_a_snapshot_is_taken_every_so_many_facts(log: Log) -> None:
    async def story() -> None:
        store = MemorySnapshots()
        streams = streams_on(log, store, every=10)
        versions = set()
        for _ in range(50):
            await streams.transact({ONE: Counter()}, counting(1), by=ANN)
            taken = await store.latest(ONE, "counter")
            versions.add(taken.version if taken else 0)
        assert len(versions - {0}) == 5
        assert len({version % 10 for version in versions - {0}}) == 1

    run(story())


def test_loading_starts_from_the_snapshot(log: Log) -> None:
    async def story() -> None:
        store = MemorySnapshots()
        await streams_on(log, store, every=1).transact({ONE: Counter()}, counting(1, 1), by=ANN)
        taken = await store.latest(ONE, "counter")
        assert taken is not None
        told = b'{"total":1000,"facts":2}'
        store.keep(Snapshot(ONE, "counter", 1, taken.version, told))
        assert await total(streams_on(log, store)) == 1000

    run(story())


@pytest.mark.parametrize("data", [b"nonsense", b'{"total": 1, "unheard_of": 2}'])
def test_a_snapshot_that_cannot_be_read_is_passed_over(log: Log, data: bytes) -> None:
    async def story() -> None:
        store = MemorySnapshots()
        await streams_on(log).transact({ONE: Counter()}, counting(1, 2), by=ANN)
        store.keep(Snapshot(ONE, "counter", 1, 2, data))
        assert await total(streams_on(log, store)) == 3

    run(story())


def test_deleting_all_snapshots_changes_nothing(log: Log) -> None:
    async def story() -> None:
        store = MemorySnapshots()
        streams = streams_on(log, store, every=5)
        for _ in range(23):
            await streams.transact({ONE: Counter()}, counting(1), by=ANN)
        with_snapshots = await streams_on(log, store).state(ONE, Counter())
        await store.clear()
        assert await streams_on(log, store).state(ONE, Counter()) == with_snapshots

    run(story())
