"""How up to date an answer must be: what callers say about it, read or told what is wrong."""

from application.reads.position import Position
from domain.errors import Violation


def position_said(name: str, token: str | None, found: list[Violation]) -> Position | None:
    """A position token that was sent under that name."""
    if token is None:
        return None
    try:
        return Position.read(token)
    except ValueError:
        found.append(Violation(name, "MALFORMED", "must be a position token of this API"))
        return None


def refuse_both(name: str, strong: bool, as_of: object, found: list[Violation]) -> None:
    if strong and as_of is not None:
        said = "must not be strong together with as_of: what was does not change"
        found.append(Violation(name, "INCONSISTENT", said))
