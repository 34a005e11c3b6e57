"""What is tried again, how often, and what is said in the end."""

import math
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
import pytest
from hypothesis import given
from hypothesis import strategies as some

from statestore_client import (
    Contended,
    DeadlineExceeded,
    InvalidRequest,
    NotFound,
    OutcomeUnknown,
    Overloaded,
    Retrying,
    StateStore,
    Unavailable,
    VersionConflict,
)
from statestore_client.messages import datasets_pb2, signals_pb2
from statestore_client.transport.retry_policy import Budget
from tests.client.conftest import QUICK
from tests.client.faults.proxy import Proxy
from tests.client.faults.scripted_server import Scripted, broken, hang, lose, refuse
from tests.client.reports import ORDERS, accepted, conflict, evaluation
from tests.client.waiting import PATIENCE, until

Code = grpc.StatusCode
SIGNAL = signals_pb2.SignalState(dataset_urn=ORDERS, signal_type="VOLUME", version=3)
RETIRED = datasets_pb2.Dataset(dataset_urn=ORDERS, status="RETIRED")

TEMPORARY = [
    refuse(Code.UNAVAILABLE, "UNAVAILABLE"),
    refuse(Code.UNAVAILABLE, "POSITION_NOT_REACHED"),
    refuse(Code.RESOURCE_EXHAUSTED, "TOO_MANY_CALLS"),
    refuse(Code.ABORTED, "WRITE_CONTENTION"),
    refuse(Code.UNKNOWN, "OUTCOME_UNKNOWN"),
    refuse(Code.UNAVAILABLE, "A_CODE_OF_LATER_VERSIONS"),
    lose,
    broken(Code.INTERNAL, "Internal error from Core"),
    broken(Code.INTERNAL, "Received RST_STREAM with error code 2"),
    broken(Code.UNKNOWN, "Stream removed"),
    broken(Code.CANCELLED, "Cancelling all calls"),
]


@pytest.mark.parametrize("fault", TEMPORARY)
def test_a_read_is_tried_again(script: Scripted, store: StateStore, fault: Any) -> None:
    script.on("GetSignalState", fault, fault, SIGNAL)
    assert store.signals.get(ORDERS, "VOLUME").version == 3
    assert len(script.heard) == 3


@pytest.mark.parametrize("fault", TEMPORARY)
def test_a_write_is_tried_again_with_the_same_key(
    script: Scripted, store: StateStore, fault: Any
) -> None:
    script.on("UpdateSignalState", fault, fault, accepted())
    store.signals.update(ORDERS, "VOLUME", evaluation(0))
    keys = {one.metadata["idempotency-key"] for one in script.heard}
    assert len(script.heard) == 3
    assert len(keys) == 1
    store.signals.update(ORDERS, "VOLUME", evaluation(0))
    assert script.heard[-1].metadata["idempotency-key"] not in keys


def test_the_callers_own_key_is_sent(script: Scripted, store: StateStore) -> None:
    script.on("RetireDataset", RETIRED)
    store.datasets.retire(ORDERS, idempotency_key="my-own")
    assert script.heard[0].metadata["idempotency-key"] == "my-own"
    assert script.heard[0].metadata["authorization"] == "Bearer a-token"


@pytest.mark.parametrize(
    ("refusal", "error"),
    [
        (refuse(Code.NOT_FOUND, "NOT_FOUND"), NotFound),
        (refuse(Code.INVALID_ARGUMENT, "VALIDATION"), InvalidRequest),
        (refuse(Code.ABORTED, "VERSION_CONFLICT", current_version=4), VersionConflict),
    ],
)
def test_what_is_refused_is_not_tried_again(
    script: Scripted, store: StateStore, refusal: Any, error: type[Exception]
) -> None:
    script.on("RetireDataset", refusal)
    with pytest.raises(error):
        store.datasets.retire(ORDERS, expected_version=3)
    assert len(script.heard) == 1


def test_a_conflict_told_as_data_is_an_error_with_the_current_version(
    script: Scripted, store: StateStore
) -> None:
    script.on("UpdateSignalState", conflict(7))
    with pytest.raises(VersionConflict) as caught:
        store.signals.update(ORDERS, "VOLUME", evaluation(0), expected_version=2)
    assert caught.value.current_version == 7
    assert len(script.heard) == 1


def test_a_write_that_may_have_been_done_is_not_repeated_without_a_key(
    script: Scripted, store: StateStore
) -> None:
    script.on("RetireDataset", lose, RETIRED)
    with pytest.raises(OutcomeUnknown) as caught:
        store.datasets.retire(ORDERS, idempotency_key=None)
    assert caught.value.idempotency_key is None
    assert len(script.heard) == 1


def test_without_a_key_it_is_repeated_if_nothing_was_done(
    script: Scripted, store: StateStore
) -> None:
    script.on("RetireDataset", refuse(Code.UNAVAILABLE, "UNAVAILABLE"), RETIRED)
    store.datasets.retire(ORDERS, idempotency_key=None)
    assert len(script.heard) == 2


def test_without_a_key_it_is_repeated_if_it_names_a_version(
    script: Scripted, store: StateStore
) -> None:
    script.on("RetireDataset", lose, RETIRED)
    store.datasets.retire(ORDERS, idempotency_key=None, expected_version=3)
    assert len(script.heard) == 2


def test_a_conflict_that_may_be_with_itself_is_not_called_a_conflict(
    script: Scripted, store: StateStore
) -> None:
    script.on("EndSnooze", lose, refuse(Code.ABORTED, "VERSION_CONFLICT", current_version=4))
    with pytest.raises(OutcomeUnknown) as caught:
        store.incidents.wake("INC-1", idempotency_key=None, expected_version=3)
    assert isinstance(caught.value.__cause__, VersionConflict)


def test_a_write_without_any_answer_ends_unknown_with_its_key(
    script: Scripted, store: StateStore
) -> None:
    script.on("RetireDataset", lose)
    with pytest.raises(OutcomeUnknown) as caught:
        store.datasets.retire(ORDERS)
    assert len(script.heard) == QUICK.most_tries
    assert caught.value.idempotency_key == script.heard[0].metadata["idempotency-key"]
    assert isinstance(caught.value.__cause__, Unavailable)


def test_one_lost_answer_among_refusals_leaves_it_unknown(
    script: Scripted, store: StateStore
) -> None:
    script.on("RetireDataset", lose, refuse(Code.UNAVAILABLE, "UNAVAILABLE"))
    with pytest.raises(OutcomeUnknown):
        store.datasets.retire(ORDERS)


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (refuse(Code.UNAVAILABLE, "UNAVAILABLE"), Unavailable),
        (refuse(Code.RESOURCE_EXHAUSTED, "TOO_MANY_CALLS"), Overloaded),
        (refuse(Code.ABORTED, "WRITE_CONTENTION"), Contended),
    ],
)
def test_what_was_certainly_not_done_is_told_as_such(
    script: Scripted, store: StateStore, fault: Any, error: type[Exception]
) -> None:
    script.on("RetireDataset", fault)
    with pytest.raises(error):
        store.datasets.retire(ORDERS)
    assert len(script.heard) == QUICK.most_tries


def test_a_server_that_is_not_there_did_nothing() -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{nobody.getsockname()[1]}"
        with StateStore(address, retrying=QUICK) as store, pytest.raises(Unavailable):
            store.datasets.retire(ORDERS)


ENDLESS = Retrying(first_pause=0.001, longest_pause=0.002, budget=math.inf)


def test_it_is_tried_until_it_succeeds(script: Scripted) -> None:
    away = [refuse(Code.UNAVAILABLE, "UNAVAILABLE")] * 60
    script.on("GetSignalState", *away, SIGNAL)
    with StateStore(script.address, retrying=ENDLESS, timeout=PATIENCE) as store:
        assert store.signals.get(ORDERS, "VOLUME").version == 3
    assert len(script.heard) == 61


def test_it_is_tried_until_the_deadline(script: Scripted) -> None:
    script.on("GetSignalState", refuse(Code.UNAVAILABLE, "UNAVAILABLE"))
    with StateStore(script.address, retrying=ENDLESS) as store:
        begun = time.monotonic()
        with pytest.raises((Unavailable, DeadlineExceeded)):
            store.signals.get(ORDERS, "VOLUME", timeout=0.5)
        # The next pause, of two milliseconds at most, would have gone beyond it.
        assert time.monotonic() - begun > 0.49


def test_no_more_often_than_the_caller_wants(script: Scripted) -> None:
    script.on("GetSignalState", refuse(Code.UNAVAILABLE, "UNAVAILABLE"))
    thrice = Retrying(first_pause=0.001, most_tries=3)
    with StateStore(script.address, retrying=thrice) as store, pytest.raises(Unavailable):
        store.signals.get(ORDERS, "VOLUME")
    assert len(script.heard) == 3


def test_a_server_that_starts_meanwhile_is_found(script: Scripted) -> None:
    """Nobody listens while the first nine tries are made."""
    script.on("UpdateSignalState", accepted(7))
    often = Retrying(longest_pause=0.1)
    with socket.socket() as listening, ThreadPoolExecutor(1) as pool:
        listening.bind(("127.0.0.1", 0))
        port = int(script.address.rpartition(":")[2])
        proxy = Proxy(("127.0.0.1", port), listening)
        with StateStore(proxy.address, retrying=often, timeout=PATIENCE) as store:
            budget = store._awaited._calls._trying._budget
            calling = pool.submit(store.signals.update, ORDERS, "VOLUME", evaluation(0))
            until(lambda: budget.left < often.budget - 8 or calling.done())
            listening.listen()
            accepting = threading.Thread(target=proxy.accept, daemon=True)
            accepting.start()
            assert calling.result(PATIENCE).new_version == 7
        listening.shutdown(socket.SHUT_RDWR)
        accepting.join()
        proxy.cut()
    assert len(script.heard) == 1


@pytest.mark.parametrize("timeout", [0, -1, math.nan, math.inf])
def test_without_any_time_nothing_is_sent(
    script: Scripted, store: StateStore, timeout: float
) -> None:
    asks: list[Any] = [
        lambda: store.signals.get(ORDERS, "VOLUME", timeout=timeout),
        lambda: store.signals.get_many([(ORDERS, "VOLUME")], timeout=timeout),
        lambda: list(store.signals.history(ORDERS, "VOLUME", timeout=timeout)),
        lambda: store.signals.update(ORDERS, "VOLUME", evaluation(0), timeout=timeout),
        lambda: store.datasets.retire(ORDERS, timeout=timeout),
        lambda: StateStore(timeout=timeout),
    ]
    for ask in asks:
        with pytest.raises(ValueError, match="timeout must be"):
            ask()
    assert not script.heard


def test_every_call_has_a_deadline(script: Scripted, store: StateStore) -> None:
    script.on("GetSignalState", SIGNAL)
    store.signals.get(ORDERS, "VOLUME")
    store.signals.get(ORDERS, "VOLUME", timeout=3)
    first, second = (one.seconds_left or 0 for one in script.heard)
    # On the wire a deadline is rounded up.
    assert 4 < first < 11
    assert 0 < second < 4


def test_all_parts_of_a_read_share_its_deadline(script: Scripted, store: StateStore) -> None:
    def slow(request: Any, context: Any) -> Any:
        threading.Event().wait(0.5)
        return signals_pb2.BatchGetSignalStatesResponse(results=[{}] * len(request.signals))

    script.on("BatchGetSignalStates", slow)
    names = [(ORDERS, "VOLUME")] * 1_500
    assert len(store.signals.get_many(names)) == 1_500
    script.heard.clear()
    with pytest.raises(DeadlineExceeded):
        store.signals.get_many(names, timeout=0.9)
    assert len(script.heard) <= 2


def test_a_read_ends_at_its_deadline(script: Scripted, store: StateStore) -> None:
    script.on("GetSignalState", hang(script))
    with pytest.raises(DeadlineExceeded):
        store.signals.get(ORDERS, "VOLUME", timeout=0.2)
    assert len(script.heard) == 1


def test_a_write_that_ends_at_its_deadline_may_have_been_done(
    script: Scripted, store: StateStore
) -> None:
    script.on("RetireDataset", hang(script))
    with pytest.raises(OutcomeUnknown) as caught:
        store.datasets.retire(ORDERS, timeout=0.2)
    assert isinstance(caught.value.__cause__, DeadlineExceeded)


def test_one_try_may_have_less_time_than_the_call(script: Scripted) -> None:
    script.on("GetSignalState", hang(script), SIGNAL)
    patience = Retrying(first_pause=0.001, try_timeout=0.2)
    with StateStore(script.address, retrying=patience, timeout=60) as store:
        assert store.signals.get(ORDERS, "VOLUME").version == 3


def test_what_the_server_asks_for_is_waited_or_not_tried(
    script: Scripted, store: StateStore
) -> None:
    script.on("GetSignalState", refuse(Code.UNAVAILABLE, "UNAVAILABLE", after=3600))
    with pytest.raises(Unavailable):
        store.signals.get(ORDERS, "VOLUME")
    assert len(script.heard) == 1


def test_all_calls_share_a_budget_of_retries(script: Scripted) -> None:
    script.on("GetSignalState", refuse(Code.UNAVAILABLE, "UNAVAILABLE"))
    few = Retrying(
        first_pause=0.001, longest_pause=0.002, budget=7, earned=0.25, earned_each_second=0
    )
    with StateStore(script.address, retrying=few) as store:
        for _ in range(10):
            with pytest.raises(Unavailable):
                store.signals.get(ORDERS, "VOLUME")
        assert len(script.heard) == 10 + 7
        script.on("GetSignalState", SIGNAL)
        for _ in range(4):
            store.signals.get(ORDERS, "VOLUME")
        script.on("GetSignalState", refuse(Code.UNAVAILABLE, "UNAVAILABLE"))
        script.heard.clear()
        with pytest.raises(Unavailable):
            store.signals.get(ORDERS, "VOLUME")
        # Four successes earned one.
        assert len(script.heard) == 2


def test_the_budget_never_stops_a_caller_alone() -> None:
    """Whose calls of ten seconds follow one another and all fail: the server may be long away."""
    now = 0.0
    budget = Budget(retrying := Retrying(), now=lambda: now)
    for _ in range(200):
        deadline, tries = now + 10, 1
        while now + (pause := retrying.pause(tries, None)) < deadline:
            assert budget.spend()
            now, tries = now + pause, tries + 1


@given(spans=some.lists(some.floats(0, 5)), rate=some.floats(0, 10))
def test_a_budget_earns_by_the_second_and_has_a_limit(spans: list[float], rate: float) -> None:
    now = 0.0
    budget = Budget(Retrying(budget=7, earned_each_second=rate), now=lambda: now)
    spent = 0
    for span in spans:
        now += span
        while budget.spend():
            spent += 1
        assert 0 <= budget.left < 1
    assert spent <= 7 + now * rate + 1e-6


@given(
    tries=some.integers(1, 30) | some.integers(1_000, 100_000),
    asked=some.none() | some.floats(0, 100),
    first=some.floats(0.001, 1),
    longest=some.floats(0.001, 10),
)
def test_pauses_grow_within_bounds(
    tries: int, asked: float | None, first: float, longest: float
) -> None:
    pause = Retrying(first_pause=first, longest_pause=longest).pause(tries, asked)
    assert (asked or 0) <= pause <= (asked or 0) + min(longest, first * 2 ** min(tries - 1, 100))
