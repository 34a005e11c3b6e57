"""
Arguments that many queries take.

What may be left out has no default in the schema: resolvers see UNSET then, and null as None.
"""

from datetime import datetime
from typing import Annotated, TypeVar

import strawberry
from attrs import evolve
from strawberry import UNSET

from domain.errors import Violation

T = TypeVar("T")

AsOf = Annotated[
    datetime | None,
    strawberry.argument(
        description="Answer as of this moment, with all that was recorded by then and nothing "
        "later. What belongs to the answer (its dataset, its incident) is as of then, too."
    ),
]
MinPosition = Annotated[
    str | None,
    strawberry.argument(
        description="The `position` of a write or an answer: wait until it can be seen, or answer "
        "with the error POSITION_NOT_REACHED."
    ),
]


def said(value: T | None) -> T | None:
    """Nothing, if it was left out."""
    return None if value is UNSET else value


def of_part(part: str, violations: list[Violation]) -> list[Violation]:
    """What is wrong with a part of what was sent, named as a part."""
    return [evolve(one, field=f"{part}.{one.field}") for one in violations]
