"""Moments in JSON: RFC 3339 with an offset in, UTC to the millisecond out."""

import re
from datetime import datetime
from typing import Annotated

from pydantic import BeforeValidator, Field

from domain.errors import Violation
from domain.timestamps import stamp
from entrypoints.interfaces.sent import Sent, collected
from entrypoints.interfaces.timestamps import read_moment

_UNESCAPED = re.compile(r" \d\d:\d\d$", re.ASCII)
UNESCAPED = "; a + in an address stands for a space: write %2B"


def parse_moment(name: str, text: str | None) -> Sent[datetime | None]:
    """A moment in the query."""
    if text is None:
        return Sent(None)
    try:
        return Sent(read_moment(text))
    except ValueError as error:
        hint = UNESCAPED if _UNESCAPED.search(text) else ""
        return Sent(None, [Violation(name, "MALFORMED", f"{error}{hint}")])


def moment_parameter(name: str, text: str | None, found: list[Violation]) -> datetime | None:
    """As `parse_moment`, for readers that still collect violations."""
    return collected(parse_moment(name, text), found)


def _stamp(at: object) -> object:
    return stamp(at) if isinstance(at, datetime) else at


def _seconds(at: object) -> object:
    return int(at.timestamp()) if isinstance(at, datetime) else at


Stamp = Annotated[
    str,
    BeforeValidator(_stamp),
    Field(json_schema_extra={"format": "date-time", "examples": ["2026-01-15T10:00:00.000Z"]}),
]

UnixSeconds = Annotated[int, BeforeValidator(_seconds)]

Moment = Annotated[datetime, BeforeValidator(read_moment, json_schema_input_type=Stamp)]
