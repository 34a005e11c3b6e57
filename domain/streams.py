"""Streams: the ordered facts of one aggregate, named `<category>-<name>`."""

from collections.abc import Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

from attrs import frozen

S = TypeVar("S")
S_co = TypeVar("S_co", covariant=True)


class StreamId(str):
    """The id of a stream."""

    __slots__ = ()


class Stream(StreamId, Generic[S_co]):
    """The id of a stream, with the state that its facts are folded into, before the first fact."""

    __slots__ = ("zero",)

    zero: S_co

    def __new__(cls, stream_id: str, zero: S_co) -> "Stream[S_co]":
        stream = super().__new__(cls, stream_id)
        stream.zero = zero
        return stream

    def folded_into(self, zero: S) -> "Stream[S]":
        """The same stream, folded into another state."""
        return Stream(self, zero)


@frozen
class Category(Generic[S_co]):
    """Streams of one kind."""

    name: str
    zero: S_co

    def stream(self, *names: str) -> Stream[S_co]:
        return Stream(f"{self.name}-{'/'.join(names)}", self.zero)

    def of(self, stream: StreamId) -> Stream[S_co]:
        """The stream of this category that has the id."""
        return Stream(stream, self.zero)

    def has(self, stream: str) -> bool:
        return stream.startswith(f"{self.name}-")

    def names(self, stream: str) -> tuple[str, str]:
        """The name behind the category, split at its last slash; the second part may be empty."""
        name = stream[len(self.name) + 1 :]
        first, slash, second = name.rpartition("/")
        return (first, second) if slash else (name, "")


class States(Protocol):
    """The states of the streams that a decision reads."""

    def __getitem__(self, stream: Stream[S], /) -> S: ...

    def __contains__(self, stream: object, /) -> bool: ...


Decision = Mapping[Stream[Any], Sequence[Any]]
"""The facts to append, by stream."""
