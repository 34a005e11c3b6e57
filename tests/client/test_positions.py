"""Reads show the client's own writes: the position is remembered and sent."""

import base64
import threading
from typing import Any

import grpc
import pytest

from statestore_client import InvalidRequest, Retrying, StateStore
from statestore_client.messages import incidents_pb2, signals_pb2
from tests.client.faults.scripted_server import Scripted, refuse
from tests.client.reports import NOON, ORDERS, accepted, evaluation, update

SIGNAL = signals_pb2.SignalState(dataset_urn=ORDERS, signal_type="VOLUME", version=3)


def token(number: int, epoch: int = 1) -> str:
    return base64.urlsafe_b64encode(f"{epoch}.0.{number}".encode()).decode().rstrip("=")


def sent(script: Scripted) -> str:
    """The position that the last read asked for."""
    position: str = script.heard[-1].request.options.min_position
    return position


def test_a_read_asks_for_the_last_write(script: Scripted, store: StateStore) -> None:
    script.on("GetSignalState", SIGNAL)
    store.signals.get(ORDERS, "VOLUME")
    assert sent(script) == ""
    script.on("UpdateSignalState", accepted(position=token(7)))
    store.signals.update(ORDERS, "VOLUME", evaluation(0))
    store.signals.get(ORDERS, "VOLUME")
    assert sent(script) == token(7) == store.position


def test_positions_come_from_every_kind_of_write(script: Scripted, store: StateStore) -> None:
    script.on("CreateIncident", incidents_pb2.Incident(answer={"position": token(3)}))
    script.on(
        "BatchUpdateSignalState",
        signals_pb2.BatchUpdateSignalStateResponse(results=[accepted()], position=token(8)),
    )
    store.incidents.create(ORDERS, severity="SEV_1", signal_types=(), failure_signatures=())  # type: ignore[arg-type]
    assert store.position == token(3)
    store.signals.update_many([update(0)])
    assert store.position == token(8)


def test_the_greatest_counts_in_whatever_order_they_come(
    script: Scripted, store: StateStore
) -> None:
    for told in (token(9), token(10), token(2), ""):
        script.on("UpdateSignalState", accepted(position=told))
        store.signals.update(ORDERS, "VOLUME", evaluation(0))
    assert store.position == token(10)
    script.on("UpdateSignalState", accepted(position=token(1, epoch=2)))
    store.signals.update(ORDERS, "VOLUME", evaluation(0))
    assert store.position == token(1, epoch=2)


def test_tokens_that_are_not_understood_are_still_handed_back(
    script: Scripted, store: StateStore
) -> None:
    for told in ("a-token-of-later-versions", token(3), "another"):
        script.on("UpdateSignalState", accepted(position=told))
        store.signals.update(ORDERS, "VOLUME", evaluation(0))
        assert store.position == told


def test_the_past_and_strong_reads_need_no_position(script: Scripted, store: StateStore) -> None:
    script.on("GetSignalState", SIGNAL)
    store.position = token(7)
    store.signals.get(ORDERS, "VOLUME", as_of=NOON)
    assert sent(script) == ""
    assert script.heard[-1].request.options.as_of.ToDatetime(NOON.tzinfo) == NOON
    store.signals.get(ORDERS, "VOLUME", strong=True)
    assert sent(script) == ""
    assert script.heard[-1].request.options.strong


def test_the_caller_may_ask_for_another_or_for_none(script: Scripted) -> None:
    script.on("GetSignalState", SIGNAL)
    script.on("UpdateSignalState", accepted(position=token(7)))
    with StateStore(script.address, read_your_writes=False) as store:
        store.signals.update(ORDERS, "VOLUME", evaluation(0))
        store.signals.get(ORDERS, "VOLUME")
        assert sent(script) == ""
        store.signals.get(ORDERS, "VOLUME", min_position=token(5))
        assert sent(script) == token(5)


def test_a_position_is_handed_to_another_client(script: Scripted, store: StateStore) -> None:
    script.on("UpdateSignalState", accepted(position=token(7)))
    script.on("GetSignalState", SIGNAL)
    store.signals.update(ORDERS, "VOLUME", evaluation(0))
    with StateStore(script.address, position=store.position) as other:
        other.signals.get(ORDERS, "VOLUME")
    assert sent(script) == token(7)


def test_pages_of_one_list_ask_for_the_same(script: Scripted, store: StateStore) -> None:
    script.on(
        "ListSignals",
        signals_pb2.ListSignalsResponse(signals=[SIGNAL], next_page_token="second"),
        signals_pb2.ListSignalsResponse(signals=[SIGNAL]),
    )
    script.on("UpdateSignalState", accepted(position=token(9)))
    store.position = token(7)
    pages = store.signals.list()
    next(pages)
    store.signals.update(ORDERS, "VOLUME", evaluation(0))
    assert [one.version for one in pages] == [3]
    first, second = (one.request for one in script.asked("ListSignals"))
    assert first.options.min_position == second.options.min_position == token(7)


def test_threads_that_write_at_once_leave_the_greatest(script: Scripted) -> None:
    turn = iter(range(1, 1000))
    lock = threading.Lock()

    def step(request: Any, context: Any) -> Any:
        with lock:
            return accepted(position=token(next(turn)))

    script.on("UpdateSignalState", step)
    with StateStore(script.address, retrying=Retrying()) as store:
        threads = [
            threading.Thread(
                target=lambda: [
                    store.signals.update(ORDERS, "VOLUME", evaluation(0)) for _ in range(10)
                ]
            )
            for _ in range(6)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert store.position == token(60)


LOST = refuse(
    grpc.StatusCode.INVALID_ARGUMENT,
    "VALIDATION",
    violations=(("min_position", "POSITION_BEYOND_END", ""),),
)


def test_what_a_restored_log_has_lost_is_forgotten(script: Scripted, store: StateStore) -> None:
    """Nobody asked for that position but the client itself: it may not fail reads for ever."""
    script.on("UpdateSignalState", accepted(position=token(7)))
    store.signals.update(ORDERS, "VOLUME", evaluation(0))
    script.on("GetSignalState", LOST, SIGNAL)
    assert store.signals.get(ORDERS, "VOLUME").version == 3
    assert sent(script) == ""
    # Positions of the restored log count again, although they are smaller.
    script.on("UpdateSignalState", accepted(position=token(5)))
    store.signals.update(ORDERS, "VOLUME", evaluation(0))
    assert store.position == token(5)


def test_so_it_is_by_pages(script: Scripted, store: StateStore) -> None:
    script.on("UpdateSignalState", accepted(position=token(7)))
    store.signals.update(ORDERS, "VOLUME", evaluation(0))
    second = signals_pb2.ListSignalsResponse(signals=[SIGNAL], next_page_token="second")
    script.on("ListSignals", LOST, second, signals_pb2.ListSignalsResponse(signals=[SIGNAL]))
    assert len(list(store.signals.list())) == 2
    positions = [one.request.options.min_position for one in script.asked("ListSignals")]
    assert positions == [token(7), "", ""]


def test_a_position_that_the_caller_named_is_refused(script: Scripted, store: StateStore) -> None:
    script.on("GetSignalState", LOST)
    store.position = token(7)
    with pytest.raises(InvalidRequest):
        store.signals.get(ORDERS, "VOLUME")
    store.position = None
    with pytest.raises(InvalidRequest):
        store.signals.get(ORDERS, "VOLUME", min_position=token(8))
    assert len(script.heard) == 2
