"""
Requests that are answered without being executed.

    BAD_REQUEST                    it is not a GraphQL request
    BATCHING_NOT_SUPPORTED         it is several
    OPERATION_RESOLUTION_FAILURE   the document has no such operation
    NOT_ACCEPTABLE                 it wants an answer of a kind that there is not
    METHOD_NOT_ALLOWED             it would change something by GET
    DEADLINE_EXCEEDED              it took too long

Limits have codes of their own (limits.py).
"""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import define, field
from graphql import GraphQLError

NOT_A_REQUEST = "BAD_REQUEST"
BATCHED = "BATCHING_NOT_SUPPORTED"
UNKNOWN_OPERATION = "OPERATION_RESOLUTION_FAILURE"
NOT_ACCEPTABLE = "NOT_ACCEPTABLE"
NOT_BY_GET = "METHOD_NOT_ALLOWED"
TOO_LATE = "DEADLINE_EXCEEDED"


@define
class Refusal(Exception):
    """A request that is not executed.

    `well_formed`: it was a GraphQL request; those who accept plain JSON expect 200 even so.
    """

    errors: Sequence[GraphQLError]
    status: int = 400
    well_formed: bool = True
    headers: Mapping[str, str] = field(factory=dict)

    def __str__(self) -> str:
        return "; ".join(one.message for one in self.errors)


def refusal(code: str, message: str, status: int = 400, **data: Any) -> Refusal:
    return Refusal([coded(code, message, **data)], status)


def malformed(
    code: str, message: str, status: int = 400, headers: Mapping[str, str] | None = None
) -> Refusal:
    """Of what is not a GraphQL request, or may not be one."""
    return Refusal([coded(code, message)], status, well_formed=False, headers=headers or {})


def coded(code: str, message: str, **data: Any) -> GraphQLError:
    return GraphQLError(message, extensions={"code": code, **data})
