"""
A part of an answer: what was found, how old it may be, and where it was read; or why it is missing,
or some of it.
"""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from attrs import frozen

from application.errors import ApplicationError
from application.reads.demand import Answer
from domain.errors import NotFound

T = TypeVar("T")
U = TypeVar("U")

READ_MODEL = "read model"
LOG = "log"
EVIDENCE = "evidence cache and archive"


@frozen
class Part(Generic[T]):
    told: T | None
    source: str
    age_seconds: float | None = None
    """How old it may be at most; nothing if not known, or if there is nothing."""
    missing: ApplicationError | NotFound | None = None
    late: bool = False
    """Whether it, or some of it, was left out because the time was up."""

    @property
    def is_there(self) -> bool:
        """All of it."""
        return self.missing is None and not self.late

    @classmethod
    def of(cls, answer: Answer[T], source: str) -> "Part[T]":
        return cls(answer.value, source, answer.age_seconds)

    @classmethod
    def too_late(cls, source: str) -> "Part[T]":
        return cls(None, source, late=True)

    @classmethod
    def without(cls, source: str, error: ApplicationError | NotFound) -> "Part[T]":
        return cls(None, source, missing=error)

    def map(self, change: Callable[[T], U]) -> "Part[U]":
        told = None if self.told is None else change(self.told)
        return Part(told, self.source, self.age_seconds, self.missing, self.late)

    def otherwise(self, default: T) -> T:
        """What was found, or this if the part is missing."""
        return default if self.told is None else self.told


AnyPart = Part[Any]
