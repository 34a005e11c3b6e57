"""Where GraphQL is served: one path, for questions, sockets and browsers."""

from functools import cache, partial

from fastapi.routing import APIRoute, APIWebSocketRoute
from starlette.routing import BaseRoute

from entrypoints.graphql.context import Context
from entrypoints.graphql.limits.limits import Limits
from entrypoints.graphql.schema import schema
from entrypoints.graphql.transport import graphiql
from entrypoints.graphql.transport.execution import Answering
from entrypoints.graphql.transport.http import GraphQLOverHttp
from entrypoints.graphql.transport.websockets import Sockets
from entrypoints.interfaces.dependencies import Dependencies

PATH = "/graphql"


def graphql_routes(shared: Dependencies) -> list[BaseRoute]:
    # Made when somebody asks: an application that is only described opens nothing.
    answering = cache(partial(answering_of, shared))
    over_http = GraphQLOverHttp(answering, shared.identities, shared.event_streams)
    sockets = Sockets(answering, shared.identities, shared.event_streams, shared.new_id)
    return [
        APIRoute(PATH, over_http.answer, methods=["GET", "POST"], include_in_schema=False),
        APIRoute(f"{PATH}/assets/{{name}}", graphiql.asset, include_in_schema=False),
        APIWebSocketRoute(PATH, sockets.listen),
    ]


def answering_of(shared: Dependencies) -> Answering:
    settings = shared.settings
    limits = Limits(
        settings.graphql_max_depth, settings.graphql_max_cost, settings.graphql_timeout_seconds
    )
    return Answering.of(schema._schema, limits, partial(Context.of, shared))
