"""Updates that are collected and sent together."""

import threading
from typing import Any

import grpc
import pytest

from statestore_client import (
    NotFound,
    OutcomeUnknown,
    SignalUpdated,
    StateStore,
    Unavailable,
    VersionConflict,
)
from statestore_client.messages import signals_pb2 as pb
from tests.client.faults.scripted_server import Scripted, lose, refuse
from tests.client.reports import accepted, conflict, history, standing, update
from tests.client.streaming.peer import windows
from tests.client.waiting import PATIENCE, is_held_up, until

LONG = 3600.0


def all_accepted(request: pb.BatchUpdateSignalStateRequest, context: Any) -> Any:
    return pb.BatchUpdateSignalStateResponse(
        results=[accepted(version) for version, _ in enumerate(request.updates, start=1)]
    )


def sizes(script: Scripted) -> list[int]:
    return [len(one.request.updates) for one in script.asked("BatchUpdateSignalState")]


def test_as_many_as_fit_are_sent_at_once(script: Scripted, store: StateStore) -> None:
    script.on("BatchUpdateSignalState", all_accepted)
    with store.signals.batching(size=10, every=LONG) as batches:
        futures = [batches.add(update(window)) for window in range(20)]
        outcomes = [one.result(PATIENCE) for one in futures]
    assert sizes(script) == [10, 10]
    assert all(isinstance(one, SignalUpdated) for one in outcomes)
    sent = [windows(list(one.request.updates)) for one in script.heard]
    assert sent == [list(range(10)), list(range(10, 20))]


def test_what_does_not_fill_a_batch_is_sent_in_time(script: Scripted, store: StateStore) -> None:
    script.on("BatchUpdateSignalState", all_accepted)
    with store.signals.batching(size=10, every=0.01) as batches:
        assert isinstance(batches.add(update(0)).result(PATIENCE), SignalUpdated)
        assert sizes(script) == [1]


def test_the_rest_is_sent_at_the_end(script: Scripted, store: StateStore) -> None:
    script.on("BatchUpdateSignalState", all_accepted)
    with store.signals.batching(size=10, every=LONG) as batches:
        futures = [batches.add(update(window)) for window in range(13)]
    assert all(one.done() for one in futures)
    assert sizes(script) == [10, 3]
    with pytest.raises(RuntimeError):
        batches.add(update(0))


def test_each_has_its_own_outcome(script: Scripted, store: StateStore) -> None:
    results = [accepted(1), conflict(4), accepted(2)]
    script.on("BatchUpdateSignalState", pb.BatchUpdateSignalStateResponse(results=results))
    with store.signals.batching(size=3, every=LONG) as batches:
        futures = [batches.add(update(window)) for window in range(3)]
        first, second, third = (one.result(PATIENCE) for one in futures)
    assert isinstance(first, SignalUpdated)
    assert isinstance(second, VersionConflict)
    assert isinstance(third, SignalUpdated)


def test_a_batch_that_fails_is_the_outcome_of_all_in_it(
    script: Scripted, store: StateStore
) -> None:
    script.on(
        "BatchUpdateSignalState", refuse(grpc.StatusCode.NOT_FOUND, "NOT_FOUND"), all_accepted
    )
    with store.signals.batching(size=2, every=LONG) as batches:
        futures = [batches.add(update(window)) for window in range(4)]
        outcomes = [type(one.result(PATIENCE)) for one in futures]
    assert outcomes == [NotFound, NotFound, SignalUpdated, SignalUpdated]


def test_a_lost_answer_is_asked_for_again_without_a_key(
    script: Scripted, store: StateStore
) -> None:
    """Nothing is done twice all the same; what conflicts with itself is found in the history."""
    stored = update(0, expected_version=0)
    script.on(
        "BatchUpdateSignalState",
        lose,
        pb.BatchUpdateSignalStateResponse(results=[conflict(1), accepted(2)]),
    )
    script.on("GetSignalHistory", history((stored, 1)))
    script.on("GetSignalState", standing(stored, 1))
    with store.signals.batching(size=2, every=LONG) as batches:
        first, second = batches.add(stored), batches.add(update(1))
        assert isinstance(first.result(PATIENCE), SignalUpdated)
        assert isinstance(second.result(PATIENCE), SignalUpdated)
    sent = script.asked("BatchUpdateSignalState")
    assert len(sent) == 2
    assert sent[0].request == sent[1].request
    assert not any("idempotency-key" in one.metadata for one in sent)


def test_who_adds_too_much_waits(script: Scripted, store: StateStore) -> None:
    begun, go_on = threading.Semaphore(0), threading.Event()

    def slow(request: pb.BatchUpdateSignalStateRequest, context: Any) -> Any:
        begun.release()
        go_on.wait(PATIENCE)
        return all_accepted(request, context)

    script.on("BatchUpdateSignalState", slow)
    with store.signals.batching(size=2, every=LONG, most_waiting=4) as batches:
        futures = [batches.add(update(window)) for window in range(4)]
        assert begun.acquire(timeout=PATIENCE)
        added = threading.Event()

        def add() -> None:
            batches.add(update(4))
            added.set()

        fifth = threading.Thread(target=add)
        fifth.start()
        until(lambda: added.is_set() or is_held_up(fifth))
        assert not added.is_set()
        assert not any(one.done() for one in futures)
        go_on.set()
        assert added.wait(PATIENCE)
        fifth.join()
    assert sizes(script) == [2, 2, 1]


def test_an_error_inside_sends_no_more(script: Scripted, store: StateStore) -> None:
    script.on("BatchUpdateSignalState", all_accepted)
    futures: list[Any] = []

    def failing() -> None:
        with store.signals.batching(size=10, every=LONG) as batches:
            futures.append(batches.add(update(0)))
            raise LookupError

    with pytest.raises(LookupError):
        failing()
    assert isinstance(futures[0].result(PATIENCE), Unavailable)
    assert not script.heard


def test_what_cannot_be_sent_spoils_nothing(script: Scripted, store: StateStore) -> None:
    script.on("BatchUpdateSignalState", all_accepted)
    naive = update(0).evaluation.window_end.replace(tzinfo=None)
    with store.signals.batching(size=10, every=LONG) as batches:
        future = batches.add(update(0))
        with pytest.raises(ValueError, match="window_end"):
            batches.add(update(1, window_end=naive))
    assert isinstance(future.result(PATIENCE), SignalUpdated)


def test_a_batch_nobody_answers_may_have_been_done(script: Scripted, store: StateStore) -> None:
    script.on("BatchUpdateSignalState", lose)
    with store.signals.batching(size=1) as batches:
        assert isinstance(batches.add(update(0)).result(PATIENCE), OutcomeUnknown)


def test_more_than_500_at_once_are_refused(script: Scripted, store: StateStore) -> None:
    with pytest.raises(ValueError, match="at most 500"):
        store.signals.update_many([update(0)] * 501)
    with pytest.raises(ValueError, match="1 to 500"):
        store.signals.batching(size=501)
    assert not script.heard
