"""Every violation at once, each field's first cause only."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

from domain.errors import Invalid, Violation

MOST_VIOLATIONS = 200
"""Who sends a million mistakes is told of the first ones, and nobody waits for the rest."""


T = TypeVar("T")


def parsed(parse: Callable[[], T], found: Sequence[Violation]) -> T:
    """Parse the input, unless anything of it could not be read.

    Raises:
        Invalid: With every violation, those that came up while the input was read included.
    """
    try:
        value = parse()
    except Invalid as invalid:
        refuse_any(found, invalid.violations)
        raise
    refuse_any(found)
    return value


def refuse_any(found: Iterable[Violation], then: Iterable[Violation] = ()) -> None:
    """Refuse the input if anything is wrong with it.

    `found` came up while the input was read. What `then` says about the same fields only
    follows from that and is left out.

    Raises:
        Invalid: With every violation, up to a limit.
    """
    violations = list(islice(found, MOST_VIOLATIONS))
    if not violations and not then:
        return
    unread = {part for violation in violations for part in parts(violation.field)}
    named = {violation.field for violation in violations}
    rest = (
        violation
        for violation in then
        if violation.field not in unread and named.isdisjoint(parts(violation.field))
    )
    violations += islice(rest, MOST_VIOLATIONS - len(violations))
    if violations:
        raise Invalid(violations)


def parts(field: str) -> Iterator[str]:
    """The field and all that it is part of: `a.b[0]`, `a.b`, `a`."""
    yield field
    for at in range(len(field) - 1, 0, -1):
        if field[at] in ".[":
            yield field[:at]
