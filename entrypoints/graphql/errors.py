"""
Errors as GraphQL tells them: a text, and `extensions` with the same stable `code` as HTTP.

What is expected is in one table for all interfaces. What nobody expected is logged with all there
is to know, and told with nothing of it. What only GraphQL can get wrong:

    GRAPHQL_PARSE_FAILED        the document is not GraphQL
    GRAPHQL_VALIDATION_FAILED   the document or its variables do not fit the schema
    INT_OVERFLOW                a count does not fit the 32 bits of an Int
"""

from collections.abc import Mapping, Sequence
from typing import Any

import structlog
from attrs import define
from graphql import GraphQLError, GraphQLSyntaxError
from strawberry.extensions import MaskErrors
from strawberry.utils.str_converters import to_camel_case

from domain.errors import Violation
from entrypoints.graphql.context import Context
from entrypoints.interfaces.error_table import INTERNAL, MEANINGS, Meaning, Told, told

_log = structlog.get_logger()

PARSE_FAILED = "GRAPHQL_PARSE_FAILED"
VALIDATION_FAILED = "GRAPHQL_VALIDATION_FAILED"


@define
class BeyondInt(Exception):
    """A number that an Int cannot hold."""

    number: int
    instead: str
    """The field that can."""

    def __str__(self) -> str:
        return f"{self.number} does not fit an Int: ask for {self.instead}, a Float, instead"


_OF_GRAPHQL: Mapping[type[Exception], Meaning] = {
    BeyondInt: Meaning("INT_OVERFLOW", "The number is too large", lambda e: {"instead": e.instead})
}


class TellErrors(MaskErrors):
    """Every error that leaves the schema is told as above. Made anew for each operation."""

    def __init__(self) -> None:
        super().__init__()
        self._logged: list[Exception] = []

    def anonymise_error(self, error: GraphQLError) -> GraphQLError:
        context = self.execution_context.context
        request_id = context.by.correlation_id if isinstance(context, Context) else ""
        return told_error(error, request_id, self._logged)


def told_error(
    error: GraphQLError, request_id: str = "", logged: list[Exception] | None = None
) -> GraphQLError:
    """What many rows wait for may fail all of them: what is `logged` is not logged again."""
    cause = error.original_error or error
    meaning = MEANINGS.get(type(cause)) or _OF_GRAPHQL.get(type(cause))
    if meaning is not None:
        said = told(cause, meaning)
        return _like(error, said.detail, _extensions(said), request_id)
    if "code" in (error.extensions or {}):
        return _like(error, error.message, error.extensions or {}, request_id)
    if error.path is None:
        # Nothing was resolved yet: the document or its variables are to blame.
        code = PARSE_FAILED if isinstance(error, GraphQLSyntaxError) else VALIDATION_FAILED
        return _like(error, error.message, {"code": code}, request_id)
    _log_once(cause, error.path, [] if logged is None else logged)
    return _like(error, INTERNAL.title, {"code": INTERNAL.code}, request_id)


def _log_once(cause: Exception, path: Sequence[str | int], logged: list[Exception]) -> None:
    if not any(cause is one for one in logged):
        logged.append(cause)
        _log.error("request_failed", path=path, exc_info=cause)


def _like(
    error: GraphQLError, message: str, extensions: Mapping[str, Any], request_id: str
) -> GraphQLError:
    """At the same place, without the cause."""
    asked = {"requestId": request_id} if request_id else {}
    return GraphQLError(
        message,
        nodes=error.nodes,
        source=error.source,
        positions=error.positions,
        path=error.path,
        extensions={**extensions, **asked},
    )


def _extensions(said: Told) -> dict[str, Any]:
    extensions: dict[str, Any] = {"code": said.code, "title": said.title}
    if said.violations:
        extensions["violations"] = _violations(said.violations)
    return extensions | {to_camel_case(name): value for name, value in said.data.items()}


def _violations(violations: Sequence[Violation]) -> list[dict[str, str]]:
    """Arguments are named as the schema names them."""
    return [
        {"field": to_camel_case(one.field), "code": one.code, "message": one.message}
        for one in violations
    ]
