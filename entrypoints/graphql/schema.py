"""The schema, put together (S0-170..S0-188)."""

from datetime import datetime

import strawberry
from graphql import GraphQLError
from strawberry.schema.config import StrawberryConfig
from strawberry.types import ExecutionContext

from entrypoints.graphql.bounded import TellCuts
from entrypoints.graphql.contexts import ContextQueries
from entrypoints.graphql.datasets import DatasetQueries
from entrypoints.graphql.errors import TellErrors
from entrypoints.graphql.evidence import EvidenceQueries
from entrypoints.graphql.incident_lists import IncidentListQueries
from entrypoints.graphql.incidents import IncidentQueries
from entrypoints.graphql.lineage import LineageQueries
from entrypoints.graphql.moments import DATE_TIME
from entrypoints.graphql.mutations import Mutation
from entrypoints.graphql.signals import SignalQueries
from entrypoints.graphql.subscriptions import Subscription


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
