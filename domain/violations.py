"""All violations of one input at once: of each field the first cause, up to a limit."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from domain.errors import Invalid, Violation

MOST_VIOLATIONS = 200
"""Of one input: a caller who sends a million mistakes is shown the first ones."""


def first_causes(
    unreadable: Iterable[Violation], then: Iterable[Violation] = ()
) -> Sequence[Violation]:
    """The violations that a caller is shown, in their order.

    `unreadable` came up while the input was read. What `then` says about the same fields only
    follows from that and is left out.
    """
    violations = list(islice(unreadable, MOST_VIOLATIONS))
    unread = {part for violation in violations for part in parts(violation.field)}
    named = {violation.field for violation in violations}
    rest = (
        violation
        for violation in then
        if violation.field not in unread and named.isdisjoint(parts(violation.field))
    )
    violations += islice(rest, MOST_VIOLATIONS - len(violations))
    return violations


def refuse_any(unreadable: Iterable[Violation], then: Iterable[Violation] = ()) -> None:
    """Refuse the input if it has violations.

    Raises:
        Invalid: With the first cause of each field.
    """
    violations = first_causes(unreadable, then)
    if violations:
        raise Invalid(violations)


def parts(field: str) -> Iterator[str]:
    """The field and all that it is part of: `a.b[0]`, `a.b`, `a`."""
    yield field
    for at in range(len(field) - 1, 0, -1):
        if field[at] in ".[":
            yield field[:at]
