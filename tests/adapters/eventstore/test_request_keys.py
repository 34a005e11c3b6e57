"""A request that is repeated with its key is answered as the first time."""

import asyncio

import pytest

from adapters.eventstore.log import Log
from application.errors import KeyReused
from domain.streams import Decision, States
from tests.adapters.eventstore.counters import (
    ANN,
    ONE,
    Counter,
    TooHigh,
    counting,
    keyed,
    run,
    streams_on,
    total,
)


def test_a_repeated_request_is_answered_as_the_first_time(log: Log) -> None:
    async def story() -> None:
        streams = streams_on(log)
        first = await streams.transact([ONE], counting(1), by=keyed("k"))
        await streams.transact([ONE], counting(5), by=ANN)
        again = await streams.transact([ONE], counting(1), by=keyed("k"))
        assert again.replayed
        assert again.states == first.states
        assert await total(streams) == 6

    run(story())


def test_a_request_key_is_stored_in_the_same_append(log: Log) -> None:
    async def story() -> None:
        await streams_on(log).transact([ONE], counting(1), by=keyed("k"))
        assert await log.head() == 2
        again = await streams_on(log).transact([ONE], counting(1), by=keyed("k"))
        assert again.replayed

    run(story())


def test_a_request_that_changes_nothing_is_remembered_too(log: Log) -> None:
    async def story() -> None:
        streams = streams_on(log)
        await streams.transact([ONE], counting(), by=keyed("k"))
        with pytest.raises(KeyReused):
            await streams.transact([ONE], counting(1), by=keyed("k", "other"))

    run(story())


def test_a_key_with_another_content_is_refused(log: Log) -> None:
    async def story() -> None:
        streams = streams_on(log)
        await streams.transact([ONE], counting(1), by=keyed("k"))
        with pytest.raises(KeyReused):
            await streams.transact([ONE], counting(2), by=keyed("k", "other"))
        assert await total(streams) == 1

    run(story())


def test_keys_belong_to_their_caller(log: Log) -> None:
    async def story() -> None:
        streams = streams_on(log)
        await streams.transact([ONE], counting(1), by=keyed("k"))
        await streams.transact([ONE], counting(2), by=keyed("k", "other", "bob"))
        assert await total(streams) == 3

    run(story())


def test_the_same_request_at_the_same_time_counts_once(log: Log) -> None:
    async def story() -> None:
        streams = streams_on(log)
        answers = await asyncio.gather(
            *(streams.transact([ONE], counting(1), by=keyed("k")) for _ in range(8))
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
            await streams.transact([ONE], refuse, by=keyed("k"))
        assert not (await streams.transact([ONE], counting(1), by=keyed("k"))).replayed

    run(story())
