"""Evidence that is collected and put together: each has its outcome, and none is lost unsaid."""

import asyncio
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
from attrs import define, field
from dependency_injector import providers

from application.errors import Overloaded
from application.evidence.writer import EvidenceKeeper
from domain.evidence import evidence as domain
from entrypoints.container import Container
from statestore_client import (
    AsyncStateStore,
    InvalidRequest,
    OutcomeUnknown,
    StateStore,
    Unavailable,
)
from statestore_client import errors as told
from statestore_client.messages import evidence_pb2 as pb
from tests.client.conftest import QUICK
from tests.client.faults.scripted_server import Scripted, hang, lose
from tests.client.test_evidence import PASSED, evidence
from tests.client.waiting import PATIENCE, until
from tests.entrypoints.grpc.support.served import Served, served
from tests.entrypoints.http.api import TOKEN
from tests.entrypoints.support.sample_evidence import named

LONG = 3600.0
PAUSE = 1.0
"""Seconds that the server asks for when it cannot take more."""


@define
class BusyKeeper(EvidenceKeeper):
    """Has no room for the first that come."""

    has_refused: bool = field(default=False, init=False)

    async def keep(self, evidence: Sequence[domain.Evidence]) -> None:
        if not self.has_refused:
            self.has_refused = True
            raise Overloaded("the store of evidence")
        await super().keep(evidence)


@contextmanager
def overloaded_once() -> Iterator[Served]:
    def fill(container: Container) -> None:
        parts = (container.evidence_archive, container.evidence_filler)
        container.evidence_keeper.override(providers.Singleton(BusyKeeper, *parts, 1_000))

    with served("memory", fill) as server:
        yield server


@pytest.fixture
def server() -> Iterator[Served]:
    with served() as one:
        yield one


def client(server: Served, **how: Any) -> AsyncStateStore:
    return AsyncStateStore(server.server.address, token=TOKEN, retrying=QUICK, **how)


def all_kept(request: pb.BatchPutEvidenceRequest, context: Any) -> Any:
    return pb.BatchPutEvidenceResponse(results=[{"kept": True} for _ in request.evidence])


def sizes(script: Scripted) -> list[int]:
    return [len(one.request.evidence) for one in script.asked("BatchPutEvidence")]


def test_each_is_kept_left_out_or_refused_by_itself(server: Served) -> None:
    async def story() -> None:
        async with client(server) as store:
            async with store.evidence.batching(size=10, every=LONG) as batches:
                sent = [evidence(number) for number in range(1, 24)]
                sent += [PASSED, evidence(24, dataset_urn="?")]
                futures = [await batches.add(one) for one in sent]
            *kept, left_out, wrong = [one.result() for one in futures]
            assert kept == [True] * 23
            assert left_out is False
            assert isinstance(wrong, InvalidRequest)
            assert [one.field for one in wrong.violations] == ["dataset_urn"]
            found = await store.evidence.get_many([one.evidence_id for one in sent])
            assert sorted(found) == [named(number) for number in range(1, 24)]
            with pytest.raises(RuntimeError):
                _ = await batches.add(evidence(30))

    server.run(story())


def test_what_does_not_fill_a_batch_is_put_in_time(server: Served) -> None:
    async def story() -> None:
        async with client(server) as store, store.evidence.batching(every=0.001) as batches:
            outcome = await batches.add(evidence())
            assert await outcome is True

    server.run(story())


def test_a_store_that_is_overloaded_is_given_the_pause_it_asks_for() -> None:
    with overloaded_once() as server:

        async def story() -> None:
            async with client(server) as store:
                begun = time.monotonic()
                async with store.evidence.batching(size=2, every=LONG) as batches:
                    futures = [await batches.add(evidence(number)) for number in range(4)]
                assert [one.result() for one in futures] == [True] * 4
                assert time.monotonic() - begun >= PAUSE

        server.run(story())


def test_who_cannot_wait_so_long_is_told_that_nothing_was_kept() -> None:
    with overloaded_once() as server:

        async def story() -> None:
            async with client(server, timeout=PAUSE / 2) as store:
                async with store.evidence.batching(size=2, every=LONG) as batches:
                    futures = [await batches.add(evidence(number)) for number in range(4)]
                refused, same, *kept = [one.result() for one in futures]
                assert isinstance(refused, told.Overloaded)
                assert same is refused
                assert kept == [True, True]
                found = await store.evidence.get_many(map(named, range(4)))
                assert sorted(found) == [named(2), named(3)]

        server.run(story())


def test_a_lost_answer_is_asked_for_again_without_a_key(
    script: Scripted, store: StateStore
) -> None:
    """The same id is kept once, however often it comes."""
    script.on("BatchPutEvidence", lose, all_kept)
    with store.evidence.batching(size=2, every=LONG) as batches:
        futures = [batches.add(evidence(number)) for number in range(2)]
    assert [one.result() for one in futures] == [True, True]
    first, second = script.asked("BatchPutEvidence")
    assert first.request == second.request
    assert not any("idempotency-key" in one.metadata for one in (first, second))


def test_no_more_are_held_than_there_is_room_for(script: Scripted, store: StateStore) -> None:
    script.on("BatchPutEvidence", all_kept)
    futures: list[Any] = []
    with store.evidence.batching(size=2, every=LONG, most_waiting=4) as batches:
        for number in range(40):
            futures.append(batches.add(evidence(number)))
            assert sum(not one.done() for one in futures) <= 4
    assert [one.result() for one in futures] == [True] * 40


def test_who_adds_more_waits_for_an_outcome(script: Scripted) -> None:
    go_on = threading.Event()

    def slow(request: pb.BatchPutEvidenceRequest, context: Any) -> Any:
        go_on.wait(PATIENCE)
        return all_kept(request, context)

    async def story() -> None:
        async with (
            AsyncStateStore(script.address, retrying=QUICK) as store,
            store.evidence.batching(size=2, every=LONG, most_waiting=4) as batches,
        ):
            futures = [await batches.add(evidence(number)) for number in range(4)]
            adding = asyncio.create_task(batches.add(evidence(4)))
            await asyncio.to_thread(until, lambda: len(script.heard) == 1)
            assert not adding.done()
            go_on.set()
            futures.append(await adding)
        assert [one.result() for one in futures] == [True] * 5

    script.on("BatchPutEvidence", slow)
    asyncio.run(story())
    assert sizes(script) == [2, 2, 1]


def test_an_error_inside_tells_what_was_not_sent_and_what_may_have_been_kept(
    script: Scripted, store: StateStore
) -> None:
    script.on("BatchPutEvidence", hang(script))
    futures: list[Any] = []

    def failing() -> None:
        with store.evidence.batching(size=2, every=LONG) as batches:
            futures.extend(batches.add(evidence(number)) for number in range(3))
            until(lambda: len(script.heard) == 1)
            raise LookupError

    with pytest.raises(LookupError):
        failing()
    *sent, unsent = [one.result(PATIENCE) for one in futures]
    assert all(isinstance(one, OutcomeUnknown) for one in sent)
    assert isinstance(unsent, Unavailable)


def test_flushing_waits_for_every_outcome(script: Scripted) -> None:
    script.on("BatchPutEvidence", all_kept)

    async def story() -> list[bool]:
        async with (
            AsyncStateStore(script.address, retrying=QUICK) as store,
            store.evidence.batching(size=2, every=0.001) as batches,
        ):
            futures = [await batches.add(evidence(number)) for number in range(5)]
            await batches.flush()
            return [one.done() for one in futures]

    assert asyncio.run(story()) == [True] * 5


def test_what_cannot_be_sent_spoils_nothing(script: Scripted, store: StateStore) -> None:
    script.on("BatchPutEvidence", all_kept)
    naive = evidence().created_at.replace(tzinfo=None)
    with store.evidence.batching(size=10, every=LONG) as batches:
        future = batches.add(evidence())
        with pytest.raises(ValueError, match="created_at"):
            batches.add(evidence(1, created_at=naive))
    assert future.result() is True


@pytest.mark.parametrize("size", [0, 5_001])
def test_a_size_that_no_call_can_have(store: StateStore, size: int) -> None:
    with pytest.raises(ValueError, match="1 to 5000"):
        store.evidence.batching(size=size)
