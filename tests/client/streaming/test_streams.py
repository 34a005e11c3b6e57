"""Updates without an end: in order, within the window, and again when the connection was lost."""

import socket
import threading
import time
from concurrent.futures import Future
from typing import Any

import grpc
import pytest

from statestore_client import (
    Outcome,
    OutcomeUnknown,
    SignalUpdated,
    StateStore,
    Unauthenticated,
    Unavailable,
    VersionConflict,
)
from statestore_client.messages import signals_pb2 as pb
from tests.client.conftest import QUICK
from tests.client.faults.scripted_server import Scripted, hang, refuse
from tests.client.reports import accepted, conflict, history, standing, update
from tests.client.streaming.peer import Peer, windows
from tests.client.waiting import PATIENCE, is_held_up, until


@pytest.fixture
def peer(script: Scripted) -> Peer:
    peer = Peer()
    script.on("StreamSignalStateUpdates", peer)
    return peer


def version(future: Future[Outcome]) -> int:
    outcome = future.result(PATIENCE)
    assert isinstance(outcome, SignalUpdated), outcome
    return outcome.new_version


def test_each_update_has_its_own_outcome_in_order(store: StateStore, peer: Peer) -> None:
    with store.signals.stream() as stream:
        futures = [stream.send(update(window)) for window in range(5)]
        assert windows(peer.hear(5)) == [0, 1, 2, 3, 4]
        peer.answer(accepted(1), conflict(9))
        peer.accept(3, 4, 5)
        refused = futures[1].result(PATIENCE)
        assert isinstance(refused, VersionConflict)
        assert refused.current_version == 9
        assert [version(one) for one in futures[2:]] == [3, 4, 5]
        assert version(futures[0]) == 1


def test_no_more_are_on_their_way_than_the_server_wants(store: StateStore, peer: Peer) -> None:
    peer.window = 3
    with store.signals.stream() as stream:
        stream.send(update(0))
        peer.hear(1)
        peer.accept(1)
        stream.drain()
        futures = [stream.send(update(window)) for window in range(1, 8)]
        assert windows(peer.hear(3)) == [1, 2, 3]
        assert peer.heard.empty()
        assert not any(one.done() for one in futures)
        peer.accept(2, 3)
        assert windows(peer.hear(2)) == [4, 5]
        assert peer.heard.empty()
        peer.accept(4, 5, 6)
        assert windows(peer.hear(2)) == [6, 7]
        peer.accept(7, 8)
        assert [version(one) for one in futures] == [2, 3, 4, 5, 6, 7, 8]
    assert sum(peer.sizes) == 8
    assert 0 not in peer.sizes


def test_what_was_not_answered_is_sent_again_and_nothing_else(
    store: StateStore, peer: Peer
) -> None:
    with store.signals.stream() as stream:
        futures = [stream.send(update(window)) for window in range(6)]
        peer.hear(6)
        peer.accept(1, 2)
        assert [version(one) for one in futures[:2]] == [1, 2]
        peer.drop()
        assert windows(peer.hear(4)) == [2, 3, 4, 5]
        futures.append(stream.send(update(6)))
        assert windows(peer.hear(1)) == [6]
        peer.accept(3, 4, 5, 6, 7)
        assert [version(one) for one in futures] == [1, 2, 3, 4, 5, 6, 7]
    assert peer.connections == 2
    assert peer.heard.empty()


def test_it_reconnects_again_and_again_while_there_is_progress(
    store: StateStore, peer: Peer
) -> None:
    with store.signals.stream() as stream:
        futures = [stream.send(update(window)) for window in range(8)]
        for answered in range(8):
            peer.hear(8 - answered)
            peer.accept(answered + 1)
            peer.drop()
        assert [version(one) for one in futures] == list(range(1, 9))


def test_a_conflict_of_what_was_sent_twice_is_looked_into(
    script: Scripted, store: StateStore, peer: Peer
) -> None:
    """The first try was stored, and its answer lost: the second one is no conflict."""
    stored, other = update(0, expected_version=0), update(1, expected_version=1)
    script.on("GetSignalHistory", history((stored, 1)))
    script.on("GetSignalState", standing(stored, 1))
    with store.signals.stream() as stream:
        futures = [stream.send(stored), stream.send(other)]
        peer.hear(2)
        peer.drop()
        peer.hear(2)
        peer.answer(conflict(1), conflict(5))
        first, second = (one.result(PATIENCE) for one in futures)
    assert isinstance(first, SignalUpdated)
    assert (first.new_version, first.replayed, first.is_current) == (1, True, True)
    assert isinstance(second, VersionConflict)


def test_a_conflict_of_what_was_sent_once_is_a_conflict(
    script: Scripted, store: StateStore, peer: Peer
) -> None:
    with store.signals.stream() as stream:
        future = stream.send(update(0, expected_version=0))
        peer.hear(1)
        peer.answer(conflict(1))
        assert isinstance(future.result(PATIENCE), VersionConflict)
    assert not script.asked("GetSignalHistory")


def test_if_looking_fails_nobody_knows(script: Scripted, store: StateStore, peer: Peer) -> None:
    script.on("GetSignalHistory", refuse(grpc.StatusCode.INTERNAL, "INTERNAL"))
    with store.signals.stream() as stream:
        future = stream.send(update(0, expected_version=0))
        peer.hear(1)
        peer.drop()
        peer.hear(1)
        peer.answer(conflict(1))
        assert isinstance(future.result(PATIENCE), OutcomeUnknown)


def test_who_sends_too_much_waits(store: StateStore, peer: Peer) -> None:
    with store.signals.stream(most_waiting=2) as stream:
        stream.send(update(0))
        stream.send(update(1))
        done = threading.Event()

        def send() -> None:
            stream.send(update(2))
            done.set()

        third = threading.Thread(target=send)
        third.start()
        peer.hear(2)
        until(lambda: done.is_set() or is_held_up(third))
        assert not done.is_set()
        assert peer.heard.empty()
        peer.accept(1)
        assert done.wait(PATIENCE)
        assert windows(peer.hear(1)) == [2]
        peer.accept(2, 3)
        third.join()


def test_a_connection_without_answers_is_made_anew(script: Scripted, store: StateStore) -> None:
    def accepting(requests: Any, context: Any) -> Any:
        for request in requests:
            results = [accepted(1) for _ in request.updates]
            yield pb.StreamSignalStateUpdatesResponse(results=results, window=10)

    script.on("StreamSignalStateUpdates", hang(script), accepting)
    with store.signals.stream(answer_within=0.2) as stream:
        assert version(stream.send(update(0))) == 1
    assert len(script.heard) == 2


def test_a_stream_that_is_refused_is_given_up(store: StateStore, peer: Peer) -> None:
    with store.signals.stream() as stream:
        future = stream.send(update(0))
        peer.put(refuse(grpc.StatusCode.UNAUTHENTICATED, "UNAUTHENTICATED"))
        assert isinstance(future.result(PATIENCE), Unauthenticated)
        with pytest.raises(Unauthenticated):
            stream.send(update(1))


def test_what_had_been_sent_before_may_have_been_done(store: StateStore, peer: Peer) -> None:
    with store.signals.stream() as stream:
        future = stream.send(update(0))
        peer.hear(1)
        peer.drop()
        peer.hear(1)
        peer.put(refuse(grpc.StatusCode.UNAUTHENTICATED, "UNAUTHENTICATED"))
        outcome = future.result(PATIENCE)
        assert isinstance(outcome, OutcomeUnknown)
        assert isinstance(outcome.__cause__, Unauthenticated)


def test_without_any_progress_it_is_given_up(script: Scripted, store: StateStore) -> None:
    script.on("StreamSignalStateUpdates", refuse(grpc.StatusCode.UNAVAILABLE, "UNAVAILABLE"))
    with store.signals.stream(patience=0.2) as stream:
        future = stream.send(update(0))
        # gRPC does not pass on what the store said, if it finds out by a write that failed.
        assert isinstance(future.result(PATIENCE), Unavailable | OutcomeUnknown)
    assert len(script.heard) > 1


def test_a_server_that_is_not_there_did_nothing() -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{nobody.getsockname()[1]}"
        with (
            StateStore(address, retrying=QUICK) as store,
            store.signals.stream(patience=0.2) as stream,
        ):
            assert isinstance(stream.send(update(0)).result(PATIENCE), Unavailable)


def test_looking_may_take_longer_than_answers(
    script: Scripted, store: StateStore, peer: Peer
) -> None:
    """While it is looked into what an answer means, no further answer is missed."""
    stored = update(0, expected_version=0)

    def slow(request: Any, context: Any) -> Any:
        threading.Event().wait(0.6)
        return history((stored, 1))

    script.on("GetSignalHistory", slow)
    script.on("GetSignalState", standing(stored, 1))
    with store.signals.stream(answer_within=1.0) as stream:
        futures = [stream.send(stored) for _ in range(3)]
        peer.hear(3)
        peer.drop()
        peer.hear(3)
        peer.answer(conflict(1), conflict(1), conflict(1))
        assert [version(one) for one in futures] == [1, 1, 1]
    assert peer.connections == 2


def sent_twice(peer: Peer, stream: Any, updates: list[Any]) -> list[Future[Outcome]]:
    """The answers to the second try are all conflicts."""
    futures = [stream.send(one) for one in updates]
    peer.hear(len(updates))
    peer.drop()
    peer.hear(len(updates))
    peer.answer(*[conflict(1)] * len(updates))
    return futures


def test_looking_has_the_patience_of_the_stream(
    script: Scripted, store: StateStore, peer: Peer
) -> None:
    """The server is away again, for longer than an answer may take."""
    stored = update(0, expected_version=0)
    away = refuse(grpc.StatusCode.UNAVAILABLE, "UNAVAILABLE", after=1.2)
    script.on("GetSignalHistory", away, history((stored, 1)))
    script.on("GetSignalState", standing(stored, 1))
    with store.signals.stream(answer_within=1.0) as stream:
        assert [version(one) for one in sent_twice(peer, stream, [stored])] == [1]
    assert len(script.asked("GetSignalHistory")) == 2


def test_each_look_that_succeeds_is_progress(
    script: Scripted, store: StateStore, peer: Peer
) -> None:
    stored = update(0, expected_version=0)

    def slow(request: Any, context: Any) -> Any:
        threading.Event().wait(0.6)
        return history((stored, 1))

    script.on("GetSignalHistory", slow)
    script.on("GetSignalState", standing(stored, 1))
    with store.signals.stream(patience=2.0) as stream:
        assert [version(one) for one in sent_twice(peer, stream, [stored] * 4)] == [1] * 4


def test_looks_that_fail_have_the_patience_together(
    script: Scripted, store: StateStore, peer: Peer
) -> None:
    script.on("GetSignalHistory", hang(script))
    begun = time.monotonic()
    with store.signals.stream(patience=1.0) as stream:
        futures = sent_twice(peer, stream, [update(0, expected_version=0)] * 40)
        outcomes = [one.result(PATIENCE) for one in futures]
    assert all(isinstance(one, OutcomeUnknown) for one in outcomes)
    # Each by itself would make forty seconds.
    assert time.monotonic() - begun < 20


def test_the_end_waits_for_the_answers(store: StateStore, peer: Peer) -> None:
    def later() -> None:
        peer.hear(3)
        peer.accept(1, 2, 3)

    with store.signals.stream() as stream:
        answering = threading.Thread(target=later)
        answering.start()
        futures = [stream.send(update(window)) for window in range(3)]
    assert all(one.done() for one in futures)
    answering.join()
    with pytest.raises(RuntimeError):
        stream.send(update(3))


def test_an_error_inside_ends_it_at_once(store: StateStore, peer: Peer) -> None:
    futures: list[Any] = []

    def failing() -> None:
        with store.signals.stream() as stream:
            futures.append(stream.send(update(0)))
            peer.hear(1)
            raise LookupError

    with pytest.raises(LookupError):
        failing()
    assert isinstance(futures[0].result(PATIENCE), OutcomeUnknown)


def test_positions_of_a_stream_are_remembered(store: StateStore, peer: Peer) -> None:
    with store.signals.stream() as stream:
        stream.send(update(0))
        peer.answer(accepted(1, position="a-position"))
        stream.drain()
        assert store.position == "a-position"


def test_more_answers_than_updates_end_it(store: StateStore, peer: Peer) -> None:
    with store.signals.stream() as stream:
        future = stream.send(update(0))
        peer.hear(1)
        peer.accept(1, 2)
        assert isinstance(future.result(PATIENCE), OutcomeUnknown)
