"""From what is asked to an answer, whichever way it came: checked first, then executed."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from inspect import isawaitable
from typing import Any, Protocol

from attrs import frozen
from graphql import (
    DocumentNode,
    ExecutionResult,
    FieldNode,
    GraphQLError,
    GraphQLSchema,
    OperationDefinitionNode,
    OperationType,
    create_source_event_stream,
    located_error,
)

from application.caller import Caller
from application.errors import OutcomeUnknown
from entrypoints.graphql.errors import told_error
from entrypoints.graphql.limits.costs import Costs
from entrypoints.graphql.limits.limits import Limits, TooMuchAsked
from entrypoints.graphql.transport.document_cache import Documents
from entrypoints.graphql.transport.executor import QUERY_TOO_COSTLY, CountingExecutor
from entrypoints.graphql.transport.refusals import TOO_LATE, UNKNOWN_OPERATION, Refusal, refusal
from entrypoints.graphql.transport.request import Asked

Document = dict[str, Any]


class Context(Protocol):
    """What the resolvers of one answer share."""

    by: Caller
    cut: list[dict[str, Any]]


@frozen
class Operation:
    """What is asked, found to be allowed."""

    document: DocumentNode
    definition: OperationDefinitionNode
    asked: Asked

    @property
    def kind(self) -> OperationType:
        return self.definition.operation


@frozen
class Answering:
    schema: GraphQLSchema
    limits: Limits
    documents: Documents
    costs: Costs
    context: Callable[[Caller], Context]

    @classmethod
    def of(
        cls, schema: GraphQLSchema, limits: Limits, context: Callable[[Caller], Context]
    ) -> "Answering":
        documents, costs = Documents(schema, limits), Costs(schema, limits.cost)
        return cls(schema, limits, documents, costs, context)

    def operation(self, asked: Asked) -> Operation:
        """Raises Refusal if it cannot, or must not, be executed."""
        document = self.documents.read(asked.query)
        definition = _chosen(document, asked.operation_name)
        try:
            self.costs.check(document, definition, asked.variables)
        except TooMuchAsked as error:
            raise Refusal([error.as_error()]) from None
        return Operation(document, definition, asked)

    async def answer(self, operation: Operation, by: Caller) -> Document:
        """Raises Refusal if the variables do not fit, or it takes too long."""
        context = self.context(by)
        executor = self._executor(operation, context)
        return _answered(await self._in_time(operation, executor), context)

    async def answers(self, operation: Operation, by: Caller) -> AsyncGenerator[Document, None]:
        """Of a subscription: one for each event, each with a context of its own.

        Raises:
            Refusal: It cannot be listened to, or no longer.
        """
        events = await self._begun(operation, self._executor(operation, self.context(by)))
        try:
            async for event in events:
                context = self.context(by)
                executor = self._executor(operation, context, event)
                yield _answered(await self._in_time(operation, executor), context)
        except Refusal:
            raise
        except Exception as error:
            # Told as if the field had failed: what nobody expected is logged, and not told.
            raise Refusal([located_error(error, path=_path(operation))], 503) from error
        finally:
            await events.aclose()

    async def _begun(self, operation: Operation, executor: CountingExecutor) -> Any:
        """The events of a subscription. Raises Refusal if it cannot begin, or not in time."""
        try:
            async with asyncio.timeout(self.limits.seconds):
                source: Any = create_source_event_stream(executor)
                events = await source if isawaitable(source) else source
        except TimeoutError:
            raise self._too_late(operation) from None
        if isinstance(events, ExecutionResult):
            raise Refusal(events.errors or [])
        return events

    def _executor(
        self, operation: Operation, context: Context, root: Any = None
    ) -> CountingExecutor:
        executor: Any = CountingExecutor.build(
            self.schema,
            operation.document,
            root,
            context,
            dict(operation.asked.variables),
            operation.asked.operation_name,
        )
        if isinstance(executor, list):
            raise Refusal(executor)
        assert isinstance(executor, CountingExecutor)
        executor.most = self.limits.cost
        return executor

    async def _in_time(self, operation: Operation, executor: CountingExecutor) -> ExecutionResult:
        try:
            async with asyncio.timeout(self.limits.seconds):
                result: Any = executor.execute_operation()
                if isawaitable(result):
                    result = await result
        except TimeoutError:
            raise self._too_late(operation) from None
        assert isinstance(result, ExecutionResult)
        if executor.told_too_much:
            return _cut_short(operation, executor, result)
        return result

    def _too_late(self, operation: Operation) -> Refusal:
        said = f"no answer within {self.limits.seconds:g} seconds"
        if operation.kind is OperationType.MUTATION:
            unknown = OutcomeUnknown("the store", said)
            return Refusal([GraphQLError(str(unknown), original_error=unknown)], 503)
        return refusal(TOO_LATE, said, 503)


def _chosen(document: DocumentNode, name: str | None) -> OperationDefinitionNode:
    operations = [one for one in document.definitions if isinstance(one, OperationDefinitionNode)]
    if name is not None:
        operations = [one for one in operations if one.name and one.name.value == name]
    if not operations:
        said = "there is no operation of that name" if name else "there is no operation to execute"
        raise refusal(UNKNOWN_OPERATION, said)
    if len(operations) > 1:
        raise refusal(UNKNOWN_OPERATION, "name the operation: the document has several")
    return operations[0]


def _cut_short(
    operation: Operation, executor: CountingExecutor, result: ExecutionResult
) -> ExecutionResult:
    """What was changed is told all the same; of anything else, nothing: half of it would mislead.

    The same is wrong at every place that was not told: it is said once.
    """
    if operation.kind is not OperationType.MUTATION:
        raise Refusal([executor.too_much()])
    errors = result.errors or []
    first = next(filter(_too_costly, errors), None)
    errors = [one for one in errors if one is first or not _too_costly(one)]
    return ExecutionResult(result.data, errors)


def _too_costly(error: GraphQLError) -> bool:
    return (error.extensions or {}).get("code") == QUERY_TOO_COSTLY


def _answered(result: ExecutionResult, context: Context) -> Document:
    answer: Document = {"data": result.data}
    if result.errors:
        answer["errors"] = errors_told(result.errors, context.by.correlation_id)
    if context.cut:
        answer["extensions"] = {"truncated": context.cut}
    return answer


def errors_told(errors: Sequence[GraphQLError], request_id: str) -> list[Any]:
    logged: list[Exception] = []
    return [told_error(one, request_id, logged).formatted for one in errors]


def _path(operation: Operation) -> list[str | int]:
    """Where in the answer a subscription's one field is."""
    first = operation.definition.selection_set.selections[0]
    return [(first.alias or first.name).value] if isinstance(first, FieldNode) else []
