"""How up to date an answer must be, as requests say it: parsed."""

from collections.abc import Sequence

from application.reads.position import Position
from domain.errors import Violation
from entrypoints.interfaces.sent import Sent, collected


def parse_position(name: str, token: str | None) -> Sent[Position | None]:
    """A position token that was sent under that name."""
    if token is None:
        return Sent(None)
    try:
        return Sent(Position.read(token))
    except ValueError:
        said = "must be a position token of this API"
        return Sent(None, [Violation(name, "MALFORMED", said)])


def strong_and_past(name: str, strong: bool, as_of: object) -> Sequence[Violation]:
    if not strong or as_of is None:
        return ()
    said = "must not be strong together with as_of: what was does not change"
    return (Violation(name, "INCONSISTENT", said),)


def position_said(name: str, token: str | None, found: list[Violation]) -> Position | None:
    """As `parse_position`, for readers that still collect violations."""
    return collected(parse_position(name, token), found)


def refuse_both(name: str, strong: bool, as_of: object, found: list[Violation]) -> None:
    """As `strong_and_past`, for readers that still collect violations."""
    found += strong_and_past(name, strong, as_of)
