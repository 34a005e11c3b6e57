"""Where GraphQL is served: one path, for questions, sockets and browsers."""

from functools import cache, partial

from fastapi.routing import APIRoute, APIWebSocketRoute
from starlette.routing import BaseRoute

from entrypoints.container import Container
from entrypoints.graphql import graphiql
from entrypoints.graphql.answering import Answering
from entrypoints.graphql.context import Context
from entrypoints.graphql.limits import Limits
from entrypoints.graphql.schema import schema
from entrypoints.graphql.serving import GraphQLOverHttp
from entrypoints.graphql.sockets import Sockets

PATH = "/graphql"


def graphql_routes(container: Container) -> list[BaseRoute]:
    # Made when somebody asks: an application that is only described opens nothing.
    answering = cache(partial(answering_of, container))
    over_http = GraphQLOverHttp(answering, container.identities)
    sockets = Sockets(answering, container.identities, container.event_streams, container.new_id())
    return [
        APIRoute(PATH, over_http.answer, methods=["GET", "POST"], include_in_schema=False),
        APIRoute(f"{PATH}/assets/{{name}}", graphiql.asset, include_in_schema=False),
        APIWebSocketRoute(PATH, sockets.listen),
    ]


def answering_of(container: Container) -> Answering:
    settings = container.settings()
    limits = Limits(settings.graphql_depth, settings.graphql_cost, settings.graphql_timeout_seconds)
    return Answering.of(schema._schema, limits, partial(Context.of, container))
