"""
GraphQL over HTTP, as its specification says (graphql.github.io/graphql-over-http).

POST and GET, answered as `application/json` or `application/graphql-response+json`, whichever is
liked better. With the second the status tells what happened; with the first whatever was a
GraphQL request is answered with 200, because those who ask for it look no further otherwise.
"""

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing

import orjson
from attrs import evolve, frozen
from graphql import OperationType
from starlette.requests import Request
from starlette.responses import Response

from application.caller import Caller
from entrypoints.graphql.transport import graphiql
from entrypoints.graphql.transport.event_stream import AnswerStream
from entrypoints.graphql.transport.execution import Answering, Document, Operation, errors_told
from entrypoints.graphql.transport.media_types import EVENTS, GRAPHQL, HTML, JSON, preferred
from entrypoints.graphql.transport.refusals import (
    NOT_ACCEPTABLE,
    NOT_BY_GET,
    Refusal,
    coded,
    malformed,
)
from entrypoints.graphql.transport.request import Asked, asked, asked_in_query
from entrypoints.http.errors import ANSWERED, trouble
from entrypoints.http.middleware.request_ids import request_id
from entrypoints.http.validation.json_body import json_document, must_say_json
from entrypoints.interfaces.credentials import Identities, bearer, usable_trace
from entrypoints.interfaces.event_streams import EventStreams

_OFFERED = (JSON, GRAPHQL, EVENTS)
_EXPECTED = tuple(ANSWERED)
_HEADERS = {"Cache-Control": "no-store", "Vary": "Accept", "X-Content-Type-Options": "nosniff"}


@frozen
class GraphQLOverHttp:
    """`answering`, `identities` and `streams` are asked for with each request."""

    answering: Callable[[], Answering]
    identities: Callable[[], Identities]
    streams: Callable[[], EventStreams]

    async def answer(self, request: Request) -> Response:
        accept = request.headers.get("accept", "")
        if request.method == "GET" and preferred(accept, (*_OFFERED, HTML)) == HTML:
            return graphiql.page()
        accepted = preferred(accept, _OFFERED)
        try:
            if accepted is None:
                raise malformed(NOT_ACCEPTABLE, f"answers are {' or '.join(_OFFERED)}", 406)
            return await self._answer(request, accepted)
        except Refusal as refused:
            return self._refused(request, refused, accepted or JSON)
        except _EXPECTED as error:
            return self._refused(request, _as_refusal(error), accepted or JSON)

    async def _answer(self, request: Request, accepted: str) -> Response:
        by = self._caller(request)
        answering = self.answering()
        operation = answering.operation(await _asked(request))
        _check_method(request, operation.kind, accepted)
        if accepted == EVENTS:
            return AnswerStream(self.streams(), _told(answering, operation, by), _HEADERS)
        return _response(await answering.answer(operation, by), 200, accepted)

    def _refused(self, request: Request, refused: Refusal, media_type: str) -> Response:
        document = {"errors": errors_told(refused.errors, request_id(request))}
        if refused.well_formed and media_type == EVENTS:
            return AnswerStream(self.streams(), _once(document), _HEADERS)
        media_type = JSON if media_type == EVENTS else media_type
        status = 200 if refused.well_formed and media_type == JSON else refused.status
        return _response(document, status, media_type, refused.headers)

    def _caller(self, request: Request) -> Caller:
        known = bearer(request.headers.get("authorization", ""), self.identities())
        trace = usable_trace(request.headers.get("traceparent", ""))
        return evolve(known, correlation_id=request_id(request), trace=trace)


async def _asked(request: Request) -> Asked:
    if request.method == "GET":
        return asked_in_query(request.query_params)
    # Pages of others can make a browser send forms and plain texts, but not this, unasked.
    must_say_json(request)
    return asked(await json_document(request))


def _as_refusal(error: Exception) -> Refusal:
    """What is wrong with the request as HTTP, or with who asks."""
    said = trouble(error)
    found = coded(said.code, said.detail)
    return Refusal([found], said.status, well_formed=False, headers=said.headers)


def _check_method(request: Request, kind: OperationType, accepted: str) -> None:
    if request.method == "GET" and kind is OperationType.MUTATION:
        raise malformed(NOT_BY_GET, "nothing is changed by GET", 405, {"Allow": "POST"})
    if kind is OperationType.SUBSCRIPTION and accepted != EVENTS:
        said = "listen over a websocket (graphql-transport-ws), or accept text/event-stream"
        raise malformed(NOT_ACCEPTABLE, said, 406)


async def _told(
    answering: Answering, operation: Operation, by: Caller
) -> AsyncGenerator[Document, None]:
    """What is told to those who accept events."""
    try:
        if operation.kind is not OperationType.SUBSCRIPTION:
            yield await answering.answer(operation, by)
            return
        async with aclosing(answering.answers(operation, by)) as answers:
            async for answer in answers:
                yield answer
    except Refusal as refused:
        yield {"errors": errors_told(refused.errors, by.correlation_id)}


async def _once(document: Document) -> AsyncGenerator[Document, None]:
    yield document


def _response(
    document: Document, status: int, media_type: str, headers: Mapping[str, str] | None = None
) -> Response:
    return Response(
        orjson.dumps(document),
        status,
        {**_HEADERS, **(headers or {})},
        media_type=f"{media_type}; charset=utf-8",
    )
