"""Streams over a log: deciding on several at once, and races."""

import asyncio

import pytest

from adapters.eventstore.history import LogHistory
from adapters.eventstore.log import Append, Log, NewEvent, Receipt, StreamConflict
from adapters.memory.log import MemoryLog
from application.errors import Contended, NotReadable
from domain.streams import Decision, States
from tests.adapters.eventstore.counters import (
    ANN,
    BOB,
    ONE,
    OTHER,
    Counted,
    Counter,
    TooHigh,
    counting,
    run,
    streams_on,
    total,
)

# Deciding


def test_what_was_decided_is_appended_to_all_streams_at_once(log: Log) -> None:
    async def story() -> None:
        streams = streams_on(log)
        committed = await streams.transact(
            [ONE, OTHER],
            lambda states: {ONE: [Counted(1)], OTHER: [Counted(2), Counted(3)]},
            by=ANN,
        )
        assert committed.states[ONE] == Counter(1, 1)
        assert committed.states[OTHER] == Counter(5, 2)
        assert committed.position == await log.head() == 3
        assert committed.at is not None
        assert [(fact.stream, fact.version) for fact in await streams.facts(OTHER)] == [
            (OTHER, 1),
            (OTHER, 2),
        ]

    run(story())


def test_deciding_nothing_records_nothing(log: Log) -> None:
    async def story() -> None:
        committed = await streams_on(log).transact([ONE], counting(), by=ANN)
        assert committed.at is None
        assert await log.head() == 0

    run(story())


def test_a_refusal_records_nothing(log: Log) -> None:
    def refuse(states: States) -> Decision:
        raise TooHigh

    async def story() -> None:
        with pytest.raises(TooHigh):
            await streams_on(log).transact([ONE], refuse, by=ANN)
        assert await log.head() == 0

    run(story())


# Races: two LoggedStreams on one log are two processes with a memory each.


def test_the_loser_of_a_race_decides_again_on_what_the_winner_did(log: Log) -> None:
    async def story() -> None:
        mine, theirs = streams_on(log), streams_on(log)
        await mine.transact([ONE], counting(1), by=ANN)
        await theirs.transact([ONE], counting(10), by=BOB)
        seen: list[int] = []

        def decide(states: States) -> Decision:
            seen.append(states[ONE].total)
            return {ONE: [Counted(100)]}

        committed = await mine.transact([ONE], decide, by=ANN)
        assert seen == [1, 11]
        assert committed.states[ONE].total == 111

    run(story())


def test_a_guarded_stream_that_moved_makes_the_decision_anew(log: Log) -> None:
    async def story() -> None:
        mine, theirs = streams_on(log), streams_on(log)
        await mine.transact([OTHER], counting(1, stream=OTHER), by=ANN)
        await theirs.transact([OTHER], counting(1, stream=OTHER), by=BOB)
        seen: list[int] = []

        def decide(states: States) -> Decision:
            seen.append(states[OTHER].total)
            return {ONE: [Counted(1)]}

        await mine.transact([ONE, OTHER], decide, by=ANN)
        assert seen == [1, 2]

    run(story())


def test_an_advisory_stream_may_move(log: Log) -> None:
    async def story() -> None:
        mine, theirs = streams_on(log), streams_on(log)
        await mine.transact([OTHER], counting(1, stream=OTHER), by=ANN)
        await theirs.transact([OTHER], counting(1, stream=OTHER), by=BOB)
        seen: list[int] = []

        def decide(states: States) -> Decision:
            seen.append(states[OTHER].total)
            return {ONE: [Counted(1)]}

        reads = [ONE, OTHER]
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
        await mine.transact([ONE], counting(1), by=ANN)
        await theirs.transact([ONE], counting(20), by=BOB)
        with pytest.raises(TooHigh):
            await mine.transact([ONE], up_to_ten, by=ANN)
        await theirs.transact([ONE], counting(-20), by=BOB)
        assert (await mine.transact([ONE], up_to_ten, by=ANN)).at is None
        assert await total(mine) == 1

    run(story())


def test_many_callers_of_one_stream_all_get_their_turn(log: Log) -> None:
    async def story() -> None:
        streams = [streams_on(log), streams_on(log)]
        callers = [streams[n % 2].transact([ONE], counting(1), by=ANN) for n in range(60)]
        await asyncio.gather(*callers)
        assert await total(streams_on(log)) == 60

    run(story())


class LosingLog(MemoryLog):
    """A log on which someone else is always faster."""

    async def append(self, append: Append) -> Receipt:
        raise StreamConflict(ONE, 1, 1)


def test_who_always_loses_is_told_so() -> None:
    with pytest.raises(Contended) as told:
        run(streams_on(LosingLog()).transact([ONE], counting(1), by=ANN))
    assert told.value.streams == (ONE,)


def test_facts_that_are_not_understood_are_not_left_out() -> None:
    log = MemoryLog()
    streams = streams_on(log)
    run(streams.transact([ONE], counting(1), by=ANN))
    (entry,) = run(log.read(0, 1))
    strange = NewEvent(ONE, 2, "counter.never_heard_of", b'{"secret": 1}', b"id", entry.meta)
    log.submit(Append([strange])).result()
    with pytest.raises(NotReadable, match="counter-one is not understood") as told:
        run(streams.facts(ONE))
    assert "secret" not in str(told.value)
    assert len(run(streams.facts(ONE, limit=1))) == 1
    with pytest.raises(NotReadable, match="counter-one is not understood"):
        run(streams_on(log).state(ONE))
    history = LogHistory(log, streams.mapper)
    with pytest.raises(NotReadable, match="counter-one is not understood"):
        run(history.facts(ONE, after=1, upto=2))
