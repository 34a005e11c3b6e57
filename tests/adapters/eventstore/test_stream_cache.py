"""States that are remembered, or start from a snapshot, are those the log tells."""

from collections.abc import Sequence

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from adapters.eventstore.catalogue import Catalogue, Entry
from adapters.eventstore.log import Log, LogEntry
from adapters.eventstore.snapshots import Snapshot
from adapters.memory.log import MemoryLog
from adapters.memory.snapshots import MemorySnapshots
from tests.adapters.eventstore.counters import (
    ANN,
    COUNTER,
    ONE,
    Counted,
    Counter,
    counting,
    keyed,
    run,
    streams_on,
    total,
)


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
            stream = COUNTER.stream(str(which))
            facts = (by,) if by else ()
            committed = await processes[who].transact(
                [stream], counting(*facts, stream=stream), by=ANN
            )
            model[which] += by
            assert committed.states[stream].total == model[which]
        for which, expected in model.items():
            fresh = streams_on(log)
            assert await total(fresh, COUNTER.stream(str(which))) == expected

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
        await streams.transact([ONE], counting(*range(500)), by=ANN)
        ledger = ONE.folded_into(Ledger())
        for number in range(10):
            committed = await streams.transact([ledger], counting(number), by=ANN)
            assert len(committed.states[ledger].entries) == 501 + number
        assert log.entries_read == 500

    run(story())


def test_a_replay_starts_from_what_is_remembered() -> None:
    async def story() -> None:
        log = ReadingLog()
        streams = streams_on(log)
        await streams.transact([ONE], counting(*range(500)), by=ANN)
        first = await streams.transact([ONE], counting(1), by=keyed("k"))
        log.entries_read = 0
        again = await streams.transact([ONE], counting(1), by=keyed("k"))
        assert again.states == first.states
        assert log.entries_read == 1

    run(story())


def test_heavy_states_take_more_of_the_memory() -> None:
    async def story() -> None:
        streams = streams_on(MemoryLog(), remembered=10)
        heavy = Catalogue((Entry("counter", Counter, weight=lambda state: 4),))
        streams.snapshots.codec.catalogue = heavy
        for number in range(5):
            stream = COUNTER.stream(str(number))
            await streams.transact([stream], counting(1, stream=stream), by=ANN)
        assert len(streams._cache) == 2

    run(story())


# Snapshots


def test_a_snapshot_is_taken_every_so_many_facts(log: Log) -> None:
    async def story() -> None:
        store = MemorySnapshots()
        streams = streams_on(log, store, every=10)
        versions = set()
        for _ in range(50):
            await streams.transact([ONE], counting(1), by=ANN)
            taken = await store.latest(ONE, "counter")
            versions.add(taken.version if taken else 0)
        assert len(versions - {0}) == 5
        assert len({version % 10 for version in versions - {0}}) == 1

    run(story())


def test_loading_starts_from_the_snapshot(log: Log) -> None:
    async def story() -> None:
        store = MemorySnapshots()
        await streams_on(log, store, every=1).transact([ONE], counting(1, 1), by=ANN)
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
        await streams_on(log).transact([ONE], counting(1, 2), by=ANN)
        store.keep(Snapshot(ONE, "counter", 1, 2, data))
        assert await total(streams_on(log, store)) == 3

    run(story())


def test_deleting_all_snapshots_changes_nothing(log: Log) -> None:
    async def story() -> None:
        store = MemorySnapshots()
        streams = streams_on(log, store, every=5)
        for _ in range(23):
            await streams.transact([ONE], counting(1), by=ANN)
        with_snapshots = await streams_on(log, store).state(ONE)
        await store.clear()
        assert await streams_on(log, store).state(ONE) == with_snapshots

    run(story())
