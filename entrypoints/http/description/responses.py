"""What the API's description says of answers and bodies that FastAPI cannot see by itself."""

from typing import Any

from entrypoints.http.errors import ANSWERED, meaning
from entrypoints.http.problems import MEDIA_TYPE, Problem
from entrypoints.http.validation.models import Body

REFERENCE = "#/components/schemas/{model}"

_ALWAYS = (401, 403, 422, 500, 503)
_WITH_BODY = (400, 413, 415)

_DESCRIPTIONS = {
    304: "Not modified",
    404: "There is no such thing",
    **{answered.status: meaning(kind).title for kind, answered in ANSWERED.items()},
    400: "The body is not JSON, or the moment asked about has not come",
    409: "The name is taken, the version is another one, or the status does not allow it",
    422: "The request breaks the contract; every violation is told",
    503: "Not at the moment; try again. With the code `POSITION_NOT_REACHED` what was read does "
    "not show `min_position` yet. With the code `OUTCOME_UNKNOWN` the write may have been "
    "stored: repeat it with the same `Idempotency-Key`, or look",
}

POSITION_HEADER = "Statestore-Position"
AGE_HEADER = "Statestore-Age-Seconds"
AS_OF_HEADER = "Statestore-As-Of"
STALE_HEADER = "Statestore-Stale"

POSITION = {
    POSITION_HEADER: {
        "description": "Where the log stood after the write; an opaque token.",
        "schema": {"type": "string"},
    }
}
READ = {
    POSITION_HEADER: {
        "description": "How far in the log this was read: all up to there is in the answer.",
        "schema": {"type": "string"},
    },
    AGE_HEADER: {
        "description": "How old what was read may be at most; 0 for `strong` and `as_of`. Missing "
        "if that is not known.",
        "schema": {"type": "string"},
    },
    STALE_HEADER: {
        "description": "`true` if the tables did not answer and copies are shown, as old as said. "
        "Missing otherwise.",
        "schema": {"type": "string", "enum": ["true"]},
    },
    AS_OF_HEADER: {
        "description": "The moment asked about, if one was.",
        "schema": {"type": "string", "format": "date-time"},
    },
}
ETAG = {"ETag": {"description": "Begins with the version.", "schema": {"type": "string"}}}
CACHE_CONTROL = {
    "Cache-Control": {
        "description": "For how long the answer may be kept: `private, max-age=…`, or `no-store`.",
        "schema": {"type": "string"},
    }
}
LOCATION = {"Location": {"description": "Where to find it.", "schema": {"type": "string"}}}
REPLAY = {
    "Idempotent-Replay": {
        "description": "`true` if this repeats an earlier answer.",
        "schema": {"type": "string", "enum": ["true"]},
    }
}


def answers(*statuses: int, body: bool = False) -> dict[int | str, dict[str, Any]]:
    """The problems an operation may answer with, besides those that any may."""
    expected = {*statuses, *_ALWAYS, *(_WITH_BODY if body else ())}
    return {status: problem(status) for status in sorted(expected)}


def reads(*statuses: int, headers: dict[str, Any] | None = None) -> dict[int | str, dict[str, Any]]:
    """What an operation may answer with that reads now or the past."""
    return answers(400, *statuses) | success(READ, headers or {})


def read_of_many() -> dict[int | str, dict[str, Any]]:
    """What an operation may answer with that is told in its body what to read."""
    return answers(body=True) | success(READ)


def problem(status: int) -> dict[str, Any]:
    if status == 304:
        return {"description": _DESCRIPTIONS[304]}
    schema = {"$ref": REFERENCE.format(model=Problem.__name__)}
    told: dict[str, Any] = {
        "description": _DESCRIPTIONS[status],
        "content": {MEDIA_TYPE: {"schema": schema}},
    }
    if status in (429, 503):
        told["headers"] = {"Retry-After": {"schema": {"type": "string"}}}
    if status == 401:
        told["headers"] = {"WWW-Authenticate": {"schema": {"type": "string"}}}
    return told


def success(*headers: dict[str, Any], status: int = 200) -> dict[int | str, dict[str, Any]]:
    """The headers of the answer that was hoped for."""
    merged = {name: value for each in headers for name, value in each.items()}
    return {status: {"headers": merged}}


def takes(model: type[Body]) -> dict[str, Any]:
    """The body that an operation reads by itself."""
    content = {"schema": {"$ref": REFERENCE.format(model=model.__name__)}}
    return {"requestBody": {"required": True, "content": {"application/json": content}}}
