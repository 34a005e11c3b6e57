"""
What errors mean, whichever interface tells of them: one table for all of them.

`code` is stable and the same over HTTP, gRPC and GraphQL; texts are for people.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import field, frozen

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
from application.reads.position import Position
from application.violations import MOST_VIOLATIONS
from domain.errors import (
    AlreadyExists,
    Impossible,
    Invalid,
    NotFound,
    VersionMismatch,
    Violation,
)
from entrypoints.interfaces.credentials import Unauthenticated

Data = Callable[[Any], Mapping[str, Any]]


def _nothing(error: Any) -> Mapping[str, Any]:
    return {}


@frozen
class Meaning:
    """`data` picks what is told of the error besides its text."""

    code: str
    title: str
    data: Data = _nothing


MEANINGS: Mapping[type[Exception], Meaning] = {
    NotFound: Meaning("NOT_FOUND", "There is no such thing"),
    AlreadyExists: Meaning(
        "ALREADY_EXISTS", "The name is taken", lambda e: {"current_version": e.version}
    ),
    VersionMismatch: Meaning(
        "VERSION_CONFLICT",
        "It is at another version",
        lambda e: {"current_version": e.current, "expected_version": e.expected},
    ),
    Impossible: Meaning(
        "INVALID_STATE", "This is not possible now", lambda e: {"current_status": e.status}
    ),
    Invalid: Meaning("VALIDATION", "The request breaks the contract"),
    KeyReused: Meaning("IDEMPOTENCY_KEY_REUSED", "The key stands for another request"),
    Forbidden: Meaning("FORBIDDEN", "The caller may not do this"),
    Contended: Meaning("WRITE_CONTENTION", "Others were faster, again and again"),
    Unavailable: Meaning("UNAVAILABLE", "This does not work at the moment"),
    Damaged: Meaning("DATA_CORRUPTED", "What is stored is damaged"),
    Overloaded: Meaning("OVERLOADED", "More has come than can be dealt with"),
    OutcomeUnknown: Meaning("OUTCOME_UNKNOWN", "It may or may not have been stored"),
    NotCaughtUp: Meaning(
        "POSITION_NOT_REACHED",
        "What is read does not show that yet",
        lambda e: {
            "position": Position(e.reached).token(),
            "min_position": Position(e.wanted).token(),
        },
    ),
    NotReadable: Meaning("NEWER_VERSION_REQUIRED", "A newer program has to be asked"),
    NotYet: Meaning("AS_OF_IN_FUTURE", "The moment has not come"),
    TooWide: Meaning("QUERY_TOO_LARGE", "This is too much to be folded for one answer"),
    TooMuch: Meaning("TRANSACTION_TOO_LARGE", "This is more than can be stored at once"),
    NotTaken: Meaning("DELIVERY_REJECTED", "The receiver did not take it"),
    Unauthenticated: Meaning("UNAUTHENTICATED", "Who asks?"),
}

INTERNAL = Meaning("INTERNAL", "Something went wrong inside")
"""What nobody expected: nothing of it is told."""


@frozen
class Told:
    """An error as callers hear of it."""

    code: str
    title: str
    detail: str
    violations: Sequence[Violation] = ()
    data: Mapping[str, Any] = field(factory=dict)


def told(error: Exception, meaning: Meaning | None = None) -> Told:
    """Of an error that is in the table, or that an interface knows the meaning of."""
    meaning = meaning or MEANINGS[type(error)]
    if isinstance(error, Invalid):
        # A request may be wrong in more ways than anyone wants to read.
        error = Invalid(error.violations[:MOST_VIOLATIONS])
    return Told(
        code=meaning.code,
        title=meaning.title,
        detail=str(error),
        violations=error.violations if isinstance(error, Invalid) else (),
        data=meaning.data(error),
    )
