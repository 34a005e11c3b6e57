"""The schema, put together (S0-170..S0-188)."""

from datetime import datetime

import strawberry
from graphql import GraphQLError
from strawberry.schema.config import StrawberryConfig
from strawberry.types import ExecutionContext

from entrypoints.graphql.datasets.queries import DatasetQueries
from entrypoints.graphql.errors import TellErrors
from entrypoints.graphql.events.subscriptions import Subscription
from entrypoints.graphql.evidence.queries import EvidenceQueries
from entrypoints.graphql.incidents.context_queries import ContextQueries
from entrypoints.graphql.incidents.list_queries import IncidentListQueries
from entrypoints.graphql.incidents.mutations import Mutation
from entrypoints.graphql.incidents.queries import IncidentQueries
from entrypoints.graphql.limits.list_limits import TellCuts
from entrypoints.graphql.lineage.queries import LineageQueries
from entrypoints.graphql.signals.queries import SignalQueries
from entrypoints.graphql.timestamps import DATE_TIME


@strawberry.type(description="What can be asked.")
class Query(
    SignalQueries,
    IncidentQueries,
    IncidentListQueries,
    ContextQueries,
    DatasetQueries,
    LineageQueries,
    EvidenceQueries,
):
    pass


class QuietSchema(strawberry.Schema):
    """Logs nothing by itself: callers' mistakes are told to them, ours are logged where masked."""

    def process_errors(
        self, errors: list[GraphQLError], execution_context: ExecutionContext | None = None
    ) -> None:
        pass


schema = QuietSchema(
    query=Query,
    mutation=Mutation,
    subscription=Subscription,
    extensions=[TellErrors, TellCuts],
    config=StrawberryConfig(scalar_map={datetime: DATE_TIME}),
)
