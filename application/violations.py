"""Every violation at once, each field's first cause only."""

from collections.abc import Iterable

from domain.errors import Invalid, Violation


def refuse_any(found: Iterable[Violation], then: Iterable[Violation] = ()) -> None:
    """Refuse the input if anything is wrong with it.

    `found` came up while the input was read. What `then` says about the same fields only
    follows from that and is left out.

    Raises:
        Invalid: With every violation.
    """
    violations = list(found)
    unread = {violation.field for violation in violations}
    violations += [violation for violation in then if not _concerns(violation.field, unread)]
    if violations:
        raise Invalid(violations)


def _concerns(field: str, unread: set[str]) -> bool:
    return any(
        field == other
        or field.startswith((f"{other}.", f"{other}["))
        or other.startswith(f"{field}.")
        for other in unread
    )
