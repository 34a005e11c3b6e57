"""The schema, asked about the application that HTTP serves (see tests/entrypoints/http/api.py)."""

from typing import Any

from attrs import frozen
from graphql import GraphQLError
from strawberry.types import ExecutionResult

from application.caller import Caller
from entrypoints.container import dependencies_of
from entrypoints.graphql.context import Context
from entrypoints.graphql.schema import schema
from tests.entrypoints.http.api import Api

REQUEST = "01KA3M8Z5WJ3Q4X6V7B8N9M0PQ"
JANE = Caller("jane@company.example", roles=frozenset({"admin"}), correlation_id=REQUEST)


@frozen
class Schema:
    api: Api

    def ask(self, query: str, *, by: Caller = JANE, **variables: Any) -> ExecutionResult:
        context = Context.of(dependencies_of(self.api.container), by)
        asked = schema.execute(query, variables, context_value=context)
        result = self.api.loop.run(asked)
        assert isinstance(result, ExecutionResult)
        return result

    def told(self, query: str, **variables: Any) -> Any:
        """The data of an answer without errors; of a single field, what it holds."""
        result = self.ask(query, **variables)
        assert result.errors is None, result.errors
        assert result.data is not None
        values = list(result.data.values())
        return values[0] if len(values) == 1 else result.data

    def refused(self, query: str, **variables: Any) -> dict[str, Any]:
        """The extensions of the one error of an answer."""
        extensions = the_error(self.ask(query, **variables)).extensions
        assert extensions is not None
        assert extensions["requestId"] == REQUEST
        return dict(extensions)


def the_error(result: ExecutionResult) -> GraphQLError:
    """The only one."""
    assert result.errors is not None
    (error,) = result.errors
    return error


def codes(extensions: dict[str, Any]) -> dict[str, str]:
    """The violations by field."""
    assert extensions["code"] == "VALIDATION"
    return {one["field"]: one["code"] for one in extensions["violations"]}
