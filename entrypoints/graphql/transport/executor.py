"""
Executing a document, with an eye on how much is really told.

What a question may cost is known before only as far as it says how long its lists are (costs.py).
Lists of sixty within lists of sixty are told to whoever asks for them four levels deep: so what is
told is counted, and too much of it ends the answer, whatever was assumed.
"""

from typing import Any

from graphql import GraphQLError, GraphQLObjectType
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext

from entrypoints.graphql.limits.costs import ABOUT_THE_SCHEMA
from entrypoints.graphql.limits.limits import TooMuchAsked

QUERY_TOO_COSTLY = "QUERY_TOO_COSTLY"


class CountingExecutor(StrawberryGraphQLCoreExecutionContext):
    """Tells at most so many values, and as many about the schema as costs.py allows."""

    most: int = 0
    told: int = 0
    told_of_schema: int = 0

    @property
    def told_too_much(self) -> bool:
        return self.told > self.most or self.told_of_schema > ABOUT_THE_SCHEMA

    def execute_fields(self, parent_type: GraphQLObjectType, *args: Any) -> Any:
        """Before anything of an object is looked at: nothing more is once it was too much."""
        chosen = args[2]
        if parent_type.name.startswith("__"):
            self.told_of_schema += len(chosen)
        else:
            self.told += len(chosen)
        if self.told_too_much:
            raise self.too_much()
        return super().execute_fields(parent_type, *args)

    def too_much(self) -> GraphQLError:
        most = self.most if self.told > self.most else ABOUT_THE_SCHEMA
        return TooMuchAsked(QUERY_TOO_COSTLY, "values in the answer", most).as_error()
