"""Closing a client while others use it: each is told the truth, and nobody hangs."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from statestore_client import (
    AsyncStateStore,
    OutcomeUnknown,
    Retrying,
    StateStore,
    StateStoreError,
    Unavailable,
)
from statestore_client.messages import signals_pb2 as pb
from tests.client.faults.scripted_server import Scripted, hang, lose
from tests.client.reports import ORDERS, accepted, evaluation, update
from tests.client.waiting import PATIENCE, until
from tests.support.event_loop_turns import others_go_on

SLOW = Retrying(first_pause=3_600, longest_pause=3_600)


def closed_midway(script: Scripted, store: StateStore, call: Any) -> BaseException:
    """What a call raises if the client is closed while it is on its way."""
    with ThreadPoolExecutor(1) as pool:
        calling = pool.submit(call)
        until(lambda: len(script.heard) == 1)
        store.close()
        error = calling.exception(PATIENCE)
    assert error is not None
    return error


def test_a_read_is_unavailable(script: Scripted) -> None:
    script.on("GetSignalState", hang(script))
    store = StateStore(script.address, timeout=60)
    error = closed_midway(script, store, lambda: store.signals.get(ORDERS, "VOLUME"))
    assert type(error) is Unavailable


def test_a_write_may_have_been_done(script: Scripted) -> None:
    script.on("UpdateSignalState", hang(script))
    store = StateStore(script.address, timeout=60)
    error = closed_midway(
        script, store, lambda: store.signals.update(ORDERS, "VOLUME", evaluation(0))
    )
    assert isinstance(error, OutcomeUnknown)
    assert error.idempotency_key == script.heard[0].metadata["idempotency-key"]


def test_so_may_one_that_waits_for_its_next_try(script: Scripted) -> None:
    script.on("UpdateSignalState", lose)
    store = StateStore(script.address, timeout=100_000, retrying=SLOW)
    error = closed_midway(
        script, store, lambda: store.signals.update(ORDERS, "VOLUME", evaluation(0))
    )
    assert isinstance(error, OutcomeUnknown)


def test_the_task_that_calls_is_not_cancelled(script: Scripted) -> None:
    """Only the call is: a task group would pass over a task that looks cancelled."""
    script.on("UpdateSignalState", hang(script))
    script.on("StreamSignalStateUpdates", hang(script))

    async def use() -> list[Any]:
        store = AsyncStateStore(script.address, timeout=60)
        updating = asyncio.create_task(store.signals.update(ORDERS, "VOLUME", evaluation(0)))
        stream = await store.signals.stream().__aenter__()
        outcome = await stream.send(update(0))
        await asyncio.to_thread(until, lambda: len(script.heard) == 2)
        closing = asyncio.create_task(stream.close())
        await others_go_on()
        await store.close()
        ends = await asyncio.gather(updating, closing, return_exceptions=True)
        return [*ends, await outcome]

    updated, closed, sent = asyncio.run(use())
    assert isinstance(updated, OutcomeUnknown)
    assert closed is None
    assert isinstance(sent, OutcomeUnknown)


def test_a_callback_may_not_close_the_client(script: Scripted, store: StateStore) -> None:
    script.on("BatchUpdateSignalState", pb.BatchUpdateSignalStateResponse(results=[accepted()]))
    told: list[BaseException] = []
    done = threading.Event()

    def call_back(_: object) -> None:
        try:
            store.close()
        except RuntimeError as error:
            told.append(error)
        done.set()

    with store.signals.batching(size=2, every=0.01) as batches:
        batches.add(update(0)).add_done_callback(call_back)
        assert done.wait(PATIENCE)
    assert "may not close" in str(told[0])


def test_many_who_send_while_it_closes_all_have_an_outcome(script: Scripted) -> None:
    def accepting(request: pb.BatchUpdateSignalStateRequest, context: Any) -> Any:
        results = [accepted() for _ in request.updates]
        return pb.BatchUpdateSignalStateResponse(results=results)

    script.on("BatchUpdateSignalState", accepting)
    store = StateStore(script.address)
    batches = store.signals.batching(size=5, every=0.001, most_waiting=20).__enter__()
    begun = threading.Barrier(5)
    futures: list[Any] = []

    def add() -> None:
        begun.wait(PATIENCE)
        try:
            while True:
                futures.append(batches.add(update(0)))
        except RuntimeError:
            return

    with ThreadPoolExecutor(4) as pool:
        adding = [pool.submit(add) for _ in range(4)]
        begun.wait(PATIENCE)
        until(lambda: len(futures) > 50)
        store.close()
        for one in adding:
            one.result(PATIENCE)
    for future in futures:
        outcome = future.result(PATIENCE)
        assert not isinstance(outcome, StateStoreError) or isinstance(
            outcome, OutcomeUnknown | Unavailable
        )


def test_what_is_misspelt_is_refused(store: StateStore, script: Scripted) -> None:
    asked: Any = store.signals
    with pytest.raises(TypeError, match="tiemout"):
        asked.get(ORDERS, "VOLUME", tiemout=1)
    with pytest.raises(TypeError, match="min_position"):
        asked.update(ORDERS, "VOLUME", evaluation(0), min_position="p")
    assert not script.heard
