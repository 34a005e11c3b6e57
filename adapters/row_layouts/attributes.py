"""How values lie in attributes: moments as stamps, what is not known is left out."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from domain.timestamps import moment, stamp


def present(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """The attributes that have a value; a row never holds a null."""
    return {
        name: whole_if_it_is(value) if type(value) is float else value
        for name, value in attributes.items()
        if value is not None
    }


def stamp_or_none(at: datetime | None) -> str | None:
    return None if at is None else stamp(at)


def moment_or_none(text: str | None) -> datetime | None:
    return None if text is None else moment(text)


def whole_if_it_is(value: int | float) -> int | float:
    """The same number on every engine: some know one kind of number only."""
    # Beyond 64 bits JSON has no whole numbers for us.
    fits = isinstance(value, float) and value.is_integer() and abs(value) < 2**63
    return int(value) if fits else value
