"""
Errors as HTTP answers.

What only HTTP can get wrong:

    HttpError
    ├── MalformedJson         the body is not JSON
    ├── MalformedGzip         the body is not compressed as it says
    ├── UnsupportedMedia      the body says that it is something else
    ├── TooLarge              the body is larger than allowed
    └── PreconditionFailed    If-Match names another version
"""

from collections.abc import Mapping

from attrs import define, field, frozen
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

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
from entrypoints.http.problems import Trouble
from entrypoints.http.validation.models import violations_of
from entrypoints.interfaces.credentials import Unauthenticated
from entrypoints.interfaces.error_table import MEANINGS, Meaning, told

JSON_ALONE = "send application/json, not compressed"


class HttpError(Exception):
    """Anything that is wrong with a request as HTTP."""


@define
class MalformedJson(HttpError):
    reason: str

    def __str__(self) -> str:
        return f"the body is not JSON: {self.reason}"


@define
class MalformedGzip(HttpError):
    reason: str

    def __str__(self) -> str:
        return f"the body says that it is gzip: {self.reason}"


@define
class UnsupportedMedia(HttpError):
    what: str
    takes: str = JSON_ALONE

    def __str__(self) -> str:
        return f"{self.what} is not supported: {self.takes}"


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


@frozen
class Answered:
    """How an error is answered over HTTP."""

    status: int
    headers: Mapping[str, str] = field(factory=dict)


_LATER = {"Retry-After": "1"}
_WHO = {"WWW-Authenticate": 'Bearer realm="api"'}

ANSWERED: Mapping[type[Exception], Answered] = {
    NotFound: Answered(404),
    AlreadyExists: Answered(409),
    VersionMismatch: Answered(409),
    Impossible: Answered(409),
    Invalid: Answered(422),
    KeyReused: Answered(422),
    Forbidden: Answered(403),
    Contended: Answered(503, _LATER),
    Unavailable: Answered(503, _LATER),
    Damaged: Answered(500),
    Overloaded: Answered(429, _LATER),
    OutcomeUnknown: Answered(503, _LATER),
    NotCaughtUp: Answered(503, _LATER),
    NotReadable: Answered(503),
    NotYet: Answered(400),
    TooWide: Answered(422),
    TooMuch: Answered(413),
    NotTaken: Answered(502),
    Unauthenticated: Answered(401, _WHO),
    MalformedJson: Answered(400),
    MalformedGzip: Answered(400),
    UnsupportedMedia: Answered(415),
    # Whatever is still on its way must not be taken for the next request.
    TooLarge: Answered(413, {"Connection": "close"}),
    PreconditionFailed: Answered(412),
}

_OF_HTTP: Mapping[type[Exception], Meaning] = {
    MalformedJson: Meaning("MALFORMED_JSON", "The body is not JSON"),
    MalformedGzip: Meaning("MALFORMED_GZIP", "The body is not compressed as it says"),
    UnsupportedMedia: Meaning("UNSUPPORTED_MEDIA_TYPE", "The body must be JSON"),
    TooLarge: Meaning("TOO_LARGE", "The body is too large"),
    PreconditionFailed: Meaning(
        "PRECONDITION_FAILED",
        "It is at another version",
        lambda e: {"current_version": e.current},
    ),
}

_BY_STATUS = {
    404: ("NOT_FOUND", "There is no such path"),
    405: ("METHOD_NOT_ALLOWED", "The path does not know this method"),
}


def meaning(kind: type[Exception]) -> Meaning:
    return MEANINGS.get(kind) or _OF_HTTP[kind]


def trouble(error: Exception) -> Trouble:
    """What to tell of an error that is in the tables."""
    said, answered = told(error, meaning(type(error))), ANSWERED[type(error)]
    return Trouble(
        status=answered.status,
        code=said.code,
        title=said.title,
        detail=said.detail,
        violations=said.violations,
        data=said.data,
        headers=answered.headers,
    )


def trouble_of_parameters(error: RequestValidationError) -> Trouble:
    """Query parameters that FastAPI could not read."""
    return trouble(Invalid(violations_of(error.errors(), skip=1)))


def trouble_of_routing(error: HTTPException) -> Trouble:
    """What the framework raises by itself: unknown paths and methods."""
    code, title = _BY_STATUS.get(error.status_code, ("BAD_REQUEST", "The request cannot be used"))
    return Trouble(error.status_code, code, title, str(error.detail), headers=error.headers or {})
