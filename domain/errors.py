"""
What the domain refuses, and why.

    DomainError
    ├── Invalid               the input breaks the contract; carries every violation
    ├── NotFound              nobody has heard of it
    └── Refused               understood, and not possible now
        ├── AlreadyExists     the name is taken
        ├── Impossible        the current status does not allow it
        └── VersionMismatch   the caller decided on an older (or newer) version
"""

from collections.abc import Sequence

from attrs import define, frozen


@frozen
class Violation:
    """One way in which the input breaks the contract."""

    field: str
    code: str
    message: str

    def __str__(self) -> str:
        return f"{self.field}: {self.message}"


class DomainError(Exception):
    """Anything the domain says no to."""


@define
class Invalid(DomainError):
    violations: Sequence[Violation]

    def __str__(self) -> str:
        return "; ".join(map(str, self.violations))


@define
class NotFound(DomainError):
    what: str
    name: str

    def __str__(self) -> str:
        return f"{self.what} {self.name} does not exist"


class Refused(DomainError):
    """Understood, and not possible now."""


@define
class AlreadyExists(Refused):
    what: str
    name: str
    version: int

    def __str__(self) -> str:
        return f"{self.what} {self.name} exists already, at version {self.version}"


@define
class Impossible(Refused):
    """`reason` tells what the status alone does not."""

    what: str
    status: str
    attempted: str
    reason: str | None = None

    def __str__(self) -> str:
        return f"cannot {self.attempted} {self.what}: it is {self.reason or self.status}"


@define
class VersionMismatch(Refused):
    what: str
    expected: int
    current: int

    def __str__(self) -> str:
        return f"{self.what} is at version {self.current}, not {self.expected}"
