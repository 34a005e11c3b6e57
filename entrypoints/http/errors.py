"""
Errors as HTTP answers: one table for all of them.

What only HTTP can get wrong:

    HttpError
    ├── Unauthenticated       no token, or not a good one
    ├── MalformedJson         the body is not JSON
    ├── UnsupportedMedia      the body says that it is something else
    ├── TooLarge              the body is larger than allowed
    └── PreconditionFailed    If-Match names another version
"""

from collections.abc import Callable, Mapping
from typing import Any

from attrs import define, field, frozen
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from application.dead_letters import NotTaken
from application.errors import (
    Contended,
    Forbidden,
    KeyReused,
    NotCaughtUp,
    NotReadable,
    NotYet,
    OutcomeUnknown,
    TooMuch,
    TooWide,
    Unavailable,
)
from application.position import Position
from application.violations import MOST_VIOLATIONS
from domain.errors import (
    AlreadyExists,
    Impossible,
    Invalid,
    NotFound,
    VersionMismatch,
)
from entrypoints.http.problems import Trouble
from entrypoints.http.reading import violations_of


class HttpError(Exception):
    """Anything that is wrong with a request as HTTP."""


@define
class Unauthenticated(HttpError):
    because: str

    def __str__(self) -> str:
        return self.because


@define
class MalformedJson(HttpError):
    because: str

    def __str__(self) -> str:
        return f"the body is not JSON: {self.because}"


@define
class UnsupportedMedia(HttpError):
    what: str

    def __str__(self) -> str:
        return f"{self.what} is not supported: send application/json, not compressed"


@define
class TooLarge(HttpError):
    largest: int

    def __str__(self) -> str:
        return f"the body is larger than {self.largest} bytes"


@define
class PreconditionFailed(HttpError):
    what: str
    current: int

    def __str__(self) -> str:
        return f"{self.what} is at version {self.current}, If-Match names another one"


Data = Callable[[Any], Mapping[str, Any]]


def _nothing(error: Any) -> Mapping[str, Any]:
    return {}


@frozen
class Meaning:
    """What an error means over HTTP; `data` picks what the problem document tells of it."""

    status: int
    code: str
    title: str
    data: Data = _nothing
    headers: Mapping[str, str] = field(factory=dict)


_LATER = {"Retry-After": "1"}

MEANINGS: Mapping[type[Exception], Meaning] = {
    NotFound: Meaning(404, "NOT_FOUND", "There is no such thing"),
    AlreadyExists: Meaning(
        409, "ALREADY_EXISTS", "The name is taken", lambda e: {"current_version": e.version}
    ),
    VersionMismatch: Meaning(
        409,
        "VERSION_CONFLICT",
        "It is at another version",
        lambda e: {"current_version": e.current, "expected_version": e.expected},
    ),
    Impossible: Meaning(
        409, "IMPOSSIBLE", "This is not possible now", lambda e: {"current_status": e.status}
    ),
    Invalid: Meaning(422, "VALIDATION", "The request breaks the contract"),
    KeyReused: Meaning(422, "IDEMPOTENCY_KEY_REUSED", "The key stands for another request"),
    Forbidden: Meaning(403, "FORBIDDEN", "The caller may not do this"),
    Contended: Meaning(503, "CONTENDED", "Others were faster, again and again", headers=_LATER),
    Unavailable: Meaning(503, "UNAVAILABLE", "This does not work at the moment", headers=_LATER),
    OutcomeUnknown: Meaning(
        503, "OUTCOME_UNKNOWN", "It may or may not have been stored", headers=_LATER
    ),
    NotCaughtUp: Meaning(
        503,
        "NOT_CAUGHT_UP",
        "What is read does not show that yet",
        lambda e: {
            "position": Position(e.reached).token(),
            "min_position": Position(e.wanted).token(),
        },
        headers=_LATER,
    ),
    NotReadable: Meaning(503, "NOT_READABLE", "A newer program has to be asked"),
    NotYet: Meaning(400, "NOT_YET", "The moment has not come"),
    TooWide: Meaning(422, "TOO_WIDE", "This is too much to be folded for one answer"),
    TooMuch: Meaning(413, "TOO_MUCH", "This is more than can be stored at once"),
    NotTaken: Meaning(502, "NOT_TAKEN", "The receiver did not take it"),
    Unauthenticated: Meaning(
        401, "UNAUTHENTICATED", "Who asks?", headers={"WWW-Authenticate": 'Bearer realm="api"'}
    ),
    MalformedJson: Meaning(400, "MALFORMED_JSON", "The body is not JSON"),
    UnsupportedMedia: Meaning(415, "UNSUPPORTED_MEDIA_TYPE", "The body must be JSON"),
    # Whatever is still on its way must not be taken for the next request.
    TooLarge: Meaning(413, "TOO_LARGE", "The body is too large", headers={"Connection": "close"}),
    PreconditionFailed: Meaning(
        412,
        "PRECONDITION_FAILED",
        "It is at another version",
        lambda e: {"current_version": e.current},
    ),
}

_BY_STATUS = {
    404: ("NOT_FOUND", "There is no such path"),
    405: ("METHOD_NOT_ALLOWED", "The path does not know this method"),
}


def trouble(error: Exception) -> Trouble:
    """What to tell of an error that is in the table."""
    meaning = MEANINGS[type(error)]
    if isinstance(error, Invalid):
        # A body may be wrong in more ways than anyone wants to read.
        error = Invalid(error.violations[:MOST_VIOLATIONS])
    return Trouble(
        status=meaning.status,
        code=meaning.code,
        title=meaning.title,
        detail=str(error),
        violations=error.violations if isinstance(error, Invalid) else (),
        data=meaning.data(error),
        headers=meaning.headers,
    )


def trouble_of_parameters(error: RequestValidationError) -> Trouble:
    """Query parameters that FastAPI could not read."""
    return trouble(Invalid(violations_of(error.errors(), skip=1)))


def trouble_of_routing(error: HTTPException) -> Trouble:
    """What the framework raises by itself: unknown paths and methods."""
    code, title = _BY_STATUS.get(error.status_code, ("BAD_REQUEST", "The request cannot be used"))
    return Trouble(error.status_code, code, title, str(error.detail), headers=error.headers or {})
