"""Every violation at once, and no more work than there is to tell."""

from collections.abc import Iterator

import pytest

from domain.errors import Invalid, Violation
from domain.violations import MOST_VIOLATIONS, parts, refuse_any


def violation(field: str) -> Violation:
    return Violation(field, "CODE", "is wrong")


def refused(found: list[str], then: list[str]) -> list[str]:
    with pytest.raises(Invalid) as told:
        refuse_any(map(violation, found), map(violation, then))
    return [one.field for one in told.value.violations]


def test_nothing_wrong_is_not_refused() -> None:
    refuse_any([])


def test_what_follows_from_an_unread_field_is_left_out() -> None:
    then = ["a", "a.b", "a[0]", "b", "b.c", "bc", "c"]
    assert refused(["a", "b.c"], then) == ["a", "b.c", "bc", "c"]


def test_a_field_and_all_that_it_is_part_of() -> None:
    assert list(parts("a.b[0].c")) == ["a.b[0].c", "a.b[0]", "a.b", "a"]


def test_nobody_looks_for_more_violations_than_are_told() -> None:
    looked = 0

    def endless() -> Iterator[Violation]:
        nonlocal looked
        while True:
            looked += 1
            yield violation(f"field[{looked}]")

    with pytest.raises(Invalid) as told:
        refuse_any([violation("x")], endless())
    assert len(told.value.violations) == MOST_VIOLATIONS
    assert looked == MOST_VIOLATIONS - 1
