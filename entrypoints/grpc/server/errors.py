"""
Errors as gRPC statuses, with rich details that programs can read.

What only gRPC can get wrong:

    GrpcError
    ├── Malformed        the bytes are not the message that the method takes
    ├── TooManyCalls     as many calls as are allowed are on their way
    └── DeadlineOver     there is no time left to begin
"""

from collections.abc import Mapping
from typing import Any

import grpc
from attrs import define, frozen
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

from application.delivery.dead_letters import NotTaken
from application.errors import (
    Contended,
    Damaged,
    Forbidden,
    KeyReused,
    NotCaughtUp,
    NotReadable,
    NotYet,
    OutcomeUnknown,
    Overloaded,
    TooMuch,
    TooWide,
    Unavailable,
)
from domain.errors import AlreadyExists, Impossible, Invalid, NotFound, VersionMismatch
from entrypoints.interfaces.credentials import Unauthenticated
from entrypoints.interfaces.error_table import INTERNAL, MEANINGS, Meaning, Told, told

DOMAIN = "statestore"
DETAILS = "grpc-status-details-bin"

LONGEST_TEXT = 500
"""Bytes, of which each may be sent as three."""
MOST_DETAILS = 3_000
"""Bytes: callers take 8 KB of metadata, encoded, unless they say otherwise."""


class GrpcError(Exception):
    """Anything that is wrong with a call as gRPC."""


@define
class Malformed(GrpcError):
    what: str

    def __str__(self) -> str:
        return f"what was sent is no {self.what}"


@define
class TooManyCalls(GrpcError):
    most: int

    def __str__(self) -> str:
        return f"{self.most} calls are on their way already"


class DeadlineOver(GrpcError):
    def __str__(self) -> str:
        return "there was no time left to begin; nothing was done"


@frozen
class Answered:
    """How an error is answered over gRPC."""

    code: grpc.StatusCode
    retry_after: float | None = None
    """Seconds; nothing where trying again alone does not help."""


_LATER = 1.0
_SOON = 0.05

ANSWERED: Mapping[type[Exception], Answered] = {
    NotFound: Answered(grpc.StatusCode.NOT_FOUND),
    AlreadyExists: Answered(grpc.StatusCode.ALREADY_EXISTS),
    VersionMismatch: Answered(grpc.StatusCode.ABORTED),
    Impossible: Answered(grpc.StatusCode.FAILED_PRECONDITION),
    Invalid: Answered(grpc.StatusCode.INVALID_ARGUMENT),
    KeyReused: Answered(grpc.StatusCode.INVALID_ARGUMENT),
    Forbidden: Answered(grpc.StatusCode.PERMISSION_DENIED),
    Contended: Answered(grpc.StatusCode.ABORTED, _SOON),
    Unavailable: Answered(grpc.StatusCode.UNAVAILABLE, _LATER),
    # Not UNAVAILABLE: that is repeated by many callers, who do not look whether it was stored.
    OutcomeUnknown: Answered(grpc.StatusCode.UNKNOWN, _LATER),
    Damaged: Answered(grpc.StatusCode.DATA_LOSS),
    Overloaded: Answered(grpc.StatusCode.RESOURCE_EXHAUSTED, _LATER),
    NotCaughtUp: Answered(grpc.StatusCode.UNAVAILABLE, _LATER),
    NotReadable: Answered(grpc.StatusCode.UNAVAILABLE),
    NotYet: Answered(grpc.StatusCode.INVALID_ARGUMENT),
    TooWide: Answered(grpc.StatusCode.INVALID_ARGUMENT),
    TooMuch: Answered(grpc.StatusCode.INVALID_ARGUMENT),
    NotTaken: Answered(grpc.StatusCode.UNAVAILABLE),
    Unauthenticated: Answered(grpc.StatusCode.UNAUTHENTICATED),
    Malformed: Answered(grpc.StatusCode.INVALID_ARGUMENT),
    TooManyCalls: Answered(grpc.StatusCode.RESOURCE_EXHAUSTED, _LATER),
    DeadlineOver: Answered(grpc.StatusCode.DEADLINE_EXCEEDED),
}

_OF_GRPC: Mapping[type[Exception], Meaning] = {
    Malformed: Meaning("MALFORMED_MESSAGE", "The bytes are not the message"),
    TooManyCalls: Meaning("TOO_MANY_CALLS", "Too much is on its way"),
    DeadlineOver: Meaning("DEADLINE_EXCEEDED", "There is no time left"),
}

_INSIDE = Told(INTERNAL.code, INTERNAL.title, "Something went wrong inside; the log tells what.")


@frozen
class Refusal:
    """What is told of an error."""

    code: grpc.StatusCode
    text: str
    details: bytes


def is_expected(error: Exception) -> bool:
    return type(error) in ANSWERED


def refusal(error: Exception) -> Refusal:
    """Of what nobody expected nothing is told."""
    kind = type(error)
    answered = ANSWERED.get(kind)
    if answered is None:
        return _refusal(Answered(grpc.StatusCode.INTERNAL), _INSIDE)
    return _refusal(answered, told(error, MEANINGS.get(kind) or _OF_GRPC[kind]))


def _refusal(answered: Answered, said: Told) -> Refusal:
    text = _cut(said.detail)
    number: int = answered.code.value[0]
    status = Status(code=number, message=text)
    _add(status, ErrorInfo(reason=said.code, domain=DOMAIN, metadata=_data(said)))
    if answered.retry_after is not None:
        wait = Duration()
        wait.FromNanoseconds(round(answered.retry_after * 1e9))
        _add(status, RetryInfo(retry_delay=wait))
    if said.violations:
        _add(status, _bad_request(said))
    return Refusal(answered.code, text, status.SerializeToString())


def _cut(text: str) -> str:
    return text.encode()[:LONGEST_TEXT].decode(errors="ignore")


def _add(status: Status, detail: Message) -> None:
    status.details.add().Pack(detail)


def _data(said: Told) -> dict[str, str]:
    data: dict[str, Any] = dict(said.data)
    if said.violations:
        data["violations"] = len(said.violations)
    return {name: str(value) for name, value in data.items()}


def _bad_request(said: Told) -> BadRequest:
    """As many as fit; how many there are is told beside them."""
    told_of, left = BadRequest(), MOST_DETAILS
    for one in said.violations:
        violation = BadRequest.FieldViolation(
            field=one.field, description=_cut(one.message), reason=one.code
        )
        left -= violation.ByteSize() + 4
        if left < 0:
            break
        told_of.field_violations.append(violation)
    return told_of
