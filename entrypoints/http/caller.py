"""Who asks, and which request this is."""

import hashlib
import re
from typing import Annotated, Any, Protocol

import orjson
from attrs import evolve
from dependency_injector.wiring import inject
from fastapi import Depends, Header, Request

from application.caller import Caller, RequestKey
from domain.errors import Invalid, Violation
from entrypoints.http.errors import Unauthenticated
from entrypoints.http.json_body import JsonDocument
from entrypoints.http.parameters import refuse_unknown
from entrypoints.http.provided import provided
from entrypoints.http.request_ids import request_id

_KEY = re.compile(r"[\x20-\x7e]{1,200}")
_TRACE = re.compile(r"[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(?:-.{0,200})?")


class Identities(Protocol):
    def identify(self, token: str) -> Caller | None:
        """Who holds the token; nobody if it is not a good one."""
        ...


@inject
async def caller(
    request: Request, identities: Annotated[Identities, provided("identities")]
) -> Caller:
    """Raises Unauthenticated without a good bearer token, Invalid with unknown parameters."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Unauthenticated("send a token: Authorization: Bearer …")
    known = identities.identify(token.strip())
    if known is None:
        raise Unauthenticated("the token is not a good one")
    refuse_unknown(request)
    return evolve(known, correlation_id=request_id(request), trace=_trace(request))


By = Annotated[Caller, Depends(caller)]

IdempotencyKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        description="1 to 200 printable characters. A repeated request with the same key is "
        "answered as the first one and done once.",
        json_schema_extra={"pattern": "^[ -~]{1,200}$"},
    ),
]


async def writer(
    request: Request, by: By, document: JsonDocument, idempotency_key: IdempotencyKey = None
) -> Caller:
    """The caller of a write, with its request key if it sent one."""
    return _with_key(by, idempotency_key, request, document)


async def bodiless_writer(
    request: Request, by: By, idempotency_key: IdempotencyKey = None
) -> Caller:
    return _with_key(by, idempotency_key, request, None)


Writer = Annotated[Caller, Depends(writer)]
BodilessWriter = Annotated[Caller, Depends(bodiless_writer)]


def _with_key(by: Caller, key: str | None, request: Request, document: Any) -> Caller:
    if key is None:
        return by
    if not _KEY.fullmatch(key):
        allowed = "must have 1 to 200 printable ASCII characters"
        raise Invalid([Violation("Idempotency-Key", "MALFORMED", allowed)])
    return evolve(by, request=RequestKey(key, _fingerprint(request, document)))


def _fingerprint(request: Request, document: Any) -> str:
    """The same for the same content, however it is spaced and ordered."""
    body = orjson.dumps(document, option=orjson.OPT_SORT_KEYS)
    said = f"{request.method}\n{request.scope['path']}\n".encode() + body
    return hashlib.sha256(said).hexdigest()


def _trace(request: Request) -> str | None:
    """The caller's W3C trace context, if it has one."""
    trace = request.headers.get("traceparent", "")
    return trace if _TRACE.fullmatch(trace) else None
