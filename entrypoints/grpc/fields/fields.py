"""What callers say in messages. An empty text says nothing, and what is left out is nothing."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import islice
from typing import Any, TypeVar

from google.protobuf.message import Message

from domain.errors import Violation
from domain.validation import integer
from domain.versions import ANY_VERSION
from entrypoints.interfaces.sent import Sent, collected

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


def submessage(sent: Message, name: str, read: Callable[[Any], R]) -> R | None:
    """A message within the message, if it is there."""
    return read(getattr(sent, name)) if sent.HasField(name) else None


def enum_or_none(word: str, among: type[E]) -> E | None:
    """One of the words that there are; nothing for an empty or an unknown one."""
    return among(word) if word in among.__members__.values() else None


def unknown(field: str, word: str, among: Iterable[E]) -> Sequence[Violation]:
    """The violation of a word that there is not, if any is said."""
    known = [one.value for one in among]
    if not word or word in known:
        return ()
    return (Violation(field[:LONGEST_PLACE], "UNKNOWN_VALUE", f"must be {_either(*known)}"),)


def part(
    sent: Message, name: str, read: Callable[[Any, list[Violation]], R], found: list[Violation]
) -> R | None:
    """As `submessage`, for readers that still collect violations."""
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


def few_words(field: str, words: Sequence[str]) -> Sent[Sequence[str]]:
    """The words; the first ones, if there are more than anyone needs."""
    if len(words) <= MOST_WORDS:
        return Sent(words)
    said = f"must be at most {MOST_WORDS}"
    return Sent(words[:MOST_WORDS], [Violation(field, "TOO_MANY", said)])


def not_too_many(field: str, words: Sequence[str], found: list[Violation]) -> Sequence[str]:
    """As `few_words`, for readers that still collect violations."""
    return collected(few_words(field, words), found)


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


def parse_version(sent: Message) -> Sent[int]:
    """The version that the caller decided on; any, if it does not say which."""
    version: int | None = present(sent, "expected_version")
    violations = integer("expected_version", version, least=ANY_VERSION)
    return Sent(ANY_VERSION if version is None else version, violations)


def version_said(sent: Message, found: list[Violation]) -> int:
    """As `parse_version`, for readers that still collect violations."""
    return collected(parse_version(sent), found)
