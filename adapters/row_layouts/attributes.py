"""Values as attributes: absent ones are left out, whole numbers are whole on every engine."""

from collections.abc import Mapping
from typing import Any


def present(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """The attributes that have a value; a row never holds a null."""
    return {
        name: whole_if_it_is(value) if type(value) is float else value
        for name, value in attributes.items()
        if value is not None
    }


def whole_if_it_is(value: int | float) -> int | float:
    """The same number on every engine: some know one kind of number only."""
    # Beyond 64 bits JSON has no whole numbers for us.
    fits = isinstance(value, float) and value.is_integer() and abs(value) < 2**63
    return int(value) if fits else value
