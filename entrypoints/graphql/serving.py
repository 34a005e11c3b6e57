"""
GraphQL over HTTP, as its specification says (graphql.github.io/graphql-over-http).

POST and GET, answered as `application/json` or `application/graphql-response+json`, whichever is
liked better. With the second the status tells what happened; with the first whatever was a
GraphQL request is answered with 200, because those who ask for it look no further otherwise.
"""

from collections.abc import Callable, Mapping

import orjson
from attrs import evolve, frozen
from graphql import OperationType
from starlette.requests import Request
from starlette.responses import Response

from application.caller import Caller
from entrypoints.graphql import graphiql
from entrypoints.graphql.answering import Answering, Document, errors_told
from entrypoints.graphql.media_types import GRAPHQL, HTML, JSON, preferred
from entrypoints.graphql.refusals import (
    NOT_ACCEPTABLE,
    NOT_BY_GET,
    Refusal,
    coded,
    malformed,
)
from entrypoints.graphql.request import Asked, asked, asked_in_query
from entrypoints.http.errors import ANSWERED, trouble
from entrypoints.http.json_body import json_document
from entrypoints.http.request_ids import request_id
from entrypoints.interfaces.callers import Identities, bearer, usable_trace

_OFFERED = (JSON, GRAPHQL)
_EXPECTED = tuple(ANSWERED)
_HEADERS = {"Cache-Control": "no-store", "Vary": "Accept", "X-Content-Type-Options": "nosniff"}


@frozen
class GraphQLOverHttp:
    """`answering` and `identities` are asked for with each request."""

    answering: Callable[[], Answering]
    identities: Callable[[], Identities]

    async def answer(self, request: Request) -> Response:
        accept = request.headers.get("accept", "")
        if request.method == "GET" and preferred(accept, (*_OFFERED, HTML)) == HTML:
            return graphiql.page()
        accepted = preferred(accept, _OFFERED)
        try:
            if accepted is None:
                raise malformed(NOT_ACCEPTABLE, f"answers are {' or '.join(_OFFERED)}", 406)
            answer = await self._answer(request)
        except Refusal as refused:
            return _refused(request, refused, accepted or JSON)
        except _EXPECTED as error:
            return _refused(request, _as_refusal(error), accepted or JSON)
        return _response(answer, 200, accepted)

    async def _answer(self, request: Request) -> Document:
        by = self._caller(request)
        answering = self.answering()
        operation = answering.operation(await _asked(request))
        if request.method == "GET" and operation.kind is not OperationType.QUERY:
            raise malformed(NOT_BY_GET, "only queries are answered by GET", 405, {"Allow": "POST"})
        if operation.kind is OperationType.SUBSCRIPTION:
            said = "listen over a websocket (graphql-transport-ws), or accept text/event-stream"
            raise malformed(NOT_ACCEPTABLE, said, 406)
        return await answering.answer(operation, by)

    def _caller(self, request: Request) -> Caller:
        known = bearer(request.headers.get("authorization", ""), self.identities())
        trace = usable_trace(request.headers.get("traceparent", ""))
        return evolve(known, correlation_id=request_id(request), trace=trace)


async def _asked(request: Request) -> Asked:
    if request.method == "GET":
        return asked_in_query(request.query_params)
    return asked(await json_document(request))


def _as_refusal(error: Exception) -> Refusal:
    """What is wrong with the request as HTTP, or with who asks."""
    said = trouble(error)
    found = coded(said.code, said.detail)
    return Refusal([found], said.status, well_formed=False, headers=said.headers)


def _refused(request: Request, refused: Refusal, media_type: str) -> Response:
    document = {"errors": errors_told(refused.errors, request_id(request))}
    status = 200 if refused.well_formed and media_type == JSON else refused.status
    return _response(document, status, media_type, refused.headers)


def _response(
    document: Document, status: int, media_type: str, headers: Mapping[str, str] | None = None
) -> Response:
    return Response(
        orjson.dumps(document),
        status,
        {**_HEADERS, **(headers or {})},
        media_type=f"{media_type}; charset=utf-8",
    )
