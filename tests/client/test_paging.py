"""Lists are iterated over, a page at a time."""

import asyncio
from typing import Any

import grpc
import pytest

from statestore_client import AsyncStateStore, State, StateStore, Tier, Unavailable
from statestore_client.messages import signals_pb2
from tests.client.conftest import QUICK
from tests.client.faults.scripted_server import Scripted, refuse


def signals(*versions: int) -> list[signals_pb2.SignalState]:
    return [signals_pb2.SignalState(version=version) for version in versions]


def pages(request: signals_pb2.ListSignalsRequest, context: Any) -> Any:
    """Three of them, by their tokens."""
    answers = {
        "": signals_pb2.ListSignalsResponse(signals=signals(1, 2), next_page_token="b"),
        # A page may be empty and not the last.
        "b": signals_pb2.ListSignalsResponse(next_page_token="c"),
        "c": signals_pb2.ListSignalsResponse(signals=signals(3)),
    }
    return answers[request.page_token]


def test_all_pages_are_read_with_the_same_filters(script: Scripted, store: StateStore) -> None:
    script.on("ListSignals", pages)
    found = store.signals.list(states=[State.CRITICAL], tier=Tier.TIER_1, page_size=2)
    assert [one.version for one in found] == [1, 2, 3]
    assert {tuple(one.request.states) for one in script.heard} == {("CRITICAL",)}
    assert {(one.request.tier, one.request.page_size) for one in script.heard} == {("TIER_1", 2)}


def test_a_page_is_asked_for_when_it_is_needed(script: Scripted, store: StateStore) -> None:
    script.on("ListSignals", pages)
    found = store.signals.list()
    assert not script.heard
    assert [next(found).version, next(found).version] == [1, 2]
    assert len(script.heard) == 1


def test_a_page_that_fails_is_tried_again_alone(script: Scripted, store: StateStore) -> None:
    script.on("ListSignals", pages, refuse(grpc.StatusCode.UNAVAILABLE, "UNAVAILABLE"), pages)
    assert [one.version for one in store.signals.list()] == [1, 2, 3]
    assert [one.request.page_token for one in script.heard] == ["", "b", "b", "c"]


def test_an_error_ends_the_iteration(script: Scripted, store: StateStore) -> None:
    script.on("ListSignals", pages, refuse(grpc.StatusCode.UNAVAILABLE, "UNAVAILABLE"))
    found = store.signals.list()
    assert [next(found).version, next(found).version] == [1, 2]
    with pytest.raises(Unavailable):
        next(found)


def test_asyncio_iterates_over_the_same(script: Scripted) -> None:
    script.on("ListSignals", pages)

    async def listed() -> list[int]:
        async with AsyncStateStore(script.address, retrying=QUICK) as store:
            return [one.version async for one in store.signals.list()]

    assert asyncio.run(listed()) == [1, 2, 3]


def test_many_are_looked_up_in_calls_of_500(script: Scripted, store: StateStore) -> None:
    def looked_up(request: signals_pb2.BatchGetSignalStatesRequest, context: Any) -> Any:
        return signals_pb2.BatchGetSignalStatesResponse(
            results=[
                {"signal": {"signal_type": one.signal_type}} if one.signal_type != "S7" else {}
                for one in request.signals
            ]
        )

    script.on("BatchGetSignalStates", looked_up)
    found = store.signals.get_many([("urn", f"S{number}") for number in range(1_100)])
    assert [len(one.request.signals) for one in script.heard] == [500, 500, 100]
    assert found[7] is None
    assert [one and one.signal_type for one in found[:9]] == [
        None if number == 7 else f"S{number}" for number in range(9)
    ]
    assert len(found) == 1_100
