"""What a failed call means: which of our errors it is, and whether trying again is any use."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import grpc
from google.protobuf.message import DecodeError
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

from statestore_client import errors
from statestore_client.errors import StateStoreError
from statestore_client.models.answers import Violation

DOMAIN = "statestore"
_NO_DATA: Mapping[str, str] = MappingProxyType({})

Data = Mapping[str, str]
Violations = Sequence[Violation]


@dataclass(frozen=True, slots=True)
class Failure:
    error: StateStoreError
    temporary: bool = False
    """Whether trying again may help."""
    undone: bool = True
    """Whether it is certain that nothing was done."""
    unsent: bool = False
    """Whether it did not even leave."""
    pause: float | None = None
    """How long the server asks to wait before that."""


@dataclass(frozen=True, slots=True)
class Rich:
    """What a status says besides its code and text."""

    info: ErrorInfo | None = None
    violations: Violations = ()
    pause: float | None = None


_TEMPORARY = {
    "UNAVAILABLE",
    "WRITE_CONTENTION",
    "POSITION_NOT_REACHED",
    "TOO_MANY_CALLS",
    "OVERLOADED",
    "OUTCOME_UNKNOWN",
}
_MAYBE_DONE = {"OUTCOME_UNKNOWN", "INTERNAL"}
"""Whatever else the store says, it says instead of doing it."""

_BY_CODE: Mapping[str, Callable[[str, str], StateStoreError]] = {
    "NOT_FOUND": errors.NotFound,
    "INVALID_STATE": errors.Impossible,
    "UNAUTHENTICATED": errors.Unauthenticated,
    "FORBIDDEN": errors.Forbidden,
    "TRANSACTION_TOO_LARGE": errors.TooMuch,
    "QUERY_TOO_LARGE": errors.TooMuch,
    "TOO_LARGE": errors.TooMuch,
    "UNAVAILABLE": errors.Unavailable,
    "NEWER_VERSION_REQUIRED": errors.Unavailable,
    "TOO_MANY_CALLS": errors.Overloaded,
    "OVERLOADED": errors.Overloaded,
    "DATA_CORRUPTED": errors.ServerError,
    "WRITE_CONTENTION": errors.Contended,
    "POSITION_NOT_REACHED": errors.NotCaughtUp,
    "DEADLINE_EXCEEDED": errors.DeadlineExceeded,
    "OUTCOME_UNKNOWN": errors.OutcomeUnknown,
}

_WITH_DATA = {
    "VALIDATION",
    "AS_OF_IN_FUTURE",
    "MALFORMED_MESSAGE",
    "IDEMPOTENCY_KEY_REUSED",
    "VERSION_CONFLICT",
    "ALREADY_EXISTS",
}
KNOWN = _WITH_DATA | _BY_CODE.keys() | {"INTERNAL"}

_BY_STATUS: Mapping[grpc.StatusCode, str] = {
    grpc.StatusCode.INVALID_ARGUMENT: "VALIDATION",
    grpc.StatusCode.OUT_OF_RANGE: "VALIDATION",
    grpc.StatusCode.NOT_FOUND: "NOT_FOUND",
    grpc.StatusCode.ALREADY_EXISTS: "ALREADY_EXISTS",
    grpc.StatusCode.FAILED_PRECONDITION: "INVALID_STATE",
    grpc.StatusCode.UNAUTHENTICATED: "UNAUTHENTICATED",
    grpc.StatusCode.PERMISSION_DENIED: "FORBIDDEN",
    grpc.StatusCode.ABORTED: "WRITE_CONTENTION",
    grpc.StatusCode.RESOURCE_EXHAUSTED: "TOO_MANY_CALLS",
    grpc.StatusCode.UNAVAILABLE: "UNAVAILABLE",
    grpc.StatusCode.CANCELLED: "UNAVAILABLE",
    grpc.StatusCode.DEADLINE_EXCEEDED: "DEADLINE_EXCEEDED",
    grpc.StatusCode.UNIMPLEMENTED: "UNIMPLEMENTED",
}
"""For what comes from the transport, or from a proxy, without a word of the store's."""

_NEVER_SENT = ("failed to connect", "DNS resolution failed", "connections to all backends failing")
_TOO_LARGE = "larger than max"
_ANSWER_TOO_LARGE = "CLIENT: Received message larger than max"
_BROKEN = ("Internal error from Core", "Stream removed", "RST_STREAM")
"""What gRPC says of connections that broke in the middle, under codes that mean much else."""


def failure(status: grpc.aio.AioRpcError) -> Failure:
    text, rich = status.details() or "", _rich(status)
    if rich.info is None:
        return _of_transport(status.code(), text, rich)
    code = rich.info.reason
    # A newer server may know more codes; what the transport calls it says enough of those.
    meaning = code if code in KNOWN else _BY_STATUS.get(status.code(), "INTERNAL")
    error = told_error(meaning, text, rich.info.metadata, rich.violations)
    error.code = code
    temporary, undone = meaning in _TEMPORARY, meaning not in _MAYBE_DONE
    return Failure(error, temporary, undone, pause=rich.pause)


def told_error(
    code: str, text: str, data: Data = _NO_DATA, violations: Violations = ()
) -> StateStoreError:
    """The error that the store calls by that code."""
    match code:
        case "VALIDATION" | "AS_OF_IN_FUTURE" | "MALFORMED_MESSAGE":
            return errors.InvalidRequest(text, code, violations)
        case "IDEMPOTENCY_KEY_REUSED":
            return errors.KeyReused(text, code, violations)
        case "VERSION_CONFLICT":
            return errors.VersionConflict(text, code, _version(data))
        case "ALREADY_EXISTS":
            return errors.AlreadyExists(text, code, _version(data))
        case _:
            return _BY_CODE.get(code, errors.ServerError)(text, code)


def _of_transport(status: grpc.StatusCode, text: str, rich: Rich) -> Failure:
    code = _BY_STATUS.get(status, "INTERNAL")
    if code == "TOO_MANY_CALLS" and _TOO_LARGE in text:
        code = "TOO_LARGE"
    if code == "INTERNAL" and any(said in text for said in _BROKEN):
        code = "UNAVAILABLE"
    unanswered = code in ("UNAVAILABLE", "DEADLINE_EXCEEDED", "INTERNAL")
    unanswered = unanswered or _ANSWER_TOO_LARGE in text
    unsent = text.startswith(_NEVER_SENT)
    error = told_error(code, text or code, violations=rich.violations)
    return Failure(error, code in _TEMPORARY, unsent or not unanswered, unsent, rich.pause)


def _rich(status: grpc.aio.AioRpcError) -> Rich:
    trailing: Any = status.trailing_metadata()
    said: Mapping[str, Any] = dict(trailing or ())
    try:
        return _details(Status.FromString(said.get("grpc-status-details-bin", b"")))
    except DecodeError:
        return Rich()


def _details(status: Status) -> Rich:
    info, bad, retry = ErrorInfo(), BadRequest(), RetryInfo()
    for detail in status.details:
        detail.Unpack(info) or detail.Unpack(bad) or detail.Unpack(retry)
    return Rich(
        info if info.domain == DOMAIN else None,
        tuple(Violation(v.field, v.reason, v.description) for v in bad.field_violations),
        retry.retry_delay.ToTimedelta().total_seconds() if retry.HasField("retry_delay") else None,
    )


def _version(data: Data) -> int | None:
    said = data.get("current_version", "")
    return int(said) if said.lstrip("-").isdigit() else None
