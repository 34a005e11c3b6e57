"""An update that was sent again: what is told is true of all its tries."""

import time
from typing import Any

import grpc
import pytest

from statestore_client import (
    Forbidden,
    InvalidRequest,
    Outcome,
    OutcomeUnknown,
    SignalUpdate,
    SignalUpdated,
    StateStore,
    Unavailable,
    VersionConflict,
)
from statestore_client.messages import signals_pb2 as pb
from tests.client.faults.scripted_server import Scripted, hang, lose, refuse
from tests.client.reports import accepted, conflict, history, standing, update
from tests.client.waiting import PATIENCE


def refused(code: str) -> pb.UpdateSignalStateResponse:
    return pb.UpdateSignalStateResponse(error_code=code, error_message="no")


def sent_again(
    script: Scripted,
    store: StateStore,
    one: SignalUpdate,
    answer: pb.UpdateSignalStateResponse,
    **how: Any,
) -> Outcome:
    """What is told of an update, the answer to the first try of which was lost."""
    script.on("BatchUpdateSignalState", lose, pb.BatchUpdateSignalStateResponse(results=[answer]))
    return store.signals.update_many([one], **how)[0]


def test_the_same_said_on_an_earlier_version_was_not_this_one(
    script: Scripted, store: StateStore
) -> None:
    """Back to a verdict that was given before: somebody else was faster, and it was not stored."""
    back = update(0, expected_version=3)
    script.on("GetSignalHistory", history((back, 2), (update(0, score=0.9), 4)))
    outcome = sent_again(script, store, back, conflict(4), idempotency_key=None)
    assert isinstance(outcome, VersionConflict)


def test_a_version_that_is_still_to_come_may_yet_be_reached(
    script: Scripted, store: StateStore
) -> None:
    """By the first try, if it and what it follows are still on their way in the server."""
    script.on("GetSignalHistory", history())
    one = update(0, expected_version=3)
    assert isinstance(
        sent_again(script, store, one, conflict(2), idempotency_key=None), OutcomeUnknown
    )


def test_it_has_made_the_version_after_the_expected_one(
    script: Scripted, store: StateStore
) -> None:
    one = update(0, expected_version=3)
    script.on("GetSignalHistory", history((one, 2), (one, 4)))
    script.on("GetSignalState", standing(update(5), 9))
    outcome = sent_again(script, store, one, conflict(9), idempotency_key=None)
    assert isinstance(outcome, SignalUpdated)
    assert (outcome.new_version, outcome.is_current, outcome.replayed) == (4, False, True)


@pytest.mark.parametrize("code", ["WRITE_CONTENTION", "UNAVAILABLE", "VALIDATION", "FORBIDDEN"])
@pytest.mark.parametrize("expected", [-1, 3])
def test_what_was_stored_is_not_called_failed(
    script: Scripted, store: StateStore, code: str, expected: int
) -> None:
    """Such as when the dataset is retired between the two tries."""
    one = update(0, expected_version=expected)
    script.on("GetSignalHistory", history((one, 4)))
    script.on("GetSignalState", standing(one, 4))
    outcome = sent_again(script, store, one, refused(code), idempotency_key=None)
    assert isinstance(outcome, SignalUpdated)
    assert outcome.new_version == 4


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("VALIDATION", InvalidRequest),
        ("WRITE_CONTENTION", OutcomeUnknown),
        ("UNAVAILABLE", OutcomeUnknown),
        ("FORBIDDEN", OutcomeUnknown),
    ],
)
@pytest.mark.parametrize("key", [None, "a-key"])
def test_what_is_not_stored_may_still_be_on_its_way(
    script: Scripted, store: StateStore, code: str, kind: type, key: str | None
) -> None:
    script.on("GetSignalHistory", history())
    outcome = sent_again(script, store, update(0), refused(code), idempotency_key=key)
    assert type(outcome) is kind
    if isinstance(outcome, OutcomeUnknown):
        assert outcome.idempotency_key == key
    assert bool(script.asked("GetSignalHistory")) == (key is None)


def test_of_the_first_try_what_the_store_says_is_true(script: Scripted, store: StateStore) -> None:
    script.on(
        "BatchUpdateSignalState",
        pb.BatchUpdateSignalStateResponse(results=[refused("WRITE_CONTENTION")]),
    )
    outcome = store.signals.update_many([update(0)], idempotency_key=None)[0]
    assert isinstance(outcome, Unavailable)
    assert not script.asked("GetSignalHistory")


def test_with_a_key_a_conflict_is_with_somebody_else(script: Scripted, store: StateStore) -> None:
    outcome = sent_again(script, store, update(0, expected_version=3), conflict(4))
    assert isinstance(outcome, VersionConflict)


def test_looking_ends_at_the_deadline_of_the_call(script: Scripted, store: StateStore) -> None:
    script.on("GetSignalHistory", hang(script))
    begun = time.monotonic()
    outcome = sent_again(
        script, store, update(0, expected_version=0), conflict(1), idempotency_key=None, timeout=1
    )
    assert isinstance(outcome, OutcomeUnknown)
    # The client's own timeout is ten seconds.
    assert time.monotonic() - begun < 8


def test_a_stream_looks_into_other_refusals_too(script: Scripted, store: StateStore) -> None:
    one = update(0)
    script.on("GetSignalHistory", history((one, 1)))
    script.on("GetSignalState", standing(one, 1))

    def losing(requests: Any, context: Any) -> Any:
        next(requests)
        lose(None, context)

    def refusing(requests: Any, context: Any) -> Any:
        next(requests)
        yield pb.StreamSignalStateUpdatesResponse(results=[refused("VALIDATION")], window=10)

    script.on("StreamSignalStateUpdates", losing, refusing)
    with store.signals.stream() as stream:
        outcome = stream.send(one).result(PATIENCE)
    assert isinstance(outcome, SignalUpdated)


@pytest.mark.parametrize(
    "code", [grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED]
)
def test_who_may_not_call_any_more_may_have_written_before(
    script: Scripted, store: StateStore, code: grpc.StatusCode
) -> None:
    """The token was withdrawn between the tries: the store does not get as far as the key."""
    reason = "FORBIDDEN" if code is grpc.StatusCode.PERMISSION_DENIED else "UNAUTHENTICATED"
    script.on("RetireDataset", lose, refuse(code, reason))
    with pytest.raises(OutcomeUnknown) as caught:
        store.datasets.retire("urn:dp:a:b:v1")
    assert caught.value.idempotency_key == script.heard[0].metadata["idempotency-key"]
    script.on("RetireDataset", refuse(grpc.StatusCode.PERMISSION_DENIED, "FORBIDDEN"))
    with pytest.raises(Forbidden):
        store.datasets.retire("urn:dp:a:b:v1")


def test_what_cannot_be_now_may_be_what_was_done(script: Scripted, store: StateStore) -> None:
    impossible = refuse(grpc.StatusCode.FAILED_PRECONDITION, "INVALID_STATE")
    script.on("EndSnooze", lose, impossible)
    with pytest.raises(OutcomeUnknown):
        store.incidents.wake("INC-1", idempotency_key=None, expected_version=3)


def test_an_answer_that_is_too_large_is_one_to_what_was_done(script: Scripted) -> None:
    script.on("UpdateSignalState", accepted(position="p" * 5_000))
    small = {"grpc.max_receive_message_length": 1_000}
    with (
        StateStore(script.address, channel_options=small) as store,
        pytest.raises(OutcomeUnknown),
    ):
        store.signals.update("urn:dp:a:b:v1", "VOLUME", update(0).evaluation)
