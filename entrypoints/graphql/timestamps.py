"""The DateTime of the schema: read and written as everywhere else in the API."""

from datetime import datetime

import strawberry
from graphql import GraphQLError
from strawberry.types.scalar import ScalarDefinition

from domain.timestamps import stamp
from entrypoints.interfaces.timestamps import read_moment


def _read(said: object) -> datetime:
    try:
        return read_moment(said)
    except ValueError as error:
        raise GraphQLError(str(error)) from None


DATE_TIME: ScalarDefinition = strawberry.scalar(
    name="DateTime",
    description="A moment: RFC 3339 with an offset in, UTC to the millisecond out, such as "
    "2026-01-15T10:00:00.000Z.",
    specified_by_url="https://datatracker.ietf.org/doc/html/rfc3339",
    serialize=stamp,
    parse_value=_read,
)
