"""
What the interfaces are asked in common, and the one form in which their answers are compared.

That form is the JSON of HTTP. An empty text is null in it: messages cannot tell the two apart.
"""

from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

Told = Any


@frozen
class How:
    """How up to date an answer is to be, or as of when."""

    as_of: str | None = None
    min_position: str | None = None
    strong: bool = False


@frozen
class Question:
    """`what` is the method of a reader that answers it, `about` what that is asked about."""

    what: str
    about: tuple[str, ...] = ()


@frozen
class Done:
    told: Told
    position: str
    """A token for `min_position`."""


@frozen
class Refused:
    """What programs are told of a refusal; texts are for people."""

    code: str
    violations: Mapping[str, str] = field(factory=dict)
    """By field: their codes."""
    current_version: int | None = None
    current_status: str | None = None


Outcome = Done | Refused


def not_answered(code: str) -> Told:
    """In the place of an answer."""
    return {"refused": code}


def plain(told: Told) -> Told:
    match told:
        case dict():
            return {name: plain(value) for name, value in told.items()}
        case list():
            return list(map(plain, told))
        case "":
            return None
        case _:
            return told


def without(told: Mapping[str, Told], *names: str) -> dict[str, Told]:
    return {name: value for name, value in told.items() if name not in names}
