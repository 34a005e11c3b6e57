"""Evidence without an end over one connection: nothing is lost unsaid, and nothing kept twice."""

import asyncio
import queue
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import grpc
import pytest

from statestore_client import (
    AsyncStateStore,
    Evidence,
    InvalidRequest,
    OutcomeUnknown,
    Overloaded,
    StateStore,
    Unauthenticated,
    Unavailable,
    Validation,
    Verdict,
)
from statestore_client.messages import evidence_pb2 as pb
from tests.client.conftest import QUICK
from tests.client.faults.scripted_server import Scripted, hang, lose, refuse
from tests.client.streaming.test_evidence_batches import PAUSE, all_kept, client, overloaded_once
from tests.client.test_evidence import PASSED, evidence
from tests.client.waiting import PATIENCE
from tests.entrypoints.grpc.support.served import Served, served
from tests.entrypoints.support.sample_evidence import named

OVERLOADED = refuse(grpc.StatusCode.RESOURCE_EXHAUSTED, "OVERLOADED", after=0.01)


@pytest.fixture
def server() -> Iterator[Served]:
    with served() as one:
        yield one


class Peer:
    """Hears batches of all connections; answers to them when it is told to."""

    def __init__(self) -> None:
        self.heard: queue.Queue[list[str]] = queue.Queue()
        self.may_answer = threading.Semaphore(0)

    def __call__(self, requests: Iterator[Any], context: Any) -> Iterator[Any]:
        arrived: queue.Queue[Any] = queue.Queue()
        threading.Thread(target=self._read, args=(requests, arrived), daemon=True).start()
        while (request := arrived.get()) is not None:
            assert self.may_answer.acquire(timeout=PATIENCE)
            yield all_kept(request, context)

    def _read(self, requests: Iterator[Any], arrived: "queue.Queue[Any]") -> None:
        for request in requests:
            self.heard.put([one.evidence_id for one in request.evidence])
            arrived.put(request)
        arrived.put(None)

    def hear(self) -> list[str]:
        return self.heard.get(timeout=PATIENCE)


def answering(most: int, then: Callable[[Any, Any], Any]) -> Callable[..., Iterator[Any]]:
    """Keeps so many batches, and then ends the stream."""

    def step(requests: Iterator[Any], context: Any) -> Iterator[Any]:
        for request, _ in zip(requests, range(most), strict=False):
            yield all_kept(request, context)
        then(None, context)

    return step


def keep_all(requests: Iterator[Any], context: Any) -> Iterator[Any]:
    for request in requests:
        yield all_kept(request, context)


def test_each_is_kept_left_out_or_refused_by_itself(server: Served) -> None:
    async def story() -> None:
        async with client(server) as store:
            async with store.evidence.stream(size=10) as stream:
                sent = [evidence(number) for number in range(1, 124)]
                sent += [PASSED, evidence(124, dataset_urn="?")]
                futures = [await stream.send(one) for one in sent]
            *kept, left_out, wrong = [one.result() for one in futures]
            assert kept == [True] * 123
            assert left_out is False
            assert isinstance(wrong, InvalidRequest)
            assert [one.field for one in wrong.violations] == ["dataset_urn"]
            found = await store.evidence.get_many([one.evidence_id for one in sent])
            assert sorted(found) == [named(number) for number in range(1, 124)]
            with pytest.raises(RuntimeError):
                _ = await stream.send(evidence(130))

    server.run(story())


def test_what_comes_while_eight_are_on_their_way_goes_together(
    script: Scripted, store: StateStore
) -> None:
    script.on("StreamEvidence", peer := Peer())
    script.on("BatchGetEvidence", pb.BatchGetEvidenceResponse())
    with store.evidence.stream(size=5) as stream:
        for number in range(8):
            stream.send(evidence(number))
            assert peer.hear() == [named(number)]
        futures = [stream.send(evidence(8))]
        # Whatever was to be sent is sent before this is answered.
        store.evidence.get_many([named(8)])
        futures += [stream.send(evidence(number)) for number in range(9, 15)]
        peer.may_answer.release()
        assert peer.hear() == [named(number) for number in range(8, 13)]
        assert peer.heard.empty()
        peer.may_answer.release(9)
        assert [one.result(PATIENCE) for one in futures] == [True] * 7
        assert peer.hear() == [named(13), named(14)]
    assert len(script.asked("StreamEvidence")) == 1


def test_what_was_not_answered_is_sent_again_and_nothing_else(
    script: Scripted, store: StateStore
) -> None:
    peer, may_break = Peer(), threading.Event()

    def breaking(request: Any, context: Any) -> None:
        assert may_break.wait(PATIENCE)
        lose(request, context)

    script.on("StreamEvidence", answering(2, breaking), peer)
    with store.evidence.stream(size=3) as stream:
        assert stream.send(evidence(0)).result(PATIENCE) is True
        assert stream.send(evidence(1)).result(PATIENCE) is True
        futures = [stream.send(evidence(number)) for number in range(2, 8)]
        may_break.set()
        again = [name for _ in range(2) for name in peer.hear()]
        peer.may_answer.release(2)
        assert [one.result(PATIENCE) for one in futures] == [True] * 6
    assert again == [named(number) for number in range(2, 8)]
    assert peer.heard.empty()
    assert len(script.heard) == 2


def test_a_store_that_is_overloaded_is_given_the_pause_it_asks_for() -> None:
    with overloaded_once() as server:

        async def story() -> None:
            async with client(server) as store:
                begun = time.monotonic()
                async with store.evidence.stream(size=2) as stream:
                    # gRPC does not pass on what the store said, if it finds out by a write that
                    # failed: so nothing else is written.
                    assert await (await stream.send(evidence(0))) is True
                    assert time.monotonic() - begun >= PAUSE
                    futures = [await stream.send(evidence(number)) for number in range(1, 9)]
                assert [one.result() for one in futures] == [True] * 8
                found = await store.evidence.get_many(map(named, range(9)))
                assert sorted(found) == [named(number) for number in range(9)]

        server.run(story())


def test_without_any_progress_it_is_given_up_and_some_may_have_been_kept(
    script: Scripted, store: StateStore
) -> None:
    """There was no room for the first batch; of those after it nobody knows."""
    script.on("StreamEvidence", answering(0, OVERLOADED))
    with store.evidence.stream(patience=0.2) as stream:
        outcome = stream.send(evidence()).result(PATIENCE)
        assert isinstance(outcome, OutcomeUnknown)
        with pytest.raises(Overloaded):
            stream.send(evidence(1))
    assert len(script.heard) > 1


def test_a_stream_that_is_refused_kept_nothing(script: Scripted, store: StateStore) -> None:
    """It ends when the first batch has come: what is written to a stream that has ended already,
    gRPC calls an error of its own now and then, and nobody knows what became of it."""
    refused = refuse(grpc.StatusCode.UNAUTHENTICATED, "UNAUTHENTICATED")
    script.on("StreamEvidence", answering(0, refused))
    with store.evidence.stream() as stream:
        assert isinstance(stream.send(evidence()).result(PATIENCE), Unauthenticated)
        with pytest.raises(Unauthenticated):
            stream.send(evidence(1))


def test_a_connection_without_answers_is_made_anew(script: Scripted, store: StateStore) -> None:
    script.on("StreamEvidence", hang(script), keep_all)
    with store.evidence.stream(answer_within=0.2) as stream:
        assert stream.send(evidence()).result(PATIENCE) is True
    assert len(script.heard) == 2


def test_who_sends_too_much_waits(script: Scripted) -> None:
    script.on("StreamEvidence", peer := Peer())

    async def story() -> None:
        async with (
            AsyncStateStore(script.address, retrying=QUICK) as store,
            store.evidence.stream(most_waiting=2) as stream,
        ):
            futures = [await stream.send(evidence(number)) for number in range(2)]
            sending = asyncio.create_task(stream.send(evidence(2)))
            await asyncio.to_thread(peer.hear)
            assert not sending.done()
            peer.may_answer.release(3)
            futures.append(await sending)
            await stream.drain()
            assert [one.result() for one in futures] == [True] * 3

    asyncio.run(story())


def test_what_cannot_be_sent_spoils_nothing(script: Scripted, store: StateStore) -> None:
    script.on("StreamEvidence", keep_all)
    naive = evidence().created_at.replace(tzinfo=None)
    with store.evidence.stream() as stream:
        future = stream.send(evidence())
        with pytest.raises(ValueError, match="created_at"):
            stream.send(evidence(1, created_at=naive))
    assert future.result() is True


def test_more_answers_than_evidence_end_it(script: Scripted, store: StateStore) -> None:
    def twice(requests: Iterator[Any], context: Any) -> Iterator[Any]:
        next(requests)
        yield pb.BatchPutEvidenceResponse(results=[{"kept": True}, {"kept": True}])

    script.on("StreamEvidence", twice)
    with store.evidence.stream() as stream:
        assert isinstance(stream.send(evidence()).result(PATIENCE), OutcomeUnknown)


@pytest.mark.parametrize("size", [0, 5_001])
def test_a_size_that_no_call_can_have(store: StateStore, size: int) -> None:
    with pytest.raises(ValueError, match="1 to 5000"):
        store.evidence.stream(size=size)


def test_heavy_evidence_goes_in_messages_that_the_store_takes(server: Served) -> None:
    """A thousand of these together would be 5 MB."""

    async def story() -> None:
        async with client(server) as store:
            async with store.evidence.stream() as stream:
                futures = [await stream.send(heavy(number)) for number in range(1_000)]
            assert [one.result() for one in futures] == [True] * 1_000

    server.run(story())


def test_of_what_was_sent_before_a_message_that_is_too_large_nobody_knows(
    script: Scripted, store: StateStore
) -> None:
    def too_large(request: Any, context: Any) -> None:
        text = "SERVER: Received message larger than max (5 vs. 4)"
        context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, text)

    script.on("StreamEvidence", answering(0, too_large))
    with store.evidence.stream() as stream:
        assert isinstance(stream.send(evidence()).result(PATIENCE), OutcomeUnknown)


def test_what_never_left_was_not_kept() -> None:
    async def story() -> None:
        async with (
            AsyncStateStore("127.0.0.1:9", retrying=QUICK) as store,
            store.evidence.stream(patience=0.3) as stream,
        ):
            assert isinstance(await (await stream.send(evidence())), Unavailable)

    asyncio.run(story())


def heavy(number: int) -> Evidence:
    codes = tuple(f"{'X' * 100}:{code}" for code in range(50))
    return evidence(number, validation=Validation(Verdict.FAIL, ("G4_CONTRACT",), codes))
