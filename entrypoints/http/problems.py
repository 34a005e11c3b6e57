"""Problem documents (RFC 9457): what every answer that is not a success looks like."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import orjson
from attrs import field, frozen
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import Response

from domain import errors
from entrypoints.http.middleware.request_ids import request_id

MEDIA_TYPE = "application/problem+json"


class Violation(BaseModel):
    """One way in which the request breaks the contract."""

    field: str = Field(examples=["metrics.fail_count"])
    code: str = Field(examples=["OUT_OF_RANGE"])
    message: str = Field(examples=["must be 0 to 9007199254740991"])

    @classmethod
    def of(cls, violation: errors.Violation) -> "Violation":
        return cls(field=violation.field, code=violation.code, message=violation.message)


class Problem(BaseModel):
    """Why a request was not answered as hoped. `code` is stable; texts are for people."""

    model_config = ConfigDict(extra="allow")

    type: str = Field(examples=["urn:statestore:problem:VALIDATION"])
    title: str = Field(examples=["The request breaks the contract"])
    status: int = Field(examples=[422])
    detail: str = Field(examples=["score: must be a finite number from 0 to 1"])
    instance: str = Field(description="The path that was asked.")
    code: str = Field(examples=["VALIDATION"])
    request_id: str = Field(examples=["01KA3M8Z5WJ3Q4X6V7B8N9M0PQ"])
    violations: list[Violation] = Field(
        default=[], description="Everything that is wrong, at once."
    )
    current_version: int | None = Field(
        default=None, description="The version there is now, where another one was expected."
    )


@frozen
class Trouble:
    """What a problem document says besides where and when."""

    status: int
    code: str
    title: str
    detail: str
    violations: Sequence[errors.Violation] = ()
    data: Mapping[str, Any] = field(factory=dict)
    headers: Mapping[str, str] = field(factory=dict)


def problem_response(request: Request, trouble: Trouble) -> Response:
    return Response(
        orjson.dumps(_document(request, trouble)),
        status_code=trouble.status,
        headers=dict(trouble.headers),
        media_type=MEDIA_TYPE,
    )


def _document(request: Request, trouble: Trouble) -> dict[str, Any]:
    document = {
        "type": f"urn:statestore:problem:{trouble.code}",
        "title": trouble.title,
        "status": trouble.status,
        "detail": trouble.detail,
        "instance": request.scope["path"],
        "code": trouble.code,
        "request_id": request_id(request),
        **trouble.data,
    }
    if trouble.violations:
        document["violations"] = list(_told(trouble.violations))
    return document


def _told(violations: Iterable[errors.Violation]) -> Iterable[dict[str, str]]:
    for one in violations:
        yield {"field": one.field, "code": one.code, "message": one.message}
