"""What every engine promises about keeping events."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import timedelta

import pytest

from adapters.eventstore.log import Append, Log, LogEntry, NewEvent, Receipt, StreamConflict
from tests.adapters.eventstore.engines import Clock
from tests.adapters.eventstore.log.appends import append, event, guarded
from tests.support.event_loop_turns import others_go_on


def store(log: Log, *appends: Append) -> list[Receipt]:
    return [log.submit(one).result() for one in appends]


def together(log: Log, *appends: Append) -> list[Receipt | BaseException]:
    async def scenario() -> list[Receipt | BaseException]:
        return await asyncio.gather(*map(log.append, appends), return_exceptions=True)

    return asyncio.run(scenario())


def everything(log: Log) -> Sequence[LogEntry]:
    return asyncio.run(log.read(0, 10_000))


def last_version(log: Log, stream: str) -> int | None:
    return asyncio.run(log.last_version(stream))


def refused(log: Log, refused: Append) -> StreamConflict:
    before = everything(log)
    with pytest.raises(StreamConflict) as raised:
        log.submit(refused).result()
    assert everything(log) == before
    return raised.value


def conflict(outcome: object) -> tuple[str, int, int | None]:
    """Stream, attempted version, last version."""
    assert isinstance(outcome, StreamConflict)
    return outcome.stream, outcome.attempted, outcome.last


# Positions.


def test_positions_start_at_one_and_have_no_gaps(log: Log) -> None:
    receipts = store(log, append("a-1", 1), append("b-1", 1, 2, 3), append("a-1", 2))

    assert [(r.first, r.last) for r in receipts] == [(1, 1), (2, 4), (5, 5)]
    assert [e.position for e in everything(log)] == [1, 2, 3, 4, 5]


def test_a_refused_append_uses_no_position(log: Log) -> None:
    store(log, append("a-1", 1))
    refused(log, append("a-1", 1))

    assert store(log, append("a-1", 2))[0].first == 2


def test_an_empty_log_has_head_zero(log: Log) -> None:
    assert asyncio.run(log.head()) == 0
    assert everything(log) == []


def test_the_head_is_the_last_position(log: Log) -> None:
    store(log, append("a-1", 1, 2), append("b-1", 1))

    assert asyncio.run(log.head()) == 3


def test_the_end_that_is_known_is_the_last_position_of_lately(log: Log) -> None:
    store(log, append("a-1", 1, 2))

    end = asyncio.run(log.end())

    assert end.position == 2
    assert 0 <= end.seconds_ago < 60


# What is stored is what is read.


def test_an_entry_holds_all_that_was_given(log: Log, clock: Clock) -> None:
    given = NewEvent("café-☕", 1, "cup.filled", b"\x00\xff", b"\x01" * 16, b"")
    (receipt,) = store(log, Append([given]))

    assert everything(log) == [
        LogEntry(1, receipt.recorded_at, "café-☕", 1, "cup.filled", b"\x00\xff", b"\x01" * 16, b"")
    ]


def test_an_append_may_hold_several_streams(log: Log) -> None:
    store(log, Append([event("a-1", 1), event("b-1", 0), event("a-1", 2)]))

    assert [(e.stream, e.version) for e in everything(log)] == [("a-1", 1), ("b-1", 0), ("a-1", 2)]


def test_an_append_without_events_is_refused(log: Log) -> None:
    with pytest.raises(ValueError, match="at least one event"):
        asyncio.run(log.append(Append([])))
    with pytest.raises(ValueError, match="at least one event"):
        log.submit(Append([], guarded("a-1", 1, ("b-1", 0)).guards))


def test_reading_the_log_in_pages(log: Log) -> None:
    store(log, append("a-1", 1, 2, 3, 4, 5))

    assert [e.position for e in asyncio.run(log.read(0, 2))] == [1, 2]
    assert [e.position for e in asyncio.run(log.read(2, 2))] == [3, 4]
    assert [e.position for e in asyncio.run(log.read(4, 2))] == [5]
    assert asyncio.run(log.read(5, 2)) == []
    assert asyncio.run(log.read(0, 0)) == []


@pytest.mark.parametrize(
    ("window", "versions"),
    [
        ({}, [0, 1, 2, 3]),
        ({"after": 1}, [2, 3]),
        ({"upto": 1}, [0, 1]),
        ({"after": 0, "upto": 2}, [1, 2]),
        ({"limit": 2}, [0, 1]),
        ({"after": 1, "limit": 1}, [2]),
        ({"after": 3}, []),
        ({"limit": 0}, []),
    ],
)
def test_reading_a_part_of_a_stream(log: Log, window: dict[str, int], versions: list[int]) -> None:
    store(log, append("a-1", 0, 1), append("b-1", 1), append("a-1", 2, 3))

    assert [e.version for e in asyncio.run(log.stream("a-1", **window))] == versions


def test_a_stream_that_does_not_exist_is_empty(log: Log) -> None:
    store(log, append("a-1", 1))

    assert asyncio.run(log.stream("a-2")) == []
    assert last_version(log, "a-2") is None


# Versions continue their stream.


@pytest.mark.parametrize("first", [0, 1])
def test_a_stream_begins_at_zero_or_one(log: Log, first: int) -> None:
    store(log, append("a-1", first, first + 1))

    assert last_version(log, "a-1") == first + 1


@pytest.mark.parametrize("first", [-1, 2, 7])
def test_a_stream_begins_nowhere_else(log: Log, first: int) -> None:
    assert conflict(refused(log, append("a-1", first))) == ("a-1", first, None)
    assert last_version(log, "a-1") is None


@pytest.mark.parametrize("attempted", [0, 1, 2, 4, 9])
def test_versions_neither_overlap_nor_leave_a_gap(log: Log, attempted: int) -> None:
    store(log, append("a-1", 1, 2))

    assert conflict(refused(log, append("a-1", attempted))) == ("a-1", attempted, 2)
    assert last_version(log, "a-1") == 2


@pytest.mark.parametrize(
    ("versions", "attempted", "last"),
    [((2, 3), 2, 2), ((3, 3), 3, 3), ((3, 5), 5, 3), ((4, 3), 4, 2)],
)
def test_versions_continue_inside_an_append_too(
    log: Log, versions: tuple[int, ...], attempted: int, last: int
) -> None:
    store(log, append("a-1", 1, 2))

    assert conflict(refused(log, append("a-1", *versions))) == ("a-1", attempted, last)


def test_a_conflict_in_one_stream_refuses_the_whole_append(log: Log) -> None:
    store(log, append("a-1", 1))

    outcome = refused(log, Append([event("b-1", 1), event("a-1", 1)]))
    assert conflict(outcome) == ("a-1", 1, 1)
    assert last_version(log, "b-1") is None


def test_a_conflict_says_which_stream_and_version(log: Log) -> None:
    store(log, append("a-1", 1))

    assert str(refused(log, append("a-1", 1))) == "a-1 is at version 1: cannot use version 1"
    assert str(refused(log, append("b-1", 5))) == "b-1 does not exist: cannot use version 5"


# Guards.


def test_a_guard_holds_while_its_stream_has_not_moved(log: Log) -> None:
    store(log, append("a-1", 1, 2))

    store(log, guarded("b-1", 1, ("a-1", 2), ("c-1", 0)))
    assert last_version(log, "b-1") == 1


@pytest.mark.parametrize(
    ("guard", "last"), [(("a-1", 1), 2), (("a-1", 3), 2), (("a-1", 0), 2), (("c-1", 1), None)]
)
def test_a_guard_refuses_when_its_stream_has_moved(
    log: Log, guard: tuple[str, int], last: int | None
) -> None:
    store(log, append("a-1", 1, 2))

    assert conflict(refused(log, guarded("b-1", 1, guard))) == (*guard, last)


def test_a_guard_sees_the_stream_as_it_was_before_the_append(log: Log) -> None:
    store(log, append("a-1", 1))

    store(log, guarded("a-1", 2, ("a-1", 1)))
    assert conflict(refused(log, guarded("a-1", 3, ("a-1", 3)))) == ("a-1", 3, 2)


# Several at once.


def test_appends_for_one_stream_may_follow_each_other_at_once(log: Log) -> None:
    outcomes = together(log, append("a-1", 1), append("a-1", 2), append("a-1", 3))

    assert all(isinstance(outcome, Receipt) for outcome in outcomes)
    assert last_version(log, "a-1") == 3


def test_of_two_racing_for_one_version_one_wins(log: Log) -> None:
    first, second = together(log, append("a-1", 1), append("a-1", 1))

    assert isinstance(first, Receipt)
    assert conflict(second) == ("a-1", 1, 1)


def test_a_guard_and_a_write_race_in_order(log: Log) -> None:
    before, moves, after = together(
        log, guarded("b-1", 1, ("a-1", 0)), append("a-1", 1), guarded("c-1", 1, ("a-1", 0))
    )

    assert isinstance(before, Receipt)
    assert isinstance(moves, Receipt)
    assert conflict(after) == ("a-1", 0, 1)


def test_a_conflict_fails_only_its_own_append(log: Log) -> None:
    outcomes = together(log, append("a-1", 1), append("b-1", 9), append("c-1", 1))

    assert [isinstance(outcome, Receipt) for outcome in outcomes] == [True, False, True]
    assert [(e.position, e.stream) for e in everything(log)] == [(1, "a-1"), (2, "c-1")]


def test_threads_and_coroutines_may_append_side_by_side(log: Log) -> None:
    def thread(number: int) -> None:
        for version in range(1, 21):
            log.submit(append(f"thread-{number}", version)).result()

    async def task(number: int) -> None:
        for version in range(1, 21):
            await log.append(append(f"task-{number}", version))

    async def tasks() -> None:
        await asyncio.gather(*(task(number) for number in range(20)))

    with ThreadPoolExecutor(5) as pool:
        threads = [pool.submit(thread, number) for number in range(4)]
        pool.submit(asyncio.run, tasks()).result()
        for ended in threads:
            ended.result()
    assert [e.position for e in everything(log)] == list(range(1, 481))
    assert last_version(log, "task-7") == last_version(log, "thread-3") == 20


def test_a_cancelled_caller_breaks_nothing(log: Log) -> None:
    async def scenario() -> None:
        gone = [asyncio.create_task(log.append(append(f"gone-{n}", 1))) for n in range(5)]
        stays = asyncio.create_task(log.append(append("stays-1", 1)))
        await others_go_on()
        for task in gone:
            task.cancel()
        await stays
        await asyncio.gather(*gone, return_exceptions=True)
        await log.append(append("stays-1", 2))

    asyncio.run(scenario())
    assert last_version(log, "stays-1") == 2


def test_a_cancelled_future_breaks_nothing(log: Log) -> None:
    futures: list[Future[Receipt]] = [log.submit(append(f"gone-{n}", 1)) for n in range(5)]
    for future in futures:
        future.cancel()

    store(log, append("stays-1", 1))
    stored = sum(not future.cancelled() for future in futures)
    assert len(everything(log)) == stored + 1


# Time.


def test_times_are_whole_milliseconds(log: Log, clock: Clock) -> None:
    (receipt,) = store(log, append("a-1", 1))

    assert receipt.recorded_at == clock.at.replace(microsecond=123_000)
    assert everything(log)[0].recorded_at == receipt.recorded_at


def test_time_never_decreases_with_the_position(log: Log, clock: Clock) -> None:
    (noon,) = store(log, append("a-1", 1))
    clock.move(hours=-1)
    (back,) = store(log, append("a-1", 2))
    clock.move(hours=1, seconds=1)
    (later,) = store(log, append("a-1", 3))

    assert back.recorded_at == noon.recorded_at
    assert later.recorded_at == noon.recorded_at + timedelta(seconds=1)


def test_what_was_refused_leaves_no_time_behind(log: Log, clock: Clock) -> None:
    refused(log, append("a-1", 7))
    clock.move(hours=-1)
    (receipt,) = store(log, append("a-1", 1))

    assert receipt.recorded_at == clock.at.replace(microsecond=123_000)


# Waiting.


def test_waiting_for_what_is_there_already(log: Log) -> None:
    store(log, append("a-1", 1, 2))

    assert asyncio.run(log.beyond(1, timeout=0))
    assert not asyncio.run(log.beyond(2, timeout=0))
    assert not asyncio.run(log.beyond(7, timeout=0.01))


def test_what_is_there_already_is_not_waited_for(log: Log) -> None:
    async def scenario() -> bool:
        await log.append(append("a-1", 1))
        return await asyncio.wait_for(log.beyond(0, timeout=60), timeout=10)

    assert asyncio.run(scenario())


def test_an_append_wakes_who_waits_for_it(log: Log) -> None:
    async def scenario() -> list[bool]:
        waiting = [asyncio.create_task(log.beyond(p, timeout=30)) for p in (0, 1)]
        never = asyncio.create_task(log.beyond(2, timeout=0.05))
        await others_go_on()
        await log.append(append("a-1", 1, 2))
        return [*await asyncio.gather(*waiting), await never]

    assert asyncio.run(scenario()) == [True, True, False]


def test_an_append_of_another_thread_wakes_too(log: Log) -> None:
    async def scenario() -> bool:
        waiting = asyncio.create_task(log.beyond(0, timeout=30))
        await others_go_on()
        await asyncio.to_thread(store, log, append("a-1", 1))
        return await waiting

    assert asyncio.run(scenario())


def test_who_gave_up_waiting_is_not_woken(log: Log) -> None:
    async def scenario() -> None:
        waiting = asyncio.create_task(log.beyond(0, timeout=30))
        await others_go_on()
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await log.append(append("a-1", 1))

    asyncio.run(scenario())
