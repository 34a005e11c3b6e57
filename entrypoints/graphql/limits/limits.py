"""
How much one document may ask for. All of it is checked before anything is executed.

    TOO_LONG                the document has too many characters, tokens or comments
    QUERY_TOO_DEEP          fields within fields, or values within values
    TOO_MANY_OPERATIONS     in the document
    TOO_MANY_FRAGMENTS      in the document
    TOO_MANY_ALIASES        in the document
    TOO_MANY_DIRECTIVES     in the document
    TOO_MANY_ROOT_FIELDS    in one operation, fragments included
    TOO_MANY_SELECTIONS     with every fragment written out wherever it is used
    TOO_MANY_REPEATS        of one field at one place: they are compared, each with each
    QUERY_TOO_COSTLY        the answer could have too many values (costs.py)
"""

from attrs import define, frozen
from graphql import GraphQLError

from entrypoints.graphql.transport.refusals import coded


@frozen
class Limits:
    """`depth`, `cost` and `seconds` are settings: they depend on what people ask for."""

    depth: int = 12
    cost: int = 50_000
    seconds: float = 10.0
    length: int = 100_000
    tokens: int = 2_000
    comments: int = 1_000
    operations: int = 20
    fragments: int = 100
    root_fields: int = 20
    aliases: int = 50
    directives: int = 50
    selections: int = 1_000
    repeats: int = 50


@define
class TooMuchAsked(Exception):
    """A document beyond a limit."""

    code: str
    what: str
    limit: int

    def __str__(self) -> str:
        return f"too many {self.what}: at most {self.limit:,}"

    def as_error(self) -> GraphQLError:
        return coded(self.code, str(self), limit=self.limit)
