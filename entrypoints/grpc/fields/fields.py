"""What callers say in messages. An empty text says nothing, and what is left out is nothing."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import islice
from typing import Any, TypeVar

from google.protobuf.message import Message

from domain.errors import Violation
from domain.validation import integer
from domain.versions import ANY_VERSION

LONGEST_PLACE = 200
"""Names of fields that callers chose are cut where they are told."""

MOST_WORDS = 100
"""In one list of words: a message has room for millions, and all other calls would wait."""

E = TypeVar("E", bound=StrEnum)
R = TypeVar("R")
T = TypeVar("T")


def said(text: str) -> str | None:
    return text or None


def present(sent: Message, name: str) -> Any:
    """What an optional field says, if anything."""
    return getattr(sent, name) if sent.HasField(name) else None


def part(
    sent: Message, name: str, read: Callable[[Any, list[Violation]], R], found: list[Violation]
) -> R | None:
    """A message within the message, if it is there."""
    return read(getattr(sent, name), found) if sent.HasField(name) else None


def told(value: T | None, tell: Callable[[T], R]) -> R | None:
    """The other way: what is told of something, if it is there."""
    return None if value is None else tell(value)


def chosen(field: str, word: str, among: Iterable[E], found: list[Violation]) -> E | None:
    """One of the words that there are, if any is said."""
    return _known(field, word, among, found) if word else None


def all_chosen(
    field: str, words: Sequence[str], among: Iterable[E], found: list[Violation]
) -> tuple[E, ...]:
    """Those of the words that are said, each once."""
    known, few = tuple(among), not_too_many(field, words, found)
    each = (_known(f"{field}[{at}]", word, known, found) for at, word in enumerate(few))
    return tuple(sorted({one for one in each if one is not None}))


def not_too_many(field: str, words: Sequence[str], found: list[Violation]) -> Sequence[str]:
    """The words; the first ones, if there are more than anyone needs."""
    if len(words) > MOST_WORDS:
        found.append(Violation(field, "TOO_MANY", f"must be at most {MOST_WORDS}"))
    return words[:MOST_WORDS]


def no_more_than(most: int, sent: Iterable[T]) -> Iterator[T]:
    """What is looked at of a list that is refused if it has more: one of those that are too many.

    So it is still found to be too long, whoever sends millions.
    """
    return islice(sent, most + 1)


def _known(field: str, word: str, among: Iterable[E], found: list[Violation]) -> E | None:
    known = {one.value: one for one in among}
    if word not in known:
        wanted = f"must be {_either(*known)}"
        found.append(Violation(field[:LONGEST_PLACE], "UNKNOWN_VALUE", wanted))
    return known.get(word)


def _either(*words: str) -> str:
    *others, last = words
    return f"{', '.join(others)} or {last}"


def version_said(sent: Message, found: list[Violation]) -> int:
    """The version that the caller decided on; any, if it does not say which."""
    version: int | None = present(sent, "expected_version")
    found += integer("expected_version", version, least=ANY_VERSION)
    return ANY_VERSION if version is None else version
