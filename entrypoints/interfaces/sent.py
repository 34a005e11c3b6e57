"""Values as callers sent them, with the violations that came up while they were read."""

from collections.abc import Sequence
from itertools import chain
from typing import Generic, Protocol, TypeVar

from attrs import frozen

from domain.errors import Violation

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")


@frozen
class Sent(Generic[T_co]):
    """A value that was read. With violations, it is only good for finding more of them."""

    value: T_co
    violations: Sequence[Violation] = ()


class HasViolations(Protocol):
    @property
    def violations(self) -> Sequence[Violation]: ...


def unreadable(*parts: HasViolations) -> tuple[Violation, ...]:
    """The violations of all parts of a request, in their order."""
    return tuple(chain.from_iterable(part.violations for part in parts))


def collected(sent: Sent[T], found: list[Violation]) -> T:
    """The value alone, for readers that still collect the violations of a request in a list."""
    found += sent.violations
    return sent.value
