"""Threads, forks and the end of a client: nothing is shared that cannot be, nothing is left."""

import asyncio
import gc
import inspect
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import statestore_client
from statestore_client import (
    AsyncStateStore,
    PastEvaluation,
    SignalState,
    StateStore,
    VersionConflict,
)
from statestore_client.blocking import groups, streams
from statestore_client.datasets import AsyncDatasets
from statestore_client.evidence import AsyncEvidence
from statestore_client.incidents import AsyncIncidents
from statestore_client.lineage import AsyncLineage
from statestore_client.messages import signals_pb2
from statestore_client.policies import AsyncPolicies
from statestore_client.rules import AsyncRules
from statestore_client.signals import AsyncSignals
from statestore_client.streaming.batches import AsyncBatches
from statestore_client.streaming.streams import AsyncStream
from tests.client.conftest import QUICK
from tests.client.faults.scripted_server import Scripted, hang
from tests.client.reports import ORDERS, accepted, conflict, evaluation, update
from tests.client.waiting import PATIENCE, until

BETWEEN_THEM = {"prepared", "take", "must_work"}
"""What one asks of the other."""

SIGNAL = signals_pb2.SignalState(dataset_urn=ORDERS, signal_type="VOLUME", version=3)


@pytest.mark.parametrize(
    ("waiting", "awaited"),
    [
        (groups.Signals, AsyncSignals),
        (groups.Incidents, AsyncIncidents),
        (groups.Datasets, AsyncDatasets),
        (groups.Rules, AsyncRules),
        (groups.Lineage, AsyncLineage),
        (groups.Policies, AsyncPolicies),
        (groups.EvidenceGroup, AsyncEvidence),
        (streams.Batches, AsyncBatches),
        (streams.Stream, AsyncStream),
    ],
    ids=lambda one: one.__name__,
)
def test_both_clients_offer_the_same(waiting: type, awaited: type) -> None:
    def offered(one: type) -> dict[str, set[str]]:
        methods = inspect.getmembers(one, inspect.isfunction)
        return {
            name: set(inspect.signature(method).parameters)
            for name, method in methods
            if not name.startswith("_") and name not in BETWEEN_THEM
        }

    assert offered(waiting) == offered(awaited)


@pytest.mark.parametrize(
    "group", [groups.Signals, groups.Incidents, groups.Datasets, groups.Rules, groups.Lineage]
)
def test_help_shows_nothing_that_is_awaited(group: type) -> None:
    for name, method in inspect.getmembers(group, inspect.isfunction):
        assert "Async" not in str(inspect.signature(method).return_annotation), name
        assert "Async" not in str(method.__annotations__["return"]), name


def test_help_shows_what_is_returned() -> None:
    listed, streamed = groups.Signals.history, groups.Signals.stream
    assert inspect.signature(listed).return_annotation == Iterator[PastEvaluation]
    assert inspect.signature(streamed).return_annotation is streams.Stream


def test_many_threads_share_a_client(script: Scripted, store: StateStore) -> None:
    script.on("GetSignalState", SIGNAL)
    found: list[int] = []

    def ask() -> None:
        found.extend(store.signals.get(ORDERS, "VOLUME").version for _ in range(20))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [3] * 160


def test_a_closed_client_says_so(script: Scripted, store: StateStore) -> None:
    store.close()
    store.close()
    with pytest.raises(RuntimeError, match="closed"):
        store.signals.get(ORDERS, "VOLUME")


def client_threads() -> list[threading.Thread]:
    return [one for one in threading.enumerate() if "statestore" in one.name]


def test_closing_ends_what_is_on_its_way_and_leaves_nothing(script: Scripted) -> None:
    script.on("GetSignalState", hang(script))
    script.on("StreamSignalStateUpdates", hang(script))
    store = StateStore(script.address, retrying=QUICK, timeout=60)
    assert client_threads()
    ended: list[BaseException] = []

    def ask() -> None:
        try:
            store.signals.get(ORDERS, "VOLUME")
        except BaseException as error:  # noqa: BLE001  # whichever it is, it ended
            ended.append(error)

    asking = threading.Thread(target=ask)
    asking.start()
    stream = store.signals.stream()
    stream.__enter__()
    future = stream.send(update(0))
    until(lambda: len(script.heard) == 2)
    store.close()
    asking.join(PATIENCE)
    assert len(ended) == 1
    assert isinstance(future.result(PATIENCE), Exception)
    assert not client_threads()


def open_files() -> int:
    gc.collect()
    return len(list(Path("/proc/self/fd").iterdir()))


def test_an_open_file_is_not_left_by_any_client(script: Scripted) -> None:
    script.on("GetSignalState", SIGNAL)

    def use() -> None:
        with StateStore(script.address) as store:
            store.signals.get(ORDERS, "VOLUME")

    use()
    before = open_files()
    for _ in range(10):
        use()
    # Connections are closed a moment later, by gRPC itself.
    until(lambda: open_files() < before + 5)


def test_no_task_is_left_on_the_loop(script: Scripted) -> None:
    script.on("GetSignalState", SIGNAL)
    script.on("StreamSignalStateUpdates", hang(script))
    script.on("BatchUpdateSignalState", hang(script))

    async def use() -> set[Any]:
        async with AsyncStateStore(script.address, retrying=QUICK) as store:
            await store.signals.get(ORDERS, "VOLUME")
            for sending_them in (store.signals.stream(), store.signals.batching(size=1)):
                await _broken_off(sending_them)
        return asyncio.all_tasks() - {asyncio.current_task()}

    async def _broken_off(sending_them: Any) -> None:
        with suppress(LookupError):
            async with sending_them:
                send = getattr(sending_them, "send", None) or sending_them.add
                await send(update(0))
                await asyncio.sleep(0)
                raise LookupError

    assert not asyncio.run(use())


def test_a_callback_may_not_wait_for_the_client(script: Scripted, store: StateStore) -> None:
    script.on("GetSignalState", SIGNAL)
    script.on(
        "BatchUpdateSignalState", signals_pb2.BatchUpdateSignalStateResponse(results=[accepted()])
    )
    told: list[BaseException] = []
    done = threading.Event()

    def call_back(_: object) -> None:
        try:
            store.signals.get(ORDERS, "VOLUME")
        except RuntimeError as error:
            told.append(error)
        done.set()

    with store.signals.batching(size=2, every=0.01) as batches:
        batches.add(update(0)).add_done_callback(call_back)
        assert done.wait(PATIENCE)
    assert "callback" in str(told[0])


def test_deciding_again_after_a_conflict(script: Scripted, store: StateStore) -> None:
    """S0-203; what is decided may ask the client itself."""
    script.on("GetSignalState", SIGNAL)
    script.on("UpdateSignalState", conflict(4), conflict(5), accepted(6))
    seen: list[int] = []

    def decide(now: SignalState | None) -> Any:
        assert now is not None
        seen.append(store.signals.get(ORDERS, "VOLUME").version)
        return evaluation(len(seen))

    updated = store.signals.update_with_retry(ORDERS, "VOLUME", decide)
    assert updated is not None
    assert updated.new_version == 6
    assert len(seen) == 3
    sent = [one.request.expected_version for one in script.asked("UpdateSignalState")]
    assert sent == [3, 3, 3]
    assert len({one.metadata["idempotency-key"] for one in script.asked("UpdateSignalState")}) == 3


def test_deciding_ends_with_the_conflict_or_with_nothing(
    script: Scripted, store: StateStore
) -> None:
    script.on("GetSignalState", SIGNAL)
    script.on("UpdateSignalState", conflict(4))
    with pytest.raises(VersionConflict):
        store.signals.update_with_retry(ORDERS, "VOLUME", lambda _: evaluation(0), tries=3)
    assert len(script.asked("UpdateSignalState")) == 3
    assert store.signals.update_with_retry(ORDERS, "VOLUME", lambda _: None) is None
    assert len(script.asked("UpdateSignalState")) == 3


FORKING = """
import os, sys
from statestore_client import StateStore

def in_a_child(work):
    pid = os.fork()
    if pid == 0:
        try:
            work()
        except RuntimeError as error:
            print(error, flush=True)
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0

def ask(store):
    print(store.signals.get("urn", "VOLUME").version, flush=True)

def ask_anew():
    with StateStore(sys.argv[1]) as store:
        ask(store)

in_a_child(ask_anew)
with StateStore(sys.argv[1]) as store:
    ask(store)
    in_a_child(lambda: ask(store))
    in_a_child(ask_anew)
    ask(store)
"""


def test_a_fork_is_told_what_it_cannot_do(script: Scripted) -> None:
    script.on("GetSignalState", SIGNAL)
    package = str(Path(statestore_client.__file__).parents[1])
    ran = subprocess.run(
        [sys.executable, "-c", FORKING, script.address],
        env={**os.environ, "PYTHONPATH": package},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    first, own, refused, refused_anew, again = ran.stdout.splitlines()
    assert (first, own, again) == ("3", "3", "3")
    assert "make one in each process" in refused
    assert "fork before the first call" in refused_anew
