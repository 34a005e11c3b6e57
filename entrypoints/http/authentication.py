"""Who asks, and which request this is."""

import hashlib
from typing import Annotated, Any

import orjson
from attrs import evolve
from fastapi import Depends, Header, Request

from application.caller import Caller, RequestKey
from application.violations import refuse_any
from entrypoints.http.dependencies import dependencies_of
from entrypoints.http.middleware.request_ids import request_id
from entrypoints.http.validation.json_body import JsonDocument
from entrypoints.http.validation.unknown_parameters import refuse_unknown
from entrypoints.interfaces.credentials import bearer, key_violations, usable_trace


async def caller(request: Request) -> Caller:
    """Raises Unauthenticated without a good bearer token, Invalid with unknown parameters."""
    known = bearer(request.headers.get("authorization", ""), dependencies_of(request).identities())
    if request.query_params:
        refuse_unknown(request)
    trace = usable_trace(request.headers.get("traceparent", ""))
    return evolve(known, correlation_id=request_id(request), trace=trace)


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
    refuse_any(key_violations("Idempotency-Key", key))
    return evolve(by, request=RequestKey(key, _fingerprint(request, document)))


def _fingerprint(request: Request, document: Any) -> str:
    """The same for the same content, however it is spaced and ordered."""
    body = orjson.dumps(document, option=orjson.OPT_SORT_KEYS)
    said = f"{request.method}\n{request.scope['path']}\n".encode() + body
    return hashlib.sha256(said).hexdigest()
