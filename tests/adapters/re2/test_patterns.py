"""Regular expressions that cannot be made slow."""

import pytest

from adapters.re2.patterns import Re2Patterns


def test_a_pattern_is_found_in_a_text() -> None:
    patterns = Re2Patterns()
    assert patterns.matches("^cust-[a-z0-9]+$", "cust-1a")
    assert not patterns.matches("^cust-[a-z0-9]+$", "CUST-1a")
    assert patterns.matches("b", "abc")


@pytest.mark.parametrize("pattern", ["(", "[a", "(?=x)", r"(a)\1", "(a{1000}){1000}"])
def test_a_pattern_that_cannot_be_used_is_explained(pattern: str) -> None:
    assert Re2Patterns().problem(pattern)


def test_a_good_pattern_has_no_problem() -> None:
    assert Re2Patterns().problem("^(a+)+$") is None


def test_a_hostile_pattern_answers_at_once() -> None:
    """A backtracking engine would need longer than the universe for this."""
    assert not Re2Patterns().matches("^(a+)+$", "a" * 5_000 + "b")
