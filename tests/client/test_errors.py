"""What the store refuses with, as errors of the client."""

from typing import Any

import grpc
import pytest

from statestore_client import (
    AlreadyExists,
    Forbidden,
    Impossible,
    InvalidRequest,
    KeyReused,
    NotFound,
    OutcomeUnknown,
    ServerError,
    StateStore,
    StateStoreError,
    TooMuch,
    Unauthenticated,
    Unavailable,
    VersionConflict,
    Violation,
)
from statestore_client.messages import signals_pb2
from tests.client.faults.scripted_server import Scripted, refuse
from tests.client.reports import ORDERS, evaluation

Code = grpc.StatusCode


@pytest.mark.parametrize(
    ("status", "reason", "error"),
    [
        (Code.NOT_FOUND, "NOT_FOUND", NotFound),
        (Code.FAILED_PRECONDITION, "INVALID_STATE", Impossible),
        (Code.UNAUTHENTICATED, "UNAUTHENTICATED", Unauthenticated),
        (Code.PERMISSION_DENIED, "FORBIDDEN", Forbidden),
        (Code.INVALID_ARGUMENT, "IDEMPOTENCY_KEY_REUSED", KeyReused),
        (Code.INVALID_ARGUMENT, "AS_OF_IN_FUTURE", InvalidRequest),
        (Code.INVALID_ARGUMENT, "QUERY_TOO_LARGE", TooMuch),
        (Code.INVALID_ARGUMENT, "TRANSACTION_TOO_LARGE", TooMuch),
        (Code.RESOURCE_EXHAUSTED, "TOO_LARGE", TooMuch),
        (Code.UNAVAILABLE, "NEWER_VERSION_REQUIRED", Unavailable),
        (Code.INTERNAL, "INTERNAL", ServerError),
        (Code.NOT_FOUND, "A_CODE_OF_LATER_VERSIONS", NotFound),
        (Code.DATA_LOSS, "ANOTHER_CODE_OF_LATER_VERSIONS", ServerError),
    ],
)
def test_each_code_is_an_error_of_its_own(
    script: Scripted, store: StateStore, status: Code, reason: str, error: type[StateStoreError]
) -> None:
    script.on("GetDataset", refuse(status, reason))
    with pytest.raises(error) as caught:
        store.datasets.get(ORDERS)
    assert type(caught.value) is error
    assert caught.value.code == reason
    assert len(script.heard) == 1


def test_violations_are_told_all_at_once(script: Scripted, store: StateStore) -> None:
    found = (("tier", "UNKNOWN_VALUE", "must be a tier"), ("page_size", "OUT_OF_RANGE", "too big"))
    script.on("GetDataset", refuse(Code.INVALID_ARGUMENT, "VALIDATION", violations=found))
    with pytest.raises(InvalidRequest) as caught:
        store.datasets.get(ORDERS)
    assert caught.value.violations == tuple(Violation(*one) for one in found)


@pytest.mark.parametrize(
    ("status", "reason", "error"),
    [
        (Code.ABORTED, "VERSION_CONFLICT", VersionConflict),
        (Code.ALREADY_EXISTS, "ALREADY_EXISTS", AlreadyExists),
    ],
)
def test_the_version_there_is_is_told(
    script: Scripted, store: StateStore, status: Code, reason: str, error: Any
) -> None:
    script.on("RetireDataset", refuse(status, reason, current_version=12))
    with pytest.raises(error) as caught:
        store.datasets.retire(ORDERS, expected_version=3)
    assert caught.value.current_version == 12


def test_what_is_wrong_with_an_update_comes_as_data(script: Scripted, store: StateStore) -> None:
    script.on(
        "UpdateSignalState",
        signals_pb2.UpdateSignalStateResponse(
            error_code="VALIDATION",
            error_message="no",
            violations=[{"field": "score", "code": "OUT_OF_RANGE", "message": "must be a share"}],
        ),
    )
    with pytest.raises(InvalidRequest) as caught:
        store.signals.update(ORDERS, "VOLUME", evaluation(0, score=7.0))
    assert caught.value.violations == (Violation("score", "OUT_OF_RANGE", "must be a share"),)


def test_a_write_that_failed_inside_may_have_been_done(script: Scripted, store: StateStore) -> None:
    script.on("RetireDataset", refuse(Code.INTERNAL, "INTERNAL"))
    with pytest.raises(OutcomeUnknown) as caught:
        store.datasets.retire(ORDERS)
    assert isinstance(caught.value.__cause__, ServerError)
    assert len(script.heard) == 1


def test_an_older_server_that_lacks_a_method_did_nothing(
    script: Scripted, store: StateStore
) -> None:
    def unimplemented(request: Any, context: grpc.ServicerContext) -> None:
        context.abort(Code.UNIMPLEMENTED, "no such method")

    script.on("RetireDataset", unimplemented)
    with pytest.raises(ServerError):
        store.datasets.retire(ORDERS)


def test_moments_without_an_offset_are_refused_before_anything_is_sent(
    script: Scripted, store: StateStore
) -> None:
    naive = evaluation(0).window_end.replace(tzinfo=None)
    with pytest.raises(ValueError, match="window_end must tell its offset"):
        store.signals.update(ORDERS, "VOLUME", evaluation(0, window_end=naive))
    assert not script.heard
