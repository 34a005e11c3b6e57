"""A GraphQL request, however it came: as the body of a POST, as a query string, over a socket."""

from collections.abc import Mapping
from typing import Any

import orjson
from attrs import field, frozen

from entrypoints.graphql.transport.refusals import BATCHED, NOT_A_REQUEST, malformed

_IN_QUERY = ("variables", "extensions")
"""What is JSON inside a query string."""


@frozen
class Asked:
    query: str
    operation_name: str | None = None
    variables: Mapping[str, Any] = field(factory=dict)


def asked(document: Any) -> Asked:
    """Raises Refusal if it is not a GraphQL request."""
    if isinstance(document, list):
        raise malformed(BATCHED, "requests are not answered in batches: send them one by one")
    if not isinstance(document, dict):
        raise malformed(NOT_A_REQUEST, "the request must be an object with a query")
    query = document.get("query")
    if not isinstance(query, str):
        raise malformed(NOT_A_REQUEST, "query must be a string: a GraphQL document")
    name = _one(document, "operationName", str, "a string")
    variables = _one(document, "variables", dict, "an object")
    _one(document, "extensions", dict, "an object")
    return Asked(query, name or None, variables or {})


def asked_in_query(parameters: Mapping[str, str]) -> Asked:
    """Raises Refusal if it is not a GraphQL request."""
    document: dict[str, Any] = dict(parameters)
    for name in _IN_QUERY:
        if name in document:
            document[name] = _parsed(name, document[name])
    return asked(document)


def _one(document: Mapping[str, Any], name: str, kind: type, called: str) -> Any:
    value = document.get(name)
    if value is not None and not isinstance(value, kind):
        raise malformed(NOT_A_REQUEST, f"{name} must be {called} or null")
    return value


def _parsed(name: str, text: str) -> Any:
    try:
        return orjson.loads(text) if text else None
    except orjson.JSONDecodeError as error:
        raise malformed(NOT_A_REQUEST, f"{name} is not JSON: {error}") from None
